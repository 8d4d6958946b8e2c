"""The components of space: poses in three dimensions, and their pictures on a plane.

The conventions are those of glTF: y points up, the axes are right-handed, lengths are meters, and cameras look
along -z.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Entity, Quat, Vec2, Vec3, component, field

if TYPE_CHECKING:
    from rish_core import World


@component
class Transform3D:
    """The position, rotation and scale of an entity in space, relative to its parent, or to the world if it has none.

    A manifest may give the rotation as three angles in degrees around x, y and z; see `rish_ecs.quaternions_of`.
    """

    position: Vec3 = field((0, 0, 0), unit="m", doc="the place")
    rotation: Quat = field((0, 0, 0, 1), doc="x, y, z, w of any length from 1e-15 to 1e15; a shorter one turns nothing")
    scale: Vec3 = field((1, 1, 1), step=0.01, doc="factors along its own axes; negative ones mirror")
    parent: Entity = field(0, cascade=True, doc="despawning the parent takes this entity along")
    last_position: Vec3 = field((0, 0, 0), derived=True, hidden=True)
    last_rotation: Quat = field((0, 0, 0, 1), derived=True, hidden=True)
    last_scale: Vec3 = field((1, 1, 1), derived=True, hidden=True)


class Plane(Enum):
    """The plane onto which `Flat` projects."""

    GROUND = "ground"
    """Seen from above: x is right, -z is up."""
    FRONT = "front"
    """Seen against -z: x is right, y is up."""
    SIDE = "side"
    """Seen against -x: -z is right, y is up."""


@component
class Flat:
    """Gives an entity with `Transform3D` a 2D `Transform`, so that sounds, labels and maps in 2D work for it.

    The system `space3d.flatten` writes position and rotation in each tick; the 2D scale stays as it is.
    """

    plane: Plane = field(Plane.GROUND, doc="the plane onto which the pose is projected")
    scale: float = field(1.0, doc="2D units for each meter")
    offset: Vec2 = field((0, 0), unit="units", doc="where the origin of space is in 2D")
    turns: bool = field(True, doc="whether the rotation is written too; without it a label stays upright")
    placed: bool = field(False, view=True, hidden=True)


def teleport_3d(world: World, entities: Any, position: Any, rotation: Any = None) -> None:
    """Move entities (one handle or many) without interpolation when drawn.

    position: (3,) or (n, 3), meters. rotation: quaternions (4,) or (n, 4), or None to keep them. Raises StaleEntity, or
    UnknownName if an entity has no Transform3D; then no entity has moved.
    """
    positions: Any = np.asarray(position, np.float32)
    fields = {"position": positions, "last_position": positions}
    if rotation is not None:
        turns: Any = np.asarray(rotation, np.float32)
        fields |= {"rotation": turns, "last_rotation": turns}
    world.set(entities, Transform3D(**fields))
    flat = world.table(Flat)
    rows = flat.rows_of(np.atleast_1d(np.asarray(entities, np.int64)))
    flat.placed[rows[rows >= 0]] = False
