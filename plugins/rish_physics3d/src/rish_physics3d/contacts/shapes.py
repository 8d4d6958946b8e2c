"""Two shapes of any kind: chooses the collision test, and puts both shapes into one frame for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..geometry.collide.boxes import box_box
from ..geometry.collide.clip import MOST, ROW
from ..geometry.collide.gjk import WORK
from ..geometry.collide.hulls import HEAD, N_POINTS, bring, hull_hull
from ..geometry.collide.round import round_hull, round_round, sphere_box
from ..geometry.collide.triangles import triangle_ball, triangle_capsule, triangle_hull
from ..maths.rotations import turn

SPHERE, CAPSULE, BOX, HULL, PLANE, MESH = range(6)
"""The kinds of shapes. A pair is tested in the frame of the one with the greater number. Two of the last two never
meet.
"""
FORM = 3
"""The int32 numbers of a shape: kind, body, hull or mesh."""
_POINTS, _PLANES = 64, 128
_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)


@njit(borrows=True)
def place_shape(shape: Any, body: Any, place: Array, pose: Array, out: Array) -> None:
    """Write the pose of a shape in world axes: x, y, z from the body's center, unused, quaternion. place: in its
    body.
    """
    o, p = 8 * shape, 8 * body
    qx, qy, qz, qw = pose[p + 4], pose[p + 5], pose[p + 6], pose[p + 7]
    out[0], out[1], out[2] = turn(qx, qy, qz, qw, place[o], place[o + 1], place[o + 2])
    ax, ay, az, aw = place[o + 4], place[o + 5], place[o + 6], place[o + 7]
    out[4] = qw * ax + qx * aw + (qy * az - qz * ay)
    out[5] = qw * ay + qy * aw + (qz * ax - qx * az)
    out[6] = qw * az + qz * aw + (qx * ay - qy * ax)
    out[7] = qw * aw - (qx * ax + qy * ay + qz * az)


@njit(borrows=True)
def relate(a: Array, b: Array, rotation: Array) -> None:
    """Write the rotation of b in a's frame as a matrix: that of conj(a) b."""
    ax, ay, az, aw = a[4], a[5], a[6], a[7]
    bx, by, bz, bw = b[4], b[5], b[6], b[7]
    x = aw * bx - ax * bw - (ay * bz - az * by)
    y = aw * by - ay * bw - (az * bx - ax * bz)
    z = aw * bz - az * bw - (ax * by - ay * bx)
    w = aw * bw + ax * bx + ay * by + az * bz
    rotation[0], rotation[1], rotation[2] = _1 - _2 * (y * y + z * z), _2 * (x * y - z * w), _2 * (x * z + y * w)
    rotation[3], rotation[4], rotation[5] = _2 * (x * y + z * w), _1 - _2 * (x * x + z * z), _2 * (y * z - x * w)
    rotation[6], rotation[7], rotation[8] = _2 * (x * z - y * w), _2 * (y * z + x * w), _1 - _2 * (x * x + y * y)


@njit(borrows=True)
def core_of(kind: Any, size: Array, o: Any, rotation: Array, x: Any, y: Any, z: Any, out: Array) -> Any:
    """Write the ends of the segment of a capsule, or twice the center of a sphere; return the number of points."""
    half = size[o + 1] if kind == CAPSULE else _0
    ux, uy, uz = half * rotation[1], half * rotation[4], half * rotation[7]
    out[0], out[1], out[2] = x - ux, y - uy, z - uz
    out[3], out[4], out[5] = x + ux, y + uy, z + uz
    return 2 if kind == CAPSULE else 1


@njit(borrows=True)
def under_plane(points: Array, count: Any, radius: Any, limit: Any, gaps: Array, out: Array) -> Any:
    """Collide the plane y = 0 with points that are rounded by a radius; return how many touch, and the least
    separation.
    """
    n, apart = 0, np.float32(3e38)
    for k in range(count):
        gap = points[3 * k + 1] - radius
        apart = min(apart, gap)
        if gap <= limit and n < MOST:
            out[ROW * n], out[ROW * n + 1], out[ROW * n + 2] = points[3 * k], _half * gap, points[3 * k + 2]
            gaps[n] = gap
            n += 1
    return n, apart


@njit(borrows=True)
def collide_shapes(s: Any, t: Any, x: Any, y: Any, z: Any, shapes: Any, hulls: Any, limit: Any, work: Any) -> Any:
    """Collide shape s with shape t, whose kind is not greater, in the frame of s.

    x, y, z: the position of t there; its rotation is in `work`. Returns the number of points, the normal from s to t,
    and the separation. The points, between both surfaces, and their separations are in `work`.
    """
    form, size = shapes
    heads, points, planes, topology = hulls
    gaps, rotation, unit, faces, memory, cores, brought = work
    core_a, core_b = cores
    points_a, planes_a, points_b, planes_b = brought
    out = faces[0]
    kind, other = form[FORM * s], form[FORM * t]
    o, p = 4 * s, 4 * t
    if kind == BOX and other == BOX:
        a = (size[o], size[o + 1], size[o + 2])
        b = (size[p], size[p + 1], size[p + 2])
        return box_box(gaps, rotation, unit, x, y, z, a, b, limit, faces)
    if kind == BOX and other == SPHERE:
        return sphere_box(x, y, z, (size[o], size[o + 1], size[o + 2]), size[p], limit, gaps, out)
    if kind <= CAPSULE:
        core_of(kind, size, o, unit, _0, _0, _0, core_a)
        core_of(other, size, p, rotation, x, y, z, core_b)
        return round_round(core_a, size[o], core_b, size[p], limit, gaps, out)
    head_b = heads[HEAD * np.int64(form[FORM * t + 2]) : HEAD * np.int64(form[FORM * t + 2]) + HEAD]
    if other > CAPSULE:
        bring(points, planes, head_b, rotation, x, y, z, points_b, planes_b)
    if kind == PLANE:
        if other > CAPSULE:
            count, apart = under_plane(points_b, head_b[N_POINTS], _0, limit, gaps, out)
        else:
            n = core_of(other, size, p, rotation, x, y, z, core_b)
            count, apart = under_plane(core_b, n, size[p], limit, gaps, out)
        return count, _0, _1, _0, apart
    head_a = heads[HEAD * np.int64(form[FORM * s + 2]) : HEAD * np.int64(form[FORM * s + 2]) + HEAD]
    bring(points, planes, head_a, unit, _0, _0, _0, points_a, planes_a)
    if other > CAPSULE:
        return hull_hull(head_a, head_b, topology, points_a, planes_a, points_b, planes_b, limit, gaps, faces)
    n = core_of(other, size, p, rotation, x, y, z, core_b)
    return round_hull(head_a, topology, points_a, planes_a, core_b, n, size[p], limit, memory, gaps, out)


@njit(borrows=True)
def collide_triangle(s: Any, t: Any, child: Any, x: Any, y: Any, z: Any, shapes: Any, hulls: Any, meshes: Any,
                     limit: Any, work: Any) -> Any:  # fmt: skip
    """Collide a triangle of mesh s with shape t in the mesh's frame; see `collide_shapes`. child: 1 + the triangle.

    meshes: see `bodies.layout.meshes_of`.
    """
    form, size = shapes
    heads, points, planes, topology = hulls
    starts, corners, sides, triangle = meshes
    gaps, rotation, _, faces, memory, cores, brought = work
    own, around, points_b, planes_b = brought
    core = cores[1]
    head, topology_t = triangle
    i = np.int64(starts[2 * form[FORM * s + 2]]) + child - 1
    for k in range(9):
        own[k] = corners[9 * i + k]
    for k in range(16):
        around[k] = sides[16 * i + k]
    if around[0] * x + around[1] * y + around[2] * z < around[3]:  # the shape's center is behind the triangle
        return 0, _0, _0, _0, _0
    kind, p = form[FORM * t], 4 * t
    if kind == SPHERE:
        return triangle_ball(own, around, x, y, z, size[p], limit, gaps, faces[0])
    if kind == CAPSULE:
        core_of(kind, size, p, rotation, x, y, z, core)
        return triangle_capsule(own, around, head, topology_t, core, size[p], limit, memory, gaps, faces[0])
    head_b = heads[HEAD * np.int64(form[FORM * t + 2]) : HEAD * np.int64(form[FORM * t + 2]) + HEAD]
    bring(points, planes, head_b, rotation, x, y, z, points_b, planes_b)
    return triangle_hull(own, around, head, topology_t, head_b, topology, points_b, planes_b, limit, gaps, faces)


def working_memory() -> Any:
    """Return the working memory of `collide_shapes`."""

    def floats(count: int) -> Array:
        return np.zeros(count, np.float32)

    return (
        floats(MOST),
        floats(9),
        np.eye(3, dtype=np.float32).ravel(),
        (floats(ROW * MOST), floats(ROW * MOST), floats(ROW * MOST)),
        (np.zeros(3 * _POINTS), np.zeros(6), np.zeros(WORK), np.zeros(6)),
        (floats(6), floats(6)),
        (floats(3 * _POINTS), floats(4 * _PLANES), floats(3 * _POINTS), floats(4 * _PLANES)),
    )
