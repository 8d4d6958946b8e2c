"""The pointer: grabs and drags bodies, and sets off explosions."""

from __future__ import annotations

from typing import Any

from rish_core import Input, Stage, Transform, World, spawn_prefab, system
from rish_jit import maths
from rish_physics import Body, BodyType, MouseJoint, pick
from rish_render import Camera, to_world

from .components import Hand, Link, Ring
from .sounds import sound
from .stacks import blast

_REACH = 8.0
"""The distance, in units, within which a body is grabbed."""
_DYNAMIC = list(BodyType).index(BodyType.DYNAMIC)


@system(Stage.PRE, reads=(Input, Transform, Hand), writes=(MouseJoint, Link, Body, Camera, Ring))
def grab(world: World, dt: float) -> None:
    """Grab a body on a press, move the joint's target with the pointer, and release it; the other button sets off a
    blast.
    """
    keys = world[Input]
    hands = world.query(Hand, MouseJoint, Link)
    if len(hands) and not keys.down("grab"):
        world.despawn(hands.entities)
    elif len(hands):
        hands[MouseJoint.target] = hands[Link.anchor_b] = to_world(world, keys.pointer)
    elif keys.pressed("grab"):
        _take(world, to_world(world, keys.pointer))
    if keys.pressed("blast"):
        x, y = to_world(world, keys.pointer).tolist()
        blast(world, (x, y), 140.0, 350.0)


def _take(world: World, place: Any) -> None:
    """Grab the body at a place if it is dynamic."""
    body = pick(world, place, reach=_REACH)
    row = world[Body].row_of(body) if body is not None else -1
    if body is None or row < 0 or world[Body].type[row] != _DYNAMIC:
        return
    at = world.get(body, Transform)
    sound(world, "grab", place)
    sin, cos = maths.sincos(float(at.rotation))
    x, y = (place - at.position).tolist()
    anchor, spot = (cos * x + sin * y, cos * y - sin * x), (float(place[0]), float(place[1]))
    spawn_prefab(
        world, "string", MouseJoint(b=body, target=spot, anchor_b=anchor), Link(a=body, anchor_a=anchor, anchor_b=spot)
    )  # fmt: skip
