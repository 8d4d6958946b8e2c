"""Copies of the values of resources, and their return into the same instances.

Most resources are settings that seldom change. So each mutable value has a mark, its bytes as `marshal` writes them: a
value with the same mark as at the last save shares the copy of that time, and is not touched by a load. Without marks,
saving breakout takes three times as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any

from rish_jit.errors import DeclarationError

from ..declarations.resource import ResourceSpec, copy_fields, copy_plain, remade, resource_spec
from ..equality import equal
from ..snapshots.plain_bytes import NEVER, hides_array, is_fixed, mark_of

if TYPE_CHECKING:
    from ..storage.store import Store


@dataclass(slots=True, eq=False)
class SavedFields:
    """The values of the fields of a resource. marks: of the mutable values, by the place of the field; NEVER: it
    has none."""

    spec: ResourceSpec
    values: tuple[Any, ...]
    marks: dict[int, Any]

    @property
    def by_name(self) -> dict[str, Any]:
        """Copies of the values by the name of the field."""
        return dict(zip(self.spec.names, map(copy_plain, self.values), strict=True))


class ResourceSaver:
    """Saves and loads the values of the resources of a World."""

    def __init__(self) -> None:
        self._last: dict[type, tuple[tuple[Any, ...], SavedFields]] = {}

    def save(self, world: Store) -> dict[type, SavedFields]:
        """Return copies of the values of all resources. Raises DeclarationError for a value that is not plain."""
        specs = [(cls, resource_spec(cls), instance) for cls, instance in world.resources.items()]
        return {cls: self._save(cls, spec, held) for cls, spec, held in specs if spec is not None and not spec.derived}

    def _save(self, cls: type, spec: ResourceSpec, instance: Any) -> SavedFields:
        values, last = spec.values_of(instance), self._last.get(cls)
        if last is not None and all(map(is_, values, last[0])):
            if all([mark is not NEVER and mark == mark_of(values[k]) for k, mark in last[1].marks.items()]):
                return last[1]
        marks = {k: _mark(value) for k, value in enumerate(values) if not is_fixed(value)}
        former = last[1] if last is not None else SavedFields(spec, (), {})
        try:
            copies = [
                former.values[k] if mark is not NEVER and mark == former.marks.get(k) else copy_plain(values[k])
                for k, mark in marks.items()
            ]
        except DeclarationError:
            copy_fields(spec, instance)  # it raises the same error, with its place
            raise
        whole = list(values)
        for k, copied in zip(marks, copies, strict=True):
            whole[k] = copied
        saved = SavedFields(spec, tuple(whole), marks)
        self._last[cls] = values, saved
        return saved


def load_resources(world: Store, saved: dict[type, SavedFields]) -> None:
    """Let the resources have their saved values again. Instances and equal values stay the same objects."""
    for cls in [cls for cls in world.resources if cls not in saved]:
        spec = resource_spec(cls)
        if spec is not None and not spec.derived:
            world.drop(cls)
    for cls, fields in saved.items():
        instance = world.resources.get(cls)
        if instance is None:
            world.hold(fields.spec.key, cls, remade(cls, fields.by_name))
            continue
        marks = fields.marks
        for k, (now, value) in enumerate(zip(fields.spec.values_of(instance), fields.values, strict=True)):
            if k not in marks:
                if now is not value and not equal(now, value):
                    setattr(instance, fields.spec.names[k], value)
            elif not (mark_of(now) == marks[k] if marks[k] is not NEVER else equal(now, value)):
                setattr(instance, fields.spec.names[k], copy_plain(value))


def _mark(value: Any) -> Any:
    """Return the mark of a mutable value, NEVER if equal marks do not show that values are equal."""
    mark = mark_of(value)
    return NEVER if mark is not NEVER and hides_array(value) else mark
