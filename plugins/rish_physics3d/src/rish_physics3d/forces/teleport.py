"""Moves bodies to another place immediately, as for a portal or a restart of the game.

`teleport_bodies_3d` takes a place of the world, also for bodies below a parent, and the body's image is not
interpolated between the two places. Bodies that rested on it wake. It keeps its velocity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import UsageError
from rish_dynamics import finite_values
from rish_space3d import Transform3D, local_poses, poses_at, quaternions, teleport_3d

from ..bodies.driven import forget_poses
from .forces import bodies_of, vectors

if TYPE_CHECKING:
    from rish_core import World


def teleport_bodies_3d(world: World, entities: Any, position: Any, rotation: Any = None) -> None:
    """Move bodies of any type to positions in the world, without passing through the space between.

    entities: a handle, or an array of n. position: (3,) or (n, 3), m. rotation: quaternions (4,) or (n, 4) of any
    length but 0; None keeps the rotation. Raises StaleEntity, UnknownName if an entity has no Body3D, and UsageError if
    a value is not a vector or rotation, if a body has no Transform3D, or if its parent has a scale of zero. On an error
    nothing has changed.
    """
    _, _, handles = bodies_of(world, entities)
    table = world.table(Transform3D)
    rows = table.rows_of(handles)
    if (rows < 0).any():
        raise UsageError("teleport_bodies_3d: a body has no Transform3D", hint="Give its entity a Transform3D")
    place = vectors("position", position, len(rows))
    if rotation is None:
        turn = poses_at(world, rows)[1]
    else:
        given = finite_values("rotation", rotation, (len(rows), 4), "x, y, z and w, or four numbers for each body")
        turn = quaternions.normalized(given)
        if not turn.any(axis=1).all():
            raise UsageError("rotation: a quaternion of length 0 is no rotation", hint="(0, 0, 0, 1) turns nothing")
    above = table.rows_of(table.parent[rows])
    above = above[above >= 0]
    if len(above) and not poses_at(world, above)[2].all():
        raise UsageError("teleport_bodies_3d: the parent of a body has scale 0, so the body cannot be placed")
    place, turn = local_poses(world, rows, place, turn)
    forget_poses(world, handles)
    teleport_3d(world, handles, place, None if rotation is None else turn)
