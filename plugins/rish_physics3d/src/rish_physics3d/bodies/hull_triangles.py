"""The faces of all hulls as triangles in flat arrays, for numpy code that handles many shapes together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import derived
from rish_jit import Array

from ..geometry.hulls import hull_triangles
from .layout import Layout

if TYPE_CHECKING:
    from rish_core import World


@derived(reads=Layout)
class HullTriangles:
    """The triangles of the hulls in `Layout.pool`.

    corners: float64 (t, 3, 3), counter-clockwise seen from outside, relative to the hull's center of mass. first:
    int64, where the triangles of each hull begin; the last one is t.
    """

    corners: Array = np.zeros((0, 3, 3))
    first: Array = np.zeros(1, np.int64)

    def compute(self, world: World) -> None:
        """Read the hulls."""
        pool = world[Layout].pool
        parts = [hull.points[:, :3].astype(np.float64)[hull_triangles(hull)] for hull in pool]
        self.corners = np.concatenate([np.zeros((0, 3, 3)), *parts])
        self.first = np.cumsum([0, *map(len, parts)])

    def of(self, hulls: Array) -> tuple[Array, Array]:
        """Return the triangles of these hulls one after another, (t, 3, 3), and the index of the hull of each, (t,)."""
        counts = self.first[hulls + 1] - self.first[hulls]
        owner = np.repeat(np.arange(len(hulls)), counts)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.corners[self.first[hulls][owner] + within], owner
