"""SpaceDraw: draws over the picture of a view of space, in meters, and offers handles to drag.

Lines and marks have sizes in pixels, so they look the same at each distance. Points are (3,) or arrays (n, 3). Drags
are in units of the window; `along` and `on_plane` turn them into places in space.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, camera_rays

from ...look.theme import DARK
from ..canvas import EDGE, Canvas, Color, Point, Rect
from .group import SpaceGroup, group_of
from .outlines import draw_bounds, matrices_of, outline_selected

if TYPE_CHECKING:
    from rish_space3d import SpaceView

    from ...look.theme import Theme
    from ...session.editor import Editor
    from ..interaction.handles import Drag, Handles

_LEVEL = 0.1
"""The greatest sine of the tilt of a view that counts as level."""


class SpaceDraw(Canvas):
    """Draws over one view of space in one frame.

    view: what the picture shows, `rish_space3d.SpaceView`. pixels: float64 (4, 4), from the world to pixels of the
    view, y up. The others are those of `Canvas`.
    """

    in_space = True

    def __init__(
        self, editor: Editor, view: SpaceView, origin: Point, size: Point, handles: Handles, pointer: Point
    ) -> None:
        super().__init__(editor, origin, size, handles, pointer)
        self.view: SpaceView = view
        self.theme = theme_in_space(editor)
        self.pixels = view.pixels(size)
        self.pointer = pointer
        self._back = view.axes[2]

    # What a view does with the pointer

    def holds(self, handle: int) -> bool:
        """Return whether an entity is in space."""
        return self.world.table(Transform3D).row_of(handle) >= 0

    def outline_selection(self) -> Rect | None:
        """Draw the boxes of the selected entities."""
        assert self.editor.game is not None
        outline_selected(self, self.editor.game.selection.array)
        return None

    def outline(self, handle: int) -> None:
        """Draw the box of the entity that a click would select."""
        draw_bounds(self, np.array([handle]), "outline_hover", 1.5)

    def group(self) -> SpaceGroup | None:
        """Return the selected entities in space with their poses; None without any."""
        return group_of(self)

    def nudge(self, right: float, up: float, high: float, *, coarse: bool) -> Array:
        """Return the displacement in the world for pressed keys: a tenth of a cell of the grid for each step, coarse: a
        cell.

        It is along the axes of the world, so that things stay on the grid: to the right along the axis of the ground
        that is nearest to the right of the picture, up away from the eye, or upwards where the view is level.
        """
        across, above, back = self.view.axes
        k, x = 0 if abs(across[0]) >= abs(across[2]) else 2, np.zeros(3)
        x[k] = np.sign(across[k])
        away = np.cross([0.0, 1.0, 0.0], x) * np.sign(back[1])
        y = np.array([0.0, np.sign(above[1]), 0.0]) if abs(back[1]) < _LEVEL else away
        step = self.editor.settings.grid_3d * (1.0 if coarse else 0.1)
        return (right * x + up * y + np.array([0.0, high, 0.0])) * step

    # Places

    def depth(self, points: Any) -> Any:
        """Return how far points (..., 3) are in front of the view, meters."""
        return (np.array(self.view.position) - np.asarray(points, np.float64)) @ self._back

    def px(self, pixels: float, at: Any) -> float:
        """Convert a length in pixels, at a scale of the interface of 1, to meters at a point of space."""
        height = self.view.height or 2 * max(float(self.depth(at)), 1e-6) * math.tan(self.view.fov / 2)
        return pixels * self._scale * height / self.size[1]

    def length_of_pixel(self, handle: int = 0) -> float:
        """Return the length of a pixel of the window where an entity is, in its space, or where the selection is."""
        group = self.group() if not handle else None
        if handle:
            matrix = self.matrices([handle])[0]
            at, scale = matrix[:, 3], float(np.linalg.norm(matrix[:, :3], axis=0).max())
        else:
            at, scale = (np.array(self.view.position) - self._back if group is None else group.pivot), 1.0
        return self.px(1.0, at) / self._scale / max(scale, 1e-9)

    def to_screen(self, points: Any) -> Array:
        """Convert points (..., 3) to the window (y down), float64 (..., 2); NaN for those behind the view."""
        world_points = np.asarray(points, np.float64)
        placed = world_points @ self.pixels[:, :3].T + self.pixels[:, 3]
        with np.errstate(all="ignore"):
            pixels = placed[..., :2] / np.where(placed[..., 3:] > 1e-9, placed[..., 3:], np.nan)
        pixels = np.where(self.depth(world_points)[..., None] < self.view.near, np.nan, pixels)
        return np.array([self.origin[0], self.origin[1] + self.size[1]]) + pixels * [1.0, -1.0]

    def ray(self, point: Point) -> tuple[Array, Array]:
        """Return origin and direction, float64 (3,) each, of the ray through a point of the window."""
        x, y = point[0] - self.origin[0], self.origin[1] + self.size[1] - point[1]
        origins, ways = camera_rays(self.pixels, [(x + 1.0, y + 1.0)], (2, 2))
        return origins[0].astype(np.float64), ways[0].astype(np.float64)

    def along(self, point: Point, at: Any, axis: Any) -> float:
        """Project a point of the window onto a line of space; return the distance from `at` in the direction `axis`
        (length 1), meters.

        It is the point of the line that is nearest to the ray through the point of the window; 0 for a line that points
        at the eye.
        """
        origin, way = self.ray(point)
        arm, slant = np.asarray(at, np.float64) - origin, float(way @ np.asarray(axis))
        size = 1 - slant * slant
        return float((slant * (way @ arm) - np.asarray(axis) @ arm) / size) if size > 1e-9 else 0.0

    def on_plane(self, point: Point, at: Any, normal: Any) -> Array | None:
        """Return where the ray through a point of the window meets a plane, float64 (3,); None if it does not."""
        origin, way = self.ray(point)
        slant = float(way @ np.asarray(normal))
        if abs(slant) < 1e-6:
            return None
        distance = float((np.asarray(at) - origin) @ np.asarray(normal)) / slant
        return origin + way * distance if distance > 0 or self.view.height else None

    def matrices(self, handles: Any) -> Array:
        """Return the world matrices of entities as they are drawn, float64 (n, 3, 4); the identity for entities without
        a pose."""
        return matrices_of(self.world, handles)

    def position(self, handle: int) -> Array:
        """Return where an entity is, float64 (3,)."""
        return self.matrices([handle])[0, :, 3]

    # Drawing

    def lines(self, ends: Any, color: Color, width: float = 1.5, *, opacity: float = 1.0, edged: bool = False) -> None:
        """Draw lines (n, 2, 3), clipped at the near plane of the view. width: pixels. edged: with an edge, so that
        they are seen on every picture."""
        placed = self.to_screen(self._clipped(np.asarray(ends, np.float64).reshape(-1, 2, 3)))
        placed = placed[np.isfinite(placed).all(axis=(1, 2))]
        packed, edge, wide = self.color(color, opacity), self.color("scene", EDGE), width * self._scale
        for a, b in placed.tolist():
            if edged:
                self._list.add_line(a, b, edge, wide + 2 * self._scale)
            self._list.add_line(a, b, packed, wide)

    def line(self, start: Any, end: Any, color: Color, width: float = 1.5, **options: Any) -> None:
        """Draw a line. options: as of `lines`."""
        self.lines([[start, end]], color, width, **options)

    def path(self, points: Any, color: Color, width: float = 1.5, *, closed: bool = False, **options: Any) -> None:
        """Draw lines from point to point (n, 3). closed: back to the first as well. options: as of `lines`."""
        corners = np.asarray(points, np.float64).reshape(-1, 3)
        ends = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
        self.lines(ends if closed else ends[:-1], color, width, **options)

    def icon(self, at: Any, icon: str, color: Color = "text", *, entity: int = 0) -> None:
        """Draw an icon. entity: a click on the icon selects it."""
        x, y = self.to_screen(at).tolist()
        if math.isfinite(x):
            self._icon((x, y), icon, self.color(color), entity)

    def _clipped(self, ends: Array) -> Array:
        """Return lines clipped at the near plane; NaN for those completely behind it."""
        depth = self.depth(ends) - self.view.near * 1.01
        behind = depth < 0
        share = depth[:, 0] / np.where(depth[:, 0] == depth[:, 1], 1.0, depth[:, 0] - depth[:, 1])
        cut = ends[:, 0] + share[:, None] * (ends[:, 1] - ends[:, 0])
        clipped = np.where(behind[:, :, None], cut[:, None], ends)
        clipped[behind.all(axis=1)] = np.nan
        return clipped

    def _in_window(self, handles: Array) -> tuple[Array, Array]:
        places = self.to_screen(self.matrices(handles)[:, :, 3])
        (left, top), (width, height) = self.origin, self.size
        with np.errstate(invalid="ignore"):
            inside = (places >= (left, top)) & (places <= (left + width, top + height))
        return np.asarray(inside.all(axis=1)), places

    # Handles

    def dragged(self, drag: Drag, at: Any, axis: Any = None) -> Array:
        """Return where a point is now that was at `at` when its drag began, float64 (3,): on the line along `axis` (of
        length 1), or without one in the plane of the picture.
        """
        if self.handles.kept is None:
            self.handles.kept = np.asarray(at, np.float64), axis
        start, axis = self.handles.kept
        if axis is not None:
            return start + axis * (self.along(drag.now, start, axis) - self.along(drag.start, start, axis))
        before, now = (self.on_plane(point, start, self._back) for point in (drag.start, drag.now))
        return start if before is None or now is None else start + now - before

    def point_handle(
        self, name: str, at: Any, handle: int, cls: type, change: Any, *, axis: Any = None, **options: Any
    ) -> Drag | None:
        """Draw a point whose dragging sets fields of a component, as one step of the history.

        change: returns the values of fields by name for a new place, float64 (3,). axis: see `dragged`. options: as of
        `handle`. Return how it is dragged, or None.
        """
        drag = self.handle(name, at, **options)
        if drag is not None:
            place = self.dragged(drag, at, axis)
            self.apply(drag, handle, cls, lambda: change(self.fitted(place)))
        return drag

    def axis_handle(
        self, name: str, start: Any, axis: Any, length: float, handle: int, cls: type, change: Any, **options: Any
    ) -> Drag | None:  # fmt: skip
        """Draw a point on a line whose dragging sets fields of a component, as one step of the history.

        start, axis: of the line, the axis of length 1. length: where on it the point is, meters. change: returns the
        values of fields by name for a new length. options: as of `handle`. Return how it is dragged, or None.
        """
        line, way = np.asarray(start, np.float64), np.asarray(axis, np.float64)
        drag = self.handle(name, line + way * length, **options)
        if drag is not None:
            if self.handles.kept is None:
                self.handles.kept = line, way, length - self.along(drag.start, line, way)
            line, way, apart = self.handles.kept
            self.apply(drag, handle, cls, lambda: change(self.along(drag.now, line, way) + apart))
        return drag


def theme_in_space(editor: Editor) -> Theme:
    """Return the theme whose lines are seen over pictures of space, which are dark."""
    return editor.ui.theme if editor.ui.theme.dark else DARK
