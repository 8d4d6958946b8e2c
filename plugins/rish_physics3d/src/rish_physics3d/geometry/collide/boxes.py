"""Two boxes: separating axes, then clipping of faces, or the closest points of two edges.

Boxes overlap unless one of 15 axes separates them: the 3 face normals of each, and the 9 cross products of their edges
(S. Gottschalk, "OBBTree", 1996). The axis with the greatest separation gives the normal. A face is preferred to an edge
that is hardly better, so that a contact lasts while bodies shake.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .clip import ROW, below, clip
from .hulls import preference

_0, _1, _half, _2 = np.float32(0), np.float32(1), np.float32(0.5), np.float32(2)
_PARALLEL = np.float32(1e-4)
"""Edges whose squared sine is below this separate nothing that faces do not."""


@njit(borrows=True, inline="always")
def _corner(points: Any, k: Any, c: Any, ux: Any, uy: Any, uz: Any, vx: Any, vy: Any, vz: Any) -> None:
    o = ROW * k
    points[o], points[o + 1], points[o + 2] = c[0] + ux + vx, c[1] + uy + vy, c[2] + uz + vz


@njit(borrows=True)
def box_face(points: Any, rotation: Any, at: Any, x: Any, y: Any, z: Any, size: Any, axis: Any, sign: Any) -> None:
    """Write the four corners of a face of a box, counter-clockwise seen from outside.

    rotation: flat (3, 3) at `at`, its columns are the box's axes in the frame. x, y, z: its center. size: its half
    sizes. axis, sign: the face's normal is `sign` times that axis.
    """
    i = (axis + 1) % 3
    j = (axis + 2) % 3
    r = rotation
    s = sign * size[axis]
    c = x + s * r[at + axis], y + s * r[at + 3 + axis], z + s * r[at + 6 + axis]
    a = size[i]
    b = sign * size[j]  # a negative face is turned over, so that its corners run the other way
    ux, uy, uz = a * r[at + i], a * r[at + 3 + i], a * r[at + 6 + i]
    vx, vy, vz = b * r[at + j], b * r[at + 3 + j], b * r[at + 6 + j]
    _corner(points, 0, c, -ux, -uy, -uz, -vx, -vy, -vz)
    _corner(points, 1, c, ux, uy, uz, -vx, -vy, -vz)
    _corner(points, 2, c, ux, uy, uz, vx, vy, vz)
    _corner(points, 3, c, -ux, -uy, -uz, vx, vy, vz)


@njit(borrows=True)
def box_axes(r: Any, tx: Any, ty: Any, tz: Any, a: Any, b: Any, limit: Any) -> Any:
    """Return the axis with the greatest separation, its sign, and the separation.

    r: flat (3, 3), the rotation of B in A's frame. t: B's center. a, b: half sizes. limit: the search ends at the first
    axis that separates by more. The axis is 0 to 2 of A, 3 to 5 of B, or 6 + 3 i + j: edge i of A x edge j of B.
    """
    best, axis, sign = np.float32(-3e38), 0, _1
    t = (tx, ty, tz)
    for i in range(3):
        reach = a[i] + (abs(r[3 * i]) * b[0] + abs(r[3 * i + 1]) * b[1] + abs(r[3 * i + 2]) * b[2])
        gap = abs(t[i]) - reach
        if gap > best:
            best, axis, sign = gap, i, _1 if t[i] >= _0 else -_1
    if best > limit:
        return axis, sign, best
    own = best
    for j in range(3):
        along = tx * r[j] + ty * r[3 + j] + tz * r[6 + j]
        reach = b[j] + (abs(r[j]) * a[0] + abs(r[3 + j]) * a[1] + abs(r[6 + j]) * a[2])
        gap = abs(along) - reach
        if gap > best and gap > own + preference(own, limit):
            best, axis, sign = gap, 3 + j, _1 if along >= _0 else -_1
    if best > limit:
        return axis, sign, best
    faces = best
    for i in range(3):
        k, c = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            m, n = (j + 1) % 3, (j + 2) % 3
            sine = _1 - r[3 * i + j] * r[3 * i + j]
            if sine < _PARALLEL:
                continue
            # e_i x b_j has the components -r[c, j] and r[k, j] along the axes k and c of A.
            along = t[c] * r[3 * k + j] - t[k] * r[3 * c + j]
            reach = a[k] * abs(r[3 * c + j]) + a[c] * abs(r[3 * k + j])
            reach += b[m] * abs(r[3 * i + n]) + b[n] * abs(r[3 * i + m])
            gap = (abs(along) - reach) / np.sqrt(sine)
            if gap > best and gap > faces + preference(faces, limit):
                best, axis, sign = gap, 6 + 3 * i + j, _1 if along >= _0 else -_1
    return axis, sign, best


@njit(borrows=True, inline="always")
def _steepest(r: Any, nx: Any, ny: Any, nz: Any) -> Any:
    """Return the axis of a box that is most parallel to n, and its cosine."""
    axis, most = 0, nx * r[0] + ny * r[3] + nz * r[6]
    for j in range(1, 3):
        c = nx * r[j] + ny * r[3 + j] + nz * r[6 + j]
        if abs(c) > abs(most):
            axis, most = j, c
    return axis, most


@njit(borrows=True)
def box_box(
    work: Any, rotation: Any, unit: Any, tx: Any, ty: Any, tz: Any, a: Any, b: Any, limit: Any, faces: Any
) -> Any:
    """Collide two boxes in A's frame; return the number of points, and the normal from A to B.

    rotation, unit: flat (3, 3): B's in A's frame, and the identity. faces: the incident points, the reference points
    and working memory of the clipper. The points are in the first, the gaps in `work`.
    """
    incident, reference, spare = faces
    axis, sign, best = box_axes(rotation, tx, ty, tz, a, b, limit)
    if best > limit:
        return 0, _0, _0, _0, best
    if axis < 6:
        if axis < 3:
            nx, ny, nz = sign * unit[axis], sign * unit[3 + axis], sign * unit[6 + axis]
            face, cosine = _steepest(rotation, nx, ny, nz)
            box_face(reference, unit, 0, _0, _0, _0, a, axis, sign)
            box_face(incident, rotation, 0, tx, ty, tz, b, face, -_1 if cosine > _0 else _1)
            mx, my, mz = nx, ny, nz
        else:
            j = axis - 3
            nx, ny, nz = sign * rotation[j], sign * rotation[3 + j], sign * rotation[6 + j]
            face, cosine = _steepest(unit, nx, ny, nz)
            box_face(reference, rotation, 0, tx, ty, tz, b, j, -sign)
            box_face(incident, unit, 0, _0, _0, _0, a, face, _1 if cosine > _0 else -_1)
            mx, my, mz = -nx, -ny, -nz
        count = clip(reference, 4, mx, my, mz, incident, 4, spare)
        d = reference[0] * mx + reference[1] * my + reference[2] * mz
        n = below(incident, count, mx, my, mz, d, limit, work)
        return n, nx, ny, nz, best
    # Edges: the normal is e_i x b_j, the point is where the two lines are closest.
    i, j = (axis - 6) // 3, (axis - 6) % 3
    k, h = (i + 1) % 3, (i + 2) % 3
    scale = sign / np.sqrt(_1 - rotation[3 * i + j] * rotation[3 * i + j])
    work[k], work[h], work[i] = -scale * rotation[3 * h + j], scale * rotation[3 * k + j], _0
    nx, ny, nz = work[0], work[1], work[2]
    # A point of each edge: the corner that lies farthest along the normal.
    ax, ay, az = _0, _0, _0
    bx, by, bz = tx, ty, tz
    for c in range(3):
        if c != i:
            up = nx * unit[c] + ny * unit[3 + c] + nz * unit[6 + c] > _0
            s = a[c] if up else -a[c]
            ax, ay, az = ax + s * unit[c], ay + s * unit[3 + c], az + s * unit[6 + c]
        if c != j:
            up = nx * rotation[c] + ny * rotation[3 + c] + nz * rotation[6 + c] < _0
            s = b[c] if up else -b[c]
            bx, by, bz = bx + s * rotation[c], by + s * rotation[3 + c], bz + s * rotation[6 + c]
    ux, uy, uz = unit[i], unit[3 + i], unit[6 + i]
    vx, vy, vz = rotation[j], rotation[3 + j], rotation[6 + j]
    # min |a + s u - b - t v|: both lines perpendicular to the difference.
    dx, dy, dz = bx - ax, by - ay, bz - az
    c = ux * vx + uy * vy + uz * vz
    p, q = dx * ux + dy * uy + dz * uz, dx * vx + dy * vy + dz * vz
    inverse = _1 / (_1 - c * c)
    s = max(min((p - c * q) * inverse, a[i]), -a[i])
    t = max(min((c * p - q) * inverse, b[j]), -b[j])
    incident[0] = _half * (ax + s * ux + bx + t * vx)
    incident[1] = _half * (ay + s * uy + by + t * vy)
    incident[2] = _half * (az + s * uz + bz + t * vz)
    work[0] = best
    return 1, nx, ny, nz, best
