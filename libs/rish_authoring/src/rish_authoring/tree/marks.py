"""The mark of entities that a tool made for the scene, so that saving writes them without a question."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rish_core import World, resource


@resource(view=True)
class Authored:
    """The entities that tools made for the current scene. handles: int64; in snapshots, but in no hash."""

    handles: Any = field(default_factory=lambda: np.zeros(0, np.int64))


def mark_authored(world: World, *handles: int) -> None:
    """Mark entities as made by a tool: `save_plan` then writes them, with their children, as entries of the scene."""
    known: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    given = np.array([int(handle) for handle in handles], np.int64)
    world.put(Authored(handles=np.concatenate([known[world.alive(known)], given[~np.isin(given, known)]])))


def authored(world: World) -> list[int]:
    """Return the living entities that tools made."""
    known: Any = world[Authored].handles if Authored in world else np.zeros(0, np.int64)
    return known[world.alive(known)].tolist()
