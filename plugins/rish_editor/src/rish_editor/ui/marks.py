"""Marks: the places of widgets on the screen, by names that do not depend on the language, for tests, tutorials and
tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from rish_system import rename


class Place(NamedTuple):
    """A rectangle of the window in its units, y down: left, top, right, bottom. enabled: whether it can be used."""

    left: float
    top: float
    right: float
    bottom: float
    enabled: bool = True

    @property
    def center(self) -> tuple[float, float]:
        """The center."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top


class Marks:
    """The places of the widgets that were drawn in the last frame.

    on: whether places are stored. path: of a file that `write` writes, None for none.
    """

    def __init__(self, on: bool = False, path: Path | None = None) -> None:
        self.on = on or path is not None
        self.path = path
        self._now: dict[str, Place] = {}
        self._last: dict[str, Place] = {}

    def begin(self) -> None:
        """Begin a frame."""
        self._last, self._now = self._now, {}

    def put(self, name: str, place: Place) -> None:
        """Store the place of a widget of this frame."""
        self._now[name] = place

    def keep(self, name: str) -> None:
        """Store again the places of a panel that stays as it was drawn in the last frame."""
        if self.on:
            self._now |= {
                mark: place for mark, place in self._last.items() if mark == name or mark.startswith(f"{name}/")
            }

    def get(self, name: str) -> Place | None:
        """Return the place of a widget in the frame that was drawn last, or None if it was not drawn."""
        return self._now.get(name)

    def names(self, prefix: str = "") -> list[str]:
        """Return the names that begin with a prefix, in drawing order."""
        return [name for name in self._now if name.startswith(prefix)]

    def write(self, frame: int, waiting: bool) -> None:
        """Write the number of the frame and its places into the file, if there is one: completely or not at all.

        waiting: whether there is input that no frame has taken yet.
        """
        if self.path is None:
            return
        part = self.path.with_suffix(".part")
        data = json.dumps({"frame": frame, "waiting": waiting, "places": self._now})
        part.write_text(data, encoding="utf-8", newline="\n")
        rename(part, self.path)
