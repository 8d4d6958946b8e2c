"""The marks that tools put on entities: made for the scene, so that saving writes them without a question, or only
shown, because a file spawns them when the game runs, so that nothing writes, copies or deletes them."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rish_core import World, resource
from rish_ecs.declarations import Column


@resource(view=True)
class Authored:
    """The entities that tools made for the current scene. handles: int64; in snapshots, but in no hash."""

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))


@resource(view=True)
class Previews:
    """The entities that a tool shows although only a run spawns them. handles: int64 n. owners: int64 n, the entity
    whose component names the file that spawns each."""

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))
    owners: Any = field(default_factory=lambda: np.zeros(0, np.int64))


def mark_authored(world: World, *handles: int) -> None:
    """Mark entities as made by a tool: `save_plan` then writes them, with their children, as entries of the scene."""
    known: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    given = np.array([int(handle) for handle in handles], np.int64)
    world.put(Authored(handles=np.concatenate([known[world.alive(known)], given[~np.isin(given, known)]])))


def authored(world: World) -> list[int]:
    """Return the living entities that tools made."""
    known: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    return known[world.alive(known)].tolist()


def previews(world: World) -> Column:
    """Return int64: the entities that are only shown, also dead ones, see `Previews`."""
    return world[Previews].handles if Previews in world else np.zeros(0, np.int64)


def without_previews(world: World, handles: Column) -> Column:
    """Return int64: the entities that are not only shown, in their order."""
    shown = previews(world)
    return handles[~np.isin(handles, shown)] if len(shown) else handles
