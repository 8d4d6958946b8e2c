"""Volume, center of mass and inertia tensor of solid shapes.

Everything is computed in float64 for a density of 1; `scale_mass` multiplies mass and inertia by a density. Spheres,
capsules and boxes have the formulas of the textbook. A mesh is the sum of the tetrahedra between a point and each
triangle, with signs (Lien and Kajiya, A Symbolic Method for Calculating the Integral Properties of Arbitrary Nonconvex
Polyhedra, 1984). Sums over triangles are rounded once (`math.fsum`), so their order does not matter.

An inertia tensor I is symmetric, about the center of mass: a body that spins with ω has the angular momentum I ω.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError
from rish_jit import maths
from rish_space3d import quaternions

from .quickhull import Given, cross, dot, points_of, squares

Array = npt.NDArray[Any]

_HOLLOW = 1e-9
"""A mesh whose volume is less than this share of that of the box around it encloses none."""
_ZERO = 1e-20
"""An element beside the diagonal is 0 up to this share of the largest element."""
_SWEEPS = 32
"""Jacobi's method has found the axes of a 3×3 matrix to the last digit after about six sweeps."""


@dataclass(frozen=True, slots=True, eq=False)
class MassData:
    """Mass, center of mass and inertia of a solid body."""

    mass: float
    """Volume × density."""
    center: Array
    """The center of mass, (3,) float64."""
    inertia: Array
    """The inertia tensor about the center of mass along the coordinate axes, (3, 3) float64, symmetric."""


def sphere_mass(radius: float) -> MassData:
    """Return the mass data of a sphere of density 1 around the origin."""
    mass = 4 / 3 * maths.PI * radius * radius * radius
    return MassData(mass, np.zeros(3), np.eye(3) * (0.4 * mass * radius * radius))


def box_mass(half_extents: Sequence[float] | Array) -> MassData:
    """Return the mass data of a box of density 1 around the origin with sides of twice `half_extents` (3)."""
    x, y, z = (float(half) for half in half_extents)
    mass = 8 * x * y * z
    return MassData(mass, np.zeros(3), np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * (mass / 3))


def capsule_mass(start: Sequence[float] | Array, end: Sequence[float] | Array, radius: float) -> MassData:
    """Return the mass data of a capsule of density 1: a segment from `start` to `end` (3), rounded by a radius.

    It is a cylinder with a half sphere at each end. If the ends are equal, it is a sphere.
    """
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.sqrt(squares(b - a)))
    r2 = radius * radius
    cylinder, sphere = maths.PI * r2 * length, 4 / 3 * maths.PI * r2 * radius
    along = cylinder * r2 / 2 + sphere * 0.4 * r2
    # The center of a half sphere is 3/8 r beyond the end of the cylinder.
    beside = cylinder * (r2 / 4 + length * length / 12)
    beside += sphere * (0.4 * r2 + length * length / 4 + 0.375 * length * radius)
    axis = (b - a) / (length or 1.0)
    inertia = np.eye(3) * beside + axis[:, None] * axis * (along - beside)
    return MassData(cylinder + sphere, (a + b) / 2, inertia)


def mesh_mass(points: Given, triangles: Sequence[Sequence[int]] | Array) -> MassData:
    """Return the mass data of a closed mesh of density 1.

    points: (n, 3); triangles: (t, 3) indices, counter-clockwise seen from outside. Points at exactly the same place
    count as one, as meshes repeat a point for each of its normals. Raises UsageError if the mesh is open, if adjacent
    triangles face opposite sides, if all triangles face inwards, or if it encloses no volume.
    """
    given = points_of(points)
    faces = triangles_of(triangles, len(given))
    _check_closed(given, faces)
    data = solid_mass(given, faces)
    box = np.ptp(given, axis=0)
    if abs(data.mass) <= _HOLLOW * float(box[0] * box[1] * box[2]):
        raise UsageError("the mesh encloses no volume", hint="Give it a thickness, or use it as a static mesh")
    if data.mass < 0:
        raise UsageError(
            "the mesh is inside out: its triangles are clockwise seen from outside",
            hint="Flip the normals in the program that made it",
        )
    return data


def solid_mass(points: Array, triangles: Array) -> MassData:
    """Return what `mesh_mass` does for triangles that are known to enclose a volume, without any checks.

    points: (n, 3) float; triangles: (t, 3) int. The mass of a mesh that is inside out is negative.
    """
    exact = np.asarray(points, np.float64)
    origin = (exact.min(0) + exact.max(0)) / 2
    a, b, c = (exact[triangles[:, k]] - origin for k in range(3))
    six_volumes = dot(a, cross(b, c))
    total = a + b + c
    mass = math.fsum(six_volumes.tolist()) / 6
    center = np.array([math.fsum((six_volumes * total[:, k]).tolist()) for k in range(3)])
    center /= 24 * mass if mass else 1.0
    # ∫ x xᵀ over the tetrahedron (0, a, b, c) is its volume / 20 · (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c.
    moments = np.empty((3, 3))
    for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        products = a[:, i] * a[:, k] + b[:, i] * b[:, k] + c[:, i] * c[:, k] + total[:, i] * total[:, k]
        moments[i, k] = moments[k, i] = math.fsum((six_volumes * products).tolist()) / 120
    moments -= mass * (center[:, None] * center)
    return MassData(mass, origin + center, _inertia_of(moments))


def scale_mass(data: MassData, density: float) -> MassData:
    """Return mass data with mass and inertia multiplied by a density."""
    return MassData(data.mass * density, data.center, data.inertia * density)


def move_mass(
    data: MassData,
    position: Sequence[float] | Array = (0.0, 0.0, 0.0),
    rotation: Sequence[float] | Array = (0.0, 0.0, 0.0, 1.0),
) -> MassData:
    """Return the mass data of a body that is turned by a quaternion (x, y, z, w) of length 1, then moved."""
    turn = quaternions.to_matrix(rotation)
    turned = _product(_product(turn, data.inertia), turn.T)
    center = np.asarray(position, np.float64) + quaternions.turned(rotation, data.center)
    return MassData(data.mass, center, (turned + turned.T) / 2)


def combine_masses(parts: Sequence[MassData]) -> MassData:
    """Return the mass data of a body of several parts, by the parallel axis theorem. Parts that overlap count twice."""
    mass = math.fsum(part.mass for part in parts)
    if not mass > 0:
        raise UsageError(f"{len(parts)} parts have a mass of {mass:g} together", hint="Give one of them a density")
    center = np.array([math.fsum(part.mass * float(part.center[k]) for part in parts) / mass for k in range(3)])
    inertia = np.zeros((3, 3))
    for part in parts:
        offset = part.center - center
        inertia += part.inertia + _inertia_of(part.mass * (offset[:, None] * offset))
    return MassData(mass, center, inertia)


def principal_axes(tensor: Array) -> tuple[Array, Array]:
    """Return the principal moments of a symmetric matrix (3, 3), and the axes that they belong to, as a quaternion.

    moments: (3,) float64; axes: (4,) float64. The quaternion turns the coordinate axes to the principal axes: with its
    matrix R the tensor is R · diag(moments) · Rᵀ. Of the 24 rotations that do this the smallest is returned, with
    w ≥ 0, so a diagonal tensor keeps its order and has (0, 0, 0, 1). If moments are equal, their axes are any that fit.
    Uses Jacobi's rotations (Golub and Van Loan, Matrix Computations, section 8.5). The arrays are stored, and can't be
    written.
    """
    return _axes_of(np.asarray(tensor, np.float64).tobytes())


@functools.lru_cache(256)
def _axes_of(tensor_bytes: bytes) -> tuple[Array, Array]:
    """Return what `principal_axes` returns for a matrix as bytes."""
    tensor = np.frombuffer(tensor_bytes).reshape(3, 3)
    scale = float(np.abs(tensor).max()) or 1.0
    matrix: list[list[float]] = (tensor / scale).tolist()
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(_SWEEPS):
        if matrix[0][1] == matrix[0][2] == matrix[1][2] == 0:
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            _turn_pair(matrix, axes, p, q)
    moments = np.array([matrix[k][k] * scale for k in range(3)])
    order, quaternion = smallest_rotation(np.array(axes))
    moments = moments[order]
    moments.flags.writeable = quaternion.flags.writeable = False
    return moments, quaternion


def smallest_rotation(axes: Array) -> tuple[list[int], Array]:
    """Return the smallest rotation from the coordinate axes to orthogonal axes in any order and with any sign.

    axes: (3, 3), unit vectors as columns. Returns the order of the columns, and the quaternion (4,), w ≥ 0. The first
    order is taken if several are equal.
    """
    best, order, rotation = -4.0, [0, 1, 2], axes
    for permutation in itertools.permutations(range(3)):
        columns = axes[:, permutation]
        # The smallest rotation is by at most 62.8°: its trace 1 + 2 cos(angle) is above 1, which that of no reflection
        # is, and each axis points along its coordinate axis, not against it.
        signed = columns * np.where(np.diagonal(columns) < 0, -1.0, 1.0)
        trace = float(signed[0, 0] + signed[1, 1] + signed[2, 2])
        if trace > best + 1e-12:
            best, order, rotation = trace, list(permutation), signed
    quaternion = quaternions.from_matrix(rotation)
    return order, -quaternion if quaternion[3] < 0 else quaternion


def _turn_pair(matrix: list[list[float]], axes: list[list[float]], p: int, q: int) -> None:
    """Rotate in the plane of p and q so that the element [p][q] of the symmetric matrix becomes 0."""
    off = matrix[p][q]
    if abs(off) <= _ZERO:
        matrix[p][q] = matrix[q][p] = 0.0
        return
    # half / off is the cotangent of twice the angle, and t the tangent of the angle, at most 1.
    half = (matrix[q][q] - matrix[p][p]) / 2
    root = math.sqrt(half * half + off * off)
    t = off / (half + root) if half >= 0 else off / (half - root)
    cosine = 1 / math.sqrt(1 + t * t)
    sine = t * cosine
    r = 3 - p - q
    matrix[p][p] -= t * off
    matrix[q][q] += t * off
    matrix[p][q] = matrix[q][p] = 0.0
    to_p, to_q = matrix[r][p], matrix[r][q]
    matrix[r][p] = matrix[p][r] = cosine * to_p - sine * to_q
    matrix[r][q] = matrix[q][r] = sine * to_p + cosine * to_q
    for row in axes:
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]


def _inertia_of(moments: Array) -> Array:
    """Return the inertia tensor of the integral of x xᵀ: its trace on the diagonal, minus itself."""
    return np.eye(3) * (moments[0, 0] + moments[1, 1] + moments[2, 2]) - moments


def _product(a: Array, b: Array) -> Array:
    """Return the product of 3×3 matrices with the same bits on every processor, unlike BLAS."""
    return a[:, :1] * b[:1] + a[:, 1:2] * b[1:2] + a[:, 2:] * b[2:]


def triangles_of(triangles: Sequence[Sequence[int]] | Array, count: int) -> Array:
    """Return triangles as int64 (t, 3). Raises UsageError if they are not indices of `count` points."""
    try:
        faces = np.array(triangles)
    except ValueError:
        faces = np.zeros(0)
    if faces.ndim != 2 or faces.shape[-1] != 3 or len(faces) == 0 or faces.dtype.kind not in "iu":
        raise UsageError("a mesh has a list of triangles, each of three indices", hint="Write [[0, 1, 2], ...]")
    bad = np.flatnonzero(((faces < 0) | (faces >= count)).any(1))
    if len(bad):
        raise UsageError(
            f"triangle {bad[0]} of the mesh, {faces[bad[0]].tolist()}, is not of three of the {count} points",
            hint=f"Use indices from 0 to {count - 1}",
        )
    return faces.astype(np.int64)


def _check_closed(points: Array, triangles: Array) -> None:
    """Raise UsageError unless each edge has as many triangles on its left as on its right."""
    _, first, place = np.unique(points, axis=0, return_index=True, return_inverse=True)
    corners = place.reshape(-1)[triangles]
    corners = corners[(corners != np.roll(corners, 1, 1)).all(1)]
    starts, ends = corners.reshape(-1), np.roll(corners, -1, 1).reshape(-1)
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    edges, which = np.unique(low * len(points) + high, return_inverse=True)
    balance = np.bincount(which, np.where(starts < ends, 1, -1), len(edges))
    odd = np.flatnonzero(balance)
    if len(odd) == 0:
        return
    edge = int(odd[0])
    a, b = (points[first[int(k)]] for k in divmod(int(edges[edge]), len(points)))
    where = f"({a[0]:g}, {a[1]:g}, {a[2]:g}) to ({b[0]:g}, {b[1]:g}, {b[2]:g})"
    if int(np.count_nonzero(which == edge)) % 2 == 0:
        raise UsageError(
            f"the triangles at the edge from {where} face opposite sides",
            hint="Let the normals be recalculated in the program that made the mesh",
        )
    raise UsageError(
        f"the mesh is open at {len(odd)} edges, the first from {where}, so it encloses no volume",
        hint="Close it, use its hull, or use it as a static mesh",
    )
