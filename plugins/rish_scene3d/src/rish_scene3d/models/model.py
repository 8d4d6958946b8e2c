"""A model that is ready to be drawn: its pieces, its nodes at rest, its skins and its clips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rish_gltf import Animation

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Piece:
    """One mesh of a model on one node.

    mesh: its number in the library. node: -1 for none. material: its row of the library's materials. flags: of its run,
    see `layout`. skin: of the model, -1: none. morph: the first of its weights among those of the model, -1: none.
    """

    mesh: int
    node: int
    material: int
    flags: int = 0
    skin: int = -1
    morph: int = -1


@dataclass(frozen=True, eq=False)
class SkinData:
    """joints: nodes, int32 (j,). inverse_binds: (j, 3, 4). first: where its rows begin in a palette of the model."""

    joints: Ints
    inverse_binds: Floats
    first: int


@dataclass(frozen=True, eq=False)
class ModelData:
    """A model. Nodes are ordered so that parents come first.

    names, parents (-1: none): of the nodes. translations (k, 3), rotations (k, 4), scales (k, 3): at rest, relative
    to the parent. rest: (k, 3, 4), from each node to the model. weights: of all morph targets at rest. joints: the
    number of rows of a palette, over all skins. bounds: (2, 3) at rest, over all pieces. clips: animations; `node` of
    a channel is a node of this model, and weights begin at `first_weight[node]`.
    """

    name: str
    pieces: tuple[Piece, ...]
    names: tuple[str, ...]
    parents: Ints
    translations: Floats
    rotations: Floats
    scales: Floats
    rest: Floats
    bounds: Floats
    weights: Floats
    first_weight: Ints
    skins: tuple[SkinData, ...] = ()
    clips: tuple[Animation, ...] = ()

    @property
    def joints(self) -> int:
        """The number of rows of a palette, over all skins."""
        return sum(len(skin.joints) for skin in self.skins)
