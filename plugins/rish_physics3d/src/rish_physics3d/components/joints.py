"""The joint components. A joint is an entity that connects two bodies.

A joint names two bodies, `a` and `b`; 0 is the world, which never moves. An anchor is relative to the position of its
entity and turns with it, in meters; an anchor on the world is a place in the world. An axis is a direction in the frame
of a. Movement of b relative to a counts as positive, angles counter-clockwise about the axis. Despawning either body
also despawns the joint and emits `JointBroke3D`; so does a load above the joint's limit.

`READERS` describes for each class how its columns become the rows of the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rish_core import Entity, Quat, Vec3, component, field

from . import joint_kinds as jk

_ANCHOR = "relative to its position, turned with it; of the world, a place"


def _angle(doc: str, **options: Any) -> Any:
    return field(0.0, unit="rad", angle=True, doc=doc, **options)


def _way(doc: str, **options: Any) -> Any:
    return field(0.0, unit="m", doc=doc, **options)


def _axis(x: float, y: float, z: float, doc: str) -> Any:
    return field((x, y, z), doc=f"{doc}, in the frame of a; of any length")


def _hertz(value: float, doc: str = "frequency of the spring", **options: Any) -> Any:
    return field(value, unit="Hz", low=0, high=1000, doc=doc, **options)


def _damping(value: float, doc: str = "damping ratio of the spring; 1 does not swing") -> Any:
    return field(value, low=0, high=1000, doc=doc)


def _force(doc: str = "of the motor", **options: Any) -> Any:
    return field(0.0, unit="N", low=0, doc=doc, **options)


def _torque(doc: str = "of the motor", **options: Any) -> Any:
    return field(0.0, unit="N·m", low=0, doc=doc, **options)


def _collide() -> Any:
    return field(False, doc="whether the two collide with each other all the same")


def _break_force() -> Any:
    return _force("beyond which it breaks", meanings={0: "never"})


def _break_torque() -> Any:
    return _torque("beyond which it breaks", meanings={0: "never"})


def _rotation() -> Any:
    return field((0, 0, 0, 1), doc="of b relative to a, that counts as no rotation; used if `rotation_given` is set")


def _rotation_given() -> Any:
    return field(False, doc="whether `rotation` counts; if not, the first step writes how both stand, and sets this")


@component
class _Joint3D:
    """The fields that all joints have: the two bodies."""

    a: Entity = field(0, doc="the first body; 0: the world")
    b: Entity = field(0, doc="the second body; 0: the world")


@component
class _AnchoredJoint3D(_Joint3D):
    """The fields of a joint that connects an anchor of body a to an anchor of body b."""

    anchor_a: Vec3 = field((0, 0, 0), unit="m", doc=_ANCHOR)
    anchor_b: Vec3 = field((0, 0, 0), unit="m", doc=_ANCHOR)


@component
class BallJoint3D(_AnchoredJoint3D):
    """A ball in a socket: holds two anchors together, and lets b turn in every direction, within a cone if wanted."""

    axis: Vec3 = _axis(0, 1, 0, "the middle of the cone, about which twist counts")
    rotation: Quat = _rotation()
    rotation_given: bool = _rotation_given()
    cone_limited: bool = field(False, doc="whether the axis of b stays within the cone")
    cone: float = _angle("greatest angle between both axes", low=0)
    limited: bool = field(False, doc="whether the twist stays between lower and upper")
    lower: float = _angle("least twist about the axis")
    upper: float = _angle("greatest twist")
    motor: bool = field(False, doc="whether it turns b against a")
    motor_velocity: Vec3 = field((0, 0, 0), unit="rad/s", doc="with which the motor turns b, in the joint's frame")
    max_torque: float = _torque("of the motor, about each axis; with a velocity of 0 it is friction")
    spring: bool = field(False, doc="whether it is pulled towards no rotation")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class HingeJoint3D(_AnchoredJoint3D):
    """A hinge: two bodies turn against each other about one axis."""

    axis: Vec3 = _axis(0, 1, 0, "of the hinge")
    rotation: Quat = _rotation()
    rotation_given: bool = _rotation_given()
    limited: bool = field(False, doc="whether the angle stays between lower and upper")
    lower: float = _angle("least angle")
    upper: float = _angle("greatest angle, less than a full turn above the least")
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
class SliderJoint3D(_AnchoredJoint3D):
    """Lets b slide along an axis of a without turning relative to it."""

    axis: Vec3 = _axis(1, 0, 0, "along which b moves")
    rotation: Quat = _rotation()
    rotation_given: bool = _rotation_given()
    limited: bool = field(False, doc="whether the way stays between lower and upper")
    lower: float = _way("least way from anchor to anchor along the axis")
    upper: float = _way("greatest way")
    motor: bool = field(False, doc="whether it moves b along the axis")
    motor_speed: float = field(0.0, unit="m/s", doc="with which the motor moves b")
    max_force: float = _force()
    spring: bool = field(False, doc="whether it is pulled towards `rest`")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    rest: float = _way("at which the spring rests")
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class DistanceJoint3D(_AnchoredJoint3D):
    """Keeps two anchors at a distance from each other. Without options it acts as a rod; with limits as a rope, with a
    spring as a spring, with a motor as a piston.
    """

    length: float = _way(
        "of the rod, or of the spring at rest", low=0, meanings={0: "as they stand in the first step, which writes it"}
    )
    limited: bool = field(False, doc="whether the distance stays between lower and upper")
    lower: float = _way("least distance", low=0)
    upper: float = _way("greatest distance", low=0)
    motor: bool = field(False, doc="whether it pushes the two apart")
    motor_speed: float = field(0.0, unit="m/s", doc="with which the motor makes it longer")
    max_force: float = _force()
    spring: bool = field(False, doc="whether it is pulled towards its length by a spring, and is no rod")
    hertz: float = _hertz(1.0)
    damping: float = _damping(0.7)
    collide_connected: bool = _collide()
    break_force: float = _break_force()


@component
class WeldJoint3D(_AnchoredJoint3D):
    """Holds two bodies together rigidly, or with springs."""

    rotation: Quat = _rotation()
    rotation_given: bool = _rotation_given()
    hertz: float = _hertz(0.0, "of the spring between the anchors", meanings={0: "stiff"})
    damping: float = _damping(1.0)
    angular_hertz: float = _hertz(0.0, "of the spring that holds the rotation", meanings={0: "stiff"})
    angular_damping: float = _damping(1.0)
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class WheelJoint3D(_AnchoredJoint3D):
    """A wheel b on the suspension of a car a: it slides along the axis on a spring, turns about its axle, and is
    steered about the axis.
    """

    axis: Vec3 = _axis(0, 1, 0, "of the suspension and of steering")
    axle: Vec3 = _axis(1, 0, 0, "about which the wheel turns, across the axis")
    rotation: Quat = _rotation()
    rotation_given: bool = _rotation_given()
    limited: bool = field(False, doc="whether the way stays between lower and upper")
    lower: float = _way("least way from anchor to anchor along the axis")
    upper: float = _way("greatest way")
    spring: bool = field(True, doc="whether it is pulled towards `rest`")
    hertz: float = _hertz(2.0)
    damping: float = _damping(0.7)
    rest: float = _way("at which the spring rests")
    steering: float = _angle("to which the axle is turned about the axis")
    motor: bool = field(False, doc="whether it turns the wheel")
    motor_speed: float = field(0.0, unit="rad/s", angle=True, doc="with which the motor turns")
    max_torque: float = _torque()
    collide_connected: bool = _collide()
    break_force: float = _break_force()
    break_torque: float = _break_torque()


@component
class MouseJoint3D(_Joint3D):
    """Pulls a point of b to a target with a spring of limited force, as a hand would."""

    a: Entity = field(0, doc="the body in whose frame the target is; 0: the world")
    b: Entity = field(0, doc="the body that is pulled")
    target: Vec3 = field((0, 0, 0), unit="m", doc="where the point shall be")
    anchor_b: Vec3 = field((0, 0, 0), unit="m", doc=_ANCHOR)
    hertz: float = _hertz(4.0)
    damping: float = _damping(1.0)
    max_force: float = field(-1.0, unit="N", low=-1, doc="along each axis", meanings={-1: "any"})
    collide_connected: bool = field(True, doc="whether the two collide with each other")
    break_force: float = _break_force()


@dataclass(frozen=True)
class Reader:
    """How the columns of a joint component become rows of the solver.

    kind: of `joint_kinds`. numbers: for each index of its numbers, the name of the field. flags: for each bool field
    that switches a part on, its bit. anchors: the fields of the anchors. axis, axle: the fields of the main axis and of
    that of a wheel. turns: whether it has a rotation that counts as none. angular: whether `lower` and `upper` are
    angles.
    """

    kind: int
    numbers: dict[int, str]
    flags: dict[str, int]
    anchors: tuple[str, str] = ("anchor_a", "anchor_b")
    axis: str = ""
    axle: str = ""
    turns: bool = True
    angular: bool = False


_PARTS = {"limited": jk.HAS_LIMIT, "motor": jk.HAS_MOTOR, "spring": jk.HAS_SPRING}
_LIMITS = {jk.LOWER: "lower", jk.UPPER: "upper"}
_SPRING = {jk.HERTZ: "hertz", jk.DAMPING: "damping"}
_TURNED = _LIMITS | _SPRING | {jk.SPEED: "motor_speed", jk.FORCE: "max_torque", jk.REST: "rest"}
_MOVED = _LIMITS | _SPRING | {jk.SPEED: "motor_speed", jk.FORCE: "max_force"}

READERS: dict[type, Reader] = {
    BallJoint3D: Reader(
        jk.BALL, _LIMITS | _SPRING | {jk.CONE: "cone", jk.SPIN: "motor_velocity", jk.SPIN_TORQUE: "max_torque"},
        _PARTS | {"cone_limited": jk.HAS_CONE}, axis="axis", angular=True,
    ),
    HingeJoint3D: Reader(jk.HINGE, _TURNED, _PARTS, axis="axis", angular=True),
    SliderJoint3D: Reader(jk.SLIDER, _MOVED | {jk.REST: "rest"}, _PARTS, axis="axis"),
    DistanceJoint3D: Reader(jk.DISTANCE, _MOVED | {jk.REST: "length"}, _PARTS, turns=False),
    WeldJoint3D: Reader(
        jk.WELD, _SPRING | {jk.ANGULAR_HERTZ: "angular_hertz", jk.ANGULAR_DAMPING: "angular_damping"}, {}
    ),
    WheelJoint3D: Reader(
        jk.WHEEL,
        _LIMITS | _SPRING
        | {jk.REST: "rest", jk.STEERING: "steering", jk.SPIN: "motor_speed", jk.SPIN_TORQUE: "max_torque"},
        _PARTS, axis="axis", axle="axle",
    ),
    MouseJoint3D: Reader(
        jk.MOUSE, _SPRING | {jk.FORCE: "max_force"}, {}, anchors=("target", "anchor_b"), turns=False
    ),
}  # fmt: skip
"""The readers of all kinds of joints."""
