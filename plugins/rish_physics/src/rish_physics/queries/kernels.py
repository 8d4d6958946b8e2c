"""The kernels of the queries: rays, shape casts and overlaps, through a tree of boxes.

Each call searches one tree. A query searches all trees one after the other; the nearest hit so far limits the search
in the next tree. The results do not depend on the trees: of two hits at the same place, the lower slot is kept.

Related arrays are passed as one tuple: `shapes` is `Index.asked`, the columns of shapes and bodies that a query reads;
`filter` is given by the caller: the mask, whether sensors count, and the entities that are ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, lowest, maximum, minimum, splat, store

from ..broad.bvh8 import NODE
from ..components.tables import CHAIN, ENABLED, PIECE, POINTS, QUARANTINED, SENSOR, SHAPE_ENABLED, SHAPE_USED, USED
from ..geometry.distance import distance
from ..geometry.ray import cast_hull, ray_hull
from .pieces import entry

_0, _1 = np.float64(0), np.float64(1)
_ON_SHAPE = SHAPE_USED | SHAPE_ENABLED
_ON_BODY = USED | ENABLED
_STEEP, _MIN = np.float64(1e30), np.float64(1e-30)
"""_STEEP replaces 1 / d, where d is a component of the ray's displacement, if |d| is not above _MIN."""
_GROW = np.float64(2.0**-21)
"""The relative amount by which boxes are enlarged, because they are tested in float32."""
_NEARER, _FURTHER = np.float32(1 - 2.0**-20), np.float64(1 + 2.0**-20)
"""The same tolerance for fractions of the ray's length."""


@njit(borrows=True)
def wanted(s: Any, shapes: Any, mask: Any, sensors: Any, ignore: Any) -> bool:
    """Return True if a query tests a shape: it is enabled, the mask has a bit of its category, and it is not
    ignored.
    """
    flags, body, filters, entity, _, _, _, body_flags, body_entity = shapes
    if (flags[s] & _ON_SHAPE) != _ON_SHAPE or (filters[3 * s] & mask) == 0 or ((flags[s] & SENSOR) and not sensors):
        return False
    b = body[s]
    if (body_flags[b] & (_ON_BODY | QUARANTINED)) != _ON_BODY:
        return False
    return ignore == 0 or (entity[s] != ignore and body_entity[b] != ignore)


@njit(borrows=True)
def cast(
    rays: Any, form: Any, tolerance: Any, tree: Any, shapes: Any, filter: Any, inside: Any, every: Any, hits: Any,
    count: Any, working: Any,
) -> Any:  # fmt: skip
    """Cast rays, or a shape along rays, against the shapes of one tree.

    Returns the number of hits, which may be more than there is room for. rays: starts and displacements, float64, 2 per
    ray. form: of the cast shape, its points relative to the start, float32, empty for a ray; their number; its radius;
    float64, its half box, and the center of that. tree: its boxes and kids, see `bvh8`, and kinds and value: a shape
    counts if kinds[slot] == value. every: write all hits, from row `count` on; otherwise row k is the nearest hit of
    ray k, known so far. hits: shares of the displacement, shapes, normals and the numbers of rays.
    """
    starts, ways = rays
    corners, points, radius, extent = form
    boxes, kids, kinds, value = tree
    flags, body, _, _, hull, size, pose, _, _ = shapes
    mask, sensors, ignore = filter
    shares, slots, normals, numbers = hits
    stack, entries, work = working
    zero, nearer = splat(np.float32(0)), splat(_NEARER)
    for k in range(len(starts) // 2):
        # Slab test in float32 (Kay and Kajiya, 1986), with boxes grown by what rounding may lose.
        px, py, dx, dy = starts[2 * k], starts[2 * k + 1], ways[2 * k], ways[2 * k + 1]
        cx, cy = px + extent[2], py + extent[3]
        ix = splat(np.float32(_1 / dx if abs(dx) > _MIN else _STEEP))
        iy = splat(np.float32(_1 / dy if abs(dy) > _MIN else _STEEP))
        grow = _GROW * (abs(cx) + abs(cy) + abs(dx) + abs(dy) + extent[0] + extent[1])
        ex, ey = extent[0] + grow, extent[1] + grow
        x0, x1 = splat(np.float32(cx + ex)), splat(np.float32(cx - ex))
        y0, y1 = splat(np.float32(cy + ey)), splat(np.float32(cy - ey))
        skipped = ignore[k] if len(ignore) > 1 else ignore[0]
        far = _1 if every else shares[k]
        # Walk the tree front to back: the stack is sorted by entry, and nodes behind the nearest hit are skipped.
        entries[0], stack[0] = _0, 0
        top = 1
        while top > 0:
            top -= 1
            if entries[top] > far:
                continue
            first, o = LANES * np.int64(stack[top]), NODE * np.int64(stack[top])
            left, right = (load(boxes, o) - x0) * ix, (load(boxes, o + 2 * LANES) - x1) * ix
            low, high = (load(boxes, o + LANES) - y0) * iy, (load(boxes, o + 3 * LANES) - y1) * iy
            # Eight children together: the ray is inside from `near` to `end`.
            near = maximum(maximum(minimum(left, right), minimum(low, high)), zero) * nearer
            end = minimum(minimum(maximum(left, right), maximum(low, high)), splat(np.float32(far * _FURTHER)))
            hit = np.uint64(bits(near <= end))
            store(work, 32, near)
            bottom = top
            while hit:
                lane = lowest(hit)
                hit &= hit - np.uint64(1)
                kid, at = np.int64(kids[first + lane]), np.float64(work[32 + lane])
                # An inner node: insert it into the part of the stack that this node has pushed.
                if kid >= 0:
                    place = top
                    while place > bottom and entries[place - 1] < at:
                        entries[place], stack[place] = entries[place - 1], stack[place - 1]
                        place -= 1
                    entries[place], stack[place] = at, kid
                    top += 1
                    continue
                # A leaf: one shape.
                s = -1 - kid
                if at > far or kinds[s] != value or not wanted(s, shapes, mask, sensors, skipped):
                    continue
                # The ray in the frame of the shape's body.
                b, o, n = 4 * body[s], 32 * s, flags[s] & POINTS
                c, sine = np.float64(pose[b + 2]), np.float64(pose[b + 3])
                rx, ry = px - pose[b], py - pose[b + 1]
                x, y = c * rx + sine * ry, c * ry - sine * rx
                wx, wy = c * dx + sine * dy, c * dy - sine * dx
                round_ = radius + size[4 * s + 2]
                if flags[s] & CHAIN:
                    o, n = o + 2, 2
                    # Solid on one side: no point is inside, and a ray from behind passes.
                    if wx * hull[o + 16] + wy * hull[o + 17] >= _0:
                        continue
                if points <= 1:
                    if points == 1:
                        x, y = x + c * corners[0] + sine * corners[1], y + c * corners[1] - sine * corners[0]
                    share, nx, ny = ray_hull(hull, o, n, round_, x, y, wx, wy)
                else:
                    for p in range(0, 2 * points, 2):
                        work[16 + p] = np.float32(x + c * corners[p] + sine * corners[p + 1])
                        work[17 + p] = np.float32(y + c * corners[p + 1] - sine * corners[p])
                    share, nx, ny = cast_hull(hull, o, n, work[16:], points, round_, wx, wy, far, tolerance, work)
                if share > far or (share == _0 and nx == _0 and ny == _0 and not inside):
                    continue
                if not every and share == far and 0 <= slots[k] < s:
                    continue
                if flags[s] & PIECE:
                    line = px, py, dx, dy, x, y, wx, wy
                    enters, nx, ny = entry(s, share, nx, ny, line, form, tolerance, tree, shapes, working)
                    if not enters:
                        continue
                nx, ny = c * nx - sine * ny, sine * nx + c * ny
                if every:
                    if count < len(numbers):
                        numbers[count], slots[count], shares[count] = k, s, share
                        normals[2 * count], normals[2 * count + 1] = nx, ny
                    count += 1
                else:
                    shares[k], slots[k], far = share, s, share
                    normals[2 * k], normals[2 * k + 1] = nx, ny
    return count


@njit(borrows=True)
def find_overlaps(
    places: Array, shape: Any, tree: Any, shapes: Any, filter: Any, hits: Any, count: Any, working: Any
) -> Any:
    """Write the shapes of one tree that a shape overlaps at each of its places, from row `count` on; return the new
    count.

    places: float64, 4 per query: x, y, cosine, sine. shape: the queried shape: float32, its points, their number, the
    stride (the points of query k begin at k * stride), and its radius. tree: its items, links, boxes and leaves, and
    kinds and value, see `cast`. hits: the numbers of queries, and the shapes.
    """
    form, points, stride, radius = shape
    items, links, boxes, leaves, kinds, value = tree
    flags, body, _, _, hull, size, pose, _, _ = shapes
    mask, sensors, ignore = filter
    queries, slots = hits
    stack, _, moved = working
    for k in range(len(places) // 4):
        px, py, pc, ps = places[4 * k], places[4 * k + 1], places[4 * k + 2], places[4 * k + 3]
        x0 = y0 = np.float64(np.inf)
        x1 = y1 = np.float64(-np.inf)
        f = k * stride
        # The box of the queried shape at this place, enlarged by its radius.
        for p in range(f, f + 2 * points, 2):
            x, y = px + pc * form[p] - ps * form[p + 1], py + ps * form[p] + pc * form[p + 1]
            x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
        x0, y0, x1, y1 = x0 - radius, y0 - radius, x1 + radius, y1 + radius
        skipped = ignore[k] if len(ignore) > 1 else ignore[0]
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            o = 4 * node
            if boxes[o] > x1 or x0 > boxes[o + 2] or boxes[o + 1] > y1 or y0 > boxes[o + 3]:
                continue
            leaf, link = links[2 * node], links[2 * node + 1]
            if leaf == 0:
                stack[top], stack[top + 1] = link, node + 1
                top += 2
                continue
            for q in range(link, link + leaf):
                o = 4 * q
                if leaves[o] > x1 or x0 > leaves[o + 2] or leaves[o + 1] > y1 or y0 > leaves[o + 3]:
                    continue
                s = items[q]
                if kinds[s] != value or not wanted(s, shapes, mask, sensors, skipped):
                    continue
                # The queried shape's points in the frame of the other shape's body.
                b = 4 * body[s]
                c, sine = np.float64(pose[b + 2]), np.float64(pose[b + 3])
                rx, ry = px - pose[b], py - pose[b + 1]
                x, y = c * rx + sine * ry, c * ry - sine * rx
                tc, ts = c * pc + sine * ps, c * ps - sine * pc
                for p in range(0, 2 * points, 2):
                    moved[p] = np.float32(x + tc * form[f + p] - ts * form[f + p + 1])
                    moved[p + 1] = np.float32(y + ts * form[f + p] + tc * form[f + p + 1])
                at, n = 32 * s, flags[s] & POINTS
                if flags[s] & CHAIN:
                    at, n = at + 2, 2
                # They overlap if the distance of the cores (GJK) is at most the sum of the radii.
                gap = distance(hull, at, n, moved, np.int64(0), points)[0]
                if gap <= radius + size[4 * s + 2]:
                    if count < len(queries):
                        queries[count], slots[count] = k, s
                    count += 1
    return count
