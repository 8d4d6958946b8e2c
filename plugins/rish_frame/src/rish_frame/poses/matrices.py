"""World matrices for drawing: the interpolated poses between two ticks, and the rows that moved.

At the start of every tick `remember_poses` copies each pose into the fields `last_...` of its Transform. From LATE on
`WorldMatrices` gives the poses interpolated between the last two ticks. A matrix is computed only when it is
requested.

A matrix is six float32 `a b c d tx ty`: x' = a·x + c·y + tx and y' = b·x + d·y + ty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, Transform, resource, system
from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs import Table
from rish_ecs.declarations import Column
from rish_ecs.storage import PoseMoves
from rish_jit import maths

from .interpolation import Poses, matrices_of, poses_of

if TYPE_CHECKING:
    from rish_ecs import World

_SMALL = 512
"""All matrices of a table with up to this number of rows are computed together; several kinds of things need them."""
Pose = tuple[float, float, float, float, float, float]


@resource(derived=True)
class WorldMatrices:
    """The world matrices of all Transforms for drawing, interpolated between the last two ticks.

    moves: the rows that moved, and how far the poses are before the current ones.
    """

    def __post_init__(self) -> None:
        """Set the private fields to empty."""
        self.moves = PoseMoves()
        self._table: Table | None = None
        self._forget()

    def _forget(self) -> None:
        self._hierarchy: Hierarchy | None = None
        self._since: tuple[tuple[int, int, int], Column | None] | None = None  # the last result of `moved_since`
        self._carriers: Column | None = None
        self._matrix: Column | None = None
        self._bases: Column | None = None

    def rebuild(self, world: World) -> None:
        """Clear all data after a restore, so that no pose is interpolated with one from before it."""
        self.moves.forget()
        self._forget()

    @property
    def version(self) -> int:
        """A number that rises whenever a matrix may have changed."""
        return self.moves.version

    @property
    def matrix(self) -> Column:
        """All matrices, float32 (n, 6), in the table's row order; computed at the first access in a frame."""
        if self._matrix is None:
            table, hierarchy = self._table, self._hierarchy
            count = 0 if table is None or hierarchy is None else min(len(table), len(hierarchy.slots))
            self._matrix = self._computed(np.arange(count, dtype=np.int32))
        return self._matrix

    def rows(self, rows: Column) -> Column:
        """Return the matrices of some rows, float32 (len(rows), 6); cheaper than `matrix` for a few of many rows."""
        if self._matrix is None and (self._table is None or len(self._table) > _SMALL):
            return self._computed(rows)
        return self.matrix[rows]

    def _computed(self, rows: Column) -> Column:
        """Return the matrices of some rows, computed from their poses."""
        return matrices_of(self.poses, rows) if self._table is not None else np.zeros((0, 6), np.float32)

    def knows(self, rows: Column) -> bool:
        """Return True if all these rows have matrices; rows that were added after LATE, as in a new scene, have none
        yet."""
        if self._table is None or self._hierarchy is None:
            return False
        return not len(rows) or int(rows.max()) < len(self._hierarchy.slots)

    def one(self, row: int) -> Pose | None:
        """Return the matrix of one row as Python floats, without arrays; None for a row that was added after LATE."""
        table, hierarchy = self._table, self._hierarchy
        if table is None or hierarchy is None or not row < min(len(hierarchy.slots), len(table)):
            return None
        if self._matrix is not None or len(table) <= _SMALL:
            a, b, c, d, x, y = self.matrix[row].tolist()
            return a, b, c, d, x, y
        back = self.moves.back
        (x, y), (lx, ly) = [table.column(name)[row].tolist() for name in ("position", "last_position")]
        (w, h), (lw, lh) = [table.column(name)[row].tolist() for name in ("scale", "last_scale")]
        angle, last_angle = [table.flat(name).item(row) for name in ("rotation", "last_rotation")]
        angle -= back * maths.wrap_angle(angle - last_angle)
        sin, cos = maths.sincos(angle)
        w, h, x, y = w - back * (w - lw), h - back * (h - lh), x - back * (x - lx), y - back * (y - ly)
        a, b, c, d = cos * w, sin * w, -sin * h, cos * h
        slot = int(hierarchy.slots[row])
        if not slot:
            return a, b, c, d, x, y
        pa, pb, pc, pd, px, py = self.poses.matrices[slot].tolist()
        return (
            pa * a + pc * b, pb * a + pd * b, pa * c + pc * d, pb * c + pd * d,
            pa * x + pc * y + px, pb * x + pd * y + py,
        )  # fmt: skip

    @property
    def poses(self) -> Poses:
        """The columns that the matrices are computed from, for callers that draw very many things without matrices."""
        assert self._table is not None, "interpolate_poses has not run"
        assert self._hierarchy is not None
        poses = poses_of(self._table, self._hierarchy, np.float32(self.moves.back), self._carriers)
        self._carriers = poses.matrices
        return poses

    @property
    def bases(self) -> Column:
        """The bases of the rows that have children, float32 (k + 1, 8), see `Poses.bases`."""
        return self.placed[1]

    @property
    def placed(self) -> tuple[Poses, Column]:
        """The poses and the bases, for little more than the time of the poses."""
        poses = self.poses
        if self._bases is None:
            self._bases = poses.bases()
        return poses, self._bases

    def moved_since(self, version: int) -> Column | None:
        """Return the rows whose matrices may have changed since a version, int64; None if it may be any row."""
        count = 0 if self._table is None else len(self._table)
        key = version, self.moves.version, count
        if self._since is None or self._since[0] != key:  # each kind of drawables asks
            rows = self.moves.since(version)
            self._since = key, rows if rows is None or not len(rows) or rows[-1] < count else rows[rows < count]
        return self._since[1]

    def look(self, world: World, table: Table) -> None:
        """Find out which rows moved since the last frame, and discard or update the cached matrices."""
        if not self.moves.look(world, table, world.alpha):
            return
        moved = self.moves.moved
        hierarchy = hierarchy_of(world)
        before = self._hierarchy
        is_same = before is not None and (before.carriers is hierarchy.carriers or (before.flat and hierarchy.flat))
        moved = hierarchy.below(moved) if is_same and moved is not None and len(moved) else moved if is_same else None
        fetched = self._matrix
        self._table, self._hierarchy = table, hierarchy
        self._matrix = None
        if moved is None or hierarchy.carries[moved].any():
            self._carriers = self._bases = None
        self.moves.note(moved)
        if fetched is not None and moved is not None:
            if len(fetched) != len(table):
                fetched = np.resize(fetched, (len(table), 6))
            fetched[moved] = self._computed(moved)
            self._matrix = fetched


@system(Stage.INPUT, writes=Transform, view=True, derive=True, before="*.*")
def remember_poses(world: World, dt: float) -> None:
    """Copy the poses at the start of the tick, before any system moves an entity."""
    world[WorldMatrices].moves.remember(world, world.tables[Transform])


@system(Stage.LATE, writes=(Transform, WorldMatrices), derive=True, before="*.*")
def interpolate_poses(world: World, dt: float) -> None:
    """Update `WorldMatrices`, which then gives the poses between the last two ticks."""
    world[WorldMatrices].look(world, world.table(Transform))
