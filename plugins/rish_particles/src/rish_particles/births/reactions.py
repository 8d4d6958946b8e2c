"""Particles at events, described in the manifest, without Python code:

    settings:
      particles:
        on:
          physics.Hit: {preset: sparks, at: point, along: normal, strength: impulse, minimum: 50}

Each event of that name emits the preset at the position that one of its fields gives (`at`: a Vec2, a pair of fields
`[x, y]`, or an entity, whose Transform is used). `along` is a Vec2 that gives the direction of the preset. With
`strength`, only events whose field of that name is at least `minimum` emit particles. `color` is a color, or a Color
field of the event. An event may have a list of reactions.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_ecs import kind_of, parse_color
from rish_jit import Array, maths

from ..components.settings import ParticleSettings
from ..components.tables import EmitRequest
from ..files.preset_library import packed
from .births import Orders
from .emission import order_emissions

if TYPE_CHECKING:
    from rish_core import World

KEYS = ("preset", "at", "along", "strength", "minimum", "scale", "count", "color", "layer", "z")
_log = logging.getLogger("rish.particles")


class _Emissions:
    """The columns that `order_emissions` reads, filled from a rule of the settings."""

    def __init__(self, world: World, rule: dict[str, Any], places: Array, rotation: Array, tints: Array) -> None:
        n = len(places)
        self.position, self.rotation = places.astype(np.float32), rotation.astype(np.float32)
        self.preset = np.full(n, world.intern(str(rule.get("preset", ""))), np.int32)
        self.velocity = np.zeros((n, 2), np.float32)
        self.scale = np.full(n, rule.get("scale", 1.0), np.float32)
        self.count = np.full(n, rule.get("count", -1), np.int32)
        self.color = tints
        self.layer = np.full(n, world.intern(str(rule.get("layer", ""))), np.int32)
        self.z = np.full(n, rule.get("z", 0.0), np.float32)


def several(rules: Any) -> list[dict[str, Any]]:
    """Return the reactions to one event as a list; the settings may hold a single one."""
    return rules if isinstance(rules, list) else [rules]


def order_reactions(orders: Orders) -> None:
    """Request particles for the events of this tick, by the reactions in the settings."""
    world = orders.world
    for name, rules in world[ParticleSettings].on.items():
        cls = world.kind(name)
        if cls is None or cls is EmitRequest or cls not in world.queues:  # no reactions to requests
            continue
        batch = world.events(cls)
        for rule in several(rules) if len(batch) else ():
            _order(orders, cls, batch, rule)


def _order(orders: Orders, cls: type, batch: Any, rule: dict[str, Any]) -> None:
    world = orders.world
    selected = np.ones(len(batch), np.bool_)
    if "strength" in rule:
        selected = getattr(batch, rule["strength"]) >= rule.get("minimum", rule.get("least", 0.0))
    places, sound = _places(world, batch, rule.get("at", "position"), cls)
    selected &= sound
    if not selected.any():
        return
    rotation = np.zeros(len(batch))
    if "along" in rule:
        way = getattr(batch, rule["along"]).astype(np.float64)
        rotation = maths.atan2(way[:, 1], way[:, 0])
    emissions = _Emissions(
        world, rule, places[selected], rotation[selected], _tints(batch, rule.get("color"), cls)[selected]
    )
    order_emissions(orders, emissions)


def _tints(batch: Any, value: Any, cls: type) -> Array:
    """Return the tint of each event, int32 (n,): from a field of the events, or the same for all."""
    if isinstance(value, str) and value in kind_of(cls).fields:
        return np.array([packed(each) for each in getattr(batch, value)], np.int32)
    return np.full(len(batch), -1 if value is None else packed(parse_color(value)), np.int32)


def _places(world: World, batch: Any, at: Any, cls: type) -> tuple[Array, Array]:
    """Return the position of each event, float32 (n, 2), and whether it is valid, bool (n,)."""
    if isinstance(at, list):
        x, y = (getattr(batch, name) for name in at)
        return np.column_stack([x, y]), np.ones(len(batch), np.bool_)
    column = getattr(batch, at)
    if kind_of(cls).field(at).type.special != "entity":
        return column, np.isfinite(column).all(axis=1)
    table = world.table(Transform)
    rows = table.rows_of(column)
    return table.position[np.maximum(rows, 0)], rows >= 0
