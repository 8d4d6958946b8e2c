"""All paths of a world as polylines with lengths, so that many positions are found in one search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import derived
from rish_jit import Array, maths

from .components import MotionPath
from .shapes import path_points

if TYPE_CHECKING:
    from rish_ecs import World


@derived(reads=MotionPath)
class Polylines:
    """The polylines of the rows of `MotionPath`, one after another.

    points: float64 (m, 2), units. along: float64 (m,), the distance along all paths, units. first, last: int64 (n,),
    the index of the first and last point of each path. length: float64 (n,), units.
    """

    points: Array = np.zeros((0, 2))
    along: Array = np.zeros(0)
    first: Array = np.zeros(0, np.int64)
    last: Array = np.zeros(0, np.int64)
    length: Array = np.zeros(0)

    def compute(self, world: World) -> None:
        """Compute the points of all paths, and the distances along them."""
        table = world.table(MotionPath)
        parts: list[Array] = []
        for row in range(len(table)):
            fields = {name: table.read_row(name, row) for name in ("closed", "size", "turns", "ratio", "phase")}
            parts.append(path_points(table.read_row("shape", row), table.read_row("points", row), **fields))
        counts = np.array([len(part) for part in parts], np.int64)
        self.last = np.cumsum(counts) - 1
        self.first = self.last - counts + 1
        self.points = np.concatenate(parts) if parts else np.zeros((0, 2))
        steps = np.diff(self.points, axis=0, prepend=self.points[:1])
        steps[self.first] = 0.0
        self.along = np.cumsum(maths.hypot(steps[:, 0], steps[:, 1]))
        self.length = self.along[self.last] - self.along[self.first]

    def at(self, rows: Array, distance: Array) -> tuple[Array, Array]:
        """Return float64 (n, 2) twice: positions and unit directions on paths.

        rows: of `MotionPath`. distance: (n,), units.
        """
        first, last = self.first[rows], self.last[rows]
        along = self.along[first] + np.clip(distance, 0.0, self.length[rows])
        index = np.searchsorted(self.along, along, side="right") - 1
        index = np.clip(index, first, np.maximum(last - 1, first))
        after = np.minimum(index + 1, last)
        begin, start_distance = self.points.take(index, axis=0), self.along.take(index)
        step = self.points.take(after, axis=0) - begin
        span = self.along.take(after) - start_distance
        is_valid = span > 0
        safe = np.where(is_valid, span, 1.0)
        share = np.where(is_valid, (along - start_distance) / safe, 0.0)
        return begin + step * share[:, None], step / safe[:, None]
