"""Derived values of one World: computed on request, patched where that is possible, checked in strict mode."""

from __future__ import annotations

import itertools
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rish_jit.errors import UsageError

from .checks import recorded_reads
from .equality import equal
from .inputs import InputChanges, Inputs

if TYPE_CHECKING:
    from ..storage.store import Store
    from .declaration import DerivedSpec

_versions = itertools.count(1)


class DerivedValue:
    """A derived value of a world. version: a number that no other value has, new whenever the value changes."""

    def __init__(self, world: Store, spec: DerivedSpec) -> None:
        self.spec = spec
        self.version = 0
        self._world = world
        self._inputs = Inputs(spec.reads)
        self._value: Any = None
        self._computing = False

    def get(self) -> Any:
        """Return the value, up to date. Raises UsageError if it is requested while it is computed."""
        if self._computing:
            raise UsageError(f"{self.spec.name} is requested while it is computed", hint="Read its sources instead")
        self._computing = True
        try:
            changes = self._taken() if self._world.checks_derived else self._inputs.take(self._world)
            if changes is not None:
                self._update(changes)
        except BaseException:
            self._inputs.forget()
            raise
        finally:
            self._computing = False
        return self._value

    def _taken(self) -> InputChanges | None:
        """Return what changed since the last call; what the sources read is not read by this value."""
        with recorded_reads(self._world, None):
            return self._inputs.take(self._world)

    def _update(self, changes: InputChanges) -> None:
        before = self._value
        if before is not None and self.spec.patches and changes.by_rows:
            if before.patch(self._world, changes) is not False:
                self.version = next(_versions)
                if self._world.checks_derived:
                    self._check_patched()
                return
            before = None  # a patch that gave up may have changed some of it
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
