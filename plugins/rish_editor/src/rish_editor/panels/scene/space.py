"""The view of space: the picture from a camera that turns around a point and flies.

The middle button turns around a point, with Shift it moves sideways, the wheel comes nearer. With the right button the
view looks around, and the keys W A S D Q E fly. Alt and the left button turn too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_frame import Region
from rish_render import View
from rish_space3d import Transform3D

from ...views.space.camera import OrbitCamera
from ...views.space.compass import draw_compass
from ...views.space.draw import SpaceDraw, theme_in_space
from ...views.space.grid import grid_lines
from ...views.space.outlines import extent_of
from ...views.viewport import Viewport

if TYPE_CHECKING:
    from rish_core import World

    from ...session.editor import Editor
    from ...session.game import Game
    from ...session.selection import Handles

Point = tuple[float, float]
_GROUPS = (("view.space", "view.flat", "view.frame"), ("view.grid", "view.light", "view.gizmos"))
_FLY = {"w": (0, 0, -1), "s": (0, 0, 1), "a": (-1, 0, 0), "d": (1, 0, 0), "q": (0, -1, 0), "e": (0, 1, 0)}
_SLACK = 3.0
"""How far the right button may move in a click that opens the menu, pixels."""
_ROOM = 1.0
"""Half the box, in meters, that is shown around an entity that draws nothing."""
_HORIZON = 20.0
"""How far away the ground is still pointed at, in distances of the camera from its pivot."""


class Space:
    """Space. camera: where it looks from. viewport: the pointer over it. scene, scenes: what draws in this frame."""

    label = ""

    def __init__(self) -> None:
        self.camera = OrbitCamera()
        self.viewport = Viewport()
        self.scene: SpaceDraw | None = None
        self.scenes: list[SpaceDraw] = []
        self._framed: Any = None
        self._size: tuple[int, int] = (16, 16)
        self._moving: tuple[int, str] | None = None
        self._far = 0.0

    # One frame

    def navigate(self, editor: Editor, game: Game, origin: Point, size: tuple[int, int]) -> None:
        """Turn, move and fly with mouse and keys; show all of a scene that was just opened."""
        self._size, io = size, imgui.get_io()
        if self._framed is not game:
            self._framed = game
            self.frame(game.world, np.zeros(0, np.int64))
        dx, dy = io.mouse_delta.x, io.mouse_delta.y
        if self._moving is not None and not imgui.is_mouse_down(self._moving[0]):
            self._moving = None
        if self._moving is not None:
            self._far += abs(dx) + abs(dy)
            self.camera = {
                "orbit": lambda: self.camera.orbit(dx, dy),
                "pan": lambda: self.camera.pan(dx, dy, size[1]),
                "look": lambda: self.camera.look(dx, dy),
            }[self._moving[1]]()
            if self._moving[1] == "look":
                self._fly(editor, io.delta_time)
        if not imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item):
            return
        if self._moving is None:
            self._begin(editor)
        if io.mouse_wheel and not self.viewport.dragging:
            self.zoom(io.mouse_wheel)

    def _begin(self, editor: Editor) -> None:
        """Begin to move the view if a button was pressed for it."""
        left, middle, right = imgui.MouseButton_.left, imgui.MouseButton_.middle, imgui.MouseButton_.right
        ways = {middle: "pan" if editor.ui.shift else "orbit", right: "look"}
        if editor.ui.alt:
            ways[left] = "pan" if editor.ui.shift else "orbit"
        for button, way in ways.items():
            if imgui.is_mouse_clicked(button):
                self._moving, self._far = (int(button), way), 0.0
                imgui.set_window_focus()  # Dear ImGui does that for the left button only

    def _fly(self, editor: Editor, seconds: float) -> None:
        """Move by the keys that are held."""
        way = np.zeros(3)
        for key, step in _FLY.items():
            if imgui.is_key_down(getattr(imgui.Key, key)):
                way += step
        if not way.any():
            return
        pace = max(self.camera.distance, 0.5) * (4.0 if editor.ui.shift else 1.0)
        self.camera = self.camera.fly(way * pace * min(seconds, 0.1))
        self._far += 2 * _SLACK
        editor.stay_awake()

    @property
    def went_far(self) -> bool:
        """Whether the right button has moved the view, so that it opens no menu."""
        return self._far > _SLACK

    def area(self, origin: Point, size: Point) -> tuple[float, float, float, float]:
        """Return where in the window the picture is: left, top, width and height."""
        return *origin, *size

    def drawers(self, editor: Editor) -> Sequence[tuple[type, Any]]:
        """Return the functions that draw over things, and their components."""
        return editor.gizmos

    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> Any:
        """Return the picture, a texture. dense: pixels of the screen for each of the window."""
        lines = None
        if editor.settings.show_grid:
            lines = grid_lines(self.camera, editor.settings.grid_3d, theme_in_space(editor))
        nothing = View(pixels, (0.0, 0.0), layers=frozenset())
        return game.draw(pixels, nothing, plain=not editor.view.light, space=self.camera.view, lines=lines)

    def canvas(self, editor: Editor, origin: Point, size: Point, pointer: Point) -> SpaceDraw:
        """Return what draws over the picture."""
        self.scene = SpaceDraw(editor, self.camera.view, origin, size, self.viewport.handles[0], pointer)
        self.scenes = [self.scene]
        return self.scene

    def begin(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw the compass; return whether the left button is for handles."""
        assert self.scene is not None
        chosen = draw_compass(self.scene, hovered=hovered and not self.viewport.dragging)
        if chosen:
            self.camera = self.camera.side(chosen)
        return self._moving is None and not chosen and not editor.ui.alt

    def finish(self, editor: Editor) -> None:
        """Draw nothing more."""

    # The bar

    def inset(self, editor: Editor) -> float:
        """How far the bar is from the left edge, pixels."""
        return 0.0

    def groups(self, editor: Editor) -> tuple[tuple[str, ...], ...]:
        """The commands that are buttons of the bar."""
        return _GROUPS

    def told(self, point: Point) -> str:
        """Return the place below a point of the window, as the bar says it."""
        x, y, z = self.place_at(point)
        return f"x {x:,.2f}   y {y:,.2f}   z {z:,.2f}"

    # Places

    @property
    def middle(self) -> tuple[float, ...]:
        """The point that the view turns around, meters."""
        return self.camera.pivot

    def place_at(self, point: Point) -> tuple[float, ...]:
        """Return the place in space below a point of the window: on the ground, or as far away as the pivot."""
        scene = self.scene
        assert scene is not None
        met = scene.on_plane(point, (0, 0, 0), (0, 1, 0))
        if met is None or float(scene.depth(met)) > _HORIZON * self.camera.distance:
            met = scene.on_plane(point, self.camera.pivot, scene.view.axes[2])
        return tuple((met if met is not None else np.array(self.camera.pivot)).tolist())

    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
        assert self.scene is not None
        (left, top), (_, height) = self.scene.origin, self.scene.size
        (x0, y0), (x1, y1) = ((x - left, top + height - y) for x, y in (point, to or point))
        corners = [(x0, y0)] if to is None else [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        screen = np.array(corners, np.float64)
        return Region(screen, screen, flat=False, space=self.scene.pixels)

    # What commands change

    def zoom(self, notches: float) -> None:
        """Come nearer to the pivot, or go away."""
        self.camera = self.camera.zoom(notches)

    def frame(self, world: World, handles: Handles) -> None:
        """Show entities completely; everything in space if none of them is there."""
        table = world.table(Transform3D)
        some = handles[table.rows_of(handles) >= 0]
        some = some if len(some) else table.entities
        if not len(some):
            return
        low, high = extent_of(world, some)
        if (low == high).all():
            low, high = low - _ROOM, high + _ROOM
        self.camera = self.camera.frame(low, high, self._size[0] / self._size[1])
