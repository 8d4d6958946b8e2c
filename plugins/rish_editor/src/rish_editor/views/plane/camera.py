"""The camera of a scene view of the plane; it belongs to the view and is not an entity."""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]
MAX_DENSITY, MIN_DENSITY = 512.0, 0.001
"""The greatest and least number of pixels per unit."""
STEP = 1.15
"""The factor of one notch of the wheel."""


@dataclass
class SceneCamera:
    """The position and zoom of a scene view. center: units. density: pixels of the window per unit."""

    x: float = 0.0
    y: float = 0.0
    density: float = 1.0

    @property
    def center(self) -> Point:
        """The point in the middle of the view, units."""
        return self.x, self.y

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by pixels of the window, y down."""
        self.x -= dx / self.density
        self.y += dy / self.density

    def zoom(self, notches: float, at: Point) -> None:
        """Zoom in, or out for negative values, so that a point of the world stays where it is on the screen. at: the
        point, units."""
        before = self.density
        self.density = min(max(before * STEP**notches, MIN_DENSITY), MAX_DENSITY)
        part = 1.0 - before / self.density
        self.x += (at[0] - self.x) * part
        self.y += (at[1] - self.y) * part

    def frame(self, low: Point, high: Point, size: Point, *, part: float = 0.7) -> None:
        """Show a box of the world completely. low, high: its corners, units. size: of the view, pixels."""
        self.x, self.y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        wide, tall = max(high[0] - low[0], 1e-6), max(high[1] - low[1], 1e-6)
        density = part * min(size[0] / wide, size[1] / tall)
        if math.isfinite(density):
            self.density = min(max(density, MIN_DENSITY), min(MAX_DENSITY, 64.0))
