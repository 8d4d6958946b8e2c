"""The console: Python on the live World."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...look import icons
from ...session.console.repl import Repl
from ...ui.widgets.prompt import Prompt
from .row_selection import RowSelection

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

NAMES = "world, app, sel, game, editor, np, spawn, find, log"
"""The predefined names of the console, besides the components of the game."""
_MAX_INPUTS = 100
"""Inputs that are kept until the next start."""


class ConsolePanel:
    """A Python console. Each input is one step of the history, so it can be undone."""

    id, title, icon, dock, order, in_game = "editor.console", "Console", "console", "bottom", 30, True

    def __init__(self) -> None:
        self.repl = Repl()
        self.prompt = Prompt()
        self.offers: list[str] = []
        self.picked = RowSelection()
        self._drawn = 0
        self._at_end = True

    def save(self) -> list[str]:
        """Return the last inputs."""
        return self.repl.inputs[-_MAX_INPUTS:]

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        self.repl.inputs = [text for text in data if isinstance(text, str)]

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the output and the field."""
        lines = min(self.prompt.text.count("\n") + 1, 12)
        below = ui.px(14) + ui.px(18) * (lines + bool(self.offers))
        with ui.area("output", height=-below, scroll_across=True):
            self._output(ui, editor)
        if self.offers:
            ui.text("   ".join(self.offers)[:600], "dim")
            ui.mark("offers")
        text = ui.prompt(
            "input", self.prompt, earlier=self.repl.inputs, complete=lambda before: self._complete(editor, before),
            ready=self.repl.complete,
        )  # fmt: skip
        if text is not None:
            self.offers = []
            editor.later(lambda: self.repl.run(editor, text))

    def _output(self, ui: UI, editor: Editor) -> None:
        pieces = self.repl.pieces
        if not pieces:
            hint = editor.tr("Tab completes, Up brings back, Shift+Enter begins a line. Names: {names}", names=NAMES)
            ui.empty(editor.tr("Python on the live World"), hint, icons.CONSOLE)
            return
        colors = {"input": ui.theme.rgba("text_accent"), "output": None, "error": ui.theme.rgba("error")}
        self.picked.use_keys(ui, editor, self.id, lambda: [piece.number for piece in pieces], self._text_of)
        for number in ui.visible_rows(len(pieces)):
            piece = pieces[number]
            if ui.selectable("", f"line{number}", piece.number in self.picked):
                self.picked.click(ui, piece.number, lambda: [piece.number for piece in pieces])
            ui.same_line(0)
            ui.text(piece.text, "mono", color=colors[piece.kind])
        with ui.window_menu("menu") as opened:
            if opened:
                if ui.item(editor.tr("Copy"), "copy", icon=icons.COPY):
                    editor.copy("\n".join(piece.text for piece in pieces))
                if ui.item(editor.tr("Clear"), "clear", icon=icons.DELETE):
                    pieces.clear()
        if self.repl.count != self._drawn or self._at_end:
            self._drawn = self.repl.count
            ui.scroll_here(1.0)
        at, most = ui.scroll
        self._at_end = at >= most - 1

    def _text_of(self, number: int) -> str:
        return self.repl.pieces[number - self.repl.pieces[0].number].text

    def _complete(self, editor: Editor, before: str) -> tuple[str, str]:
        """Return the text that Tab replaces, and its replacement. If several names are possible, they are shown above
        the field."""
        if not before.rpartition("\n")[2].strip():
            return "", "    "
        self.repl.use(editor)
        word, names = self.repl.completions(before)
        self.offers = [name.rpartition(".")[2] for name in names] if len(names) > 1 else []
        common = _common(names)
        return (word, common) if len(common) > len(word) else ("", "")


def _common(names: list[str]) -> str:
    """Return the common prefix of sorted names."""
    if not names:
        return ""
    first, last = names[0], names[-1]
    return next((first[:end] for end in range(len(first), 0, -1) if last.startswith(first[:end])), "")
