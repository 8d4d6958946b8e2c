"""The kernel that makes the poses of all characters in one call, and the choice between it and numpy.

For each character it interpolates the rows of its clips, mixes them layer by layer over the pose at rest, and
multiplies the matrices down the tree. Each node has a cover: the share of the present layer that its clips fill, so
that a node which a clip leaves alone shows what is below. Source of mixing quaternions as vectors: Blow, "Understanding
Slerp, Then Not Using It", 2004. All arithmetic is in float32; `plain.pose_plain` gives the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import Ready, njit

from . import tables as at
from .curves import EARLY
from .plain import pose_plain
from .sampling import NODE
from .tables import Poses, PoseTables, Work

Array = npt.NDArray[Any]
KERNEL_NODES = 400
"""The number of posed nodes from which a compiled kernel is worth its loading time."""
_ZERO, _ONE, _TWO, _LEAST = np.float32(0), np.float32(1), np.float32(2), np.float32(1e-12)
_WHOLE = at.WHOLE


def make_poses(tables: PoseTables, work: Work, out: Poses) -> None:
    """Write the poses of characters into `out`, by the kernel if it is ready and worth it, otherwise by numpy."""
    words, ints, floats = tables.arrays
    if not len(work.who):
        return
    nodes = int(words[work.who[:, at.SKELETON_AT] + at.NODES].sum())
    if READY.serve(nodes, KERNEL_NODES):
        pose_all(
            words, ints, floats, work.who, work.jobs, work.shares,
            out.nodes.reshape(-1), out.palettes.reshape(-1), out.weights,
        )  # fmt: skip
    else:
        pose_plain(words, ints, floats, work, out)


@njit
def read_row(words: Array, floats: Array, clip: Any, index: Any, between: Any, time: Any, row: Array) -> None:
    """Write the numbers of a clip at a time into row. index, between: the row before it, and the way to the next."""
    width = words[clip + at.WIDTH]
    first = words[clip + at.FIRST_ROW] + index * width
    for e in range(width):
        a = floats[first + e]
        row[e] = a + between * (floats[first + width + e] - a)
    for s in range(words[clip + at.STEPS]):
        step = clip + at.CLIP + at.STEP * s
        times, key = words[step + at.STEP_TIMES], 0
        for k in range(1, words[step + at.STEP_KEYS]):
            if floats[times + k] <= time + EARLY:
                key = k
        wide = words[step + at.STEP_WIDTH]
        values = words[step + at.STEP_VALUES] + key * wide
        for e in range(wide):
            row[words[step + at.STEP_COLUMN] + e] = floats[values + e]


@njit
def mix_node(to: Array, o: Any, way: Array, i: Any, share: Any) -> None:
    """Move the ten numbers at `to[o]` towards those at `way[i]`; the rotation on the short way, to length 1."""
    for e in range(3):
        to[o + e] = to[o + e] + share * (way[i + e] - to[o + e])
        to[o + 7 + e] = to[o + 7 + e] + share * (way[i + 7 + e] - to[o + 7 + e])
    ax, ay, az, aw = to[o + 3], to[o + 4], to[o + 5], to[o + 6]
    bx, by, bz, bw = way[i + 3], way[i + 4], way[i + 5], way[i + 6]
    sign = -_ONE if ax * bx + ay * by + az * bz + aw * bw < _ZERO else _ONE
    x, y = ax + share * (sign * bx - ax), ay + share * (sign * by - ay)
    z, w = az + share * (sign * bz - az), aw + share * (sign * bw - aw)
    square = x * x + y * y + z * z + w * w
    if square > _LEAST:
        s = _ONE / np.sqrt(square)
        to[o + 3], to[o + 4], to[o + 5], to[o + 6] = x * s, y * s, z * s, w * s


@njit
def add_node(to: Array, o: Any, way: Array, i: Any, floats: Array, r: Any, share: Any) -> None:
    """Add to the ten numbers at `to[o]` a share of the change from `floats[r]` to `way[i]`, in the node's own axes."""
    for e in range(3):
        to[o + e] = to[o + e] + share * (way[i + e] - floats[r + e])
        base = floats[r + 7 + e]
        if base != _ZERO:
            to[o + 7 + e] = to[o + 7 + e] * (_ONE + share * (way[i + 7 + e] / base - _ONE))
    ax, ay, az, aw = -floats[r + 3], -floats[r + 4], -floats[r + 5], floats[r + 6]
    bx, by, bz, bw = way[i + 3], way[i + 4], way[i + 5], way[i + 6]
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    sign = -_ONE if w < _ZERO else _ONE
    x, y, z, w = share * (sign * x), share * (sign * y), share * (sign * z), _ONE + share * (sign * w - _ONE)
    ax, ay, az, aw = to[o + 3], to[o + 4], to[o + 5], to[o + 6]
    bx, by, bz, bw = x, y, z, w
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    square = x * x + y * y + z * z + w * w
    if square > _LEAST:
        s = _ONE / np.sqrt(square)
        to[o + 3], to[o + 4], to[o + 5], to[o + 6] = x * s, y * s, z * s, w * s


@njit
def write_local(m: Array, pose: Array, n: Any) -> None:
    """Write the matrix (12) of the ten numbers of a node."""
    x, y, z, w = pose[n + 3], pose[n + 4], pose[n + 5], pose[n + 6]
    square = x * x + y * y + z * z + w * w
    s = _ZERO if square == _ZERO else _TWO / square
    sx, sy, sz = pose[n + 7], pose[n + 8], pose[n + 9]
    m[0], m[1], m[2] = (_ONE - s * (y * y + z * z)) * sx, s * (x * y - z * w) * sy, s * (x * z + y * w) * sz
    m[4], m[5], m[6] = s * (x * y + z * w) * sx, (_ONE - s * (x * x + z * z)) * sy, s * (y * z - x * w) * sz
    m[8], m[9], m[10] = s * (x * z - y * w) * sx, s * (y * z + x * w) * sy, (_ONE - s * (x * x + y * y)) * sz
    m[3], m[7], m[11] = pose[n], pose[n + 1], pose[n + 2]


@njit
def write_product(to: Array, o: Any, left: Array, p: Any, m: Array, i: Any) -> None:
    """Write the product of the matrices (12) at `left[p]` and `m[i]` to `to[o]`."""
    for r in range(3):
        a, b, c = left[p + 4 * r], left[p + 4 * r + 1], left[p + 4 * r + 2]
        for j in range(4):
            to[o + 4 * r + j] = a * m[i + j] + b * m[i + 4 + j] + c * m[i + 8 + j]
        to[o + 4 * r + 3] += left[p + 4 * r + 3]


@njit
def pose_all(
    words: Array, ints: Array, floats: Array, who: Array, jobs: Array, shares: Array, nodes: Array, palettes: Array,
    weights: Array,
) -> None:  # fmt: skip
    """Write the poses of all characters; see `tables` for the columns. nodes, palettes: flat."""
    wide, most, sway = 1, 1, 1
    for s in range(len(jobs)):
        wide = max(wide, words[jobs[s, at.CLIP_AT] + at.WIDTH])
    for c in range(len(who)):
        most = max(most, words[who[c, at.SKELETON_AT] + at.NODES])
        sway = max(sway, words[who[c, at.SKELETON_AT] + at.WEIGHTS])
    row, now, layer = np.empty(wide, np.float32), np.empty(NODE * most, np.float32), np.empty(NODE * most, np.float32)
    swayed, cover, m = np.empty(sway, np.float32), np.empty(most + sway, np.float32), np.empty(12, np.float32)
    for c in range(len(who)):
        skeleton, weight_at = who[c, at.SKELETON_AT], who[c, at.WEIGHT_AT]
        count, sways, rest = words[skeleton + at.NODES], words[skeleton + at.WEIGHTS], words[skeleton + at.REST]
        for e in range(NODE * count):
            now[e] = floats[rest + e]
        for e in range(sways):
            weights[weight_at + e] = floats[words[skeleton + at.REST_WEIGHTS] + e]
        for s in range(who[c, at.SOURCE], who[c, at.SOURCE_END]):
            clip, mask = jobs[s, at.CLIP_AT], jobs[s, at.MASK]
            read_row(
                words, floats, clip, jobs[s, at.ROW], np.float32(shares[s, at.BETWEEN]), shares[s, at.TIME], row
            )
            moves, moved = words[clip + at.MOVES], words[clip + at.MOVED]
            changes, changed = words[clip + at.SWAYS], words[clip + at.SWAYED]
            share, whole = np.float32(shares[s, at.SHARE]), np.float32(shares[s, at.LAYER])
            if jobs[s, at.KIND] == at.ADD:
                base = words[clip + at.FIRST_ROW]
                for k in range(moves):
                    node = ints[moved + k]
                    if mask < 0 or ints[mask + node] != 0:
                        add_node(now, NODE * node, row, NODE * k, floats, base + NODE * k, whole)
                for k in range(changes):
                    at_weight, column = ints[changed + k], NODE * moves + k
                    if mask < 0 or ints[mask + count + at_weight] != 0:
                        weights[weight_at + at_weight] += whole * (row[column] - floats[base + column])
                continue
            if jobs[s, at.KIND] == at.BEGIN:
                for e in range(count + sways):
                    cover[e] = _ZERO
            else:
                for e in range(count + sways):
                    cover[e] = cover[e] * (_ONE - share)
            for k in range(moves):
                node = ints[moved + k]
                o, i = NODE * node, NODE * k
                if cover[node] == _ZERO:
                    for e in range(NODE):
                        layer[o + e] = row[i + e]
                    cover[node] = share
                else:
                    cover[node] = cover[node] + share
                    mix_node(layer, o, row, i, share / cover[node])
            for k in range(changes):
                e, value = ints[changed + k], row[NODE * moves + k]
                if cover[count + e] == _ZERO:
                    swayed[e] = value
                    cover[count + e] = share
                else:
                    cover[count + e] = cover[count + e] + share
                    swayed[e] = swayed[e] + share / cover[count + e] * (value - swayed[e])
            if whole <= _ZERO:
                continue
            for e in range(count + sways):
                part = cover[e] * whole
                if part <= _ZERO or (mask >= 0 and ints[mask + e] == 0):
                    continue
                if e >= count:
                    w = weight_at + e - count
                    weights[w] = weights[w] + part * (swayed[e - count] - weights[w])
                elif part >= _WHOLE:
                    for f in range(NODE):
                        now[NODE * e + f] = layer[NODE * e + f]
                else:
                    mix_node(now, NODE * e, layer, NODE * e, part)
        first, parents = 12 * who[c, at.NODE_AT], words[skeleton + at.PARENTS]
        for n in range(count):
            write_local(m, now, NODE * n)
            parent = ints[parents + n]
            if parent < 0:
                for e in range(12):
                    nodes[first + 12 * n + e] = m[e]
            else:
                write_product(nodes, first + 12 * n, nodes, first + 12 * parent, m, 0)
        joints, binds = words[skeleton + at.JOINT_NODES], words[skeleton + at.BINDS]
        for j in range(words[skeleton + at.JOINTS]):
            write_product(
                palettes, 12 * (who[c, at.JOINT_AT] + j), nodes, first + 12 * ints[joints + j], floats, binds + 12 * j
            )


def _warm_up() -> None:
    who, jobs = np.zeros((0, 6), np.int64), np.zeros((0, 4), np.int64)
    flat = np.zeros(1, np.float32)
    pose_all(np.zeros(1, np.int64), np.zeros(1, np.int32), flat, who, jobs, np.zeros((0, 4)), flat, flat, flat)


READY = Ready(_warm_up)
"""Whether the kernel can be called."""
