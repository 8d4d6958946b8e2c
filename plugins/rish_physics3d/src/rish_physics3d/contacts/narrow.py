"""The narrow phase: computes the points of contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES

from ..collide.boxes import box_box
from ..collide.clip import MOST, ROW, deepest
from ..solver.integrate import turn
from .layout import ANCHOR_A, ANCHOR_B, BASE, BETWEEN, FIRST, GAP, IMPULSE, MANIFOLD, POINT, SEPARATION, SLIDE, TURN_A
from .layout import TURN_B, TWIST
from .recycle import recycle

SPHERE, CAPSULE, BOX, HULL, PLANE = range(5)
_0, _1, _2, _half = np.float32(0), np.float32(1), np.float32(2), np.float32(0.5)


@njit(borrows=True)
def place_shape(shape: Any, body: Any, place: Any, pose: Any, out: Any) -> None:
    """Write the position and rotation of a shape in world axes: x, y, z, unused, quaternion. place: in its body."""
    o, p = 8 * shape, 8 * body
    qx, qy, qz, qw = pose[p + 4], pose[p + 5], pose[p + 6], pose[p + 7]
    x, y, z = turn(qx, qy, qz, qw, place[o], place[o + 1], place[o + 2])
    out[0], out[1], out[2] = x, y, z
    ax, ay, az, aw = place[o + 4], place[o + 5], place[o + 6], place[o + 7]
    out[4] = qw * ax + qx * aw + (qy * az - qz * ay)
    out[5] = qw * ay + qy * aw + (qz * ax - qx * az)
    out[6] = qw * az + qz * aw + (qx * ay - qy * ax)
    out[7] = qw * aw - (qx * ax + qy * ay + qz * az)


@njit(borrows=True)
def meet(active: Any, contacts: Any, pose: Any, shapes: Any, limit: Any, reuse: Any, work: Any, others: Any) -> None:
    """Compute the manifolds of all active contacts.

    contacts: pair (bodies), ends (shapes), manifold, info. shapes: kind and body (int32, 2 a shape), place (8),
    size (4). work: working memory.
    """
    pair, ends, manifold, info = contacts
    form, place, size = shapes
    numbers, rotation, unit, faces, frame_a, frame_b, chosen, new, lanes = work
    for q in range(recycle(active, contacts, pose, size, limit, reuse, lanes, others)):
        c = np.int64(others[q])
        o = MANIFOLD * c
        s, t = np.int64(ends[2 * c]), np.int64(ends[2 * c + 1])
        a, b = np.int64(pair[2 * c]), np.int64(pair[2 * c + 1])
        place_shape(s, a, place, pose, frame_a)
        place_shape(t, b, place, pose, frame_b)
        dx, dy, dz = pose[8 * b] - pose[8 * a], pose[8 * b + 1] - pose[8 * a + 1], pose[8 * b + 2] - pose[8 * a + 2]
        # B's shape relative to A's, in A's frame.
        x, y, z = dx + frame_b[0] - frame_a[0], dy + frame_b[1] - frame_a[1], dz + frame_b[2] - frame_a[2]
        ax, ay, az, aw = frame_a[4], frame_a[5], frame_a[6], frame_a[7]
        bx, by, bz, bw = frame_b[4], frame_b[5], frame_b[6], frame_b[7]
        tx, ty, tz = turn(-ax, -ay, -az, aw, x, y, z)
        kind_a, kind_b = form[2 * s], form[2 * t]
        size_a = (size[4 * s], size[4 * s + 1], size[4 * s + 2])
        size_b = (size[4 * t], size[4 * t + 1], size[4 * t + 2])
        count = 0
        nx, ny, nz, apart = _0, _1, _0, _0
        points = faces[0]
        # For recycling: the relative position in the frame of A's body, and both rotations.
        m, i, j = o + BETWEEN, 8 * a, 8 * b
        ux, uy, uz = turn(-pose[i + 4], -pose[i + 5], -pose[i + 6], pose[i + 7], dx, dy, dz)
        manifold[m], manifold[m + 1], manifold[m + 2] = ux, uy, uz
        for k in range(4):
            manifold[o + TURN_A + k], manifold[o + TURN_B + k] = pose[i + 4 + k], pose[j + 4 + k]
        if kind_a == BOX and kind_b == BOX:
            # conj(a) b as a matrix.
            qx = aw * bx - ax * bw - (ay * bz - az * by)
            qy = aw * by - ay * bw - (az * bx - ax * bz)
            qz = aw * bz - az * bw - (ax * by - ay * bx)
            qw = aw * bw + ax * bx + ay * by + az * bz
            rotation[0], rotation[3], rotation[6] = _1 - _2 * (qy * qy + qz * qz), _2 * (qx * qy + qz * qw), _2 * (qx * qz - qy * qw)
            rotation[1], rotation[4], rotation[7] = _2 * (qx * qy - qz * qw), _1 - _2 * (qx * qx + qz * qz), _2 * (qy * qz + qx * qw)
            rotation[2], rotation[5], rotation[8] = _2 * (qx * qz + qy * qw), _2 * (qy * qz - qx * qw), _1 - _2 * (qx * qx + qy * qy)
            count, nx, ny, nz, apart = box_box(numbers, rotation, unit, tx, ty, tz, size_a, size_b, limit, faces)
        elif kind_a == SPHERE and kind_b == SPHERE:
            far = np.sqrt(tx * tx + ty * ty + tz * tz)
            gap = apart = far - size_a[0] - size_b[0]
            if gap <= limit:
                if far > _0:
                    nx, ny, nz = tx / far, ty / far, tz / far
                reach = size_a[0] + _half * gap
                points[0], points[1], points[2] = reach * nx, reach * ny, reach * nz
                numbers[0] = gap
                count = 1
        if count:
            count = deepest(points, numbers, count, nx, ny, nz, chosen)
        nx, ny, nz = turn(ax, ay, az, aw, nx, ny, nz)
        manifold[o], manifold[o + 1], manifold[o + 2] = nx, ny, nz
        for k in range(count):
            at = np.int64(chosen[k])
            px, py, pz = turn(ax, ay, az, aw, points[ROW * at], points[ROW * at + 1], points[ROW * at + 2])
            px, py, pz = px + frame_a[0], py + frame_a[1], pz + frame_a[2]
            m = POINT * k
            new[m], new[m + 1], new[m + 2], new[m + SEPARATION] = px, py, pz, numbers[at]
            new[m + ANCHOR_B], new[m + ANCHOR_B + 1], new[m + ANCHOR_B + 2] = px - dx, py - dy, pz - dz
            new[m + IMPULSE] = _0
        keep_impulses(manifold, o, info[2 * c], new, count, _2 * limit)
        manifold[o + GAP] = apart
        for k in range(count):
            manifold[o + BASE + k] = new[POINT * k + SEPARATION]
        info[2 * c] = count


@njit(borrows=True)
def keep_impulses(manifold: Any, o: Any, old: Any, new: Any, count: Any, near: Any) -> None:
    """Replace the `old` points of a manifold by `count` new ones, with the impulses of the old points near them.

    A point stays the same while it hardly moves on one of the two bodies. The only point of a contact is always the
    same. near: the greatest such movement.
    """
    for k in range(count):
        m, best, nearest = POINT * k, -1, near * near
        for i in range(old):
            p = o + FIRST + POINT * i
            a, b = _0, _0
            for c in range(3):
                u, v = new[m + c] - manifold[p + c], new[m + ANCHOR_B + c] - manifold[p + ANCHOR_B + c]
                a, b = a + u * u, b + v * v
            far = min(a, b)
            if manifold[p + IMPULSE] >= _0 and (far < nearest or old + count == 2):
                best, nearest = p, far
        if best >= 0:
            new[m + IMPULSE] = manifold[best + IMPULSE]
            manifold[best + IMPULSE] = -_1  # an old point gives its impulse to one new point only
    for k in range(POINT * count):
        manifold[o + FIRST + k] = new[k]
    if count == 0:
        manifold[o + TWIST], manifold[o + SLIDE], manifold[o + SLIDE + 1], manifold[o + SLIDE + 2] = _0, _0, _0, _0


def working_memory() -> Any:
    """Return the working memory of `meet`."""
    face = lambda: np.zeros(ROW * MOST, np.float32)
    return (
        np.zeros(MOST, np.float32), np.zeros(9, np.float32), np.eye(3, dtype=np.float32).ravel(),
        (face(), face(), face()), np.zeros(8, np.float32), np.zeros(8, np.float32), np.zeros(MOST, np.int32),
        np.zeros(4 * POINT, np.float32), (np.zeros(5 * LANES, np.int32), np.zeros(2 * LANES, np.float32)),
    )  # fmt: skip
