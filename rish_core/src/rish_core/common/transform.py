"""Transforms: 2D position, rotation and scale of entities, relative to the parent.

The y axis points up; angles are radians counter-clockwise. A plugin that draws stores the pose at the start of the tick
in the fields `last_...`, so that it can interpolate between two ticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Entity, Vec2, component, field

if TYPE_CHECKING:
    from rish_ecs import World


@component
class Transform:
    """The position, rotation and scale of an entity, relative to its parent, or to the world if it has none."""

    position: Vec2 = field((0, 0), unit="units", doc="the place")
    rotation: float = field(0.0, unit="rad", angle=True, doc="counter-clockwise")
    scale: Vec2 = field((1, 1), step=0.01, doc="factors of width and height")
    parent: Entity = field(0, cascade=True, doc="despawning the parent takes this entity along")
    last_position: Vec2 = field((0, 0), derived=True, hidden=True)
    last_rotation: float = field(0.0, derived=True, hidden=True)
    last_scale: Vec2 = field((1, 1), derived=True, hidden=True)


def teleport(world: World, entities: Any, position: Any) -> None:
    """Move entities (one handle or many) to positions ((2,) or (n, 2)) without interpolation when drawn.

    Raises StaleEntity, or UnknownName if an entity has no Transform; then no entity has moved.
    """
    places: Any = np.asarray(position, np.float32)
    world.set(entities, Transform(position=places, last_position=places))
