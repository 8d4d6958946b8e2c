"""Moves bodies to another place immediately, as for a portal or a restart of the game.

Writing `Transform.position` of a kinematic body means "be there at the end of the tick": the body gets the velocity for
that, and pushes and carries the bodies it meets. `teleport_bodies` moves a body without passing through the space
between. The body loses its contacts, bodies that rested on it wake, and its image is not interpolated between the two
places. It keeps its velocity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Transform, UsageError, World
from rish_core.common import hierarchy_of
from rish_ecs.declarations import distinct
from rish_jit import maths

from ..bodies.frames import frames_of, inverse, product, world_frames
from ..components.links import Links
from ..components.scratch import scratch_of
from ..components.teleports import Jumps
from ..sync.columns import pose_bodies
from .forces import bodies_of, numbers, slots_of, vectors


def teleport_bodies(world: World, entities: Any, position: Any, angle: Any = None) -> None:
    """Move bodies of any type to positions in the world, without passing through the space between.

    entities: a handle, or an array of n. position: (2,) or (n, 2), units. angle: radians, a number or (n,); None keeps
    the rotation. Raises StaleEntity, UnknownName if an entity has no Body, and UsageError if a value is not a vector or
    number, if a body has no Transform, or if its parent has a scale of zero. On an error nothing has changed.
    """
    _, _, handles = bodies_of(world, entities)
    places = world.table(Transform)
    rows = places.rows_of(handles)
    if (rows < 0).any():
        raise UsageError("teleport_bodies: a body has no Transform", hint="Give its entity a Transform")
    spot = vectors("position", position, len(rows))
    turn = None if angle is None else numbers("angle", angle, len(rows))
    hung = np.flatnonzero(places.parent[rows] != 0)
    if len(hung):
        spot, turn = _below_parents(world, rows, hung, spot, turn)
    state, slots = slots_of(world, handles) if scratch_of(world) is not None else (None, handles[:0])
    places.position[rows] = spot
    if turn is not None:
        places.rotation[rows] = maths.wrap_angle(turn)
    for name in ("position", "rotation"):
        places.column(f"last_{name}")[rows] = places.column(name)[rows]
    places.mark(rows)
    if state is None:  # another provider of physics2d, which reads the columns
        world[Jumps].append(len(handles), body=handles)
        return
    slots = distinct(slots[slots > 0])
    if len(slots):
        links = world[Links]
        if links.tick.walked is not None:
            links.tick.walked.forget(slots)
        pose_bodies(state, links, slots, jumps=True)


def _below_parents(world: World, rows: Any, hung: Any, spot: Any, turn: Any) -> Any:
    """Return positions and angles, where those of child entities are converted to the frames of their parents."""
    places = world.table(Transform)
    frames = world_frames(world, rows[hung])
    angle = maths.atan2(frames[:, 1], frames[:, 0]) if turn is None else turn[hung]
    sin, cos = maths.sincos(np.asarray(angle, np.float64))
    above = hierarchy_of(world).parents[rows[hung]]
    local = product(inverse(world_frames(world, above)), frames_of(spot[hung], cos, sin, np.ones((len(hung), 2))))
    if not np.isfinite(local).all():
        raise UsageError("teleport_bodies: the parent of a body has scale 0, so the body cannot be placed")
    spot = spot.copy()
    spot[hung] = local[:, 4:]
    if turn is not None:
        sign = np.where(places.scale[rows[hung], 0] < 0, -1.0, 1.0)
        turn = turn.copy()
        turn[hung] = maths.atan2(sign * local[:, 1], sign * local[:, 0])
    return spot, turn
