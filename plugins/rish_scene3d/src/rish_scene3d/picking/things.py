"""What rays can hit: every visible piece of every model, where it is in this frame, in a tree of boxes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from rish_space3d import Bvh, product

from ..clips.poses import Poses3D
from ..layout import DOUBLE_SIDED
from .skins import capsules_of, morphed_box, moved_boxes, posed_box, posed_positions
from .triangles import TriangleTree

if TYPE_CHECKING:
    from ..models.library import MeshData
    from ..models.model import ModelData, Piece
    from .skins import Capsules

Array = npt.NDArray[Any]
_MARGIN = 2e-6
"""By which share of their largest number boxes are enlarged, because the tree computes in float32."""
_EMPTY = np.stack([np.full(3, np.inf), np.full(3, -np.inf)])


@dataclass(frozen=True, eq=False)
class Shown:
    """One model as many entities show it. pieces: those that are shown, with their numbers in the model. entities:
    int64 (n,). matrices: (n, 3, 4), from the model to the world. sided: int (n,): 1: both sides are drawn, 0: one, -1:
    as the piece says."""

    model: ModelData
    pieces: tuple[tuple[int, Piece], ...]
    entities: Array
    matrices: Array
    sided: Array


@dataclass(eq=False)
class Shapes:
    """What is known of each mesh as long as it is there: trees of its triangles, and its capsules. mesh: by number."""

    mesh: Callable[[int], MeshData]
    _trees: WeakKeyDictionary[MeshData, TriangleTree] = field(default_factory=WeakKeyDictionary)
    _capsules: WeakKeyDictionary[MeshData, Capsules] = field(default_factory=WeakKeyDictionary)

    def tree(self, number: int) -> TriangleTree:
        """Return the triangles of a mesh at rest; the tree is built once."""
        mesh = self.mesh(number)
        if mesh not in self._trees:
            self._trees[mesh] = TriangleTree(mesh.positions, mesh.indices)
        return self._trees[mesh]

    def capsules(self, number: int) -> Capsules:
        """Return the capsules of a mesh with joints; they are made once."""
        mesh = self.mesh(number)
        if mesh not in self._capsules:
            self._capsules[mesh] = capsules_of(mesh)
        return self._capsules[mesh]


class Things:
    """All pieces that are shown, one row each, in a tree of their boxes.

    entities, pieces: int64 (n,), whose they are and their number in the model. meshes: int64 (n,). matrices: float64
    (n, 3, 4), from the mesh to the world, or from the posed mesh. sides: 1: rays meet the front of triangles, 0: both
    sides. bent: bool (n,): joints or morph targets change it.
    """

    def __init__(self, shapes: Shapes, shown: list[Shown], poses: Poses3D) -> None:
        self.shapes, self._poses = shapes, poses
        self._models: list[tuple[ModelData, Piece]] = []
        self._trees: dict[int, TriangleTree] = {}
        rows: list[tuple[Array, ...]] = []
        for each in shown:
            for number, piece in each.pieces:
                rows.append(self._rows(each, number, piece))
        blank = [np.zeros(0, np.int64)] * 4
        joined = [np.concatenate(part) for part in zip(*rows, strict=True)] if rows else []
        self.entities, self.pieces, self.meshes, self._piece = joined[:4] or blank
        self.matrices, boxes, self.sides, self.bent = joined[4:] or (
            np.zeros((0, 3, 4)), np.zeros((0, 2, 3)), np.zeros(0), np.zeros(0, np.bool_)
        )  # fmt: skip
        margin = (_MARGIN * np.abs(boxes).max(axis=(1, 2), initial=0.0))[:, None, None]
        self.boxes = (boxes + [[[-1.0], [1.0]]] * margin).reshape(-1, 6)
        self.tree = Bvh(self.boxes)

    def __len__(self) -> int:
        return len(self.entities)

    def _rows(self, shown: Shown, number: int, piece: Piece) -> tuple[Array, ...]:
        """Return the rows of one piece of a model: all attributes, in the order above, and their boxes."""
        count, mesh = len(shown.entities), self.shapes.mesh(piece.mesh)
        which = np.full(count, len(self._models))
        self._models.append((shown.model, piece))
        matrices = shown.matrices.astype(np.float64)
        at = _found(self._poses.entities, shown.entities)
        bent = np.full(count, mesh.joints is not None and piece.skin >= 0)
        if piece.skin < 0 and piece.node >= 0:
            nodes = np.repeat(shown.model.rest[None, piece.node], count, axis=0).astype(np.float64)
            first = np.where(at >= 0, self._poses.first_node[at], -1) if len(self._poses.entities) else at
            moving = first >= 0
            nodes[moving] = self._poses.nodes[first[moving] + piece.node]
            matrices = product(matrices, nodes)
        if mesh.targets is not None and piece.morph >= 0:
            bent |= True
        both = np.where(shown.sided < 0, bool(piece.flags & DOUBLE_SIDED), shown.sided == 1)
        sides = np.where(both, 0, 1)
        boxes = _boxes_of(matrices, mesh.bounds)
        for k in np.flatnonzero(bent).tolist():
            boxes[k] = moved_boxes(matrices[k : k + 1], self._bent_box(which[k], int(shown.entities[k]))[None])
        same = np.full(count, number), np.full(count, piece.mesh)
        return shown.entities, *same, which, matrices, boxes, sides, bent

    def _bent_box(self, which: int, entity: int) -> Array:
        """Return the box (2, 3) around a posed mesh."""
        _, piece = self._models[which]
        mesh = self.shapes.mesh(piece.mesh)
        palette, weights = self._pose(which, entity)
        if palette is None:
            return morphed_box(mesh, weights) if weights is not None else mesh.bounds.astype(np.float64)
        parts = self.shapes.capsules(piece.mesh)
        if weights is not None:
            grown = morphed_box(mesh, weights) - mesh.bounds
            parts = type(parts)(parts.joints, parts.boxes + grown, parts.ends, parts.radii)
        box = posed_box(parts, palette)
        return box if np.isfinite(box).all() else _EMPTY

    def _pose(self, which: int, entity: int) -> tuple[Array | None, Array | None]:
        """Return the palette (j, 3, 4) of the skin of a piece and the weights of its morph targets, or None."""
        model, piece = self._models[which]
        mesh, poses = self.shapes.mesh(piece.mesh), self._poses
        at = int(_found(poses.entities, np.array([entity]))[0])
        palette = weights = None
        if piece.skin >= 0 and mesh.joints is not None:
            skin = model.skins[piece.skin]
            first = int(poses.first_joint[at]) if at >= 0 else -1
            if first >= 0:
                palette = poses.palettes[first + skin.first : first + skin.first + len(skin.joints)]
            else:
                palette = product(model.rest[skin.joints], skin.inverse_binds)
        if piece.morph >= 0 and mesh.targets is not None:
            first = int(poses.first_weight[at]) if at >= 0 else -1
            all_weights = model.weights if first < 0 else poses.morphs[first : first + len(model.weights)]
            weights = all_weights[piece.morph : piece.morph + len(mesh.targets)]
        return palette, weights

    def triangles(self, row: int) -> TriangleTree:
        """Return the triangles of a row: those of the mesh at rest, or, where it is bent, the posed ones."""
        if not self.bent[row]:
            return self.shapes.tree(int(self.meshes[row]))
        if row not in self._trees:
            mesh = self.shapes.mesh(int(self.meshes[row]))
            places = posed_positions(mesh, *self._pose(int(self._piece[row]), int(self.entities[row])))
            self._trees[row] = TriangleTree(places, mesh.indices)
        return self._trees[row]

    def capsules(self, row: int) -> tuple[Capsules, Array]:
        """Return the capsules of a row with joints, and the matrices (k, 3, 4) from each of them to the world."""
        parts = self.shapes.capsules(int(self.meshes[row]))
        palette, _ = self._pose(int(self._piece[row]), int(self.entities[row]))
        assert palette is not None
        above = np.repeat(self.matrices[row][None], len(parts.joints), axis=0)
        return parts, product(above, palette[parts.joints].astype(np.float64))


def _boxes_of(matrices: Array, bounds: Array) -> Array:
    """Return the boxes (n, 2, 3) of one box (2, 3) at matrices (n, 3, 4)."""
    middle, half = bounds.astype(np.float64).mean(axis=0), (bounds[1] - bounds[0]).astype(np.float64) / 2
    centre = matrices[:, :, :3] @ middle + matrices[:, :, 3]
    reach = np.abs(matrices[:, :, :3]) @ half
    return np.stack([centre - reach, centre + reach], axis=1)


def _found(ordered: Array, wanted: Array) -> Array:
    """Return the places of handles in an ordered array, -1 for those that are not in it."""
    if not len(ordered):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[at] == wanted, at, -1)
