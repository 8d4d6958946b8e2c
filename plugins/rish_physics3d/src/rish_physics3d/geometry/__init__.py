"""Geometry that is computed once for a shape: convex hulls, masses, parts below water, and boxes,
spheres and capsules around points."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .fitting import (
        BoundingCapsule,
        BoundingSphere,
        OrientedBox,
        aligned_box,
        bounding_capsule,
        bounding_sphere,
        oriented_box,
    )
    from .hulls import Hull, box_hull, hull_mass, hull_of, hull_triangles
    from .immersion import ball_below, capsule_faces, faces_below
    from .masses import (
        MassData,
        box_mass,
        capsule_mass,
        combine_masses,
        mesh_mass,
        move_mass,
        principal_axes,
        scale_mass,
        sphere_mass,
    )

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "fitting": "BoundingCapsule BoundingSphere OrientedBox aligned_box bounding_capsule bounding_sphere "
        "oriented_box",
        "hulls": "Hull box_hull hull_mass hull_of hull_triangles",
        "immersion": "ball_below capsule_faces faces_below",
        "masses": "MassData box_mass capsule_mass combine_masses mesh_mass move_mass principal_axes scale_mass "
        "sphere_mass",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
