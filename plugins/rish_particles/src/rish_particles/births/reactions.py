"""Particles at events, described in the manifest, without Python code:

    settings:
      particles:
        on:
          physics.Hit: {preset: sparks, at: point, along: normal, strength: impulse, minimum: 50}

Each event of that name emits the preset at the position that one of its fields gives (`at`: a Vec2, a pair of fields
`[x, y]`, or an entity, whose Transform is used). `along` is a Vec2 that gives the direction of the preset. With
`strength`, only events whose field is at least `minimum` count.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_ecs import kind_of, maths

from ..components.settings import ParticleSettings
from ..components.tables import EmitRequest
from .births import Orders
from .emission import order_emissions

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
KEYS = ("preset", "at", "along", "strength", "minimum", "scale", "count", "color", "layer", "z")
_log = logging.getLogger("rish.particles")


class _Wanted:
    """The columns that `order_emissions` reads, filled from a rule of the settings."""

    def __init__(self, world: World, rule: dict[str, Any], places: Array, rotation: Array) -> None:
        n = len(places)
        self.position, self.rotation = places.astype(np.float32), rotation.astype(np.float32)
        self.preset = np.full(n, world.intern(str(rule.get("preset", ""))), np.int32)
        self.velocity = np.zeros((n, 2), np.float32)
        self.scale = np.full(n, rule.get("scale", 1.0), np.float32)
        self.count = np.full(n, rule.get("count", -1), np.int32)
        self.color = np.full(n, -1, np.int32)
        self.layer = np.full(n, world.intern(str(rule.get("layer", ""))), np.int32)
        self.z = np.full(n, rule.get("z", 0.0), np.float32)


def order_reactions(orders: Orders) -> None:
    """Order particles for the events of this tick, as the settings say."""
    world = orders.world
    for name, rule in world[ParticleSettings].on.items():
        cls = world.kind(name)
        if cls is None or cls is EmitRequest or cls not in world.queues:  # no reactions to requests
            continue
        batch = world.events(cls)
        if not len(batch):
            continue
        chosen = np.ones(len(batch), np.bool_)
        if "strength" in rule:
            chosen = getattr(batch, rule["strength"]) >= rule.get("minimum", rule.get("least", 0.0))
        places, sound = _places(world, batch, rule.get("at", "position"), cls)
        chosen &= sound
        if not chosen.any():
            continue
        rotation = np.zeros(len(batch))
        if "along" in rule:
            way = getattr(batch, rule["along"]).astype(np.float64)
            rotation = maths.atan2(way[:, 1], way[:, 0])
        order_emissions(orders, _Wanted(world, rule, places[chosen], rotation[chosen]))


def _places(world: World, batch: Any, at: Any, cls: type) -> tuple[Array, Array]:
    """Return the positions, float32 (n, 2), and whether each is valid, bool n."""
    if isinstance(at, list):
        x, y = (getattr(batch, name) for name in at)
        return np.column_stack([x, y]), np.ones(len(batch), np.bool_)
    column = getattr(batch, at)
    if kind_of(cls).field(at).type.special != "entity":
        return column, np.isfinite(column).all(axis=1)
    table = world.table(Transform)
    rows = table.rows_of(column)
    return table.position[np.maximum(rows, 0)], rows >= 0
