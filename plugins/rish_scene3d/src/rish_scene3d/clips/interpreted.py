"""The poses of characters in numpy, for all characters of a model at once; same bits as the kernel's."""

from __future__ import annotations

import numpy as np

from rish_animation import TIME_TOLERANCE
from rish_ecs.declarations import distinct
from rish_jit import Array
from rish_space3d import local_matrices, product

from . import tables as at
from .sampling import NODE
from .tables import Poses, Work

_ZERO, _ONE, _LEAST = np.float32(0), np.float32(1), np.float32(1e-12)


class _Group:
    """The characters of one skeleton: their poses so far, the poses of the present layer, and its cover.

    now, layer: (n, k, 10). sway, swayed: (n, w). cover: (n, k + w), see the kernel.
    """

    def __init__(self, words: Array, ints: Array, floats: Array, skeleton: int, count: int) -> None:
        header = words[skeleton : skeleton + at.SKELETON]
        self.words, self.ints, self.floats, self.header = words, ints, floats, header
        self.nodes, self.sways = int(header[at.NODES]), int(header[at.WEIGHTS])
        wide = int(header[at.WIDE])
        self.rest = floats[header[at.REST] :][: NODE * wide].reshape(NODE, wide)[:, : self.nodes].T
        rest_pose = self.rest[None]
        weights = floats[header[at.REST_WEIGHTS] :][: self.sways]
        self.now, self.layer = np.repeat(rest_pose, count, axis=0), np.zeros((count, self.nodes, NODE), np.float32)
        self.sway, self.swayed = np.repeat(weights[None], count, axis=0), np.zeros((count, self.sways), np.float32)
        self.cover = np.zeros((count, self.nodes + self.sways), np.float32)

    def put(self, indices: Array, jobs: Array, shares: Array) -> None:
        """Apply the next source of these characters; all have the same clip, kind and mask."""
        clip, kind, mask = int(jobs[0, at.CLIP_AT]), int(jobs[0, at.KIND]), int(jobs[0, at.MASK])
        moves, changes = int(self.words[clip + at.MOVES]), int(self.words[clip + at.SWAYS])
        nodes = self.ints[self.words[clip + at.MOVED] :][:moves]
        changed = self.ints[self.words[clip + at.SWAYED] :][:changes]
        posed, sways = self._read(clip, nodes, self._rows(clip, jobs[:, at.ROW], shares))
        first_row = self.floats[self.words[clip + at.FIRST_ROW] :][None, : self.words[clip + at.WIDTH]]
        base, base_weights = self._read(clip, nodes, first_row)
        share, layer_share = shares[:, at.SHARE].astype(np.float32), shares[:, at.LAYER].astype(np.float32)
        allowed = self._allowed(mask)
        if kind == at.ADD:
            on, columns = allowed[nodes], allowed[self.nodes + changed]
            cells = np.ix_(indices, nodes[on])
            self.now[cells] = _added(self.now[cells], posed[:, on], base[:, on], layer_share[:, None])
            cells = np.ix_(indices, changed[columns])
            self.sway[cells] += layer_share[:, None] * (sways - base_weights)[:, columns]
            return
        self.cover[indices] = _ZERO if kind == at.BEGIN else self.cover[indices] * (_ONE - share)[:, None]
        is_bare, ratio = self._cover(indices, nodes, share)
        cells = np.ix_(indices, nodes)
        mixed = _mixed(self.layer[cells], posed, ratio)
        self.layer[cells] = np.where(is_bare[..., None], posed, mixed)
        is_bare, ratio = self._cover(indices, self.nodes + changed, share)
        cells = np.ix_(indices, changed)
        mixed = self.swayed[cells] + ratio * (sways - self.swayed[cells])
        self.swayed[cells] = np.where(is_bare, sways, mixed)
        self._lay(indices, layer_share, allowed)

    def _cover(self, indices: Array, columns: Array, share: Array) -> tuple[Array, Array]:
        """Add the share to the cover of these columns; return which had no cover, and the share of the new values."""
        cells = np.ix_(indices, columns)
        before = self.cover[cells]
        self.cover[cells] = after = before + share[:, None]
        return before == _ZERO, share[:, None] / np.where(after == _ZERO, _ONE, after)

    def _lay(self, indices: Array, layer_share: Array, allowed: Array) -> None:
        """Mix the layer over the poses so far."""
        part = self.cover[indices] * layer_share[:, None]
        part = np.where(allowed, part, _ZERO)
        on, rest = part[:, : self.nodes, None], part[:, self.nodes :]
        now, layer, sway = self.now[indices], self.layer[indices], self.sway[indices]
        mixed = np.where(on >= at.FULL_SHARE, layer, _mixed(now, layer, part[:, : self.nodes]))
        self.now[indices] = np.where(on > _ZERO, mixed, now)
        self.sway[indices] = np.where(rest > _ZERO, sway + rest * (self.swayed[indices] - sway), sway)

    def _allowed(self, mask: int) -> Array:
        wide, mask = int(self.header[at.WIDE]), mask if mask >= 0 else int(self.header[at.EVERY])
        allowed = self.floats[mask : mask + wide + self.sways] != 0
        return np.concatenate([allowed[: self.nodes], allowed[wide:]])

    def _rows(self, clip: int, index: Array, shares: Array) -> Array:
        """Return the numbers of a clip at the times of some sources, (n, width)."""
        width, count = int(self.words[clip + at.WIDTH]), int(self.words[clip + at.ROWS])
        rows = self.floats[self.words[clip + at.FIRST_ROW] :][: width * count].reshape(count, width)
        a, between = rows[index], shares[:, at.BETWEEN].astype(np.float32)
        numbers = a + between[:, None] * (rows[index + 1] - a)
        for s in range(int(self.words[clip + at.STEPS])):
            step = self.words[clip + at.CLIP + at.STEP * s :][: at.STEP]
            keys, wide = int(step[at.STEP_KEYS]), int(step[at.STEP_WIDTH])
            times = self.floats[step[at.STEP_TIMES] :][:keys].astype(np.float64)
            values = self.floats[step[at.STEP_VALUES] :][: keys * wide].reshape(keys, wide)
            key = np.maximum(np.searchsorted(times, shares[:, at.TIME] + TIME_TOLERANCE, side="right") - 1, 0)
            numbers[:, step[at.STEP_PLACE] + np.arange(wide) * step[at.STEP_STRIDE]] = values[key]
        return numbers

    def _read(self, clip: int, nodes: Array, rows: Array) -> tuple[Array, Array]:
        """Return the numbers of the nodes of a clip (n, moves, 10), and those of its weights, from rows."""
        first, last, stride = (int(self.words[clip + column]) for column in (at.FROM, at.TO, at.STRIDE))
        size, sways = (last - first) * stride, int(self.words[clip + at.SWAYS])
        posed = np.repeat(self.rest[None, nodes], len(rows), axis=0)
        numbers = rows[:, :size].reshape(len(rows), last - first, stride)
        posed[:, :, first:last] = numbers[:, :, : len(nodes)].transpose(0, 2, 1)
        return posed, rows[:, size : size + sways]

    def matrices(self) -> tuple[Array, Array]:
        """Return the matrices of the nodes (n, k, 3, 4) and of the palettes (n, j, 3, 4)."""
        count, header = len(self.now), self.header
        flat = self.now.reshape(-1, NODE)
        translation, turn, size = flat[:, :3], flat[:, 3:7], flat[:, 7:]
        local = local_matrices(translation, turn, size, translation, turn, size, _ZERO).reshape(count, self.nodes, 3, 4)
        nodes = local.copy()
        for n, parent in enumerate(self.ints[header[at.PARENTS] :][: self.nodes].tolist()):
            if parent >= 0:
                nodes[:, n] = product(nodes[:, parent], local[:, n])
        joints = self.ints[header[at.JOINT_NODES] :][: header[at.JOINTS]]
        binds = self.floats[header[at.BINDS] :][: 12 * header[at.JOINTS]].reshape(-1, 3, 4)
        bound = np.broadcast_to(binds, (count, *binds.shape)).reshape(-1, 3, 4)
        return nodes, product(nodes[:, joints].reshape(-1, 3, 4), bound).reshape(count, -1, 3, 4)


def pose_plain(words: Array, ints: Array, floats: Array, work: Work, out: Poses) -> None:
    """Write the poses of characters into `out`; see `tables` for the columns."""
    characters, jobs, shares = work
    with np.errstate(all="ignore"):
        for skeleton in distinct(characters[:, at.SKELETON_AT]).tolist():
            indices = np.flatnonzero(characters[:, at.SKELETON_AT] == skeleton)
            group = _Group(words, ints, floats, skeleton, len(indices))
            first = characters[indices, at.SOURCE]
            count = characters[indices, at.SOURCE_END] - first
            for rank in range(int(count.max(initial=0))):
                present = np.flatnonzero(count > rank)
                sources = first[present] + rank
                _, kinds = np.unique(jobs[sources][:, [at.CLIP_AT, at.KIND, at.MASK]], axis=0, return_inverse=True)
                for kind in range(int(kinds.max()) + 1):
                    is_kind = kinds.reshape(-1) == kind
                    group.put(present[is_kind], jobs[sources[is_kind]], shares[sources[is_kind]])
            nodes, palettes = group.matrices()
            out.nodes[characters[indices, at.NODE_AT][:, None] + np.arange(nodes.shape[1])] = nodes
            out.palettes[characters[indices, at.JOINT_AT][:, None] + np.arange(palettes.shape[1])] = palettes
            out.weights[characters[indices, at.WEIGHT_AT][:, None] + np.arange(group.sways)] = group.sway


def _mixed(a: Array, b: Array, share: Array) -> Array:
    """Interpolate the numbers of nodes (..., 10) from a to b; rotations take the shorter turn and have length 1."""
    weights = share[..., None]
    mixed = a + weights * (b - a)
    turn, other = a[..., 3:7], b[..., 3:7]
    sign = np.where(_dot(turn, other) < _ZERO, -_ONE, _ONE)[..., None]
    mixed[..., 3:7] = _unit(turn + weights * (sign * other - turn), turn)
    return mixed


def _added(now: Array, row: Array, base: Array, share: Array) -> Array:
    """Return the numbers of nodes (n, k, 10) after a share of the change from base to row is added."""
    weights = share[..., None]
    sums = now + weights * (row - base)
    size = base[..., 7:]
    grown = now[..., 7:] * (_ONE + weights * (row[..., 7:] / size - _ONE))
    sums[..., 7:] = np.where(size != _ZERO, grown, now[..., 7:])
    conjugate = base[..., 3:7] * np.array([-1, -1, -1, 1], np.float32)
    change = _times(conjugate, row[..., 3:7])
    sign = np.where(change[..., 3:] < _ZERO, -_ONE, _ONE)
    way = weights * (sign * change)
    way[..., 3:] = _ONE + weights * (sign * change[..., 3:] - _ONE)
    sums[..., 3:7] = _unit(_times(now[..., 3:7], way), now[..., 3:7])
    return sums


def _times(a: Array, b: Array) -> Array:
    """Return products of quaternions (..., 4) in float32."""
    ax, ay, az, aw = (a[..., k] for k in range(4))
    bx, by, bz, bw = (b[..., k] for k in range(4))
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    z, w = aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
    return np.stack([x, y, z, w], axis=-1)


def _dot(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2] + a[..., 3] * b[..., 3]


def _unit(turns: Array, instead: Array) -> Array:
    """Return quaternions of length 1; those with a length near 0 are replaced by `instead`."""
    square = _dot(turns, turns)
    has_length = square > _LEAST
    scale = _ONE / np.sqrt(np.where(has_length, square, _ONE))
    return np.where(has_length[..., None], turns * scale[..., None], instead)
