"""The scene view in three dimensions: the picture of space from the panel's own camera, with everything over it.

The middle button turns around a point, with Shift it moves sideways, the wheel comes nearer. With the right button the
view looks around, and the keys W A S D Q E fly. Alt and the left button turn too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_core import RishError
from rish_frame import Region, pick
from rish_render import View
from rish_space3d import Transform3D

from ..commands import entities
from ..look import icons
from ..session.play import PlayState
from ..views.icons_at import icons_at
from ..views.selecting import unlocked
from ..views.space.camera import OrbitCamera
from ..views.space.compass import draw_compass
from ..views.space.draw import SpaceDraw
from ..views.space.grid import grid_lines
from ..views.space.outlines import extent_of
from ..views.viewport import Viewport
from .view_menu import draw_menu

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.game import Game
    from ..ui.ui import UI

Point = tuple[float, float]
_SWITCHES = ("view.space", "view.flat", "view.frame", "view.grid", "view.light", "view.gizmos")
"""The commands that are buttons of the bar."""
_FLY = {"w": (0, 0, -1), "s": (0, 0, 1), "a": (-1, 0, 0), "d": (1, 0, 0), "q": (0, -1, 0), "e": (0, 1, 0)}
_SLACK = 3.0
"""How far the right button may move in a click that opens the menu, pixels."""
_ROOM = 1.0
"""Half the box, in metres, that is shown around an entity that draws nothing."""


class SpaceScene:
    """The part of the scene panel that shows space. camera: where it looks from."""

    def __init__(self) -> None:
        self.camera = OrbitCamera()
        self.viewport = Viewport()
        self.scene: SpaceDraw | None = None
        self._framed: Any = None
        self._moving: tuple[int, str] | None = None
        self._far = 0.0

    def draw(self, ui: UI, editor: Editor, game: Game) -> None:
        """Draw the picture, and over it the handles of the selected entities."""
        size = max(int(ui.room[0]), 16), max(int(ui.room[1]), 16)
        corner = imgui.get_cursor_screen_pos()
        origin = corner.x, corner.y
        if self._framed is not game or self.scene is None:
            self._framed = game
            self._frame_all(game, size)
        self._navigate(editor, size)
        view = self.camera.view
        dense = imgui.get_io().display_framebuffer_scale.y
        pixels = round(size[0] * dense), round(size[1] * dense)
        lines = grid_lines(self.camera, editor.settings.grid_3d) if editor.settings.show_grid else None
        nothing = View(pixels, (0.0, 0.0), layers=frozenset())
        texture = game.draw(pixels, nothing, plain=not editor.view.light, space=view, lines=lines)
        ui.image(texture.glo.value, size, flipped=True)
        imgui.set_cursor_screen_pos(corner)
        imgui.set_next_item_allow_overlap()
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button("view", size, buttons | imgui.ButtonFlags_.mouse_button_middle)
        ui.mark("view")
        dropped = next(((kind, found) for kind in ("asset", "prefab") if (found := ui.drop_target(kind))), None)
        hovered, focused = bool(imgui.is_item_hovered()), bool(imgui.is_window_focused())
        mouse = imgui.get_io().mouse_pos
        self.scene = SpaceDraw(editor, view, origin, size, self.viewport.handles[0], (mouse.x, mouse.y))
        if dropped is not None:
            self._create(editor, *dropped)
        lines_over = imgui.get_window_draw_list()
        lines_over.push_clip_rect(origin, (origin[0] + size[0], origin[1] + size[1]), True)
        self._over(ui, editor, self.scene, hovered=hovered, focused=focused)
        lines_over.pop_clip_rect()

    def _over(self, ui: UI, editor: Editor, scene: SpaceDraw, *, hovered: bool, focused: bool) -> None:
        """Draw what lies over the picture."""
        chosen = draw_compass(scene, hovered=hovered and not self.viewport.dragging)
        if chosen:
            self.camera = self.camera.side(chosen)
        free = self._moving is None and not chosen and not editor.ui.alt
        self.viewport.interact(
            editor, [scene], self._pick, editor.gizmos, hovered=hovered, focused=focused, free=free
        )  # fmt: skip
        if self._far > _SLACK:
            self.viewport.menu_wanted = False
        if hovered and imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and self.viewport.hovered is not None:
            self.frame(editor)
        draw_menu(editor, self.viewport, lambda: self._pick(scene.pointer_on_screen, None))
        _bar(editor, scene)
        (left, top), (width, height) = scene.origin, scene.size
        if editor.game is not None and editor.game.play.state is not PlayState.EDIT:
            edge = ui.px(1)
            scene.draw_list.add_rect((left + edge, top + edge), (left + width - edge, top + height - edge),
                                     scene.colour("play"), 0.0, ui.px(2))  # fmt: skip

    # The camera

    def frame(self, editor: Editor) -> None:
        """Show the selection completely; everything in space if nothing of it is selected."""
        if self.scene is not None and editor.game is not None:
            self._frame_all(editor.game, self.scene.size, chosen=True)
            editor.stay_awake()

    def _frame_all(self, game: Game, size: Point, *, chosen: bool = False) -> None:
        table = game.world.table(Transform3D)
        handles = table.entities
        if chosen:
            some = game.selection.array
            some = some[table.rows_of(some) >= 0]
            handles = some if len(some) else handles
        if not len(handles):
            return
        low, high = extent_of(game.world, handles)
        if (low == high).all():
            low, high = low - _ROOM, high + _ROOM
        self.camera = self.camera.frame(low, high, size[0] / size[1])

    def _navigate(self, editor: Editor, size: Point) -> None:
        """Turn, move and fly with mouse and keys."""
        io = imgui.get_io()
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
            self.camera = self.camera.zoom(io.mouse_wheel)

    def _begin(self, editor: Editor) -> None:
        """Begin to move the view if a button was pressed for it."""
        left, middle, right = imgui.MouseButton_.left, imgui.MouseButton_.middle, imgui.MouseButton_.right
        ways = {middle: "pan" if editor.ui.shift else "orbit", right: "look"}
        if editor.ui.alt:
            ways[left] = "pan" if editor.ui.shift else "orbit"
        for button, way in ways.items():
            if imgui.is_mouse_clicked(button):
                self._moving, self._far = (int(button), way), 0.0

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
    def flying(self) -> bool:
        """Whether letter keys belong to the view now, because the right button is down."""
        return self._moving is not None and self._moving[1] == "look"

    # What is in the picture

    def _pick(self, point: Point, to: Point | None) -> list[int]:
        """Return the entities at a point of the window or in a box, icons first."""
        scene = self.scene
        assert scene is not None
        game = scene.editor.game
        assert game is not None
        marks = icons_at(scene, point, to)
        found = pick(game.app, region_in(scene, point, to)).distinct
        return unlocked(game, [*marks, *(handle for handle in found if handle not in set(marks))])

    def place_at(self, point: Point) -> tuple[float, float, float]:
        """Return the place in space below a point of the window: on the ground, or as far away as the pivot."""
        scene = self.scene
        assert scene is not None
        met = scene.on_plane(point, (0, 0, 0), (0, 1, 0))
        if met is None or float(scene.depth(met)) > 20 * self.camera.distance:
            met = scene.on_plane(point, self.camera.pivot, scene.view.axes[2])
        x, y, z = (met if met is not None else np.array(self.camera.pivot)).tolist()
        return x, y, z

    def _create(self, editor: Editor, kind: str, name: str) -> None:
        """Create what was dropped, after this frame. kind: `asset` or `prefab`."""
        assert self.scene is not None
        make = entities.create_from_asset if kind == "asset" else entities.spawn_prefab_here
        place = entities.rounded_3d(editor, self.place_at(self.scene.pointer_on_screen))

        def work() -> None:
            try:
                make(editor, name, space=place)
            except RishError as error:
                editor.report(editor.tr("Create {name}", name=name), error)

        editor.later(work)


def region_in(scene: SpaceDraw, point: Point, to: Point | None) -> Region:
    """Return the region of a point of the window, or of a box, for `rish_frame.pick`."""
    (left, top), (_, height) = scene.origin, scene.size
    (x0, y0), (x1, y1) = ((x - left, top + height - y) for x, y in (point, to or point))
    corners = [(x0, y0)] if to is None else [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    screen = np.array(corners, np.float64)
    return Region(screen, screen, flat=False, space=scene.pixels)


def _bar(editor: Editor, scene: SpaceDraw) -> None:
    """Draw the bar at the bottom left."""
    ui = editor.ui
    side, gap, margin = imgui.get_frame_height(), ui.px(2), ui.px(10)
    width = len(_SWITCHES) * (side + gap) + ui.px(4)
    x, y = scene.origin[0] + margin, scene.origin[1] + scene.size[1] - side - margin - ui.px(6)
    back = (x, y), (x + width, y + side + ui.px(6))
    scene.draw_list.add_rect_filled(*back, ui.theme.packed("popup", 0.94), ui.px(6))
    scene.draw_list.add_rect(*back, ui.theme.packed("border"), ui.px(6))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (gap, 0.0))
    with ui.inside("bar"):
        imgui.set_cursor_screen_pos((x + ui.px(3), y + ui.px(3)))
        for name in _SWITCHES:
            command = editor.commands[name]
            active = bool(command.checked(editor)) if command.checked is not None else False
            tip = editor.commands.tip(name, editor)
            if ui.icon_button(icons.by_name(command.icon), name, tip, active=active):
                editor.run(name)
            imgui.same_line()
    imgui.pop_style_var()
