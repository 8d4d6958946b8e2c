"""Guides: while Alt is held, a move snaps to the edges and centers of other entities, which are shown by lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_jit import Array

if TYPE_CHECKING:
    from ...views.plane.draw import SceneDraw
    from ...views.plane.group import Group

GUIDE_REACH = 8.0
"""How near an edge must come to another one, pixels."""
_MAX_BOXES = 4000
"""The greatest number of entities whose edges are used."""


@dataclass
class Guides:
    """Edges and centers of boxes. own, others: float64 (3, 2) and (n, 3, 2); low, middle and high, along x and y."""

    own: Array | None = None
    others: Array = field(default_factory=lambda: np.zeros((0, 3, 2)))

    def snap(self, scene: SceneDraw, start: Group, way: Array, axis: tuple[float, float] | None) -> Array:
        """Return a displacement that aligns an edge or center with one of another entity, if one is near, and draw the
        lines."""
        if self.own is None or not len(self.others):
            return way
        snapped = way.copy()
        for k in range(2):
            if axis is not None and abs(axis[k]) < 0.999:
                continue
            gaps = self.others[:, :, k].reshape(-1, 1) - (self.own[:, k] + way[k])
            best = int(np.abs(gaps).argmin())
            gap = float(gaps.flat[best])
            if abs(gap) <= GUIDE_REACH * scene.pixel:
                snapped[k] = way[k] + gap
                self._line(scene, float(self.others[:, :, k].reshape(-1)[best // 3]), k)
        return snapped

    def _line(self, scene: SceneDraw, at: float, k: int) -> None:
        x0, y0, x1, y1 = scene.view.bounds
        ends = ((at, y0), (at, y1)) if k == 0 else ((x0, at), (x1, at))
        scene.line(*ends, "accent", 1.0)


def guides_for(guides: Guides, scene: SceneDraw, start: Group) -> None:
    """Collect the edges of the visible entities once."""
    if guides.own is not None:
        return
    own = start.boxes.corners[start.boxes.drawn].reshape(-1, 2)
    if not len(own):
        own = np.array([start.pivot])
    guides.own = _edges(own[None])[0]
    handles = scene.world.table(Transform).entities
    handles = handles[~np.isin(handles, start.handles)][:_MAX_BOXES]
    boxes = scene.boxes(handles)
    here = boxes.drawn & (boxes.screen == scene.flat)
    edges = _edges(boxes.corners[here])
    x0, y0, x1, y1 = scene.view.bounds
    in_view = (edges[:, 2] >= (x0, y0)).all(axis=1) & (edges[:, 0] <= (x1, y1)).all(axis=1)
    guides.others = edges[in_view]


def _edges(corners: Array) -> Array:
    """Return low, middle and high of boxes (n, k, 2), float64 (n, 3, 2)."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    return np.stack([low, (low + high) / 2, high], axis=1)
