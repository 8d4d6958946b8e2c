"""The command palette: commands, panels and scenes, searched by letters of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from rish_core import Name

from ..look import icons
from ..ui.shortening import shortened, tip_of

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

_MAX_ROWS = 60
"""The greatest number of rows."""
_ENTITIES = "@"
"""Begins a search for entities by name."""


@dataclass(frozen=True)
class Found:
    """A row of results. name: of its mark. titles: the texts that are searched. run: called by Enter. note: shown on
    the right."""

    name: str
    title: str
    run: Callable[[], Any]
    titles: tuple[str, ...] = ()
    icon: str = ""
    note: str = ""
    enabled: bool = True


class Palette:
    """The list of all commands, panels and scenes; after `@` that of the entities."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._asked = self._fresh = False
        self.query = ""
        self._chosen = 0
        self._rows: list[Found] = []
        self._last: Any = None

    def open(self, query: str = "") -> None:
        """Show the palette. query: the initial text of the search."""
        self._asked, self._fresh, self.query, self._chosen, self._last = True, True, query, 0, None

    def draw(self) -> None:
        """Draw the palette if it is open."""
        ui = self._editor.ui
        if self._asked:
            ui.open_popup("palette")
            self._asked = False
        viewport = imgui.get_main_viewport()
        width = min(ui.px(620), viewport.size.x - ui.px(40))
        imgui.set_next_window_pos(
            (viewport.size.x / 2, viewport.work_pos.y + ui.px(40)), imgui.Cond_.always, (0.5, 0.0)
        )
        imgui.set_next_window_size((width, 0))
        flags = imgui.WindowFlags_.no_nav_inputs | imgui.WindowFlags_.no_move
        with ui.popup("palette", flags=flags) as opened:
            if opened:
                self._content(ui)

    def _content(self, ui: UI) -> None:
        tr = self._editor.tr
        ui.fill()
        new = ui.line("query", self.query, hint=tr("Search commands; {sign} finds entities", sign=_ENTITIES),
                      focus=self._fresh)  # fmt: skip
        self._fresh = False
        if new is not None:
            self.query, self._chosen = new, 0
        self._search()
        moved = self._move()
        self._list(ui, moved)
        if ui.pressed("enter") or ui.pressed("keypad_enter"):
            self._run(ui, self._chosen)

    def _move(self) -> bool:
        """Move the chosen row by the arrow keys; return whether it has moved."""
        before, last = self._chosen, max(len(self._rows) - 1, 0)
        for key, by in (
            (imgui.Key.down_arrow, 1),
            (imgui.Key.up_arrow, -1),
            (imgui.Key.page_down, 8),
            (imgui.Key.page_up, -8),
        ):
            if imgui.is_key_pressed(key):
                self._chosen = min(max(self._chosen + by, 0), last)
        return before != self._chosen

    def _list(self, ui: UI, moved: bool) -> None:
        line = imgui.get_text_line_height_with_spacing()
        bottom = imgui.get_main_viewport().size.y - ui.px(16)
        height = min(line * min(max(len(self._rows), 1), 14) + ui.px(2), bottom - imgui.get_cursor_screen_pos().y)
        with ui.area("list", height=height):
            if not self._rows:
                ui.text(self._editor.tr("No command has this name"), "dim")
            for number, row in enumerate(self._rows):
                title = f"{row.icon}  {row.title}" if row.icon else row.title
                note_width = imgui.calc_text_size(row.note).x + ui.px(28) if row.note else 0.0
                shown = shortened(title, max(ui.room[0] - note_width, ui.px(80)))
                with ui.disabled(not row.enabled):
                    clicked = ui.selectable(shown, f"row:{row.name}", number == self._chosen,
                                            tooltip=tip_of("", (title, shown)))  # fmt: skip
                if moved and number == self._chosen:
                    imgui.set_scroll_here_y(0.5)
                if row.note:
                    ui.right(imgui.calc_text_size(row.note).x + ui.px(16))
                    ui.text(row.note, "dim")
                if clicked:
                    self._run(ui, number)

    def _run(self, ui: UI, number: int) -> None:
        if number < len(self._rows) and self._rows[number].enabled:
            ui.close_popup()
            self._editor.later(self._rows[number].run)

    # Searching

    def _search(self) -> None:
        game = self._editor.game
        offers = self._editor.catalog.offers(game.app) if game is not None else None
        now = self.query, offers is None, id(offers)
        if now == self._last:
            return
        self._last = now
        if self.query.startswith(_ENTITIES):
            self._rows = self._entities(self.query[1:].strip())
            return
        offered = self._choices() if self.query.strip() else ()
        self._rows = _ranked([*self._commands(), *self._places(), *offered], self.query.strip())

    def _commands(self) -> Iterator[Found]:
        editor = self._editor
        commands = editor.commands
        recent = [name for name in commands.recent if name in commands]
        others = [command.id for command in commands if command.id not in recent]
        for name in (*recent, *others):
            if name == "tools.palette":
                continue
            command = commands[name]
            title = commands.label(name, editor)
            menu = " › ".join(map(editor.tr, filter(None, command.menu.partition("#")[0].split("/"))))
            note = commands.shown(name) or menu
            yield Found(
                name, title, lambda name=name: editor.run(name), (title, command.title, name),
                icons.by_name(command.icon, "") if command.icon else "", note, commands.enabled(name, editor),
            )  # fmt: skip

    def _places(self) -> Iterator[Found]:
        """Yield the panels and the scenes."""
        editor, tr = self._editor, self._editor.tr
        for window in editor.panels:
            title = tr(window.panel.title)
            yield Found(
                f"panel:{window.id}", title, lambda name=window.id: editor.show(name), (title, window.panel.title),
                icons.by_name(window.option("icon", "")), tr("Panel"),
            )  # fmt: skip
        for scene in editor.game.scenes if editor.game is not None else ():
            yield Found(
                f"scene:{scene}", scene, lambda scene=scene: editor.games.go(scene), (scene,), icons.SCENE, tr("Scene")
            )

    def _choices(self) -> Iterator[Found]:
        """Yield the `choices` of commands."""
        editor = self._editor
        for command in editor.commands:
            for choice, label in editor.commands.choices(command.id, editor):
                yield Found(
                    choice.id, label, lambda choice=choice: choice.run(editor), (choice.title, choice.tooltip),
                    icons.by_name(choice.icon, ""), editor.tr(command.title),
                )  # fmt: skip

    def _entities(self, query: str) -> list[Found]:
        """Return the entities whose names fit best; each name is compared once, however many entities have it."""
        game = self._editor.game
        if game is None:
            return []
        table = game.world.table(Name)
        numbers = table.column("value")
        names = [(game.world.text(number), number) for number in np.unique(numbers).tolist()]
        rated = [(score(query, name) if query else 1.0, name, number) for name, number in names if name]
        best = sorted((each for each in rated if each[0] > 0), key=lambda each: -each[0])[:_MAX_ROWS]
        rows = [
            Found(f"entity:{name}", name, lambda handle=handle: self._select(handle), icon=icons.ENTITY)
            for _, name, number in best
            for handle in table.entities[numbers == number][:_MAX_ROWS].tolist()
        ]
        return rows[:_MAX_ROWS]

    def _select(self, handle: int) -> None:
        game = self._editor.game
        if game is not None:
            with game.edit(self._editor.tr("Select")):
                game.selection.set([handle])
            if "view.frame" in self._editor.commands:
                self._editor.run("view.frame")


def _ranked(rows: list[Found], query: str) -> list[Found]:
    """Return the rows that match a query, the best first; equally good ones keep their order."""
    if not query:
        return rows[:_MAX_ROWS]
    scored = [(max(score(query, title) for title in row.titles), row) for row in rows]
    fitting = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (not pair[1].enabled, -pair[0]))
    return [row for _, row in fitting[:_MAX_ROWS]]


def score(query: str, text: str) -> float:
    """Return a score of how well a text contains the letters of a query in their order; 0 if it does not.

    Letters at the beginning of words and adjacent letters score higher, and so do short texts.
    """
    lowered, title = query.casefold(), text.casefold()
    if lowered in title:
        at = title.index(lowered)
        begins = at == 0 or not title[at - 1].isalnum()
        return 100.0 + (50.0 if at == 0 else 25.0 if begins else 0.0) - 0.1 * len(title)
    total, at = 0.0, -1
    for letter in lowered:
        if letter.isspace():
            continue
        place = title.find(letter, at + 1)
        if place < 0:
            return 0.0
        begins = place == 0 or not title[place - 1].isalnum()
        total += 3.0 if begins else 2.0 if place == at + 1 else 1.0
        at = place
    return max(total - 0.01 * len(title), 0.01)
