"""The scene view: the world as the person arranges it, whatever the game's cameras show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_frame import pick
from rish_render import View, main_view, region_at

from ..views.camera import SceneCamera
from ..views.draw import SceneDraw
from ..views.handles import Handles

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

Point = tuple[float, float]
_SMALLEST = 64
"""Pixels; the panel is smaller in the first frame, before its place is known."""


class ScenePanel:
    """A view of the world with a camera of its own."""

    id, title, icon, dock, order, bare = "editor.scene", "Scene", "scene", "center", 10, True

    def __init__(self) -> None:
        self.camera = SceneCamera()
        self.handles = Handles()
        self._game: Any = None
        self._box: Point | None = None

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture, and over it the handles of the selected entities."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        size = max(int(ui.room[0]), 16), max(int(ui.room[1]), 16)
        if self._game is not game and min(size) >= _SMALLEST:
            self._begin(editor, size)
        corner = imgui.get_cursor_screen_pos()
        origin = corner.x, corner.y
        self._navigate(origin, size)
        view = View(size, self.camera.centre, density=self.camera.density)
        texture = game.draw(size, view, plain=not editor.view.light)
        ui.image(texture.glo.value, size, flipped=True)
        imgui.set_cursor_screen_pos(corner)
        imgui.invisible_button("view", size, imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right)
        ui.mark("view")
        self._interact(ui, editor, view, origin, size)

    def _begin(self, editor: Editor, size: tuple[int, int]) -> None:
        """Look at what the game's camera shows first."""
        assert editor.game is not None
        self._game = editor.game
        x0, y0, x1, y1 = main_view(editor.game.world).bounds
        self.camera.frame((x0, y0), (x1, y1), size, part=0.9)

    def _navigate(self, origin: Point, size: Point) -> None:
        """Pan with the right or middle button, zoom with the wheel to the pointer."""
        if not imgui.is_window_hovered():
            return
        io = imgui.get_io()
        for button in (imgui.MouseButton_.right, imgui.MouseButton_.middle):
            if imgui.is_mouse_dragging(button, 2.0):
                self.camera.pan(io.mouse_delta.x, io.mouse_delta.y)
        if io.mouse_wheel:
            self.camera.zoom(io.mouse_wheel, self._to_world((io.mouse_pos.x, io.mouse_pos.y), origin, size))

    def _to_world(self, point: Point, origin: Point, size: Point) -> Point:
        x = self.camera.x + (point[0] - origin[0] - size[0] / 2) / self.camera.density
        y = self.camera.y - (point[1] - origin[1] - size[1] / 2) / self.camera.density
        return x, y

    def _interact(self, ui: UI, editor: Editor, view: View, origin: Point, size: Point) -> None:
        io = imgui.get_io()
        pointer = io.mouse_pos.x, io.mouse_pos.y
        hovered = bool(imgui.is_item_hovered())
        pressed = hovered and bool(imgui.is_mouse_clicked(imgui.MouseButton_.left))
        scene = SceneDraw(editor, view, origin, size, self.handles, pointer)
        self.handles.begin(down=bool(imgui.is_mouse_down(imgui.MouseButton_.left)), escaped=ui.pressed("escape"))
        if editor.view.gizmos:
            self._overlays(editor, scene)
        self.handles.finish(hovered=hovered, pressed=pressed, pointer=scene.pointer)
        if not self.handles.busy or self._box is not None:
            self._select(ui, editor, scene, pressed)

    def _overlays(self, editor: Editor, scene: SceneDraw) -> None:
        """Call the drawers of plugins; one that raises is not called again."""
        assert editor.game is not None
        world = editor.game.world
        for cls, drawer in editor.gizmos:
            if drawer in editor.failed_drawers or cls not in world.tables:
                continue
            handles = world.table(cls).entities
            if not len(handles):
                continue
            try:
                drawer(scene, editor, handles)
            except Exception as error:
                editor.failed_drawers.add(drawer)
                editor.report(editor.tr("The gizmo of {name}", name=cls.__name__), error)

    def _select(self, ui: UI, editor: Editor, scene: SceneDraw, pressed: bool) -> None:
        """Select by a click or by a box; Ctrl toggles, Shift adds."""
        assert editor.game is not None
        if pressed:
            self._box = scene.pointer
        if self._box is None:
            return
        start, now = self._box, scene.pointer
        far = np.hypot(*(np.subtract(scene.to_screen(start), scene.to_screen(now)))) > 4
        if imgui.is_mouse_down(imgui.MouseButton_.left):
            if far:
                scene.box(start, now, "accent", filled=True, opacity=0.15)
                scene.box(start, now, "accent")
            return
        self._box = None
        at = scene.view.to_screen(np.array([start, now]))
        corner, other = (tuple(point) for point in at.tolist())
        region = region_at(scene.world, corner, other if far else None, view=scene.view)
        found = pick(editor.game.app, region).distinct
        chosen = found if far else found[:1]
        selection = editor.game.selection
        with editor.game.edit(editor.tr("Select")):
            if ui.ctrl:
                selection.toggle(chosen)
            elif ui.shift:
                selection.add(chosen)
            else:
                selection.set(chosen)
