"""Handles: points, lines and areas of a view that can be dragged. Each has a name that is the same in all frames.

The nearest handle under the pointer of the last frame is *hot*; pressing the button makes it *active* until it is
released. A view keeps one `Handles` from frame to frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]
REACH = 7.0
"""How near the pointer must be to a handle's edge, pixels at scale 1."""


@dataclass(frozen=True)
class Drag:
    """How a handle is dragged in this frame. start, now: of the pointer, units. number: a number of this drag.

    began: whether this is its first frame. ended: whether it is its last. cancelled: whether Escape ended it; then `now`
    is `start`.
    """

    start: Point
    now: Point
    number: int
    began: bool = False
    ended: bool = False
    cancelled: bool = False

    @property
    def delta(self) -> Point:
        """The way of the pointer since the drag began, units."""
        return self.now[0] - self.start[0], self.now[1] - self.start[1]


@dataclass
class Handles:
    """The handles of one view. hot, active: names, None for none. drags: how many drags there were so far.

    grabbed: what the drawer of the dragged handle keeps until the drag ends.
    """

    hot: str | None = None
    active: str | None = None
    drags: int = 0
    start: Point = (0.0, 0.0)
    grabbed: Any = None
    _near: str | None = None
    _key: tuple[float, float, int] = (0.0, 0.0, 0)
    _ended: str | None = None
    _began: bool = False
    _cancelled: bool = False
    _order: int = 0

    def begin(self, *, hovered: bool, pressed: bool, down: bool, escaped: bool, pointer: Point) -> None:
        """Begin a frame. hovered: whether the pointer is over the view. pointer: units."""
        self._ended, self._began, self._cancelled, self._order = None, False, False, 0
        if self.active is not None:
            if escaped or not down:
                self._ended, self.active, self._cancelled = self.active, None, escaped
        else:
            self.hot = self._near if self._near is not None and hovered else None
            if self.hot is not None and pressed:
                self.active, self.start, self._began = self.hot, pointer, True
                self.drags += 1
        self._near = None

    def offer(self, name: str, distance: float, *, priority: int = 0) -> None:
        """Register a handle of this frame. distance: from the pointer to its edge, pixels; 0 inside."""
        if not math.isfinite(distance) or distance > REACH:
            return
        self._order += 1
        key = (-float(priority), distance, -self._order)
        if self._near is None or key < self._key:
            self._near, self._key = name, key

    def drag(self, name: str, pointer: Point) -> Drag | None:
        """Return how a handle is dragged, or None. pointer: units."""
        if name == self.active:
            return Drag(self.start, pointer, self.drags, began=self._began)
        if name == self._ended:
            now = self.start if self._cancelled else pointer
            return Drag(self.start, now, self.drags, ended=True, cancelled=self._cancelled)
        return None

    def release(self) -> None:
        """End the drag now, without a last frame."""
        self.active = None

    def is_hot(self, name: str) -> bool:
        """Return whether a handle is under the pointer or dragged."""
        return name == self.active or (self.active is None and name == self.hot)

    @property
    def busy(self) -> bool:
        """Whether the pointer belongs to a handle in this frame."""
        return self.active is not None or self._ended is not None or self.hot is not None
