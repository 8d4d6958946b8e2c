"""The first times at which shapes of moving bodies meet others, by conservative advancement.

At a given time two convex shapes are separated by a distance along a direction. The speed at which they can approach
along it is at most that of the bodies along it, plus the speeds of their farthest points due to rotation. They can't
meet before the distance is covered at that speed, so the time advances by as much; then the distance is measured again
(B. Mirtich, 1996). The result is never too late, for any rotation.

Only what the core of a shape meets counts, the same shape smaller by a quarter of its inner radius: a body that slides
over the edge between two floors, or touches a wall in passing, is left to its contacts. The shape stops where it itself
meets the other. If it touches at the start, its core stops; if that touches, a thin core with the same ends after half
of its distance, so that no end of a rod that spins on a plate gets through, where its contact might push it out on the
far side. If that touches too, the shape at half or a quarter of its size stops, and at last its position, after half
the distance or at once if that is small: it never gets to the other side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, maths, njit
from rish_space3d import quaternion_product, quaternion_unit

from ..geometry.collide.gjk import WORK, distance
from ..geometry.collide.hulls import HEAD, N_POINTS, POINTS
from ..geometry.hulls import MAX_POINTS
from ..maths.rotations import turn
from .shapes import BOX, CAPSULE, FORM, MESH, PLANE

PATH = 16
"""The size of a path, float64: center and rotation at the start, the way and the rotation vector until time 1, from
`CENTER`, `ROTATION`, `WAY` and `TURN` on."""
CENTER, ROTATION, WAY, TURN = 0, 3, 7, 10
NEVER = 2.0
"""The time of an impact that does not happen."""
_HALFWAY = -1.0
"""The target of a sweep that ends at half of the distance at the start."""
_SLOP = 0.005
"""The greatest distance, m, at which shapes stop, and at most a quarter of the inner radius: the next step finds them
touching."""
_AT_ONCE = 1e-9
"""The time of an impact at the start."""
_STEPS = 64
_QUARTER = 0.25
_SHAPE, _CORE, _THIN, _POINT = 0, 1, 2, 5
"""The sizes of a shape: itself, its core, the thin core, half and a quarter of the shape, and its position."""


@njit(borrows=True)
def trace_paths(bodies: Array, start: Array, end: Array, paths: Array) -> None:
    """Write the paths of bodies (int32) from poses at the start to those at the end, float32 flat.

    The rotation vector has at most half a turn, and the bits of `quaternions.to_vector`.
    """
    for k in range(len(bodies)):
        o, p = 8 * np.int64(bodies[k]), PATH * k
        x, y, z, w = quaternion_unit(
            np.float64(start[o + 4]), np.float64(start[o + 5]), np.float64(start[o + 6]), np.float64(start[o + 7])
        )
        qx, qy, qz, qw = quaternion_unit(
            np.float64(end[o + 4]), np.float64(end[o + 5]), np.float64(end[o + 6]), np.float64(end[o + 7])
        )
        square = x * x + y * y + z * z + w * w
        square = square if square > 0.0 else 1.0
        u, v, t, s = quaternion_product(qx, qy, qz, qw, -x / square, -y / square, -z / square, w / square)
        if s < 0.0:
            u, v, t, s = -u, -v, -t, -s
        sine = np.sqrt(u * u + v * v + t * t)
        scale = 2.0 * maths.atan2(sine, s) / sine if sine > 0.0 else 2.0
        for c in range(3):
            paths[p + CENTER + c] = start[o + c]
            paths[p + WAY + c] = np.float64(end[o + c]) - np.float64(start[o + c])
        paths[p + ROTATION], paths[p + ROTATION + 1] = x, y
        paths[p + ROTATION + 2], paths[p + ROTATION + 3] = z, w
        paths[p + TURN], paths[p + TURN + 1], paths[p + TURN + 2] = u * scale, v * scale, t * scale


@njit(borrows=True)
def core_of_shape(s: Any, child: Any, shapes: Any, hulls: Any, meshes: Any, level: Any, out: Array) -> Any:
    """Write the points of a shape, or of a triangle of it, in its body's frame; return how many, and the radius that
    rounds them. Those of a plane are one point on it and the end of its normal there.

    level: which size, see `_POINT`. The cores of a hull are an eighth and three eighths smaller: its ends do not become
    much shorter.
    """
    form, size, place = shapes
    heads, points = hulls
    starts, corners = meshes
    kind, o = form[FORM * s], 8 * s
    n, radius, cut, scale = 1, 0.0, 0.0, 1.0 if level <= _THIN else _QUARTER * (_POINT - level)
    trim = 3.0 * _QUARTER if level == _THIN else _QUARTER if level == _CORE else 0.0
    if level == _POINT:
        out[0] = out[1] = out[2] = 0.0
    elif kind <= CAPSULE:
        radius = (scale - trim) * np.float64(size[4 * s])
        half = scale * np.float64(size[4 * s + 1]) if kind == CAPSULE else 0.0
        out[0] = out[2] = out[3] = out[5] = 0.0
        out[1], out[4] = -half, half
        n = 2 if kind == CAPSULE else 1
    elif kind == PLANE:
        for k in range(6):
            out[k] = 0.0
        out[4] = 1.0
        n = 2
    elif kind == MESH:
        first = 9 * (np.int64(starts[2 * form[FORM * s + 2]]) + child - 1)
        for k in range(9):
            out[k] = corners[first + k]
        n = 3
    else:
        if level <= _THIN and kind == BOX:
            cut = trim * np.float64(min(size[4 * s], min(size[4 * s + 1], size[4 * s + 2])))
        elif level <= _THIN:
            scale = 1.0 - 0.5 * trim
        head = HEAD * np.int64(form[FORM * s + 2])
        n = np.int64(heads[head + N_POINTS])
        for k in range(n):
            p = 4 * (np.int64(heads[head + POINTS]) + k)
            for c in range(3):
                x = scale * points[p + c]
                out[3 * k + c] = x - cut if x > 0.0 else x + cut
    qx, qy, qz, qw = place[o + 4], place[o + 5], place[o + 6], place[o + 7]
    for k in range(n):
        x, y, z = turn(
            np.float64(qx), np.float64(qy), np.float64(qz), np.float64(qw), out[3 * k], out[3 * k + 1], out[3 * k + 2]
        )
        out[3 * k], out[3 * k + 1], out[3 * k + 2] = x + place[o], y + place[o + 1], z + place[o + 2]
    return n, radius


@njit(borrows=True)
def advance(points: Array, n: Any, paths: Array, o: Any, time: Any, out: Array) -> None:
    """Write points of a body at a time of its path, which begins at o."""
    tx, ty, tz = paths[o + TURN], paths[o + TURN + 1], paths[o + TURN + 2]
    x, y, z, w = paths[o + ROTATION], paths[o + ROTATION + 1], paths[o + ROTATION + 2], paths[o + ROTATION + 3]
    angle = np.sqrt(tx * tx + ty * ty + tz * tz)
    if angle > 0.0:
        sine, d = maths.sincos(0.5 * time * angle)
        scale = sine / angle
        a, b, c = scale * tx, scale * ty, scale * tz
        x, y, z, w = (
            d * x + a * w + (b * z - c * y), d * y + b * w + (c * x - a * z), d * z + c * w + (a * y - b * x),
            d * w - (a * x + b * y + c * z),
        )  # fmt: skip
    cx, cy = paths[o] + time * paths[o + WAY], paths[o + 1] + time * paths[o + WAY + 1]
    cz = paths[o + 2] + time * paths[o + WAY + 2]
    for k in range(n):
        px, py, pz = turn(x, y, z, w, points[3 * k], points[3 * k + 1], points[3 * k + 2])
        out[3 * k], out[3 * k + 1], out[3 * k + 2] = px + cx, py + cy, pz + cz


@njit(borrows=True, inline="always")
def _swing(paths: Array, o: Any, nx: Any, ny: Any, nz: Any) -> Any:
    """Return the speed along a direction at which a point turns at a distance of 1 at most: |n x w|."""
    a, b, c = paths[o + TURN], paths[o + TURN + 1], paths[o + TURN + 2]
    x, y, z = ny * c - nz * b, nz * a - nx * c, nx * b - ny * a
    return np.sqrt(x * x + y * y + z * z)


@njit(borrows=True, inline="always")
def _reach(points: Array, n: Any) -> Any:
    """Return the greatest distance of points from the center of their body."""
    far = 0.0
    for k in range(n):
        far = max(
            far, points[3 * k] * points[3 * k] + points[3 * k + 1] * points[3 * k + 1]
            + points[3 * k + 2] * points[3 * k + 2],
        )  # fmt: skip
    return np.sqrt(far)


@njit(borrows=True)
def time_of_impact(
    own: Array, n: Any, other: Array, m: Any, is_plane: Any, paths: Array, i: Any, j: Any, target: Any, end: Any,
    slop: Any, work: Any,
) -> Any:  # fmt: skip
    """Return the time, 0 to `end`, at which the cores of two shapes are as near as `target`, NEVER if they are not.

    own, other: their points, in the frames of bodies whose paths begin at i and j. target: at least `slop`; `_HALFWAY`
    for half of the distance at the start; 0 likewise, and at once if that is less than `slop`.
    """
    moved, wide, simplex, near = work
    arm, arm_other = _reach(own, n), _reach(other, m)
    u, v = paths[i + WAY] - paths[j + WAY], paths[i + WAY + 1] - paths[j + WAY + 1]
    w = paths[i + WAY + 2] - paths[j + WAY + 2]
    if is_plane:  # of its points those below the other shape count
        x, y, z = paths[i] - paths[j], paths[i + 1] - paths[j + 1], paths[i + 2] - paths[j + 2]
        arm_other = arm + np.sqrt(x * x + y * y + z * z) + np.sqrt(u * u + v * v + w * w)
    time, nx, ny, nz = 0.0, 0.0, 0.0, 0.0
    for _ in range(_STEPS):
        advance(own, n, paths, i, time, moved)
        advance(other, m, paths, j, time, wide)
        if is_plane:
            nx, ny, nz = wide[3] - wide[0], wide[4] - wide[1], wide[5] - wide[2]
            gap = np.inf
            for k in range(n):
                gap = min(
                    gap, nx * (moved[3 * k] - wide[0]) + ny * (moved[3 * k + 1] - wide[1])
                    + nz * (moved[3 * k + 2] - wide[2]),
                )  # fmt: skip
        else:
            gap = distance(wide, 0, np.int32(m), moved, 0, n, simplex, near)
            if gap > 0.0:
                nx, ny, nz = (near[3] - near[0]) / gap, (near[4] - near[1]) / gap, (near[5] - near[2]) / gap
        if target <= 0.0 and gap > 0.0:
            if target == 0.0 and gap < slop:
                return NEVER if nx * u + ny * v + nz * w >= 0.0 else _AT_ONCE
            target = 0.5 * gap
        if gap <= target + _QUARTER * min(slop, target) or gap == 0.0:
            return time
        speed = _swing(paths, i, nx, ny, nz) * arm + _swing(paths, j, nx, ny, nz) * arm_other
        speed -= nx * u + ny * v + nz * w
        if speed <= 0.0 or gap - target >= speed * (end - time):
            return NEVER
        time += (gap - target) / speed
    return time


@njit(borrows=True)
def is_behind(place: Array, s: Any, other: Array, paths: Array, i: Any, j: Any, work: Any) -> Any:
    """Return whether the position of shape s is behind a triangle at the start; then the triangle lets it pass."""
    moved, wide, simplex, _ = work
    for c in range(3):
        simplex[c] = np.float64(place[8 * s + c])
    advance(other, np.int64(3), paths, j, 0.0, wide)
    advance(simplex, np.int64(1), paths, i, 0.0, moved)
    ax, ay, az = wide[3] - wide[0], wide[4] - wide[1], wide[5] - wide[2]
    bx, by, bz = wide[6] - wide[0], wide[7] - wide[1], wide[8] - wide[2]
    x, y, z = moved[0] - wide[0], moved[1] - wide[1], moved[2] - wide[2]
    return (ay * bz - az * by) * x + (az * bx - ax * bz) * y + (ax * by - ay * bx) * z < 0.0


@njit(borrows=True)
def first_impacts(
    pairs: Array, child: Array, rows: Array, paths: Array, shapes: Any, hulls: Any, meshes: Any, inners: Array,
    found: Any, work: Any,
) -> None:  # fmt: skip
    """Lower the times of bodies to their first impacts, and store the shapes that they hit.

    pairs: int32, 2 each: a shape of a moving body, and another shape. child: int32, 0 or 1 + a triangle of the other.
    rows: int32, of each body in `paths` and `found`. shapes: form, size, place. hulls: heads and points. meshes: first
    triangles, corners. inners: float32, the inner radii of bodies. found: float64 times, 0 to 1 or more, and int32
    shapes. work: see `working_memory`.
    """
    form, _, place = shapes
    times, hits = found
    own, other, inner = work
    for k in range(len(child)):
        s, t = np.int64(pairs[2 * k]), np.int64(pairs[2 * k + 1])
        body = np.int64(form[FORM * s + 1])
        row, slop = np.int64(rows[body]), min(_SLOP, _QUARTER * inners[body])
        i, j = PATH * row, PATH * np.int64(rows[np.int64(form[FORM * t + 1])])
        kind = form[FORM * t]
        m, radius = core_of_shape(t, np.int64(child[k]), shapes, hulls, meshes, np.int64(_SHAPE), other)
        if kind == MESH and is_behind(place, s, other, paths, i, j, inner):
            continue
        # First the core. If it meets the other, the shape itself is moved; if it touches, smaller cores are.
        level, first = np.int64(_CORE), times[row]
        while level <= _POINT:
            n, thick = core_of_shape(s, np.int64(0), shapes, hulls, meshes, level, own)
            near = _HALFWAY if level == _THIN else radius + thick + slop if level < _POINT else 0.0
            time = time_of_impact(own, n, other, m, kind == PLANE, paths, i, j, near, first, slop, inner)
            if 0.0 < time < first:
                first = time
            if (time > 0.0 and (time == NEVER or level != _CORE)) or level == _SHAPE:
                break
            level = np.int64(_SHAPE) if time > 0.0 else level + 1
        if first < times[row]:
            times[row], hits[row] = first, t


def working_memory() -> Any:
    """Return the working memory of `first_impacts`."""
    points = [np.zeros(3 * MAX_POINTS) for _ in range(4)]
    return points[0], points[1], (points[2], points[3], np.zeros(WORK), np.zeros(6))
