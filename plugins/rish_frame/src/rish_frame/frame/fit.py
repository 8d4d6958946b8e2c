"""Fit: the placement of a game's view on a screen of another size.

A game uses *logical* pixels; its manifest gives their number. A window may have any size. If the two sizes differ, a
fit gives the rectangle of the screen that the game's view fills. The host uses it to convert pointer positions from
screen pixels to logical pixels, so that a game's input does not depend on the window.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fit:
    """The rectangle `place` of the screen that a view of `logical` width and height fills.

    place: x, y, width, height in whole pixels of the screen, from its bottom left.
    """

    logical: tuple[int, int]
    place: tuple[int, int, int, int]

    @property
    def scale(self) -> float:
        """The number of screen pixels in a logical pixel, along the height."""
        return self.place[3] / self.logical[1]

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the screen to logical pixels; a point outside `place` gives one outside `logical`."""
        left, bottom, width, height = self.place
        return (x - left) * self.logical[0] / width, (y - bottom) * self.logical[1] / height

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Convert a logical position to a point of the screen."""
        left, bottom, width, height = self.place
        return left + x * width / self.logical[0], bottom + y * height / self.logical[1]
