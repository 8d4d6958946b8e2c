"""The joint components. A joint is an entity that connects two bodies.

A joint names two bodies, `a` and `b`; 0 is the world, which never moves. An anchor is relative to the position of its
entity and turns with it, in world units; an anchor on the world is a position in the world. An angle is the angle of b
relative to a. Movement of b relative to a counts as positive. Despawning either body also despawns the joint and emits
`JointBroke`; so does a load above the joint's limit.

`READERS` describes for each class how its columns become rows of the table `Joints`. All other code is the same for
every kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_ecs import Entity, Vec2, component, field
from rish_jit import Array

from . import joint_kinds as kinds
from .joint_ranges import problems_of

_ANCHOR = "relative to its position, turned with it; of the world, a place"


def _angle(doc: str) -> Any:
    return field(0.0, unit="rad", angle=True, doc=doc)


def _way(doc: str, **options: Any) -> Any:
    return field(0.0, unit="units", doc=doc, **options)


def _axis(x: float, y: float) -> Any:
    return field((x, y), doc="along which b moves, in the frame of a; of any length")


def _hertz(value: float, doc: str = "frequency of the spring", **options: Any) -> Any:
    return field(value, unit="Hz", low=0, high=1000, doc=doc, **options)


def _damping(value: float, doc: str = "damping ratio of the spring; 1 does not swing") -> Any:
    return field(value, low=0, high=1000, doc=doc)


def _force(doc: str = "of the motor", **options: Any) -> Any:
    return field(0.0, unit="kg·units/s²", low=0, doc=doc, **options)


def _torque(doc: str = "of the motor", **options: Any) -> Any:
    return field(0.0, unit="kg·units²/s²", low=0, doc=doc, **options)


def _collide() -> Any:
    return field(False, doc="whether the two collide with each other all the same")


def _break_force() -> Any:
    return _force("beyond which it breaks", meanings={0: "never"})


def _break_torque() -> Any:
    return _torque("beyond which it breaks", meanings={0: "never"})


@component
class _Joint:
    """The fields that all joints have: the two bodies."""

    a: Entity = field(0, doc="the first body; 0: the world")
    b: Entity = field(0, doc="the second body; 0: the world")


@component
class _AnchoredJoint(_Joint):
    """The fields of a joint that connects an anchor of body a to an anchor of body b."""

    anchor_a: Vec2 = field((0, 0), unit="units", doc=_ANCHOR)
    anchor_b: Vec2 = field((0, 0), unit="units", doc=_ANCHOR)


@component
class RevoluteJoint(_AnchoredJoint):
    """A pin about which two bodies turn."""

    angle: float = _angle("of b against a, that counts as 0")
    limited: bool = field(False, doc="whether the angle stays between lower and upper")
    lower: float = _angle("least angle; it may be turns away")
    upper: float = _angle("greatest angle")
    motor: bool = field(False, doc="whether it turns b against a")
    motor_speed: float = field(0.0, unit="rad/s", angle=True, doc="with which the motor turns")
    max_torque: float = _torque()
    spring: bool = field(False, doc="whether it is pulled towards `rest`")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    rest: float = _angle("at which the spring rests")
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class DistanceJoint(_AnchoredJoint):
    """Keeps two anchors at a distance from each other. Without options it acts as a rod; with limits as a rope, with a
    spring as a spring, with a motor as a piston.
    """

    length: float = _way("of the rod, or of the spring at rest", meanings={0: "as they stand in the first step"})
    limited: bool = field(False, doc="whether the distance stays between lower and upper")
    lower: float = field(0.0, unit="units", low=0, doc="least distance")
    upper: float = field(0.0, unit="units", low=0, doc="greatest distance")
    motor: bool = field(False, doc="whether it pushes the two apart")
    motor_speed: float = field(0.0, unit="units/s", doc="with which the motor makes it longer")
    max_force: float = _force()
    spring: bool = field(False, doc="whether it is pulled towards its length by a spring, and is no rod")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    collide_connected: bool = _collide()
    break_force: float = _break_force()


@component
class PrismaticJoint(_AnchoredJoint):
    """Lets b slide along an axis of a without turning relative to it."""

    axis: Vec2 = _axis(1, 0)
    angle: float = _angle("of b against a, at which it is held")
    limited: bool = field(False, doc="whether the way stays between lower and upper")
    lower: float = _way("least way from anchor to anchor along the axis")
    upper: float = _way("greatest way")
    motor: bool = field(False, doc="whether it moves b along the axis")
    motor_speed: float = field(0.0, unit="units/s", doc="with which the motor moves b")
    max_force: float = _force()
    spring: bool = field(False, doc="whether it is pulled towards `rest`")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    rest: float = _way("at which the spring rests")
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class WeldJoint(_AnchoredJoint):
    """Holds two bodies together rigidly, or with springs."""

    angle: float = _angle("of b against a, at which it is held")
    hertz: float = _hertz(0.0, "of the spring between the anchors", meanings={0: "stiff"})
    damping: float = _damping(1.0)
    angular_hertz: float = _hertz(0.0, "of the spring that holds the angle", meanings={0: "stiff"})
    angular_damping: float = _damping(1.0)
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class WheelJoint(_AnchoredJoint):
    """Lets b turn freely and slide along an axis of a on a spring, like the wheel of a car. The motor turns b."""

    axis: Vec2 = _axis(0, 1)
    limited: bool = field(False, doc="whether the way stays between lower and upper")
    lower: float = _way("least way from anchor to anchor along the axis")
    upper: float = _way("greatest way")
    motor: bool = field(False, doc="whether it turns b against a")
    motor_speed: float = field(0.0, unit="rad/s", angle=True, doc="with which the motor turns")
    max_torque: float = _torque()
    spring: bool = field(True, doc="whether it is pulled towards `rest`")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    rest: float = _way("at which the spring rests")
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class MotorJoint(_Joint):
    """Drives b to a position and an angle in the frame of a, with limited force and torque. With a frequency of 0 it
    has no target and only brakes: with a limited force it acts as friction in a top-down game.
    """

    offset: Vec2 = field((0, 0), unit="units", doc="where b shall be, relative to the position of a and turned with it")
    angle: float = _angle("of b against a, to which it is driven")
    hertz: float = _hertz(4.0, "of the spring that drives it to its place", meanings={0: "it only brakes"})
    damping: float = _damping(1.0)
    max_force: float = field(-1.0, unit="kg·units/s²", low=-1, doc="with which it drives", meanings={-1: "any"})
    angular_hertz: float = _hertz(4.0, "of the spring that drives it to its angle", meanings={0: "it only brakes"})
    angular_damping: float = _damping(1.0)
    max_torque: float = field(-1.0, unit="kg·units²/s²", low=-1, doc="with which it drives", meanings={-1: "any"})
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class MouseJoint(_Joint):
    """Pulls a point of b to a target with a spring of limited force, as a hand would."""

    a: Entity = field(0, doc="the body in whose frame the target is; 0: the world")
    b: Entity = field(0, doc="the body that is pulled")
    target: Vec2 = field((0, 0), unit="units", doc="where the point shall be")
    anchor_b: Vec2 = field((0, 0), unit="units", doc=_ANCHOR)
    hertz: float = _hertz(4.0)
    damping: float = _damping(1.0)
    max_force: float = field(-1.0, unit="kg·units/s²", low=-1, doc="with which it pulls", meanings={-1: "any"})
    collide_connected: bool = _collide()
    break_force: float = _break_force()


@component
class GearJoint(_Joint):
    """When a turns, b turns `ratio` times as far. The angles in the first step are the reference angles."""

    ratio: float = field(
        -1.0, low=-1000, high=1000, doc="turns of b for one of a; below 0: the other way, like wheels that mesh"
    )
    collide_connected: bool = _collide()
    break_torque: float = _break_torque()


@component
class RatchetJoint(_Joint):
    """Lets b turn counter-clockwise relative to a, and back only as far as the last tooth."""

    step: float = field(
        0.0, unit="rad", angle=True, low=0, doc="angle from tooth to tooth", meanings={0: "it never turns back"}
    )
    collide_connected: bool = _collide()
    break_torque: float = _break_torque()


@dataclass(frozen=True)
class Reader:
    """How the columns of a joint component become a row of `Joints`.

    kind: a number of `joint_kinds`. flags: for each bool field that enables a part, the bit of the part. numbers:
    field names or constants, in the order of the kind's row in `Joints.numbers`. turn: the field that turns the frame
    of a. anchors: the fields of the anchors in a and in b; an empty name means the position. axis: the field that holds
    the axis of the frame of a.
    """

    kind: int
    flags: dict[str, int]
    numbers: tuple[str | float, ...]
    turn: str = ""
    anchors: tuple[str, str] = ("anchor_a", "anchor_b")
    axis: str = ""

    def flaws(self, table: Any, far: float) -> dict[int, str]:
        """Return an error sentence by row, for each row of a component's table from which no joint can be made.

        far: see `joint_ranges.farthest`.
        """
        if not len(table):
            return {}
        bad: dict[str, Array] = {}
        if self.axis:
            bad["its axis has length 0"] = ~table.column(self.axis).any(axis=1)
        if "limited" in self.flags:
            bad["its lower limit is above the upper one"] = table.limited & (table.lower > table.upper)
        if self.kind == kinds.GEAR:
            bad["its ratio is 0; use -1 for two equal wheels that mesh"] = table.ratio == 0
        flaws = {row: sentence for sentence, rows in bad.items() for row in np.flatnonzero(rows).tolist()}
        return flaws | problems_of(self, table, far)


_PARTS = {"limited": kinds.HAS_LIMIT, "motor": kinds.HAS_MOTOR, "spring": kinds.HAS_SPRING}

READERS: dict[type, Reader] = {
    RevoluteJoint: Reader(
        kinds.REVOLUTE, _PARTS, ("lower", "upper", "motor_speed", "max_torque", "hertz", "damping", "rest"),
        turn="angle",
    ),
    DistanceJoint: Reader(
        kinds.DISTANCE, _PARTS, ("lower", "upper", "motor_speed", "max_force", "hertz", "damping", "length")
    ),
    PrismaticJoint: Reader(
        kinds.PRISMATIC, _PARTS, ("lower", "upper", "motor_speed", "max_force", "hertz", "damping", "rest"),
        turn="angle", axis="axis",
    ),
    WeldJoint: Reader(
        kinds.WELD, {}, (0, 0, 0, 0, "angular_hertz", "angular_damping", 0, 0, "hertz", "damping"), turn="angle"
    ),
    WheelJoint: Reader(
        kinds.WHEEL, _PARTS, ("lower", "upper", "motor_speed", "max_torque", "hertz", "damping", "rest"), axis="axis"
    ),
    MotorJoint: Reader(
        kinds.MOTOR, {},
        (0, 0, 0, 0, "angular_hertz", "angular_damping", 0, "max_torque", "hertz", "damping", "max_force"),
        turn="angle", anchors=("offset", ""),
    ),
    MouseJoint: Reader(
        kinds.MOUSE, {}, (0, 0, 0, 0, 0, 0, 0, 0, "hertz", "damping", "max_force"), anchors=("target", "anchor_b")
    ),
    GearJoint: Reader(kinds.GEAR, {}, (*[0] * 11, "ratio"), anchors=("", "")),
    RatchetJoint: Reader(kinds.RATCHET, {}, (*[0] * 11, 1, "step"), anchors=("", "")),
}  # fmt: skip
"""The readers of all kinds of joints that authors can write."""
