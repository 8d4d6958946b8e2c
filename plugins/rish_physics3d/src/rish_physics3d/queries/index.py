"""The shapes of a World with a tree of their boxes, for queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_ecs import Inputs
from rish_jit import Array
from rish_space3d import Bvh, Transform3D

from ..bodies.layout import Layout
from ..bodies.placed import shape_poses
from ..broad.pairs import fit_shapes
from ..components.filters import CATEGORY
from ..geometry.hulls import MAX_POINTS
from .kernels import working_memory

if TYPE_CHECKING:
    from rish_core import World

_REBUILD = 64
"""After this number of changes the tree is built again, as bodies are no longer near those that were near them."""


@resource(derived=True)
class ShapeIndex:
    """The shapes as the columns have them now; computed again at the first query after something moved.

    entities, bodies: int64, of the colliders, and of the bodies to which they belong, 0 for none. shapes: the arguments
    of `kernels.cast`. hulls: of the layout. meshes: see `kernels.near_triangle`. boxes: float32 (n, 6), around the
    shapes. body_poses: float32 flat, as the step has them. layout: the one that all this is of.
    """

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self._places, self._refits = Inputs([Transform3D]), 0
        self._tree = Bvh(np.zeros((0, 6), np.float32))
        self.entities = self.bodies = np.zeros(0, np.int64)
        self.boxes, self.body_poses = np.zeros((0, 6), np.float32), np.zeros(0, np.float32)
        self.shapes: Any = None
        self.hulls: Any = None
        self.meshes: Any = None
        self._forms: Any = ()
        self._columns: tuple[Array, ...] = ()
        self.work = working_memory(MAX_POINTS)

    def update(self, world: World) -> None:
        """Read the poses, if they have changed."""
        layout, moved = world[Layout], self._places.changed(world)
        if not moved and layout is self.layout:
            return
        rebuild = layout is not self.layout or self._refits >= _REBUILD
        self.layout = layout
        poses, pose = shape_poses(world, layout)
        if not rebuild and np.array_equal(pose, self.body_poses) and np.array_equal(poses.ravel(), self.shapes[2]):
            return
        if rebuild:
            self._use(layout)
            self.boxes, self.body_poses = np.zeros((len(poses), 6), np.float32), np.full_like(pose, np.nan)
        form, size, place = self._forms
        frame = np.zeros(8, np.float32)
        fit_shapes(self.body_poses, form, size, place, layout.hulls, pose, frame, self.boxes.ravel())
        self.body_poses = pose
        if rebuild:
            self._tree, self._refits = Bvh(self.boxes), 0
        else:
            self._tree.refit(self.boxes)
            self._refits += 1
        self.shapes = form, size, poses.ravel(), *self._columns

    def _use(self, layout: Layout) -> None:
        """Note what does not change while the layout stays."""
        owners = layout.form[:, 1]
        self.entities, self.hulls = layout.shape_entities, layout.hulls
        self.bodies = np.where(layout.rows[owners] >= 0, layout.entities[owners], 0)
        self.meshes = *layout.meshes[:3], *_joined(layout.trees)
        self._forms = layout.form.ravel(), layout.size.ravel(), layout.place.ravel()
        categories = np.ascontiguousarray(layout.filters[:, CATEGORY])
        self._columns = categories, layout.sensors, self.entities, self.bodies

    def nodes(self) -> tuple[Array, Array]:
        """Return the tree for the kernel."""
        return self._tree.nodes()

    def touching(self, boxes: Array) -> tuple[Array, Array]:
        """Return the pairs of a box, float32 (n, 6), and a shape whose box touches it, int32 (k,) each, sorted."""
        return self._tree.touching(boxes)

    def shapes_of(self, entities: Array) -> Array:
        """Return the shapes of colliders, -1 for none. entities: int64."""
        if not len(self.entities):
            return np.full(len(entities), -1)
        shapes = np.minimum(np.searchsorted(self.entities, entities), len(self.entities) - 1)
        return np.where(self.entities[shapes] == entities, shapes, -1)


def _joined(trees: Sequence[Bvh]) -> tuple[Array, Array]:
    """Return the links and boxes of all trees, one after the other."""
    nodes = [tree.nodes() for tree in trees]
    links = np.concatenate([np.zeros(0, np.int32), *[links for links, _ in nodes]])
    return links, np.concatenate([np.zeros(0, np.float32), *[boxes for _, boxes in nodes]])
