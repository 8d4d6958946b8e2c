"""What a step tells: which colliders began or ceased to touch."""

from __future__ import annotations

from rish_core import Entity, Vec3, event


@event
class ContactBegin3D:
    """Two colliders began to touch. point: the middle of their points. normal: from a to b."""

    a: Entity
    b: Entity
    point: Vec3
    normal: Vec3
    speed: float
    """The speed at which the bodies approached each other at the first point, m/s."""


@event
class ContactEnd3D:
    """Two colliders no longer touch, or one of them is gone."""

    a: Entity
    b: Entity
