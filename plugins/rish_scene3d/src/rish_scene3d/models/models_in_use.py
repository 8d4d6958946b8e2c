"""The names of the models and pictures in use: those that entities have, and those that prefabs name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rish_core import Prefabs

from ..components.billboards import Billboard3D
from ..components.models import Material3D, Model3D
from .materials import MAP_FIELDS

if TYPE_CHECKING:
    from rish_core import World

_FIELDS: dict[type, tuple[str, ...]] = {Model3D: ("asset",), Material3D: MAP_FIELDS, Billboard3D: ("image",)}


def names_in_use(world: World) -> set[str]:
    """Return the paths, shapes and `camera:NAME` of all entities, and of prefabs, which may be spawned at any time."""
    pairs = [(cls, name) for cls, names in _FIELDS.items() for name in names]
    return {text for cls, name in pairs for (text,) in texts_in_use(world, cls, name)}


def texts_in_use(world: World, cls: type, *names: str) -> Iterator[tuple[str, ...]]:
    """Yield the texts of these fields of a component where the first text is not empty: of entities, then of
    prefabs."""
    table = world.table(cls)
    rows = set(zip(*(table.column(name).tolist() for name in names), strict=True))
    yield from (tuple(map(world.text, row)) for row in sorted(rows) if row[0])
    plans = world[Prefabs].plans.values() if Prefabs in world else ()
    for values in (step.parts.get(cls, {}) for plan in plans for step in plan.steps):
        texts = tuple(values.get(name) or "" for name in names)
        if texts[0] and all(isinstance(text, str) for text in texts):
            yield texts
