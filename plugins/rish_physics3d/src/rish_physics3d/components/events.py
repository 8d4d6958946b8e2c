"""What a step tells: which colliders began or ceased to touch, or to overlap a sensor, which bodies fell asleep
or woke, and which joints broke.

Ends come before begins. All are emitted on demand: only if a system of the simulation declares that it reads them.
"""

from __future__ import annotations

from rish_core import Entity, Vec3, event, field

_A = "entity of a collider"
_B = "entity of the other collider"


@event(on_demand=True, script="on_contact_begin")
class ContactBegin3D:
    """Two colliders began to touch."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    point: Vec3 = field(unit="m", doc="the first point, in the world")
    normal: Vec3 = field(doc="from a to b")
    speed: float = field(unit="m/s", doc="at which the bodies approached each other there")


@event(on_demand=True, script="on_contact_end")
class ContactEnd3D:
    """Two colliders no longer touch, or one of them is gone."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)


@event(on_demand=True, script="on_sleep")
class FellAsleep3D:
    """A body came to rest and fell asleep."""

    body: Entity = field(doc="its entity")


@event(on_demand=True, script="on_wake")
class WokeUp3D:
    """A sleeping body woke up."""

    body: Entity = field(doc="its entity")


@event(on_demand=True, script="on_joint_break")
class JointBroke3D:
    """A joint was removed: its load exceeded its limit, or one of its bodies was removed."""

    joint: Entity = field(doc="its entity")
    a: Entity = field(doc="entity of the first body")
    b: Entity = field(doc="entity of the second body")
    force: float = field(unit="N", doc="with which it held when it broke; 0 where a body went")
    torque: float = field(unit="N·m", doc="likewise")


@event(on_demand=True, script="on_sensor_begin")
class SensorBegin3D:
    """A shape began to overlap a sensor."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it notices")


@event(on_demand=True, script="on_sensor_end")
class SensorEnd3D:
    """A shape no longer overlaps a sensor, or one of the two is gone."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it noticed")
