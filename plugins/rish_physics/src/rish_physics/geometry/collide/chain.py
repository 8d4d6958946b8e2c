"""Manifolds of chain segments, which are solid on one side and smooth where two segments meet.

A floor of many segments must be as smooth as a single segment. A box that slides over a joint can catch on the end of a
segment (a ghost collision): seen from one segment alone, its end is a corner that pushes the box back. Which normals
are valid depends on the neighbors, which a segment gets from its ghost points. They bound the fan of directions in
which the segment may push: at a convex corner, the fan extends to the neighbor's normal; at a straight or concave
corner it ends at the segment's own normal; at an open end it extends until it points along the segment.

A direction within the fan is used. A direction outside the fan belongs to the neighbor at a convex corner. At a
straight or concave corner it is replaced by the segment's own normal, and a shape that is not above the segment is
handled by the neighbor. (Ghost vertices are Box2D's idea; Erin Catto, Understanding Ghost Collisions, 2020.)

The chain is the first hull of `convex`: ghost, first, second, ghost, relative to the ghost; it collides with shapes on
its right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from .clip import clip_edge, corner_point, write_point
from .convex import FIRST, SECOND, edge_edge
from .manifold import GAP
from .sat import greatest_separation, opposite_edge

TAKEN, SNAPS, NEIGHBORS = 0, 1, 2
"""The handling of a direction: use it, replace it by the segment's normal, or leave the contact to the neighbor."""
_MIN_SINE = np.float32(0.01)
"""The sine of the angle below which a corner counts as straight."""
_MIN_COSINE = np.float32(0.9999)
_I0, _I1, _I2 = np.int64(0), np.int64(1), np.int64(2)
_0, _HALF, _1 = np.float32(0), np.float32(0.5), np.float32(1)


@njit(borrows=True, forceinline=True)
def fan_end(nx: Any, ny: Any, mx: Any, my: Any, side: Any) -> Any:
    """Return (x, y, bulges): the direction that bounds the fan at one end of a segment with the normal n.

    bulges: whether the corner there is convex, or the end is open. mx, my: normal of the neighbor there. side: -1 at
    the first point, 1 at the second.
    """
    turn = side * (nx * my - ny * mx)
    if nx * mx + ny * my < -_MIN_COSINE:
        return -side * ny, side * nx, True
    if turn > _MIN_SINE:
        return mx, my, True
    return nx, ny, False


@njit(borrows=True, forceinline=True)
def judge(x: Any, y: Any, nx: Any, ny: Any, fan: Any) -> Any:
    """Return TAKEN, SNAPS or NEIGHBORS for a direction x, y: n is the segment's normal, fan has both ends of the fan
    (`fan_end`).
    """
    ax, ay, bulges_a, bx, by, bulges_b = fan
    if x * nx + y * ny > _MIN_COSINE:
        return TAKEN
    if nx * y - ny * x < _0:
        within, near, bulges = ax * y - ay * x, ax * x + ay * y, bulges_a
    else:
        within, near, bulges = x * by - y * bx, bx * x + by * y, bulges_b
    if within > _MIN_SINE or (within > -_MIN_SINE and near > _0):
        return TAKEN
    return NEIGHBORS if bulges else SNAPS


@njit(borrows=True)
def chain_hull(
    row: Array, at: Any, ids: Array, j: Any, pair: Array, m: Any, radius: Any, other: Any, limit: Any, tie: Any,
    cx: Any, cy: Any,
) -> Any:  # fmt: skip
    """Compute the manifold of a chain segment with radius `radius` and a hull of m points with radius `other`, center
    cx, cy.

    limit, tie and the result: see `convex`. There are no points if the center, or the complete hull without its radius,
    is behind the segment.
    """
    px, py, qx, qy = pair[2], pair[3], pair[4], pair[5]
    nx, ny = pair[18], pair[19]
    ax, ay, bulges_a = fan_end(nx, ny, pair[16], pair[17], -_1)
    bx, by, bulges_b = fan_end(nx, ny, pair[20], pair[21], _1)
    fan = ax, ay, bulges_a, bx, by, bulges_b
    behind = nx * (cx - px) + ny * (cy - py) < _0
    behind_a = not bulges_a or ax * (cx - px) + ay * (cy - py) < _0
    behind_b = not bulges_b or bx * (cx - qx) + by * (cy - qy) < _0
    if behind and behind_a and behind_b:
        return 0
    if m == 1:
        return _chain_point(row, at, ids, j, pair, radius, other, limit, fan)
    enough = radius + other + limit
    if -_above(pair, m, px, py, -nx, -ny) < _0:
        return 0
    height = _above(pair, m, px, py, nx, ny)
    edge_height, edge = greatest_separation(pair, SECOND, m, pair, _I2, _I2, enough)
    best = max(height, edge_height)
    row[at + GAP] = best - radius - other
    if best > enough:
        return 0
    apart = best > tie
    if not apart:
        edge_height, edge = _best_edge(pair, m, nx, ny, fan)
    k = SECOND + 2 * edge
    if edge_height > height + tie:
        end = edge + 1 if edge + 1 < m else _I0
        count = edge_edge(
            row, at, ids, j, pair, SECOND, edge, end, FIRST, _I1, _I2, other, radius, limit, tie, -_1, apart
        )
        verdict = _own(pair, row, at, count, k, nx, ny, fan)
        if verdict != SNAPS:
            return count if verdict == TAKEN else 0
    elif not apart and _neighbor_holds(pair, m, height, bulges_a, bulges_b):
        return 0
    down = opposite_edge(pair, SECOND, m, nx, ny)
    end = down + 1 if down + 1 < m else _I0
    if apart:
        count = edge_edge(
            row, at, ids, j, pair, FIRST, _I1, _I2, SECOND, down, end, radius, other, limit, tie, _1, apart
        )
        verdict = TAKEN
        if count == 1:
            verdict = judge(row[at], row[at + 1], nx, ny, fan)
        if verdict != SNAPS:
            return count if verdict == TAKEN else 0
    u, v = SECOND + 2 * down, SECOND + 2 * end
    return clip_edge(
        row, at, ids, j, px, py, qx, qy, nx, ny, pair[u], pair[u + 1], pair[v], pair[v + 1], radius, other, limit, _1,
        (1 << 8) | end, (2 << 8) | down,
    )  # fmt: skip


@njit(borrows=True, forceinline=True)
def _above(pair: Array, m: Any, px: Any, py: Any, nx: Any, ny: Any) -> Any:
    """Return the height of the second hull's lowest corner above the line through p with the normal n."""
    minimum = np.float32(3e38)
    for o in range(SECOND, SECOND + 2 * m, 2):
        minimum = min(minimum, nx * (pair[o] - px) + ny * (pair[o + 1] - py))
    return minimum


@njit(borrows=True, forceinline=True)
def _best_edge(pair: Array, m: Any, nx: Any, ny: Any, fan: Any) -> Any:
    """Return (separation, edge), as `greatest_separation` of the second hull, using only edges that push within the
    fan.
    """
    best = np.float32(-3e38)
    edge = 0
    for k in range(m):
        o = SECOND + 2 * k
        x, y = pair[o + 16], pair[o + 17]
        if judge(-x, -y, nx, ny, fan) == TAKEN:
            height = min(
                x * (pair[2] - pair[o]) + y * (pair[3] - pair[o + 1]),
                x * (pair[4] - pair[o]) + y * (pair[5] - pair[o + 1]),
            )
            if height > best:
                best = height
                edge = k
    return best, edge


@njit(borrows=True, forceinline=True)
def _own(pair: Array, row: Array, at: Any, count: Any, k: Any, nx: Any, ny: Any, fan: Any) -> Any:
    """Return TAKEN, SNAPS or NEIGHBORS for a manifold whose reference is the hull's edge at k; the edge may belong to
    a neighbor of the segment.
    """
    x, y = -pair[k + 16], -pair[k + 17]
    if count > 0:
        x, y = row[at], row[at + 1]
    verdict = judge(x, y, nx, ny, fan)
    if verdict == TAKEN and count > 1:
        _, _, bulges_a, _, _, bulges_b = fan
        first = x * pair[2] + y * pair[3] > x * pair[4] + y * pair[5]
        depth = x * nx + y * ny
        if first and bulges_a and x * pair[16] + y * pair[17] > depth:
            return NEIGHBORS
        if not first and bulges_b and x * pair[20] + y * pair[21] > depth:
            return NEIGHBORS
    return verdict


@njit(borrows=True, forceinline=True)
def _neighbor_holds(pair: Array, m: Any, height: Any, bulges_a: Any, bulges_b: Any) -> Any:
    """Return True if, at a convex corner, the hull overlaps the neighbor less than this segment, so that the contact
    belongs to the neighbor.
    """
    nx, ny = pair[18], pair[19]
    for k in range(16, 24, 4):
        mx, my = pair[k], pair[k + 1]
        bulges = (bulges_a if k == 16 else bulges_b) and nx * mx + ny * my > -_MIN_COSINE
        if bulges and _above(pair, m, pair[k // 2 - 6], pair[k // 2 - 5], mx, my) > height:
            return True
    return False


@njit(borrows=True)
def _chain_point(
    row: Array, at: Any, ids: Array, j: Any, pair: Array, radius: Any, other: Any, limit: Any, fan: Any
) -> Any:
    """Compute the manifold of a chain segment and a circle."""
    nx, ny = pair[18], pair[19]
    px, py = pair[2], pair[3]
    x, y = pair[SECOND] - px, pair[SECOND + 1] - py
    height = nx * x + ny * y
    along = nx * y - ny * x
    length = nx * (pair[5] - py) - ny * (pair[4] - px)
    if along < _0 or along > length:
        if along > _0:
            px, py = pair[4], pair[5]
            x, y = pair[SECOND] - px, pair[SECOND + 1] - py
        distance = np.sqrt(x * x + y * y)
        row[at + GAP] = distance - radius - other
        if distance <= _0 or judge(x / distance, y / distance, nx, ny, fan) != TAKEN:
            return 0
        return corner_point(
            row, at, ids, j, px, py, px + x, py + y, x / distance, y / distance, distance, radius, other, limit, _I0
        )
    row[at + GAP] = height - radius - other
    if height - radius - other > limit:
        return 0
    row[at] = nx
    row[at + 1] = ny
    out = _HALF * (radius - other - height)
    write_point(row, at + 8, pair[SECOND] + out * nx, pair[SECOND + 1] + out * ny, height - radius - other)
    ids[j] = 0
    return 1
