"""Handles: points, lines and areas of a view that can be dragged. Each has a name that is the same in all frames.

The nearest handle under the pointer is *hot*; pressing the button makes it *active* until it is released. A view keeps
one `Handles` from frame to frame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rish_ecs import Inputs

if TYPE_CHECKING:
    from rish_ecs import World

Point = tuple[float, float]
HANDLE_REACH = 7.0
"""How near the pointer must be to a handle's edge, pixels at scale 1."""
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Drag:
    """How a handle is dragged in this frame. start, now: of the pointer, units. number: of this drag among all views.

    began: whether this is its first frame. ended: whether it is its last. cancelled: whether Escape ended it; then
    `now` is `start`.
    """

    start: Point
    now: Point
    number: int
    began: bool = False
    ended: bool = False
    cancelled: bool = False

    @property
    def delta(self) -> Point:
        """The displacement of the pointer since the drag began, units."""
        return self.now[0] - self.start[0], self.now[1] - self.start[1]

    @property
    def key(self) -> tuple[str, int]:
        """The key with which all edits of this drag become one step, see `Game.edit`."""
        return "drag", self.number


@dataclass
class Handles:
    """The handles of one view.

    hot, active: names, None for none. number: of the last drag. start: where it began, units. kept: data of the drawer
    of the active handle for the duration of a drag, such as the poses at its begin; None when a drag begins. memory:
    data that drawers keep between drags, by names of their own.
    """

    hot: str | None = None
    active: str | None = None
    number: int = 0
    start: Point = (0.0, 0.0)
    kept: Any = None
    memory: dict[str, Any] = field(default_factory=dict[str, Any])
    _near: str | None = None
    _key: tuple[float, float, int] = (0.0, 0.0, 0)
    _ended: str | None = None
    _began: bool = False
    _fresh: bool = False
    _cancelled: bool = False
    _order: int = 0

    def begin(self, *, down: bool, escaped: bool) -> None:
        """Begin a frame, before handles are offered. down: whether the button is down. escaped: whether to cancel."""
        self._ended, self._cancelled, self._order, self._near = None, False, 0, None
        self._began, self._fresh = self._fresh, False
        if self.active is not None and (escaped or not down):
            self._ended, self.active, self._cancelled = self.active, None, escaped

    def finish(self, *, hovered: bool, pressed: bool, pointer: Point) -> None:
        """End a frame, after all handles were offered: find what is hot, and begin a drag if the button was pressed.

        hovered: whether the pointer is over the view. pointer: units.
        """
        if self.active is None:
            self.hot = self._near if hovered else None
            if self.hot is not None and pressed:
                self.take(self.hot, pointer)

    def take(self, name: str, start: Point) -> None:
        """Let a drag of a handle begin in the next frame. start: of the pointer, units."""
        self.active, self.hot, self.start, self.kept, self._fresh = name, name, start, None, True
        self.number = next(_NUMBERS)

    def offer(self, name: str, distance: float, *, priority: int = 0) -> None:
        """Register a handle of this frame. distance: from the pointer to its edge, pixels; 0 inside."""
        if not math.isfinite(distance) or distance > HANDLE_REACH:
            return
        self._order += 1
        key = (-float(priority), distance, -self._order)
        if self._near is None or key < self._key:
            self._near, self._key = name, key

    def drag(self, name: str, pointer: Point) -> Drag | None:
        """Return how a handle is dragged, or None. pointer: units."""
        if name == self.active:
            return Drag(self.start, pointer, self.number, began=self._began)
        if name == self._ended:
            now = self.start if self._cancelled else pointer
            return Drag(self.start, now, self.number, began=self._began, ended=True, cancelled=self._cancelled)
        return None

    def is_hot(self, name: str) -> bool:
        """Return whether a handle is under the pointer or dragged."""
        return name == self.active or (self.active is None and name == self.hot)

    def cached(
        self, name: str, world: World, sources: tuple[Any, ...], key: Any, compute: Callable[[], Any]
    ) -> Any:  # fmt: skip
        """Return what `compute` returned last; it is called again only if a source or the key has changed.

        name: of the value in `memory`. sources: see `Inputs` of rish_ecs. key: what else it depends on.
        """
        entry = self.memory.get(name)
        inputs = Inputs(sources) if entry is None or entry[0].sources != sources else entry[0]
        if inputs.changed(world) or entry is None or entry[1] != key:
            entry = self.memory[name] = inputs, key, compute()
        return entry[2]

    @property
    def ended(self) -> str | None:
        """The handle whose drag ends in this frame, None if there is none."""
        return self._ended

    @property
    def busy(self) -> bool:
        """Whether the pointer is over a handle, or drags one, in this frame."""
        return self.active is not None or self._ended is not None or self.hot is not None
