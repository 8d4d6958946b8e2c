"""Physics in three dimensions for Rish: rigid bodies, contacts, events and queries.

The conventions are those of `rish_space3d`: y points up, right-handed, meters, quaternions x y z w.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import geometry
    from .components.bodies import Body3D, BodyType3D, Collider3D, ColliderShape3D
    from .components.events import ContactBegin3D, ContactEnd3D, JointBroke3D, SensorBegin3D, SensorEnd3D
    from .components.joints import (
        BallJoint3D,
        DistanceJoint3D,
        HingeJoint3D,
        MouseJoint3D,
        SliderJoint3D,
        WeldJoint3D,
        WheelJoint3D,
    )
    from .components.settings import Physics3DSettings
    from .queries.answers import Overlaps3D, RayHit3D, RayHits3D
    from .queries.queries import (
        overlap_box_3d,
        overlap_point_3d,
        overlap_shape_3d,
        overlap_sphere_3d,
        ray_cast_3d,
        ray_cast_all_3d,
        shape_cast_3d,
        shape_cast_all_3d,
    )

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "components.bodies": "Body3D BodyType3D Collider3D ColliderShape3D",
        "components.events": "ContactBegin3D ContactEnd3D JointBroke3D SensorBegin3D SensorEnd3D",
        "components.joints": (
            "BallJoint3D DistanceJoint3D HingeJoint3D MouseJoint3D SliderJoint3D WeldJoint3D WheelJoint3D"
        ),
        "components.settings": "Physics3DSettings",
        "queries.answers": "Overlaps3D RayHit3D RayHits3D",
        "queries.queries": "overlap_box_3d overlap_point_3d overlap_shape_3d overlap_sphere_3d ray_cast_3d "
        "ray_cast_all_3d shape_cast_3d shape_cast_all_3d",
    },
    modules=("geometry",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
