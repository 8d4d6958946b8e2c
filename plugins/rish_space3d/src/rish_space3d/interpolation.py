"""World matrices for drawing: poses in space interpolated between two ticks, and the rows that moved.

At the start of every tick `remember_poses_3d` copies each pose into the fields `last_...` of its Transform3D. From LATE
on, so in all systems of EXTRACT, `WorldMatrices3D` gives the poses between the last two ticks. Only the matrices of
rows that moved, and of those below them, are computed again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, resource, system
from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs import RowChanges
from rish_ecs.storage import LAST_POSE, PoseMoves, joined_rows
from rish_jit import Array

from .components import Transform3D
from .matrices import write_matrices

if TYPE_CHECKING:
    from rish_core import Table, World


@resource(derived=True)
class WorldMatrices3D:
    """The world matrices of all Transform3D for drawing, interpolated between the last two ticks.

    moves: the rows that moved, and how far the poses are before the current ones.
    """

    def __post_init__(self) -> None:
        """Set the private fields to empty."""
        self.moves = PoseMoves()
        self._forget()

    def _forget(self) -> None:
        self._table: Table | None = None
        self._tree: Hierarchy | None = None
        self._stale: Array | None = None
        self._matrix: Array | None = None
        self._room: Array = np.zeros((0, 3, 4), np.float32)  # the memory of `_matrix`

    def rebuild(self, world: World) -> None:
        """Clear all data after a restore, so that no pose is interpolated with one from before it."""
        self.moves.forget()
        self._forget()

    @property
    def version(self) -> int:
        """A number that rises whenever a matrix may have changed."""
        return self.moves.version

    @property
    def matrix(self) -> Array:
        """All matrices, float32 (n, 3, 4), in the table's row order; rows that moved are computed at the access."""
        if self._table is None or self._tree is None:
            return np.zeros((0, 3, 4), np.float32)
        if self._matrix is None:
            count = len(self._tree.parents)
            if count > len(self._room):
                self._room = np.empty((count, 3, 4), np.float32)
            self._matrix, self._stale = self._room[:count], None
        if self._stale is None or len(self._stale):
            back = np.float32(self.moves.back)
            write_matrices(self._table, self._tree, self._stale, back, self._matrix, LAST_POSE)
            self._stale = np.zeros(0, np.int64)
        return self._matrix

    def knows(self, rows: Array) -> bool:
        """Return True if all these rows have matrices; rows that were added after LATE, as in a new scene, have none
        yet."""
        return not len(rows) or (self._tree is not None and int(rows.max()) < len(self._tree.parents))

    def changes(self, since: int) -> RowChanges:
        """Return the rows whose matrices may have changed since a version."""
        rows, count = self.moves.since(since), 0 if self._tree is None else len(self._tree.parents)
        return RowChanges(count, None if rows is None else rows[rows < count])

    def _resize(self, count: int) -> None:
        """Let the matrices have `count` rows, of which new ones are not computed yet."""
        if self._matrix is not None and len(self._matrix) != count:
            if count > len(self._room):
                self._room = np.zeros((2 * count, 3, 4), np.float32)
                self._room[: len(self._matrix)] = self._matrix
            self._matrix = self._room[:count]
            if self._stale is not None:
                self._stale = self._stale[self._stale < count]

    def look(self, world: World, table: Table) -> None:
        """Find out which rows moved since the last frame."""
        if not self.moves.look(world, table, world.alpha):
            return
        moved = self.moves.moved
        tree = hierarchy_of(world, Transform3D)
        before = self._tree
        is_same = before is tree or (before is not None and before.flat and tree.flat)
        moved = None if moved is None or not is_same else _with_descendants(tree, moved)
        self._table, self._tree = table, tree
        if moved is None:
            self._matrix = None
        else:
            self._resize(len(tree.parents))
            self._stale = joined_rows(self._stale, moved)
        self.moves.note(moved)


@system(Stage.INPUT, writes=Transform3D, view=True, derive=True, before="*.*")
def remember_poses_3d(world: World, dt: float) -> None:
    """Copy the poses at the start of the tick, before any system moves an entity."""
    world[WorldMatrices3D].moves.remember(world, world.tables[Transform3D])


@system(Stage.LATE, writes=(Transform3D, WorldMatrices3D), derive=True, before="*.*")
def interpolate_poses_3d(world: World, dt: float) -> None:
    """Update `WorldMatrices3D`, which then gives the poses between the last two ticks."""
    world[WorldMatrices3D].look(world, world.table(Transform3D))


def matrices_of(*components: type) -> Callable[[World], tuple[bytes, ...]]:
    """Return a source for `Inputs`: it changes when the matrix for drawing of an entity with a component changes.

    It reads all these entities, so it is for components of which there are few, such as cameras.
    """

    def matrices(world: World) -> tuple[bytes, ...]:
        found = list[bytes]()
        for table in map(world.table, components):
            if not len(table):
                found += b"", b""
                continue
            rows, matrix = world.table(Transform3D).rows_of(table.entities), world[WorldMatrices3D].matrix
            known = (rows >= 0) & (rows < len(matrix))
            found += known.tobytes(), matrix[rows[known]].tobytes()
        return tuple(found)

    return matrices


def _with_descendants(tree: Hierarchy, moved: Array) -> Array:
    """Return the rows and all rows below them."""
    if tree.flat or not len(moved):
        return moved
    flags = np.zeros(len(tree.parents), np.bool_)
    flags[moved] = True
    for rank in tree.generations:
        flags[rank] |= flags[tree.parents[rank]]
    return np.flatnonzero(flags)
