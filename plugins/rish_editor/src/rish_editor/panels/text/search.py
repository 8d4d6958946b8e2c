"""The bar above a text: find, replace, and go to a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.texts.document import Document
    from ...ui.ui import UI

Found = tuple[tuple[int, int], tuple[int, int]]
_MAX_MATCHES = 10_000
"""The greatest number of places that a search finds."""


def find_all(text: str, query: str, *, case: bool, words: bool) -> list[Found]:
    """Return the places where a text contains another one within a line. case: match upper and lower case. words: only
    whole words."""
    if not query:
        return []
    pattern = re.compile(rf"\b{re.escape(query)}\b" if words else re.escape(query), 0 if case else re.IGNORECASE)
    matches: list[Found] = []
    for number, line in enumerate(text.split("\n")):
        matches += [((number, each.start()), (number, each.end())) for each in pattern.finditer(line)]
        if len(matches) > _MAX_MATCHES:
            break
    return matches[:_MAX_MATCHES]


def _width(ui: UI) -> float:
    return min(ui.px(220), max(ui.room[0] - ui.px(220), ui.px(60)))


class SearchBar:
    """Find and replace in a text, or go to a line. kind: find, replace, line, or "" while it is closed."""

    def __init__(self) -> None:
        self.kind = ""
        self.wanted = self.instead = ""
        self.case = self.words = False
        self.found: list[Found] = []
        self._at = 0
        self._fresh = False
        self._key: object = None

    def open(self, kind: str, text: Document) -> None:
        """Show the bar; a selection within a line becomes the text to search."""
        chosen = text.field.selected
        if kind != "line" and chosen and "\n" not in chosen:
            self.wanted = chosen
        self.kind, self._fresh, self._key = kind, True, None

    def close(self, text: Document) -> None:
        """Hide the bar and give the keyboard focus back to the text."""
        self.kind = ""
        text.field.show_matches([], 0)
        text.field.focus()

    def draw(self, ui: UI, editor: Editor, text: Document) -> None:
        """Draw the bar if it is open."""
        if not self.kind:
            return
        if self.kind == "line":
            self._line(ui, editor, text)
            return
        self._update(ui, text)
        typed = ui.line("find", self.wanted, hint=f"{icons.SEARCH}  {editor.tr('Find')}",
                        width=_width(ui), focus=self._fresh)  # fmt: skip
        entered, escaped = ui.ended() and ui.pressed("enter"), ui.ended() and ui.pressed("escape")
        self._fresh = False
        if typed is not None:
            self.wanted, self._key = typed, None
            self._update(ui, text)
            self.step(text, 0)
        self._tools(ui, editor, text)
        if self.kind == "replace":
            escaped = self._replacing(ui, editor, text) or escaped
        if entered:
            self.step(text, -1 if ui.shift else 1)
            self._fresh = True
        if escaped:
            self.close(text)

    def _tools(self, ui: UI, editor: Editor, text: Document) -> None:
        tr = editor.tr
        ui.same_line(4)
        if ui.icon_button("Aa", "case", tr("Match case"), active=self.case):
            self.case, self._key = not self.case, None
        ui.same_line(2)
        if ui.icon_button("ab", "words", tr("Whole words"), active=self.words):
            self.words, self._key = not self.words, None
        ui.same_line(2)
        if ui.icon_button(icons.UP, "previous", tr("Previous") + "  (Shift+F3)", enabled=bool(self.found)):
            self.step(text, -1)
        ui.same_line(2)
        if ui.icon_button(icons.DOWN, "next", tr("Next") + "  (F3)", enabled=bool(self.found)):
            self.step(text, 1)
        ui.same_line(6)
        if self.wanted:
            at = self._current(text)
            position = tr("{at} of {count}", at=at + 1, count=len(self.found)) if at >= 0 else f"{len(self.found)}"
            ui.text(position if self.found else tr("Nothing found"), "dim")
            ui.mark("count")
        ui.same_line(8)
        if ui.icon_button(icons.CLOSE, "close", tr("Close")):
            self.close(text)

    def _replacing(self, ui: UI, editor: Editor, text: Document) -> bool:
        """Draw the second row; return whether Escape was pressed in its field."""
        tr = editor.tr
        typed = ui.line("instead", self.instead, hint=tr("Replace"), width=_width(ui))
        escaped = ui.ended() and ui.pressed("escape")
        self.instead = self.instead if typed is None else typed
        ui.same_line(4)
        if ui.button(tr("Replace"), "replace", enabled=bool(self.found)):
            if self._current(text) >= 0:
                text.field.insert(self.instead)
                self._update(ui, text)
            self.step(text, 1)
        ui.same_line(4)
        if ui.button(tr("Replace all"), "all", enabled=bool(self.found)):
            text.field.replace_all(self.found, self.instead)
        return escaped

    def _line(self, ui: UI, editor: Editor, text: Document) -> None:
        hint = editor.tr("Line, from 1 to {count}", count=text.field.lines)
        typed = ui.line("line", "", hint=hint, width=ui.px(220), enter=True, focus=self._fresh)
        escaped, self._fresh = ui.ended() and ui.pressed("escape"), False
        if typed is not None and typed.strip().isdecimal():
            text.field.go_to(int(typed) - 1)
        if typed is not None or escaped:
            self.close(text)

    def _update(self, ui: UI, text: Document) -> None:
        """Search again if the text or the query has changed."""
        key = text, text.field.version, self.wanted, self.case, self.words
        if key != self._key:
            self._key = key
            self.found = find_all(text.field.text, self.wanted, case=self.case, words=self.words)
            text.field.show_matches(self.found, ui.theme.packed("accent", 0.35))

    def _current(self, text: Document) -> int:
        """Return the number of the place that is selected, -1 if none is."""
        line, column = text.field.cursor
        chosen = len(text.field.selected)
        return next(
            (k for k, (start, end) in enumerate(self.found) if end == (line, column) and chosen == end[1] - start[1]),
            -1,
        )

    def step(self, text: Document, by: int) -> None:
        """Go to the next match; -1: to the previous one, 0: to the one at the selection or after it."""
        if not self.found:
            return
        cursor = text.field.cursor
        if by == 0:
            cursor = cursor[0], cursor[1] - len(text.field.selected)
            by = 1
        if by > 0:
            at = next((k for k, (start, _) in enumerate(self.found) if start >= cursor), 0)
        else:
            before = self._current(text)
            earlier = [k for k, (_, end) in enumerate(self.found) if end < cursor or (before < 0 and end == cursor)]
            at = earlier[-1] if earlier else len(self.found) - 1
        text.field.select(*self.found[at])
