"""Continuous collision: keeps fast bodies from passing through walls within one step.

The world is tested once per step, sixty times a second, and a bullet moves far in that time. So for each body that
moved more than half its inner radius, the motion of this step is swept again: against static shapes, against kinematic
bodies with their own motion, and, for a bullet, against everything. The body is put at the first time of impact
(`geometry.toi`). It keeps its velocity, except what gravity gave it for the rest of the step: the next step finds it
touching, and lets it bounce or rest.

A fast kinematic body may sweep over bodies at rest: these are swept as well (`kinematic_sweep`), and wake if hit.

A body that touches already at the start is left to the contact; otherwise a body could not slide fast along a floor.
However, its core, the same shape at a smaller scale, may not touch. A body that a kinematic one runs into is carried
along for the rest of the step, but not through static shapes. Every body is swept independently, from and to the poses
of the solver, so the order of bodies has no effect; only bullets are swept after all others, against the final poses of
these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, lowest, splat

from ..broad.grid import Grid
from ..broad.index import BRANCHED
from ..broad.tree import Tree
from ..components.tables import DRIVEN, KINEMATIC, MOVED, SENSOR, TYPE
from ..contacts import islands
from ..contacts.pairs import allowed, joined_pairs, scan_grid
from ..geometry.aabb import MARGIN_SHARE, core_count, core_start, hull_box
from ..geometry.toi import turned
from .impact import approach, impact
from .kinematic_sweep import overrun, sort_fast

if TYPE_CHECKING:
    from ..contacts.state import State


PATH_SIZE = 8
"""The size of a body's movement: start pose x, y, cosine, sine; movement x, y and rotation; 1 if it was stopped."""
_STILL, _KINEMATIC, _EVERYTHING = range(3)
"""The obstacles of a sweep: immovable bodies, only kinematic bodies, all bodies."""
_EMPTY_TREE, _EMPTY_GRID = Tree(), Grid()
_0, _1 = np.float32(0), np.float32(1)
_U0, _U1, _U2, _U3, _U4, _U8 = (np.uint64(k) for k in (0, 1, 2, 3, 4, 8))
_LANES = np.uint64(LANES)


def sweep(state: State) -> None:
    """Move the bodies in `state.fast` back to their first impact, and clear their displacements."""
    bodies, shapes, take = state.flats(state.bodies), state.flats(state.shapes), state.scratch.take
    lists = take("ccd.lists", 2 * len(state.fast), np.int32)
    room = shapes.used + len(state.index.staying)
    listed = take("ccd.listed", room, np.int32)
    n_plain, n_bullets, n_swift, n_kinematic = sort_fast(
        state.fast, state.awake, bodies.flags, bodies.first_shape, shapes.next, lists, listed
    )
    bullets, swift = lists[n_plain : n_plain + n_bullets], lists[n_plain + n_bullets : n_plain + n_bullets + n_swift]
    if n_plain:
        _sweep(state, lists[:n_plain], listed, n_kinematic, _STILL)
    if n_swift:
        slots = overrun(state, swift)
        if len(slots):
            islands.wake(state, slots[_sweep(state, slots, listed, n_kinematic, _KINEMATIC)])
            state.refresh()
    if n_bullets:
        _sweep(state, bullets, listed, n_kinematic, _EVERYTHING)


def _sweep(state: State, slots: Array, listed: Array, n_kinematic: int, against: int) -> Array:
    """Sweep some bodies; return a bool array of those that were stopped. listed: int32, the shapes of kinematic bodies,
    with room for all loose shapes.
    """
    index, bodies, shapes, take = state.index, state.flats(state.bodies), state.flats(state.shapes), state.scratch.take
    if against == _EVERYTHING:
        index.settle(state.moved)
    loose, tree, grid, still = index.staying[: index.loose[1]], index.tree, _EMPTY_GRID, listed[:n_kinematic]
    if against == _KINEMATIC:
        tree = _EMPTY_TREE
    else:
        still = _with(listed, still, loose)
    if against == _EVERYTHING:
        moving, grid = index.moving[: index.loose[0]], index.grid
        still = _with(listed, still, moving[(bodies.flags[shapes.body[moving]] & TYPE) != KINEMATIC])
    n = len(slots)
    ways, times, hits = take("ccd.ways", PATH_SIZE * n), take("ccd.times", n), take("ccd.hits", n, np.int32)
    columns = shapes.body, bodies.flags, bodies.pose, bodies.state, bodies.drive
    gravity = state.scaled.gravity_x, state.scaled.gravity_y
    begin(slots, bodies.pose, bodies.state, ways, times, hits)
    _find(state, slots, (ways, times, hits), tree, grid, still)
    if stop(slots, ways, times, hits, np.float32(state.dt), gravity, *columns):
        _find(state, slots, (ways, times, hits), index.tree, _EMPTY_GRID, loose)
        stop(slots, ways, times, hits, _0, gravity, *columns)
    _put(state, slots, ways)
    return ways[7 : PATH_SIZE * n : PATH_SIZE] != 0


def _with(listed: Array, some: Array, more: Array) -> Array:
    """Write `more` to `listed` after `some`, its beginning; return both."""
    both = listed[: len(some) + len(more)]
    both[len(some) :] = more
    return both


def _find(
    state: State, slots: Array, swept: tuple[Array, Array, Array], tree: Tree, grid: Grid, listed: Array
) -> None:  # fmt: skip
    """Lower times to the first impacts with static shapes of the tree, the shapes of the grid, and the listed ones.
    swept: motions, times and hits.
    """
    bodies, shapes, scaled, take = (
        state.flats(state.bodies),
        state.flats(state.shapes),
        state.scaled,
        state.scratch.take,
    )
    index = state.index
    if index.apart is None:
        index.apart = joined_pairs(state)
    of_shapes = (
        shapes.fat, shapes.flags, shapes.body, shapes.filter, shapes.next, shapes.hull, shapes.size, shapes.middle,
        shapes.surface,
    )  # fmt: skip
    near = take("ccd.near", 2 * shapes.used + LANES, np.int32)  # shapes of kinematic bodies may be found twice
    first_hits(
        slots, swept, (tree.items, tree.links, tree.boxes, tree.leaves, tree.nodes, tree.stack),
        (grid.starts, grid.slots, grid.boxes, grid.inverse, grid.reach, grid.step, grid.count, grid.big, grid.bigs),
        index.homes, listed, of_shapes, (bodies.flags, bodies.pose, bodies.state, bodies.extent, bodies.first_shape),
        index.apart.keys, (scaled.slop, np.float32(state.dt)),
        (take("ccd.work", 64), near, take("ccd.grown", 4 * (len(listed) + LANES))),
    )  # fmt: skip


def _put(state: State, slots: Array, ways: Array) -> None:
    """Write the new poses of the bodies, and the boxes of their shapes."""
    bodies, shapes, scaled = state.flats(state.bodies), state.flats(state.shapes), state.scaled
    before = len(state.moved)
    moved = state.scratch.take("ccd.moved", before + shapes.used, np.int32)
    count = put_bodies(
        slots, ways, bodies.pose, bodies.state, bodies.first_shape, shapes.next, shapes.flags, shapes.hull, shapes.size,
        shapes.tight, shapes.fat, scaled.speculative, scaled.margin, moved[before:],
    )  # fmt: skip
    if count:
        moved[:before] = state.moved
        state.moved = np.sort(moved[: before + count])


@njit(borrows=True)
def begin(slots: Array, pose: Array, motion: Array, ways: Array, times: Array, hits: Array) -> None:
    """Write the motions of bodies in this step, from their start poses, with no impact so far."""
    for k in range(len(slots)):
        i = np.int64(slots[k])
        p, o, w = 4 * i, 8 * i, PATH_SIZE * k
        ways[w], ways[w + 1] = pose[p] - motion[o + 4], pose[p + 1] - motion[o + 5]
        ways[w + 2], ways[w + 3] = turned(pose[p + 2], pose[p + 3], -motion[o + 6])
        ways[w + 4], ways[w + 5], ways[w + 6], ways[w + 7] = motion[o + 4], motion[o + 5], motion[o + 6], _0
        times[k] = _1
        hits[k] = -1


@njit(borrows=True)
def first_hits(
    slots: Array, swept: Any, tree: Any, grid: Any, homes: Array, listed: Array, shapes: Any, bodies: Any, apart: Array,
    limits: Any, working: Any,
) -> None:  # fmt: skip
    """Lower `times` to the first impacts with the shapes of the tree, of the grid and of a list, and store these shapes
    in `hits`.

    swept: the motions, times and hits of the bodies. tree, grid, homes: parts of the index; shapes of kinematic bodies
    count only if they are listed. shapes, bodies: columns, see `_find`. limits: slop and dt. working: room for
    `impact`, for the near shapes, and for the boxes of the listed ones.
    """
    ways, times, hits = swept
    items, links, boxes, leaves, nodes, stack = tree
    fat, flags, body, filters, following, _, _, _, _ = shapes
    body_flags, _, motion, extent, first_shape = bodies
    slop, dt = limits
    work, near, grown = working
    count_of_grid = grid[6]
    # The boxes of the listed shapes; those of kinematic ones grow by their motion in this step.
    room = np.uint64(len(grown) // 4)
    for q in range(np.uint64(len(listed))):
        s = np.uint64(listed[q])
        j, o, grow = np.uint64(body[s]), s * _U4, _0
        if body_flags[j] & TYPE == KINEMATIC:
            m = j * _U8
            grow = dt * (abs(motion[m]) + abs(motion[m + _U1]) + abs(motion[m + _U2]) * extent[j * _U4 + _U2])
        grown[q], grown[q + room] = fat[o] - grow, fat[o + _U1] - grow
        grown[q + room * _U2], grown[q + room * _U3] = fat[o + _U2] + grow, fat[o + _U3] + grow
    for k in range(len(slots)):
        i = np.int64(slots[k])
        w = PATH_SIZE * k
        # The box of the complete motion.
        reach = extent[4 * i + 2]
        x, y = ways[w] + ways[w + 4], ways[w + 1] + ways[w + 5]
        x0, x1 = min(ways[w], x) - reach, max(ways[w], x) + reach
        y0, y1 = min(ways[w + 1], y) - reach, max(ways[w + 1], y) + reach
        count = _U0
        # Listed shapes, eight at a time.
        left, low, right, high = splat(x0), splat(y0), splat(x1), splat(y1)
        for first in range(np.uint64(0), np.uint64(len(listed)), _LANES):
            hit = (load(grown, first) <= right) & (load(grown, first + room) <= high)
            hit = hit & (load(grown, first + room * _U2) >= left) & (load(grown, first + room * _U3) >= low)
            lanes = np.uint64(bits(hit))
            if np.uint64(len(listed)) - first < _LANES:
                lanes &= (_U1 << (np.uint64(len(listed)) - first)) - _U1
            while lanes:
                near[count] = listed[first + np.uint64(lowest(lanes))]
                count += _U1
                lanes &= lanes - _U1
        # Shapes of the tree.
        top = np.uint64(0)
        if nodes > 0 and meets(boxes, _U0, x0, y0, x1, y1):
            stack[_U0] = 0
            top = _U1
        while top > _U0:
            top -= _U1
            node = np.uint64(stack[top])
            leaf, link = links[node * _U2], np.uint64(links[node * _U2 + _U1])
            if leaf == 0:
                if meets(boxes, link * _U4, x0, y0, x1, y1):
                    stack[top] = link
                    top += _U1
                if meets(boxes, (node + _U1) * _U4, x0, y0, x1, y1):
                    stack[top] = node + _U1
                    top += _U1
            for q in range(link, link + np.uint64(leaf)):
                if meets(leaves, q * _U4, x0, y0, x1, y1):
                    s = np.uint64(items[q])
                    near[count] = items[q]
                    count += np.uint64(homes[s] == BRANCHED and body_flags[np.uint64(body[s])] & TYPE != KINEMATIC)
        # Shapes of the grid.
        if count_of_grid > 0:
            found = count
            for q in range(found, scan_grid(_U0, x0, y0, x1, y1, grid, fat, flags, homes, near, found)):
                near[count] = near[q]
                count += np.uint64(body_flags[np.uint64(body[np.uint64(near[q])])] & TYPE != KINEMATIC)
        # The time of impact of each pair of shapes; the earliest is kept.
        for q in range(count):
            s = np.int64(near[q])
            if approach(s, w, reach, ways, shapes, bodies, slop, dt) > times[k]:
                continue
            shape = np.int64(first_shape[i])
            while shape >= 0:
                if not (flags[shape] | flags[s]) & SENSOR and allowed(
                    np.uint64(shape), np.uint64(s), flags, body, filters, body_flags, apart
                ):
                    time = impact(shape, s, w, ways, shapes, bodies, slop, dt, work)
                    if time < times[k]:
                        times[k] = time
                        hits[k] = s
                shape = np.int64(following[shape])


@njit(borrows=True, inline="always")
def meets(boxes: Array, o: Any, x0: Any, y0: Any, x1: Any, y1: Any) -> Any:
    """Return True if the box that begins at boxes[o] meets another one."""
    return boxes[o] <= x1 and x0 <= boxes[o + _U2] and boxes[o + _U1] <= y1 and y0 <= boxes[o + _U3]


@njit(borrows=True)
def stop(
    slots: Array, ways: Array, times: Array, hits: Array, dt: Any, gravity: Any, body: Array, flags: Array, pose: Array,
    motion: Array, drive: Array,
) -> Any:  # fmt: skip
    """Shorten the motions to the times of impact; return the number of bodies that a kinematic body carries on.

    The new motion starts at the pose at that time. It is zero, or the movement by which a kinematic body carries the
    body in the rest of the step. A body that does not fall in the rest of the step does not gain that velocity either;
    otherwise each bounce would add energy. dt: 0 carries no body.
    """
    carried = 0
    for k in range(len(slots)):
        w = PATH_SIZE * k
        time = times[k]
        x, y = ways[w] + time * ways[w + 4], ways[w + 1] + time * ways[w + 5]
        c, s = turned(ways[w + 2], ways[w + 3], time * ways[w + 6])
        ways[w], ways[w + 1], ways[w + 2], ways[w + 3] = x, y, c, s
        ways[w + 4], ways[w + 5], ways[w + 6] = _0, _0, _0
        if time < _1:
            ways[w + 7] = _1
            i = np.int64(slots[k])
            late = dt * (_1 - time) * (drive[8 * i] if flags[i] & DRIVEN else _1)
            motion[8 * i] -= late * gravity[0]
            motion[8 * i + 1] -= late * gravity[1]
        if hits[k] >= 0 and dt > _0 and time < _1:
            j = np.int64(body[hits[k]])
            if flags[j] & TYPE == KINEMATIC:
                remaining = dt * (_1 - time)
                turn = remaining * motion[8 * j + 2]
                # (cx, cy): the carrier's center at the time of impact; the body rotates with the carrier about it.
                cx, cy = pose[4 * j] - remaining * motion[8 * j], pose[4 * j + 1] - remaining * motion[8 * j + 1]
                ux, uy = turned(_1, _0, turn)
                ways[w + 4] = pose[4 * j] + ux * (x - cx) - uy * (y - cy) - x
                ways[w + 5] = pose[4 * j + 1] + uy * (x - cx) + ux * (y - cy) - y
                ways[w + 6] = turn
                carried += 1
        times[k] = _1
        hits[k] = -1
    return carried


@njit(borrows=True)
def put_bodies(
    slots: Array, ways: Array, pose: Array, motion: Array, first_shape: Array, following: Array, flags: Array,
    hull: Array, size: Array, tight: Array, fat: Array, speculative: Any, margin: Any, moved: Array,
) -> Any:  # fmt: skip
    """Write the poses at the ends of the stopped motions, and the boxes; return the number of shapes with new fat boxes
    that had no new one in this step.
    """
    count = 0
    for k in range(len(slots)):
        i = np.int64(slots[k])
        p, w = 4 * i, PATH_SIZE * k
        motion[8 * i + 4], motion[8 * i + 5], motion[8 * i + 6] = _0, _0, _0
        if ways[w + 7] == _0:
            continue
        x, y, c, s = ways[w] + ways[w + 4], ways[w + 1] + ways[w + 5], ways[w + 2], ways[w + 3]
        c, s = turned(c, s, ways[w + 6])
        scale = _1 / np.sqrt(c * c + s * s)
        c, s = scale * c, scale * s
        pose[p], pose[p + 1], pose[p + 2], pose[p + 3] = x, y, c, s
        shape = np.int64(first_shape[i])
        while shape >= 0:
            o, look = 4 * shape, flags[shape]
            x0, y0, x1, y1 = hull_box(hull, core_start(look, shape), core_count(look), size[o + 2], x, y, c, s)
            tight[o], tight[o + 1], tight[o + 2], tight[o + 3] = x0, y0, x1, y1
            if (
                x0 - speculative < fat[o] or y0 - speculative < fat[o + 1] or x1 + speculative > fat[o + 2]
                or y1 + speculative > fat[o + 3]
            ):  # fmt: skip
                grow = speculative + min(margin, MARGIN_SHARE * size[o + 3])
                fat[o], fat[o + 1], fat[o + 2], fat[o + 3] = x0 - grow, y0 - grow, x1 + grow, y1 + grow
                if look & MOVED == 0:
                    flags[shape] = look | MOVED
                    moved[count] = shape
                    count += 1
            shape = np.int64(following[shape])
    return count
