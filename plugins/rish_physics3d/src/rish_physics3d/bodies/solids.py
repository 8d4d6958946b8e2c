"""What a collider is made of: its shape, mass and hull, computed once for all colliders that are alike."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_ecs import UsageError
from rish_jit import Array

from ..components.bodies import ColliderShape3D
from ..contacts.shapes import BOX, CAPSULE, HULL, MESH, PLANE, SPHERE
from ..geometry.hulls import Hull, box_hull, hull_mass, hull_of
from ..geometry.masses import MassData, box_mass, capsule_mass, scale_mass, sphere_mass
from ..geometry.meshes import TriangleMesh, grid_points, grid_triangles, triangle_mesh

_NUMBERS = {
    ColliderShape3D.BOX: BOX,
    ColliderShape3D.SPHERE: SPHERE,
    ColliderShape3D.CAPSULE: CAPSULE,
    ColliderShape3D.HULL: HULL,
    ColliderShape3D.PLANE: PLANE,
    ColliderShape3D.MESH: MESH,
    ColliderShape3D.HEIGHTFIELD: MESH,
}
KINDS = [_NUMBERS[shape] for shape in ColliderShape3D]
"""The kinds of `contacts.shapes` by the numbers of `ColliderShape3D`."""
_LEAST, _MOST = 1e-6, 1e9
"""The least and the greatest length of a shape, m: its mass and inertia have to be float32 numbers."""
_NO_MASS = MassData(0.0, np.zeros(3), np.zeros((3, 3)))


@dataclass(frozen=True, slots=True)
class Solid:
    """A shape around the origin of its collider.

    kind: of `contacts.shapes`. size: of that kind, 3 numbers. mass: with its density. hull: of boxes and hulls, else
    None. center: where the origin of the hull or mesh is. radius: the greatest distance of a point from the origin.
    mesh: of meshes and heightfields, else None.
    """

    kind: int
    size: tuple[float, float, float]
    mass: MassData
    hull: Hull | None
    center: tuple[float, float, float]
    radius: float
    mesh: TriangleMesh | None = None


@functools.lru_cache(4096)
def solid_of(shape: int, size: bytes, radius: float, points: bytes, density: float, scale: bytes) -> Solid:
    """Return the solid of a collider.

    shape: number of a `ColliderShape3D`. size, scale: 3 float64; points: float64, 3 a point. A sphere or capsule gets
    the greatest of the scales. Raises UsageError for sizes or points that are no solid.
    """
    kind = KINDS[shape]
    factors: Array = np.abs(np.frombuffer(scale, np.float64))
    if kind == BOX:
        half: Array = np.frombuffer(size, np.float64) * factors / 2
        _check_lengths("box", 2 * half)
        hull = box_hull(half)
        return Solid(kind, _three(half), scale_mass(box_mass(half), density), hull, (0.0, 0.0, 0.0), hull.radius)
    if kind == PLANE:
        return Solid(kind, (0.0, 0.0, 0.0), _NO_MASS, None, (0.0, 0.0, 0.0), float("inf"))
    if kind == HULL:
        corners: Array = np.frombuffer(points, np.float64).reshape(-1, 3) * np.frombuffer(scale, np.float64)
        return hull_solid(corners, density)
    factor = float(factors.max())
    thick = radius * factor
    _check_lengths("sphere" if kind == SPHERE else "capsule", np.array([2 * thick]))
    if kind == SPHERE:
        return Solid(kind, (thick, 0.0, 0.0), scale_mass(sphere_mass(thick), density), None, (0.0, 0.0, 0.0), thick)
    half_length = max(float(np.frombuffer(size, np.float64)[1]) * factor / 2 - thick, 0.0)
    mass = capsule_mass((0.0, -half_length, 0.0), (0.0, half_length, 0.0), thick)
    return Solid(kind, (thick, half_length, 0.0), scale_mass(mass, density), None, (0.0, 0.0, 0.0), half_length + thick)


def _check_lengths(what: str, lengths: Array) -> None:
    """Raise UsageError if one of the lengths of a shape is too small or too large to be simulated."""
    if not ((lengths >= _LEAST) & (lengths <= _MOST)).all():
        sides = " x ".join(f"{each:g}" for each in lengths)
        raise UsageError(
            f"a {what} of {sides} m, with the scale of its Transform3D, can't be simulated",
            hint=f"Lengths are {_LEAST:g} to {_MOST:g} m",
        )


def hull_solid(corners: Array, density: float) -> Solid:
    """Return the solid of the hull of points (n, 3) float64. Raises UsageError if they enclose no volume."""
    hull = hull_of(corners)
    mass = hull_mass(hull)
    moved = MassData(mass.mass, mass.center + hull.center, mass.inertia)
    far = float(np.sqrt((corners * corners).sum(axis=1).max()))
    return Solid(HULL, (0.0, 0.0, 0.0), scale_mass(moved, density), hull, _three(hull.center), far)


@functools.lru_cache(256)
def mesh_solid(points: bytes, triangles: bytes, scale: bytes) -> Solid:
    """Return the solid of a mesh. points, scale: float64, 3 each. triangles: int32, 3 each. Raises UsageError."""
    factors: Array = np.frombuffer(scale, np.float64)
    corners: Array = np.frombuffer(points, np.float64).reshape(-1, 3) * factors
    indices: Array = np.frombuffer(triangles, np.int32)
    if len(indices) % 3:
        raise UsageError(f"{len(indices)} indices are no triangles", hint="Give three indices for each triangle")
    return mesh_of(corners, indices.reshape(-1, 3), factors)


def mesh_of(corners: Array, triangles: Array, scale: Array, *, allow_twisted: bool = False) -> Solid:
    """Return the solid of a mesh. corners: float64 (n, 3), scaled by `scale`. triangles: (t, 3).

    A scale that mirrors turns the triangles over, so that their outside stays outside. allow_twisted: see
    `triangle_mesh`. Raises UsageError.
    """
    faces = triangles[:, ::-1] if np.prod(np.sign(scale)) < 0 else triangles
    return _solid_of_mesh(triangle_mesh(corners, faces, allow_twisted=allow_twisted))


@functools.lru_cache(256)
def field_solid(heights: bytes, columns: int, cell: float, scale: bytes) -> Solid:
    """Return the solid of a heightfield. heights: float32. scale: 3 float64. Raises UsageError."""
    values: Array = np.frombuffer(heights, np.float32).astype(np.float64)
    corners = grid_points(values, columns, cell) * np.frombuffer(scale, np.float64)
    faces = grid_triangles(len(values) // columns, columns)
    x, _, z = np.sign(np.frombuffer(scale, np.float64)).tolist()
    return _solid_of_mesh(triangle_mesh(corners, faces[:, ::-1] if x * z < 0 else faces))


def _solid_of_mesh(mesh: TriangleMesh) -> Solid:
    far = float(np.sqrt((mesh.center * mesh.center).sum()) + np.sqrt((mesh.half * mesh.half).sum()))
    return Solid(MESH, _three(mesh.half), _NO_MASS, None, _three(mesh.center), far, mesh)


def _three(values: Any) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, np.float64).tolist()
    return x, y, z
