"""All paths of a world as polylines with lengths, so that many positions are found in one search."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import resource
from rish_jit import maths

from .components import MotionPath
from .shapes import path_points

if TYPE_CHECKING:
    from rish_ecs import World

Array = npt.NDArray[Any]


@resource(derived=True)
class Polylines:
    """The polylines of the rows of `MotionPath`, one after another.

    points: (m, 2). along: m, units, rises over all paths; first, last: the index of the first and last point of each
    path; length: of each path. version: rises whenever a path changes.
    """

    points: Array = dataclass_field(default_factory=lambda: np.zeros((0, 2)))
    along: Array = dataclass_field(default_factory=lambda: np.zeros(0))
    first: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    last: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    length: Array = dataclass_field(default_factory=lambda: np.zeros(0))
    version: int = -1

    def rebuild(self, world: World) -> None:
        """Make the polylines again after a restore."""
        self.version = -1

    def refresh(self, world: World) -> None:
        """Make the polylines again if a MotionPath has changed."""
        table = world.table(MotionPath)
        if self.version == table.version:
            return
        self.version = table.version
        parts: list[Array] = []
        for row in range(len(table)):
            one = {name: table.read_row(name, row) for name in ("closed", "size", "turns", "ratio", "phase")}
            parts.append(path_points(table.read_row("shape", row), table.read_row("points", row), **one))
        counts = np.array([len(part) for part in parts], np.int64)
        self.last = np.cumsum(counts) - 1
        self.first = self.last - counts + 1
        self.points = np.concatenate(parts) if parts else np.zeros((0, 2))
        steps = np.diff(self.points, axis=0, prepend=self.points[:1])
        steps[self.first] = 0.0
        self.along = np.cumsum(maths.hypot(steps[:, 0], steps[:, 1]))
        self.length = self.along[self.last] - self.along[self.first]

    def at(self, rows: Array, distance: Array) -> tuple[Array, Array]:
        """Return positions and unit directions, (n, 2) each, at distances along paths (rows of `MotionPath`)."""
        first, last = self.first[rows], self.last[rows]
        along = self.along[first] + np.clip(distance, 0.0, self.length[rows])
        k = np.searchsorted(self.along, along, side="right") - 1
        k = np.clip(k, first, np.maximum(last - 1, first))
        after = np.minimum(k + 1, last)
        begin, since = self.points.take(k, axis=0), self.along.take(k)
        way = self.points.take(after, axis=0) - begin
        span = self.along.take(after) - since
        known = span > 0
        safe = np.where(known, span, 1.0)
        share = np.where(known, (along - since) / safe, 0.0)
        return begin + way * share[:, None], way / safe[:, None]
