"""The pointer: grabs bodies and drags them, in the plane that faces the camera."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Stage, World, spawn_prefab, system
from rish_physics3d import Body3D, BodyType3D, MouseJoint3D, ray_cast_3d
from rish_space3d import Transform3D, quaternions

from .components import Hand, Link, Visit
from .view import pointer_ray

_REACH = 100.0
"""The distance from the camera, in m, within which a body is grabbed."""
_PULL = 60.0
"""The greatest acceleration, in m/s², with which a body is pulled."""
_DYNAMIC = list(BodyType3D).index(BodyType3D.DYNAMIC)


@system(Stage.PRE, reads=(Input, Transform3D, Visit), writes=(MouseJoint3D, Link, Body3D, Hand))
def grab(world: World, dt: float) -> None:
    """Grab a body on a press, move the joint's target with the pointer, and release it. `teach3d` has no queries."""
    keys = world[Input]
    hands = world.query(Hand, MouseJoint3D, Link)
    if len(hands) and not keys.down("grab"):
        world.despawn(hands.entities)
    elif len(hands):
        origin, way = pointer_ray(world)
        place = (origin + way * hands[Hand.distance][0]).astype(np.float32)
        hands[MouseJoint3D.target] = hands[Link.anchor_a] = place
    elif keys.pressed("grab") and not world[Visit].taught:
        take(world)


def take(world: World) -> None:
    """Grab the body at the pointer if it is dynamic."""
    origin, way = pointer_ray(world)
    hit = ray_cast_3d(world, tuple(origin.tolist()), tuple((origin + _REACH * way).tolist()))
    row = world[Body3D].row_of(hit.body) if hit is not None else -1
    if hit is None or row < 0 or world[Body3D].type[row] != _DYNAMIC:
        return
    body, pose = int(hit.body), world.get(int(hit.body), Transform3D)
    anchor = quaternions.turned(quaternions.inverse(pose.rotation), hit.point - np.asarray(pose.position, np.float64))
    spot = tuple(np.asarray(hit.point, np.float64).tolist())
    distance = float(hit.fraction) * _REACH
    spawn_prefab(
        world, "string", MouseJoint3D(b=body, target=spot, anchor_b=anchor),
        Link(b=body, anchor_a=spot, anchor_b=anchor), Hand(distance=distance),
    )  # fmt: skip
