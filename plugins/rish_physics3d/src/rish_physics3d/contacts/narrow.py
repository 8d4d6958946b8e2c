"""The narrow phase: computes the points of contacts that moved, and keeps the impulses of the points that stay."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES

from ..components.manifold import (
    ANCHOR_B,
    BASE,
    FIRST,
    GAP,
    IMPULSE,
    MANIFOLD,
    POINT,
    SEPARATION,
    SLIDE,
    TWIST,
)
from ..geometry.collide.clip import MOST, ROW, deepest
from ..maths.rotations import turn
from . import shapes as pairs
from .apart import set_apart
from .recycle import note_poses, recycle
from .shapes import FORM, collide_shapes, collide_triangle, place_shape, relate

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)


def meet(
    active: Array, contacts: Any, pose: Array, shapes: Any, hulls: Any, meshes: Any, limit: Any, reuse: Any, work: Any
) -> None:
    """Compute the manifolds of all active contacts: those that hardly moved, boxes that are apart, then the others.

    contacts: pair (bodies), ends (shapes), child, manifold, info. pose: of the bodies. shapes: form, size and place.
    hulls, meshes: see `bodies.layout`. limit: the distance of speculative contacts, m. reuse: see `recycle`. work:
    working memory.
    """
    lanes, others = work[-2:]
    count = recycle(active, contacts, pose, shapes[1], limit, reuse, lanes, others)
    count = set_apart(others, count, contacts, pose, shapes, limit, lanes)
    if count:
        collide(others[:count], contacts, pose, shapes, hulls, meshes, limit, work)


@njit(borrows=True)
def collide(
    rows: Array, contacts: Any, pose: Array, shapes: Any, hulls: Any, meshes: Any, limit: Any, work: Any
) -> None:
    """Compute the manifolds of some contacts by their collision tests; see `meet`."""
    pair, ends, child, manifold, info = contacts
    form, size, place = shapes
    test, frame_a, frame_b, chosen, new, _, _ = work
    gaps, rotation, points = test[0], test[1], test[3][0]
    for q in range(len(rows)):
        c = np.int64(rows[q])
        o = MANIFOLD * c
        # The first shape of the test is the one with the greater kind.
        s, t, i, j, sign = (
            np.int64(ends[2 * c]),
            np.int64(ends[2 * c + 1]),
            np.int64(pair[2 * c]),
            np.int64(pair[2 * c + 1]),
            _1,
        )
        dx, dy, dz = pose[8 * j] - pose[8 * i], pose[8 * j + 1] - pose[8 * i + 1], pose[8 * j + 2] - pose[8 * i + 2]
        note_poses(manifold, o, pose, i, j, dx, dy, dz)
        if form[FORM * t] > form[FORM * s]:
            s, t, i, j, sign = t, s, j, i, -_1
        place_shape(s, i, place, pose, frame_a)
        place_shape(t, j, place, pose, frame_b)
        relate(frame_a, frame_b, rotation)
        ax, ay, az, aw = frame_a[4], frame_a[5], frame_a[6], frame_a[7]
        x, y, z = (
            sign * dx + frame_b[0] - frame_a[0],
            sign * dy + frame_b[1] - frame_a[1],
            sign * dz + frame_b[2] - frame_a[2],
        )
        x, y, z = turn(-ax, -ay, -az, aw, x, y, z)
        if form[FORM * s] == pairs.MESH:
            count, nx, ny, nz, apart = collide_triangle(
                s, t, np.int64(child[c]), x, y, z, (form, size), hulls, meshes, limit, test
            )
        else:
            count, nx, ny, nz, apart = collide_shapes(s, t, x, y, z, (form, size), hulls, limit, test)
        if count > 0:
            count = deepest(points, gaps, count, nx, ny, nz, chosen)
        nx, ny, nz = turn(ax, ay, az, aw, nx, ny, nz)
        manifold[o], manifold[o + 1], manifold[o + 2] = sign * nx, sign * ny, sign * nz
        manifold[o + GAP] = apart
        # Points relative to both bodies. If the test was the other way round, the first frame is that of B.
        bx, by, bz = (dx, dy, dz) if sign < _0 else (_0, _0, _0)
        for k in range(count):
            p, m = ROW * np.int64(chosen[k]), POINT * k
            x, y, z = turn(ax, ay, az, aw, points[p], points[p + 1], points[p + 2])
            x, y, z = x + frame_a[0] + bx, y + frame_a[1] + by, z + frame_a[2] + bz
            new[m], new[m + 1], new[m + 2], new[m + SEPARATION] = x, y, z, gaps[chosen[k]]
            new[m + ANCHOR_B], new[m + ANCHOR_B + 1], new[m + ANCHOR_B + 2] = x - dx, y - dy, z - dz
            new[m + IMPULSE] = _0
            manifold[o + BASE + k] = gaps[chosen[k]]
        keep_impulses(manifold, o, info[2 * c], new, count, _2 * limit)
        info[2 * c] = count


@njit(borrows=True)
def keep_impulses(manifold: Array, o: Any, old: Any, new: Array, count: Any, near: Any) -> None:
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
            if manifold[p + IMPULSE] >= _0 and (far < nearest or (old == 1 and count == 1)):
                best, nearest = p, far
        if best >= 0:
            new[m + IMPULSE] = manifold[best + IMPULSE]
            manifold[best + IMPULSE] = -_1  # an old point gives its impulse to one new point only
    for k in range(POINT * count):
        manifold[o + FIRST + k] = new[k]
    if count == 0:
        manifold[o + TWIST], manifold[o + SLIDE], manifold[o + SLIDE + 1], manifold[o + SLIDE + 2] = _0, _0, _0, _0


def working_memory(count: int) -> Any:
    """Return the working memory of `meet` for `count` contacts."""
    frames = (np.zeros(8, np.float32), np.zeros(8, np.float32))
    lanes = (np.zeros(5 * LANES, np.int32), np.zeros(2 * LANES, np.float32))
    points = (np.zeros(MOST, np.int32), np.zeros(4 * POINT, np.float32))
    return (pairs.working_memory(), *frames, *points, lanes, np.zeros(count + LANES, np.int32))
