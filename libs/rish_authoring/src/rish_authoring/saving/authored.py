"""The mark of entities that a tool made for the scene, so that saving writes them without a question."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rish_core import World, resource


@resource(derived=True)
class Authored:
    """The handles of the entities that tools made for the current scene; in no snapshot and no hash."""

    handles: list[int] = field(default_factory=list[int])


def mark_authored(world: World, *handles: int) -> None:
    """Mark entities as made by a tool: `save_plan` then writes them, with their children, as entries of the scene."""
    if Authored not in world:
        world.put(Authored())
    known: Any = world[Authored].handles
    known.extend(handle for handle in map(int, handles) if handle not in known)


def authored(world: World) -> list[int]:
    """Return the living entities that tools made."""
    return [handle for handle in world[Authored].handles if world.alive(handle)] if Authored in world else []
