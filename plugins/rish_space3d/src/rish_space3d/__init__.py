"""Space in three dimensions: transforms with quaternions, poses between ticks, rays, and a tree of boxes.

Nothing here draws. The conventions are those of glTF: y points up, right-handed, meters, quaternions x y z w.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import outlines, quaternions
    from .bounds import Bounds3D
    from .bvh.tree import Bvh, Hits, prepare_bvh
    from .components import Flat, Plane, Transform3D, teleport_3d
    from .interpolation import WorldMatrices3D, interpolate_poses_3d, matrices_of
    from .matrices import local_matrices, product, world_matrices_3d
    from .models.loading import load_model
    from .models.names import MODEL_SHAPES, MODEL_SUFFIXES, unknown_model, unknown_part
    from .models.shapes import ShapeMesh, shape_mesh
    from .models.triangles import ModelTriangles, check_model_name, model_triangles
    from .poses import (
        local_poses,
        poses_at,
        quaternion_product,
        quaternion_turned,
        quaternion_unit,
        unit_quaternions,
        world_poses,
    )
    from .rays import camera_rays, frustum_planes
    from .tool_view import SpaceView, ToolView3D, to_pixels

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "bounds": "Bounds3D",
        "bvh.tree": "Bvh Hits prepare_bvh",
        "components": "Flat Plane Transform3D teleport_3d",
        "matrices": "local_matrices product world_matrices_3d",
        "models.loading": "load_model",
        "models.names": "MODEL_SHAPES MODEL_SUFFIXES unknown_model unknown_part",
        "models.shapes": "ShapeMesh shape_mesh",
        "models.triangles": "ModelTriangles check_model_name model_triangles",
        "interpolation": "WorldMatrices3D interpolate_poses_3d matrices_of",
        "poses": (
            "local_poses poses_at quaternion_product quaternion_turned quaternion_unit unit_quaternions world_poses"
        ),
        "rays": "camera_rays frustum_planes",
        "tool_view": "SpaceView ToolView3D to_pixels",
    },
    modules=("outlines", "quaternions"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
