"""SpaceGroup: the entities in space that a gizmo changes together, their poses, and the pivot that they turn around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, quaternions, world_matrices_3d

from ..entity_group import EntityGroup
from ..plane.entity_poses import roots

if TYPE_CHECKING:
    from .draw import SpaceDraw


@dataclass
class SpaceGroup(EntityGroup):
    """Selected entities without those whose parents are selected too, as they were when a drag began.

    handles: int64 n. position, rotation, scale: of their Transform3Ds, float64. parent: matrices of their parents,
    float64 (n, 3, 4), and turns: their rotations, quaternions (n, 4). matrix: their own in the world. pivot: of the
    gizmo, (3,). axes: of the gizmo, (3, 3), one a row.
    """

    kind = Transform3D
    handles: Array
    position: Array
    rotation: Array
    scale: Array
    parent: Array
    turns: Array
    matrix: Array
    pivot: Array
    axes: Array

    def moved(self, ways: Array) -> Array:
        """Return the positions after entities moved by ways in the world, (3,) or (n, 3)."""
        linear = self.parent[:, :, :3]
        flat = np.abs(np.linalg.det(linear)) < 1e-12
        back = np.linalg.inv(np.where(flat[:, None, None], np.eye(3), linear))
        return self.position + np.einsum("nrc,nc->nr", back, np.broadcast_to(ways, (len(self), 3)))

    def step(self, fine: float) -> float:
        """Convert a length in the world to the space of the parent in which it is shortest."""
        return fine / max(float(np.linalg.norm(self.parent[:, :, :3], axis=1).max()), 1e-9)

    def turned(self, turn: Array) -> dict[str, Array]:
        """Return positions and rotations after a rotation around the pivot. turn: a quaternion in the world."""
        arm = self.matrix[:, :, 3] - self.pivot
        back = quaternions.inverse(self.turns)
        local = quaternions.product(quaternions.product(back, turn), self.turns)
        rotation = quaternions.normalized(quaternions.product(local, self.rotation))
        return {"position": self.moved(quaternions.turned(turn, arm) - arm), "rotation": rotation}

    def scaled(self, factors: Array) -> dict[str, Array]:
        """Return positions and scales after scaling around the pivot. factors: along the axes of the gizmo, (3,).

        Entities keep right angles: each own axis gets the factor by which its direction is stretched.
        """
        linear = self.axes.T @ np.diag(factors) @ self.axes
        arm = self.matrix[:, :, 3] - self.pivot
        own = np.moveaxis(self.matrix[:, :, :3], 2, 1)
        length = np.linalg.norm(own, axis=2)
        stretched = own @ linear.T
        sign = np.sign((stretched * own).sum(axis=2))
        grown = np.linalg.norm(stretched, axis=2) * np.where(sign < 0, -1, 1) / np.where(length > 0, length, 1.0)
        return {"position": self.moved(arm @ linear.T - arm), "scale": self.scale * np.where(length > 0, grown, 1.0)}


def group_of(scene: SpaceDraw) -> SpaceGroup | None:
    """Return the group of the selection; None if nothing is selected that is in space. Computed again after changes."""
    game, view = scene.editor.game, scene.editor.view
    assert game is not None
    sources, key = (game.selection, Transform3D), (view.local, view.pivot)
    compute = partial(_group, scene, game.selection.array, game.spawned.fixed)
    return scene.handles.cached("group", scene.world, sources, key, compute)


def _group(scene: SpaceDraw, selected: Array, fixed: Callable[[Array], Array]) -> SpaceGroup | None:
    """Return the group of selected entities. fixed: returns which of some entities can't be edited, bool n."""
    world, view = scene.world, scene.editor.view
    handles = roots(world, selected, Transform3D)
    handles = handles[~fixed(handles)]
    if not len(handles):
        return None
    table = world.table(Transform3D)
    rows = table.rows_of(handles)
    position, rotation, scale = (
        table.column(name)[rows].astype(np.float64) for name in ("position", "rotation", "scale")
    )
    rotation = quaternions.normalized(np.where((rotation == 0).all(axis=1, keepdims=True), [0, 0, 0, 1], rotation))
    all_matrices = world_matrices_3d(world).astype(np.float64)
    above = table.rows_of(table.column("parent")[rows].astype(np.int64))
    parent = np.where((above >= 0)[:, None, None], all_matrices[above], np.eye(3, 4))
    matrix, turns = all_matrices[rows], _turns(table, above)
    places = matrix[:, :, 3]
    pivot = places[-1] if view.pivot == "primary" else places.mean(axis=0)
    axes = quaternions.to_matrix(quaternions.product(turns[-1], rotation[-1])).T if view.local else np.eye(3)
    return SpaceGroup(handles, position, rotation, scale, parent, turns, matrix, pivot, axes)


def _turns(table: Any, rows: Array) -> Array:
    """Return the rotations of rows in the world, quaternions (n, 4); no turn for -1."""
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (len(rows), 1))
    for k, start in enumerate(rows.tolist()):
        row = start
        for _ in range(64):
            if row < 0:
                break
            own = table.column("rotation")[row].astype(np.float64)
            rotations[k] = quaternions.product(quaternions.normalized(own) if own.any() else [0, 0, 0, 1], rotations[k])
            row = table.row_of(int(table.column("parent")[row])) if table.column("parent")[row] else -1
    return rotations
