"""The pieces that rays can hit: every visible piece of every model, at its place in this frame, in a tree of boxes.

The rows are those of the draw list, so what is picked is what is drawn. They are built again with the list; when things
only move, their boxes are updated, and the tree keeps its structure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_jit import Array
from rish_space3d import Bvh, product

from ..layout import BLENDED, CUTOFF, DOUBLE_SIDED, MASKED
from ..scene.listing.looks import group_of
from .opacity import FAINT, opacities
from .skins import capsules_of, morphed_boxes, moved_boxes, posed_positions
from .triangles import Showing, TriangleTree

if TYPE_CHECKING:
    from ..models.model_library import Library, MeshData
    from ..scene.drawlist import DrawList
    from .skins import Capsules

_MARGIN = 2e-6
"""The enlargement of boxes relative to their largest number, because the tree computes in float32."""
_MAX_MOVES = 32
"""The mean number of moves of all things after which the tree is built again, because its structure gets
inefficient."""


@dataclass(eq=False)
class Shapes:
    """Trees of the triangles of meshes at rest, and their capsules; they stay as long as the meshes of a library do."""

    library: Library
    _trees: WeakKeyDictionary[MeshData, TriangleTree] = field(
        default_factory=WeakKeyDictionary["MeshData", TriangleTree]
    )
    _capsules: WeakKeyDictionary[MeshData, Capsules] = field(default_factory=WeakKeyDictionary["MeshData", "Capsules"])

    def mesh(self, number: int) -> MeshData:
        """Return a mesh by its number."""
        return self.library.meshes[number]

    def tree(self, number: int) -> TriangleTree:
        """Return the triangles of a mesh at rest; the tree is built once."""
        mesh = self.mesh(number)
        tree = self._trees.get(mesh)
        if tree is None:
            tree = self._trees[mesh] = TriangleTree(mesh.positions, mesh.indices)
        return tree

    def capsules(self, number: int) -> Capsules:
        """Return the capsules of a mesh with joints; they are made once."""
        mesh = self.mesh(number)
        capsules = self._capsules.get(mesh)
        if capsules is None:
            capsules = self._capsules[mesh] = capsules_of(mesh)
        return capsules


class Things:
    """All pieces that are shown, one row each, in a tree of their boxes.

    listing: the list that they are from. entities, pieces: int64 (n,), whose they are and their number in the model.
    meshes: int64 (n,). sides: 1: rays meet the front of triangles, 0: both sides. bent: bool (n,): joints or morph
    targets change it. boxes: (n, 6), in the world.
    """

    def __init__(self, draw: DrawList, shapes: Shapes) -> None:
        self._models, self.shapes, self.listing = draw.models, shapes, draw.models.listing
        instances, catalog = draw.models.instances, draw.models.catalog
        slots = self._slots = instances.slots.copy()
        pieces = instances.piece[slots]
        self.entities, self.pieces = instances.entity[slots], catalog.number[pieces]
        self.meshes: Array = catalog.mesh[pieces]
        self._matrix_rows, self._posable = instances.row[slots], catalog.posable[catalog.model[pieces]]
        numbers, index_of_mesh = np.unique(self.meshes, return_inverse=True)
        meshes = [shapes.mesh(number) for number in numbers.tolist()]
        joined, morphs = (
            np.array([getattr(mesh, name) is not None for mesh in meshes], np.bool_)[index_of_mesh]
            for name in ("joints", "targets")
        )
        palette, morph = (instances.instances[name][slots] for name in ("palette", "morph"))
        self._skinned, morphed = joined & (palette >= 0), morphs & (morph >= 0)
        self.bent = self._skinned | morphed
        bounds = np.array([mesh.bounds for mesh in meshes], np.float64).reshape(-1, 2, 3)
        self._middle, self._half = bounds.mean(axis=1)[index_of_mesh], (bounds[:, 1] - bounds[:, 0])[index_of_mesh] / 2
        self._flags: Array = draw.models.looks.groups[group_of(instances.key[slots]), 1]
        self.sides = np.where(self._flags & DOUBLE_SIDED, 0, 1)
        self.boxes = np.zeros((len(slots), 6))
        self._bent_trees: dict[int, TriangleTree] = {}
        self._moves = 0
        self.follow(None, posed=True)

    def __len__(self) -> int:
        return len(self.entities)

    @property
    def bits(self) -> Array:
        """The bits of layers of each row, int32 (n,)."""
        return self._models.instances.bits[self._slots]

    def matrices(self, rows: Any) -> Array:
        """Return the matrices from the meshes of rows to the world, or from the posed meshes, float64 (..., 3, 4)."""
        return self._models.instances.instances["matrix"][self._slots[rows]].astype(np.float64)

    # Following what moves

    def follow(self, moved: Array | None, *, posed: bool) -> None:
        """Update the boxes from the draw list of this frame.

        moved: the rows of Transform3D whose matrices have changed, None: all. posed: whether poses have.
        """
        matrix_rows = self._matrix_rows
        if moved is not None and not len(moved) and not posed:
            return
        if moved is None:
            changed = np.ones(len(self), np.bool_)
        else:
            flags = np.zeros(1 + max(int(matrix_rows.max(initial=-1)), int(moved.max(initial=-1))), np.bool_)
            flags[moved] = True
            changed = flags[matrix_rows]
        if posed:
            changed[self._posable] = True
            self._bent_trees.clear()
            self._bend(np.flatnonzero(self.bent))
        rows = np.flatnonzero(changed)
        if len(rows) or moved is None:
            self._place(rows)

    def _place(self, rows: Array) -> None:
        """Write the boxes of rows. Columns are computed one by one: reductions of three numbers are slow in numpy."""
        selected = slice(None) if len(rows) == len(self) else rows
        matrices = self.matrices(selected)
        center = np.einsum("nrc,nc->nr", matrices[:, :, :3], self._middle[selected]) + matrices[:, :, 3]
        reach = np.einsum("nrc,nc->nr", np.abs(matrices[:, :, :3]), self._half[selected])
        largest = np.abs(center) + reach
        reach += _MARGIN * np.maximum(np.maximum(largest[:, 0], largest[:, 1]), largest[:, 2])[:, None]
        self.boxes[selected, :3], self.boxes[selected, 3:] = center - reach, center + reach
        if not self._moves or self._moves > _MAX_MOVES * len(self):
            self.tree, self._moves = Bvh(self.boxes), 0
        else:
            self.tree.refit(self.boxes)
        self._moves += len(rows)

    def _bend(self, rows: Array) -> None:
        """Compute the boxes of meshes that joints or morph targets change, before their matrices, mesh by mesh."""
        keys = self.meshes[rows] * 2 + self._skinned[rows]
        for key in np.unique(keys).tolist():
            rows_of_mesh, mesh = rows[keys == key], self.shapes.mesh(key // 2)
            boxes = morphed_boxes(mesh, self._weights(rows_of_mesh))
            if key % 2:
                parts = self.shapes.capsules(key // 2)
                grown = (boxes - mesh.bounds)[:, None]
                boxes = moved_boxes(self._palettes(rows_of_mesh, parts.joints), parts.boxes + grown)
            self._middle[rows_of_mesh], self._half[rows_of_mesh] = boxes.mean(axis=1), (boxes[:, 1] - boxes[:, 0]) / 2

    def _palettes(self, rows: Array, joints: Array) -> Array:
        """Return the matrices of joints of skinned rows of one mesh, float64 (n, k, 3, 4)."""
        first = self._models.instances.instances["palette"][self._slots[rows]]
        return self._models.attachment.palettes[first[:, None] + joints].astype(np.float64)

    def _weights(self, rows: Array) -> Array:
        """Return the weights of the morph targets of rows of one mesh, float64 (n, t)."""
        targets, morphs = self.shapes.mesh(int(self.meshes[rows[0]])).targets, self._models.attachment.morphs
        first = self._models.instances.instances["morph"][self._slots[rows]]
        if targets is None or first[0] < 0:
            return np.zeros((len(rows), 0))
        return morphs[first[:, None] + np.arange(len(targets))].astype(np.float64)

    # The shapes of rows

    def triangles(self, row: int) -> TriangleTree:
        """Return the triangles of a row: those of the mesh at rest, or, where it is bent, the posed ones."""
        number = int(self.meshes[row])
        if not self.bent[row]:
            return self.shapes.tree(number)
        if row not in self._bent_trees:
            mesh, rows = self.shapes.mesh(number), np.array([row])
            palette = None
            if self._skinned[row]:
                palette = self._palettes(rows, np.arange(int(mesh.joints.max()) + 1))[0]  # pyright: ignore[reportOptionalMemberAccess]
            positions = posed_positions(mesh, palette, self._weights(rows)[0])
            self._bent_trees[row] = TriangleTree(positions, mesh.indices)
        return self._bent_trees[row]

    def capsules(self, row: int) -> tuple[Capsules, Array]:
        """Return the capsules of a row with joints, and the matrices (k, 3, 4) from each of them to the world."""
        parts = self.shapes.capsules(int(self.meshes[row]))
        palette = self._palettes(np.array([row]), parts.joints)[0]
        return parts, product(np.repeat(self.matrices(row)[None], len(parts.joints), axis=0), palette)

    def showing(self, rows: Array) -> Showing | None:
        """Return the function that tests whether points of rows of one mesh are visible; None if all of them are.

        Points below the cutoff of the alpha mode mask are invisible, and blended points with an opacity below FAINT.
        """
        flags = self._flags[rows]
        if not (flags & (MASKED | BLENDED)).any():
            return None
        mesh, shown = self.shapes.mesh(int(self.meshes[rows[0]])), self._models.instances.instances[self._slots[rows]]
        materials, tints = self._models.materials.table[shown["material"]], shown["tint"]
        cutoffs = np.where(flags & MASKED, materials[:, CUTOFF], np.where(flags & BLENDED, FAINT, -np.inf))

        def shows(which: Array, triangles: Array, weights: Array) -> Array:
            alphas = opacities(self.shapes.library, mesh, materials[which], triangles, weights)
            return alphas * tints[which, 3] / 255 >= cutoffs[which]

        return shows
