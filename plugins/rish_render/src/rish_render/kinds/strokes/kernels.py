"""Kernels for translucent lines that change in each frame: what `difference` and `weld` do otherwise, bit for bit.

A polygon is a range of a flat array with 5 numbers for each corner: it begins at `at`, and has n corners. turn is 1 if
its corners go counterclockwise, -1 if clockwise, 0 if it is too small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Ready, njit

ROOM = 128
"""The most corners of a polygon; no polygon of a stroke comes near it."""
FRAGMENTS = 192
"""The most fragments of one polygon."""
ON_EDGE = 64
"""The most corners that are added to one edge."""
_START = np.int64(0)
"""Where a polygon begins that has an array of its own; the number 0 would be a type of its own."""


@njit
def turn_of(corners: Any, at: Any, n: Any, eps: Any) -> Any:
    """Return the direction of a polygon."""
    if n < 3:
        return 0.0
    area = 0.0  # twice the signed area, by the shoelace formula
    x0, y0 = corners[at], corners[at + 1]
    x, y = x0, y0
    for k in range(n):
        following = at + 5 * (k + 1) if k + 1 < n else at
        ax, ay, x, y = x, y, corners[following], corners[following + 1]
        area += (ax - x0) * (y - y0) - (x - x0) * (ay - y0)
    if abs(area) <= eps * eps:
        return 0.0
    return 1.0 if area > 0.0 else -1.0


@njit
def is_apart(polygon: Any, at: Any, n: Any, turn: Any, other: Any, first: Any, m: Any, eps: Any) -> Any:
    """Return True if all corners of `other` are on the outer side of an edge of `polygon`."""
    for k in range(n):
        a, b = at + 5 * k, at + 5 * (k + 1) if k + 1 < n else at
        x, y = polygon[a], polygon[a + 1]
        ex, ey = polygon[b] - x, polygon[b + 1] - y
        size = ex * ex + ey * ey
        if size > eps * eps:
            limit, outside = eps * np.sqrt(size), True
            for i in range(m):
                c = first + 5 * i
                if turn * (ex * (other[c + 1] - y) - ey * (other[c] - x)) > limit:
                    outside = False
                    break
            if outside:
                return True
    return False


@njit
def split(
    corners: Any, at: Any, n: Any, x: Any, y: Any, ex: Any, ey: Any, left: Any, right: Any, to: Any, sizes: Any
) -> None:
    """Write the part of a polygon left of a line to `left`, the other to `right` from `to` on; sizes: their corners."""
    least, most = np.inf, -np.inf
    for k in range(n):
        side = ex * (corners[at + 5 * k + 1] - y) - ey * (corners[at + 5 * k] - x)
        least, most = min(least, side), max(most, side)
    i = j = 0
    for k in range(n):
        a, b = at + 5 * k, at + 5 * (k + 1) if k + 1 < n else at
        here = ex * (corners[a + 1] - y) - ey * (corners[a] - x)
        there = ex * (corners[b + 1] - y) - ey * (corners[b] - x)
        is_left, is_right = least >= 0.0 or (most > 0.0 and here >= 0.0), least < 0.0 and (most <= 0.0 or here <= 0.0)
        part = here / (here - there) if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0) else -1.0
        for c in range(5):
            value = corners[a + c]
            if is_left:
                left[5 * i + c] = value
            if is_right:
                right[to + 5 * j + c] = value
        i, j = i + is_left, j + is_right
        if part >= 0.0:
            for c in range(5):
                value = corners[a + c] + part * (corners[b + c] - corners[a + c])
                left[5 * i + c] = right[to + 5 * j + c] = value
            i, j = i + 1, j + 1
    sizes[0], sizes[1] = i, j


@njit
def stronger(
    other: Any, m: Any, own: Any, theirs: Any, planes: Any, wins: Any, eps: Any, spare: Any, sizes: Any
) -> Any:
    """Reduce the fringe `other` to the part in which it covers more than the fringe own; return its corners."""
    dx, dy = planes[3 * theirs] - planes[3 * own], planes[3 * theirs + 1] - planes[3 * own + 1]
    d = planes[3 * theirs + 2] - planes[3 * own + 2]
    steep = dx * dx + dy * dy
    if np.sqrt(steep) * eps < 1e-6:
        middle = d + dx * other[0] + dy * other[1]
        return m if middle > 1e-3 or (wins and middle > -1e-3) else 0
    split(other, _START, m, -d * dx / steep, -d * dy / steep, dy, -dx, spare, spare, 5 * ROOM, sizes)
    for c in range(5 * sizes[0]):
        other[c] = spare[c]
    return sizes[0]


@njit
def subtract(
    pieces: Any, slots: Any, counts: Any, turns: Any, total: Any, other: Any, m: Any, turn: Any, eps: Any, spare: Any,
    sizes: Any,
) -> Any:  # fmt: skip
    """Subtract a polygon from each of the fragments; return their new number, or -1 if one has too many corners.

    Fragment k is stored in `pieces` at the place slots[k], with counts and turns by place.
    """
    left, k = total, 0
    while k < left:
        slot = slots[k]
        at, n = 5 * ROOM * slot, counts[slot]
        if is_apart(other, _START, m, turn, pieces, at, n, eps) or is_apart(
            pieces, at, n, turns[slot], other, _START, m, eps
        ):
            k += 1
            continue
        for e in range(m):
            a, b = 5 * e, 5 * (e + 1) if e + 1 < m else 0
            x, y = other[a], other[a + 1]
            ex, ey = other[b] - x, other[b + 1] - y
            if ex * ex + ey * ey <= eps * eps:
                continue
            if n + 2 > ROOM:
                return -1
            new = slots[total]
            split(pieces, at, n, x, y, turn * ex, turn * ey, spare, pieces, 5 * ROOM * new, sizes)
            n = sizes[0]
            for c in range(5 * n):
                pieces[at + c] = spare[c]
            counts[new] = sizes[1]
            turns[new] = turn_of(pieces, 5 * ROOM * new, sizes[1], eps)
            if turns[new] != 0.0 and total < FRAGMENTS:
                total += 1
            if n < 3:
                break
        left, total = left - 1, total - 1
        slots[k], slots[left], slots[total] = slots[left], slots[total], slot
    return total


@njit
def cut(
    corners: Any, starts: Any, begins: Any, others: Any, fringes: Any, planes: Any, eps: Any, out: Any, out_starts: Any
) -> Any:
    """Cut polygons; return the number of the parts, -1 if the arrays are too small, -2 if `ROOM` is.

    corners: flat. others: what is subtracted from polygon i is others[begins[i]:begins[i + 1]]; fringes: whether both
    are fringes. planes: flat, the coverage of fringes, 3 numbers each. Written: out and out_starts.
    """
    pieces, spare, other = np.empty((FRAGMENTS + 1) * 5 * ROOM), np.empty(10 * ROOM), np.empty(5 * ROOM)
    counts, turns, slots = np.empty(FRAGMENTS + 1, np.int64), np.empty(FRAGMENTS + 1), np.arange(FRAGMENTS + 1)
    sizes, parts, end = np.empty(2, np.int64), 0, 0
    out_starts[0] = 0
    for i in range(len(starts) - 1):
        n, slot = starts[i + 1] - starts[i], slots[0]
        for c in range(5 * n):
            pieces[5 * ROOM * slot + c] = corners[5 * starts[i] + c]
        counts[slot], turns[slot] = n, turn_of(corners, 5 * starts[i], n, eps)
        total = 1 if turns[slot] != 0.0 else 0
        for pair in range(begins[i], begins[i + 1]):
            j = others[pair]
            m = starts[j + 1] - starts[j]
            turn = turn_of(corners, 5 * starts[j], m, eps)
            if total == 0 or turn == 0.0:
                continue
            for c in range(5 * m):
                other[c] = corners[5 * starts[j] + c]
            if fringes[pair]:
                m = stronger(other, m, i, j, planes, j < i, eps, spare, sizes)
                turn = turn_of(other, _START, m, eps)
            if turn != 0.0:
                total = subtract(pieces, slots, counts, turns, total, other, m, turn, eps, spare, sizes)
            if total < 0:
                return -2
        for k in range(total):
            at, n = 5 * ROOM * slots[k], counts[slots[k]]
            if parts + 1 >= len(out_starts) or end + 5 * n > len(out):
                return -1
            for c in range(5 * n):
                out[end + c] = pieces[at + c]
            end, parts = end + 5 * n, parts + 1
            out_starts[parts] = out_starts[parts - 1] + n
    return parts


@njit
def find_on_edges(
    places: Any, ways: Any, members: Any, edges: Any, begins: Any, counts: Any, eps: Any, edge: Any, corner: Any,
    part: Any,
) -> Any:  # fmt: skip
    """Find the corners on edges; return how many were written to edge, corner, and part, 0..1 along the edge.

    places, ways: flat, corners and the ways to the next ones. The candidates of edges[i] are counts[i] members from
    begins[i] on. eps: the largest distance from an edge; those within 2 eps of an earlier one are left out.
    """
    count, start = 0, 0
    for i in range(len(edges)):
        if i == 0 or edges[i] != edges[i - 1]:
            start = count
        e = 2 * edges[i]
        ex, ey = ways[e], ways[e + 1]
        size = ex * ex + ey * ey
        length = np.sqrt(size)
        for k in range(begins[i], begins[i] + counts[i]):
            c = 2 * members[k]
            x, y = places[c] - places[e], places[c + 1] - places[e + 1]
            here = (ex * x + ey * y) / size
            on = abs(ex * y - ey * x) <= eps * length and min(here, 1.0 - here) * length > 2.0 * eps
            if not on or count - start >= ON_EDGE:
                continue
            for other in range(start, count):
                on = on and abs(part[other] - here) * length > 2.0 * eps
            if on:
                at = count
                while at > start and part[at - 1] > here:
                    part[at], corner[at] = part[at - 1], corner[at - 1]
                    at -= 1
                edge[count], corner[at], part[at] = edges[i], members[k], here
                count += 1
    return count


def _warm_up() -> None:
    """Cut two fringes, and look for corners on an edge, so that the kernels are compiled."""
    numbers, none = np.zeros(40), np.zeros(1, np.int64)
    cut(
        numbers,
        np.array([0, 4, 8]),
        np.zeros(3, np.int64),
        none,
        none,
        np.zeros(6),
        1e-3,
        numbers,
        np.zeros(3, np.int64),
    )
    find_on_edges(np.zeros(2), np.ones(2), none, none, none, none, 1e-3, none, none, np.zeros(1))


READY = Ready(_warm_up)
"""Whether these kernels are compiled and can be called."""
