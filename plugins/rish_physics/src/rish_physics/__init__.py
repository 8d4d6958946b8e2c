"""Physics for Rish: rigid bodies, joints, queries and events in 2D.

Every public name stands here; a module is imported when one of its names is first used::

    from rish_physics import Body, Collider, apply_impulse, ray_cast
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from . import teach
    from .areas import GravityFalloff, GravityPoint, WaterArea, WindArea
    from .character import Character
    from .components import Body, BodyType, Collider, ColliderShape
    from .debug import DebugView
    from .events import (
        ContactBegin,
        ContactEnd,
        ContactStay,
        FellAsleep,
        Hit,
        JointBroke,
        SensorBegin,
        SensorEnd,
        SensorStay,
        WokeUp,
    )
    from .forces import apply_angular_impulse, apply_force, apply_impulse, apply_torque, explode
    from .integrators import INTEGRATORS, explicit_euler, fly, runge_kutta_4, semi_implicit_euler
    from .joints.components import (
        DistanceJoint,
        GearJoint,
        MotorJoint,
        MouseJoint,
        PrismaticJoint,
        RatchetJoint,
        RevoluteJoint,
        WeldJoint,
        WheelJoint,
    )
    from .queries import (
        overlap_box,
        overlap_circle,
        overlap_point,
        overlap_shape,
        pick,
        ray_cast,
        ray_cast_all,
        shape_cast,
        shape_cast_all,
    )
    from .query_answers import Overlaps, RayHit, RayHits
    from .settings import Correction, FrictionMix, PhysicsSettings, RestitutionMix
    from .teleport import teleport_bodies
    from .timings import Timings
    from .touches import Touches, contacts_of, overlaps_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "areas": "GravityFalloff GravityPoint WaterArea WindArea",
        "character": "Character",
        "components": "Body BodyType Collider ColliderShape",
        "debug": "DebugView",
        "events": "ContactBegin ContactEnd ContactStay FellAsleep Hit JointBroke SensorBegin SensorEnd "
        "SensorStay WokeUp",
        "forces": "apply_angular_impulse apply_force apply_impulse apply_torque explode",
        "integrators": "INTEGRATORS explicit_euler fly runge_kutta_4 semi_implicit_euler",
        "joints.components": "DistanceJoint GearJoint MotorJoint MouseJoint PrismaticJoint RatchetJoint "
        "RevoluteJoint WeldJoint WheelJoint",
        "queries": "overlap_box overlap_circle overlap_point "
        "overlap_shape pick ray_cast ray_cast_all shape_cast "
        "shape_cast_all ",
        "query_answers": "Overlaps RayHit RayHits",
        "settings": "Correction FrictionMix RestitutionMix PhysicsSettings",
        "teleport": "teleport_bodies",
        "timings": "Timings",
        "touches": "Touches contacts_of overlaps_of",
    },
    modules=("teach",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
