"""The panel of the scene view: a picture of the world from a camera of its own, with everything over it.

What differs between the plane, space and the screen is in their views, see `SceneView`; the order of a frame is here.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_authoring import tree_order
from rish_core import RishError
from rish_frame import pick

from ...commands.entities import creating
from ...commands.targets import below
from ...session.game.play import PlayState
from ...views.bar import draw_bar
from ...views.interaction.nudging import nudge_with_keys
from ...views.interaction.selecting import icons_at, unlocked
from ...views.plane.view import SceneView2D
from ...views.screen import ScreenView
from ...views.space.view import SceneView3D
from .menu import draw_menu

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI
    from ...views.canvas import Canvas
    from ...views.view import SceneView

Point = tuple[float, float]


class ScenePanel:
    """A view of the world with a camera of its own.

    views: the views by name, the one that is shown by default first; a plugin may add its own. shown: the name of the
    one that is shown, see `show`.
    """

    id, title, icon, dock, order, bare = "editor.scene", "Scene", "scene", "center", 10, True
    entities = True

    def __init__(self) -> None:
        self.views: dict[str, SceneView] = {"2d": SceneView2D(), "screen": ScreenView(), "3d": SceneView3D()}
        self.shown = "2d"
        self._opened: Any = None
        self._drawn_until = -1.0

    @property
    def view(self) -> SceneView:
        """The view that is shown."""
        return self.views[self.shown]

    # One frame

    def inputs(self, editor: Editor) -> Any:
        """Return what the picture and the handles are made of; None in a run, and after another panel has drawn a
        picture, which replaces that of this one."""
        game, view = editor.game, self.view
        if game is None or not game.editing or game.surface.seconds != self._drawn_until:
            return None
        versions = [table.version for table in game.world.tables.values()]
        tools = self.shown, view.middle, view.label, view.viewport.dragging, *vars(editor.view).values()
        return game.scene, game.world.membership, versions, game.selection.version, len(game.locked), tools

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
        view.size = size
        view.navigate(editor, game, origin)
        self._picture(editor, game, origin)
        imgui.set_next_item_allow_overlap()
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button("view", size, buttons | imgui.ButtonFlags_.mouse_button_middle)
        ui.mark("view")
        dropped = next(((kind, name) for kind in ("asset", "prefab") if (name := ui.drop_target(kind))), None)
        hovered, focused = bool(imgui.is_item_hovered()), bool(imgui.is_window_focused())
        pointer = imgui.get_io().mouse_pos
        view.scenes = view.canvases(editor, origin, (pointer.x, pointer.y))
        if dropped is not None:
            imgui.set_window_focus()  # so that keys move what was dropped
            _create(editor, *dropped, view.place_at(view.scene.pointer_on_screen))
        lines = imgui.get_window_draw_list()
        lines.push_clip_rect(origin, (origin[0] + size[0], origin[1] + size[1]), True)
        self._over(ui, editor, game, view.scene, hovered=hovered, focused=focused)
        lines.pop_clip_rect()

    def _picture(self, editor: Editor, game: Game, origin: Point) -> None:
        """Draw the picture of the view into the window."""
        view, dense = self.view, imgui.get_io().display_framebuffer_scale.y
        width, height = view.size
        texture = view.draw(editor, game, (round(width * dense), round(height * dense)), dense)
        left, top, across, high = view.area(origin, view.size)
        imgui.get_window_draw_list().add_image(
            imgui.ImTextureRef(texture), (left, top), (left + across, top + high), (0, 1), (1, 0)
        )
        self._drawn_until = game.surface.seconds

    def _over(self, ui: UI, editor: Editor, game: Game, scene: Canvas, *, hovered: bool, focused: bool) -> None:
        """Draw what lies over the picture, and follow pointer and keys."""
        view = self.view
        viewport, pick_here = view.viewport, partial(self._pick, game)
        free = view.draw_below(editor, hovered=hovered)
        viewport.interact(
            editor, view.scenes, pick_here, view.drawers(editor), hovered=hovered, focused=focused, free=free
        )
        if view.right_button_moved:
            viewport.menu_wanted = False
        if focused and not viewport.dragging:
            nudge_with_keys(editor, view.scenes)
        if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and viewport.hovered is not None:
            self.frame(editor)
        draw_menu(editor, viewport, scene.pointer_on_screen, pick_here)
        view.draw_above(editor)
        position = view.position_text(scene.pointer_on_screen) if hovered or viewport.dragging else ""
        draw_bar(editor, scene, view.buttons(editor), inset=view.inset(editor), label=view.label, place=position)
        if game.play.state is not PlayState.EDIT:
            (left, top), (width, height), edge = scene.origin, scene.size, ui.px(1)
            scene.draw_list.add_rect((left + edge, top + edge), (left + width - edge, top + height - edge),
                                     scene.color("play"), 0.0, ui.px(2))  # fmt: skip

    def _choose(self, editor: Editor, game: Game) -> None:
        """Choose the view that suits a scene that was just opened, and the default one if a view is not available."""
        opened, world, default = (game, game.scene), game.world, next(iter(self.views))
        if self._opened != opened:
            self._opened = opened
            for view in self.views.values():
                view.reset()
            self.shown = next((name for name, view in self.views.items() if view.suits(editor, world)), default)
        if self.shown not in self.views or not self.view.is_available(world):
            self.shown = default

    def _pick(self, game: Game, point: Point, to: Point | None) -> list[int]:
        """Return the entities at a point of the window or in a box, icons first."""
        icons = icons_at(self.view.scene, point, to)
        hits, marked = pick(game.app, self.view.region(game.world, point, to)).distinct, set(icons)
        return unlocked(game, [*icons, *(handle for handle in hits if handle not in marked)])

    # What commands call

    def show(self, name: str) -> SceneView:
        """Show a view by its name; return it."""
        self.shown = name
        return self.view

    def switch(self, name: str) -> None:
        """Show a view, or the default one if it is shown already."""
        self.shown = next(iter(self.views)) if self.shown == name else name

    def place(self, in_space: bool) -> tuple[float, ...]:
        """Return where new things appear on the plane or in space: where the menu was opened, or the view looks."""
        view = next(view for view in (self.view, *self.views.values()) if view.in_space == in_space)
        point = view.viewport.menu_at
        return view.middle if point is None or view is not self.view else view.place_at(point)

    def frame(self, editor: Editor) -> None:
        """Show the selection completely, with all descendants; everything if nothing is selected."""
        game = editor.game
        if game is not None and self.view.scenes:
            self.view.frame(game.world, np.array(below(tree_order(game.app), game.selection.handles), np.int64))
            editor.stay_awake()


def _create(editor: Editor, kind: str, name: str, at: tuple[float, ...]) -> None:
    """Create an entity from a dropped asset or prefab at a position, after this frame. kind: `asset` or `prefab`."""
    make = creating.create_from_asset if kind == "asset" else creating.spawn_prefab_here
    place = creating.rounded(editor, at)

    def work() -> None:
        try:
            make(editor, name, at=place)
        except RishError as error:
            editor.report(editor.tr("Create {name}", name=name), error)

    editor.later(work)
