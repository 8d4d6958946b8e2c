"""Boxes that are apart, eight pairs at a time: most pairs that are near each other do not touch.

The separations are those of `geometry.collide.boxes.box_axes`, to the bit. Pairs that touch are left to that test.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, gather, gather4, maximum, minimum, select, splat, store

from ..components.manifold import FIRST, GAP, MANIFOLD
from ..geometry.collide.hulls import PREFERENCE, QUARTER
from ..maths.lanes import cross, dot, minus, plus, scaled, turned
from .recycle import note_poses
from .shapes import BOX, FORM

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)


@njit(borrows=True, forceinline=True)
def _size(x: Any) -> Any:
    """Return the absolute value."""
    return maximum(x, -x)


@njit(borrows=True, forceinline=True)
def _enough(gap: Any, limit: Any) -> Any:
    """Return the separation that another axis must have to be used instead, see `hulls.preference`."""
    least = splat(PREFERENCE) * _size(gap) + splat(QUARTER * PREFERENCE * limit)
    return gap + minimum(least, splat(QUARTER * limit))


@njit(borrows=True, forceinline=True)
def _placed(body: Any, place: Any) -> Any:
    """Return the pose of a shape in world axes, see `shapes.place_shape`: relative to the body, and a quaternion."""
    q = (body[4], body[5], body[6], body[7])
    u, v, w = (q[0], q[1], q[2]), (place[4], place[5], place[6]), place[7]
    turn = plus(plus(scaled(v, q[3]), scaled(u, w)), cross(u, v))
    return turned(q, (place[0], place[1], place[2])), (turn[0], turn[1], turn[2], q[3] * w - dot(u, v))


@njit(borrows=True, forceinline=True)
def _related(a: Any, b: Any) -> Any:
    """Return the rotation of b in a's frame as nine numbers, see `shapes.relate`."""
    one, two = splat(_1), splat(_2)
    u, v = (a[0], a[1], a[2]), (b[0], b[1], b[2])
    x, y, z = minus(minus(scaled(v, a[3]), scaled(u, b[3])), cross(u, v))
    w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return (
        one - two * (y * y + z * z), two * (x * y - z * w), two * (x * z + y * w),
        two * (x * y + z * w), one - two * (x * x + z * z), two * (y * z - x * w),
        two * (x * z - y * w), two * (y * z + x * w), one - two * (x * x + y * y),
    )  # fmt: skip


@njit(borrows=True, forceinline=True)
def _further(best: Any, room: Any, along: Any, reach: Any) -> Any:
    """Return the separation along an axis if it is the greater one, and if there is room for it; else `best`.

    room: which lanes look further, and what they need.
    """
    gap = _size(along) - reach
    return select(room[0] & (gap > best) & (gap > room[1]), gap, best)


@njit(borrows=True)
def separations(who: Array, pose: Array, size: Array, place: Array, limit: Any, out: Array) -> Any:
    """Write the separations of eight pairs of boxes along the normals of their faces; return, as bits, which are above
    the limit.

    who: int32, contacts, both bodies and both shapes. out: float32.
    """
    i, j = gather(pose, 8, 0, who, LANES), gather(pose, 8, 0, who, 2 * LANES)
    a, b = gather4(size, 4, 0, who, 3 * LANES), gather4(size, 4, 0, who, 4 * LANES)
    at_a, turn_a = _placed(i, gather(place, 8, 0, who, 3 * LANES))
    at_b, turn_b = _placed(j, gather(place, 8, 0, who, 4 * LANES))
    r = _related(turn_a, turn_b)
    t = minus(plus(minus((j[0], j[1], j[2]), (i[0], i[1], i[2])), at_b), at_a)
    t = turned((-turn_a[0], -turn_a[1], -turn_a[2], turn_a[3]), t)
    s = (
        _size(r[0]), _size(r[1]), _size(r[2]), _size(r[3]), _size(r[4]), _size(r[5]), _size(r[6]), _size(r[7]),
        _size(r[8]),
    )  # fmt: skip
    top = splat(limit)
    best = _size(t[0]) - (a[0] + (s[0] * b[0] + s[1] * b[1] + s[2] * b[2]))
    best = maximum(_size(t[1]) - (a[1] + (s[3] * b[0] + s[4] * b[1] + s[5] * b[2])), best)
    best = maximum(_size(t[2]) - (a[2] + (s[6] * b[0] + s[7] * b[1] + s[8] * b[2])), best)
    room = (best <= top, _enough(best, limit))
    x, y, z = (r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])
    best = _further(best, room, dot(t, x), b[0] + (s[0] * a[0] + s[3] * a[1] + s[6] * a[2]))
    best = _further(best, room, dot(t, y), b[1] + (s[1] * a[0] + s[4] * a[1] + s[7] * a[2]))
    best = _further(best, room, dot(t, z), b[2] + (s[2] * a[0] + s[5] * a[1] + s[8] * a[2]))
    store(out, 0, best)
    return bits(best > top)


@njit(borrows=True)
def set_apart(others: Array, count: Any, contacts: Any, pose: Array, shapes: Any, limit: Any, work: Any) -> Any:
    """Write the manifolds of boxes that a face separates; leave the other contacts in `others`, and return how many.

    others: int32, `count` contacts, with room for seven more. contacts, pose, shapes, limit: see `narrow.collide`.
    work: int32 and float32 memory.
    """
    pair, ends, _, manifold, info = contacts
    form, size, place = shapes
    who, gaps = work
    n, waiting = 0, 0
    for q in range(count):
        c = np.int64(others[q])
        s, t = ends[2 * c], ends[2 * c + 1]
        if form[FORM * s] != BOX or form[FORM * t] != BOX:
            others[n] = c
            n += 1
        else:
            who[waiting], who[LANES + waiting], who[2 * LANES + waiting] = c, pair[2 * c], pair[2 * c + 1]
            who[3 * LANES + waiting], who[4 * LANES + waiting] = s, t
            waiting += 1
        if waiting == 0 or (waiting < LANES and q < count - 1):
            continue
        for k in range(waiting, LANES):
            for part in range(0, 5 * LANES, LANES):
                who[part + k] = who[part]
        chosen = separations(who, pose, size, place, limit, gaps)
        for k in range(waiting):
            c = np.int64(who[k])
            if not chosen >> k & 1:
                others[n] = c
                n += 1
                continue
            o, i, j = MANIFOLD * c, np.int64(who[LANES + k]), np.int64(who[2 * LANES + k])
            x, y, z = pose[8 * j] - pose[8 * i], pose[8 * j + 1] - pose[8 * i + 1], pose[8 * j + 2] - pose[8 * i + 2]
            note_poses(manifold, o, pose, i, j, x, y, z)
            for part in range(FIRST):
                manifold[o + part] = _0
            manifold[o + GAP] = gaps[k]
            info[2 * c] = 0
        waiting = 0
    return n
