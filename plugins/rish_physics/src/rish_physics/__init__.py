"""Physics for Rish: rigid bodies, joints, queries and events in 2D.

Every public name stands here; a module is imported when one of its names is first used::

    from rish_physics import Body, Collider, apply_impulse, ray_casts
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .areas import Falloff, GravityPoint, WaterArea, WindArea
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
    from .integrators import explicit_euler, fly, runge_kutta_4, semi_implicit_euler
    from .joints.components import (
        Distance,
        Gear,
        MotorJoint,
        MouseJoint,
        Prismatic,
        Ratchet,
        Revolute,
        Weld,
        Wheel,
    )
    from .queries import (
        overlap_box,
        overlap_boxes,
        overlap_circle,
        overlap_circles,
        overlap_point,
        overlap_points,
        overlap_shape,
        overlap_shapes,
        pick,
        picks,
        ray_cast,
        ray_cast_all,
        ray_casts,
        ray_casts_all,
        shape_cast,
        shape_cast_all,
        shape_casts,
    )
    from .query_answers import Overlaps, RayHit, RayHits
    from .settings import Correction, FrictionMix, RestitutionMix, Settings
    from .teleport import teleport
    from .timings import Timings
    from .touches import Touches, contacts_of, overlaps_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "areas": "Falloff GravityPoint WaterArea WindArea",
        "character": "Character",
        "components": "Body BodyType Collider ColliderShape",
        "debug": "DebugView",
        "events": "ContactBegin ContactEnd ContactStay FellAsleep Hit JointBroke SensorBegin SensorEnd "
        "SensorStay WokeUp",
        "forces": "apply_angular_impulse apply_force apply_impulse apply_torque explode",
        "integrators": "explicit_euler fly runge_kutta_4 semi_implicit_euler",
        "joints.components": "Distance Gear MotorJoint MouseJoint Prismatic Ratchet Revolute Weld Wheel",
        "queries": "overlap_box overlap_boxes overlap_circle overlap_circles overlap_point overlap_points "
        "overlap_shape overlap_shapes pick picks ray_cast ray_cast_all ray_casts ray_casts_all shape_cast "
        "shape_cast_all shape_casts",
        "query_answers": "Overlaps RayHit RayHits",
        "settings": "Correction FrictionMix RestitutionMix Settings",
        "teleport": "teleport",
        "timings": "Timings",
        "touches": "Touches contacts_of overlaps_of",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
