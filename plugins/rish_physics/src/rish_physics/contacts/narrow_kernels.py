"""The kernels of the narrow phase; see `narrow`, which calls them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, gather, gather4, load, maximum, minimum, pick, select, splat, store

from ..components.tables import (
    BALL,
    BEGAN,
    BOX,
    CHAIN,
    ENDED,
    IS_SENSOR,
    NEEDS_UPDATE,
    ONE_WAY,
    PASSES_THROUGH,
    POINTS,
    TOUCHING,
)
from ..geometry.aabb import core_count, core_start
from ..geometry.collide.chain import chain_hull
from ..geometry.collide.convex import FIRST, SECOND, bring_together, hull_hull, hull_point
from ..geometry.collide.manifold import GAP, ball_ball, box_ball, box_box, keep_impulses, put_point
from ..geometry.distance import distance

_MIN_COSINE = np.float32(0.98)
"""The cosine of the largest rotation of a body, 11.5°, with which its manifolds are reused."""
_MAX_MOVEMENT = np.float32(0.05)
"""The largest movement of a reused manifold, as a share of the smaller shape's reach."""
_SIMPLE = BOX | BALL
_SOLID_ANGLE = np.float32(0.5)
"""The cosine of the largest angle between a one-way shape's direction and a normal, 60°, for which it is solid."""
_MAX_OVERLAP = np.float32(4)
"""The greatest overlap with a one-way shape at which a first contact is solid, in slops, in addition to the movement
of one step.
"""
_SURE = np.float32(1e-4)
"""The share of the reach of two shapes by which their distance must differ from the sum of their radii, so that it is
decided without GJK whether they overlap; a hundred times the error of both.
"""
_0, _1 = np.float32(0), np.float32(1)


@njit(borrows=True)
def recycle(
    active: Array, pair: Array, manifold: Array, info: Array, pose: Array, size: Array, limit: Any, reuse: Any,
    who: Array, what: Array, others: Array,
) -> Any:  # fmt: skip
    """Recycle the manifolds of contacts if possible, eight at a time, and clear their flags BEGAN, ENDED and
    NEEDS_UPDATE.

    That is possible if the bodies moved less, relative to each other, than the separations allow. Returns the number of
    contacts that cannot be recycled, which are listed in `others`. who: int32 (40,), working memory for the shapes,
    bodies and contacts of a block; unused lanes repeat the last contact. what: float32 (16,), working memory for
    numbers of the lanes.
    """
    zero, max_turn_step, limits, minimum_of = splat(_0), splat(_MIN_COSINE), splat(limit), splat(reuse)
    n, n_rest, rows = len(active), 0, 4 * LANES
    for number in range((n + LANES - 1) // LANES):
        s = number * LANES
        block, at = active, s
        if s + LANES > n:
            block, at = who, rows
            for k in range(LANES):
                who[rows + k] = active[min(s + k, n - 1)]
        for k in range(LANES):
            c = np.int64(np.uint32(block[at + k]))
            for side in range(4):
                who[side * LANES + k] = pair[4 * c + side]
            what[k] = np.float32(info[2 * c])
            marks = info[2 * c + 1]
            if marks & (BEGAN | ENDED | NEEDS_UPDATE):
                info[2 * c + 1] = marks & ~(BEGAN | ENDED | NEEDS_UPDATE)
        points = load(what, 0)
        reach_a, reach_b = pick(size, 4, 3, who, 0), pick(size, 4, 3, who, LANES)
        xa, ya, ca, sa = gather4(pose, 4, 0, who, 2 * LANES)
        xb, yb, cb, sb = gather4(pose, 4, 0, who, 3 * LANES)
        nx, ny, ka, la, kb, lb, mx, my = gather(manifold, 24, 0, block, at)
        # Rotation of each body since the manifold was made, and the relative motion in the frame of the larger shape.
        dx, dy = xb - xa, yb - ya
        cos_a, cos_b = ca * ka + sa * la, cb * kb + sb * lb
        large = reach_a >= reach_b
        fx, fy = select(large, ca, -cb), select(large, sa, -sb)
        mx, my = (fx * dx + fy * dy) - mx, (fx * dy - fy * dx) - my
        turn = (ca * sb - sa * cb) * (ka * kb + la * lb) - (ca * cb + sa * sb) * (ka * lb - la * kb)
        small = minimum(reach_a, reach_b)
        # The motion allowed, less the part used by the relative rotation.
        room = pick(manifold, 24, GAP, block, at) - limits
        room = select(points > zero, minimum(splat(_MAX_MOVEMENT) * small, minimum_of), room) - small * maximum(
            turn, -turn
        )
        kept = (cos_a > max_turn_step) & (cos_b > max_turn_step) & (room > zero) & (mx * mx + my * my < room * room)
        sin_a, sin_b = sa * ka - ca * la, sb * kb - cb * lb
        # Separation of the kept points: base + normal · (d + R_b r_b - R_a r_a).
        for p in range(2):
            in_use = kept & (points > splat(np.float32(p)))
            if bits(in_use):
                ax, ay, bx, by, at_rest, base, _, _ = gather(manifold, 24, 8 + 8 * p, block, at)
                wx = dx + (cos_b * bx - sin_b * by) - (cos_a * ax - sin_a * ay)
                wy = dy + (sin_b * bx + cos_b * by) - (sin_a * ax + cos_a * ay)
                store(what, LANES, select(in_use, base + nx * wx + ny * wy, at_rest))
                for k in range(LANES):
                    manifold[24 * np.int64(np.uint32(block[at + k])) + GAP + 8 * p] = what[LANES + k]
        chosen = bits(kept)
        for k in range(LANES):
            if s + k < n:
                others[n_rest] = block[at + k]
                n_rest += 1 - (chosen >> k & 1)
    return n_rest


@njit(borrows=True)
def meet_simple(active: Array, contacts: Any, pose: Array, shapes: Any, limits: Any, working: Any, lists: Any) -> Any:
    """Recycle the manifolds of contacts that hardly moved, collide boxes and circles, and list the remaining
    contacts.

    contacts: pair, manifold, ids and info. pose: of the bodies. shapes: flags, size and fat boxes. limits: the distance
    of speculative contacts, that of recycling, and by how much a face must be better to become the reference. working:
    for `recycle`. Returns how many contacts were listed in each of `lists`: gone (their fat boxes no longer
    overlap), changed (began or ended), hard (for `meet_hulls`), chained (for `meet_chains`) and sensed (for `sense`).
    """
    pair, manifold, ids, info = contacts
    flags, size, fat = shapes
    limit, reuse, tie = limits
    who, what, others = working
    gone, changed, hard, chained, sensed = lists
    n_gone, n_changed, n_hard, n_chained, n_sensed = 0, 0, 0, 0, 0
    for q in range(recycle(active, pair, manifold, info, pose, size, limit, reuse, who, what, others)):
        c = np.int64(np.uint32(others[q]))
        o = 24 * c
        a, b = np.int64(np.uint32(pair[4 * c])), np.int64(np.uint32(pair[4 * c + 1]))
        pa, pb = 4 * np.int64(np.uint32(pair[4 * c + 2])), 4 * np.int64(np.uint32(pair[4 * c + 3]))
        count, marks = info[2 * c], info[2 * c + 1]
        ca, sa, cb, sb = pose[pa + 2], pose[pa + 3], pose[pb + 2], pose[pb + 3]
        dx, dy = pose[pb] - pose[pa], pose[pb + 1] - pose[pa + 1]
        # The fat boxes no longer overlap: remove the contact.
        u, v = 4 * a, 4 * b
        if fat[u] > fat[v + 2] or fat[v] > fat[u + 2] or fat[u + 1] > fat[v + 3] or fat[v + 1] > fat[u + 3]:
            gone[n_gone] = c
            n_gone += 1
            continue
        if marks & IS_SENSOR:
            sensed[n_sensed] = c
            n_sensed += 1
            continue
        # Remember the poses for recycling: the relative position is in the frame of the larger shape.
        fx, fy = (ca, sa) if size[4 * a + 3] >= size[4 * b + 3] else (-cb, -sb)
        manifold[o + 2], manifold[o + 3], manifold[o + 4], manifold[o + 5] = ca, sa, cb, sb
        manifold[o + 6], manifold[o + 7] = fx * dx + fy * dy, fx * dy - fy * dx
        kind_a, kind_b = flags[a], flags[b]
        if (kind_a | kind_b) & CHAIN:
            chained[n_chained] = c
            n_chained += 1
            continue
        if not (kind_a & _SIMPLE and kind_b & _SIMPLE) or (kind_a | kind_b) & ONE_WAY:
            hard[n_hard] = c
            n_hard += 1
            continue
        # Keep the impulses of the old points; `keep_impulses` finds them by their ids.
        id0, id1 = ids[2 * c], ids[2 * c + 1]
        n0, t0, n1, t1 = manifold[o + 14], manifold[o + 15], manifold[o + 22], manifold[o + 23]
        if kind_a & kind_b & BOX:
            new = box_box(
                manifold, o, ids, 2 * c, dx, dy, ca, sa, cb, sb, size[u], size[u + 1], size[v], size[v + 1], limit, tie
            )
        elif kind_a & kind_b & BALL:
            new = ball_ball(manifold, o, ids, 2 * c, dx, dy, size[u + 2], size[v + 2], limit)
        else:
            sign, box, ball = _1, u, v
            if kind_a & BALL:
                sign, box, ball, dx, dy, ca, sa = -_1, v, u, -dx, -dy, cb, sb
            new = box_ball(
                manifold, o, ids, 2 * c, dx, dy, ca, sa, size[box], size[box + 1], size[ball + 2], limit, sign
            )
        keep_impulses(manifold, o, ids, 2 * c, new, count, id0, id1, n0, t0, n1, t1)
        n_changed = note_touch(info, c, new, changed, n_changed)
    return n_gone, n_changed, n_hard, n_chained, n_sensed


@njit(borrows=True, inline="always")
def note_touch(info: Array, c: Any, count: Any, changed: Array, n: Any) -> Any:
    """Write the number of points of a contact, and set its flag BEGAN or ENDED if it began or stopped touching; return
    the new length of `changed`.
    """
    marks = info[2 * c + 1] & ~(BEGAN | ENDED)
    info[2 * c] = count
    if (count > 0) != (marks & TOUCHING != 0):
        marks = marks ^ TOUCHING | (BEGAN if count > 0 else ENDED)
        changed[n] = c
        n += 1
    info[2 * c + 1] = marks
    return n


@njit(borrows=True, inline="always")
def swapped(a: Any, b: Any) -> Any:
    """Return True if two shapes with these flags are collided in reverse order: chains come first, then shapes with
    more points.
    """
    if (a | b) & CHAIN:
        return b & CHAIN != 0
    return (b & POINTS) > (a & POINTS)


@njit(borrows=True)
def meet_hulls(
    rows: Array, pair: Array, manifold: Array, flags: Array, size: Array, hull: Array, pose: Array, limit: Any, tie:
    Any, both: Array, names: Array, counts: Array,
) -> None:  # fmt: skip
    """Collide any two rounded hulls, in the frame of the one that comes first (`swapped`).

    rows: contacts. both: float32, working memory for two hulls. names, counts: int32; for each contact they receive
    two point ids and the number of points.
    """
    for q in range(len(rows)):
        c = np.int64(rows[q])
        o, a, b = 24 * c, np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        pa, pb = 4 * np.int64(pair[4 * c + 2]), 4 * np.int64(pair[4 * c + 3])
        if swapped(flags[a], flags[b]):
            a, b, pa, pb = b, a, pb, pa
        n, m = np.int64(flags[a] & POINTS), np.int64(flags[b] & POINTS)
        _, _, _, _ = _bring(both, hull, 32 * a, n, 32 * b, m, pose, pa, pb)
        ra, rb = size[4 * a + 2], size[4 * b + 2]
        manifold[o + GAP] = _0
        if m == 1:
            counts[q] = hull_point(manifold, o, names, 2 * q, both, n, ra, rb, limit, tie)
        else:
            counts[q] = hull_hull(manifold, o, names, 2 * q, both, n, m, ra, rb, limit, tie)


@njit(borrows=True)
def meet_chains(
    rows: Array, pair: Array, manifold: Array, flags: Array, size: Array, hull: Array, middle: Array, pose: Array,
    limit: Any, tie: Any, both: Array, names: Array, counts: Array,
) -> None:  # fmt: skip
    """Collide segments of chains with other shapes, as `meet_hulls` does; two chains never touch."""
    for q in range(len(rows)):
        c = np.int64(rows[q])
        o, a, b = 24 * c, np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        pa, pb = 4 * np.int64(pair[4 * c + 2]), 4 * np.int64(pair[4 * c + 3])
        if swapped(flags[a], flags[b]):
            a, b, pa, pb = b, a, pb, pa
        manifold[o + GAP] = _0
        counts[q] = 0
        if not flags[b] & CHAIN:
            n, m = np.int64(4), np.int64(flags[b] & POINTS)
            cos, sin, x, y = _bring(both, hull, 32 * a, n, 32 * b, m, pose, pa, pb)
            ux, uy = middle[2 * b], middle[2 * b + 1]
            ux, uy = cos * ux - sin * uy + x - hull[32 * a], sin * ux + cos * uy + y - hull[32 * a + 1]
            ra, rb = size[4 * a + 2], size[4 * b + 2]
            counts[q] = chain_hull(manifold, o, names, 2 * q, both, m, ra, rb, limit, tie, ux, uy)


@njit(borrows=True, forceinline=True)
def _bring(both: Array, hull: Array, a: Any, n: Any, b: Any, m: Any, pose: Array, pa: Any, pb: Any) -> Any:
    """Copy the hulls at a and b into one frame; return the pose (cosine, sine, x, y) of b's body in that of a's."""
    ca, sa, cb, sb = pose[pa + 2], pose[pa + 3], pose[pb + 2], pose[pb + 3]
    dx, dy = pose[pb] - pose[pa], pose[pb + 1] - pose[pa + 1]
    # Relative pose of b in the frame of a: R_a^T R_b and R_a^T (p_b - p_a).
    c, s, x, y = ca * cb + sa * sb, ca * sb - sa * cb, ca * dx + sa * dy, ca * dy - sa * dx
    bring_together(both, hull, a, n, b, m, c, s, x, y)
    return c, s, x, y


@njit(borrows=True)
def settle(
    rows: Array, pair: Array, manifold: Array, ids: Array, info: Array, pose: Array, motion: Array, flags: Array,
    hull: Array, surface: Array, slop: Any, dt: Any, names: Array, counts: Array, changed: Array, n_changed: Any,
) -> Any:  # fmt: skip
    """Transform the results of `meet_hulls` and `meet_chains` to world axes and keep the old impulses; return the new
    length of `changed`.

    motion: `Bodies.state`.
    """
    for q in range(len(rows)):
        c = np.int64(rows[q])
        o, a, b = 24 * c, np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        pa, pb = 4 * np.int64(pair[4 * c + 2]), 4 * np.int64(pair[4 * c + 3])
        dx, dy = pose[pb] - pose[pa], pose[pb + 1] - pose[pa + 1]
        n0, t0, n1, t1 = manifold[o + 14], manifold[o + 15], manifold[o + 22], manifold[o + 23]
        id0, id1 = ids[2 * c], ids[2 * c + 1]
        if swapped(flags[a], flags[b]):
            _place(manifold, o, ids, 2 * c, names, 2 * q, counts[q], hull, b, pose, pb, dx, dy, -_1)
        else:
            _place(manifold, o, ids, 2 * c, names, 2 * q, counts[q], hull, a, pose, pa, dx, dy, _1)
        keep_impulses(manifold, o, ids, 2 * c, counts[q], info[2 * c], id0, id1, n0, t0, n1, t1)
        count = counts[q]
        if (flags[a] | flags[b]) & ONE_WAY:
            count = _one_way(info, c, manifold, o, count, flags, surface, a, b, pose, motion, pa, pb, slop, dt)
        n_changed = note_touch(info, c, count, changed, n_changed)
    return n_changed


@njit(borrows=True)
def _place(
    manifold: Array, o: Any, ids: Array, j: Any, names: Array, k: Any, count: Any, hull: Array, shape: Any, pose: Array,
    p: Any, dx: Any, dy: Any, sign: Any,
) -> None:  # fmt: skip
    """Transform one manifold to world axes. sign: -1 if it was computed in the frame of B, so that the normal is
    reversed.
    """
    c, s = pose[p + 2], pose[p + 3]
    nx, ny = sign * manifold[o], sign * manifold[o + 1]
    manifold[o], manifold[o + 1] = c * nx - s * ny, s * nx + c * ny
    kx, ky = (dx, dy) if sign < _0 else (_0, _0)
    for i in range(count):
        at = o + 8 + 8 * i
        x, y = manifold[at] + hull[32 * shape], manifold[at + 1] + hull[32 * shape + 1]
        put_point(manifold, at, c * x - s * y + kx, s * x + c * y + ky, manifold[at + 4], dx, dy)
        name = names[k + i]
        ids[j + i] = (name & 255) << 8 | name >> 8 if sign < _0 else name


@njit(borrows=True)
def _one_way(
    info: Array, c: Any, manifold: Array, o: Any, count: Any, flags: Array, surface: Array, a: Any, b: Any, pose: Array,
    motion: Array, pa: Any, pb: Any, slop: Any, dt: Any,
) -> Any:  # fmt: skip
    """Return the number of contact points of a contact with a one-way shape: `count`, or 0 if the shapes pass through
    each other.

    This is decided once, when the pair meets. The contact is solid if the shape touches the solid side, moves against
    the direction, and is no deeper than it can have moved in one step.
    """
    marks = info[2 * c + 1]
    if count == 0:
        info[2 * c + 1] = marks & ~PASSES_THROUGH
        return 0
    if marks & TOUCHING:
        return count
    if marks & PASSES_THROUGH:
        manifold[o + GAP] = _0
        return 0
    deep = manifold[o + 12]
    if count > 1:
        deep = min(deep, manifold[o + 20])
    vx, vy = motion[2 * pb] - motion[2 * pa], motion[2 * pb + 1] - motion[2 * pa + 1]
    solid = True
    for k in range(2):
        shape, p, sign = (a, pa, _1) if k == 0 else (b, pb, -_1)
        if flags[shape] & ONE_WAY:
            ux, uy = surface[8 * shape + 6], surface[8 * shape + 7]
            ux, uy = pose[p + 2] * ux - pose[p + 3] * uy, pose[p + 3] * ux + pose[p + 2] * uy
            speed = sign * (vx * ux + vy * uy)
            facing = sign * (manifold[o] * ux + manifold[o + 1] * uy)
            if facing < _SOLID_ANGLE or speed * dt > slop or deep < min(speed, _0) * dt - _MAX_OVERLAP * slop:
                solid = False
    if solid:
        return count
    info[2 * c + 1] = marks | PASSES_THROUGH
    manifold[o + GAP] = _0
    return 0


@njit(borrows=True, inline="always")
def gap_of_simple(kind_a: Any, kind_b: Any, a: Any, b: Any, pa: Any, pb: Any, pose: Array, size: Array) -> Any:
    """Return the distance of the cores of two circles, or of a box and a circle; -1 for other shapes.

    a, b, pa, pb: where the rows of `size` and `pose` begin.
    """
    dx, dy = pose[pb] - pose[pa], pose[pb + 1] - pose[pa + 1]
    if kind_a & kind_b & BALL:
        return np.sqrt(dx * dx + dy * dy)
    if not ((kind_a & BOX and kind_b & BALL) or (kind_a & BALL and kind_b & BOX)):
        return -_1
    box, p = (a, pa) if kind_a & BOX else (b, pb)
    c, s = pose[p + 2], pose[p + 3]
    x = max(abs(c * dx + s * dy) - size[box], _0)
    y = max(abs(c * dy - s * dx) - size[box + 1], _0)
    return np.sqrt(x * x + y * y)


@njit(borrows=True)
def sense(
    rows: Array, pair: Array, info: Array, pose: Array, flags: Array, size: Array, hull: Array, changed: Array,
    n_changed: Any, both: Array,
) -> Any:  # fmt: skip
    """Test whether the shapes of sensor contacts overlap; return the new length of `changed`.

    GJK decides for boxes and circles only where their distance is so near to the limit that rounding matters.
    """
    for q in range(len(rows)):
        c = np.int64(rows[q])
        a, b = np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        pa, pb = 4 * np.int64(pair[4 * c + 2]), 4 * np.int64(pair[4 * c + 3])
        limit, slack = size[4 * a + 2] + size[4 * b + 2], _SURE * (size[4 * a + 3] + size[4 * b + 3])
        gap = gap_of_simple(flags[a], flags[b], 4 * a, 4 * b, pa, pb, pose, size)
        if not (gap > limit + slack or _0 <= gap < limit - slack):
            n, m = core_count(flags[a]), core_count(flags[b])
            _, _, _, _ = _bring(both, hull, core_start(flags[a], a), n, core_start(flags[b], b), m, pose, pa, pb)
            gap, _, _, _, _ = distance(both, FIRST, n, both, SECOND, m)
        n_changed = note_touch(info, c, 1 if gap <= limit else 0, changed, n_changed)
        info[2 * c] = 0
    return n_changed
