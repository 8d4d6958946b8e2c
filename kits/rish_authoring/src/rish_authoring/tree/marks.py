"""The marks that tools put on entities.

Authored entities were made for the scene, so saving writes them. Previews are only shown, because a file spawns them
when the game runs; no edit writes, copies or deletes them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rish_core import World, resource
from rish_ecs.declarations import Column


@resource(view=True)
class Authored:
    """The entities that tools made for the current scene.

    handles: int64 (n,). They are in snapshots, but in no hash.
    """

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))


@resource(view=True)
class Previews:
    """The entities that a tool shows, but that a file spawns when the game runs.

    handles: int64 (n,). owners: int64 (n,), the entity whose component names the file.
    """

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))
    owners: Any = field(default_factory=lambda: np.zeros(0, np.int64))


def mark_authored(world: World, *handles: int) -> None:
    """Mark entities as made by a tool: `save_plan` then writes them, with their children, as entries of the scene."""
    marked: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    new = np.array([int(handle) for handle in handles], np.int64)
    world.put(Authored(handles=np.concatenate([marked[world.alive(marked)], new[~np.isin(new, marked)]])))


def authored(world: World) -> list[int]:
    """Return the living entities that tools made."""
    marked: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    return marked[world.alive(marked)].tolist()


def previews(world: World) -> Column:
    """Return int64 (n,): the preview entities, including dead ones; see `Previews`."""
    return world[Previews].handles if Previews in world else np.zeros(0, np.int64)


def without_previews(world: World, handles: Column) -> Column:
    """Return int64 (m,): the entities that are no previews, in their order."""
    previewed = previews(world)
    return handles[~np.isin(handles, previewed)] if len(previewed) else handles
