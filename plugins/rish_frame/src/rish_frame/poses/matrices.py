"""World matrices for drawing: the interpolated poses between two ticks, and the rows that moved.

At the start of every tick `remember_poses` copies each pose into the fields `last_...` of its Transform. From LATE on
`WorldMatrices` gives the poses interpolated between the last two ticks. A matrix is computed only when it is
requested.

A matrix is six float32 `a b c d tx ty`: x' = a·x + c·y + tx and y' = b·x + d·y + ty.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Stage, Transform, resource, system
from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs import Table, maths
from rish_ecs.declarations import Column, distinct

from .poses import Poses, matrices_of, poses_of

if TYPE_CHECKING:
    from rish_ecs import World

Pose = tuple[float, float, float, float, float, float]
_POSE = ("position", "rotation", "scale")
_LAST = ("last_position", "last_rotation", "last_scale")
_NO_ROWS: Column = np.zeros(0, np.int64)
_FEW = 16
"""Up to this number, rows are handled in a Python loop, which is faster than numpy."""
_SMALL = 512
"""A table with up to this number of rows is copied completely, which is faster than finding the written rows."""
_NOTES = 64
"""The number of changes that are stored. For a reader with an older version, all matrices count as changed."""


@resource(derived=True)
class WorldMatrices:
    """The world matrices of all Transforms for drawing, interpolated between the last two ticks.

    version: rises whenever a matrix may have changed. sequence: the World's change number when poses were remembered;
    rows that were added later have no pose of the last tick.
    """

    version: int = 0
    sequence: int = 0

    def __post_init__(self) -> None:
        """Set the private fields to empty."""
        self._table: Table | None = None
        self._forget()

    def _forget(self) -> None:
        self._hierarchy: Hierarchy | None = None
        self._remembered = -1
        self._seen: tuple[int, float] = (-1, -1.0)
        self._open: Column | None = None
        self._carriers: Column | None = None
        self._matrix: Column | None = None
        self._bases: Column | None = None
        self._pairs: list[tuple[memoryview, memoryview]] = []
        self._pairs_for: Column | None = None
        self._notes: deque[Column | None] = deque(maxlen=_NOTES)

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore, so that no pose is interpolated with one from before it."""
        self._forget()
        self.sequence = -1

    @property
    def matrix(self) -> Column:
        """All matrices, float32 (n, 6), in the table's row order; computed at the first access in a frame."""
        if self._matrix is None:
            count = 0 if self._table is None else len(self._table)
            self._matrix = self.rows(np.arange(count, dtype=np.int32))
        return self._matrix

    def rows(self, rows: Column) -> Column:
        """Return the matrices of some rows, float32 (len(rows), 6); cheaper than `matrix` for a few of many rows."""
        if self._matrix is not None:
            return self._matrix[rows]
        return matrices_of(self.poses, rows) if self._table is not None else np.zeros((0, 6), np.float32)

    def knows(self, rows: Column) -> bool:
        """Return True if all these rows have matrices; rows added after LATE, as in a new scene, have none yet."""
        if self._table is None or self._hierarchy is None:
            return False
        return not len(rows) or int(rows.max()) < len(self._hierarchy.slots)

    def one(self, row: int) -> Pose | None:
        """Return the matrix of one row as Python floats, without arrays; None for a row that was added after LATE."""
        table, hierarchy = self._table, self._hierarchy
        if table is None or hierarchy is None or not row < min(len(hierarchy.slots), len(table)):
            return None
        if self._matrix is not None:
            a, b, c, d, x, y = self._matrix[row].tolist()
            return a, b, c, d, x, y
        rest = 1.0 - self._seen[1]
        (x, y), (lx, ly) = (table.column(name)[row].tolist() for name in ("position", "last_position"))
        (w, h), (lw, lh) = (table.column(name)[row].tolist() for name in ("scale", "last_scale"))
        angle, last_angle = (float(table.column(name)[row]) for name in ("rotation", "last_rotation"))
        angle -= rest * maths.wrap_angle(angle - last_angle)
        sin, cos = maths.sincos(angle)
        w, h, x, y = w - rest * (w - lw), h - rest * (h - lh), x - rest * (x - lx), y - rest * (y - ly)
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
        poses = poses_of(self._table, self._hierarchy, np.float32(1) - np.float32(self._seen[1]), self._carriers)
        self._carriers = poses.matrices
        return poses

    @property
    def bases(self) -> Column:
        """The bases of the rows that have children, float32 (k + 1, 8), see `Poses.bases`."""
        if self._bases is None:
            self._bases = self.poses.bases()
        return self._bases

    def moved_since(self, version: int) -> Column | None:
        """Return the rows whose matrices may have changed since a version, int64; None if it may be any row."""
        if version == self.version:
            return _NO_ROWS
        missed, noted = self.version - version, len(self._notes)
        if not 0 < missed <= noted:
            return None
        return _joined(*islice(self._notes, noted - missed, None))

    # Methods that the systems below call

    def remember(self, world: World, table: Table) -> None:
        """Copy the poses at the start of a tick to the `last_` fields; only rows written since the last tick change."""
        if table.version != self._remembered:
            rows = table.written_since(self._remembered) if table.used > _SMALL else None
            if rows is None:
                for noted, now in self._pairs_of(table):
                    noted[:] = now
            elif len(rows):
                self._remember_rows(table, rows)
            self._remembered = table.version
        self.sequence = world.changes.sequence

    def _pairs_of(self, table: Table) -> list[tuple[memoryview, memoryview]]:
        """Return each column of last poses with that of the current poses; looked up again if the columns changed.

        They are memoryviews, which are copied faster than arrays.
        """
        now = table.flat(_POSE[0])
        if self._pairs_for is not now:
            columns = zip(_POSE, _LAST, strict=True)
            self._pairs_for = now
            self._pairs = [(table.flat(last).data, table.flat(name).data) for name, last in columns]
        return self._pairs

    def _remember_rows(self, table: Table, rows: Column) -> None:
        each: Any = rows.tolist() if len(rows) <= _FEW else [rows]
        for name, last in zip(_POSE, _LAST, strict=True):
            now, noted = table.column(name), table.column(last)
            for some in each:
                noted[some] = now[some]

    def look(self, world: World, table: Table, alpha: float) -> None:
        """Find out which rows moved since the last frame, and discard or update the cached matrices."""
        moving = table.written_since(self._remembered)
        weight = 1.0 if moving is not None and not len(moving) else float(alpha)
        if (table.version, weight) == self._seen:
            return
        self._start_added_rows(world, table)
        hierarchy = hierarchy_of(world)
        moved = _joined(table.written_since(self._seen[0]), moving, self._open)
        if self._hierarchy is not hierarchy or (moved is not None and len(moved) and hierarchy.carries[moved].any()):
            moved = None
        self._hierarchy = hierarchy
        fetched = self._matrix
        self._table, self._seen, self._open = table, (table.version, weight), moving
        self._carriers = self._bases = self._matrix = None
        if moved is None or len(moved):
            self.version += 1
            self._notes.append(moved)
        if fetched is not None and moved is not None:
            fetched[moved] = self.rows(moved)
            self._matrix = fetched

    def _start_added_rows(self, world: World, table: Table) -> None:
        """Set the last pose of rows that were added since the tick began to their current pose."""
        if world.changes.sequence == self.sequence:
            return
        fresh = table.added_at[: len(table)] > self.sequence
        if fresh.any():
            for name in _POSE:
                table.column(f"last_{name}")[fresh] = table.column(name)[fresh]


@system(Stage.INPUT, writes=Transform, view=True, derive=True, before="*.*")
def remember_poses(world: World, dt: float) -> None:
    """Copy the poses at the start of the tick, before any system moves an entity."""
    world[WorldMatrices].remember(world, world.tables[Transform])


@system(Stage.LATE, writes=(Transform, WorldMatrices), derive=True, before="*.*")
def interpolate_poses(world: World, dt: float) -> None:
    """Update `WorldMatrices`, which then gives the poses between the last two ticks."""
    world[WorldMatrices].look(world, world.table(Transform), world.alpha)


def _joined(*parts: Column | None) -> Column | None:
    """Return the distinct rows of all parts; None, which means any row, if one part is None."""
    some: list[Column] = []
    for part in parts:
        if part is None:
            return None
        if len(part):
            some.append(part)
    if not some:
        return _NO_ROWS
    if len(some) == 1:
        return some[0]
    if sum(map(len, some)) > _FEW:
        return distinct(np.concatenate(some))
    return np.array(sorted({row for part in some for row in part.tolist()}), np.int64)
