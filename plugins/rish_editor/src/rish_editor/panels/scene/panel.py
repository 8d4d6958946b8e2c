"""The panel of the scene view: a picture of the world from a camera of its own, with everything over it.

What is special on the plane, in space and on the screen is in `plane`, `space` and `screen`; the order of a frame is
here.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_authoring import tree_order
from rish_core import RishError, Transform
from rish_frame import pick
from rish_space3d import Transform3D

from ...commands import entities
from ...commands.targets import below
from ...session.play import PlayState
from ...views.bar import draw_bar
from ...views.selecting import icons_at, unlocked
from ..nudging import nudge_with_keys
from ..view_menu import draw_menu
from .plane import Plane
from .screen import Screen, is_of_screen
from .space import Space

if TYPE_CHECKING:
    from rish_space3d import SpaceView

    from ...session.editor import Editor
    from ...session.game import Game
    from ...ui.ui import UI
    from ...views.canvas import Canvas

Point = tuple[float, float]


class ScenePanel:
    """A view of the world with a camera of its own.

    in_space: whether it shows three dimensions. on_screen: whether it shows the game's screen. plane, space, screen:
    the views, each with its camera.
    """

    id, title, icon, dock, order, bare = "editor.scene", "Scene", "scene", "center", 10, True
    entities = True

    def __init__(self) -> None:
        self.in_space = self.on_screen = False
        self.plane, self.space, self.screen = Plane(), Space(), Screen()
        self._opened: Any = None

    @property
    def view(self) -> Plane | Space:
        """The view that is shown."""
        return self.space if self.in_space else self.screen if self.on_screen else self.plane

    # One frame

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture, and over it the handles of the selected entities."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        self._choose(editor, game)
        view, size = self.view, (max(int(ui.room[0]), 16), max(int(ui.room[1]), 16))
        corner = imgui.get_cursor_screen_pos()
        origin = corner.x, corner.y
        view.navigate(editor, game, origin, size)
        dense = imgui.get_io().display_framebuffer_scale.y
        texture = view.draw(editor, game, (round(size[0] * dense), round(size[1] * dense)), dense)
        left, top, width, height = view.area(origin, size)
        imgui.get_window_draw_list().add_image(
            imgui.ImTextureRef(texture.glo.value), (left, top), (left + width, top + height), (0, 1), (1, 0)
        )
        imgui.set_next_item_allow_overlap()
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button("view", size, buttons | imgui.ButtonFlags_.mouse_button_middle)
        ui.mark("view")
        dropped = next(((kind, found) for kind in ("asset", "prefab") if (found := ui.drop_target(kind))), None)
        hovered, focused = bool(imgui.is_item_hovered()), bool(imgui.is_window_focused())
        pointer = imgui.get_io().mouse_pos
        scene = view.canvas(editor, origin, size, (pointer.x, pointer.y))
        if dropped is not None:
            imgui.set_window_focus()  # so that keys move what was dropped
            _create(editor, *dropped, view.place_at(scene.pointer_on_screen))
        scene.draw_list.push_clip_rect(origin, (origin[0] + size[0], origin[1] + size[1]), True)
        self._over(ui, editor, scene, hovered=hovered, focused=focused)
        scene.draw_list.pop_clip_rect()

    def _over(self, ui: UI, editor: Editor, scene: Canvas, *, hovered: bool, focused: bool) -> None:
        """Draw what lies over the picture, and follow pointer and keys."""
        game, view = editor.game, self.view
        assert game is not None
        viewport, pick_here = view.viewport, partial(self._pick, editor, game)
        free = view.begin(editor, hovered=hovered)
        viewport.interact(
            editor, view.scenes, pick_here, view.drawers(editor), hovered=hovered, focused=focused, free=free
        )
        if view.went_far:
            viewport.menu_wanted = False
        if focused and not viewport.dragging:
            nudge_with_keys(editor, view.scenes)
        if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and viewport.hovered is not None:
            self.frame(editor)
        draw_menu(editor, viewport, scene.pointer_on_screen, pick_here)
        view.finish(editor)
        place = view.told(scene.pointer_on_screen) if hovered or viewport.dragging else ""
        draw_bar(editor, scene, view.groups(editor), inset=view.inset(editor), label=view.label, place=place)
        if game.play.state is not PlayState.EDIT:
            (left, top), (width, height), edge = scene.origin, scene.size, ui.px(1)
            scene.draw_list.add_rect((left + edge, top + edge), (left + width - edge, top + height - edge),
                                     scene.color("play"), 0.0, ui.px(2))  # fmt: skip

    def _choose(self, editor: Editor, game: Game) -> None:
        """Show a scene that was just opened in space if it has more things there than on the plane only.

        Show the screen if it has more things there, such as widgets, than drawn in the world.
        """
        opened, world = (game, game.scene), game.world
        if self._opened != opened:
            self._opened, self.space = opened, Space()
            deep = len(world.table(Transform3D)) if Transform3D in world.tables else 0
            self.in_space = deep > 0 and deep > len(world.query(Transform, without=Transform3D))
            self.on_screen = not deep and is_of_screen(editor, world)
        self.in_space &= Transform3D in world.tables

    def _pick(self, editor: Editor, game: Game, point: Point, to: Point | None) -> list[int]:
        """Return the entities at a point of the window or in a box, icons first."""
        assert self.view.scene is not None
        marks = icons_at(self.view.scene, point, to)
        found = pick(game.app, self.view.region(game.world, point, to)).distinct
        known = set(marks)
        return unlocked(game, [*marks, *(handle for handle in found if handle not in known)])

    # What commands call

    def switch(self) -> None:
        """Show space instead of the plane, or the plane again."""
        self.in_space, self.on_screen = not self.in_space, False

    def switch_screen(self) -> None:
        """Show the screen of the game instead of the plane, or the plane again."""
        self.in_space, self.on_screen = False, not self.on_screen

    def place(self, in_space: bool) -> tuple[float, ...]:
        """Return where new things appear on the plane or in space: where the menu was opened, or the view looks."""
        view = self.space if in_space else self.screen if self.on_screen else self.plane
        at = view.viewport.menu_at
        return view.middle if at is None or view is not self.view else view.place_at(at)

    def frame(self, editor: Editor) -> None:
        """Show the selection completely, with what is below it in the tree; everything if nothing is selected."""
        game = editor.game
        if game is not None and self.view.scene is not None:
            self.view.frame(game.world, np.array(below(tree_order(game.app), game.selection.handles), np.int64))
            editor.stay_awake()

    def look_at(self, low: Point, high: Point) -> None:
        """Show a box of the plane, as a camera sees it. low, high: its corners, units."""
        self.on_screen = False
        self.plane.look_at(low, high)

    def look_through(self, view: SpaceView) -> None:
        """Show space as a view sees it, such as that of a camera of the game."""
        self.in_space = True
        self.space.camera = self.space.camera.through(view)

    def zoom(self, notches: float) -> None:
        """Come nearer to the middle of the view, or go away."""
        self.view.zoom(notches)

    def zoom_reset(self) -> None:
        """Show one unit of the plane, or one pixel of the screen, as one pixel of the window."""
        (self.screen if self.on_screen else self.plane).camera.density = 1.0


def _create(editor: Editor, kind: str, name: str, at: tuple[float, ...]) -> None:
    """Create what was dropped at a place, after this frame. kind: `asset` or `prefab`."""
    make = entities.create_from_asset if kind == "asset" else entities.spawn_prefab_here
    place = entities.rounded(editor, at)

    def work() -> None:
        try:
            make(editor, name, at=place)
        except RishError as error:
            editor.report(editor.tr("Create {name}", name=name), error)

    editor.later(work)
