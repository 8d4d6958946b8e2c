"""Joints as components: an entity that holds two others together.

A joint names two bodies, `a` and `b`; 0 stands for the world, which never moves. Its anchors are relative to the
positions of their entities, turned with them, in world units; those of the world are places. Despawning either body
takes the joint along, and says so (`JointBroke`).

`READERS` says for each class how its columns become rows of the table `Joints`; everything else is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from rish_core.ecs.columns import Entity, Vec2
from rish_core.ecs.component import component, field

from . import kinds

Array = npt.NDArray[Any]
_A = "the first body; 0: the world"
_B = "the second body; 0: the world"
_ANCHOR = "relative to its position, turned with it; of the world, a place"
_COLLIDE = "whether the two collide with each other all the same"
_FORCE = "beyond which it breaks; 0: never"


@component
class Revolute:
    """A pin about which two bodies turn. Angles are those of b against a."""

    a: Entity = field(0, doc=_A)
    b: Entity = field(0, doc=_B)
    anchor_a: Vec2 = field((0, 0), unit="units", doc=_ANCHOR)
    anchor_b: Vec2 = field((0, 0), unit="units", doc=_ANCHOR)
    angle: float = field(0.0, unit="rad", angle=True, doc="of b against a, that counts as 0")
    limited: bool = field(False, doc="whether the angle stays between lower and upper")
    lower: float = field(0.0, unit="rad", angle=True, doc="least angle")
    upper: float = field(0.0, unit="rad", angle=True, doc="greatest angle")
    motor: bool = field(False, doc="whether it turns b against a")
    motor_speed: float = field(0.0, unit="rad/s", angle=True, doc="with which the motor turns")
    max_torque: float = field(0.0, unit="kg·units²/s²", low=0, doc="of the motor")
    spring: bool = field(False, doc="whether it is pulled towards `rest`")
    hertz: float = field(1.0, unit="Hz", low=0, high=1000, doc="frequency of the spring")
    damping: float = field(0.7, low=0, high=1000, doc="damping ratio of the spring; 1 does not swing")
    rest: float = field(0.0, unit="rad", angle=True, doc="angle at which the spring rests")
    collide_connected: bool = field(False, doc=_COLLIDE)
    break_force: float = field(0.0, unit="kg·units/s²", low=0, doc=_FORCE)


@dataclass(frozen=True)
class Reader:
    """How the columns of a joint component become a row of `Joints`.

    kind: a number of `kinds`. flags: fields that switch parts on, by bit. numbers: fields, in the order in which the
    kind wants them. turn: the field that turns the frame of a.
    """

    kind: int
    flags: dict[int, str]
    numbers: tuple[str, ...]
    turn: str = ""
    check: Callable[[Any, Array], dict[int, str]] | None = None


def _check_limits(table: Any, rows: Array) -> dict[int, str]:
    """A sentence for each row whose limits contradict each other."""
    wrong = rows[table.limited[rows] & (table.lower[rows] > table.upper[rows])]
    return {int(row): "its lower limit is above the upper one" for row in wrong}


READERS: dict[type, Reader] = {
    Revolute: Reader(
        kinds.REVOLUTE,
        {kinds.HAS_LIMIT: "limited", kinds.HAS_MOTOR: "motor", kinds.HAS_SPRING: "spring"},
        ("lower", "upper", "motor_speed", "max_torque", "hertz", "damping", "rest"),
        turn="angle",
        check=_check_limits,
    ),
}
"""Every kind of joint that authors can write."""
