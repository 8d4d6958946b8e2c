"""The kernel of all queries: rays, moved shapes and overlaps, through a tree of boxes.

An overlap is a shape that is not moved. Of two hits at the same place, that of the lower shape counts, so results do
not depend on the tree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, lowest, maximum, minimum, splat, store

from ..contacts.shapes import CAPSULE, FORM, MESH, PLANE
from ..geometry.collide.gjk import WORK
from ..geometry.collide.hulls import HEAD, N_PLANES, N_POINTS, PLANES, POINTS
from ..maths.rotations import turn
from .single import MISS, move_to, ray_capsule, ray_planes, ray_triangle

STACK = 192
"""The entries of the stack of a traversal, see `Bvh.nodes`."""
NODE = 6 * LANES
_STEEP, _LEAST = 1e30, 1e-30
"""_STEEP replaces 1 / d, where d is a component of the way, if |d| is not above _LEAST."""
_GROW = 2.0**-21
"""The relative amount by which boxes are enlarged, because they are tested in float32."""
_NEARER = np.float32(1 - 2.0**-20)
_FARTHER = 1 + 2.0**-20
"""The same tolerance for shares of the way."""
_0 = np.float32(0)
_1u = np.uint64(1)


@njit(borrows=True)
def slab_of(x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, extent: Any, slab: Array) -> None:
    """Write what `enter` needs of a box that moves from x, y, z along u, v, w. extent: half of its size, then the
    position of its center.
    """
    for c in range(3):
        start = (x if c == 0 else y if c == 1 else z) + extent[3 + c]
        way = u if c == 0 else v if c == 1 else w
        half = extent[c] + _GROW * (abs(start) + abs(way) + extent[c])
        slab[c], slab[3 + c] = start + half, start - half
        slab[6 + c] = 1.0 / way if abs(way) > _LEAST else _STEEP


@njit(borrows=True)
def enter(boxes: Array, o: Any, slab: Array, far: Any, entries: Array) -> Any:
    """Return which boxes of a node are entered, as bits, and write at which shares of the way (Kay and Kajiya, 1986).

    o: where the node begins. far: the greatest share.
    """
    near, end = splat(_0), splat(np.float32(far * _FARTHER))
    for c in range(3):
        low, high = load(boxes, o + LANES * c) - splat(slab[c]), load(boxes, o + LANES * (3 + c)) - splat(slab[3 + c])
        inverse = splat(slab[6 + c])
        if slab[6 + c] < _0:
            low, high = high, low
        near, end = maximum(near, low * inverse), minimum(end, high * inverse)
    near = near * splat(_NEARER)
    store(entries, 0, near)
    return np.uint64(bits(near <= end))


@njit(borrows=True)
def cast(
    ways: Any, corners: Any, tree: Any, shapes: Any, hulls: Any, meshes: Any, wanted: Any, inside: Any, every: Any,
    hits: Any, work: Any,
) -> Any:  # fmt: skip
    """Cast rays or a shape along them; return the number of hits, which may be more than there is room for.

    ways: starts and displacements, float64, 3 a query, and boxes around the shape: half size and center, 6 a query.
    corners: points of the shape relative to the start, float64, 3 each; how many a query has, 0 for a ray; the index of
    those of the next query after those of one; the radius. tree: links and boxes, see `Bvh.nodes`. shapes: form and
    size, see `contacts.shapes`; poses in the world, float64, 8 each: x, y, z, 0, quaternion; categories; whether they
    are sensors; entities of collider and body. meshes: see `near_triangle`. wanted: mask, whether sensors count,
    entities to ignore. inside: whether a shape counts that contains the start. every: write all hits; otherwise row k
    is the nearest hit of query k so far. hits: shares of the way, shapes (-1: none), normals, and numbers of queries.
    """
    starts, moves, extents = ways
    points, n_points, stride, radius = corners
    links, boxes = tree
    form, size, poses, category, sensors, entity, body = shapes
    mask, with_sensors, ignore = wanted
    shares, slots, normals, numbers = hits
    stack, pending, entries, slab, local, memory, inner = work
    total = 0
    for k in range(len(starts) // 3):
        x, y, z = starts[3 * k], starts[3 * k + 1], starts[3 * k + 2]
        u, v, w = moves[3 * k], moves[3 * k + 1], moves[3 * k + 2]
        slab_of(x, y, z, u, v, w, extents[6 * k : 6 * k + 6], slab)
        skipped = ignore[k] if len(ignore) > 1 else ignore[0]
        far = 1.0 if every else shares[k]
        pending[0], stack[0], top = _0, 0, 1
        while top > 0:
            top -= 1
            if pending[top] > far:
                continue
            first = LANES * np.int64(stack[top])
            hit = enter(boxes, 6 * first, slab, far, entries)
            bottom = top
            while hit:
                lane = lowest(hit)
                hit &= hit - _1u
                link, at = np.int64(links[first + lane]), entries[lane]
                if link >= 0:  # the nearest node is on top
                    place = top
                    while place > bottom and pending[place - 1] < at:
                        pending[place], stack[place] = pending[place - 1], stack[place - 1]
                        place -= 1
                    pending[place], stack[place] = at, link
                    top += 1
                    continue
                s = -1 - link
                if at > far * _FARTHER or (category[s] & mask) == 0 or (sensors[s] and not with_sensors):
                    continue
                if skipped != 0 and (entity[s] == skipped or body[s] == skipped):
                    continue
                # In the frame of the shape.
                o = 8 * s
                a, b, c, d = -poses[o + 4], -poses[o + 5], -poses[o + 6], poses[o + 7]
                px, py, pz = turn(a, b, c, d, x - poses[o], y - poses[o + 1], z - poses[o + 2])
                du, dv, dw = turn(a, b, c, d, u, v, w)
                is_mesh = form[FORM * s] == MESH
                if n_points == 0 and not is_mesh:
                    share, nx, ny, nz = ray_shape(s, px, py, pz, du, dv, dw, form, size, hulls)
                else:
                    _, near_corners, _ = local
                    for i in range(n_points):
                        p = stride * k + 3 * i
                        lx, ly, lz = turn(a, b, c, d, points[p], points[p + 1], points[p + 2])
                        near_corners[3 * i], near_corners[3 * i + 1] = px + lx, py + ly
                        near_corners[3 * i + 2] = pz + lz
                    if is_mesh:
                        mesh = np.int64(form[FORM * s + 2])
                        share, nx, ny, nz = near_triangle(
                            mesh, px, py, pz, du, dv, dw, n_points, radius, far, inside, meshes, local, memory, inner
                        )
                    else:
                        share, nx, ny, nz = move_shape(
                            s, n_points, radius, du, dv, dw, far, form, size, hulls, local, memory
                        )
                if share > far or (nx == 0.0 and ny == 0.0 and nz == 0.0 and not inside):
                    continue
                nx, ny, nz = turn(-a, -b, -c, d, nx, ny, nz)
                row = k
                if every:
                    row = total
                    total += 1
                    if row >= len(shares):
                        continue
                    numbers[row] = k
                elif share == shares[k] and slots[k] >= 0 and slots[k] < s:
                    continue
                else:
                    far = share
                shares[row], slots[row] = share, s
                normals[3 * row], normals[3 * row + 1], normals[3 * row + 2] = nx, ny, nz
    return total


@njit(borrows=True)
def ray_shape(s: Any, x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, form: Array, size: Array, hulls: Any) -> Any:
    """Cast a ray against shape s, in its frame."""
    heads, _, planes, _ = hulls
    kind = form[FORM * s]
    if kind <= CAPSULE:
        half = np.float64(size[4 * s + 1]) if kind == CAPSULE else 0.0
        return ray_capsule(x, y, z, u, v, w, half, np.float64(size[4 * s]))
    if kind == PLANE:
        if y <= 0.0:
            return 0.0, 0.0, 0.0, 0.0
        return (-y / v if v < 0.0 else MISS), 0.0, 1.0, 0.0
    o = HEAD * np.int64(form[FORM * s + 2])
    return ray_planes(planes, np.int64(heads[o + PLANES]), np.int64(heads[o + N_PLANES]), x, y, z, u, v, w)


@njit(borrows=True)
def move_shape(
    s: Any, n: Any, radius: Any, u: Any, v: Any, w: Any, far: Any, form: Array, size: Array, hulls: Any, local: Any,
    memory: Any,
) -> Any:  # fmt: skip
    """Move a shape of n points, rounded by a radius, toward shape s, in its frame."""
    heads, hull_points, _, _ = hulls
    wide, corners, _ = local
    kind = form[FORM * s]
    if kind == PLANE:
        low = corners[1]
        for k in range(1, n):
            low = min(low, corners[3 * k + 1])
        if low <= radius:
            return 0.0, 0.0, 0.0, 0.0
        return ((radius - low) / v if v < 0.0 else MISS), 0.0, 1.0, 0.0
    if kind > CAPSULE:
        o = HEAD * np.int64(form[FORM * s + 2])
        count = np.int32(heads[o + N_POINTS])
        for k in range(count):
            p = 4 * (heads[o + POINTS] + k)
            for c in range(3):
                wide[3 * k + c] = hull_points[p + c]
    else:
        half = np.float64(size[4 * s + 1]) if kind == CAPSULE else 0.0
        count = np.int32(2 if kind == CAPSULE else 1)
        wide[0] = wide[2] = wide[3] = wide[5] = 0.0
        wide[1], wide[4] = -half, half
        radius += size[4 * s]
    return move_to(wide, count, radius, corners, n, u, v, w, far, memory)


@njit(borrows=True)
def near_triangle(
    mesh: Any, x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, n: Any, radius: Any, far: Any, inside: Any, meshes: Any,
    local: Any, memory: Any, inner: Any,
) -> Any:  # fmt: skip
    """Cast a ray, or move a shape of n points, toward the triangles of a mesh, in its frame, from their front.

    meshes: first triangle and first node of each mesh, corners and planes of all triangles, links and boxes of the
    nodes, see `bodies.layout`. local: the points of the shape. inner: working memory, as for `cast`.
    """
    starts, corners, planes, links, boxes = meshes
    wide, points, extent = local
    stack, entries, slab = inner
    for c in range(3):
        low = high = points[c] if n > 0 else x if c == 0 else y if c == 1 else z
        for k in range(1, n):
            low, high = min(low, points[3 * k + c]), max(high, points[3 * k + c])
        extent[c], extent[3 + c] = 0.5 * (high - low) + radius, 0.5 * (high + low)
    slab_of(0.0, 0.0, 0.0, u, v, w, extent, slab)
    best, a, b, c, chosen = MISS, 0.0, 0.0, 0.0, np.int64(-1)
    first_triangle, first_node = np.int64(starts[2 * mesh]), np.int64(starts[2 * mesh + 1])
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        first = LANES * (first_node + np.int64(stack[top]))
        hit = enter(boxes, 6 * first, slab, min(best, far), entries)
        while hit:
            lane = lowest(hit)
            hit &= hit - _1u
            link = np.int64(links[first + lane])
            if link >= 0:
                stack[top] = link
                top += 1
                continue
            i = first_triangle - 1 - link
            nx, ny, nz = np.float64(planes[16 * i]), np.float64(planes[16 * i + 1]), np.float64(planes[16 * i + 2])
            speed = nx * u + ny * v + nz * w
            if n == 0:
                share = ray_triangle(corners, 9 * i, speed, nx, ny, nz, x, y, z, u, v, w)
                da, db, dc = nx, ny, nz
            elif speed > 0.0:
                continue
            else:
                for k in range(9):
                    wide[k] = corners[9 * i + k]
                share, da, db, dc = move_to(wide, np.int32(3), radius, points, n, u, v, w, min(best, far), memory)
                if da == 0.0 and db == 0.0 and dc == 0.0 and share == 0.0 and not inside:
                    continue
            if share < best or (share == best and i < chosen):
                best, a, b, c, chosen = share, da, db, dc, i
    return best, a, b, c


def working_memory(points: int) -> Any:
    """Return the working memory of `cast`. points: the most of a shape."""
    stack, entries = np.zeros(STACK, np.int32), np.zeros(LANES, np.float32)
    local = (np.zeros(3 * points), np.zeros(3 * points), np.zeros(6))
    return (
        stack, np.zeros(STACK, np.float32), entries, np.zeros(9, np.float32), local,
        (np.zeros(3 * points), np.zeros(WORK), np.zeros(6)),
        (stack.copy(), entries.copy(), np.zeros(9, np.float32)),
    )  # fmt: skip
