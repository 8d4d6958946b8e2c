"""A triangle of a mesh against a sphere, a capsule, and a hull, without bumps at the edges between triangles.

A triangle touches only what is in front of it. Its own normal is always valid; another one only if it lies between the
normals of the triangles around it (see `geometry.meshes`): then it points away from an edge or a corner of the whole
mesh, not only of this triangle. Invalid directions may separate two shapes, but are never normals; where the neighbor's
face is nearer, that triangle has the contact. E. Catto does the same with chains in Box2D, J. Rouwé in Jolt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .clip import below, clip
from .gjk import distance
from .hulls import (
    EDGES,
    FACES,
    LOOPS,
    N_EDGES,
    N_PLANES,
    N_POINTS,
    best_edges,
    cross_point,
    face_points,
    most_parallel,
    preference,
)
from .round import along_face

_0, _1, _half = np.float32(0), np.float32(1), np.float32(0.5)
_LEAN = np.float32(4e-6)
"""The square of the sine up to which a direction may lean beyond the neighbor's normal, for rounding."""
_UPRIGHT = np.float32(1 - 4e-6)
"""The cosine from which on a direction counts as the triangle's own normal; it covers `_LEAN`."""
_FLAT = np.float32(0.995)
_TOUCHING = 1e-6
_LOWEST, _FAR = np.float32(-3e38), np.float32(3e38)


@njit(borrows=True)
def is_valid(own: Any, around: Any, x: Any, y: Any, z: Any) -> Any:
    """Return True if a unit vector is a valid normal at a triangle. own: its points; around: its planes."""
    if x * around[0] + y * around[1] + z * around[2] <= _0:
        return False
    for k in range(3):
        p, q, o = 3 * k, 3 * ((k + 1) % 3), 4 * (k + 1)
        ex, ey, ez = own[q] - own[p], own[q + 1] - own[p + 1], own[q + 2] - own[p + 2]
        mx, my, mz = around[o], around[o + 1], around[o + 2]
        # edge x m is the direction from the edge into the neighbor.
        into = x * (ey * mz - ez * my) + y * (ez * mx - ex * mz) + z * (ex * my - ey * mx)
        if into > _0 and into * into > _LEAN * (ex * ex + ey * ey + ez * ez):
            return False
    return True


@njit(borrows=True)
def triangle_ball(own: Any, around: Any, x: Any, y: Any, z: Any, radius: Any, limit: Any, gaps: Any, out: Any) -> Any:
    """Collide a triangle with a sphere; see `hull_hull` for what is returned."""
    nx, ny, nz = around[0], around[1], around[2]
    above, inside, nearest = nx * x + ny * y + nz * z - around[3], True, _FAR
    cx, cy, cz = x - above * nx, y - above * ny, z - above * nz
    for k in range(3):
        p, q = 3 * k, 3 * ((k + 1) % 3)
        ex, ey, ez = own[q] - own[p], own[q + 1] - own[p + 1], own[q + 2] - own[p + 2]
        rx, ry, rz = x - own[p], y - own[p + 1], z - own[p + 2]
        if (ey * nz - ez * ny) * rx + (ez * nx - ex * nz) * ry + (ex * ny - ey * nx) * rz > _0:
            inside = False
            t = max(min((ex * rx + ey * ry + ez * rz) / (ex * ex + ey * ey + ez * ez), _1), _0)
            dx, dy, dz = rx - t * ex, ry - t * ey, rz - t * ez
            far = dx * dx + dy * dy + dz * dz
            if far < nearest:
                nearest, cx, cy, cz = far, x - dx, y - dy, z - dz
    far = above if inside else np.sqrt(nearest)
    apart = far - radius
    if apart > limit:
        return 0, _0, _0, _0, apart
    if not inside and far > _0:
        dx, dy, dz = (x - cx) / far, (y - cy) / far, (z - cz) / far
        if not is_valid(own, around, dx, dy, dz):
            return 0, _0, _0, _0, _0
        if dx * nx + dy * ny + dz * nz < _UPRIGHT:
            nx, ny, nz = dx, dy, dz
    middle = _half * apart
    out[0], out[1], out[2] = cx + middle * nx, cy + middle * ny, cz + middle * nz
    gaps[0] = apart
    return 1, nx, ny, nz, apart


@njit(borrows=True)
def triangle_capsule(own: Any, around: Any, head: Any, topology: Any, core: Any, radius: Any, limit: Any, memory: Any,
                     gaps: Any, out: Any) -> Any:  # fmt: skip
    """Collide a triangle with a capsule. head, topology: of a triangle as a hull. memory: see `round_hull`."""
    wide, narrow, simplex, near = memory
    for k in range(9):
        wide[k] = own[k]
    for k in range(6):
        narrow[k] = core[k]
    far = distance(wide, 0, head[N_POINTS], narrow, 0, np.int64(2), simplex, near)
    apart = np.float32(far) - radius
    if apart > limit:
        return 0, _0, _0, _0, apart
    valid, nx, ny, nz = False, _0, _0, _0
    if far > _TOUCHING:
        scale = 1.0 / far
        nx = np.float32((near[3] - near[0]) * scale)
        ny = np.float32((near[4] - near[1]) * scale)
        nz = np.float32((near[5] - near[2]) * scale)
        valid = is_valid(own, around, nx, ny, nz)
    if not valid or nx * around[0] + ny * around[1] + nz * around[2] > _FLAT:
        count = along_face(head, topology, own, around, np.int64(0), core, radius, limit, gaps, out)
        if count > 0:
            return count, around[0], around[1], around[2], apart
    if not valid:
        return 0, _0, _0, _0, _0
    for k in range(3):
        n = nx if k == 0 else ny if k == 1 else nz
        out[k] = np.float32(0.5 * (near[k] + near[3 + k])) - _half * radius * n
    gaps[0] = apart
    return 1, nx, ny, nz, apart


@njit(borrows=True)
def triangle_hull(own: Any, around: Any, head_t: Any, topology_t: Any, head: Any, topology: Any, points: Any,
                  planes: Any, limit: Any, gaps: Any, faces: Any) -> Any:  # fmt: skip
    """Collide a triangle with a hull in one frame; see `hull_hull`. head_t, topology_t: of a triangle as a hull."""
    first, loops, edges = topology
    incident, reference, spare = faces
    nx, ny, nz, d = around[0], around[1], around[2], around[3]
    low = _FAR
    for k in range(head[N_POINTS]):
        low = min(low, nx * points[3 * k] + ny * points[3 * k + 1] + nz * points[3 * k + 2])
    low -= d
    if low > limit:
        return 0, _0, _0, _0, low
    face, best = -1, _LOWEST
    for f in range(head[N_PLANES]):
        mx, my, mz = planes[4 * f], planes[4 * f + 1], planes[4 * f + 2]
        gap = _FAR
        for k in range(3):
            gap = min(gap, mx * own[3 * k] + my * own[3 * k + 1] + mz * own[3 * k + 2])
        gap -= planes[4 * f + 3]
        if gap > limit:
            return 0, _0, _0, _0, gap
        is_own = mx * nx + my * ny + mz * nz <= -_UPRIGHT
        if gap > best and not is_own and is_valid(own, around, -mx, -my, -mz):
            face, best = f, gap
    side, edge, gap = best_edges(
        own, around, topology_t[2], head_t[EDGES], head_t[N_EDGES], points, planes, edges, head[EDGES], head[N_EDGES],
        spare,
    )  # fmt: skip
    if gap > limit:
        return 0, _0, _0, _0, gap
    most = max(low, best)
    if side >= 0 and gap > most + preference(most, limit):
        nx, ny, nz = spare[0], spare[1], spare[2]
        i = 4 * (head[EDGES] + edge)
        other = np.int64((side + 1) % 3)
        cross_point(own, np.int64(side), other, points, np.int64(edges[i]), np.int64(edges[i + 1]), incident)
        gaps[0] = gap
        return 1, nx, ny, nz, gap
    if face >= 0 and best > low + preference(low, limit):
        o = 4 * face
        mx, my, mz, d = planes[o], planes[o + 1], planes[o + 2], planes[o + 3]
        sides = face_points(points, first, loops, head[FACES], head[LOOPS], face, reference)
        count = np.int64(3)
        for k in range(9):
            incident[k] = own[k]
        count = clip(reference, sides, mx, my, mz, incident, count, spare)
        return below(incident, count, mx, my, mz, d, limit, gaps), -mx, -my, -mz, best
    for k in range(9):
        reference[k] = own[k]
    other = most_parallel(planes, head[N_PLANES], -nx, -ny, -nz)
    count = face_points(points, first, loops, head[FACES], head[LOOPS], other, incident)
    count = clip(reference, np.int64(3), nx, ny, nz, incident, count, spare)
    return below(incident, count, nx, ny, nz, d, limit, gaps), nx, ny, nz, low
