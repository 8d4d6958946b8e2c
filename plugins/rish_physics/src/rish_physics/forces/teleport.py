"""Putting bodies somewhere else at once, as a portal does, or a game that begins again.

To write `Transform.position` of a kinematic body says "be there by the tick's end": it gets the velocity that this
takes, and pushes and carries what it meets. What should be there without having been in between is moved here. It
leaves its contacts behind, what leaned on it wakes, and its picture does not slide. It keeps the velocity it has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Transform, UsageError, World
from rish_core.common import hierarchy_of
from rish_ecs import maths

from ..bodies.frames import frames_of, inverse, product, world_frames
from ..components.links import Links
from ..sync.columns import put_there
from .forces import bodies_of, numbers, slots_of, vectors


def teleport_bodies(world: World, entities: Any, position: Any, angle: Any = None) -> None:
    """Put bodies of any type at places of the world, without a way there.

    entities: a handle, or an array of n. position: (2,) or (n, 2), units. angle: radians, a number or (n,); None
    leaves them turned as they are. Raises StaleEntity, UnknownName where one has no Body, and UsageError for what is
    no vector or number, or a body without a Transform or below a parent without extent; then nothing has happened.
    """
    _, _, handles = bodies_of(world, entities)
    places = world.table(Transform)
    rows = places.rows_of(handles)
    if (rows < 0).any():
        raise UsageError("teleport_bodies: a body without a Transform is nowhere", hint="Give its entity a Transform")
    spot = vectors("position", position, len(rows))
    turn = None if angle is None else numbers("angle", angle, len(rows))
    hung = np.flatnonzero(places.parent[rows] != 0)
    if len(hung):
        spot, turn = _below_parents(world, rows, hung, spot, turn)
    state, slots = slots_of(world, handles)
    places.position[rows] = spot
    if turn is not None:
        places.rotation[rows] = maths.wrap_angle(turn)
    for name in ("position", "rotation"):
        places.column(f"last_{name}")[rows] = places.column(name)[rows]
    places.mark(rows)
    slots = np.unique(slots[slots > 0])
    if len(slots):
        put_there(state, world[Links], slots)


def _below_parents(world: World, rows: Any, hung: Any, spot: Any, turn: Any) -> Any:
    """Places and angles as the columns of those that hang on parents take them."""
    places = world.table(Transform)
    frames = world_frames(world, rows[hung])
    angle = maths.atan2(frames[:, 1], frames[:, 0]) if turn is None else turn[hung]
    sin, cos = maths.sincos(np.asarray(angle, np.float64))
    above = hierarchy_of(world).parents[rows[hung]]
    local = product(inverse(world_frames(world, above)), frames_of(spot[hung], cos, sin, np.ones((len(hung), 2))))
    if not np.isfinite(local).all():
        raise UsageError("teleport_bodies: a body hangs on a parent without extent, below which there is no place")
    spot = spot.copy()
    spot[hung] = local[:, 4:]
    if turn is not None:
        sign = np.where(places.scale[rows[hung], 0] < 0, -1.0, 1.0)
        turn = turn.copy()
        turn[hung] = maths.atan2(sign * local[:, 1], sign * local[:, 0])
    return spot, turn
