"""The scene view: the world as the person arranges it, whatever the game's cameras show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_core import RishError, Transform
from rish_frame import pick
from rish_render import View, main_view, region_at
from rish_space3d import Transform3D

from ..commands import entities
from ..look import icons
from ..session.play import PlayState
from ..views.bar import draw_bar
from ..views.camera import SceneCamera
from ..views.draw import SceneDraw
from ..views.grid import draw_axes, draw_grid, draw_rulers
from ..views.icons_at import icons_at
from ..views.keys import nudge_with_keys
from ..views.outlines import extent_of
from ..views.selecting import unlocked
from ..views.viewport import Viewport
from .space import SpaceScene
from .view_menu import draw_menu

if TYPE_CHECKING:
    from rish_space3d import SpaceView

    from ..session.editor import Editor
    from ..session.game import Game
    from ..ui.ui import UI

Point = tuple[float, float]
_ROOM = 24.0
"""Half the box, in units, that is shown around an entity that draws nothing."""


class ScenePanel:
    """A view of the world with a camera of its own, flat or in space.

    in_space: whether it shows three dimensions. space: that view, with its camera.
    """

    id, title, icon, dock, order, bare = "editor.scene", "Scene", "scene", "center", 10, True

    def __init__(self) -> None:
        self.camera = SceneCamera()
        self.viewport = Viewport()
        self.in_space = False
        self.space = SpaceScene()
        self._chosen: Any = None
        self._seen: Any = None
        self._framed: Any = None
        self._size: tuple[int, int] = (16, 16)
        self._panning: int | None = None
        self._scene: SceneDraw | None = None

    @property
    def typing(self) -> bool:
        """Whether letters are for flying now, and not shortcuts."""
        return self.in_space and self.space.flying

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture, and over it the handles of the selected entities."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        self._choose(game)
        if self.in_space:
            self.space.draw(ui, editor, game)
            return
        self._size = size = max(int(ui.room[0]), 16), max(int(ui.room[1]), 16)
        self._begin(game)
        corner = imgui.get_cursor_screen_pos()
        origin = corner.x, corner.y
        dense = imgui.get_io().display_framebuffer_scale.y
        pixels = round(size[0] * dense), round(size[1] * dense)
        self._navigate(origin)
        view = View(pixels, self.camera.centre, density=self.camera.density * dense)
        texture = game.draw(pixels, view, plain=not editor.view.light)
        ui.image(texture.glo.value, size, flipped=True)
        imgui.set_cursor_screen_pos(corner)
        imgui.set_next_item_allow_overlap()
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button("view", size, buttons | imgui.ButtonFlags_.mouse_button_middle)
        ui.mark("view")
        dropped = next(((kind, found) for kind in ("asset", "prefab") if (found := ui.drop_target(kind))), None)
        hovered, focused = bool(imgui.is_item_hovered()), bool(imgui.is_window_focused())
        pointer = imgui.get_io().mouse_pos
        self._scene = scene = SceneDraw(editor, view, origin, size, self.viewport.handles[0], (pointer.x, pointer.y))
        if dropped is not None:
            _create(editor, *dropped, scene.pointer)
        self._over(ui, editor, scene, hovered=hovered, focused=focused)

    def _over(self, ui: UI, editor: Editor, scene: SceneDraw, *, hovered: bool, focused: bool) -> None:
        """Draw what lies over the picture."""
        assert editor.game is not None
        if editor.settings.show_grid:
            draw_grid(scene, editor.settings.grid)
            draw_axes(scene)
        free = self._panning is None and not imgui.is_key_down(imgui.Key.space)
        self.viewport.interact(
            editor, [scene], self._pick, editor.gizmos, hovered=hovered, focused=focused, free=free
        )  # fmt: skip
        if focused and not self.viewport.dragging:
            nudge_with_keys(editor, [scene])
        if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and self.viewport.hovered is not None:
            self.frame(editor)
        draw_menu(editor, self.viewport, lambda: self._pick(scene.pointer_on_screen, None))
        if editor.settings.show_grid:
            draw_rulers(scene, self.viewport.extent)
        draw_bar(editor, scene, hovered or self.viewport.dragging)
        self._notes(ui, editor, scene)

    def _notes(self, ui: UI, editor: Editor, scene: SceneDraw) -> None:
        """Say what is not to be seen here, and mark the view of a run."""
        game = editor.game
        assert game is not None
        (left, top), (width, height) = scene.origin, scene.size
        if game.play.state is not PlayState.EDIT:
            edge = ui.px(1)
            scene.draw_list.add_rect((left + edge, top + edge), (left + width - edge, top + height - edge),
                                     scene.colour("play"), 0.0, ui.px(2))  # fmt: skip
        hidden = int(np.count_nonzero(scene.selected()[1].screen))
        if hidden:
            text = editor.tr("{count} selected on a screen layer: arrange in the Game view", count=hidden)
            imgui.set_cursor_screen_pos((left + ui.px(32), top + ui.px(30)))
            if ui.button(text, "screen", icon=icons.GAME):
                editor.show("editor.game")

    def _choose(self, game: Game) -> None:
        """Show a scene that was just opened in space if it has more things there than on the plane only."""
        opened, world = (game, game.scene), game.world
        if self._chosen != opened:
            self._chosen, self.space = opened, SpaceScene()
            deep = len(world.table(Transform3D)) if Transform3D in world.tables else 0
            self.in_space = deep > 0 and deep > len(world.query(Transform, without=Transform3D))
        self.in_space &= Transform3D in world.tables

    def switch(self) -> None:
        """Show space instead of the plane, or the plane again."""
        self.in_space = not self.in_space

    def _begin(self, game: Game) -> None:
        """Look at what the game's camera shows in a scene that was just opened, until the person looks elsewhere.

        So it stays in view while the layout settles and when the panel gets another size.
        """
        seen, camera = (game, game.scene), self.camera
        if self._seen != seen:
            self._seen, self._framed, self.viewport = seen, None, Viewport()
        known = self._framed
        if known is not None and (known[0] == self._size or known[1:] != (camera.centre, camera.density)):
            return
        x0, y0, x1, y1 = main_view(game.world).bounds
        camera.frame((x0, y0), (x1, y1), self._size, part=0.9)
        self._framed = self._size, camera.centre, camera.density

    # The camera

    def frame(self, editor: Editor) -> None:
        """Show the selection completely; everything if nothing is selected."""
        game, scene = editor.game, self._scene
        if self.in_space:
            self.space.frame(editor)
        if game is None or scene is None or self.in_space:
            return
        chosen = game.selection.array
        extent = extent_of(scene, chosen if len(chosen) else game.world.table(Transform).entities)
        if extent is None:
            return
        x0, y0, x1, y1 = extent
        if (x0, y0) == (x1, y1):
            x0, y0, x1, y1 = x0 - _ROOM, y0 - _ROOM, x1 + _ROOM, y1 + _ROOM
        self.camera.frame((x0, y0), (x1, y1), self._size)

    def look_at(self, low: Point, high: Point) -> None:
        """Show a box of the world, as a camera sees it. low, high: its corners, units."""
        self.camera.frame(low, high, self._size, part=1.0)

    def look_through(self, view: SpaceView) -> None:
        """Show space as a view sees it, such as that of a camera of the game."""
        self.in_space = True
        self.space.camera = self.space.camera.through(view)

    def zoom(self, notches: float) -> None:
        """Come nearer to the middle of the view, or go away."""
        if self.in_space:
            self.space.camera = self.space.camera.zoom(notches)
            return
        self.camera.zoom(notches, self.camera.centre)

    def zoom_reset(self) -> None:
        """Show one unit as one pixel of the window."""
        self.camera.density = 1.0

    def _navigate(self, origin: Point) -> None:
        """Pan with the right or middle button, or with Space and the left one; zoom with the wheel to the pointer."""
        io = imgui.get_io()
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
        if io.mouse_wheel and not self.viewport.dragging:
            self.camera.zoom(io.mouse_wheel, self._to_world((io.mouse_pos.x, io.mouse_pos.y), origin))

    def _to_world(self, point: Point, origin: Point) -> Point:
        x = self.camera.x + (point[0] - origin[0] - self._size[0] / 2) / self.camera.density
        y = self.camera.y - (point[1] - origin[1] - self._size[1] / 2) / self.camera.density
        return x, y

    def _pick(self, point: Point, to: Point | None) -> list[int]:
        """Return the entities at a point of the window or in a box, icons first."""
        scene = self._scene
        assert scene is not None
        game = scene.editor.game
        assert game is not None
        return unlocked(game, [*icons_at(scene, point, to), *_drawn_at(scene, point, to)])


def _create(editor: Editor, kind: str, name: str, at: Point) -> None:
    """Create what was dropped, after this frame. kind: `asset` or `prefab`. at: where, units."""
    make = entities.create_from_asset if kind == "asset" else entities.spawn_prefab_here
    place = entities.rounded(editor, at)

    def work() -> None:
        try:
            make(editor, name, at=place)
        except RishError as error:
            editor.report(editor.tr("Create {name}", name=name), error)

    editor.later(work)


def _drawn_at(scene: SceneDraw, point: Point, to: Point | None) -> list[int]:
    game = scene.editor.game
    assert game is not None
    ends = [scene.to_world(point), scene.to_world(to or point)]
    start, end = (tuple(place) for place in scene.view.to_screen(np.array(ends)).tolist())
    region = region_at(game.world, start, end if to is not None else None, view=scene.view)
    known = set(icons_at(scene, point, to))
    return [handle for handle in pick(game.app, region).distinct if handle not in known]
