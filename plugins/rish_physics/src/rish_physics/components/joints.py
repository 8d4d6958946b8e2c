"""Joints as components: an entity that holds two others together.

A joint names two bodies, `a` and `b`; 0 stands for the world, which never moves. Its anchors are relative to the
positions of their entities, turned with them, in world units; those of the world are places. Angles are those of b
against a, and what moves b on from a counts as positive. Despawning either body takes the joint along, and says so
(`JointBroke`); so does a load beyond what it bears.

`READERS` says for each class how its columns become rows of the table `Joints`; everything else is the same for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import Entity, Vec2, component, field, maths

from . import joint_kinds as kinds

Array = npt.NDArray[Any]
_LAST_ANGLE = 0.99 * maths.PI
"""The angle of a revolute joint is known in (-π, π], so a limit needs some room before the angle changes its sign."""


def _body(which: str) -> Any:
    return field(0, doc=f"the {which} body; 0: the world")


def _anchor() -> Any:
    return field((0, 0), unit="units", doc="relative to its position, turned with it; of the world, a place")


def _angle(doc: str) -> Any:
    return field(0.0, unit="rad", angle=True, doc=doc)


def _way(doc: str) -> Any:
    return field(0.0, unit="units", doc=doc)


def _axis(x: float, y: float) -> Any:
    return field((x, y), doc="along which b moves, in the frame of a; of any length")


def _hertz(value: float, doc: str = "frequency of the spring") -> Any:
    return field(value, unit="Hz", low=0, high=1000, doc=doc)


def _damping(value: float, doc: str = "damping ratio of the spring; 1 does not swing") -> Any:
    return field(value, low=0, high=1000, doc=doc)


def _force(doc: str = "of the motor") -> Any:
    return field(0.0, unit="kg·units/s²", low=0, doc=doc)


def _torque(doc: str = "of the motor") -> Any:
    return field(0.0, unit="kg·units²/s²", low=0, doc=doc)


def _collide() -> Any:
    return field(False, doc="whether the two collide with each other all the same")


def _break_force() -> Any:
    return _force("beyond which it breaks; 0: never")


def _break_torque() -> Any:
    return _torque("beyond which it breaks; 0: never")


@component(was="Revolute")
class RevoluteJoint:
    """A pin about which two bodies turn."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    anchor_a: Vec2 = _anchor()
    anchor_b: Vec2 = _anchor()
    angle: float = _angle("of b against a, that counts as 0")
    limited: bool = field(False, doc="whether the angle stays between lower and upper")
    lower: float = _angle("least angle; one below -0.99 π counts as that")
    upper: float = _angle("greatest angle; one above 0.99 π counts as that")
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


@component(was="Distance")
class DistanceJoint:
    """Two anchors at a length from each other: a rod; with limits alone a rope, with a spring a spring, with a motor a
    piston.
    """

    a: Entity = _body("first")
    b: Entity = _body("second")
    anchor_a: Vec2 = _anchor()
    anchor_b: Vec2 = _anchor()
    length: float = _way("of the rod, or of the spring at rest; 0 or less: as they stand in the first step")
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


@component(was="Prismatic")
class PrismaticJoint:
    """b slides along an axis of a and does not turn against it."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    anchor_a: Vec2 = _anchor()
    anchor_b: Vec2 = _anchor()
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


@component(was="Weld")
class WeldJoint:
    """Two bodies held together as one, or on springs."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    anchor_a: Vec2 = _anchor()
    anchor_b: Vec2 = _anchor()
    angle: float = _angle("of b against a, at which it is held")
    hertz: float = _hertz(0.0, "of the spring between the anchors; 0: stiff")
    damping: float = _damping(1.0)
    angular_hertz: float = _hertz(0.0, "of the spring that holds the angle; 0: stiff")
    angular_damping: float = _damping(1.0)
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component(was="Wheel")
class WheelJoint:
    """b turns freely and slides along an axis of a on a spring, like the wheel of a car; the motor turns it."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    anchor_a: Vec2 = _anchor()
    anchor_b: Vec2 = _anchor()
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
class MotorJoint:
    """b is driven to a place and an angle in the frame of a, with no more than some force and torque. A frequency of 0
    knows no place and brakes: with a force it is friction, seen from above.
    """

    a: Entity = _body("first")
    b: Entity = _body("second")
    offset: Vec2 = field((0, 0), unit="units", doc="where b shall be, relative to the position of a and turned with it")
    angle: float = _angle("of b against a, to which it is driven")
    hertz: float = _hertz(4.0, "of the spring that drives it to its place; 0: it only brakes")
    damping: float = _damping(1.0)
    max_force: float = field(-1.0, unit="kg·units/s²", low=-1, doc="with which it drives; below 0: any")
    angular_hertz: float = _hertz(4.0, "of the spring that drives it to its angle; 0: it only brakes")
    angular_damping: float = _damping(1.0)
    max_torque: float = field(-1.0, unit="kg·units²/s²", low=-1, doc="with which it drives; below 0: any")
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class MouseJoint:
    """A point of b is pulled to a target by a spring of limited force, as a hand would."""

    a: Entity = field(0, doc="the body in whose frame the target is; 0: the world")
    b: Entity = field(0, doc="the body that is pulled")
    target: Vec2 = field((0, 0), unit="units", doc="where the point shall be")
    anchor_b: Vec2 = _anchor()
    hertz: float = _hertz(4.0)
    damping: float = _damping(1.0)
    max_force: float = field(-1.0, unit="kg·units/s²", low=-1, doc="with which it pulls; below 0: any")
    collide_connected: bool = _collide()
    break_force: float = _break_force()


@component(was="Gear")
class GearJoint:
    """When a turns, b turns `ratio` times as far. Where they stand in the first step is where they fit together."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    ratio: float = field(
        -1.0, low=-1000, high=1000, doc="turns of b for one of a; below 0: the other way, like wheels that mesh"
    )
    collide_connected: bool = _collide()
    break_torque: float = _break_torque()


@component(was="Ratchet")
class RatchetJoint:
    """b turns counter-clockwise against a, and back to the last tooth only."""

    a: Entity = _body("first")
    b: Entity = _body("second")
    step: float = field(0.0, unit="rad", angle=True, low=0, doc="angle from tooth to tooth; 0: it never turns back")
    collide_connected: bool = _collide()
    break_torque: float = _break_torque()


@dataclass(frozen=True)
class Reader:
    """How the columns of a joint component become a row of `Joints`.

    kind: a number of `kinds`. flags: fields that switch parts on, by bit. numbers: fields, or what always stands there,
    in the order in which the kind wants them. turn: the field that turns the frame of a. anchors: the fields of the
    anchors in a and in b; without one it is the position. axis: the field that is the axis of the frame of a. reach:
    limits count as no further from 0 than this.
    """

    kind: int
    flags: dict[int, str]
    numbers: tuple[str | float, ...]
    turn: str = ""
    anchors: tuple[str, str] = ("anchor_a", "anchor_b")
    axis: str = ""
    reach: float = float("inf")

    def flaws(self, table: Any) -> dict[int, str]:
        """A sentence for each row of a component's table with which no joint can be made."""
        wrong: dict[int, str] = {}
        if not len(table):
            return wrong
        used = {*self.anchors, *self.numbers, self.turn, self.axis} & set(table.schema.fields)
        for name in sorted(used, key=str):
            bad = ~np.isfinite(table.column(name)).reshape(len(table), -1).all(axis=1)
            wrong.update({int(row): f"has no number as its {name}" for row in np.flatnonzero(bad)})
        if self.axis:
            bad = ~table.column(self.axis).any(axis=1)
            wrong.update({int(row): "has an axis without direction" for row in np.flatnonzero(bad)})
        if kinds.HAS_LIMIT in self.flags:
            bad = table.limited & (table.lower > table.upper)
            wrong.update({int(row): "its lower limit is above the upper one" for row in np.flatnonzero(bad)})
        if self.kind == kinds.GEAR:
            bad = table.ratio == 0
            wrong.update({int(row): "its ratio is 0; -1 is that of two equal wheels" for row in np.flatnonzero(bad)})
        return wrong


_PARTS = {kinds.HAS_LIMIT: "limited", kinds.HAS_MOTOR: "motor", kinds.HAS_SPRING: "spring"}

READERS: dict[type, Reader] = {
    RevoluteJoint: Reader(
        kinds.REVOLUTE, _PARTS, ("lower", "upper", "motor_speed", "max_torque", "hertz", "damping", "rest"),
        turn="angle", reach=_LAST_ANGLE,
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
"""Every kind of joint that authors can write."""
