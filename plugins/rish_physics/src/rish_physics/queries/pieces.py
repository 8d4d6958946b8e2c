"""Casts against colliders that were cut into several convex pieces: the pieces together are hit like one shape.

A ray inside a concave outline crosses the seams between its pieces; there it enters a piece, but not the outline. A
piece is convex, so a ray is inside it on one interval of its length. The union of these intervals is where the ray is
inside the collider, and the start of a piece's interval is an entry into the collider only if no other interval that
begins earlier contains it or touches it. The same holds for a moved shape, of which the intervals are those where it
overlaps a piece. The other pieces at the place of a hit are searched in the tree that holds the piece: the shapes of a
body get new boxes together, so they are in one tree.

Where a seam ends at a corner of the outline, the side by which a ray enters a piece may be the seam. The normal of such
a hit is that of a side of the outline.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, lowest, maximum, splat

from ..broad.bvh8 import NODE, STACK
from ..components.tables import CHAIN, POINTS, SHAPE_USED
from ..geometry.distance import distance
from ..geometry.ray import cast_hull, holds_point, ray_hull

_0, _1 = np.float64(0), np.float64(1)
_MAX_SEAM_GAP = np.float64(2.0**-20)
"""The gap between two pieces that counts as closed, relative to their greatest distance from the center of mass: their
points are float32."""
_GROW = np.float64(2.0**-21)
"""The relative amount by which boxes are enlarged, because they are tested in float32."""
_MAX_SEAM_COSINE = np.float64(-0.999)
"""Two edges at one place whose normals have a dot product below this are the two sides of a seam."""
_MAX_EDGES = 16
"""The greatest number of edges at one place that are compared; the working memory has room for so many."""


@njit(borrows=True)
def entry(
    s: Any, share: Any, nx: Any, ny: Any, ray: Any, form: Any, tolerance: Any, tree: Any, shapes: Any, working: Any
) -> Any:  # fmt: skip
    """Return (whether a hit of a piece is an entry into its collider, normal x, y).

    s: the slot of the piece. share, nx, ny: the hit, as from `ray_hull` and `cast_hull`. ray: start x, y and
    displacement x, y in the world, then in the frame of the piece's body, there from the point of a form that is one
    point. form, tree, shapes, working, tolerance: as for `kernels.cast`; of a form of several points, its points at the
    start in the frame of the body are in the working memory from 16 on. Of several hits at one place, that of the
    lowest slot is the entry.
    """
    px, py, dx, dy, x, y, wx, wy = ray
    _, points, radius, extent = form
    boxes, kids, _, _ = tree
    flags, body, _, entity, hull, size, _, _, _ = shapes
    stack, _, work = working
    inside = nx == _0 and ny == _0
    round_ = radius + size[4 * s + 2]
    near = _MAX_SEAM_GAP * np.float64(size[4 * s + 3]) + (tolerance if points > 1 else _0)
    sharp = points <= 1 and round_ <= _0 and not inside
    sides = 0
    # The box of the cast shape at the hit.
    cx, cy = px + extent[2] + share * dx, py + extent[3] + share * dy
    grow = near + _GROW * (abs(cx) + abs(cy) + extent[0] + extent[1])
    x0, x1 = splat(np.float32(cx - extent[0] - grow)), splat(np.float32(cx + extent[0] + grow))
    y0, y1 = splat(np.float32(cy - extent[1] - grow)), splat(np.float32(cy + extent[1] + grow))
    zero = splat(np.float32(0))
    stack[STACK] = 0
    top = STACK + 1
    while top > STACK:
        top -= 1
        first, o = LANES * np.int64(stack[top]), NODE * np.int64(stack[top])
        across = maximum(load(boxes, o) - x1, x0 - load(boxes, o + 2 * LANES))
        along = maximum(load(boxes, o + LANES) - y1, y0 - load(boxes, o + 3 * LANES))
        hit = np.uint64(bits(maximum(across, along) <= zero))
        while hit:
            lane = lowest(hit)
            hit &= hit - np.uint64(1)
            kid = np.int64(kids[first + lane])
            if kid >= 0:
                stack[top] = kid
                top += 1
                continue
            j = -1 - kid
            if entity[j] != entity[s] or body[j] != body[s] or not flags[j] & SHAPE_USED:
                continue
            o, n = 32 * j, flags[j] & POINTS
            if flags[j] & CHAIN:
                o, n = o + 2, 2
                if wx * hull[o + 16] + wy * hull[o + 17] >= _0:
                    continue
            if points <= 1:
                if not holds_point(hull, o, n, round_ + near, x + share * wx, y + share * wy):
                    continue
                if sharp and n > 2:
                    sides = _add_sides(hull, o, n, x + share * wx, y + share * wy, near, work, sides)
                if j == s:
                    continue
                before, ux, uy = ray_hull(hull, o, n, round_, x, y, wx, wy)
            else:
                if j == s:
                    continue
                for p in range(0, 2 * points, 2):
                    work[p] = np.float32(work[16 + p] + share * wx)
                    work[p + 1] = np.float32(work[17 + p] + share * wy)
                if distance(hull, o, n, work, np.int64(0), points)[0] > round_ + near:
                    continue
                before, ux, uy = cast_hull(hull, o, n, work[16:], points, round_, wx, wy, _1, tolerance, work)
            within = ux == _0 and uy == _0
            if before < share or (before == share and (j < s if within == inside else within)):
                return False, nx, ny
    if sides > 1:
        nx, ny = _outer_normal(work, sides, wx, wy, nx, ny)
    return True, nx, ny


@njit(borrows=True)
def _add_sides(hull: Array, o: Any, n: Any, x: Any, y: Any, near: Any, normals: Array, count: Any) -> Any:
    """Write the normals of the edges of a hull that pass a point within `near`; return the new count."""
    for k in range(n):
        p, q = o + 2 * k, o + 2 * k + 2 if k + 1 < n else o
        ax, ay = np.float64(hull[p]), np.float64(hull[p + 1])
        ex, ey = np.float64(hull[q]) - ax, np.float64(hull[q + 1]) - ay
        rx, ry, length = x - ax, y - ay, np.sqrt(ex * ex + ey * ey)
        along = rx * ex + ry * ey
        if abs(rx * ey - ry * ex) > near * length or along < -near * length or along > (length + near) * length:
            continue
        if count < _MAX_EDGES:
            normals[2 * count], normals[2 * count + 1] = ey / length, -ex / length
            count += 1
    return count


@njit(borrows=True)
def _outer_normal(normals: Array, count: Any, wx: Any, wy: Any, nx: Any, ny: Any) -> Any:
    """From the normals of the edges at one place, return the one that is most opposed to the displacement wx, wy and
    does not belong to a seam; nx, ny if there is none.
    """
    best = _0
    for a in range(0, 2 * count, 2):
        ax, ay = np.float64(normals[a]), np.float64(normals[a + 1])
        against = ax * wx + ay * wy
        for b in range(0, 2 * count, 2):
            if ax * normals[b] + ay * normals[b + 1] < _MAX_SEAM_COSINE:
                against = _0
        if against < best:
            best, nx, ny = against, ax, ay
    return nx, ny
