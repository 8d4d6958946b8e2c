"""The game view: the picture that a player sees. While the game is played, it gets keys and pointer; before, entities
can be selected and moved in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_frame import Frame, pick
from rish_render import main_view, region_at, screen_view

from ...look import icons
from ...session.game.input import LEAVE
from ...session.game.play import PlayState
from ...views.interaction.nudging import nudge_with_keys
from ...views.interaction.selecting import unlocked
from ...views.interaction.viewport import Viewport
from ...views.plane.draw import SceneDraw
from ...views.screen import game_view_gizmos
from .menu import draw_menu

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
FREE, GAME = "free", "game"
SHAPES = {
    FREE: 0.0,
    GAME: 0.0,
    "16:9": 16 / 9,
    "16:10": 1.6,
    "4:3": 4 / 3,
    "1:1": 1.0,
    "9:16": 9 / 16,
    "9:19.5": 9 / 19.5,
}
"""The choices for the size of the game's screen: that of the panel, that of the manifest, or an aspect ratio, width /
height."""


class GamePanel:
    """The picture of the game's cameras.

    shape: one of `SHAPES`. maximize: whether the view fills the window while the game is played.
    """

    id, title, icon, dock, order, bare = "editor.game", "Game", "game", "center", 20, True
    entities = True

    def __init__(self) -> None:
        self.shape = FREE
        self.maximize = False
        self.viewport = Viewport()
        self._game: Any = None
        self._state = PlayState.EDIT
        self._wanted = False
        self._scenes: list[SceneDraw] = []

    def save(self) -> dict[str, Any]:
        """Return the options."""
        return {"shape": self.shape, "maximize": self.maximize}

    def load(self, data: Any) -> None:
        """Take the options that `save` returned; unknown ones are left out."""
        if isinstance(data, dict):
            shape = data.get("shape")
            self.shape = shape if isinstance(shape, str) and shape in SHAPES else FREE
            self.maximize = data.get("maximize") is True

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the picture."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
            return
        if self._game is not game:
            self._game, self.viewport = game, Viewport()
        self._follow_play(editor, game)
        self._bar(ui, editor, game)
        corner = imgui.get_cursor_screen_pos()
        room = max(ui.room[0], 16.0), max(ui.room[1], 16.0)
        size, area = self._placed(game, (corner.x, corner.y), room)
        texture = game.draw(size)
        imgui.set_cursor_screen_pos(area[:2])
        ui.image(texture, area[2:], flipped=True)
        imgui.set_cursor_screen_pos((corner.x, corner.y))
        imgui.set_next_item_allow_overlap()
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button("view", room, buttons)
        hovered, focused = bool(imgui.is_item_hovered()), bool(imgui.is_window_focused())
        ui.mark_area("view", area[0], area[1], area[0] + area[2], area[1] + area[3])
        if game.play.state is PlayState.PLAYING:
            self._play(ui, editor, area, size, hovered=hovered, focused=focused)
        else:
            editor.input.leave()
            self._arrange(editor, game, area, size, hovered=hovered, focused=focused)
        if game.play.running:
            self._frame(ui, editor, (corner.x, corner.y), room)

    def _follow_play(self, editor: Editor, game: Game) -> None:
        """Give the game the keyboard focus when it starts, and maximize the panel if the option is set."""
        state = game.play.state
        if state is not self._state:
            if state is PlayState.PLAYING:
                self._wanted = True
            if state is PlayState.EDIT or self._state is PlayState.EDIT:
                editor.panels.maximized = self.id if self.maximize and state is not PlayState.EDIT else ""
            self._state = state

    # The size of the game's screen

    def _placed(self, game: Game, corner: Point, room: Point) -> tuple[tuple[int, int], Rect]:
        """Return the size of the game's screen in pixels, and where in the window it is shown."""
        dense = imgui.get_io().display_framebuffer_scale.y
        width, height = room
        design = game.world[Frame].design
        aspect = design[0] / design[1] if self.shape == GAME else SHAPES[self.shape]
        if aspect:
            width, height = min(width, height * aspect), min(height, width / aspect)
        width, height = max(round(width), 16), max(round(height), 16)
        size = round(width * dense), round(height * dense)
        if self.shape == GAME:
            size = design
        left, top = corner[0] + (room[0] - width) // 2, corner[1] + (room[1] - height) // 2
        return size, (left, top, float(width), float(height))

    def _bar(self, ui: UI, editor: Editor, game: Game) -> None:
        """Draw the options above the picture."""
        tr = editor.tr
        imgui.set_cursor_pos((imgui.get_cursor_pos_x() + ui.px(6), imgui.get_cursor_pos_y() + ui.px(3)))
        width, height = game.world[Frame].design
        labels = {FREE: tr("Free"), GAME: f"{width} × {height}"}
        shape = ui.choice("shape", self.shape, list(SHAPES), labels=[labels.get(name, name) for name in SHAPES],
                          tooltip=tr("Size of the game's screen"), width=ui.px(112))  # fmt: skip
        if shape is not None:
            self.shape = shape
        ui.same_line(4)
        if ui.icon_button(icons.MAXIMIZE, "maximize", tr("Fill the window while playing"), active=self.maximize):
            self.maximize = not self.maximize
        hint = ""
        if editor.input.focused:
            hint = tr("The game has the keyboard; {key} gives it back", key=LEAVE)
        elif game.play.state is PlayState.PLAYING:
            hint = tr("Click into the picture to play")
        if hint:
            ui.same_line(12)
            imgui.align_text_to_frame_padding()
            ui.text(hint, color=ui.theme.rgba("play"))
            ui.mark("hint")
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y + ui.px(3))

    # Playing

    def _play(self, ui: UI, editor: Editor, area: Rect, size: tuple[int, int], *, hovered: bool, focused: bool) -> None:
        """Give the game the keyboard focus while this panel has it."""
        editor.input.show(area, size)
        clicked = hovered and bool(imgui.is_mouse_clicked(imgui.MouseButton_.left))
        if not focused:
            editor.input.leave()
        elif clicked or self._wanted:
            editor.input.enter()
        if focused:
            self._wanted = False

    def _frame(self, ui: UI, editor: Editor, corner: Point, room: Point) -> None:
        """Draw a colored border around the view during a run."""
        width = ui.px(3 if editor.input.focused else 1.5)
        low = corner[0] + width / 2, corner[1] + width / 2
        high = corner[0] + room[0] - width / 2, corner[1] + room[1] - width / 2
        imgui.get_window_draw_list().add_rect(low, high, ui.theme.packed("play"), 0.0, width)

    # Arranging

    def _arrange(
        self, editor: Editor, game: Game, area: Rect, size: tuple[int, int], *, hovered: bool, focused: bool
    ) -> None:  # fmt: skip
        """Let the user select and move what is in the picture: on layers in screen space, and in the world."""
        self._scenes = scenes = self._spaces(editor, game, area, size)
        tools = game_view_gizmos(editor)
        low, high = area[:2], (area[0] + area[2], area[1] + area[3])
        lines = imgui.get_window_draw_list()
        lines.push_clip_rect(low, high, True)
        self.viewport.interact(editor, scenes, self._pick, tools, hovered=hovered, focused=focused)
        lines.pop_clip_rect()
        if focused and not self.viewport.dragging:
            nudge_with_keys(editor, scenes)
        draw_menu(editor, self.viewport, scenes[0].pointer_on_screen, self._pick)

    def _spaces(self, editor: Editor, game: Game, area: Rect, size: tuple[int, int]) -> list[SceneDraw]:
        """Return the canvases over the game's picture: in screen space, and in the world of the main camera."""
        frame = game.world[Frame]
        left, top, width, height = area
        fx, fy = width / size[0], height / size[1]
        x, y, w, h = frame.fit.place if frame.fit is not None else (0, 0, *size)
        origin = left + x * fx, top + height - (y + h) * fy
        extent, logical = (w * fx, h * fy), frame.logical
        mouse = imgui.get_io().mouse_pos
        flat = screen_view(logical)
        over = [(flat, True), (main_view(game.world, interpolated=True), False)]
        return [
            SceneDraw(editor, view, origin, extent, handles, (mouse.x, mouse.y), logical=logical, flat=is_flat)
            for (view, is_flat), handles in zip(over, self.viewport.handles, strict=True)
        ]

    def _pick(self, point: Point, to: Point | None) -> list[int]:
        """Return the entities at a point of the window, or in a box, from the top down."""
        flat = self._scenes[0]
        game = flat.editor.game
        assert game is not None
        start = flat.to_world(point)
        region = region_at(game.world, start, None if to is None else flat.to_world(to))
        return unlocked(game, pick(game.app, region).distinct)
