"""Copies of the values of resources, and their return into the same instances.

Most resources are settings that seldom change. All of them are compared with the last save at once (`contents.py`), and
only those that differ are looked at one by one. A value that has not changed shares the copy of the last save, and a
load does not touch it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, compress
from operator import is_, is_not, ne
from typing import TYPE_CHECKING, Any

from rish_jit.errors import DeclarationError

from ..declarations.resource import ResourceSpec, copy_fields, copy_plain, remade, resource_spec
from ..equality import equal
from .contents import Contents, is_fixed, values_of_dict

if TYPE_CHECKING:
    from ..storage.store import Store


@dataclass(slots=True, eq=False)
class SavedFields:
    """Copies of the values of the fields of a resource."""

    spec: ResourceSpec
    values: list[Any]

    @property
    def by_name(self) -> dict[str, Any]:
        """Further copies, by the name of the field."""
        return dict(zip(self.spec.names, map(copy_plain, self.values), strict=True))


@dataclass(slots=True, eq=False)
class _Resource:
    """A resource and its last save: the values themselves, the contents of the mutable ones, and the copies."""

    cls: type
    spec: ResourceSpec
    instance: Any
    values: tuple[Any, ...] = ()
    contents: dict[int, Contents] = field(default_factory=dict[int, Contents])
    saved: SavedFields | None = None

    def save(self) -> bool:
        """Copy the values that may have changed; return whether mutable ones are among them."""
        values, saved = self.spec.values_of(self.instance), self.saved
        stale = list(range(len(values)))
        if saved is not None:
            stale = [*compress(stale, map(is_not, values, self.values))]
            stale += [k for k, held in self.contents.items() if k not in stale and not held.unchanged]
        copies = [None] * len(values) if saved is None else [*saved.values]
        try:
            for k in stale:
                copies[k] = copy_plain(values[k])
        except DeclarationError:
            copy_fields(self.spec, self.instance)  # it raises the same error, with its place
            raise
        mutable = {k: Contents([values[k]]) for k in stale if not is_fixed(values[k])}
        moved = not self.contents.keys().isdisjoint(stale) or bool(mutable)
        self.contents = {k: held for k, held in self.contents.items() if k not in stale} | mutable
        self.values = values
        if stale or saved is None:
            self.saved = SavedFields(self.spec, copies)
        return moved


class ResourceSaver:
    """Saves and loads the values of the resources of a World."""

    def __init__(self) -> None:
        self._every: list[Any] = []
        self._held: list[_Resource] = []
        self._states: list[dict[str, Any]] = []
        self._owners: list[int] = []
        self._values: list[Any] = []
        self._contents = Contents(())
        self._item_owners: list[int] = []
        self._array_owners: list[int] = []
        self._unknown: set[int] = set()
        self._saved: dict[type, SavedFields] = {}

    def save(self, world: Store) -> dict[type, SavedFields]:
        """Return copies of the values of all resources. Raises DeclarationError for a value that is not plain."""
        every = [*world.resources.values()]
        if len(every) != len(self._every) or not all(map(is_, every, self._every)):
            self._hold(world)
        values, contents = [*chain.from_iterable(map(values_of_dict, self._states))], self._contents.read()
        which = self._differing(values, contents)
        if not which:
            return self._saved
        moved = [self._held[k].save() for k in which]
        self._values, self._contents.held = values, contents
        if any(moved) or len(values) != len(self._owners):
            self._list()
        self._every = every  # not before: a value that is not plain raises the next time too
        self._saved = {held.cls: held.saved for held in self._held if held.saved is not None}
        return self._saved

    def load(self, world: Store, saved: dict[type, SavedFields]) -> None:
        """Let the resources have their saved values again. Instances and equal values stay the same objects."""
        present = self.save(world)
        for cls in [cls for cls in present if cls not in saved]:
            world.drop(cls)
        for cls, fields in saved.items():
            now, instance = present.get(cls), world.resources.get(cls)
            if now is fields:
                continue
            if now is None or instance is None:
                world.hold(fields.spec.key, cls, remade(cls, fields.by_name))
                continue
            for name, value, current in zip(fields.spec.names, fields.values, now.values, strict=True):
                if value is not current and not equal(value, current):
                    setattr(instance, name, copy_plain(value))  # so that a class can count its changes

    def _hold(self, world: Store) -> None:
        """Hold the resources of the world, and their last saves if the instances are the same."""
        before = {held.cls: held for held in self._held}
        specs = [(cls, resource_spec(cls), instance) for cls, instance in world.resources.items()]
        self._held = [
            before[cls] if cls in before and before[cls].instance is instance else _Resource(cls, spec, instance)
            for cls, spec, instance in specs
            if spec is not None and not spec.derived
        ]
        self._states = [getattr(held.instance, "__dict__", {}) for held in self._held]
        self._owners = []  # so that all are looked at

    def _differing(self, values: list[Any], contents: tuple[list[Any], list[Any]]) -> Iterable[int]:
        """Return the resources that may have changed."""
        (items, bits), (before, before_bits) = contents, self._contents.held
        if len(values) != len(self._owners) or len(items) != len(before) or len(bits) != len(before_bits):
            return range(len(self._held))
        return self._unknown.union(
            compress(self._owners, map(is_not, values, self._values)),
            compress(self._item_owners, map(is_not, items, before)),
            compress(self._array_owners, map(ne, bits, before_bits)),
        )

    def _list(self) -> None:
        """List all containers again, and the resource to which each value, item and array belongs."""
        self._owners = [k for k, state in enumerate(self._states) for _ in state]
        each = [(k, contents) for k, held in enumerate(self._held) for contents in held.contents.values()]
        whole = self._contents = Contents(())
        keys: list[int] = []
        items: list[int] = []
        for k, contents in each:
            whole.dicts += contents.dicts
            whole.lists += contents.lists
            whole.arrays += contents.arrays
            keys += [k] * sum(map(len, contents.dicts))
            items += [k] * sum(map(len, contents.lists))
        whole.held = whole.read()
        self._item_owners = [*keys, *keys, *items]
        self._array_owners = [k for k, contents in each for _ in contents.arrays]
        self._unknown = {k for k, contents in each if not contents.known}
        self._unknown |= {k for k, held in enumerate(self._held) if not hasattr(held.instance, "__dict__")}
