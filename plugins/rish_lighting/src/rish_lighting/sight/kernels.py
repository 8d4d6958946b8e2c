"""Kernels of line of sight. The tests compare them with a slow and simple version, `plain_sight`.

A direction is a pseudo-angle u from 0 to 4, see `shadows.diamond`. Let t be the distance |x| + |y| at which a ray meets
a straight edge. Within a quadrant 1/t is linear in u. So every edge is one line segment over u, or up to three if it
crosses borders of quadrants, and the visible edges are the upper envelope of these segments. The envelopes of two
halves are merged (divide and conquer). Two segments that cross change their order at the intersection, so edges may
cross. Neighboring edges have bit-identical coordinates at their common vertex, so there is no gap between them. All
values are float64.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit


@njit
def polygons(edges, family, mask, viewers, radius, own_family, needed_mask, circle):
    """Return the visible polygon of each viewer: points float64 (k, 2), counter-clockwise, and starts int64 (m + 1).

    edges: float64 4·n, x0 y0 x1 y1. family: int64 n. mask: int64 n. viewers: float64 2·m. radius: float64 m.
    own_family: int64 m, the family whose edges do not block a viewer, 0 for none. needed_mask: int64 m, the bits that
    block. circle: float64 2·c, the unit circle as a polygon, counter-clockwise.
    """
    count, sides = viewers.size // 2, circle.size // 2
    starts = np.zeros(count + 1, np.int64)
    out, used = np.empty(256, np.float64), np.int64(0)
    pieces = np.empty((3 * (family.size + sides), 4), np.float64)
    which = np.empty(3 * (family.size + sides), np.int64)
    for k in range(count):
        x, y, far = viewers[2 * k], viewers[2 * k + 1], radius[k]
        n_pieces = np.int64(0)
        for e in range(family.size):
            ax, ay = edges[4 * e] - x, edges[4 * e + 1] - y
            bx, by = edges[4 * e + 2] - x, edges[4 * e + 3] - y
            if min(ax, bx) > far or max(ax, bx) < -far or min(ay, by) > far or max(ay, by) < -far:
                continue
            if mask[e] & needed_mask[k] == 0 or (own_family[k] != 0 and family[e] == own_family[k]):
                continue
            n_pieces = _add_edge(ax, ay, bx, by, e, pieces, which, n_pieces)
        for s in range(sides):
            n = (s + 1) % sides
            ax, ay, bx, by = circle[2 * s] * far, circle[2 * s + 1] * far, circle[2 * n] * far, circle[2 * n + 1] * far
            n_pieces = _add_edge(ax, ay, bx, by, np.int64(-1), pieces, which, n_pieces)
        parts, ends, visible = _envelope(pieces, n_pieces)
        while out.size < 2 * used + 4 * visible:
            grown = np.empty(2 * out.size, np.float64)
            grown[: out.size] = out
            out = grown
        used = _walk(pieces, which, parts, ends, visible, x, y, out, used)
        starts[k + 1] = used
    return out[: 2 * used].copy().reshape(used, 2), starts


@njit
def _turn(x, y, length):
    """Return the pseudo-angle, 0 to 4, of a vector with |x| + |y| = length > 0."""
    u = 1.0 + y / length if x >= 0.0 else 3.0 - y / length
    return u - 4.0 if u >= 4.0 else u


@njit
def _add_edge(ax, ay, bx, by, edge, pieces, which, count):
    """Add the segments of an edge as visible from the origin; an edge in line with the origin has none. Returns the
    new number of segments.
    """
    area = ax * by - ay * bx
    near_a, near_b = abs(ax) + abs(ay), abs(bx) + abs(by)
    if area == 0.0 or near_a == 0.0 or near_b == 0.0:
        return count
    if area < 0.0:
        ax, ay, bx, by, near_a, near_b, area = bx, by, ax, ay, near_b, near_a, -area
    begin, end = _turn(ax, ay, near_a), _turn(bx, by, near_b)
    around = end < begin
    span = end - begin + (4.0 if around else 0.0)
    if end == begin or span > 2.0:  # it has no width, or rounding has reversed it
        return count
    ex, ey = bx - ax, by - ay
    u, value = begin, 1.0 / near_a
    while True:
        border = int(u) + 1
        final = not around and end <= border
        if final:
            to, after = end, 1.0 / near_b
        else:
            to = float(border)
            after = (ey if border == 1 else -ex if border == 2 else -ey if border == 3 else ex) / area
        pieces[count, 0], pieces[count, 1], pieces[count, 2], pieces[count, 3] = u, to, value, after
        which[count] = edge
        count += 1
        if final:
            return count
        u, value = to, after
        if u == 4.0:
            if end == 0.0:
                return count
            u, around = 0.0, False


@njit
def _height(pieces, p, u):
    """Return 1/t of a segment at u; at the ends of the segment it is the exact stored value."""
    begin, end = pieces[p, 0], pieces[p, 1]
    if u <= begin:
        return pieces[p, 2]
    if u >= end:
        return pieces[p, 3]
    return pieces[p, 2] + (u - begin) * ((pieces[p, 3] - pieces[p, 2]) / (end - begin))


@njit
def _envelope(pieces, count):
    """Return the upper envelope: the segments int64 (k) in order of u, their ranges of u float64 (k, 2), and k."""
    parts, ends, starts = np.arange(count), pieces[:count, :2].copy(), np.arange(count + 1)
    lists = count
    while lists > 1:
        room = 4 * starts[lists] + 4 * lists
        new_parts, new_ends = np.empty(room, np.int64), np.empty((room, 2), np.float64)
        new_starts = np.zeros((lists + 1) // 2 + 1, np.int64)
        used = np.int64(0)
        for k in range(0, lists, 2):
            middle = starts[k + 1]
            last = starts[k + 2] if k + 1 < lists else middle
            used = _merge(pieces, parts, ends, starts[k], middle, last, new_parts, new_ends, used)
            new_starts[k // 2 + 1] = used
        parts, ends, starts = new_parts, new_ends, new_starts
        lists = (lists + 1) // 2
    return parts, ends, starts[lists]


@njit
def _merge(pieces, parts, ends, first, middle, last, new_parts, new_ends, used):
    """Merge the envelopes first..middle and middle..last."""
    i, j, low = first, middle, used
    a = ends[i, 0] if i < middle else 9.0
    b = ends[j, 0] if j < last else 9.0
    while i < middle or j < last:
        if a < b:
            to = min(ends[i, 1], b)
            used = _put(new_parts, new_ends, low, used, parts[i], a, to)
            a = to
        elif b < a:
            to = min(ends[j, 1], a)
            used = _put(new_parts, new_ends, low, used, parts[j], b, to)
            b = to
        else:
            to = min(ends[i, 1], ends[j, 1])
            p, q = parts[i], parts[j]
            before = _height(pieces, p, a) - _height(pieces, q, a)
            after = _height(pieces, p, to) - _height(pieces, q, to)
            if before >= 0.0 and after >= 0.0:
                used = _put(new_parts, new_ends, low, used, p, a, to)
            elif before <= 0.0 and after <= 0.0:
                used = _put(new_parts, new_ends, low, used, q, a, to)
            else:
                cross = min(max(a + (to - a) * (before / (before - after)), a), to)
                upper, lower = (p, q) if before > 0.0 else (q, p)
                used = _put(new_parts, new_ends, low, used, upper, a, cross)
                used = _put(new_parts, new_ends, low, used, lower, cross, to)
            a = b = to
        if i < middle and a >= ends[i, 1]:
            i += 1
            a = max(a, ends[i, 0]) if i < middle else 9.0
        if j < last and b >= ends[j, 1]:
            j += 1
            b = max(b, ends[j, 0]) if j < last else 9.0
    return used


@njit
def _put(parts, ends, low, used, part, begin, end):
    """Append a range of u, or extend the last one if it continues the same segment; return the new count."""
    if end <= begin:
        return used
    if used > low and parts[used - 1] == part and ends[used - 1, 1] == begin:
        ends[used - 1, 1] = end
        return used
    parts[used], ends[used, 0], ends[used, 1] = part, begin, end
    return used + 1


@njit
def _walk(pieces, which, parts, ends, count, x, y, out, used):
    """Append the corners of an envelope around (x, y) to `out`, float64 2·k; return the new number of corners."""
    first = used
    for k in range(count):
        for side in range(2):
            if side == 0 and k > 0 and which[parts[k]] == which[parts[k - 1]] and which[parts[k]] >= 0:
                continue
            if side == 1 and k + 1 < count and which[parts[k]] == which[parts[k + 1]] and which[parts[k]] >= 0:
                continue
            u = ends[k, side]
            far = 1.0 / _height(pieces, parts[k], u)
            dy = u - 1.0 if u < 2.0 else 3.0 - u
            dx = 1.0 - abs(dy)
            px, py = x + (dx if u < 2.0 else -dx) * far, y + dy * far
            close = 1e-11 * (far + abs(x) + abs(y))
            if used > first and abs(px - out[2 * used - 2]) <= close and abs(py - out[2 * used - 1]) <= close:
                continue
            out[2 * used], out[2 * used + 1] = px, py
            used += 1
    if used - first > 1:
        close = 1e-11 * (abs(out[2 * first]) + abs(out[2 * first + 1]) + abs(x) + abs(y))
        same_x = abs(out[2 * used - 2] - out[2 * first]) <= close
        if same_x and abs(out[2 * used - 1] - out[2 * first + 1]) <= close:
            used -= 1
    return used


@njit
def free_lines(edges, family, mask, lines, family_a, family_b, needed_mask, out):
    """Compute for each straight line whether no edge blocks it; see `queries.can_see`.

    lines: float64 4·m, from a to b. family_a, family_b: int64 m, families whose edges are ignored. needed_mask: int64
    m. out: bool m. Each line is tried twice, shifted by a small distance to the left and to the right; it is free if
    one of the two crosses no edge.
    """
    for k in range(out.size):
        ax, ay, bx, by = lines[4 * k], lines[4 * k + 1], lines[4 * k + 2], lines[4 * k + 3]
        x0, x1, y0, y1 = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
        left = right = False
        for e in range(family.size):
            px, py, qx, qy = edges[4 * e], edges[4 * e + 1], edges[4 * e + 2], edges[4 * e + 3]
            if min(px, qx) > x1 or max(px, qx) < x0 or min(py, qy) > y1 or max(py, qy) < y0:
                continue
            if mask[e] & needed_mask[k] == 0 or (
                family[e] != 0 and (family[e] == family_a[k] or family[e] == family_b[k])
            ):
                continue
            before = (qx - px) * (ay - py) - (qy - py) * (ax - px)
            after = (qx - px) * (by - py) - (qy - py) * (bx - px)
            if not ((before > 0.0 and after < 0.0) or (before < 0.0 and after > 0.0)):
                continue
            p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
            q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
            left = left or (p > 0.0) != (q > 0.0)
            right = right or (p >= 0.0) != (q >= 0.0)
            if left and right:
                break
        out[k] = not (left and right)
