"""The view of the plane: the world from a camera that pans and zooms, with a grid and rulers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_core import Transform
from rish_render import View, main_view, region_at

from ...look import icons
from ...views.camera import SceneCamera
from ...views.draw import SceneDraw
from ...views.grid import BESIDE, RULER, draw_axes, draw_grid, draw_rulers
from ...views.outlines import extent_of
from ...views.viewport import Viewport

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ...session.editor import Editor
    from ...session.game import Game
    from ...session.selection import Handles

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
_PART = 0.9
"""How much of the view what the game's camera shows fills at first."""
_ROOM = 24.0
"""Half the box, in units, that is shown around an entity that draws nothing."""
_DIGITS_AT = ((8.0, 2), (0.5, 1))
"""From which zoom on the place of the pointer has how many digits."""
_ZOOM = ("view.zoom_out", "view.zoom_reset", "view.zoom_in", "view.frame")
_SWITCHES = ("view.grid", "view.light", "view.gizmos")


class Plane:
    """The plane. camera: where it looks from. viewport: the pointer over it. scene: what draws in this frame.

    scenes: it, and what draws over other spaces that the picture shows.
    """

    went_far = False

    def __init__(self) -> None:
        self.camera = SceneCamera()
        self.viewport = Viewport()
        self.scene: SceneDraw | None = None
        self.scenes: list[SceneDraw] = []
        self._seen: Any = None
        self._framed: Any = None
        self._size: tuple[int, int] = (16, 16)
        self._panning: int | None = None
        self._beside = 0.0

    # One frame

    def navigate(self, editor: Editor, game: Game, origin: Point, size: tuple[int, int]) -> None:
        """Pan with the right or middle button, or with Space and the left one; zoom with the wheel to the pointer."""
        self._size, io = size, imgui.get_io()
        self._begin(game, editor.ui.scale if editor.settings.show_grid else 0.0)
        if self._panning is not None:
            if imgui.is_mouse_down(self._panning):
                if imgui.is_mouse_dragging(self._panning, 3.0):
                    self.camera.pan(io.mouse_delta.x, io.mouse_delta.y)
            else:
                self._panning = None
        if not imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item):
            return
        for button in (imgui.MouseButton_.right, imgui.MouseButton_.middle, imgui.MouseButton_.left):
            wanted = button != imgui.MouseButton_.left or imgui.is_key_down(imgui.Key.space)
            if wanted and imgui.is_mouse_clicked(button):
                self._panning = button
                imgui.set_window_focus()  # Dear ImGui does that for the left button only
        if io.mouse_wheel and not self.viewport.dragging:
            self.camera.zoom(io.mouse_wheel, self._to_world((io.mouse_pos.x, io.mouse_pos.y), origin))

    def _begin(self, game: Game, rulers: float) -> None:
        """Look at what the game's camera shows in a scene that was just opened, until the person looks elsewhere.

        So it stays in view while the layout settles and when the panel gets another size. rulers: the scale of
        the rulers, which must not cover it, 0 without.
        """
        seen, camera = (game, game.scene), self.camera
        if self._seen != seen:
            self._seen, self._framed, self.viewport = seen, None, Viewport()
        known = self._framed
        if known is not None and (known[0] == self._size or known[1:] != (camera.center, camera.density)):
            return
        x0, y0, x1, y1 = self.home(game.world)
        covered = zip((BESIDE, RULER), self._size, strict=True)
        part = min(_PART, *(max(1 - 2 * rulers * ruler / length, 0.1) for ruler, length in covered))
        camera.frame((x0, y0), (x1, y1), self._size, part=part)
        self._framed = self._size, camera.center, camera.density

    def home(self, world: World) -> Rect:
        """Return what is shown of a scene that was just opened: the least and greatest x and y."""
        return main_view(world).bounds

    def area(self, origin: Point, size: Point) -> Rect:
        """Return where in the window the picture is: left, top, width and height."""
        return *origin, *size

    def drawers(self, editor: Editor) -> Sequence[tuple[type, Any]]:
        """Return the functions that draw over things, and their components."""
        return editor.gizmos

    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> Any:
        """Return the picture, a texture. dense: pixels of the screen for each of the window."""
        view = View(pixels, self.camera.center, density=self.camera.density * dense)
        self._view = view
        return game.draw(pixels, view, plain=not editor.view.light)

    def canvas(self, editor: Editor, origin: Point, size: Point, pointer: Point) -> SceneDraw:
        """Return what draws over the picture."""
        self.scene = SceneDraw(editor, self._view, origin, size, self.viewport.handles[0], pointer)
        self.scenes = [self.scene]
        return self.scene

    def begin(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw what lies below the handles; return whether the left button is for them."""
        assert self.scene is not None
        if editor.settings.show_grid:
            draw_grid(self.scene, editor.settings.grid)
            draw_axes(self.scene)
        return self.has_left_button

    @property
    def has_left_button(self) -> bool:
        """Whether the left button is for handles and for selecting, and moves the view not."""
        return self._panning is None and not imgui.is_key_down(imgui.Key.space)

    def finish(self, editor: Editor) -> None:
        """Draw the rulers, and say what is not to be seen here."""
        scene, ui = self.scene, editor.ui
        assert scene is not None
        if editor.settings.show_grid:
            self._beside = draw_rulers(scene, self.viewport.extent)
        hidden = int(np.count_nonzero(scene.selected()[1].screen))
        if hidden:
            text = editor.tr("{count} selected on a screen layer: arrange in the Game view", count=hidden)
            imgui.set_cursor_screen_pos((scene.origin[0] + self._beside + ui.px(10), scene.origin[1] + ui.px(30)))
            if ui.button(text, "screen", icon=icons.GAME):
                editor.show("editor.game")

    # The bar

    def inset(self, editor: Editor) -> float:
        """How far the bar is from the left edge, because of the ruler, pixels."""
        return self._beside if editor.settings.show_grid else 0.0

    def groups(self, editor: Editor) -> tuple[tuple[str, ...], ...]:
        """The commands that are buttons of the bar."""
        switches = [name for name in ("view.screen", "view.space") if editor.commands.enabled(name, editor)]
        return (*([tuple(switches)] if switches else []), _ZOOM, _SWITCHES)

    @property
    def label(self) -> str:
        """The zoom."""
        part = 100.0 * self.camera.density
        return f"{part:.0f} %" if part >= 10 else f"{part:.2g} %"

    def told(self, point: Point) -> str:
        """Return the place of a point of the window, as the bar says it."""
        digits = next((digits for zoom, digits in _DIGITS_AT if self.camera.density >= zoom), 0)
        x, y = self.place_at(point)
        return f"x {x:,.{digits}f}   y {y:,.{digits}f}"

    # Places

    @property
    def middle(self) -> tuple[float, ...]:
        """The point in the middle of the view, units."""
        return self.camera.center

    def place_at(self, point: Point) -> tuple[float, ...]:
        """Return the place of a point of the window, units."""
        assert self.scene is not None
        return self.scene.to_world(point)

    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
        scene = self.scene
        assert scene is not None
        ends = [scene.to_world(point), scene.to_world(to or point)]
        start, end = (tuple(place) for place in scene.view.to_screen(np.array(ends)).tolist())
        return region_at(world, start, end if to is not None else None, view=scene.view)

    def _to_world(self, point: Point, origin: Point) -> Point:
        x = self.camera.x + (point[0] - origin[0] - self._size[0] / 2) / self.camera.density
        y = self.camera.y - (point[1] - origin[1] - self._size[1] / 2) / self.camera.density
        return x, y

    # What commands change

    def zoom(self, notches: float) -> None:
        """Come nearer to the middle of the view, or go away."""
        self.camera.zoom(notches, self.camera.center)

    def look_at(self, low: Point, high: Point) -> None:
        """Show a box of the world completely. low, high: its corners, units."""
        self.camera.frame(low, high, self._size, part=1.0)

    def frame(self, world: World, handles: Handles) -> None:
        """Show entities completely; everything for none."""
        assert self.scene is not None
        extent = extent_of(self.scene, handles if len(handles) else world.table(Transform).entities)
        if extent is None:
            return
        x0, y0, x1, y1 = extent
        if (x0, y0) == (x1, y1):
            x0, y0, x1, y1 = x0 - _ROOM, y0 - _ROOM, x1 + _ROOM, y1 + _ROOM
        self.camera.frame((x0, y0), (x1, y1), self._size)
