"""The broad phase: finds the new pairs of shapes that the narrow phase must test.

Only a shape with a new fat box can overlap a new shape, so only those shapes query the index. Each query returns the
boxes that overlap the shape's own; pairs that are contacts already or must not collide (`allowed`) are left out. The
kernel only reads, and it also counts the pairs for which the buffer has no room, so that it can run again with a larger
buffer: a thousand shapes in one place are half a million pairs, and none of them is dropped. The pairs are then sorted
by number, lower slot first. This order depends on the boxes and not on the index, and contacts are added in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, load, lowest, splat

from ..broad.grid import cell_of, tag_of
from ..broad.index import BRANCHED, IDLE, MOVES, SORTED, meets_none
from ..broad.pair_set import PairSet, key_of, place_of
from ..components.tables import (
    COLLIDE_CONNECTED,
    DYNAMIC,
    ENABLED,
    HAS_JOINT,
    JOINT_USED,
    KINEMATIC,
    MOVED,
    QUARANTINED,
    SENSOR,
    SHAPE_ENABLED,
    SHAPE_USED,
    TYPE,
    USED,
)
from . import rows as contacts

if TYPE_CHECKING:
    from .state import State


_EMPTY = np.uint64(0)
_0, _1, _2, _3, _4 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_ANY_TAG = np.float32(-1)
"""The tag that requests a complete run; no row has it."""
_LANES = np.uint64(LANES)
_ON_SHAPE = SHAPE_USED | SHAPE_ENABLED
_ON_BODY = USED | ENABLED


def update(state: State) -> None:
    """Add a contact for each new pair since the last step, and clear MOVED."""
    moved, index = state.moved, state.index
    if len(moved):
        index.settle(moved)
        keys = _find(state)
        if len(keys):
            keys.sort()
            contacts.append(state, keys)


def _find(state: State) -> Array:
    """Return the numbers of all new pairs, unsorted; a view of scratch memory."""
    moved, index = state.moved, state.index
    grid, tree = index.grid, index.tree
    if index.apart is None:
        index.apart = joined_pairs(state)
    pairs = state.scratch.take("pairs", 4 * len(moved), np.uint64)
    while True:
        count = find_pairs(
            moved, index.columns, (index.sorts, index.homes),
            (grid.starts, grid.slots, grid.boxes, grid.inverse, grid.reach, grid.step, grid.count, grid.big, grid.bigs),
            (index.moving, index.staying, index.loose),
            (tree.items, tree.links, tree.boxes, tree.leaves, tree.nodes, tree.stack),
            index.pairs.keys, index.apart.keys, (index.near, index.packed), pairs,
        )  # fmt: skip
        if count <= len(pairs):
            return pairs[:count]
        pairs = state.scratch.take("pairs", count, np.uint64)


def joined_pairs(state: State) -> PairSet:
    """Return the pairs of bodies that must not collide because a joint without `collide_connected` connects them."""
    pairs = PairSet()
    flags = state.joints.flags
    if len(flags):
        pair = state.joints.pair[(flags & (JOINT_USED | COLLIDE_CONNECTED)) == JOINT_USED]
        pairs.fill(pair)
    return pairs


@njit(borrows=True, inline="always")
def overlap(a: Array, i: Any, b: Array, j: Any) -> Any:
    """Return True if two boxes (x0, y0, x1, y1, starting at a[i] and b[j]) overlap or touch."""
    return a[i] <= b[j + _2] and b[j] <= a[i + _2] and a[i + _1] <= b[j + _3] and b[j + _1] <= a[i + _3]


@njit(borrows=True, inline="always")
def pass_filter(filters: Array, i: Any, j: Any) -> Any:
    """Return True if the filters of two shapes let them collide. If both have the same group other than 0, its sign
    decides; otherwise each mask must contain a bit of the other's category.
    """
    a, b = np.uint64(i) * _3, np.uint64(j) * _3  # numpy makes floats of int64 and uint64
    group = filters[a + _2]
    if group != 0 and group == filters[b + _2]:
        return group > 0
    return (filters[a] & filters[b + _1]) != 0 and (filters[b] & filters[a + _1]) != 0


@njit(borrows=True, inline="always")
def pass_bodies(flags: Any, other: Any, sensor: Any, other_sensor: Any) -> bool:
    """Return True if the bodies of two shapes can meet: both are enabled, and one is dynamic, or one shape is a sensor
    and one body is not static.
    """
    if (flags & (_ON_BODY | QUARANTINED)) != _ON_BODY or (other & (_ON_BODY | QUARANTINED)) != _ON_BODY:
        return False
    kind, other_kind = flags & TYPE, other & TYPE
    if kind == DYNAMIC or other_kind == DYNAMIC:
        return True
    return (sensor or other_sensor) and (kind == KINEMATIC or other_kind == KINEMATIC)


@njit(borrows=True)
def allowed(i: Any, j: Any, flags: Array, body: Array, filters: Array, body_flags: Array, apart: Array) -> bool:
    """Return True if two shapes may become a contact. apart: the set of pairs of bodies that must not collide; it does
    not apply to sensors.
    """
    a, b = body[i], body[j]
    if a == b or (flags[i] & _ON_SHAPE) != _ON_SHAPE or (flags[j] & _ON_SHAPE) != _ON_SHAPE:
        return False
    if not pass_filter(filters, i, j):
        return False
    if not pass_bodies(body_flags[a], body_flags[b], (flags[i] & SENSOR) != 0, (flags[j] & SENSOR) != 0):
        return False
    if (flags[i] | flags[j]) & SENSOR:
        return True
    if body_flags[a] & body_flags[b] & HAS_JOINT:
        return apart[place_of(apart, key_of(np.uint64(a), np.uint64(b)), np.uint64(len(apart) - 1))] == _EMPTY
    return True


@njit(borrows=True, forceinline=True)
def scan_run(
    first: Any, end: Any, tag: Any, i: Any, x0: Any, y0: Any, x1: Any, y1: Any, slots: Array, boxes: Array,
    flags: Array, homes: Array, near: Array, nears: Any,
) -> Any:  # fmt: skip
    """Append the sorted shapes of one run that overlap a box to `near`; return its new length.

    Tests eight shapes at a time. tag: the row of cells to search, because several rows may share a run; -1 means all
    rows. Moved shapes below slot i are left out, because they find the pair.
    """
    room = np.uint64(len(boxes) // 5)
    left, low, right, high = splat(x0), splat(y0), splat(x1), splat(y1)
    minimum, maximum = splat(tag), splat(tag if tag >= np.float32(0) else np.float32(np.inf))
    p = first
    while p < end:
        tags = load(boxes, p + _4 * room)
        hit = (load(boxes, p) <= right) & (load(boxes, p + _1 * room) <= high) & (tags >= minimum)
        hit = hit & (load(boxes, p + _2 * room) >= left) & (load(boxes, p + _3 * room) >= low) & (tags <= maximum)
        lanes = np.uint64(bits(hit))
        if end - p < _LANES:
            lanes &= (_1 << (end - p)) - _1
        while lanes:
            j = np.uint64(slots[p + np.uint64(lowest(lanes))])
            lanes &= lanes - _1
            near[nears] = j
            nears += np.uint64(homes[j] == SORTED and (j >= i or not flags[j] & MOVED))
        p += _LANES
    return nears


@njit(borrows=True, inline="always")
def scan_grid(
    i: Any, x0: Any, y0: Any, x1: Any, y1: Any, grid: Any, fat: Array, flags: Array, homes: Array, near: Array,
    nears: Any,
) -> Any:  # fmt: skip
    """Append the shapes of the grid that overlap a box to `near`, which has room for all shapes; return its new length.
    i: see `scan_run`.
    """
    starts, slots, boxes, inverse, reach, step, count, big, bigs = grid
    mask = len(starts) - 3
    # Entries of the rows of cells that the box covers, or all entries if that is less.
    xa, xb = cell_of(np.float64(x0) - reach, inverse), cell_of(np.float64(x1) + reach, inverse)
    ya, yb = cell_of(np.float64(y0) - reach, inverse), cell_of(np.float64(y1) + reach, inverse)
    if np.float64(xb - xa + 1) * np.float64(yb - ya + 1) > np.float64(count) or xb - xa > mask:
        nears = scan_run(_0, np.uint64(count), _ANY_TAG, i, x0, y0, x1, y1, slots, boxes, flags, homes, near, nears)
    else:
        for y in range(ya, yb + 1):
            first, last = np.uint64((xa + step * y) & mask), np.uint64((xb + step * y) & mask)
            begin, end, tag = np.uint64(starts[first + _1]), np.uint64(starts[last + _2]), np.float32(tag_of(y))
            if first > last:
                nears = scan_run(_0, end, tag, i, x0, y0, x1, y1, slots, boxes, flags, homes, near, nears)
                end = np.uint64(count)
            nears = scan_run(begin, end, tag, i, x0, y0, x1, y1, slots, boxes, flags, homes, near, nears)
    # Shapes that are too large for the grid.
    for k in range(bigs):
        j = np.uint64(big[k])
        o = j * _4
        if fat[o] <= x1 and x0 <= fat[o + _2] and fat[o + _1] <= y1 and y0 <= fat[o + _3]:
            near[nears] = j
            nears += np.uint64(homes[j] == SORTED and (j >= i or not flags[j] & MOVED))
    return nears


@njit(borrows=True)
def find_pairs(
    moved: Array, shapes: Any, places: Any, grid: Any, lists: Any, tree: Any, keys: Array, apart: Array, working: Any,
    pairs: Array,
) -> Any:  # fmt: skip
    """Find the pairs of moved shapes that are not contacts yet; return their number.

    shapes: `Index.columns`. places: `sorts` and `homes` of the index. grid, lists, tree: its parts, see `broad`. keys:
    the pairs that are contacts. apart: the pairs of bodies that must not collide. working: two arrays with room for all
    slots. pairs: uint64; receives as many pairs as it has room for. If it has room for all, MOVED is cleared.
    """
    fat, flags, body, filters, body_flags = shapes
    sorts, homes = places
    moving, staying, loose = lists
    items, links, nodes, leaves, node_count, stack = tree
    near, packed = working
    pairs_mask = np.uint64(len(keys) - 1)
    loose_moving, loose_all = np.uint64(loose[0]), np.uint64(loose[0] + loose[1])
    # Boxes of loose shapes, packed for a linear scan.
    for k in range(loose_all):
        o = _4 * np.uint64(moving[k] if k < loose_moving else staying[k - loose_moving])
        for c in range(_4):
            packed[_4 * k + c] = fat[o + c]
    total = 0
    for m in range(len(moved)):
        i = np.uint64(moved[m])
        if sorts[i] == IDLE or meets_none(filters, i):
            continue
        moves = sorts[i] == MOVES
        o = i * _4
        x0, y0, x1, y1 = fat[o], fat[o + _1], fat[o + _2], fat[o + _3]
        nears = np.uint64(0)
        nears = scan_grid(i, x0, y0, x1, y1, grid, fat, flags, homes, near, nears)
        # Loose shapes; static ones only for a moving shape.
        for k in range(loose_all if moves else loose_moving):
            if overlap(packed, k * _4, fat, o):
                j = np.uint64(moving[k] if k < loose_moving else staying[k - loose_moving])
                if j > i or not flags[j] & MOVED:
                    near[nears] = j
                    nears += _1
        # The tree of static shapes.
        top = 0
        if moves and node_count > 0:
            top, stack[0] = 1, 0
        while top > 0:
            top -= 1
            node = np.uint64(stack[top])
            if not overlap(nodes, node * _4, fat, o):
                continue
            leaf, link = links[node * _2], links[node * _2 + _1]
            if leaf == 0:
                stack[top], stack[top + 1] = link, node + _1
                top += 2
            for k in range(np.uint64(link), np.uint64(link + leaf)):
                if overlap(leaves, k * _4, fat, o):
                    j = np.uint64(items[k])
                    if homes[j] == BRANCHED and (j > i or not flags[j] & MOVED):
                        near[nears] = j
                        nears += _1
        # From the near shapes, keep new pairs that filters, bodies and joints allow.
        for k in range(nears):
            j = np.uint64(near[k])
            key = key_of(i, j)
            is_known = j == i or keys[place_of(keys, key, pairs_mask)] != _EMPTY
            if not is_known and allowed(i, j, flags, body, filters, body_flags, apart):
                if total < len(pairs):
                    pairs[total] = key
                total += 1
    if total <= len(pairs):
        for m in range(len(moved)):
            flags[moved[m]] &= ~MOVED
    return total
