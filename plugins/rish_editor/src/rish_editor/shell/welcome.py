"""The start screen, which is shown while no game is open: games, and buttons to open or create one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from rish_authoring import copy_game
from rish_core import RishError
from rish_frame.pictures import check_image

from ..look import icons
from ..session.files.examples import PlayedGame, examples, folder_for_games, games_in
from ..ui.shortening import shortened
from ..ui.textures import free_texture, make_texture

if TYPE_CHECKING:
    from ..session.editor import Editor

_log = logging.getLogger("rish.editor")
Buttons = Callable[[Path, float, bool], float]
"""Draws buttons for a game that end at an x on the screen; gets whether the pointer is over the card."""
PICTURE = Path(".rish") / "picture.png"
"""The picture of a game in its folder, which the editor writes when the game is closed."""
_BEGIN = ("file.new", "file.open", "tools.palette", "help.manual")
_CARD = (250.0, 190.0)
"""Width and height of the card of a game, units."""
_FLAGS = (
    imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_bring_to_front_on_focus
)  # fmt: skip


class Welcome:
    """The start screen."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._pictures: dict[str, int | None] = {}
        self._examples: list[Path] | None = None
        self._played: list[PlayedGame] = []

    def draw(self, left: float, top: float, width: float, height: float) -> None:
        """Draw the screen into a rectangle of the window."""
        self._look_after_played()
        ui = self._editor.ui
        imgui.set_next_window_pos((left, top))
        imgui.set_next_window_size((width, height))
        imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("window"))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, (ui.px(24), ui.px(20)))
        imgui.begin("##welcome", None, _FLAGS)
        imgui.pop_style_var(2)
        with ui.inside("welcome"):
            whole = min(width - ui.px(48), ui.px(1120))
            imgui.set_cursor_pos_x(max((width - whole) / 2, ui.px(24)))
            with ui.area("page", whole):
                self._page(whole, height)
        imgui.end()
        imgui.pop_style_color()

    def _page(self, width: float, height: float) -> None:
        ui, tr = self._editor.ui, self._editor.tr
        ui.space(min(height / ui.scale * 0.05, 56))
        with ui.fonts.style("display"):
            imgui.text_unformatted(tr("Welcome to Rish"))
        ui.text(tr("Open a game to begin"), "dim")
        ui.space(20)
        aside = ui.px(250)
        with ui.area("begin", aside, height=-1):
            self._begin()
        ui.same_line(28)
        with ui.area("recent", height=-1):
            self._games()

    def _begin(self) -> None:
        editor, ui = self._editor, self._editor.ui
        ui.text(editor.tr("Start"), "section")
        ui.space(2)
        for number, name in enumerate(name for name in _BEGIN if name in editor.commands):
            command = editor.commands[name]
            imgui.push_style_var(imgui.StyleVar_.button_text_align, (0.0, 0.5))
            imgui.push_style_var(imgui.StyleVar_.frame_padding, (ui.px(10), ui.px(8)))
            if ui.button(editor.tr(command.title), name, icon=icons.by_name(command.icon), width=-1,
                         kind="primary" if number == 0 else "normal"):  # fmt: skip
                editor.later(lambda name=name: editor.run(name))
            imgui.pop_style_var(2)
            shortcut = editor.commands.shown(name)
            if shortcut:
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                size = imgui.calc_text_size(shortcut)
                at = (high.x - size.x - ui.px(10), (low.y + high.y - size.y) / 2)
                color = "on_accent" if number == 0 else "text_dim"
                imgui.get_window_draw_list().add_text(at, ui.theme.packed(color), shortcut)

    def _games(self) -> None:
        """Draw the games that were opened last, and those that come with the editor."""
        editor, ui = self._editor, self._editor.ui
        recent = [Path(text) for text in editor.settings.recent]
        if self._examples is None:
            folder = examples()
            self._examples = [] if folder is None else games_in(folder)
        if recent or not self._examples:
            ui.text(editor.tr("Recent games"), "section")
            ui.space(2)
        if recent:
            self._cards(recent, self._forget, True)
            ui.space(16)
        elif not self._examples:
            ui.text(editor.tr("No recent games"), "dim")
            ui.text(editor.tr("Games that you open appear here."), "dim", wrap=True)
        if self._examples:
            ui.text(editor.tr("Games"), "section")
            ui.space(2)
            with ui.inside("games"):
                self._cards(self._examples, self._play_or_copy, False)

    def _cards(self, games: Sequence[Path], buttons: Buttons, anywhere: bool) -> None:
        """Draw a card for each game. buttons: see `_card`. anywhere: whether their folders are shown."""
        ui = self._editor.ui
        wide, gap = ui.px(_CARD[0]), ui.px(14)
        across = max(1, int((ui.room[0] + gap) // (wide + gap)))
        for number, game in enumerate(games):
            if number % across:
                imgui.same_line(0, gap)
            with ui.inside(number):
                self._card(game, str(game.parent) if anywhere else "", buttons)

    def _card(self, game: Path, where: str, buttons: Buttons) -> None:
        """Draw the card of a game. where: the second line. buttons: draws its buttons, and returns their room."""
        editor, ui = self._editor, self._editor.ui
        size = ui.px(_CARD[0]), ui.px(_CARD[1])
        there = (game / "game.yaml").is_file() or game.is_file()
        corner = imgui.get_cursor_screen_pos()
        imgui.set_next_item_allow_overlap()
        clicked = imgui.invisible_button("open", size) and there
        ui.mark("open", enabled=there)
        ui.tooltip(str(game))
        hovered = imgui.is_item_hovered()
        draw, theme = imgui.get_window_draw_list(), ui.theme
        end = corner.x + size[0], corner.y + size[1]
        draw.add_rect_filled(corner, end, theme.packed("panel"), ui.px(8))
        self._picture(game, corner, (size[0], ui.px(134)), there)
        line = "accent" if hovered and there else "border"
        draw.add_rect(corner, end, theme.packed(line), ui.px(8), ui.px(2 if hovered and there else 1))
        imgui.set_cursor_screen_pos((corner.x, corner.y + ui.px(148)))
        room = size[0] - ui.px(20) - buttons(game, end[0] - ui.px(8), imgui.is_mouse_hovering_rect(corner, end))
        folder = where if there else editor.tr("Missing")
        draw.add_text(
            (corner.x + ui.px(12), corner.y + ui.px(141 if folder else 152)),
            theme.packed("text" if there else "text_disabled"),
            shortened(game.name, room),
        )
        draw.add_text(
            (corner.x + ui.px(12), corner.y + ui.px(163)),
            theme.packed("text_dim" if there else "warning"),
            shortened(folder, room, 2 / 3),
        )
        imgui.set_cursor_screen_pos(corner)
        imgui.dummy(size)
        if clicked:
            editor.later(lambda: editor.open(game))

    def _forget(self, game: Path, right: float, hovered: bool) -> float:
        """Draw the button that removes a game from the list of the last ones; return the room that it takes."""
        editor, ui = self._editor, self._editor.ui
        side = imgui.get_frame_height()
        imgui.set_cursor_screen_pos((right - side, imgui.get_cursor_screen_pos().y))
        shown = hovered or not (game / "game.yaml").is_file()
        if shown and ui.icon_button(icons.CLOSE, "forget", editor.tr("Remove from this list")):
            editor.settings.recent = [text for text in editor.settings.recent if text != str(game)]
        return side

    def _play_or_copy(self, game: Path, right: float, hovered: bool) -> float:
        """Draw the buttons that play and copy a game; return the room that they take."""
        editor, ui = self._editor, self._editor.ui
        side, top = imgui.get_frame_height(), imgui.get_cursor_screen_pos().y
        imgui.set_cursor_screen_pos((right - 2 * side, top))
        if ui.icon_button(icons.PLAY, "play", editor.tr("Play in a window of its own")):
            editor.later(lambda: self._play(game))
        imgui.set_cursor_screen_pos((right - side, top))
        if ui.icon_button(icons.DUPLICATE, "copy", editor.tr("Make a copy and open it")):
            editor.later(lambda: self._copy(game))
        return 2 * side

    def _play(self, game: Path) -> None:
        try:
            self._played.append(PlayedGame(game))
        except OSError as error:
            self._editor.report(self._editor.tr("Play in a window of its own"), error)

    def _look_after_played(self) -> None:
        """Show the output of games that ended with an error."""
        editor = self._editor
        for played in list(self._played):
            lines = played.ended()
            if lines is None:
                continue
            self._played.remove(played)
            if lines:
                title = editor.tr("{name} ended with an error", name=played.name)
                editor.dialogs.tell(title, "", details=lines, level="error")

    def _copy(self, game: Path) -> None:
        editor = self._editor
        try:
            copy = copy_game(game, folder_for_games())
        except RishError as error:
            editor.report(editor.tr("Make a copy and open it"), error)
            return
        if editor.open(copy):
            editor.note(editor.tr("Copied to {path}", path=copy), "ok")

    def _picture(self, game: Path, corner: Any, size: tuple[float, float], there: bool) -> None:
        ui = self._editor.ui
        draw, theme = imgui.get_window_draw_list(), ui.theme
        end = corner.x + size[0], corner.y + size[1]
        texture = self._texture(game)
        if texture is None:
            draw.add_rect_filled(corner, end, theme.packed("header"), ui.px(8), imgui.ImDrawFlags_.round_top)
            with ui.fonts.style("display"):
                icon = icons.GAME if there else icons.WARNING
                wide = imgui.calc_text_size(icon)
                at = (corner.x + (size[0] - wide.x) / 2, corner.y + (size[1] - wide.y) / 2)
                draw.add_text(at, theme.packed("border_strong"), icon)
            return
        draw.add_image_rounded(
            imgui.ImTextureRef(texture), corner, end, (0, 0), (1, 1), 0xFFFFFFFF, ui.px(8),
            imgui.ImDrawFlags_.round_top,
        )  # fmt: skip

    def _texture(self, game: Path) -> int | None:
        """Return the picture of a game as a texture, None if there is none."""
        name = str(game)
        if name not in self._pictures:
            self._pictures[name] = _read(game / PICTURE)
        return self._pictures[name]

    def forget(self) -> None:
        """Free the textures of the pictures; files and the list of games are read again when they are shown."""
        self._examples = None
        for texture in self._pictures.values():
            if texture is not None:
                free_texture(texture)
        self._pictures.clear()


def _read(path: Path) -> int | None:
    if not path.is_file():
        return None
    import numpy as np
    from PIL import Image

    try:
        check_image(path)
        with Image.open(path) as opened:
            return make_texture(np.asarray(opened.convert("RGBA")))
    except (OSError, ValueError, RishError) as error:
        _log.warning("%s can't be shown: %s", path, error)
        return None
