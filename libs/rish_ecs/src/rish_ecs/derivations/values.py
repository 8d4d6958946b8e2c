"""Derived values of one World: computed on request, patched where that is possible, checked in strict mode."""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from rish_jit.errors import UsageError

from ..equality import equal
from ..storage.row_changes import NO_CHANGES, RowChanges, joined_changes
from .checks import recorded_reads
from .inputs import InputChanges, Inputs

if TYPE_CHECKING:
    from ..storage.store import Store
    from .declaration import DerivedSpec

_versions = itertools.count(1)
_PATCHES = 64
"""The number of patches that are stored; for a reader with an older version, all rows count as changed."""


class DerivedValue:
    """A derived value of a world. version: a number that no other value has, new whenever the value changes."""

    def __init__(self, world: Store, spec: DerivedSpec) -> None:
        self.spec = spec
        self.version = 0
        self._world = world
        self._inputs = Inputs(spec.reads)
        self._value: Any = None
        self._computing = False
        self._patches = deque[tuple[int, int, RowChanges]](maxlen=_PATCHES)  # the versions before and after each patch

    def get(self) -> Any:
        """Return the value, up to date. Raises UsageError if it is requested while it is computed."""
        if self._computing:
            raise UsageError(f"{self.spec.name} is requested while it is computed", hint="Read its sources instead")
        self._computing = True
        try:
            changes = self._taken()
            if changes is not None:
                self._update(changes)
                self._inputs.changed(self._world)  # what it loads or caches itself is no change
        except BaseException:
            self._inputs.forget()
            raise
        finally:
            self._computing = False
        return self._value

    def changes(self, since: int) -> RowChanges:
        """Return the rows of a value by rows that changed since it had a version; all if that is not known."""
        if since == self.version:
            return NO_CHANGES
        patches = self._patches
        first = next((k for k, (before, _, _) in enumerate(patches) if before == since), None)
        if first is None:
            return RowChanges(0)
        parts = [change for _, _, change in islice(patches, first, None)]
        return parts[0] if len(parts) == 1 else joined_changes(parts)

    def _taken(self) -> InputChanges | None:
        """Return what changed since the last call; what the sources read is not read by this value."""
        if not self._world.checks_derived:
            return self._inputs.take(self._world)
        with recorded_reads(self._world, None):
            return self._inputs.take(self._world)

    def _update(self, changes: InputChanges) -> None:
        before = self._value
        if before is not None and self.spec.patches and changes.by_rows:
            if before.patch(self._world, changes) is not False:
                version, self.version = self.version, next(_versions)
                by = self.spec.by
                rows = None if by is None else changes.of_table(by)
                if rows is not None:
                    self._patches.append((version, self.version, rows))
                if self._world.checks_derived:
                    self._check_patched()
                return
            before = None  # a patch that gave up may have changed some of it
        self._patches.clear()
        value = self._compute()
        if before is None or not equal(value, before):
            self._value = value
            self.version = next(_versions)

    def _compute(self) -> Any:
        value = self.spec.cls()
        with recorded_reads(self._world, self.spec):
            value.compute(self._world)
        return value

    def _check_patched(self) -> None:
        """Raise UsageError if the patched value differs from a computed one."""
        computed = self._compute()
        for each in fields(computed):
            one, other = getattr(self._value, each.name), getattr(computed, each.name)
            if not equal(one, other):
                raise UsageError(
                    f"{self.spec.name}.patch and compute give different values of {each.name}: "
                    f"{_short(one)} and {_short(other)}",
                    hint="Patch all that depends on the changed rows, or return False",
                )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 100 else f"{text[:97]}..."
