"""Physics in three dimensions for Rish: rigid bodies, contacts, events and queries.

The conventions are those of `rish_space3d`: y points up, right-handed, meters, quaternions x y z w.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import geometry, testing
    from .bodies.layout import Layout
    from .bodies.models import ColliderModels3D
    from .bodies.outlines import collider_outlines_3d
    from .bodies.placed import PlacedShape, placed_shapes
    from .components.areas import GravityFalloff3D, GravityPoint3D, WaterArea3D, WindArea3D
    from .components.bodies import Body3D, BodyType3D, Collider3D, ColliderShape3D
    from .components.characters import Character3D
    from .components.contract import (
        CAPABILITIES,
        CONTRACT,
        NAMESPACE,
        PHYSICS3D_COMPONENTS,
        PHYSICS3D_EVENTS,
        VERSION,
        Capability,
        provides,
        warn_of_unsupported,
    )
    from .components.events import (
        ContactBegin3D,
        ContactEnd3D,
        FellAsleep3D,
        JointBroke3D,
        SensorBegin3D,
        SensorEnd3D,
        WokeUp3D,
    )
    from .components.filters import layer_names
    from .components.joints import (
        BallJoint3D,
        DistanceJoint3D,
        HingeJoint3D,
        MouseJoint3D,
        SliderJoint3D,
        WeldJoint3D,
        WheelJoint3D,
    )
    from .components.notices import Notices3D, notify
    from .components.settings import Method3D, Physics3DSettings
    from .forces.forces import (
        apply_angular_impulse_3d,
        apply_force_3d,
        apply_impulse_3d,
        apply_torque_3d,
        explode_3d,
        masses_of_3d,
        velocities_at_3d,
    )
    from .forces.teleport import teleport_bodies_3d
    from .joints.sketches import JointSketch3D, joint_sketches_3d, move_anchor_3d
    from .plugin.debug import DebugView3D
    from .queries.answers import Overlaps3D, RayHit3D, RayHits3D
    from .queries.queries import (
        overlap_box_3d,
        overlap_point_3d,
        overlap_shape_3d,
        overlap_sphere_3d,
        pick_body_3d,
        ray_cast_3d,
        ray_cast_all_3d,
        shape_cast_3d,
        shape_cast_all_3d,
    )
    from .queries.touches import contacts_of_3d, overlaps_of_3d

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "components.areas": "GravityFalloff3D GravityPoint3D WaterArea3D WindArea3D",
        "components.bodies": "Body3D BodyType3D Collider3D ColliderShape3D",
        "components.characters": "Character3D",
        "components.events": (
            "ContactBegin3D ContactEnd3D FellAsleep3D JointBroke3D SensorBegin3D SensorEnd3D WokeUp3D"
        ),
        "components.filters": "layer_names",
        "components.joints": (
            "BallJoint3D DistanceJoint3D HingeJoint3D MouseJoint3D SliderJoint3D WeldJoint3D WheelJoint3D"
        ),
        "components.notices": "Notices3D notify",
        "components.settings": "Method3D Physics3DSettings",
        "components.contract": "CAPABILITIES CONTRACT Capability NAMESPACE PHYSICS3D_COMPONENTS PHYSICS3D_EVENTS "
        "VERSION provides warn_of_unsupported",
        "bodies.layout": "Layout",
        "bodies.models": "ColliderModels3D",
        "bodies.outlines": "collider_outlines_3d",
        "bodies.placed": "PlacedShape placed_shapes",
        "forces.forces": "apply_angular_impulse_3d apply_force_3d apply_impulse_3d apply_torque_3d explode_3d "
        "masses_of_3d velocities_at_3d",
        "forces.teleport": "teleport_bodies_3d",
        "joints.sketches": "JointSketch3D joint_sketches_3d move_anchor_3d",
        "plugin.debug": "DebugView3D",
        "queries.answers": "Overlaps3D RayHit3D RayHits3D",
        "queries.touches": "contacts_of_3d overlaps_of_3d",
        "queries.queries": "overlap_box_3d overlap_point_3d overlap_shape_3d overlap_sphere_3d pick_body_3d "
        "ray_cast_3d ray_cast_all_3d shape_cast_3d shape_cast_all_3d",
    },
    modules=("geometry", "testing"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
