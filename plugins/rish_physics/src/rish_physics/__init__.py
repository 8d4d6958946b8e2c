"""Physics for Rish: rigid bodies, joints, queries and events in 2D.

This package exports every public name; a module is imported when one of its names is first used::

    from rish_physics import Body, Collider, apply_impulse, ray_cast
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from rish_dynamics import SensorOverlaps, Touches

    from . import testing
    from .bodies.solids import Solids, read_solids, world_centers, world_poses, write_poses
    from .bodies.tool_shapes import JointSketch, collider_outlines, joint_sketches, move_anchor
    from .components.bodies import Body, BodyType, Collider, ColliderShape
    from .components.ground import GROUND_FRICTION, GroundChains
    from .components.joints import (
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
    from .components.notices import Notices, notify
    from .components.settings import Correction, FrictionMix, PhysicsSettings, RestitutionMix
    from .components.teleports import Jumps
    from .components.timings import Timings
    from .components.units import Scaled, scaled_of
    from .contacts.events import (
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
    from .forces.character import Character
    from .forces.forces import apply_angular_impulse, apply_force, apply_impulse, apply_torque, explode, masses_of
    from .forces.integrators import INTEGRATORS, explicit_euler, fly, runge_kutta_4, semi_implicit_euler
    from .forces.teleport import teleport_bodies
    from .plugin.contract import (
        CAPABILITIES,
        CONTRACT,
        NAMESPACE,
        PHYSICS_COMPONENTS,
        PHYSICS_EVENTS,
        VERSION,
        Capability,
        check_physics,
        layer_names,
        provides,
        warn_of_unsupported,
    )
    from .plugin.debug import DebugView
    from .queries.answers import Overlaps, RayHit, RayHits
    from .queries.queries import (
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
    from .queries.touches import contacts_of, overlaps_of
    from .sync.areas import GravityFalloff, GravityPoint, WaterArea, WindArea
    from .sync.tilemap import publish_sides

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "bodies.tool_shapes": "JointSketch collider_outlines joint_sketches move_anchor",
        "sync.areas": "GravityFalloff GravityPoint WaterArea WindArea",
        "forces.character": "Character",
        "components.bodies": "Body BodyType Collider ColliderShape",
        "plugin.debug": "DebugView",
        "contacts.events": "ContactBegin ContactEnd ContactStay FellAsleep Hit JointBroke SensorBegin SensorEnd "
        "SensorStay WokeUp",
        "forces.forces": "apply_angular_impulse apply_force apply_impulse apply_torque explode masses_of",
        "forces.integrators": "INTEGRATORS explicit_euler fly runge_kutta_4 semi_implicit_euler",
        "components.ground": "GROUND_FRICTION GroundChains",
        "components.joints": "DistanceJoint GearJoint MotorJoint MouseJoint PrismaticJoint RatchetJoint "
        "RevoluteJoint WeldJoint WheelJoint",
        "queries.queries": "overlap_box overlap_circle overlap_point "
        "overlap_shape pick ray_cast ray_cast_all shape_cast "
        "shape_cast_all ",
        "queries.answers": "Overlaps RayHit RayHits",
        "components.settings": "Correction FrictionMix RestitutionMix PhysicsSettings",
        "forces.teleport": "teleport_bodies",
        "components.timings": "Timings",
        "queries.touches": "contacts_of overlaps_of",
        "=rish_dynamics": "SensorOverlaps Touches",
        "sync.tilemap": "publish_sides",
        "bodies.solids": "Solids read_solids world_centers world_poses write_poses",
        "components.teleports": "Jumps",
        "components.notices": "Notices notify",
        "components.units": "Scaled scaled_of",
        "plugin.contract": "CAPABILITIES CONTRACT Capability NAMESPACE PHYSICS_COMPONENTS PHYSICS_EVENTS VERSION "
        "check_physics layer_names provides warn_of_unsupported",
    },
    modules=("testing",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
