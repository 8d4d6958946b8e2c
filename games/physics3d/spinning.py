"""Exhibits of rotation: a gyroscope and tops, and bodies that turn over in flight."""

from __future__ import annotations

import numpy as np

from rish_core import Name, World, named
from rish_jit import maths
from rish_physics3d import BallJoint3D, Body3D
from rish_space3d import Transform3D, quaternions

from . import parts
from .parts import X, Y, Z

_ARM, _WHEEL, _RATE = 0.9, 0.75, 38.0
"""The distance of the wheel from its support and its radius, in m, and its speed, in rad/s."""
_TOPS = (("quick_top", -1.6, 60.0), ("slow_top", 1.6, 22.0))
"""Name, place and speed of the tops."""
_LEAN = 14.0


def top(world: World) -> None:
    """A wheel on an axle that is held at one end, and two tops."""
    parts.wall(world, (0, 1.2, -1.6), (0.24, 2.4, 0.24))
    pieces = [
        {"size": (2 * _WHEEL, 0.22, 2 * _WHEEL), "shape": "cylinder", "color": parts.BLUE},
        {"size": (0.1, 2 * _ARM, 0.1), "shape": "cylinder", "color": parts.STEEL, "density": 10},
    ]
    wheel = parts.whole(
        world, (_ARM, 2.5, -1.6), pieces, rotation=parts.turn(Z, -90.0), allow_sleep=False, angular_damping=0.0
    )  # fmt: skip
    world.add(wheel, Name(value="wheel"))
    for k in range(3):
        sin, cos = maths.sincos(k * maths.TAU / 3)
        parts.spot(world, wheel, (0.5 * cos, 0.0, 0.5 * sin), (0.3, 0.25, 0.3), shape="cylinder", color=parts.YELLOW)
    world.spawn(BallJoint3D(b=wheel, anchor_a=(0, 2.5, -1.6), anchor_b=(0, -_ARM, 0)))
    for name, x, _ in _TOPS:
        lean = parts.turn(Z, -_LEAN)
        pieces = [
            {"size": (0.16, 0.16, 0.16), "shape": "sphere", "color": parts.STEEL, "friction": 0.3},
            {"at": (0, 0.34, 0), "size": (0.5, 0.5, 0.5), "rotation": parts.turn(X, 180.0), "shape": "cone"},
            {"at": (0, 0.66, 0), "size": (1.1, 0.16, 1.1), "shape": "cylinder", "color": parts.RED},
            {"at": (0, 1.0, 0), "size": (0.1, 0.5, 0.1), "shape": "cylinder", "color": parts.STEEL},
        ]
        made = parts.whole(world, (x, 0.09, 1.2), pieces, rotation=lean, allow_sleep=False)
        world.add(made, Name(value=name))
        parts.spot(world, made, (0.3, 0.68, 0), (0.3, 0.14, 0.3), shape="cylinder", color=parts.YELLOW)
    spin_up(world)


def spin_up(world: World) -> None:
    """Give the wheel and the tops their speed again."""
    _spin(world, "wheel", _RATE)
    for name, _, rate in _TOPS:
        _spin(world, name, rate)


def _spin(world: World, name: str, rate: float) -> None:
    """Spin a body about its own y axis."""
    body = named(world, name)
    axis = quaternions.turned(world.get(body, Transform3D).rotation, Y)
    world.set(body, Body3D(angular_velocity=axis * rate))


_BOOK = (1.5, 0.36, 0.9)
_HIGH = 2.6


def flip(world: World) -> None:
    """A handle in the form of a T, and three equal boxes that spin about their three axes."""
    free = {"gravity_scale": 0.0, "allow_sleep": False}
    pieces = [
        {"size": (0.32, 1.7, 0.32), "shape": "capsule", "rotation": parts.turn(X, 90.0), "color": parts.ORANGE},
        {
            "at": (0.55, 0, 0), "size": (0.26, 0.9, 0.26), "shape": "cylinder", "rotation": parts.turn(Z, 90.0),
            "color": parts.YELLOW,
        },
    ]  # fmt: skip
    parts.whole(world, (-3.2, _HIGH, 0), pieces, angular_velocity=(7.0, 0.02, 0.0), **free)
    for number, (axis, color) in enumerate(((X, parts.TEAL), (Z, parts.RED), (Y, parts.INDIGO))):
        spin = np.array(axis) * 5.0 + np.roll(axis, 1) * 0.02
        parts.box(
            world, (-0.9 + 2.0 * number, _HIGH, 0), _BOOK, color=color, body={"angular_velocity": spin, **free}
        )  # fmt: skip


def nudge(world: World) -> None:
    """Disturb every rotation a little."""
    bodies = world.query(Body3D)
    with bodies.edit(Body3D.angular_velocity) as spin:
        spin += np.float32(0.4)
