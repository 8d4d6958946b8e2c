"""Spheres and capsules: a point or a segment, rounded by a radius, against each other, boxes and hulls.

While the core is outside of the other shape, the normal is the direction between their closest points. Inside, it is
the direction of least overlap. A capsule that lies along a face or another capsule touches in two points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .clip import ROW
from .gjk import distance
from .hulls import EDGES, FACES, LOOPS, N_EDGES, N_PLANES, N_POINTS, best_face, cross_point, most_parallel, preference

_0, _1, _half = np.float32(0), np.float32(1), np.float32(0.5)
_TOUCHING = 1e-6
"""The distance (m) below which a core counts as inside."""
_FLAT = np.float32(0.995)
"""The cosine from which on a normal counts as that of a face, and a segment as parallel to another one."""
_SLANT = np.float32(0.1)
"""The sine up to which a segment lies along a face."""


@njit(borrows=True)
def sphere_box(x: Any, y: Any, z: Any, half: Any, radius: Any, limit: Any, gaps: Any, points: Any) -> Any:
    """Collide a box around the origin with a sphere at x, y, z; see `hull_hull` for what is returned."""
    cx, cy, cz = max(min(x, half[0]), -half[0]), max(min(y, half[1]), -half[1]), max(min(z, half[2]), -half[2])
    nx, ny, nz = x - cx, y - cy, z - cz
    far = np.sqrt(nx * nx + ny * ny + nz * nz)
    if far > _0:
        apart = far - radius
        nx, ny, nz = nx / far, ny / far, nz / far
    else:  # the center is inside: out through the nearest face
        dx, dy, dz = half[0] - abs(x), half[1] - abs(y), half[2] - abs(z)
        nx = ny = nz = _0
        if dx <= dy and dx <= dz:
            nx = _1 if x >= _0 else -_1
            cx, apart = nx * half[0], -dx - radius
        elif dy <= dz:
            ny = _1 if y >= _0 else -_1
            cy, apart = ny * half[1], -dy - radius
        else:
            nz = _1 if z >= _0 else -_1
            cz, apart = nz * half[2], -dz - radius
    if apart > limit:
        return 0, _0, _0, _0, apart
    middle = _half * apart
    points[0], points[1], points[2] = cx + middle * nx, cy + middle * ny, cz + middle * nz
    gaps[0] = apart
    return 1, nx, ny, nz, apart


@njit(borrows=True)
def closest_on_segments(a: Any, b: Any) -> Any:
    """Return the parameters from 0 to 1 of the closest points of two segments, and their difference from A to B.

    a, b: float32, two points each. A segment may have no length. (C. Ericson, "Real-Time Collision Detection", 5.1.9)
    """
    ux, uy, uz = a[3] - a[0], a[4] - a[1], a[5] - a[2]
    vx, vy, vz = b[3] - b[0], b[4] - b[1], b[5] - b[2]
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    du, dv = dx * ux + dy * uy + dz * uz, dx * vx + dy * vy + dz * vz
    det = uu * vv - uv * uv
    s = min(max((du * vv - dv * uv) / det, _0), _1) if det > np.float32(1e-6) * uu * vv else _0
    if uu <= _0:
        s = _0
    elif vv <= _0:
        s = min(max(du / uu, _0), _1)
    t = _0
    if vv > _0:
        t = (s * uv - dv) / vv
        if t < _0 or t > _1:
            t = min(max(t, _0), _1)
            if uu > _0:
                s = min(max((du + t * uv) / uu, _0), _1)
    return s, t, dx + t * vx - s * ux, dy + t * vy - s * uy, dz + t * vz - s * uz


@njit(borrows=True)
def round_round(a: Any, radius_a: Any, b: Any, radius_b: Any, limit: Any, gaps: Any, points: Any) -> Any:
    """Collide two spheres or capsules. a, b: float32, the ends of their segments, equal ones for a sphere."""
    s, _, nx, ny, nz = closest_on_segments(a, b)
    far = np.sqrt(nx * nx + ny * ny + nz * nz)
    apart = far - radius_a - radius_b
    if apart > limit:
        return 0, _0, _0, _0, apart
    ux, uy, uz = a[3] - a[0], a[4] - a[1], a[5] - a[2]
    vx, vy, vz = b[3] - b[0], b[4] - b[1], b[5] - b[2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    if far > _0:
        nx, ny, nz = nx / far, ny / far, nz / far
    else:  # the segments cross: the direction perpendicular to both, or any one
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        long = np.sqrt(nx * nx + ny * ny + nz * nz)
        if long > _0:
            nx, ny, nz = nx / long, ny / long, nz / long
        else:
            nx, ny, nz = _0, _1, _0
    if uu > _0 and vv > _0 and uv * uv > _FLAT * _FLAT * uu * vv:
        # Parallel: the part of A's segment that is beside B's.
        low = ((b[0] - a[0]) * ux + (b[1] - a[1]) * uy + (b[2] - a[2]) * uz) / uu
        high = low + uv / uu
        s0, s1 = max(min(low, high), _0), min(max(low, high), _1)
        if s1 - s0 > np.float32(0.01):
            n = 0
            for k in range(2):
                q = s0 if k == 0 else s1
                r = min(max((q - low) * uu / uv, _0), _1)
                ax, ay, az = a[0] + q * ux, a[1] + q * uy, a[2] + q * uz
                gap = (b[0] + r * vx - ax) * nx + (b[1] + r * vy - ay) * ny + (b[2] + r * vz - az) * nz
                gap -= radius_a + radius_b
                if gap <= limit:
                    reach = radius_a + _half * gap
                    points[ROW * n], points[ROW * n + 1] = ax + reach * nx, ay + reach * ny
                    points[ROW * n + 2] = az + reach * nz
                    gaps[n] = gap
                    n += 1
            return n, nx, ny, nz, apart
    reach = radius_a + _half * apart
    points[0], points[1], points[2] = a[0] + s * ux + reach * nx, a[1] + s * uy + reach * ny, a[2] + s * uz + reach * nz
    gaps[0] = apart
    return 1, nx, ny, nz, apart


@njit(borrows=True)
def segment_edges(points: Any, planes: Any, edges: Any, first: Any, count: Any, core: Any, normal: Any) -> Any:
    """Return the edge of a hull that separates it most from a segment, and by how much; write the normal."""
    ux, uy, uz = core[3] - core[0], core[4] - core[1], core[5] - core[2]
    best, edge = np.float32(-3e38), -1
    for i in range(count):
        e = 4 * (first + i)
        left, right = 4 * np.int64(edges[e + 2]), 4 * np.int64(edges[e + 3])
        ax, ay, az = planes[left], planes[left + 1], planes[left + 2]
        bx, by, bz = planes[right], planes[right + 1], planes[right + 2]
        # The segment is a great circle of the Gauss map; the arc of the edge must cross it.
        if (ax * ux + ay * uy + az * uz) * (bx * ux + by * uy + bz * uz) >= _0:
            continue
        p, q = 3 * np.int64(edges[e]), 3 * np.int64(edges[e + 1])
        vx, vy, vz = points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        square = nx * nx + ny * ny + nz * nz
        if not square > _0:
            continue
        inverse = _1 / np.sqrt(square)
        if nx * (ax + bx) + ny * (ay + by) + nz * (az + bz) < _0:
            inverse = -inverse
        gap = inverse * (nx * (core[0] - points[p]) + ny * (core[1] - points[p + 1]) + nz * (core[2] - points[p + 2]))
        if gap > best:
            best, edge = gap, i
            normal[0], normal[1], normal[2] = nx * inverse, ny * inverse, nz * inverse
    return edge, best


@njit(borrows=True)
def along_face(head: Any, topology: Any, points: Any, planes: Any, face: Any, core: Any, radius: Any, limit: Any,
               gaps: Any, out: Any) -> Any:  # fmt: skip
    """Clip a segment by the sides of a face; return the number of points, which touch along the face's normal."""
    first, loops, _ = topology
    o = 4 * face
    nx, ny, nz, d = planes[o], planes[o + 1], planes[o + 2], planes[o + 3]
    begin, end = np.int64(first[head[FACES] + face]), np.int64(first[head[FACES] + face + 1])
    ux, uy, uz = core[3] - core[0], core[4] - core[1], core[5] - core[2]
    low, high = _0, _1
    for k in range(begin, end):
        p = 3 * np.int64(loops[head[LOOPS] + k])
        q = 3 * np.int64(loops[head[LOOPS] + (k + 1 if k + 1 < end else begin)])
        ex, ey, ez = points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]
        sx, sy, sz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
        here = (core[0] - points[p]) * sx + (core[1] - points[p + 1]) * sy + (core[2] - points[p + 2]) * sz
        way = ux * sx + uy * sy + uz * sz
        if way > _0:
            high = min(high, -here / way)
        elif way < _0:
            low = max(low, -here / way)
        elif here > _0:
            return 0
    if not low < high:
        return 0
    n = 0
    for k in range(2):
        t = low if k == 0 else high
        x, y, z = core[0] + t * ux, core[1] + t * uy, core[2] + t * uz
        above = x * nx + y * ny + z * nz - d
        gap = above - radius
        if gap <= limit:
            back = above - _half * gap  # from the core to the middle between both surfaces
            out[ROW * n], out[ROW * n + 1], out[ROW * n + 2] = x - back * nx, y - back * ny, z - back * nz
            gaps[n] = gap
            n += 1
    return n


@njit(borrows=True)
def round_hull(head: Any, topology: Any, points: Any, planes: Any, core: Any, n_core: Any, radius: Any, limit: Any,
               memory: Any, gaps: Any, out: Any) -> Any:  # fmt: skip
    """Collide a hull with a sphere (n_core is 1) or capsule (2); see `hull_hull` for what is returned.

    points, planes, core: in one frame. memory: float64: points of the hull, those of the core, working memory and
    result of `distance`.
    """
    wide, narrow, simplex, near = memory
    _, _, edges = topology
    for k in range(3 * head[N_POINTS]):
        wide[k] = points[k]
    for k in range(3 * n_core):
        narrow[k] = core[k]
    far = distance(wide, 0, head[N_POINTS], narrow, 0, n_core, simplex, near)
    face, nx, ny, nz = -1, _0, _0, _0
    if far > _TOUCHING:
        apart = np.float32(far) - radius
        if apart > limit:
            return 0, _0, _0, _0, apart
        scale = 1.0 / far
        nx = np.float32((near[3] - near[0]) * scale)
        ny = np.float32((near[4] - near[1]) * scale)
        nz = np.float32((near[5] - near[2]) * scale)
        f = most_parallel(planes, head[N_PLANES], nx, ny, nz)
        if planes[4 * f] * nx + planes[4 * f + 1] * ny + planes[4 * f + 2] * nz > _FLAT:
            face = f
    else:
        face, apart = best_face(planes, head[N_PLANES], core, n_core, np.float32(3e38))
        if n_core == 2:
            edge, gap = segment_edges(points, planes, edges, head[EDGES], head[N_EDGES], core, out)
            if edge >= 0 and gap > apart + preference(apart, limit):
                nx, ny, nz = out[0], out[1], out[2]
                e = 4 * (head[EDGES] + edge)
                cross_point(points, np.int64(edges[e]), np.int64(edges[e + 1]), core, 0, 1, out)
                # The middle between the cores, moved by half the radius toward the hull.
                for k in range(3):
                    out[k] -= _half * radius * (nx if k == 0 else ny if k == 1 else nz)
                gaps[0] = gap - radius
                return 1, nx, ny, nz, gap - radius
        apart -= radius
        nx, ny, nz = planes[4 * face], planes[4 * face + 1], planes[4 * face + 2]
    if face >= 0 and n_core == 2:
        ux, uy, uz = core[3] - core[0], core[4] - core[1], core[5] - core[2]
        o = 4 * face
        slope = planes[o] * ux + planes[o + 1] * uy + planes[o + 2] * uz
        if slope * slope <= _SLANT * _SLANT * (ux * ux + uy * uy + uz * uz) or far <= _TOUCHING:
            n = along_face(head, topology, points, planes, face, core, radius, limit, gaps, out)
            if n > 0:
                return n, planes[o], planes[o + 1], planes[o + 2], apart
    if far > _TOUCHING:
        for k in range(3):
            n = nx if k == 0 else ny if k == 1 else nz
            out[k] = np.float32(0.5 * (near[k] + near[3 + k])) - _half * radius * n
    else:
        # The point of the core that is deepest behind the face.
        deep = 0
        if n_core == 2 and (core[3] - core[0]) * nx + (core[4] - core[1]) * ny + (core[5] - core[2]) * nz < _0:
            deep = 3
        back = (apart + radius) - _half * apart
        out[0], out[1], out[2] = core[deep] - back * nx, core[deep + 1] - back * ny, core[deep + 2] - back * nz
    gaps[0] = apart
    return 1, nx, ny, nz, apart
