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
    if not len(work.characters):
        return
    nodes = int(words[work.characters[:, at.SKELETON_AT] + at.NODES].sum())
    if READY.serve(nodes, KERNEL_NODES):
        pose_all(
            words, ints, floats, work.characters, work.jobs, work.shares,
            out.nodes.reshape(-1, 12), out.palettes.reshape(-1, 12), out.weights,
        )  # fmt: skip
    else:
        pose_plain(words, ints, floats, work, out)


@njit
def read_row(words: Array, floats: Array, clip: Any, index: Any, between: Any, time: Any, row: Array) -> None:
    """Write the numbers of a clip at a time into row. index, between: the row before it, and the way to the next."""
    width = words[clip + at.WIDTH]
    first = words[clip + at.FIRST_ROW] + index * width
    before, after = floats[first : first + width], floats[first + width : first + 2 * width]
    for e in range(width):
        row[e] = before[e] + between * (after[e] - before[e])
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
    """Move the ten numbers `to[o]` towards `way[i]`; the rotation on the short way, to length 1."""
    for e in range(3):
        to[o, e] = to[o, e] + share * (way[i, e] - to[o, e])
        to[o, 7 + e] = to[o, 7 + e] + share * (way[i, 7 + e] - to[o, 7 + e])
    ax, ay, az, aw = to[o, 3], to[o, 4], to[o, 5], to[o, 6]
    bx, by, bz, bw = way[i, 3], way[i, 4], way[i, 5], way[i, 6]
    sign = -_ONE if ax * bx + ay * by + az * bz + aw * bw < _ZERO else _ONE
    x, y = ax + share * (sign * bx - ax), ay + share * (sign * by - ay)
    z, w = az + share * (sign * bz - az), aw + share * (sign * bw - aw)
    square = x * x + y * y + z * z + w * w
    if square > _LEAST:
        s = _ONE / np.sqrt(square)
        to[o, 3], to[o, 4], to[o, 5], to[o, 6] = x * s, y * s, z * s, w * s


@njit
def add_node(to: Array, o: Any, way: Array, base: Array, i: Any, share: Any) -> None:
    """Add to the ten numbers `to[o]` a share of the change from `base[i]` to `way[i]`, in the node's own axes."""
    for e in range(3):
        to[o, e] = to[o, e] + share * (way[i, e] - base[i, e])
        size = base[i, 7 + e]
        if size != _ZERO:
            to[o, 7 + e] = to[o, 7 + e] * (_ONE + share * (way[i, 7 + e] / size - _ONE))
    ax, ay, az, aw = -base[i, 3], -base[i, 4], -base[i, 5], base[i, 6]
    bx, by, bz, bw = way[i, 3], way[i, 4], way[i, 5], way[i, 6]
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    sign = -_ONE if w < _ZERO else _ONE
    bx, by, bz, bw = share * (sign * x), share * (sign * y), share * (sign * z), _ONE + share * (sign * w - _ONE)
    ax, ay, az, aw = to[o, 3], to[o, 4], to[o, 5], to[o, 6]
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    square = x * x + y * y + z * z + w * w
    if square > _LEAST:
        s = _ONE / np.sqrt(square)
        to[o, 3], to[o, 4], to[o, 5], to[o, 6] = x * s, y * s, z * s, w * s


@njit
def write_local(to: Array, o: Any, pose: Array, n: Any) -> None:
    """Write the matrix of the ten numbers `pose[n]` to the twelve `to[o]`."""
    x, y, z, w = pose[n, 3], pose[n, 4], pose[n, 5], pose[n, 6]
    square = x * x + y * y + z * z + w * w
    s = _ZERO if square == _ZERO else _TWO / square
    a, b, c = pose[n, 7], pose[n, 8], pose[n, 9]
    to[o, 0], to[o, 1], to[o, 2] = (_ONE - s * (y * y + z * z)) * a, s * (x * y - z * w) * b, s * (x * z + y * w) * c
    to[o, 4], to[o, 5], to[o, 6] = s * (x * y + z * w) * a, (_ONE - s * (x * x + z * z)) * b, s * (y * z - x * w) * c
    to[o, 8], to[o, 9], to[o, 10] = s * (x * z - y * w) * a, s * (y * z + x * w) * b, (_ONE - s * (x * x + y * y)) * c
    to[o, 3], to[o, 7], to[o, 11] = pose[n, 0], pose[n, 1], pose[n, 2]


@njit
def write_product(to: Array, o: Any, left: Array, p: Any, right: Array, i: Any) -> None:
    """Write the product of the matrices `left[p]` and `right[i]` to `to[o]`, twelve numbers each."""
    m0, m1, m2, m3 = right[i, 0], right[i, 1], right[i, 2], right[i, 3]
    m4, m5, m6, m7 = right[i, 4], right[i, 5], right[i, 6], right[i, 7]
    m8, m9, m10, m11 = right[i, 8], right[i, 9], right[i, 10], right[i, 11]
    for r in range(3):
        a, b, c, shift = left[p, 4 * r], left[p, 4 * r + 1], left[p, 4 * r + 2], left[p, 4 * r + 3]
        x, y = a * m0 + b * m4 + c * m8, a * m1 + b * m5 + c * m9
        z, w = a * m2 + b * m6 + c * m10, a * m3 + b * m7 + c * m11
        to[o, 4 * r], to[o, 4 * r + 1], to[o, 4 * r + 2], to[o, 4 * r + 3] = x, y, z, w + shift


@njit
def write_matrices(words: Array, ints: Array, floats: Array, row: Array, now: Array, nodes: Array, palettes: Array,
) -> None:  # fmt: skip
    """Write the matrices of the nodes and joints of one character. row: its columns. now: the numbers of its nodes."""
    skeleton, first, joint_at = row[at.SKELETON_AT], row[at.NODE_AT], row[at.JOINT_AT]
    parents, one = words[skeleton + at.PARENTS], np.empty((1, 12), np.float32)
    for n in range(words[skeleton + at.NODES]):
        parent = ints[parents + n]
        if parent < 0:
            write_local(nodes, first + n, now, n)
        else:
            write_local(one, 0, now, n)
            write_product(nodes, first + n, nodes, first + parent, one, 0)
    count, joints, begin = words[skeleton + at.JOINTS], words[skeleton + at.JOINT_NODES], words[skeleton + at.BINDS]
    binds = floats[begin : begin + 12 * count].reshape(count, 12)
    for j in range(count):
        write_product(palettes, joint_at + j, nodes, first + ints[joints + j], binds, j)


@njit
def pose_all(
    words: Array, ints: Array, floats: Array, characters: Array, jobs: Array, shares: Array, nodes: Array,
    palettes: Array, weights: Array,
) -> None:  # fmt: skip
    """Write the poses of all characters; see `tables` for the columns. nodes, palettes: (n, 12)."""
    wide, most, sway = 1, 1, 1
    for s in range(len(jobs)):
        wide = max(wide, words[jobs[s, at.CLIP_AT] + at.WIDTH])
    for c in range(len(characters)):
        most = max(most, words[characters[c, at.SKELETON_AT] + at.NODES])
        sway = max(sway, words[characters[c, at.SKELETON_AT] + at.WEIGHTS])
    row = np.empty(wide, np.float32)
    now, layer = np.empty((most, NODE), np.float32), np.empty((most, NODE), np.float32)
    swayed, cover = np.empty(sway, np.float32), np.empty(most + sway, np.float32)
    for c in range(len(characters)):
        skeleton, weight_at = characters[c, at.SKELETON_AT], characters[c, at.WEIGHT_AT]
        count, sways, rest = words[skeleton + at.NODES], words[skeleton + at.WEIGHTS], words[skeleton + at.REST]
        for n in range(count):
            for e in range(NODE):
                now[n, e] = floats[rest + NODE * n + e]
        for e in range(sways):
            weights[weight_at + e] = floats[words[skeleton + at.REST_WEIGHTS] + e]
        for s in range(characters[c, at.SOURCE], characters[c, at.SOURCE_END]):
            clip, mask, kind = jobs[s, at.CLIP_AT], jobs[s, at.MASK], jobs[s, at.KIND]
            read_row(words, floats, clip, jobs[s, at.ROW], np.float32(shares[s, at.BETWEEN]), shares[s, at.TIME], row)
            moves, moved = words[clip + at.MOVES], words[clip + at.MOVED]
            changes, changed = words[clip + at.SWAYS], words[clip + at.SWAYED]
            share, whole = np.float32(shares[s, at.SHARE]), np.float32(shares[s, at.LAYER])
            posed = row[: NODE * moves].reshape(moves, NODE)
            if kind == at.ADD:
                begin = words[clip + at.FIRST_ROW]
                base = floats[begin : begin + NODE * moves].reshape(moves, NODE)
                for k in range(moves):
                    node = ints[moved + k]
                    if mask < 0 or ints[mask + node] != 0:
                        add_node(now, node, posed, base, k, whole)
                for k in range(changes):
                    at_weight, column = ints[changed + k], NODE * moves + k
                    if mask < 0 or ints[mask + count + at_weight] != 0:
                        weights[weight_at + at_weight] += whole * (row[column] - floats[begin + column])
                continue
            for e in range(count + sways):
                cover[e] = _ZERO if kind == at.BEGIN else cover[e] * (_ONE - share)
            for k in range(moves):
                node = ints[moved + k]
                if cover[node] == _ZERO:
                    for e in range(NODE):
                        layer[node, e] = posed[k, e]
                    cover[node] = share
                else:
                    cover[node] = cover[node] + share
                    mix_node(layer, node, posed, k, share / cover[node])
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
                        now[e, f] = layer[e, f]
                else:
                    mix_node(now, e, layer, e, part)
        write_matrices(words, ints, floats, characters[c], now, nodes, palettes)


def _warm_up() -> None:
    characters, jobs = np.zeros((0, 6), np.int64), np.zeros((0, 4), np.int64)
    flat, rows = np.zeros(1, np.float32), np.zeros((1, 12), np.float32)
    pose_all(np.zeros(1, np.int64), np.zeros(1, np.int32), flat, characters, jobs, np.zeros((0, 4)), rows, rows, flat)


READY = Ready(_warm_up)
"""Whether the kernel can be called."""


def prepare_poses_3d() -> bool:
    """Compile the kernel of poses now and return whether it is ready; for benchmarks, and plugins that pose models."""
    return READY.now()
