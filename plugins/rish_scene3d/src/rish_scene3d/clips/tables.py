"""The tables that poses are made from: skeletons, clips and masks as flat arrays that grow, and what is to be posed.

Three arrays hold everything. `words` int64: the headers. `ints` int32: parents, joints, nodes, masks. `floats`
float32: poses at rest, inverse binds, rows of clips, keys of steps. Headers hold offsets into the other arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..models.model import ModelData
from .sampling import NODE, Sampled, at_rest

Array = npt.NDArray[Any]

# The header of a skeleton, at its offset in `words`
NODES, PARENTS, REST, JOINTS, JOINT_NODES, BINDS, WEIGHTS, REST_WEIGHTS = range(8)
"""Number of nodes; offset of their parents in ints, of their numbers at rest in floats; number of joints of all skins;
offset of their nodes in ints, of their inverse binds (12 numbers) in floats; number of weights; offset of these."""
SKELETON = 8

# The header of a clip
ROWS, WIDTH, FIRST_ROW, MOVES, MOVED, SWAYS, SWAYED, STEPS = range(8)
"""Number of rows, their width, offset of the first in floats; number of nodes that move, their offset in ints; number
of weights that change, their offset in ints; number of channels in steps, whose headers follow."""
CLIP = 8
STEP_COLUMN, STEP_WIDTH, STEP_KEYS, STEP_TIMES, STEP_VALUES = range(5)
STEP = 5

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
WHOLE = np.float32(0.9999)
"""From this share on, a pose replaces what is below."""


class Work(NamedTuple):
    """The characters to be posed, and their sources; see the columns above."""

    characters: Array
    jobs: Array
    shares: Array


class Poses(NamedTuple):
    """The made poses: float32 nodes (k, 3, 4), palettes (j, 3, 4), weights (w,)."""

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
        header = [0] * SKELETON
        header[NODES], header[PARENTS] = len(model.names), self._add("ints", model.parents)
        header[REST] = self._add("floats", at_rest(model).reshape(-1))
        header[JOINTS], header[JOINT_NODES] = model.joints, self._add("ints", *joints)
        header[BINDS] = self._add("floats", *binds)
        header[WEIGHTS], header[REST_WEIGHTS] = len(model.weights), self._add("floats", model.weights)
        return self._add("words", np.array(header))

    def add_clip(self, clip: Sampled) -> int:
        """Add a clip; return the offset of its header."""
        header = [0] * CLIP
        header[ROWS], header[WIDTH] = clip.rows.shape
        header[FIRST_ROW] = self._add("floats", clip.rows.reshape(-1))
        header[MOVES], header[MOVED] = len(clip.nodes), self._add("ints", clip.nodes)
        header[SWAYS], header[SWAYED] = len(clip.weights), self._add("ints", clip.weights)
        header[STEPS] = len(clip.steps)
        for step in clip.steps:
            keys, width = step.values.shape
            times, values = self._add("floats", step.times), self._add("floats", step.values.reshape(-1))
            header += [step.column, width, keys, times, values]
        return self._add("words", np.array(header))

    def add_mask(self, allowed: Array) -> int:
        """Add a mask, bool for each node and then for each weight; return its offset in ints."""
        return self._add("ints", allowed.astype(np.int32))

    def _add(self, name: str, *parts: Array) -> int:
        begin = self._ends[name]
        self._parts[name] += parts
        self._ends[name] += sum(map(len, parts))
        self._joined = None
        return begin


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
