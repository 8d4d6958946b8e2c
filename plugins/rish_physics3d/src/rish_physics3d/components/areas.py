"""Areas in which a force acts: wind, water, and points that attract.

An area is an entity with a Transform3D. It acts on the dynamic bodies whose center of mass (for water: any part of
their colliders) is inside. Areas are not colliders: bodies do not collide with them, and queries do not find them.
Where several overlap, their forces add up.
"""

from __future__ import annotations

from enum import Enum

from rish_core import Vec3, component, field

_SIZE = "of its box along its own axes, about its position; 0 0 0: everywhere"


class GravityFalloff3D(Enum):
    """How an attraction changes with the distance: constant, with its inverse, or with the inverse of its square."""

    CONSTANT = "constant"
    LINEAR = "linear"
    SQUARE = "square"


@component
class WindArea3D:
    """Moving air, which accelerates bodies in it towards its velocity."""

    size: Vec3 = field((0, 0, 0), unit="m", low=0, doc=_SIZE)
    velocity: Vec3 = field((0, 0, 0), unit="m/s", doc="of the air, turned with the entity")
    drag: float = field(10.0, unit="kg/s", low=0, doc="force for each m/s by which a body is slower than the air")


@component
class WaterArea3D:
    """A liquid: it gives buoyancy to bodies in it and slows them down. Its surface is the top of its box."""

    size: Vec3 = field((20, 4, 20), unit="m", low=0, doc="of its box along its own axes, about its position")
    density: float = field(1000.0, unit="kg/m³", low=0, doc="less than that floats")
    drag: float = field(2.0, unit="1/s", low=0, doc="velocity that is lost, of the part that is under water")
    angular_drag: float = field(2.0, unit="1/s", low=0, doc="angular velocity that is lost, likewise")
    flow: Vec3 = field((0, 0, 0), unit="m/s", doc="velocity of the liquid, turned with the entity")


@component
class GravityPoint3D:
    """A point that attracts bodies, or repels them with a strength below 0."""

    strength: float = field(9.81, unit="m/s²", doc="acceleration at the distance `radius`")
    radius: float = field(10.0, unit="m", low=1e-6, doc="distance at which the strength holds; nearer it grows no more")
    falloff: GravityFalloff3D = field(GravityFalloff3D.SQUARE, doc="how it changes with the distance")
    reach: float = field(0.0, unit="m", low=0, doc="beyond which it does not act", meanings={0: "any distance"})


AREAS: tuple[type, ...] = (WindArea3D, WaterArea3D, GravityPoint3D)
