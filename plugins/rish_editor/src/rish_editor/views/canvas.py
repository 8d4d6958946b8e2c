"""Canvas: the base class of what draws over views of the plane and of space: colors, handles, edits by drags.

Points are those of the view, (2,) or (3,), or arrays of them; `to_screen` gives their places in the window.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from imgui_bundle import imgui

from rish_core import kind_of

from .geometry import distance_to_lines, is_inside
from .interaction.handles import Drag, Handles
from .rounding import ANGLE, digits_of, on_step, significant, step_of

if TYPE_CHECKING:
    from rish_core import World

    from ..look.theme import Theme
    from ..session.editor import Editor
    from .entity_group import EntityGroup

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
Color = tuple[float, float, float, float] | str
Mark = Literal["dot", "square", "diamond", "none"]
ICON = 11.0
"""The radius of an icon's background, pixels."""
EDGE = 0.7
"""The opacity of the edges of lines."""
_SNAPPED = 4
"""The least number of decimals of values that snap."""
MAX_ICONS = 256
"""The number of icons that one call draws; more would hide the picture."""


class Canvas(ABC):
    """Draws over one view in one frame.

    view: what the picture shows. origin: the left top of the picture in the window. size: of the picture, units of the
    window. handles: of this view. theme: for colors over this picture. pointer: where the pointer is, in the units of
    drags. pointer_on_screen: the same in the window, y down.
    """

    in_space = False
    """Whether the view shows three dimensions."""
    view: Any
    theme: Theme
    pointer: Point

    def __init__(self, editor: Editor, origin: Point, size: Point, handles: Handles, pointer: Point) -> None:
        self.editor = editor
        self.origin = origin
        self.size = size
        self.handles = handles
        self._list = imgui.get_window_draw_list()
        self._scale = editor.ui.scale
        self.pointer_on_screen = pointer
        self.pickable: list[tuple[int, float, float, float]] = []
        """What a click selects besides what the picture shows: entity, x, y and radius in the window."""

    @property
    def world(self) -> World:
        """The World that is shown."""
        assert self.editor.game is not None
        return self.editor.game.world

    @property
    def draw_list(self) -> Any:
        """The draw list of Dear ImGui, for what this class lacks; it takes points of the window."""
        return self._list

    def is_selected(self, handle: int) -> bool:
        """Return whether an entity is selected."""
        assert self.editor.game is not None
        return handle in self.editor.game.selection

    # What a view does with the pointer

    @abstractmethod
    def to_screen(self, points: Any) -> Any:
        """Convert a point to the window (y down), or points to float64 (n, 2); NaN for those that it can't show."""

    def drag_point(self, point: Point) -> Point:
        """Convert a point of the window to the units of drags; by default these are those of the window."""
        return point

    def on_window(self, point: Point) -> Point:
        """Convert a point in the units of drags to the window."""
        return point

    @abstractmethod
    def holds(self, handle: int) -> bool:
        """Return whether an entity belongs to the space that this canvas draws over."""

    @abstractmethod
    def outline_selection(self) -> Rect | None:
        """Outline the selected entities; return their least and greatest x and y, units, for the rulers; None in views
        without rulers."""

    @abstractmethod
    def outline(self, handle: int) -> None:
        """Outline the entity that a click would select."""

    @abstractmethod
    def group(self) -> EntityGroup | None:
        """Return the selected entities that can be moved in this view, with their poses; None without any."""

    @abstractmethod
    def nudge(self, right: float, up: float, high: float, *, coarse: bool) -> npt.NDArray[Any]:
        """Return the displacement in the world for pressed keys. right, up, high: steps in each direction. coarse: in
        steps of the grid."""

    def band(self, start: Point) -> None:
        """Draw the selection box, from a point of the window to the pointer."""
        low, high = start, self.pointer_on_screen
        corners: list[Any] = [low, (high[0], low[1]), high, (low[0], high[1])]
        self._list.add_convex_poly_filled(corners, self.color("accent", 0.14))
        self._list.add_rect(low, high, self.color("accent"), 0.0, self._scale)

    # Drawing

    def color(self, color: Color, opacity: float = 1.0) -> int:
        """Return a color, or one of the theme by its name, as the number that Dear ImGui draws with."""
        if isinstance(color, str):
            return self.theme.packed(color, opacity)
        red, green, blue, alpha = (round(min(max(part, 0.0), 1.0) * 255) for part in color)
        return round(alpha * opacity) << 24 | blue << 16 | green << 8 | red

    def polygon(self, points: Any, color: Color, *, opacity: float = 1.0) -> None:
        """Fill a convex polygon; one that is partly behind the view is left out."""
        placed = self._placed(points)
        if len(placed) > 2 and np.isfinite(placed).all():
            self._list.add_convex_poly_filled([(x, y) for x, y in placed.tolist()], self.color(color, opacity))

    def arrow(self, start: Any, end: Any, color: Color, width: float = 2.5, head: float = 10.0) -> None:
        """Draw an arrow. head: pixels."""
        (x0, y0), (x1, y1) = self.to_screen(start), self.to_screen(end)
        length = math.hypot(x1 - x0, y1 - y0)
        if not length > 1e-6:
            return
        head = min(head * self._scale, length)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        base = x1 - ux * head, y1 - uy * head
        left = base[0] - uy * head * 0.5, base[1] + ux * head * 0.5
        right = base[0] + uy * head * 0.5, base[1] - ux * head * 0.5
        packed, edge, width = self.color(color), self.color("scene", EDGE), width * self._scale
        self._list.add_line((x0, y0), base, edge, width + 2 * self._scale)
        self._list.add_triangle((x1, y1), left, right, edge, 2.5 * self._scale)
        self._list.add_line((x0, y0), base, packed, width)
        self._list.add_triangle_filled((x1, y1), left, right, packed)

    def text(self, at: Any, text: str, color: Color = "text", *, offset: Point = (0.0, 0.0), centered: bool = False,
             backed: bool = False) -> None:  # fmt: skip
        """Write a text at a point. offset: pixels, y down. backed: on a background of its own."""
        x, y = self.to_screen(at)
        if math.isfinite(x):
            self._text((x, y), text, color, offset=offset, centered=centered, backed=backed)

    def _placed(self, points: Any) -> Any:
        """Return the places of points in the window, float64 (n, 2)."""
        return self.to_screen(np.asarray(points, np.float64))

    def _text(self, at: Point, text: str, color: Color, *, offset: Point, centered: bool, backed: bool) -> None:
        """Write a text at a point of the window."""
        x, y = at
        size = imgui.calc_text_size(text)
        x, y = x + offset[0] * self._scale, y + offset[1] * self._scale
        if centered:
            x, y = x - size.x / 2, y - size.y / 2
        if backed:
            pad = 4 * self._scale
            self._list.add_rect_filled((x - pad, y - pad / 2), (x + size.x + pad, y + size.y + pad / 2),
                                       self.color("popup", 0.92), pad)  # fmt: skip
        self._list.add_text((x, y), self.color(color), text)

    def say(self, text: str) -> None:
        """Write a text beside the pointer, such as how far something has been dragged."""
        self._text(self.pointer_on_screen, text, "text", offset=(18.0, 16.0), centered=False, backed=True)

    def _icon(self, at: Point, icon: str, packed: int, entity: int) -> None:
        """Draw an icon at a point of the window."""
        x, y = at
        chosen, radius = bool(entity) and self.is_selected(entity), ICON * self._scale
        self._list.add_circle_filled((x, y), radius, self.color("selection" if chosen else "popup", 0.9), 16)
        if chosen:
            self._list.add_circle((x, y), radius, self.color("outline"), 0, 1.5 * self._scale)
        size = imgui.calc_text_size(icon)
        self._list.add_text((x - size.x / 2, y - size.y / 2), packed, icon)
        if entity:
            self.pickable.append((entity, x, y, radius))
            self.editor.ui.mark_area(f"icon.{entity}", x - 8, y - 8, x + 8, y + 8)

    def icons(self, handles: Any, icon: str, color: Color = "text") -> None:
        """Draw an icon at each of many entities that the view shows; a click on it selects its entity."""
        entities, packed = np.asarray(handles, np.int64), self.color(color)
        shown, places = self._in_window(entities)
        rows = np.flatnonzero(shown)[:MAX_ICONS]
        for handle, (x, y) in zip(entities[rows].tolist(), places[rows].tolist(), strict=True):
            self._icon((x, y), icon, packed, handle)

    @abstractmethod
    def _in_window(self, handles: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return which entities the view shows, bool n, and where in the window they are, float64 (n, 2)."""

    def _mark(self, mark: Mark, x: float, y: float, half: float, packed: int) -> None:
        edge = self.color("scene")
        if mark == "dot":
            self._list.add_circle_filled((x, y), half, packed)
            self._list.add_circle((x, y), half, edge)
        elif mark == "square":
            self._list.add_rect_filled((x - half, y - half), (x + half, y + half), packed, 1.0)
            self._list.add_rect((x - half, y - half), (x + half, y + half), edge, 1.0)
        elif mark == "diamond":
            self._list.add_quad_filled((x, y - half), (x + half, y), (x, y + half), (x - half, y), packed)

    # Handles

    def handle(
        self, name: str, at: Any, color: Color = "outline", *, mark: Mark = "square", pixels: float = 4.5,
        tooltip: str = "", priority: int = 0,
    ) -> Drag | None:  # fmt: skip
        """Draw a point that can be dragged; return how it is dragged in this frame, or None.

        name: unique within the view, such as `light.12.radius`. pixels: half its width.
        """
        x, y = self.to_screen(at)
        if math.isfinite(x):
            hot = self.handles.is_hot(name)
            half = pixels * self._scale * (1.25 if hot else 1.0)
            px, py = self.pointer_on_screen
            self.handles.offer(name, max(0.0, math.hypot(px - x, py - y) - half), priority=priority)
            self._mark(mark, x, y, half, self.color("outline_hover" if hot else color))
            self._tell(name, tooltip)
            self.editor.ui.mark_area(name, x - half, y - half, x + half, y + half)
        return self.handles.drag(name, self.pointer)

    def line_handle(
        self, name: str, points: Any, *, closed: bool = False, priority: int = -1, tooltip: str = ""
    ) -> Drag | None:
        """Add a handle along lines from point to point, without drawing them. Return how it is dragged in this frame,
        or None."""
        placed = self._placed(points)
        placed = placed[np.isfinite(placed).all(axis=1)]
        self.handles.offer(name, distance_to_lines(self.pointer_on_screen, placed, closed=closed), priority=priority)
        self._tell(name, tooltip)
        if len(placed):
            x, y = (placed[(len(placed) - 1) // 2] + placed[len(placed) // 2]) / 2
            self.editor.ui.mark_area(name, x - 3, y - 3, x + 3, y + 3)
        return self.handles.drag(name, self.pointer)

    def area_handle(self, name: str, points: Any, *, priority: int = -2) -> Drag | None:
        """Add a handle that is the inside of a convex polygon, without drawing it. Return how it is dragged in this
        frame, or None."""
        placed = self._placed(points)
        if len(placed) and np.isfinite(placed).all():
            if is_inside(self.pointer_on_screen, placed):
                self.handles.offer(name, 0.0, priority=priority)
            x, y = placed.mean(axis=0)
            self.editor.ui.mark_area(name, x - 3, y - 3, x + 3, y + 3)
        return self.handles.drag(name, self.pointer)

    def _tell(self, name: str, tooltip: str) -> None:
        """Show the tooltip of a handle while the pointer rests on it."""
        if tooltip and self.handles.is_hot(name) and self.handles.active is None:
            imgui.set_tooltip(tooltip)

    # Edits by dragging

    @property
    def snapping(self) -> bool:
        """Whether drags snap to steps: as the settings say; Ctrl inverts it."""
        return self.editor.settings.snap != self.editor.ui.ctrl

    def snapped(self, value: float, step: float) -> float:
        """Return a value rounded to a step if drags snap, otherwise the value."""
        return round(value / step) * step if self.snapping and step > 0 else value

    @property
    def fine(self) -> float:
        """The step to which drags are rounded that do not snap: about the length of a pixel, see `rounding`. 0 if they
        snap."""
        return 0.0 if self.snapping else step_of(self.length_of_pixel())

    @abstractmethod
    def length_of_pixel(self, handle: int = 0) -> float:
        """Return the length of a pixel of the window, in the space of an entity or, without one, in the world."""

    def fitted(self, values: Any, pixel: float | None = None) -> Any:
        """Return numbers rounded to the step that a pixel can show, float64. pixel: its length in the space of the
        numbers, None for the world's.
        """
        return on_step(values, step_of(self.length_of_pixel() if pixel is None else pixel))

    def rounded(self, handle: int, cls: type, field: str, value: Any) -> Any:
        """Return a value for a field that a drag sets, rounded to what a pixel shows.

        Lengths are rounded to steps, positions to the digits of a step, angles to degrees, and other numbers to four
        digits. If drags snap, values are only freed of rounding errors of rotated and scaled spaces.
        """
        spec = kind_of(cls).fields[field]
        if isinstance(value, str | bool | int | Enum):
            return value
        numbers = np.asarray(value, np.float64)
        step = step_of(self.length_of_pixel(handle))
        if spec.angle:
            degrees = np.degrees(numbers)
            rounded = np.radians(np.round(degrees, _SNAPPED) if self.snapping else on_step(degrees, ANGLE))
        elif self.snapping:
            rounded = (
                np.round(numbers, max(digits_of(step) + 1, _SNAPPED)) if spec.unit or field == "points" else numbers
            )
        elif spec.unit.startswith(("units", "m", "px")) or field == "points":
            rounded = np.round(numbers, digits_of(step) + 1) if numbers.ndim else on_step(numbers, step)
        else:
            rounded = significant(numbers)
        return rounded if numbers.ndim else float(rounded)

    def cancel(self, drag: Drag) -> None:
        """Take back the edits of a drag that Escape has ended, so that it leaves no step in the history."""
        assert self.editor.game is not None
        self.editor.game.take_back(drag.key)

    def apply(
        self, drag: Drag, handle: int, cls: type, change: Callable[[], Mapping[str, Any] | None], *, title: str = ""
    ) -> None:  # fmt: skip
        """Set fields of a component while a handle is dragged, as one step of the history.

        change: returns the values of fields by name; None leaves them.
        """
        values = change() if self.moves(drag) else None
        if not values:
            return
        game = self.editor.game
        assert game is not None
        name = title or f"Set {cls.__name__}.{next(iter(values))}"
        with game.edit(name, merge=drag.key):
            for field, value in values.items():
                game.set([handle], cls, field, self.rounded(handle, cls, field, value), name=name)

    def moves(self, drag: Drag) -> bool:
        """Return whether a drag changes something in this frame; the edits of one that Escape has ended are undone."""
        if drag.cancelled:
            self.cancel(drag)
        return not drag.cancelled and drag.now != drag.start

    @property
    def double_clicked(self) -> bool:
        """Whether the button was pressed for the second time in this frame."""
        return bool(imgui.is_mouse_double_clicked(imgui.MouseButton_.left))
