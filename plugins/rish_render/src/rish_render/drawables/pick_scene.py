"""The things that a region is compared with: rows, matrices and layers, as for drawing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_ecs import World
from rish_frame import Hits, Region
from rish_jit import Array

from ..scene.stack import Stack
from .extraction import Extraction, Seen


@dataclass
class PickScene:
    """The context of picking for all kinds. parts: that of extraction. region: the point or box that is picked."""

    parts: Extraction
    region: Region

    @property
    def world(self) -> World:
        """The World."""
        return self.parts.world

    @property
    def stack(self) -> Stack:
        """The layers."""
        return self.parts.stack

    def corners(self, screen: bool) -> Array:
        """Return the point or the corners of the box in the space of a layer, float64 (k, 2)."""
        return self.region.screen if screen else self.region.world

    def reach(self, screen: bool) -> float:
        """Return how far a thin line may be away, in units of the space of a layer."""
        return self.region.reach / (1.0 if screen else self.region.density)

    def visible(self, kind: type) -> Seen:
        """Return the rows of a component that are visible and were drawn before."""
        return self.parts.visible(kind)

    def into(self, matrix: Array, numbers: Array) -> Array:
        """Return the region in the space of each matrix, float64 (n, k, 2). numbers: int n, the layers."""
        from .touching import into

        screen = self.stack.screen[numbers][:, None, None]
        return np.where(screen, into(matrix, self.region.screen), into(matrix, self.region.world))

    def hits(self, kind: type, rows: Array, numbers: Array, heights: Array) -> list[Hits]:
        """Return hits for rows of a component.

        numbers: int n, their layers. heights: n, the y by which layers that are sorted by y draw.
        """
        table = self.world.table(kind)
        low = np.where(self.stack.y_sorted[numbers], -heights.astype(np.float64), 0.0)
        z = np.nan_to_num(table.column("z")[rows].astype(np.float64))
        return [Hits(kind, table.entities[rows].astype(np.int64), numbers, z, low, np.zeros(len(rows), np.int64))]
