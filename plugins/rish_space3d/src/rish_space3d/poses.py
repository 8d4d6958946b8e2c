"""World matrices for drawing: poses in space interpolated between two ticks, and the rows that moved.

At the start of every tick `remember_poses_3d` copies each pose into the fields `last_...` of its Transform3D. From LATE
on, so in all systems of EXTRACT, `WorldMatrices3D` gives the poses between the last two ticks. Only the matrices of
rows that moved, and of those below them, are computed again.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, resource, system
from rish_core.common import Hierarchy, hierarchy_of
from rish_ecs.declarations import distinct

from .components import Transform3D
from .matrices import POSE, write_matrices

if TYPE_CHECKING:
    from rish_core import Table, World

Array = npt.NDArray[Any]
_LAST = ("last_position", "last_rotation", "last_scale")
_NO_ROWS: Array = np.zeros(0, np.int64)
_NOTES = 64
"""The number of changes that are stored. For a reader with an older version, all matrices count as changed."""


@resource(derived=True)
class WorldMatrices3D:
    """The world matrices of all Transform3D for drawing, interpolated between the last two ticks.

    version: rises whenever a matrix may have changed. sequence: the World's change number when poses were remembered;
    rows that were added later have no pose of the last tick.
    """

    version: int = 0
    sequence: int = 0

    def __post_init__(self) -> None:
        """Set the private fields to empty."""
        self._forget()

    def _forget(self) -> None:
        self._table: Table | None = None
        self._tree: Hierarchy | None = None
        self._remembered = -1
        self._seen: tuple[int, float] = (-1, -1.0)
        self._open: Array | None = None
        self._stale: Array | None = None
        self._matrix: Array | None = None
        self._notes: deque[Array | None] = deque(maxlen=_NOTES)

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore, so that no pose is interpolated with one from before it."""
        self._forget()
        self.sequence = -1

    @property
    def matrix(self) -> Array:
        """All matrices, float32 (n, 3, 4), in the table's row order; rows that moved are computed at the access."""
        if self._table is None or self._tree is None:
            return np.zeros((0, 3, 4), np.float32)
        if self._matrix is None:
            self._matrix, self._stale = np.empty((len(self._tree.parents), 3, 4), np.float32), None
        if self._stale is None or len(self._stale):
            back = np.float32(1) - np.float32(self._seen[1])
            write_matrices(self._table, self._tree, self._stale, back, self._matrix, _LAST)
            self._stale = _NO_ROWS
        return self._matrix

    def knows(self, rows: Array) -> bool:
        """Return True if all these rows have matrices; rows added after LATE, as in a new scene, have none yet."""
        return not len(rows) or (self._tree is not None and int(rows.max()) < len(self._tree.parents))

    def moved_since(self, version: int) -> Array | None:
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
            rows = table.written_since(self._remembered)
            for name, last in zip(POSE, _LAST, strict=True):
                if rows is None:
                    table.flat(last)[:] = table.flat(name)
                else:
                    table.column(last)[rows] = table.column(name)[rows]
            self._remembered = table.version
        self.sequence = world.changes.sequence

    def look(self, world: World, table: Table, alpha: float) -> None:
        """Find out which rows moved since the last frame."""
        moving = table.written_since(self._remembered)
        weight = 1.0 if moving is not None and not len(moving) else float(alpha)
        if (table.version, weight) == self._seen:
            return
        if world.changes.sequence != self.sequence:
            self._start_added_rows(table)
        tree = hierarchy_of(world, Transform3D)
        moved = _joined(table.written_since(self._seen[0]), moving, self._open)
        moved = None if moved is None or self._tree is not tree else _with_descendants(tree, moved)
        self._table, self._tree, self._seen, self._open = table, tree, (table.version, weight), moving
        if moved is None:
            self._matrix = None
        else:
            self._stale = _joined(self._stale, moved)
        if moved is None or len(moved):
            self.version += 1
            self._notes.append(moved)

    def _start_added_rows(self, table: Table) -> None:
        """Set the last pose of rows that were added since the tick began to their current pose."""
        fresh = table.added_at[: len(table)] > self.sequence
        if fresh.any():
            for name in POSE:
                table.column(f"last_{name}")[fresh] = table.column(name)[fresh]


@system(Stage.INPUT, writes=Transform3D, view=True, derive=True, before="*.*")
def remember_poses_3d(world: World, dt: float) -> None:
    """Copy the poses at the start of the tick, before any system moves an entity."""
    world[WorldMatrices3D].remember(world, world.tables[Transform3D])


@system(Stage.LATE, writes=(Transform3D, WorldMatrices3D), derive=True, before="*.*")
def interpolate_poses_3d(world: World, dt: float) -> None:
    """Update `WorldMatrices3D`, which then gives the poses between the last two ticks."""
    world[WorldMatrices3D].look(world, world.table(Transform3D), world.alpha)


def _with_descendants(tree: Hierarchy, moved: Array) -> Array:
    """Return the rows and all rows below them."""
    if tree.flat or not len(moved):
        return moved
    flags = np.zeros(len(tree.parents), np.bool_)
    flags[moved] = True
    for rank in tree.generations:
        flags[rank] |= flags[tree.parents[rank]]
    return np.flatnonzero(flags)


def _joined(*parts: Array | None) -> Array | None:
    """Return the distinct rows of all parts; None, which means any row, if one part is None."""
    some: list[Array] = []
    for part in parts:
        if part is None:
            return None
        if len(part):
            some.append(part)
    if len(some) < 2:
        return some[0] if some else _NO_ROWS
    return distinct(np.concatenate(some))
