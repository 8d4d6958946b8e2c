"""How messages name an entity."""

from __future__ import annotations

from typing import Any

from rish_core import Name, Origin, World
from rish_ecs.storage import describe


def name_of(world: World, entity: int) -> str:
    """Return a readable description of an entity: its name, its handle, its scene and entry."""
    parts: list[str] = [f"entity {describe(entity)}"]
    name = _value(world, Name, "value", entity)
    if name:
        parts.insert(0, repr(name))
    scene = _value(world, Origin, "scene", entity)
    if scene:
        parts.append(f"of {scene}[{_value(world, Origin, 'entry', entity)}]")
    return " ".join(parts)


def _value(world: World, cls: type, field: str, entity: int) -> Any:
    """Return a field of a component of an entity; an empty string if the entity lacks the component."""
    table = world.tables.get(cls)
    row = table.row_of(entity) if table is not None else -1
    return table.read_row(field, row) if table is not None and row >= 0 else ""
