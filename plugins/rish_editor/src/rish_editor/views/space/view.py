"""SceneView3D: space from a camera that turns around a point and flies.

The middle button turns around a point, with Shift it moves sideways, the wheel comes nearer. With the right button the
view looks around, and the keys W A S D Q E fly. Alt and the left button turn too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from rish_core import Transform
from rish_frame import Region
from rish_render import View
from rish_space3d import Transform3D

from ..view import SceneView
from .camera import OrbitCamera
from .compass import draw_compass
from .draw import SpaceDraw, theme_in_space
from .grid import grid_lines
from .outlines import extent_of

if TYPE_CHECKING:
    from rish_core import World
    from rish_space3d import SpaceView

    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...session.game.selection import Handles

Point = tuple[float, float]
_GROUPS = (("view.space", "view.flat", "view.frame"), ("view.grid", "view.light", "view.gizmos"))
_FLY = {"w": (0, 0, -1), "s": (0, 0, 1), "a": (-1, 0, 0), "d": (1, 0, 0), "q": (0, -1, 0), "e": (0, 1, 0)}
_CLICK_SLACK = 3.0
"""How far the right button may move in a click that opens the menu, pixels."""
_HALF_BOX = 1.0
"""Half the box, in meters, that is shown around an entity that draws nothing."""
_MAX_GROUND_DISTANCE = 20.0
"""The greatest distance of points on the ground, as a multiple of the distance between camera and pivot."""


class SceneView3D(SceneView):
    """Space, from a camera that turns around a point and flies. camera: where it looks from."""

    in_space = True

    def __init__(self) -> None:
        super().__init__()
        self.camera = OrbitCamera()
        self._framed = False
        self._moving: tuple[int, str] | None = None
        self._moved_pixels = 0.0

    def reset(self) -> None:
        """Show everything from the initial direction again."""
        super().reset()
        self.camera, self._framed, self._moving = OrbitCamera(), False, None

    def is_available(self, world: World) -> bool:
        """Return whether the game has the component Transform3D."""
        return Transform3D in world.tables

    def suits(self, editor: Editor, world: World) -> bool:
        """Return whether a scene has more things in space than on the plane only."""
        count = len(world.table(Transform3D)) if Transform3D in world.tables else 0
        return count > 0 and count > len(world.query(Transform, without=Transform3D))

    # One frame

    def navigate(self, editor: Editor, game: Game, origin: Point) -> None:
        """Turn, move and fly with mouse and keys; show all of a scene that was just opened."""
        io = imgui.get_io()
        if not self._framed:
            self._framed = True
            self.frame(game.world, np.zeros(0, np.int64))
        dx, dy = io.mouse_delta.x, io.mouse_delta.y
        if self._moving is not None and not imgui.is_mouse_down(self._moving[0]):
            self._moving = None
        if self._moving is not None:
            self._moved_pixels += abs(dx) + abs(dy)
            self.camera = {
                "orbit": lambda: self.camera.orbit(dx, dy),
                "pan": lambda: self.camera.pan(dx, dy, self.size[1]),
                "look": lambda: self.camera.look(dx, dy),
            }[self._moving[1]]()
            if self._moving[1] == "look":
                self._fly(editor, io.delta_time)
        if not imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item):
            return
        if self._moving is None:
            self._begin_move(editor)
        if io.mouse_wheel and not self.viewport.dragging:
            self.zoom(io.mouse_wheel)

    def _begin_move(self, editor: Editor) -> None:
        """Begin to move the view if a button was pressed for it."""
        left, middle, right = imgui.MouseButton_.left, imgui.MouseButton_.middle, imgui.MouseButton_.right
        ways = {middle: "pan" if editor.ui.shift else "orbit", right: "look"}
        if editor.ui.alt:
            ways[left] = "pan" if editor.ui.shift else "orbit"
        for button, way in ways.items():
            if imgui.is_mouse_clicked(button):
                self._moving, self._moved_pixels = (int(button), way), 0.0
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
        self._moved_pixels += 2 * _CLICK_SLACK
        editor.stay_awake()

    @property
    def right_button_moved(self) -> bool:
        """Whether the right button has moved the view, so that it opens no menu."""
        return self._moved_pixels > _CLICK_SLACK

    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> int:
        """Return the picture, a texture. dense: pixels of the screen for each of the window."""
        lines = None
        if editor.settings.show_grid:
            lines = grid_lines(self.camera, editor.settings.grid_3d, theme_in_space(editor))
        nothing = View(pixels, (0.0, 0.0), layers=frozenset())
        return game.draw(pixels, nothing, plain=not editor.view.light, space=self.camera.view, lines=lines)

    def canvases(self, editor: Editor, origin: Point, pointer: Point) -> Sequence[SpaceDraw]:
        """Return what draws over the picture."""
        return [SpaceDraw(editor, self.camera.view, origin, self.size, self.viewport.handles[0], pointer)]

    def draw_below(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw the compass; return whether the left button is for gizmos and for selecting."""
        chosen = draw_compass(self.scene, hovered=hovered and not self.viewport.dragging)
        if chosen:
            self.look_along(chosen)
        return self._moving is None and not chosen and not editor.ui.alt

    # The bar

    def buttons(self, editor: Editor) -> Sequence[Sequence[str]]:
        """Return the commands that are buttons of the bar, in groups."""
        return _GROUPS

    def position_text(self, point: Point) -> str:
        """Return the position at a point of the window as text."""
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
        met = scene.on_plane(point, (0, 0, 0), (0, 1, 0))
        if met is None or float(scene.depth(met)) > _MAX_GROUND_DISTANCE * self.camera.distance:
            met = scene.on_plane(point, self.camera.pivot, scene.view.axes[2])
        return tuple((met if met is not None else np.array(self.camera.pivot)).tolist())

    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
        (left, top), (_, height) = self.scene.origin, self.scene.size
        (x0, y0), (x1, y1) = ((x - left, top + height - y) for x, y in (point, to or point))
        corners = [(x0, y0)] if to is None else [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        screen = np.array(corners, np.float64)
        return Region(screen, screen, flat=False, space=self.scene.pixels)

    # What commands change

    def zoom(self, notches: float) -> None:
        """Move the camera nearer to the pivot, or away from it for negative values."""
        self.camera = self.camera.zoom(notches)

    def look_along(self, side: str) -> None:
        """Look along an axis of the world. side: one of `SIDES`."""
        self.camera = self.camera.side(side)

    def look_through(self, view: SpaceView) -> None:
        """Show the same as another view, such as that of a camera of the game."""
        self.camera = self.camera.through(view)

    @property
    def orthographic(self) -> bool:
        """Whether parallel lines stay parallel."""
        return self.camera.flat

    @orthographic.setter
    def orthographic(self, value: bool) -> None:
        self.camera = replace(self.camera, flat=value)

    def frame(self, world: World, handles: Handles) -> None:
        """Show entities completely; everything in space if none of them is there."""
        table = world.table(Transform3D)
        in_space = handles[table.rows_of(handles) >= 0]
        in_space = in_space if len(in_space) else table.entities
        if not len(in_space):
            return
        low, high = extent_of(world, in_space)
        if (low == high).all():
            low, high = low - _HALF_BOX, high + _HALF_BOX
        self.camera = self.camera.frame(low, high, self.size[0] / self.size[1])
