"""Outlines of shapes as lines in space, for tools and the debug view. Nothing here is state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import derived
from rish_ecs.storage import as_handles
from rish_jit import Array
from rish_space3d import outlines, quaternions

from ..contacts.shapes import BOX, CAPSULE, HULL, PLANE, SPHERE
from ..geometry.hulls import Hull
from .layout import Layout
from .placed import shape_poses

if TYPE_CHECKING:
    from rish_core import World

_HALF_PLANE, _PLANE_CELLS = 5.0, 10
"""Half the side of the square that stands for a plane, in meters, and the number of its cells along a side."""
_MAX_EDGES = 3000
"""The greatest number of edges of a mesh that are drawn, the longest ones."""
_FLAT = 0.999
"""Edges whose triangles have normals with a cosine above this one are left out."""


@derived(reads=(Layout,))
class ShapeLines:
    """The outlines of all shapes of a `Layout`. Shapes that are alike share one.

    lines: float64 (k, 2, 3) each, around the origin of the shape. which: int64, for each shape its number in `lines`.
    """

    lines: list[Array] = []
    which: Array = np.zeros(0, np.int64)

    def compute(self, world: World) -> None:
        """Compute the outline of each kind of shape once."""
        layout = world[Layout]
        keys = np.column_stack([layout.form[:, [0, 2]], layout.size[:, :3]]).astype(np.float64)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.which = which.reshape(-1)
        self.lines = [_outline(layout, shape) for shape in first.tolist()]


def placed_lines(world: World, shapes: Array) -> tuple[Array, Array]:
    """Return the outlines of shapes in the world, float64 (n, 2, 3), meters, and the index in `shapes` of each line.

    shapes: their numbers in the `Layout`. The poses are those of the columns.
    """
    kinds, poses = world[ShapeLines], shape_poses(world, world[Layout])[0]
    lines, owners = [np.zeros((0, 2, 3))], [np.zeros(0, np.int64)]
    which = kinds.which[shapes]
    for kind in np.unique(which).tolist():
        rows, local = np.flatnonzero(which == kind), kinds.lines[kind]
        pose = poses[shapes[rows]]
        turns = quaternions.to_matrix(pose[:, 4:])
        lines.append((np.einsum("nrc,kec->nker", turns, local) + pose[:, None, None, :3]).reshape(-1, 2, 3))
        owners.append(np.repeat(rows, len(local)))
    return np.concatenate(lines), np.concatenate(owners)


def collider_outlines_3d(world: World, entities: Any) -> list[Array]:
    """Return the outlines of the colliders of entities as lines, one array float32 (n, 2, 3) for each entity, meters.

    entities: one handle or an array. A box or hull has its edges, a sphere and a capsule circles, a plane a square of
    10 m with its normal, a mesh the edges where it bends or ends. There are no lines for an entity without a
    `Collider3D`, and for a collider that the solver refuses.
    """
    handles = as_handles(np.atleast_1d(np.asarray(entities)))
    shapes = shapes_of(world, handles)
    known = np.flatnonzero(shapes >= 0)
    lines, owners = placed_lines(world, shapes[known])
    return [lines[owners == place].astype(np.float32) for place in _places(known, len(handles))]


def shapes_of(world: World, handles: Array) -> Array:
    """Return the number in the `Layout` of the shape of each entity, -1 for those without one."""
    entities = world[Layout].shape_entities
    if not len(entities):
        return np.full(len(handles), -1)
    place = np.minimum(np.searchsorted(entities, handles), len(entities) - 1)
    return np.where(entities[place] == handles, place, -1)


def _places(known: Array, count: int) -> list[int]:
    """Return for each of `count` entities its index in `known`, -1 if it is not there."""
    places = np.full(count, -1)
    places[known] = np.arange(len(known))
    return places.tolist()


def _outline(layout: Layout, shape: int) -> Array:
    """Return the outline of a shape around its origin."""
    kind, _, number = layout.form[shape].tolist()
    x, y, z = layout.size[shape, :3].astype(np.float64).tolist()
    if kind == BOX:
        return outlines.box_lines((-x, -y, -z), (x, y, z))
    if kind == SPHERE:
        return outlines.sphere_lines((0, 0, 0), x)
    if kind == CAPSULE:
        return outlines.capsule_lines(x, y)
    if kind == HULL:
        return _hull_lines(layout.pool[number])
    return _plane_lines() if kind == PLANE else _mesh_lines(layout, number)


def _hull_lines(hull: Hull) -> Array:
    return hull.points[:, :3].astype(np.float64)[hull.edges[:, :2]]


def _plane_lines() -> Array:
    """Return a square with a grid, and its normal."""
    at = np.linspace(-_HALF_PLANE, _HALF_PLANE, _PLANE_CELLS + 1)
    end = np.full_like(at, _HALF_PLANE)
    along = np.stack([np.stack([at, at], axis=1), np.zeros((len(at), 2)), np.stack([-end, end], axis=1)], axis=2)
    return np.concatenate([along, along[..., ::-1], outlines.arrow_lines((0, 0, 0), (0, 1, 0))])


def _mesh_lines(layout: Layout, number: int) -> Array:
    """Return the edges of a mesh where it bends or ends; of too many, the longest."""
    starts, corners = layout.meshes[0].reshape(-1, 2), layout.meshes[1].reshape(-1, 3, 3)
    after = int(starts[number + 1, 0]) if number + 1 < len(starts) else len(corners)
    triangles = corners[int(starts[number, 0]) : after].astype(np.float64)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    points, place = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    faces = place.reshape(-1, 3)
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    edges, side, count = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    total = np.zeros((len(edges), 3))
    np.add.at(total, side.reshape(-1), np.repeat(normals, 3, axis=0))
    # The sum of two unit normals with cosine c has the squared length 2 + 2 c.
    edges = edges[(count != 2) | ((total**2).sum(axis=1) < 2 + 2 * _FLAT)]
    lines = points[edges]
    if len(lines) > _MAX_EDGES:
        length = ((lines[:, 1] - lines[:, 0]) ** 2).sum(axis=1)
        lines = lines[np.sort(np.argsort(-length, kind="stable")[:_MAX_EDGES])]
    return lines
