"""SceneDraw: draws over the picture of a view, in units of the world, and offers handles to drag.

Lines and marks have sizes in pixels, so they look the same at each zoom. Points are (x, y) or arrays (n, 2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform, world_matrices
from rish_frame import WorldMatrices
from rish_jit import maths
from rish_render import RenderSettings, drawn_boxes, main_view

from ...look.theme import DARK, LIGHT
from ..canvas import EDGE, Color, Rect
from ..geometry import ticks_between
from ..interaction.handles import Handles
from .fields import FieldHandles
from .group import Group, group_of
from .outlines import draw_hover, draw_outlines

if TYPE_CHECKING:
    from rish_render import DrawnBoxes, View

    from ...look.theme import Theme
    from ...session.editor import Editor

Point = tuple[float, float]
Points = npt.NDArray[np.float64]


class SceneDraw(FieldHandles):
    """Draws over one view in one frame.

    view: what the picture shows. origin: the left top of the picture in the window. size: of the picture, units of the
    window. handles: of this view. theme: for colors over this picture. logical: width and height of the picture in
    pixels of the view; None if the view fills it. flat: whether it is for things in screen space, whose units are the
    game's pixels.
    """

    def __init__(
        self, editor: Editor, view: View, origin: Point, size: Point, handles: Handles, pointer: Point, *,
        logical: tuple[int, int] | None = None, flat: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(editor, origin, size, handles, pointer)
        self.view: View = view
        self.flat = flat
        self.theme = theme_over(self, editor.ui.theme)
        whole = logical or view.size
        self._unit = (size[0] / max(whole[0], 1), size[1] / max(whole[1], 1))
        sin, cos = maths.sincos(view.rotation)
        right, up = view.density * self._unit[0], view.density * self._unit[1]
        middle = origin[0] + view.middle[0] * self._unit[0], origin[1] + size[1] - view.middle[1] * self._unit[1]
        self._placing = (cos * right, sin * up, sin * right, -cos * up, *view.center, *middle)
        self.pointer = self.to_world(pointer)

    @cached_property
    def main(self) -> View:
        """The view of the game's main camera."""
        return main_view(self.world)

    # Places

    @property
    def pixel(self) -> float:
        """The length of a pixel of the window, units."""
        return 1.0 / (self.view.density * self._unit[0])

    def length_of_pixel(self, handle: int = 0) -> float:
        """Return the length of a pixel of the window, in the space of an entity or, without one, in the world."""
        a, b, c, d, _, _ = self.pose(handle) if handle else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        return self.pixel / max(math.hypot(a, b), math.hypot(c, d), 1e-9)

    def px(self, pixels: float) -> float:
        """Convert a length in pixels, at a scale of the interface of 1, to units of the world."""
        return pixels * self._scale * self.pixel

    def to_screen(self, point: Any) -> Any:
        """Convert a point to the window (y down), or points to float64 (n, 2)."""
        a, b, c, d, x, y, left, top = self._placing
        if isinstance(point, tuple):
            right, up = point[0] - x, point[1] - y
            return a * right + c * up + left, b * right + d * up + top
        placed = (np.asarray(point, np.float64) - (x, y)) @ ((a, b), (c, d)) + (left, top)
        return (float(placed[0]), float(placed[1])) if placed.ndim == 1 else placed

    def to_world(self, point: Any) -> Any:
        """Convert a point of the window (y down) to the world, or points to float64 (n, 2)."""
        a, b, c, d, x, y, left, top = self._placing
        size = a * d - b * c
        if isinstance(point, tuple):
            right, down = point[0] - left, point[1] - top
            return (d * right - c * down) / size + x, (a * down - b * right) / size + y
        turn = (d / size, -b / size), (-c / size, a / size)
        placed = (np.asarray(point, np.float64) - (left, top)) @ turn + (x, y)
        return (float(placed[0]), float(placed[1])) if placed.ndim == 1 else placed

    def ticks(self, step: float) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
        """Return the multiples of a step that the view shows, along x and along y: the place in the window, and the
        factor.

        Only for views without rotation.
        """
        x0, y0, x1, y1 = self.view.bounds
        a, _, _, d, x, y, left, top = self._placing
        across = [(math.floor(a * (n * step - x) + left) + 0.5, n) for n in ticks_between(x0, x1, step)]
        return across, [(math.floor(d * (n * step - y) + top) + 0.5, n) for n in ticks_between(y0, y1, step)]

    def matrices(self, handles: Any) -> Points:
        """Return the world matrices a b c d x y of entities as they are drawn, float64 (n, 6)."""
        rows = self.world.table(Transform).rows_of(np.asarray(handles, np.int64).reshape(-1))
        drawn_matrices: WorldMatrices = self.world[WorldMatrices]
        there = rows >= 0
        if len(rows) == 1 and there[0]:
            pose = drawn_matrices.one(int(rows[0]))
            if pose is not None:
                return np.array([pose])
        if there.all() and drawn_matrices.knows(rows):
            return drawn_matrices.rows(rows).astype(np.float64)
        matrices = np.tile(np.array([1.0, 0, 0, 1, 0, 0]), (len(rows), 1))
        if there.any():
            rows_with_pose = rows[there]
            matrices[there] = (
                drawn_matrices.rows(rows_with_pose)
                if drawn_matrices.knows(rows_with_pose)
                else world_matrices(self.world)[rows_with_pose]
            )
        return matrices

    def pose(self, handle: int) -> tuple[float, float, float, float, float, float]:
        """Return the world matrix a b c d x y of an entity; that of the world for one without a Transform."""
        a, b, c, d, x, y = self.matrices([handle])[0].tolist()
        return a, b, c, d, x, y

    def boxes(self, handles: Any) -> DrawnBoxes:
        """Return the boxes around what entities draw, see `rish_render.drawn_boxes`."""
        return drawn_boxes(self.world, handles, self.view)

    @property
    def selection_sources(self) -> tuple[Any, ...]:
        """What the boxes of the selection depend on, besides the view."""
        assert self.editor.game is not None
        return self.editor.game.selection, WorldMatrices, *self.world.tables

    def cached(self, name: str, key: Any, compute: Callable[[], Any]) -> Any:
        """Return what `compute` returned last, until the selection, the World, the view or the key changes."""
        key = self.view, self.flat, key
        return self.handles.cached(name, self.world, self.selection_sources, key, compute)

    def selected(self) -> tuple[npt.NDArray[np.int64], DrawnBoxes]:
        """Return the selected entities, int64 n, and their boxes; computed again only after changes."""
        game = self.editor.game
        assert game is not None
        handles = game.selection.array
        return self.cached("selected", None, lambda: (handles, self.boxes(handles)))

    def position(self, handle: int) -> Point:
        """Return where an entity is, units."""
        return self.pose(handle)[4:]

    def placed(self, handle: int, points: Any) -> Points:
        """Convert points (n, 2) relative to an entity to the world."""
        a, b, c, d, x, y = self.pose(handle)
        p = np.asarray(points, np.float64).reshape(-1, 2)
        return np.stack([a * p[:, 0] + c * p[:, 1] + x, b * p[:, 0] + d * p[:, 1] + y], axis=1)

    # Drawing

    def line(self, start: Point, end: Point, color: Color, width: float = 1.5, *, opacity: float = 1.0,
             edged: bool = False) -> None:  # fmt: skip
        """Draw a line. width: pixels. edged: with an edge, so that it is seen on every picture."""
        a, b, width = self.to_screen(start), self.to_screen(end), width * self._scale
        if edged:
            self._list.add_line(a, b, self.color("scene", EDGE), width + 2 * self._scale)
        self._list.add_line(a, b, self.color(color, opacity), width)

    def polyline(
        self, points: Any, color: Color, width: float = 1.5, *, closed: bool = False, opacity: float = 1.0,
        edged: bool = False,
    ) -> None:  # fmt: skip
        """Draw lines from point to point. closed: back to the first as well. edged: see `line`."""
        placed = self.to_screen(np.asarray(points, np.float64).reshape(-1, 2))
        if len(placed) < 2 or not np.isfinite(placed).all():
            return
        if closed:
            placed = np.concatenate([placed, placed[:1]])
        corners: list[Any] = [(x, y) for x, y in placed.tolist()]
        if edged:
            self._list.add_polyline(corners, self.color("scene", EDGE), (width + 2) * self._scale, 0)
        self._list.add_polyline(corners, self.color(color, opacity), width * self._scale, 0)

    def quads(self, corners: Any, color: Color, width: float = 1.5) -> None:
        """Draw the outlines of many quadrilaterals (n, 4, 2), with an edge, see `line`."""
        packed, edge = self.color(color), self.color("scene", EDGE)
        wide = width * self._scale
        placed = self.to_screen(np.asarray(corners, np.float64).reshape(-1, 2)).reshape(-1, 4, 2)
        for a, b, c, d in placed.tolist():
            self._list.add_quad(a, b, c, d, edge, wide + 2 * self._scale)
            self._list.add_quad(a, b, c, d, packed, wide)

    def circle(self, center: Point, radius: float, color: Color, width: float = 1.5, *, opacity: float = 1.0) -> None:
        """Draw a circle. radius: units."""
        self._list.add_circle(
            self.to_screen(center), radius / self.pixel, self.color(color, opacity), 0, width * self._scale
        )

    def disc(self, center: Point, pixels: float, color: Color, *, opacity: float = 1.0) -> None:
        """Draw a filled circle whose radius is in pixels."""
        self._list.add_circle_filled(self.to_screen(center), pixels * self._scale, self.color(color, opacity))

    def box(self, low: Point, high: Point, color: Color, width: float = 1.5, *, filled: bool = False,
            opacity: float = 1.0) -> None:  # fmt: skip
        """Draw a rectangle along the axes of the view."""
        corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        if filled:
            self.polygon(corners, color, opacity=opacity)
        else:
            self.polyline(corners, color, width, closed=True, opacity=opacity)

    def sector(self, center: Point, radius: float, start: float, end: float, color: Color) -> None:
        """Fill the part of a disc between two angles in radians, counter-clockwise, with lines at its ends.

        radius: units.
        """
        turned = min(max(end - start, -math.tau), math.tau)
        angles = np.linspace(start, start + turned, max(2, math.ceil(abs(turned) / 0.1)) + 1)
        rim = np.array(center) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        half = len(rim) // 2 + 1
        for part in (rim[:half], rim[half - 1 :]):  # each is convex
            self.polygon(np.concatenate([[center], part]), color, opacity=0.25)
        self.line(center, rim[0], color, 1.5)
        self.line(center, rim[-1], color, 2.0)

    def icon(self, at: Point, icon: str, color: Color = "text", *, entity: int = 0) -> None:
        """Draw an icon in the middle of a round background. entity: what a click on it selects; 0: nothing."""
        self._icon(self.to_screen(at), icon, self.color(color), entity)

    def _in_window(self, handles: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.bool_], Points]:
        positions = self.matrices(handles)[:, 4:]
        return self._near(positions, 16.0), self.to_screen(positions)

    # What a view does with the pointer

    def drag_point(self, point: Point) -> Point:
        """Convert a point of the window to units."""
        return self.to_world(point)

    def on_window(self, point: Point) -> Point:
        """Convert a point in units to the window."""
        return self.to_screen(point)

    def holds(self, handle: int) -> bool:
        """Return whether an entity is on a layer of this space."""
        return bool(self.boxes([handle]).screen[0]) == self.flat

    def group(self) -> Group | None:
        """Return the selected entities that can be moved in this view, with their poses; None without any."""
        return group_of(self)

    def nudge(self, right: float, up: float, high: float, *, coarse: bool) -> Points:
        """Return the displacement in the world for steps to the right and up: units, or coarse: cells of the grid."""
        return np.array([right, up]) * (self.editor.settings.grid if coarse else 1.0)

    def outline_selection(self) -> Rect | None:
        """Outline the selected entities of this space; return the least and greatest x and y of what they draw."""
        return draw_outlines(self)

    def outline(self, handle: int) -> None:
        """Outline the entity that a click would select."""
        draw_hover(self, handle)

    def shown(self, handles: Iterable[int], margin: float = 64.0) -> list[int]:
        """Return the entities whose position is in the view or near its edge. margin: pixels."""
        entities = np.fromiter(handles, np.int64)
        return entities[self._near(self.matrices(entities)[:, 4:], margin)].tolist()

    def _near(self, places: Points, margin: float) -> npt.NDArray[np.bool_]:
        """Return bool n: which places (n, 2) are in the view or near its edge. margin: pixels."""
        x0, y0, x1, y1 = self.view.bounds
        room = margin * self.pixel
        low, high = np.array([x0 - room, y0 - room]), np.array([x1 + room, y1 + room])
        return np.asarray(((places >= low) & (places <= high)).all(axis=1))


def theme_over(scene: SceneDraw, theme: Theme) -> Theme:
    """Return the theme whose lines are seen over the picture of a view: one for dark pictures or one for light ones."""
    red, green, blue, _ = scene.view.background or scene.main.background or scene.world[RenderSettings].background
    dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.45
    return theme if theme.dark == dark else DARK if dark else LIGHT
