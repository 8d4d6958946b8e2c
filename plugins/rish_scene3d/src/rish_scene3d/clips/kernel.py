"""The kernel that makes the poses of all characters in one call, and the choice between it and numpy.

For each character it interpolates the rows of its clips, mixes them layer by layer over the pose at rest, and
multiplies the matrices down the tree. Each node has a cover: the share of the present layer that its clips fill, so
that a node that a clip does not move shows the layers below. Source of mixing quaternions as vectors: Blow,
"Understanding Slerp, Then Not Using It", 2004. All arithmetic is in float32, of eight nodes at a time;
`plain.pose_plain` gives the same bits. One loop node by node takes three times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_animation import TIME_TOLERANCE
from rish_jit import Array, Ready, njit
from rish_jit.simd import (
    LANES,
    bits,
    load,
    load_twice,
    put4,
    select,
    splat,
    spread,
    sqrt,
    store,
    store_first,
)  # fmt: skip

from . import tables as at
from .interpreted import pose_plain
from .sampling import NODE
from .tables import Poses, PoseTables, Work

KERNEL_NODES = 400
"""The smallest number of posed nodes for which a compiled kernel saves more time than it takes to load."""
_ZERO, _ONE, _TWO, _LEAST = np.float32(0), np.float32(1), np.float32(2), np.float32(1e-12)
_WHOLE = at.FULL_SHARE
_ALL_LANES = (1 << LANES) - 1

# The scratch of a character, a flat array: two vectors, then places in units of the wide number of nodes
_PATTERN, _ROOM = 0, 2 * LANES
"""1 in the last lane of each half of a vector, otherwise 0."""
_NOW, _LAYER, _POSED, _BASE, _COVER, _ON, _MATRIX = 0, 10, 20, 30, 40, 41, 42
"""Ten numbers of each node: the pose so far, that of the layer, that of a clip and of its first row. The cover; 1 for
nodes that a clip moves; matrices of 16 numbers, whose last row stays 0. A row of a clip follows. At the end are the
weights of the layer, their cover, and the weights of a clip."""
_UNITS = _MATRIX + 16


def make_poses(tables: PoseTables, work: Work, out: Poses) -> None:
    """Write the poses of characters into `out`: by the kernel if it is ready and there are KERNEL_NODES, otherwise by
    numpy."""
    words, ints, floats = tables.arrays
    if not len(work.characters):
        return
    skeletons, clips = work.characters[:, at.SKELETON_AT], work.jobs[:, at.CLIP_AT]
    if not READY.serve(int(words[skeletons + at.NODES].sum()), KERNEL_NODES):
        pose_plain(words, ints, floats, work, out)
        return
    pose_all(
        words, ints, floats, work.characters, work.jobs, work.shares, out.nodes.reshape(-1), out.palettes.reshape(-1),
        out.weights, scratch_for(words, skeletons, clips),
    )  # fmt: skip


def scratch_for(words: Array, skeletons: Array, clips: Array) -> Array:
    """Return the scratch for skeletons and clips, given by the offsets of their headers."""
    wide, sways = (int(words[skeletons + column].max()) for column in (at.WIDE, at.WEIGHTS))
    row = int(words[clips + at.WIDTH].max(initial=0))
    scratch = np.zeros(_ROOM + _UNITS * wide + row + 3 * sways, np.float32)
    scratch[[3, 7]] = 1
    return scratch


@njit(borrows=True)
def read_row(
    words: Array, floats: Array, clip: Any, index: Any, between: Any, time: Any, s: Array, to: Any, sway: Any
) -> None:
    """Write the numbers of a clip at a time to s: those of nodes to `to`, those of weights to `sway`.

    index, between: the row before the time, and the way to the next.
    """
    width, size = words[clip + at.WIDTH], words[clip + at.STRIDE] * (words[clip + at.TO] - words[clip + at.FROM])
    first = words[clip + at.FIRST_ROW] + index * width
    share = splat(between)
    for e in range(0, size, LANES):
        before = load(floats, first + e)
        store(s, to + e, before + share * (load(floats, first + width + e) - before))
    for k in range(words[clip + at.SWAYS]):
        e = first + size + k
        s[sway + k] = floats[e] + between * (floats[e + width] - floats[e])
    for k in range(words[clip + at.STEPS]):
        step = clip + at.CLIP + at.STEP * k
        times, key = words[step + at.STEP_TIMES], 0
        for m in range(1, words[step + at.STEP_KEYS]):
            if floats[times + m] <= time + TIME_TOLERANCE:
                key = m
        wide, place = words[step + at.STEP_WIDTH], words[step + at.STEP_PLACE]
        place = to + place if place < size else sway + place - size
        for e in range(wide):
            s[place + e * words[step + at.STEP_STRIDE]] = floats[words[step + at.STEP_VALUES] + key * wide + e]


@njit(borrows=True)
def read_clip(
    words: Array, ints: Array, floats: Array, skeleton: Any, job: Array, share: Array, low: Any, high: Any, s: Array,
    to: Any,
) -> None:  # fmt: skip
    """Write the pose of a source to s[to], for all nodes, from number `low` to `high`; those that move to _ON.

    The numbers of its weights are written to _SWAY.
    """
    clip, wide = job[at.CLIP_AT], words[skeleton + at.WIDE]
    moves, moved, stride = words[clip + at.MOVES], words[clip + at.MOVED], words[clip + at.STRIDE]
    begin, end, on = words[clip + at.FROM], words[clip + at.TO], _ROOM + _ON * wide
    row = _ROOM + _UNITS * wide
    sway = len(s) - words[skeleton + at.WEIGHTS]
    between, time = np.float32(share[at.BETWEEN]), share[at.TIME]
    whole = moves == words[skeleton + at.NODES]
    read_row(words, floats, clip, job[at.ROW], between, time, s, to + begin * wide if whole else row, sway)
    for k in range(0, wide, LANES):
        store(s, on + k, splat(_ONE if whole else _ZERO))
    if not whole:
        for k in range(moves):
            node = ints[moved + k]
            s[on + node] = _ONE
            for e in range(begin, end):
                s[to + e * wide + node] = s[row + (e - begin) * stride + k]
    rest = words[skeleton + at.REST]
    for e in range(low, high):
        if e < begin or e >= end:
            for k in range(e * wide, (e + 1) * wide, LANES):
                store(s, to + k, load(floats, rest + k))


@njit(borrows=True, forceinline=True)
def mix_turn(s: Array, a: Any, b: Any, wide: Any, share: Any) -> Any:
    """Return eight rotations on the way from s[a] to s[b], of length 1, as four vectors; wide: from x to y."""
    one = splat(_ONE)
    ax, ay, az, aw = load(s, a), load(s, a + wide), load(s, a + 2 * wide), load(s, a + 3 * wide)
    bx, by, bz, bw = load(s, b), load(s, b + wide), load(s, b + 2 * wide), load(s, b + 3 * wide)
    sign = select(ax * bx + ay * by + az * bz + aw * bw < splat(_ZERO), -one, one)
    x, y = ax + share * (sign * bx - ax), ay + share * (sign * by - ay)
    z, w = az + share * (sign * bz - az), aw + share * (sign * bw - aw)
    square = x * x + y * y + z * z + w * w
    enough, scale = square > splat(_LEAST), one / sqrt(square)
    return (
        select(enough, x * scale, ax), select(enough, y * scale, ay),
        select(enough, z * scale, az), select(enough, w * scale, aw),
    )  # fmt: skip


@njit(borrows=True)
def mix_source(s: Array, wide: Any, low: Any, high: Any, share: Any) -> None:
    """Mix the pose of a clip over the layer; nodes without cover take the pose unchanged."""
    layer, posed, cover, on = _ROOM + _LAYER * wide, _ROOM + _POSED * wide, _ROOM + _COVER * wide, _ROOM + _ON * wide
    zero, part = splat(_ZERO), splat(share)
    for k in range(0, wide, LANES):
        kept = load(s, cover + k) * splat(_ONE - share)
        after, covered, moved = kept + part, kept > zero, load(s, on + k) > zero
        ratio = part / after
        store(s, cover + k, select(moved, after, kept))
        for e in range(low, high):
            if e < 3 or e >= 7:
                a, b = load(s, layer + e * wide + k), load(s, posed + e * wide + k)
                store(s, layer + e * wide + k, select(moved, select(covered, a + ratio * (b - a), b), a))
        turn = mix_turn(s, layer + 3 * wide + k, posed + 3 * wide + k, wide, ratio)
        for e in range(4):
            o = (3 + e) * wide + k
            store(s, layer + o, select(moved, select(covered, turn[e], load(s, posed + o)), load(s, layer + o)))


@njit(borrows=True)
def lay(floats: Array, mask: Any, s: Array, wide: Any, low: Any, high: Any, share: Any) -> None:
    """Mix the layer over the pose so far, where the mask allows it."""
    now, layer, cover = _ROOM + _NOW * wide, _ROOM + _LAYER * wide, _ROOM + _COVER * wide
    zero = splat(_ZERO)
    for k in range(0, wide, LANES):
        part = load(s, cover + k) * splat(share) * load(floats, mask + k)
        some, full = part > zero, part >= splat(_WHOLE)
        if bits(full) == _ALL_LANES:
            for e in range(low, high):
                store(s, now + e * wide + k, load(s, layer + e * wide + k))
            continue
        for e in range(low, high):
            if e < 3 or e >= 7:
                a, b = load(s, now + e * wide + k), load(s, layer + e * wide + k)
                store(s, now + e * wide + k, select(full, b, select(some, a + part * (b - a), a)))
        turn = mix_turn(s, now + 3 * wide + k, layer + 3 * wide + k, wide, part)
        for e in range(4):
            o = (3 + e) * wide + k
            store(s, now + o, select(full, load(s, layer + o), select(some, turn[e], load(s, now + o))))


@njit(borrows=True)
def add_node(s: Array, to: Any, way: Any, base: Any, wide: Any, share: Any) -> None:
    """Add to the ten numbers s[to] a share of the change from s[base] to s[way], in the node's own axes."""
    for e in range(3):
        o, size = e * wide, s[base + (7 + e) * wide]
        s[to + o] = s[to + o] + share * (s[way + o] - s[base + o])
        if size != _ZERO:
            o = (7 + e) * wide
            s[to + o] = s[to + o] * (_ONE + share * (s[way + o] / size - _ONE))
    i, j, k, m = 3 * wide, 4 * wide, 5 * wide, 6 * wide
    ax, ay, az, aw = -s[base + i], -s[base + j], -s[base + k], s[base + m]
    bx, by, bz, bw = s[way + i], s[way + j], s[way + k], s[way + m]
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    sign = -_ONE if w < _ZERO else _ONE
    bx, by, bz, bw = share * (sign * x), share * (sign * y), share * (sign * z), _ONE + share * (sign * w - _ONE)
    ax, ay, az, aw = s[to + i], s[to + j], s[to + k], s[to + m]
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    square = x * x + y * y + z * z + w * w
    if square > _LEAST:
        scale = _ONE / np.sqrt(square)
        s[to + i], s[to + j], s[to + k], s[to + m] = x * scale, y * scale, z * scale, w * scale


@njit(borrows=True)
def write_locals(s: Array, wide: Any) -> None:
    """Write the matrices of the nodes' numbers to _MATRIX."""
    now, out = _ROOM + _NOW * wide, _ROOM + _MATRIX * wide
    zero, one, two = splat(_ZERO), splat(_ONE), splat(_TWO)
    for k in range(0, wide, LANES):
        n = now + k
        x, y, z, w = load(s, n + 3 * wide), load(s, n + 4 * wide), load(s, n + 5 * wide), load(s, n + 6 * wide)
        a, b, c = load(s, n + 7 * wide), load(s, n + 8 * wide), load(s, n + 9 * wide)
        square = x * x + y * y + z * z + w * w
        t = select(zero >= square, zero, two / square)
        o = out + 16 * k
        put4(s, 16, o, (one - t * (y * y + z * z)) * a, t * (x * y - z * w) * b, t * (x * z + y * w) * c, load(s, n))
        put4(
            s, 16, o + 4, t * (x * y + z * w) * a, (one - t * (x * x + z * z)) * b, t * (y * z - x * w) * c,
            load(s, n + wide),
        )  # fmt: skip
        put4(
            s, 16, o + 8, t * (x * z - y * w) * a, t * (y * z + x * w) * b, (one - t * (x * x + y * y)) * c,
            load(s, n + 2 * wide),
        )  # fmt: skip


@njit(borrows=True, forceinline=True)
def times(rows: Any, right: Array, at_right: Any, last: Any) -> Any:
    """Return two rows of a matrix, a vector, times the matrix of twelve numbers at `right[at_right]`."""
    a = spread(rows)
    made = a[0] * load_twice(right, at_right) + a[1] * load_twice(right, at_right + 4)
    made = made + a[2] * load_twice(right, at_right + 8)
    return select(last, made + a[3], made)


@njit(borrows=True)
def write_matrices(
    words: Array, ints: Array, floats: Array, character: Array, s: Array, nodes: Array, palettes: Array
) -> None:
    """Write the matrices of the nodes and joints of one character."""
    skeleton, wide = character[at.SKELETON_AT], words[character[at.SKELETON_AT] + at.WIDE]
    write_locals(s, wide)
    last = load(s, _PATTERN) > splat(_ZERO)
    matrix, out, parents = _ROOM + _MATRIX * wide, 12 * character[at.NODE_AT], words[skeleton + at.PARENTS]
    for n in range(words[skeleton + at.NODES]):
        parent, o = ints[parents + n], matrix + 16 * n
        top, bottom = load(s, o), load(s, o + 8)
        if parent >= 0:
            top = times(load(s, matrix + 16 * parent), s, o, last)
            bottom = times(load(s, matrix + 16 * parent + 8), s, o, last)
            store(s, o, top)
            store(s, o + 8, bottom)
        store(nodes, out + 12 * n, top)
        store_first(nodes, out + 12 * n + 8, bottom)
    joints, binds, out = words[skeleton + at.JOINT_NODES], words[skeleton + at.BINDS], 12 * character[at.JOINT_AT]
    for j in range(words[skeleton + at.JOINTS]):
        o = matrix + 16 * ints[joints + j]
        store(palettes, out + 12 * j, times(load(s, o), floats, binds + 12 * j, last))
        store_first(palettes, out + 12 * j + 8, times(load(s, o + 8), floats, binds + 12 * j, last))


@njit(borrows=True)
def add_source(
    words: Array, ints: Array, floats: Array, skeleton: Any, clip: Any, mask: Any, whole: Any, s: Array,
    weights: Array, weight_at: Any,
) -> None:  # fmt: skip
    """Add the difference between the pose of a clip, which has been read, and its first row."""
    wide, stride = words[skeleton + at.WIDE], words[clip + at.STRIDE]
    now, posed, base = _ROOM + _NOW * wide, _ROOM + _POSED * wide, _ROOM + _BASE * wide
    first, begin, end = words[clip + at.FIRST_ROW], words[clip + at.FROM], words[clip + at.TO]
    for k in range(words[clip + at.MOVES]):
        node = ints[words[clip + at.MOVED] + k]
        if floats[mask + node] != _ZERO:
            for e in range(NODE):
                at_rest = floats[words[skeleton + at.REST] + e * wide + node]
                inside = begin <= e < end
                s[base + e * wide + node] = floats[first + (e - begin) * stride + k] if inside else at_rest
            add_node(s, now + node, posed + node, base + node, wide, whole)
    sway = len(s) - words[skeleton + at.WEIGHTS]
    for k in range(words[clip + at.SWAYS]):
        e = ints[words[clip + at.SWAYED] + k]
        if floats[mask + wide + e] != _ZERO:
            weights[weight_at + e] += whole * (s[sway + k] - floats[first + (end - begin) * stride + k])


@njit(borrows=True)
def sway_source(
    words: Array, ints: Array, floats: Array, skeleton: Any, job: Array, share: Array, s: Array, weights: Array,
    weight_at: Any,
) -> None:  # fmt: skip
    """Mix the weights of a source, which have been read, over those of the layer, and at its end over those so far."""
    sways, clip, mask = words[skeleton + at.WEIGHTS], job[at.CLIP_AT], job[at.MASK]
    part, whole = np.float32(share[at.SHARE]), np.float32(share[at.LAYER])
    swayed, cover, sway = len(s) - 3 * sways, len(s) - 2 * sways, len(s) - sways
    for e in range(sways):
        s[cover + e] = _ZERO if job[at.KIND] == at.BEGIN else s[cover + e] * (_ONE - part)
    for k in range(words[clip + at.SWAYS]):
        e, value = ints[words[clip + at.SWAYED] + k], s[sway + k]
        if s[cover + e] == _ZERO:
            s[swayed + e], s[cover + e] = value, part
        else:
            s[cover + e] = s[cover + e] + part
            s[swayed + e] = s[swayed + e] + part / s[cover + e] * (value - s[swayed + e])
    for e in range(sways):
        laid = s[cover + e] * whole
        if laid > _ZERO and (mask < 0 or floats[mask + words[skeleton + at.WIDE] + e] != _ZERO):
            w = weight_at + e
            weights[w] = weights[w] + laid * (s[swayed + e] - weights[w])


@njit(borrows=True)
def put_source(
    words: Array, ints: Array, floats: Array, skeleton: Any, job: Array, share: Array, low: Any, high: Any, s: Array,
) -> None:  # fmt: skip
    """Mix the nodes of a source over the layer, and at the layer's end over the pose so far."""
    wide, kind, mask = words[skeleton + at.WIDE], job[at.KIND], job[at.MASK]
    part, whole = np.float32(share[at.SHARE]), np.float32(share[at.LAYER])
    to = _LAYER if kind == at.BEGIN else _POSED
    read_clip(words, ints, floats, skeleton, job, share, low, high, s, _ROOM + to * wide)
    if kind == at.BEGIN:
        for k in range(0, wide, LANES):
            store(s, _ROOM + _COVER * wide + k, load(s, _ROOM + _ON * wide + k) * splat(part))
    else:
        mix_source(s, wide, low, high, part)
    if whole > _ZERO:
        lay(floats, mask if mask >= 0 else words[skeleton + at.EVERY], s, wide, low, high, whole)


@njit(borrows=True)
def pose_all(
    words: Array, ints: Array, floats: Array, characters: Array, jobs: Array, shares: Array, nodes: Array,
    palettes: Array, weights: Array, s: Array,
) -> None:  # fmt: skip
    """Write the poses of all characters; see `tables` for the columns. nodes, palettes: flat. s: see `scratch_for`."""
    for c in range(len(characters)):
        skeleton, weight_at = characters[c, at.SKELETON_AT], characters[c, at.WEIGHT_AT]
        begin, end = characters[c, at.SOURCE], characters[c, at.SOURCE_END]
        wide, rest = words[skeleton + at.WIDE], words[skeleton + at.REST]
        for k in range(0, NODE * wide, LANES):
            store(s, _ROOM + _NOW * wide + k, load(floats, rest + k))
        for k in range(words[skeleton + at.WEIGHTS]):
            weights[weight_at + k] = floats[words[skeleton + at.REST_WEIGHTS] + k]
        low, high = 3, 7
        for j in range(begin, end):
            low, high = min(low, words[jobs[j, at.CLIP_AT] + at.FROM]), max(high, words[jobs[j, at.CLIP_AT] + at.TO])
        for j in range(begin, end):
            if jobs[j, at.KIND] == at.ADD:
                clip, mask = jobs[j, at.CLIP_AT], jobs[j, at.MASK]
                mask = mask if mask >= 0 else words[skeleton + at.EVERY]
                posed, whole = _ROOM + _POSED * wide, np.float32(shares[j, at.LAYER])
                read_clip(words, ints, floats, skeleton, jobs[j], shares[j], np.int64(0), np.int64(NODE), s, posed)
                add_source(words, ints, floats, skeleton, clip, mask, whole, s, weights, weight_at)
                continue
            put_source(words, ints, floats, skeleton, jobs[j], shares[j], low, high, s)
            if words[skeleton + at.WEIGHTS]:
                sway_source(words, ints, floats, skeleton, jobs[j], shares[j], s, weights, weight_at)
        write_matrices(words, ints, floats, characters[c], s, nodes, palettes)


def _warm_up() -> None:
    characters, jobs = np.zeros((0, 6), np.int64), np.zeros((0, 4), np.int64)
    flat = np.zeros(1, np.float32)
    pose_all(
        np.zeros(1, np.int64), np.zeros(1, np.int32), flat, characters, jobs, np.zeros((0, 4)), flat, flat, flat, flat
    )


READY = Ready(_warm_up)
"""Whether the kernel can be called."""


def prepare_poses_3d() -> bool:
    """Compile the kernel of poses now and return whether it is ready; for benchmarks, and plugins that pose models."""
    return READY.now()
