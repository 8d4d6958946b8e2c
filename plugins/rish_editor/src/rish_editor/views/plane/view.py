"""SceneView2D: the world from a camera that pans and zooms, with a grid and rulers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_core import Transform
from rish_render import View, main_view, region_at

from ...look import icons
from ..view import SceneView
from .camera import SceneCamera
from .draw import SceneDraw
from .grid import MIN_RULER_WIDTH, RULER_HEIGHT, draw_axes, draw_grid, draw_rulers
from .outlines import extent_of

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...session.game.selection import Handles

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
_HOME_SHARE = 0.9
"""The share of the view that is filled at first by what the game's camera shows."""
_HALF_BOX = 24.0
"""Half the box, in units, that is shown around an entity that draws nothing."""
_DIGITS_AT = ((8.0, 2), (0.5, 1))
"""Pairs of a least zoom and the number of decimals of the shown position."""
_ZOOM = ("view.zoom_out", "view.zoom_reset", "view.zoom_in", "view.frame")
_SWITCHES = ("view.grid", "view.light", "view.gizmos")


class SceneView2D(SceneView):
    """The plane, from a camera that pans and zooms. camera: where it looks from."""

    def __init__(self) -> None:
        super().__init__()
        self.camera = SceneCamera()
        self._framed: Any = None
        self._panning: int | None = None
        self._ruler_width = 0.0

    def reset(self) -> None:
        """Show the part of the world that the game's camera shows again."""
        super().reset()
        self._framed = None

    # One frame

    def navigate(self, editor: Editor, game: Game, origin: Point) -> None:
        """Pan with the right or middle button, or with Space and the left one; zoom with the wheel to the pointer."""
        io = imgui.get_io()
        self._look_at_home(game.world, editor.ui.scale if editor.settings.show_grid else 0.0)
        if self._panning is not None:
            if imgui.is_mouse_down(self._panning):
                if imgui.is_mouse_dragging(self._panning, 3.0):
                    self.camera.pan(io.mouse_delta.x, io.mouse_delta.y)
            else:
                self._panning = None
        if not imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item):
            return
        for button in (imgui.MouseButton_.right, imgui.MouseButton_.middle, imgui.MouseButton_.left):
            pans = button != imgui.MouseButton_.left or imgui.is_key_down(imgui.Key.space)
            if pans and imgui.is_mouse_clicked(button):
                self._panning = button
                imgui.set_window_focus()  # Dear ImGui does that for the left button only
        if io.mouse_wheel and not self.viewport.dragging:
            self.camera.zoom(io.mouse_wheel, self._to_world((io.mouse_pos.x, io.mouse_pos.y), origin))

    def _look_at_home(self, world: World, rulers: float) -> None:
        """Show the part of the world that the game's camera shows in a scene that was just opened, until the user moves
        the view.

        So it stays in view while the layout settles and when the panel gets another size. rulers: the scale of
        the rulers, which must not cover it, 0 without.
        """
        camera, framed = self.camera, self._framed
        if framed is not None and (framed[0] == self.size or framed[1:] != (camera.center, camera.density)):
            return
        x0, y0, x1, y1 = self.home(world)
        covered = zip((MIN_RULER_WIDTH, RULER_HEIGHT), self.size, strict=True)
        part = min(_HOME_SHARE, *(max(1 - 2 * rulers * ruler / length, 0.1) for ruler, length in covered))
        camera.frame((x0, y0), (x1, y1), self.size, part=part)
        self._framed = self.size, camera.center, camera.density

    def home(self, world: World) -> Rect:
        """Return the part of a scene that is shown when it is opened: the least and greatest x and y."""
        return main_view(world).bounds

    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> int:
        """Return the picture, a texture. dense: pixels of the screen for each of the window."""
        view = View(pixels, self.camera.center, density=self.camera.density * dense)
        self._view = view
        return game.draw(pixels, view, plain=not editor.view.light)

    def canvases(self, editor: Editor, origin: Point, pointer: Point) -> Sequence[SceneDraw]:
        """Return what draws over the picture."""
        return [SceneDraw(editor, self._view, origin, self.size, self.viewport.handles[0], pointer)]

    def draw_below(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw the grid; return whether the left button is for gizmos and for selecting."""
        if editor.settings.show_grid:
            draw_grid(self.scene, editor.settings.grid)
            draw_axes(self.scene)
        return self.has_left_button

    @property
    def has_left_button(self) -> bool:
        """Whether the left button drags handles and selects, and does not pan the view."""
        return self._panning is None and not imgui.is_key_down(imgui.Key.space)

    def draw_above(self, editor: Editor) -> None:
        """Draw the rulers, and a button to the Game view if selected entities are on layers in screen space."""
        self.draw_rulers(editor)
        scene, ui = self.scene, editor.ui
        hidden = int(np.count_nonzero(scene.selected()[1].screen))
        if hidden:
            text = editor.tr("{count} selected on a screen layer: arrange in the Game view", count=hidden)
            imgui.set_cursor_screen_pos((scene.origin[0] + self._ruler_width + ui.px(10), scene.origin[1] + ui.px(30)))
            if ui.button(text, "screen", icon=icons.GAME):
                editor.show("editor.game")

    def draw_rulers(self, editor: Editor) -> None:
        """Draw the rulers if the grid is shown."""
        if editor.settings.show_grid:
            self._ruler_width = draw_rulers(self.scene, self.viewport.extent)

    # The bar

    def inset(self, editor: Editor) -> float:
        """Return the width of the ruler beside the bar, units of the window."""
        return self._ruler_width if editor.settings.show_grid else 0.0

    def buttons(self, editor: Editor) -> Sequence[Sequence[str]]:
        """Return the commands that are buttons of the bar, in groups."""
        switches = [name for name in ("view.screen", "view.space") if editor.commands.enabled(name, editor)]
        return (*([tuple(switches)] if switches else []), _ZOOM, _SWITCHES)

    @property
    def label(self) -> str:
        """The zoom, in percent."""
        part = 100.0 * self.camera.density
        return f"{part:.0f} %" if part >= 10 else f"{part:.2g} %"

    def position_text(self, point: Point) -> str:
        """Return the position at a point of the window as text, with more digits at a higher zoom."""
        digits = next((digits for zoom, digits in _DIGITS_AT if self.camera.density >= zoom), 0)
        x, y = self.place_at(point)
        return f"x {x:,.{digits}f}   y {y:,.{digits}f}"

    # Places

    @property
    def middle(self) -> tuple[float, ...]:
        """The point in the middle of the view, units."""
        return self.camera.center

    def place_at(self, point: Point) -> tuple[float, ...]:
        """Return the position at a point of the window, units."""
        return self.scene.to_world(point)

    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
        scene = self.scene
        ends = [scene.to_world(point), scene.to_world(to or point)]
        start, end = (tuple(place) for place in scene.view.to_screen(np.array(ends)).tolist())
        return region_at(world, start, end if to is not None else None, view=scene.view)

    def _to_world(self, point: Point, origin: Point) -> Point:
        x = self.camera.x + (point[0] - origin[0] - self.size[0] / 2) / self.camera.density
        y = self.camera.y - (point[1] - origin[1] - self.size[1] / 2) / self.camera.density
        return x, y

    # What commands change

    def zoom(self, notches: float) -> None:
        """Zoom in at the middle of the view, or out for negative values."""
        self.camera.zoom(notches, self.camera.center)

    def zoom_reset(self) -> None:
        """Show one unit as one unit of the window."""
        self.camera.density = 1.0

    def look_at(self, low: Point, high: Point) -> None:
        """Show a box of the world completely, without a border. low, high: its corners, units."""
        self.camera.frame(low, high, self.size, part=1.0)

    def frame(self, world: World, handles: Handles) -> None:
        """Show entities completely; everything for none."""
        extent = extent_of(self.scene, handles if len(handles) else world.table(Transform).entities)
        if extent is None:
            return
        x0, y0, x1, y1 = extent
        if (x0, y0) == (x1, y1):
            x0, y0, x1, y1 = x0 - _HALF_BOX, y0 - _HALF_BOX, x1 + _HALF_BOX, y1 + _HALF_BOX
        self.camera.frame((x0, y0), (x1, y1), self.size)
