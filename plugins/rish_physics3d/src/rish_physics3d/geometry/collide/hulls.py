"""Two convex hulls: separating axes over faces and over pairs of edges whose arcs cross on the Gauss map.

On the Gauss map a face is a point, the direction of its normal, and an edge is the arc between its two faces. The
difference of two hulls has a face for a pair of edges only if their arcs cross, so all other pairs are skipped (D.
Gregorius, "The separating axis test between convex polyhedra", GDC 2013).

Both hulls are in one frame. They are parts of flat arrays; a head of `HEAD` numbers says where the parts begin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .clip import ROW, below, clip

POINTS, N_POINTS, PLANES, N_PLANES, FACES, LOOPS, EDGES, N_EDGES = range(8)
HEAD = 8
"""The numbers of a head: first point and count, first plane and count, first entry of `first`, of `loops`, of edges."""
_0, _1, _half = np.float32(0), np.float32(1), np.float32(0.5)
_PARALLEL = np.float32(1e-4)
PREFERENCE = np.float32(0.05)
QUARTER = np.float32(0.25)
_LOWEST = np.float32(-3e38)


@njit(borrows=True)
def bring(
    points: Any, planes: Any, head: Any, rotation: Any, x: Any, y: Any, z: Any, to_points: Any, to_planes: Any
) -> None:
    """Copy the points and planes of a hull into another frame. rotation: flat (3, 3); x, y, z: its origin there."""
    r = rotation
    for k in range(head[N_POINTS]):
        o = 4 * (head[POINTS] + k)
        u, v, w = points[o], points[o + 1], points[o + 2]
        to_points[3 * k] = r[0] * u + r[1] * v + r[2] * w + x
        to_points[3 * k + 1] = r[3] * u + r[4] * v + r[5] * w + y
        to_points[3 * k + 2] = r[6] * u + r[7] * v + r[8] * w + z
    for k in range(head[N_PLANES]):
        o = 4 * (head[PLANES] + k)
        u, v, w = planes[o], planes[o + 1], planes[o + 2]
        nx, ny, nz = r[0] * u + r[1] * v + r[2] * w, r[3] * u + r[4] * v + r[5] * w, r[6] * u + r[7] * v + r[8] * w
        p = 4 * k
        to_planes[p], to_planes[p + 1], to_planes[p + 2] = nx, ny, nz
        to_planes[p + 3] = planes[o + 3] + nx * x + ny * y + nz * z


@njit(borrows=True)
def best_face(planes: Any, n_planes: Any, points: Any, n_points: Any, limit: Any) -> Any:
    """Return the face with the greatest separation from the points, and that; ends above `limit`."""
    best, face = _LOWEST, 0
    for f in range(n_planes):
        nx, ny, nz, d = planes[4 * f], planes[4 * f + 1], planes[4 * f + 2], planes[4 * f + 3]
        low = np.float32(3e38)
        for k in range(n_points):
            low = min(low, nx * points[3 * k] + ny * points[3 * k + 1] + nz * points[3 * k + 2])
        if low - d > best:
            best, face = low - d, f
            if best > limit:
                break
    return face, best


@njit(borrows=True, inline="always")
def preference(gap: Any, limit: Any) -> Any:
    """Return by how much another axis must be better than that of this separation to be used instead.

    A contact that changed its axis while bodies shake would lose its points. limit: that of speculative contacts.
    """
    return min(PREFERENCE * abs(gap) + QUARTER * PREFERENCE * limit, QUARTER * limit)


@njit(borrows=True, inline="always")
def _volume(ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any, cx: Any, cy: Any, cz: Any) -> Any:
    """Return a · (b x c)."""
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)


@njit(borrows=True)
def best_edges(points_a: Any, planes_a: Any, edges_a: Any, first_a: Any, n_a: Any, points_b: Any, planes_b: Any,
               edges_b: Any, first_b: Any, n_b: Any, normal: Any) -> Any:  # fmt: skip
    """Return the pair of edges with the greatest separation, and that; write the normal from A to B.

    Points and planes are in one frame; edges: 4 numbers each: two points, the left and the right face.
    """
    best, edge_a, edge_b = _LOWEST, -1, -1
    for i in range(n_a):
        e = 4 * (first_a + i)
        p, q = 3 * np.int64(edges_a[e]), 3 * np.int64(edges_a[e + 1])
        left, right = 4 * np.int64(edges_a[e + 2]), 4 * np.int64(edges_a[e + 3])
        ux, uy, uz = points_a[q] - points_a[p], points_a[q + 1] - points_a[p + 1], points_a[q + 2] - points_a[p + 2]
        long = ux * ux + uy * uy + uz * uz
        ax, ay, az = planes_a[left], planes_a[left + 1], planes_a[left + 2]
        bx, by, bz = planes_a[right], planes_a[right + 1], planes_a[right + 2]
        # b x a, the normal of the great circle through both.
        gx, gy, gz = by * az - bz * ay, bz * ax - bx * az, bx * ay - by * ax
        for j in range(n_b):
            f = 4 * (first_b + j)
            left, right = 4 * np.int64(edges_b[f + 2]), 4 * np.int64(edges_b[f + 3])
            cx, cy, cz = -planes_b[left], -planes_b[left + 1], -planes_b[left + 2]
            dx, dy, dz = -planes_b[right], -planes_b[right + 1], -planes_b[right + 2]
            cba, dba = cx * gx + cy * gy + cz * gz, dx * gx + dy * gy + dz * gz
            if cba * dba >= _0:
                continue
            adc, bdc = _volume(ax, ay, az, dx, dy, dz, cx, cy, cz), _volume(bx, by, bz, dx, dy, dz, cx, cy, cz)
            if adc * bdc >= _0 or cba * bdc <= _0:
                continue
            s, t = 3 * np.int64(edges_b[f]), 3 * np.int64(edges_b[f + 1])
            vx, vy, vz = points_b[t] - points_b[s], points_b[t + 1] - points_b[s + 1], points_b[t + 2] - points_b[s + 2]
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            square = nx * nx + ny * ny + nz * nz
            if square < _PARALLEL * long * (vx * vx + vy * vy + vz * vz):
                continue
            inverse = _1 / np.sqrt(square)
            # Outward of A: along the sum of the normals of both faces.
            if nx * (ax + bx) + ny * (ay + by) + nz * (az + bz) < _0:
                inverse = -inverse
            gap = inverse * (
                nx * (points_b[s] - points_a[p]) + ny * (points_b[s + 1] - points_a[p + 1])
                + nz * (points_b[s + 2] - points_a[p + 2])
            )  # fmt: skip
            if gap > best:
                best, edge_a, edge_b = gap, i, j
                normal[0], normal[1], normal[2] = nx * inverse, ny * inverse, nz * inverse
    return edge_a, edge_b, best


@njit(borrows=True)
def most_parallel(planes: Any, n_planes: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the face whose normal is most parallel to a direction."""
    best, face = _LOWEST, 0
    for f in range(n_planes):
        c = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z
        if c > best:
            best, face = c, f
    return face


@njit(borrows=True)
def face_points(points: Any, faces: Any, loops: Any, first: Any, start: Any, face: Any, out: Any) -> Any:
    """Write the points of a face; return their number. first, start: where the faces and loops of the hull begin."""
    begin, end = np.int64(faces[first + face]), np.int64(faces[first + face + 1])
    for k in range(end - begin):
        p = 3 * np.int64(loops[start + begin + k])
        for c in range(3):
            out[ROW * k + c] = points[p + c]
    return end - begin


@njit(borrows=True)
def cross_point(points_a: Any, p: Any, q: Any, points_b: Any, s: Any, t: Any, out: Any) -> None:
    """Write the middle between the closest points of two segments. p, q, s, t: indices of points."""
    i, j, k, h = 3 * p, 3 * q, 3 * s, 3 * t
    ux, uy, uz = points_a[j] - points_a[i], points_a[j + 1] - points_a[i + 1], points_a[j + 2] - points_a[i + 2]
    vx, vy, vz = points_b[h] - points_b[k], points_b[h + 1] - points_b[k + 1], points_b[h + 2] - points_b[k + 2]
    dx, dy, dz = points_b[k] - points_a[i], points_b[k + 1] - points_a[i + 1], points_b[k + 2] - points_a[i + 2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    du, dv = dx * ux + dy * uy + dz * uz, dx * vx + dy * vy + dz * vz
    det = uu * vv - uv * uv
    f = min(max((du * vv - dv * uv) / det, _0), _1) if det > _0 else _half
    g = min(max((f * uv - dv) / vv, _0), _1) if vv > _0 else _0
    out[0] = _half * (points_a[i] + f * ux + points_b[k] + g * vx)
    out[1] = _half * (points_a[i + 1] + f * uy + points_b[k + 1] + g * vy)
    out[2] = _half * (points_a[i + 2] + f * uz + points_b[k + 2] + g * vz)


@njit(borrows=True)
def hull_hull(head_a: Any, head_b: Any, topology: Any, points_a: Any, planes_a: Any, points_b: Any, planes_b: Any,
              limit: Any, gaps: Any, faces: Any) -> Any:  # fmt: skip
    """Collide two hulls in one frame; return the number of points, the normal from A to B, and the separation.

    topology: the arrays `first`, `loops` and `edges` of all hulls. faces: the points of the contact, the reference face
    and working memory of the clipper. gaps: receives the separation of each point.
    """
    first, loops, edges = topology
    incident, reference, spare = faces
    face_a, gap_a = best_face(planes_a, head_a[N_PLANES], points_b, head_b[N_POINTS], limit)
    if gap_a > limit:
        return 0, _0, _0, _0, gap_a
    face_b, gap_b = best_face(planes_b, head_b[N_PLANES], points_a, head_a[N_POINTS], limit)
    if gap_b > limit:
        return 0, _0, _0, _0, gap_b
    edge_a, edge_b, gap = best_edges(
        points_a, planes_a, edges, head_a[EDGES], head_a[N_EDGES], points_b, planes_b, edges, head_b[EDGES],
        head_b[N_EDGES], spare,
    )  # fmt: skip
    if gap > limit:
        return 0, _0, _0, _0, gap
    best = max(gap_a, gap_b)
    if edge_a >= 0 and gap > best + preference(best, limit):
        nx, ny, nz = spare[0], spare[1], spare[2]
        i, j = 4 * (head_a[EDGES] + edge_a), 4 * (head_b[EDGES] + edge_b)
        cross_point(
            points_a,
            np.int64(edges[i]),
            np.int64(edges[i + 1]),
            points_b,
            np.int64(edges[j]),
            np.int64(edges[j + 1]),
            incident,
        )
        gaps[0] = gap
        return 1, nx, ny, nz, gap
    sign = _1
    if gap_b > gap_a + preference(gap_a, limit):
        sign = -_1
        o = 4 * face_b
        mx, my, mz, d = planes_b[o], planes_b[o + 1], planes_b[o + 2], planes_b[o + 3]
        sides = face_points(points_b, first, loops, head_b[FACES], head_b[LOOPS], face_b, reference)
        other = most_parallel(planes_a, head_a[N_PLANES], -mx, -my, -mz)
        count = face_points(points_a, first, loops, head_a[FACES], head_a[LOOPS], other, incident)
    else:
        o = 4 * face_a
        mx, my, mz, d = planes_a[o], planes_a[o + 1], planes_a[o + 2], planes_a[o + 3]
        sides = face_points(points_a, first, loops, head_a[FACES], head_a[LOOPS], face_a, reference)
        other = most_parallel(planes_b, head_b[N_PLANES], -mx, -my, -mz)
        count = face_points(points_b, first, loops, head_b[FACES], head_b[LOOPS], other, incident)
    count = clip(reference, sides, mx, my, mz, incident, count, spare)
    n = below(incident, count, mx, my, mz, d, limit, gaps)
    return n, sign * mx, sign * my, sign * mz, best
