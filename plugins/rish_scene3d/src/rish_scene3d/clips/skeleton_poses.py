"""The poses of animated models: the matrices of their nodes and joints in this frame."""

from __future__ import annotations

from dataclasses import field as dataclass_field

import numpy as np
import numpy.typing as npt

from rish_core import resource

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
_NO_ROWS = np.zeros(0, np.int32)


@resource(derived=True)
class Poses3D:
    """The poses of animated models, written by `scene3d.pose` in EXTRACT and read by drawing and picking.

    entities: int64 (a,), sorted: those with a pose; all others are at rest. first_node, first_joint, first_weight:
    int32 (a,), where their rows begin in the next three; -1: none. nodes: (k, 3, 4) from a node to the model.
    palettes: (j, 3, 4) for skins. morphs: (w,) weights of morph targets. version: rises when any of them changes.
    """

    entities: npt.NDArray[np.int64] = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    first_node: Ints = dataclass_field(default_factory=lambda: _NO_ROWS)
    first_joint: Ints = dataclass_field(default_factory=lambda: _NO_ROWS)
    first_weight: Ints = dataclass_field(default_factory=lambda: _NO_ROWS)
    nodes: Floats = dataclass_field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))
    palettes: Floats = dataclass_field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))
    morphs: Floats = dataclass_field(default_factory=lambda: np.zeros(0, np.float32))
    version: int = 0

    def rebuild(self, world: object) -> None:
        """Clear all poses after a restore; the next EXTRACT computes them again. The version still rises."""
        self.__init__(version=self.version + 1)
