"""Exhibits of joints: Newton's cradle, a bridge, ragdolls and a cloth."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from rish_core import Stage, World, in_scene, system
from rish_frame import Frame
from rish_jit import Array, maths
from rish_physics3d import BallJoint3D, Body3D, DistanceJoint3D, HingeJoint3D, explode_3d
from rish_scene3d import Material3D, Model3D, Models3D
from rish_space3d import Transform3D, WorldMatrices3D

from . import parts
from .components import Knot, Paint
from .parts import Three, X, Y, Z

_BAR, _ROPE, _STEEL = 4.4, 3.0, 0.45
"""The height of the cradle's bars, the length of its ropes and the radius of its balls, in m."""


def cradle(world: World) -> None:
    """Five balls side by side on two strings each; the first one is lifted. They lose no energy in collisions."""
    for z in (-1.2, 1.2):
        parts.wall(world, (0, _BAR, z), (6.2, 0.16, 0.16))
        for x in (-3.1, 3.1):
            parts.wall(world, (x, _BAR / 2, z), (0.16, _BAR + 0.16, 0.16))
    drop = float(maths.sqrt(_ROPE**2 - 1.2**2))
    for number in range(5):
        x, lift = (number - 2) * (2 * _STEEL + 0.045), 0.95 if number == 0 else 0.0
        sin, cos = maths.sincos(lift)
        ball = parts.ball(
            world, (x - drop * sin, _BAR - drop * cos, 0.0), _STEEL, color=parts.STEEL, prefab="steel",
            restitution=1.0, friction=0.0, body={"allow_sleep": False},
        )  # fmt: skip
        for z in (-1.2, 1.2):
            hook: Three = (x, _BAR, z)
            joint = world.spawn(DistanceJoint3D(b=ball, anchor_a=hook, length=_ROPE))
            parts.show_link(world, joint, 0, ball, width=0.025, anchor_a=hook)


def lift_two(world: World) -> None:
    """Swing out the last two balls."""
    balls = world.query(Paint, Body3D).entities[3:5]
    world.set(balls, Body3D(velocity=(4.5, 0.0, 0.0)))


_PLANKS, _DECK, _SPAN = 18, 2.4, 10.8


def bridge(world: World) -> None:
    """A bridge of planks between two banks, each plank on two hinges, with a load."""
    for side in (-1, 1):
        parts.wall(world, (side * (_SPAN / 2 + 2.0), _DECK / 2, 0), (4.0, _DECK, 4.0))
    width = _SPAN / _PLANKS
    x = -_SPAN / 2 + width * (np.arange(_PLANKS) + 0.5)
    places = np.column_stack([x, np.full(_PLANKS, _DECK - 0.06), np.zeros(_PLANKS)])
    planks = parts.boxes(
        world, places, (width - 0.04, 0.12, 2.2), color=parts.ORANGE, density=600, friction=0.8
    ).tolist()  # fmt: skip
    for number, (a, b) in enumerate(pairwise([0, *planks, 0])):
        for z in (-0.9, 0.9):
            place = (-_SPAN / 2 + width * number, _DECK - 0.06, z)
            anchor_a = (width / 2, 0.0, z) if a else place
            anchor_b = (-width / 2, 0.0, z) if b else place
            world.spawn(
                BallJoint3D(a=a, b=b, anchor_a=anchor_a, anchor_b=anchor_b, break_force=110_000.0)
            )  # fmt: skip
    for number in range(5):
        place = (-3.0 + 1.5 * number, _DECK + 0.9 + 0.3 * number, 0.5 * (-1) ** number)
        parts.box(world, place, (0.7, 0.7, 0.7), color=4 + number, density=150)
    parts.balls(world, [(-6, 4, 0.5), (6.2, 4, -0.4)], 0.4, color=[parts.PINK, parts.YELLOW], density=150)


def drop_weight(world: World) -> None:
    """Drop a heavy ball on the bridge."""
    parts.shot(world, (world.random("weights").uniform(-2.0, 2.0), 9.0, 0.0), (0, -3, 0), radius=0.6, density=2500)


def ragdolls(world: World) -> None:
    """Four ragdolls above stairs."""
    for step in range(7):
        height = 3.2 - 0.46 * step
        parts.wall(world, (-4.5 + 1.1 * step, height / 2, 0), (1.1, height, 6.0))
    for number in range(4):
        _ragdoll(world, (-4.0 + 0.7 * number, 5.2 + 1.1 * number, -2.1 + 1.4 * number), number + 1)


def _ragdoll(world: World, chest: Three, number: int) -> None:
    """Spawn a ragdoll of capsules with its arms out."""
    body: dict[str, Any] = {"angular_damping": 0.4, "velocity": (2.5, 0.0, 0.0)}
    look: dict[str, Any] = {"group": -number, "density": 300, "friction": 0.6, "body": body}
    color, (x, y, z) = (2 * number) % parts.SPAN, chest

    def limb(dx: float, dy: float, radius: float, length: float, *, lies: bool = False) -> int:
        rotation = parts.turn(Z, 90.0) if lies else None
        place = (x + dx, y + dy, z)
        return int(parts.pills(world, place, radius, length, color=color, rotation=rotation, **look)[0])

    def socket(a: int, b: int, dx: float, dy: float, cone: float) -> None:
        place = (x + dx, y + dy, z)
        at = {"anchor_a": _local(world, a, place), "anchor_b": _local(world, b, place)}
        reach = cone * maths.PI / 180
        world.spawn(
            BallJoint3D(a=a, b=b, axis=Y, cone_limited=True, cone=reach, limited=True, lower=-0.5, upper=0.5, **at)
        )  # fmt: skip

    def hinge(a: int, b: int, dx: float, dy: float, axis: Three, reach: float) -> None:
        place = (x + dx, y + dy, z)
        at = {"anchor_a": _local(world, a, place), "anchor_b": _local(world, b, place)}
        world.spawn(HingeJoint3D(a=a, b=b, axis=axis, limited=True, lower=0.0, upper=reach, **at))

    trunk, hips = limb(0, 0, 0.22, 0.62), limb(0, -0.46, 0.2, 0.5)
    head = parts.ball(world, (x, y + 0.52, z), 0.21, color=color, **look)
    socket(trunk, head, 0, 0.32, 35)
    socket(trunk, hips, 0, -0.26, 25)
    for side in (-1, 1):
        upper, lower = limb(0.42 * side, 0.2, 0.1, 0.46, lies=True), limb(0.84 * side, 0.2, 0.085, 0.44, lies=True)
        socket(trunk, upper, 0.2 * side, 0.2, 80)
        hinge(upper, lower, 0.63 * side, 0.2, _local_axis(world, upper, (0, -side, 0)), 2.3)
        thigh, shin = limb(0.13 * side, -0.92, 0.12, 0.52), limb(0.13 * side, -1.4, 0.1, 0.5)
        socket(hips, thigh, 0.13 * side, -0.66, 60)
        hinge(thigh, shin, 0.13 * side, -1.16, X, 2.3)


def _local(world: World, body: int, place: Three) -> Array:
    """Return a place relative to a body."""
    pose = world.get(body, Transform3D)
    return parts.back(pose.rotation, np.asarray(place, np.float64) - np.asarray(pose.position, np.float64))


def _local_axis(world: World, body: int, axis: Three) -> Array:
    """Return a direction in the frame of a body."""
    return parts.back(world.get(body, Transform3D).rotation, axis)


def toss(world: World) -> None:
    """Set off an explosion below the ragdolls."""
    bodies = world.query(Paint, Body3D, Transform3D)
    x, _, z = bodies[Transform3D.position].mean(axis=0).tolist()
    explode_3d(world, (x + 0.5, 0.2, z), radius=7.0, impulse=60.0)


_SIDE, _MESH, _HIGH = 17, 0.28, 4.2
_CORNER = np.arange(_SIDE * _SIDE).reshape(_SIDE, _SIDE)
_A, _B, _C, _D = (each.ravel() for each in (_CORNER[:-1, :-1], _CORNER[1:, :-1], _CORNER[1:, 1:], _CORNER[:-1, 1:]))
_TRIANGLES = np.concatenate([np.stack([_A, _B, _C], axis=1), np.stack([_A, _C, _D], axis=1)])


def cloth(world: World) -> None:
    """A sheet of small spheres that are tied to their neighbors, on four posts, with balls above."""
    half = (_SIDE - 1) / 2
    row, column = (axis.ravel() for axis in np.meshgrid(np.arange(_SIDE), np.arange(_SIDE), indexing="ij"))
    places = np.column_stack([(row - half) * _MESH, np.full(len(row), _HIGH), (column - half) * _MESH])
    knots = parts.knots(world, places, 0.07, Knot(number=np.arange(len(row))))
    grid = knots.reshape(_SIDE, _SIDE)
    pairs = [(grid[:-1], grid[1:]), (grid[:, :-1], grid[:, 1:])]
    for first, second in pairs:
        a, b = first.ravel(), second.ravel()
        world.spawn_many(len(a), DistanceJoint3D(a=a, b=b, length=_MESH, collide_connected=True))
    for i, k in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        x, _, z = places[_CORNER[i, k]].tolist()
        parts.wall(world, (x, _HIGH / 2, z), (0.14, _HIGH, 0.14), mask=0)
        world.spawn(BallJoint3D(b=int(grid[i, k]), anchor_a=(x, _HIGH, z)))
    parts.balls(world, [(-0.8, 6.0, 0.3), (0.9, 7.0, -0.6)], 0.55, color=[parts.YELLOW, parts.PINK], density=60)
    world.spawn(Transform3D(), Model3D(asset="made:cloth"), Material3D(color=(0.75, 0.26, 0.22, 1), double_sided=True))
    _put_cloth(world, places)


def _put_cloth(world: World, places: Array) -> None:
    """Make the mesh of the cloth from the places of its knots."""
    world[Models3D].put("cloth", places, _TRIANGLES)


@system(
    Stage.EXTRACT, reads=(Frame, Knot, WorldMatrices3D), writes=Models3D, run_if=in_scene("cloth"),
    before="scene3d.draw", after="space3d.interpolate_poses_3d",
)  # fmt: skip
def drape(world: World, dt: float) -> None:
    """Draw the cloth where its knots are."""
    knots = world.query(Knot, Transform3D)
    if len(knots) == _SIDE * _SIDE:
        places = np.empty((len(knots), 3), np.float32)
        places[knots[Knot.number]] = world[WorldMatrices3D].matrix[knots.rows(Transform3D), :, 3]
        _put_cloth(world, places)


def throw_at_cloth(world: World) -> None:
    """Drop a heavy ball from above."""
    parts.shot(world, (0.2, 8.0, 0.2), (0, -2, 0), radius=0.5, density=150)
