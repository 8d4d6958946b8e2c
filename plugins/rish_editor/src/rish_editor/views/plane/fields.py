"""Handles that set fields of components, and drawing of many shapes at once, for drawers of gizmos."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..canvas import Canvas
from ..rounding import on_step

if TYPE_CHECKING:
    from ..interaction.handles import Drag

Point = tuple[float, float]
Points = npt.NDArray[np.float64]
Change = Callable[[Point], "Mapping[str, Any] | None"]
"""Returns the values of fields, by name, for a point of the world; None leaves them."""


class FieldHandles(Canvas):
    """The part of `SceneDraw` that edits fields."""

    if TYPE_CHECKING:

        def pose(self, handle: int) -> tuple[float, float, float, float, float, float]: ...  # noqa: D102
        def handle(self, name: str, at: Point, color: Any = ..., **options: Any) -> Drag | None: ...  # noqa: D102
        def to_screen(self, point: Any) -> Any: ...  # noqa: D102

        @property
        def pixel(self) -> float: ...  # noqa: D102

    def to_local(self, handle: int, points: Any) -> Any:
        """Convert a point of the world to be relative to an entity, or points to float64 (n, 2)."""
        a, b, c, d, x, y = self.pose(handle)
        p = np.asarray(points, np.float64) - (x, y)
        size = a * d - b * c or 1e-12
        placed = np.stack([(d * p[..., 0] - c * p[..., 1]) / size, (a * p[..., 1] - b * p[..., 0]) / size], axis=-1)
        return (float(placed[0]), float(placed[1])) if placed.ndim == 1 else placed

    def field_handle(
        self, name: str, at: Point, handle: int, cls: type, change: Change, *, title: str = "", **options: Any
    ) -> Drag | None:  # fmt: skip
        """Draw a point whose dragging sets fields of a component, as one step of the history; Escape takes it back.

        name, options: as of `handle`. change: returns the new values for the dragged point. title: of the step, such as
        `Set Light.radius` by default. Return how it is dragged in this frame, or None.
        """
        drag = self.handle(name, at, **options)
        if drag is not None:
            if drag.began:
                self.handles.kept = at[0] - drag.start[0], at[1] - drag.start[1]
            x, y = self.handles.kept or (0.0, 0.0)
            at, fine = (drag.now[0] + x, drag.now[1] + y), self.fine
            self.apply(drag, handle, cls, lambda: change((on_step(at[0], fine), on_step(at[1], fine))), title=title)
        return drag

    def polylines(self, lines: Sequence[Any], colors: Sequence[int], width: float = 1.5) -> None:
        """Draw many lines through points (n, 2) at once. colors: of `color`, one for each. width: pixels."""
        counts = [len(line) for line in lines]
        if not sum(counts):
            return
        placed = self.to_screen(np.concatenate([np.asarray(line, np.float64).reshape(-1, 2) for line in lines]))
        ends = np.cumsum(counts).tolist()
        corners = placed.tolist()
        thick = width * self._scale
        sound = bool(np.isfinite(placed).all())
        for count, end, color in zip(counts, ends, colors, strict=True):
            part = corners[end - count : end]
            if count > 1 and (sound or np.isfinite(part).all()):
                self._list.add_polyline(part, color, thick, 0)

    def discs(self, places: Any, radii: Any, colors: Sequence[int]) -> None:
        """Draw many filled circles at once. places: (n, 2), radii: n, units. colors: of `color`, one for each."""
        corners, reach = self.to_screen(np.asarray(places, np.float64)), np.asarray(radii, np.float64) / self.pixel
        add = self._list.add_circle_filled
        for (x, y), radius, color in zip(corners.tolist(), reach.tolist(), colors, strict=True):
            add((x, y), radius, color)
