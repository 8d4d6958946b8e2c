"""The tables that poses are computed from: skeletons, clips and masks as flat arrays that grow, and the characters.

Three arrays hold everything. `words` int64: the headers. `ints` int32: parents, joints, nodes, weights. `floats`
float32: poses at rest, inverse binds, rows of clips, keys of steps, masks. Headers hold offsets into the other arrays.

The numbers of nodes are stored number by number: first x of the translations of all nodes, then y, and so on, so that
the kernel computes eight nodes together. The nodes are filled up with zeros to a multiple of eight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array
from rish_jit.simd import LANES

from ..models.model import ModelData
from .sampling import NODE, Sampled, at_rest

# The header of a skeleton, at its offset in `words`
NODES, WIDE, PARENTS, REST, EVERY, JOINTS, JOINT_NODES, BINDS, WEIGHTS, REST_WEIGHTS = range(10)
"""Number of nodes, and the multiple of eight; offset of their parents in ints, of their numbers at rest (10, wide), and
of a mask that allows all in floats; number of joints of all skins; offset of their nodes in ints, of their inverse
binds (12 numbers) in floats; number of weights; offset of these."""
SKELETON = 10

# The header of a clip
ROWS, WIDTH, FIRST_ROW, MOVES, MOVED, STRIDE, FROM, TO, SWAYS, SWAYED, STEPS = range(11)
"""Number of rows, their width, offset of the first in floats; number of nodes that move, their offset in ints, and the
multiple of eight; the first of the ten numbers of a node that the rows hold, and the one after the last; number of
weights that change, their offset in ints; number of channels in steps, whose headers follow. A row has a stride for
each number of nodes, and then the weights. The numbers that it lacks are those at rest."""
CLIP = 11
STEP_PLACE, STEP_STRIDE, STEP_WIDTH, STEP_KEYS, STEP_TIMES, STEP_VALUES = range(6)
"""Where the first number is in a row, and how far the next; how many there are; number of keys; offsets of their times
and values in floats."""
STEP = 6

# The columns of characters, int64 (a, 6): offset of the skeleton, first source and the one after the last, first row in
# the nodes, palettes and weights that are made
SKELETON_AT, SOURCE, SOURCE_END, NODE_AT, JOINT_AT, WEIGHT_AT = range(6)

# The columns of jobs, int64 (s, 4): offset of the clip, row before the time, what is done, offset of the mask or -1
CLIP_AT, ROW, KIND, MASK = range(4)
BEGIN, MIX, ADD = range(3)
"""The first clip of a layer; a clip that is mixed over the layer's earlier ones; what is added to what is below."""

# The columns of shares, float64 (s, 4): way to the next row 0..1, share in the layer, share of the whole layer once its
# last clip is mixed (0: not the last), time in seconds
BETWEEN, SHARE, LAYER, TIME = range(4)
FULL_SHARE = np.float32(0.9999)
"""From this share on, a pose replaces the poses below."""


class Work(NamedTuple):
    """The characters to be posed, and their sources; see the columns above."""

    characters: Array
    jobs: Array
    shares: Array


class Poses(NamedTuple):
    """The computed poses: float32 nodes (k, 3, 4), palettes (j, 3, 4), weights (w,)."""

    nodes: Array
    palettes: Array
    weights: Array


class PoseTables:
    """The flat arrays; parts are only added."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Array]] = {"words": [], "ints": [], "floats": []}
        self._ends = {"words": 0, "ints": 0, "floats": 0}
        self._joined: tuple[Array, Array, Array] | None = None

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """Words, ints and floats."""
        if self._joined is None:
            kinds = {"words": np.int64, "ints": np.int32, "floats": np.float32}
            for name, kind in kinds.items():
                parts = [np.zeros(0, kind), *self._parts[name]]
                self._parts[name] = [np.concatenate(parts).astype(kind)]
            self._joined = (self._parts["words"][0], self._parts["ints"][0], self._parts["floats"][0])
        return self._joined

    def add_skeleton(self, model: ModelData) -> int:
        """Add the nodes and skins of a model; return the offset of its header."""
        joints = [skin.joints for skin in model.skins]
        binds = [skin.inverse_binds.reshape(-1) for skin in model.skins]
        count = len(model.names)
        header = [0] * SKELETON
        header[NODES], header[WIDE], header[PARENTS] = count, filled_up(count), self._add("ints", model.parents)
        header[REST] = self._add("floats", _by_number(at_rest(model)[None]).reshape(-1))
        header[EVERY] = self.add_mask(count, np.ones(count + len(model.weights), np.bool_))
        header[JOINTS], header[JOINT_NODES] = model.joints, self._add("ints", *joints)
        header[BINDS] = self._add("floats", *binds)
        header[WEIGHTS], header[REST_WEIGHTS] = len(model.weights), self._add("floats", model.weights)
        return self._add("words", np.array(header))

    def add_clip(self, model: ModelData, clip: Sampled) -> int:
        """Add a clip of a model; return the offset of its header."""
        moves, count = len(clip.nodes), len(clip.rows)
        posed = clip.rows[:, : NODE * moves].reshape(count, moves, NODE)
        first, last = _varying(posed, at_rest(model)[clip.nodes], clip)
        columns = _by_number(posed[:, :, first:last])
        rows = np.concatenate([columns, clip.rows[:, NODE * moves :]], axis=1)
        rows = np.pad(rows, ((0, 0), (0, filled_up(rows.shape[1]) - rows.shape[1])))
        header = [0] * CLIP
        header[ROWS], header[WIDTH] = rows.shape
        header[FIRST_ROW] = self._add("floats", rows.reshape(-1))
        header[MOVES], header[MOVED] = moves, self._add("ints", clip.nodes)
        header[STRIDE], header[FROM], header[TO] = filled_up(moves), first, last
        header[SWAYS], header[SWAYED] = len(clip.weights), self._add("ints", clip.weights)
        header[STEPS] = len(clip.steps)
        for step in clip.steps:
            keys, width = step.values.shape
            times, values = self._add("floats", step.times), self._add("floats", step.values.reshape(-1))
            slot, number = divmod(step.column, NODE)
            place, stride = (number - first) * header[STRIDE] + slot, header[STRIDE]
            if step.column >= NODE * moves:
                place, stride = columns.shape[1] + step.column - NODE * moves, 1
            header += [place, stride, width, keys, times, values]
        return self._add("words", np.array(header))

    def add_mask(self, nodes: int, allowed: Array) -> int:
        """Add a mask, bool for each node and then for each weight; return its offset in floats."""
        mask = np.zeros(filled_up(nodes) + len(allowed) - nodes, np.float32)
        mask[:nodes], mask[filled_up(nodes) :] = allowed[:nodes], allowed[nodes:]
        return self._add("floats", mask)

    def _add(self, name: str, *parts: Array) -> int:
        begin = self._ends[name]
        self._parts[name] += parts
        self._ends[name] += sum(map(len, parts))
        self._joined = None
        return begin


def filled_up(count: int) -> int:
    """Return the next multiple of eight."""
    return -(-count // LANES) * LANES


def _by_number(posed: Array) -> Array:
    """Return numbers of nodes (r, k, c) as rows, number by number; the nodes are filled up."""
    rows, count, numbers = posed.shape
    padded = np.zeros((rows, numbers, filled_up(count)), np.float32)
    padded[:, :, :count] = posed.transpose(0, 2, 1)
    return padded.reshape(rows, -1)


def _varying(posed: Array, rest: Array, clip: Sampled) -> tuple[int, int]:
    """Return the range of the ten numbers that differ from those at rest; it contains the rotation."""
    differs = (posed != rest).any(axis=(0, 1))
    for step in clip.steps:
        if step.column < NODE * len(clip.nodes):
            differs[step.column % NODE] = True
    return (0 if differs[:3].any() else 3), (NODE if differs[7:].any() else 7)


def make_work(characters: Array, jobs: Array, shares: Array) -> Work:
    """Return work with arrays of the right types, shapes (a, 6), (s, 4), (s, 4)."""
    return Work(
        np.ascontiguousarray(characters, np.int64), np.ascontiguousarray(jobs, np.int64), np.ascontiguousarray(shares)
    )


def room_for(nodes: int, joints: int, weights: int) -> Poses:
    """Return arrays for poses, filled with zeros."""
    return Poses(
        np.zeros((nodes, 3, 4), np.float32), np.zeros((joints, 3, 4), np.float32), np.zeros(weights, np.float32)
    )


__all__ = ["NODE", "PoseTables", "Poses", "Work", "make_work", "room_for"]
