"""The kernels of the queries: rays, moved shapes and overlaps, through a tree of boxes.

Each goes through one tree; a question is asked of all trees one after the other, and what was found in one bounds the
search in the next. What is found does not depend on the trees: of two hits at the same place the lower slot counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.jit import njit

from .geometry.distance import distance
from .geometry.ray import NEVER, cast_hull, ray_hull
from .tables import CHAIN, ENABLED, POINTS, QUARANTINED, SENSOR, SHAPE_ENABLED, SHAPE_USED, USED

Array = npt.NDArray[Any]

_0, _1 = np.float64(0), np.float64(1)
_ON_SHAPE = SHAPE_USED | SHAPE_ENABLED
_ON_BODY = USED | ENABLED
_STEEP = np.float64(1e300)


@njit
def enter_box(boxes: Array, o: Any, x: Any, y: Any, ix: Any, iy: Any, ex: Any, ey: Any) -> Any:
    """The share of its way at which a ray enters a box grown by ex, ey; NEVER if it does not. ix, iy: 1 / way."""
    x0, x1 = (boxes[o] - ex - x) * ix, (boxes[o + 2] + ex - x) * ix
    y0, y1 = (boxes[o + 1] - ey - y) * iy, (boxes[o + 3] + ey - y) * iy
    near = max(max(min(x0, x1), min(y0, y1)), _0)
    far = min(min(max(x0, x1), max(y0, y1)), _1)
    return near if near <= far else NEVER


@njit
def wanted(
    s: Any, flags: Array, body: Array, filters: Array, entity: Array, body_flags: Array, body_entity: Array, mask: Any,
    sensors: Any, ignore: Any,
) -> bool:  # fmt: skip
    """Whether a query looks at a shape: it is there, the mask has a bit of its category, and it is not ignored."""
    if (flags[s] & _ON_SHAPE) != _ON_SHAPE or (filters[3 * s] & mask) == 0 or ((flags[s] & SENSOR) and not sensors):
        return False
    b = body[s]
    if (body_flags[b] & (_ON_BODY | QUARANTINED)) != _ON_BODY:
        return False
    return ignore == 0 or (entity[s] != ignore and body_entity[b] != ignore)


@njit
def cast(
    starts: Array, ways: Array, form: Array, points: Any, radius: Any, extent: Array, tolerance: Any, items: Array,
    links: Array, boxes: Array, leaves: Array, held: Array, value: Any, flags: Array, body: Array,
    filters: Array, entity: Array, hull: Array, size: Array, pose: Array, body_flags: Array, body_entity: Array,
    mask: Any, sensors: Any, inside: Any, ignore: Array, every: Any, shares: Array, shapes: Array, normals: Array,
    rays: Array, stack: Array, entries: Array, moved: Array, count: Any,
) -> Any:  # fmt: skip
    """Cast rays, or a form along rays, against the shapes of one tree.

    starts, ways: float64, 2 a ray. form: float32, the points of what is cast relative to the start; none for a ray.
    extent: float64, the form's half box, and its middle relative to the start. held, value: a shape counts if
    held[slot] == value. every: note all hits, from row `count` on; else row k is the nearest hit of ray k, known so
    far. Gives the number of hits noted, more than there is room for if need be.
    """
    ex, ey = extent[0], extent[1]
    for k in range(len(starts) // 2):
        px, py, dx, dy = starts[2 * k], starts[2 * k + 1], ways[2 * k], ways[2 * k + 1]
        ix = _1 / dx if dx != _0 else _STEEP
        iy = _1 / dy if dy != _0 else _STEEP
        cx, cy = px + extent[2], py + extent[3]
        skipped = ignore[k] if len(ignore) > 1 else ignore[0]
        far = _1 if every else shares[k]
        entries[0] = enter_box(boxes, 0, cx, cy, ix, iy, ex, ey)
        stack[0] = 0
        top = 1 if entries[0] <= far else 0
        while top > 0:
            top -= 1
            if entries[top] > far:
                continue
            node = stack[top]
            leaf, link = links[2 * node], links[2 * node + 1]
            if leaf == 0:
                first, second = node + 1, link
                at = enter_box(boxes, 4 * first, cx, cy, ix, iy, ex, ey)
                then = enter_box(boxes, 4 * second, cx, cy, ix, iy, ex, ey)
                if then < at:
                    first, second, at, then = second, first, then, at
                if then <= far:
                    stack[top], entries[top] = second, then
                    top += 1
                if at <= far:
                    stack[top], entries[top] = first, at
                    top += 1
                continue
            for q in range(link, link + leaf):
                if enter_box(leaves, 4 * q, cx, cy, ix, iy, ex, ey) > far:
                    continue
                s = items[q]
                if held[s] != value or not wanted(
                    s, flags, body, filters, entity, body_flags, body_entity, mask, sensors, skipped
                ):
                    continue
                share, nx, ny = cast_at_shape(
                    px, py, dx, dy, form, points, radius, far, tolerance, s, flags, hull, size, pose, 4 * body[s], moved
                )
                if share > far or (share == _0 and nx == _0 and ny == _0 and not inside):
                    continue
                if every:
                    if count < len(rays):
                        rays[count], shapes[count], shares[count] = k, s, share
                        normals[2 * count], normals[2 * count + 1] = nx, ny
                    count += 1
                elif share < far or shapes[k] < 0 or s < shapes[k]:
                    shares[k], shapes[k], far = share, s, share
                    normals[2 * k], normals[2 * k + 1] = nx, ny
    return count


@njit
def cast_at_shape(
    px: Any, py: Any, dx: Any, dy: Any, form: Array, points: Any, radius: Any, far: Any, tolerance: Any, s: Any,
    flags: Array, hull: Array, size: Array, pose: Array, b: Any, moved: Array,
) -> Any:  # fmt: skip
    """(share, normal x, y): where a ray, or a form moved along it, meets one shape; b: where its body's pose begins."""
    c, sine = np.float64(pose[b + 2]), np.float64(pose[b + 3])
    rx, ry = px - pose[b], py - pose[b + 1]
    x, y = c * rx + sine * ry, c * ry - sine * rx
    wx, wy = c * dx + sine * dy, c * dy - sine * dx
    o, n = 32 * s, flags[s] & POINTS
    round_ = radius + size[4 * s + 2]
    if flags[s] & CHAIN:
        o, n = o + 2, 2
        # Solid on one side: nobody is inside, and who comes from behind passes.
        if wx * hull[o + 16] + wy * hull[o + 17] >= _0:
            return NEVER, _0, _0
    if points <= 1:
        if points == 1:
            x, y = x + c * form[0] + sine * form[1], y + c * form[1] - sine * form[0]
        share, nx, ny = ray_hull(hull, o, n, round_, x, y, wx, wy)
    else:
        for k in range(0, 2 * points, 2):
            moved[16 + k] = np.float32(x + c * form[k] + sine * form[k + 1])
            moved[17 + k] = np.float32(y + c * form[k + 1] - sine * form[k])
        share, nx, ny = cast_hull(hull, o, n, moved[16:], points, round_, wx, wy, far, tolerance, moved)
    return share, c * nx - sine * ny, sine * nx + c * ny


@njit
def find_overlaps(
    places: Array, form: Array, points: Any, stride: Any, radius: Any, items: Array, links: Array, boxes: Array,
    leaves: Array, held: Array, value: Any, flags: Array, body: Array, filters: Array, entity: Array, hull: Array,
    size: Array, pose: Array, body_flags: Array, body_entity: Array, mask: Any, sensors: Any, ignore: Array,
    shapes: Array, queries: Array, stack: Array, moved: Array, count: Any,
) -> Any:  # fmt: skip
    """Note the shapes of one tree that a form overlaps at each of its places, from row `count` on; how many are noted
    now.

    places: float64, 4 a query: x, y, cosine, sine. form: float32, its points, rounded by `radius`; those of query k
    begin at k * stride.
    """
    for k in range(len(places) // 4):
        px, py, pc, ps = places[4 * k], places[4 * k + 1], places[4 * k + 2], places[4 * k + 3]
        x0 = y0 = np.float64(np.inf)
        x1 = y1 = np.float64(-np.inf)
        f = k * stride
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
                if held[s] != value or not wanted(
                    s, flags, body, filters, entity, body_flags, body_entity, mask, sensors, skipped
                ):
                    continue
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
                gap = distance(hull, at, n, moved, 0, points)[0]
                if gap <= radius + size[4 * s + 2]:
                    if count < len(queries):
                        queries[count], shapes[count] = k, s
                    count += 1
    return count
