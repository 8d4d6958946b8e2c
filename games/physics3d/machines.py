"""Driven exhibits: a tumbler, a car on hills, and one joint of each kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Input, Name, Stage, World, find, in_scene, named, spawn_prefab, system
from rish_jit import Array, maths
from rish_physics3d import (
    BallJoint3D,
    Body3D,
    Collider3D,
    DistanceJoint3D,
    HingeJoint3D,
    SliderJoint3D,
    WeldJoint3D,
    WheelJoint3D,
    apply_impulse_3d,
)
from rish_scene3d import Material3D, Model3D, Models3D
from rish_space3d import Transform3D

from . import parts
from .components import Orbit
from .parts import Three, X, Z

_DRUM, _DEEP, _HIGH = 2.4, 2.4, 2.9
"""The radius and the depth of the drum, and the height of its axle, in m."""


def tumbler(world: World) -> None:
    """A drum with fins that always turns, and loose bodies in it."""
    pieces: list[dict[str, Any]] = []
    for side in range(12):
        degrees = 360 / 12 * side
        sin, cos = maths.sincos(degrees * maths.PI / 180)
        width = 2 * _DRUM * float(maths.sin(maths.PI / 12)) + 0.12
        look = {"rotation": parts.turn(Z, degrees), "color": parts.STEEL, "friction": 0.8}
        pieces.append({"at": (_DRUM * cos, _DRUM * sin, 0), "size": (0.2, width, _DEEP), **look})
        if side % 3 == 0:
            pieces.append({"at": (0.84 * _DRUM * cos, 0.84 * _DRUM * sin, 0), "size": (0.6, 0.12, _DEEP), **look})
    pane = {"size": (2 * _DRUM, 0.1, 2 * _DRUM), "shape": "cylinder", "rotation": parts.turn(X, 90.0)}
    pieces.append({"at": (0, 0, -_DEEP / 2), "color": parts.INDIGO, **pane})
    pieces.append({"at": (0, 0, _DEEP / 2), "visible": False, **pane})
    drum = parts.whole(
        world, (0, _HIGH, 0), pieces, type="kinematic", angular_velocity=(0, 0, 0.75), allow_sleep=False
    )  # fmt: skip
    world.add(drum, Name(value="drum"))
    heights, across = np.arange(1.6, 4.3, 0.46), (-0.9, -0.3, 0.3, 0.9)
    spots = np.array([(x, y, z) for y in heights for x in across for z in (-0.6, 0.5)])
    for k, spawn in enumerate((_tumbled_boxes, _tumbled_balls, _tumbled_pills)):
        spawn(world, spots[k::3])


def _tumbled_boxes(world: World, spots: Array) -> None:
    parts.boxes(world, spots, (0.42, 0.42, 0.42), color=np.arange(len(spots)))


def _tumbled_balls(world: World, spots: Array) -> None:
    parts.balls(world, spots, 0.22, color=np.arange(len(spots)) + 4)


def _tumbled_pills(world: World, spots: Array) -> None:
    parts.pills(world, spots, 0.15, 0.6, color=np.arange(len(spots)) + 2)


def turn_round(world: World) -> None:
    """Reverse the rotation of the drum."""
    drum = world.get(named(world, "drum"), Body3D)
    drum.angular_velocity = tuple(-np.asarray(drum.angular_velocity))


_SIDE, _CELL = 61, 2.0
"""The number of heights along a side of the hills, and their distance in m."""
_SPEED, _STEER = 26.0, 0.5
"""The speed of the wheels in rad/s and the angle of steering in rad."""
_WHEEL = 0.45


def _heights() -> Array:
    """Return the heights of the hills in m, (rows, columns), row after row along z; the middle is flat."""
    line = (np.arange(_SIDE) - (_SIDE - 1) / 2) * _CELL
    x, z = np.meshgrid(line, line)
    hills = 1.6 * maths.sin(0.16 * x) * maths.sin(0.13 * z + 1.0) + 0.5 * maths.sin(0.33 * x + 0.2 * z)
    rim = np.maximum(np.hypot(x, z) - 46.0, 0.0)
    return hills * np.clip((np.hypot(x, z) - 6.0) / 12.0, 0.0, 1.0) + 0.03 * rim**2


def put_hills(world: World) -> None:
    """Make the mesh of the hills. It has the triangles of the heightfield."""
    line = (np.arange(_SIDE) - (_SIDE - 1) / 2) * _CELL
    x, z = (axis.ravel() for axis in np.meshgrid(line, line))
    corner = np.arange(_SIDE * _SIDE).reshape(_SIDE, _SIDE)
    a, b, c, d = (each.ravel() for each in (corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]))
    triangles = np.concatenate([np.stack([a, b, d], axis=1), np.stack([d, b, c], axis=1)])
    points = np.column_stack([x, _heights().ravel(), z])
    world[Models3D].put("hills", points, triangles, uv=np.column_stack([x, z]) / 4)


def vehicle(world: World) -> None:
    """A car on hills, with crates before it."""
    world.spawn(
        Transform3D(), Model3D(asset="made:hills"),
        Material3D(color=(0.28, 0.36, 0.33, 1), map="floor.png", roughness=0.9),
        Collider3D(shape="heightfield", heights=_heights().ravel(), columns=_SIDE, cell=_CELL, friction=0.9),
    )  # fmt: skip
    car = _car(world, (0, 0.9, 4))
    world.set(int(world.query(Orbit).entities[0]), Orbit(follow=car))
    for row in range(4):
        count = 4 - row
        places = [((k - (count - 1) / 2) * 0.95, 0.45 + 0.9 * row, -7.0) for k in range(count)]
        parts.boxes(world, places, (0.9, 0.9, 0.9), color=row + 3, density=40)


def _car(world: World, at: Three) -> int:
    """Spawn a car on four wheels; return its body."""
    pieces = [
        {"size": (1.5, 0.45, 3.4), "color": parts.RED, "density": 250, "friction": 0.3},
        {"at": (0, 0.42, 0.25), "size": (1.25, 0.5, 1.6), "color": parts.STEEL, "density": 40},
    ]
    car = parts.whole(world, at, pieces, allow_sleep=False)
    world.add(car, Name(value="car"))
    for z, front in ((-1.15, True), (1.15, False)):
        for side in (-1, 1):
            anchor = (0.95 * side, -0.25, z)
            place = tuple(float(p + q) for p, q in zip(at, anchor, strict=True))
            wheel = int(spawn_prefab(world, "wheel", Transform3D(position=place)))
            parts.spot(
                world, wheel, (0, 0, 0), (2 * _WHEEL, 0.34, 2 * _WHEEL), shape="cylinder", rotation=parts.turn(Z, 90.0)
            )  # fmt: skip
            parts.spot(world, wheel, (0, 0, 0), (0.36, 0.4, 0.1), color=parts.YELLOW)
            joint = world.spawn(
                WheelJoint3D(
                    a=car, b=wheel, anchor_a=anchor, hertz=3.0, damping=0.6, limited=True, lower=-0.25, upper=0.2,
                    motor=True, max_torque=900.0,
                )
            )  # fmt: skip
            if front:
                world.add(joint, Name(value=f"front_{side + 1}"))
    return car


@system(Stage.PRE, reads=Input, writes=WheelJoint3D, run_if=in_scene("vehicle"), after="game.act")
def steer(world: World, dt: float) -> None:
    """Set the motors and the steering of the wheels from the keys."""
    keys, wheels = world[Input], world.query(WheelJoint3D)
    push, turn = keys.axis("reverse", "forward"), keys.axis("right", "left")
    if len(wheels) and (wheels[WheelJoint3D.motor_speed] != -_SPEED * push).any():
        wheels[WheelJoint3D.motor_speed] = -_SPEED * push
    for name in ("front_0", "front_2"):
        if (joint := find(world, name)) and world.get(joint, WheelJoint3D).steering != np.float32(_STEER * turn):
            world.set(joint, WheelJoint3D(steering=_STEER * turn))


def jump(world: World) -> None:
    """Make the car jump."""
    apply_impulse_3d(world, named(world, "car"), (0.0, 4500.0, 0.0))


def joints(world: World) -> None:
    """Six posts with one kind of joint each."""
    for number, make in enumerate((_pendulum, _mill, _piston, _springs, _boards, _wheel)):
        x = (number - 2.5) * 2.5
        parts.wall(world, (x, 2.2, -1.2), (0.2, 4.4, 0.2))
        parts.wall(world, (x, 4.3, -0.5), (0.2, 0.2, 1.6))
        make(world, x)


def _pendulum(world: World, x: float) -> None:
    """A ball on a rod, in a socket with a cone."""
    pieces = [
        {"size": (0.12, 1.8, 0.12), "shape": "cylinder", "color": parts.STEEL},
        {"at": (0, -0.9, 0), "size": (0.7, 0.7, 0.7), "shape": "sphere", "color": parts.RED},
    ]
    made = parts.whole(world, (x, 3.2, 0), pieces, angular_velocity=(1.5, 0, 2.0), allow_sleep=False)
    world.spawn(BallJoint3D(b=made, anchor_a=(x, 4.1, 0), anchor_b=(0, 0.9, 0), cone_limited=True, cone=0.6))


def _mill(world: World, x: float) -> None:
    """A cross on a hinge with a motor."""
    pieces = [{"size": size, "color": parts.ORANGE} for size in ((1.7, 0.24, 0.24), (0.24, 1.7, 0.24))]
    made = parts.whole(world, (x, 2.6, 0), pieces)
    world.spawn(HingeJoint3D(b=made, anchor_a=(x, 2.6, 0), axis=Z, motor=True, motor_speed=2.0, max_torque=1e5))
    parts.balls(world, [(x - 0.4, 4.0, 0), (x + 0.5, 4.6, 0.02)], 0.2, color=parts.YELLOW)


def _piston(world: World, x: float) -> None:
    """A weight on a slider with a spring."""
    made = parts.box(world, (x, 3.0, 0), (0.9, 0.5, 0.9), color=parts.YELLOW, body={"allow_sleep": False})
    world.spawn(
        SliderJoint3D(b=made, anchor_a=(x, 2.4, 0), axis=(0, 1, 0), spring=True, hertz=0.8, damping=0.02, rest=0.4)
    )  # fmt: skip
    parts.show_link(world, 0, 0, made, width=0.1, anchor_a=(x, 4.2, 0))


def _springs(world: World, x: float) -> None:
    """A rod and a spring, with a ball each."""
    options: tuple[dict[str, Any], ...] = ({}, {"spring": True, "hertz": 1.0, "damping": 0.03})
    for z, color, kind in zip((-0.3, 0.5), (parts.GREEN, parts.TEAL), options, strict=True):
        ball = parts.ball(world, (x + 0.8, 2.9, z), 0.28, color=color, body={"allow_sleep": False})
        joint = world.spawn(DistanceJoint3D(b=ball, anchor_a=(x, 4.2, z), length=1.5, **kind))
        parts.show_link(world, joint, 0, ball, anchor_a=(x, 4.2, z))


def _boards(world: World, x: float) -> None:
    """Boards on welds, each softer than the one above."""
    for level, hertz in enumerate((6.0, 3.0, 1.5)):
        y = 3.4 - 0.95 * level
        board = parts.box(world, (x, y, 0), (0.6, 0.08, 2.2), color=parts.BLUE, density=150)
        world.spawn(
            WeldJoint3D(
                b=board, anchor_a=(x, y, -1.1), anchor_b=(0, 0, -1.1), angular_hertz=hertz, angular_damping=0.08
            )
        )  # fmt: skip
        parts.ball(world, (x, y + 0.5, 0.5), 0.2, color=parts.PINK, density=200)


def _wheel(world: World, x: float) -> None:
    """A wheel on a spring, driven against a box."""
    axle = {"size": (1.2, 0.2, 1.2), "shape": "cylinder", "rotation": parts.turn(X, 90.0), "color": parts.INDIGO}
    made = parts.whole(world, (x, 2.6, 0), [axle, {"at": (0.3, 0, 0.12), "size": (0.3, 0.2, 0.06)}], allow_sleep=False)
    world.spawn(
        WheelJoint3D(
            b=made, anchor_a=(x, 2.6, 0), axis=(0, 1, 0), axle=Z, hertz=1.2, damping=0.05, motor=True, motor_speed=3.0,
            max_torque=1e4,
        )
    )  # fmt: skip


def shake_joints(world: World) -> None:
    """Throw a ball along the posts."""
    parts.shot(world, (-9.5, 2.6, 0.1), (16.0, 2.0, 0.0), radius=0.35, density=600)
