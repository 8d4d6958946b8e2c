"""Fit: how a game's own picture lies on a screen of another size.

A game counts in *logical* pixels, of which its manifest names a number; a window has as many pixels as a person gives
it. Where the two differ, a fit says which rectangle of the screen the game's picture fills. Whoever hears where the
pointer is turns screen pixels into logical ones with it, so that what a game hears does not depend on the window.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fit:
    """A picture of `logical` width and height fills the rectangle `place` of the screen.

    place: x, y, width, height in whole pixels of the screen, from its bottom left.
    """

    logical: tuple[int, int]
    place: tuple[int, int, int, int]

    @property
    def scale(self) -> float:
        """Pixels of the screen a logical one, along the height."""
        return self.place[3] / self.logical[1]

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """The logical position of a point of the screen; outside of the picture it lies outside of the game's size."""
        left, bottom, width, height = self.place
        return (x - left) * self.logical[0] / width, (y - bottom) * self.logical[1] / height

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """The point of the screen where a logical position lies."""
        left, bottom, width, height = self.place
        return left + x * width / self.logical[0], bottom + y * height / self.logical[1]
