"""CodeField: a text of many lines with its cursor, its undo steps and its marks, kept from frame to frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from .painting import TextEditor, paint, paint_background
from .word_undo import Typing
from .yaml_lines import block_above, opens_block, parts_of

if TYPE_CHECKING:
    from ...look.theme import Theme

LANGUAGES: dict[str, Callable[[], Any]] = {
    "python": TextEditor.Language.python, "json": TextEditor.Language.json, "markdown": TextEditor.Language.markdown,
    "yaml": TextEditor.Language.python,  # for comments and brackets; the colors are those of `yaml_lines`
}  # fmt: skip
"""The languages that have colors; any other one is plain text."""
_SPACING = 1.25
"""The height of a line, as a multiple of the letters' height."""
_WIDTHS = {"yaml": 2, "json": 2}
_FLAGS = imgui.WindowFlags_.no_move | imgui.WindowFlags_.horizontal_scrollbar | imgui.WindowFlags_.no_nav_inputs
_MATCH = 2
"""The identifier under which TextEditor stores the matches of a search."""
_COLORED = 400
"""The number of characters of a line that get colors of YAML; the rest is plain."""
Place = tuple[int, int]
"""A line and a character in it, both from 0."""


@dataclass(frozen=True)
class Mark:
    """A message about a line, from 0. level: warning or error."""

    line: int
    text: str
    level: str = "error"


class CodeField:
    """A source text that is edited. language: of `LANGUAGES`, or any other name for plain text.

    version: grows with each change. marks: messages about lines, which move with them; set them at any time. Lines and
    characters are counted from 0.
    """

    def __init__(self, text: str, language: str = "") -> None:
        self._editor = TextEditor()
        self.language = language
        self.version = 0
        self.marks: Sequence[Mark] = ()
        self._focus = self._focused = False
        self._shown: Any = None
        if language in LANGUAGES:
            self._editor.set_language(LANGUAGES[language]())
        tabs = "\n\t" in f"\n{text}"
        self._unit = "\t" if tabs else " " * _WIDTHS.get(language, 4)
        self._editor.set_tab_size(_WIDTHS.get(language, 4))
        self._editor.set_insert_spaces_on_tabs(False)  # otherwise TextEditor writes all tabs of the text as spaces
        self._editor.set_show_whitespaces_enabled(False)
        self._editor.set_complete_paired_glyphs(False)
        self._editor.set_find_replace_enabled(False)
        self._editor.set_show_current_line_highlight_enabled(False)
        self._editor.set_line_spacing(_SPACING)
        self._editor.set_text(text)
        self._typing = Typing(self._editor)
        self._editor.set_transaction_callback(self._changed)

    def _changed(self, changes: Any) -> None:
        """Count a change, and move the marks with their lines."""
        self.version += 1
        self._typing.note(changes)
        if self.marks:
            for change in changes:
                start, end = (change.start.line, change.start.index), (change.end.line, change.end.index)
                moved = [(_moved(mark.line, change.insert, start, end), mark) for mark in self.marks]
                self.marks = [replace(mark, line=line) for line, mark in moved if line is not None]

    # The text

    @property
    def text(self) -> str:
        """The whole text; lines end with a newline."""
        text = self._editor.get_text()
        return text[:-1] if text.count("\n") == self._editor.get_line_count() else text

    @property
    def step(self) -> int:
        """The number of steps that can be undone; it differs after each change of the text."""
        return int(self._editor.get_undo_index())

    def replace(self, text: str) -> None:
        """Replace the text by another one, as a step that can be undone; only the part that differs is changed."""
        before = self.text
        most = min(len(before), len(text))
        begin = next((k for k in range(most) if before[k] != text[k]), most)
        most -= begin
        end = next((k for k in range(most) if before[-1 - k] != text[-1 - k]), most)
        if before != text:
            self._editor.replace_section_text(
                _position(before, begin), _position(before, len(before) - end), text[begin : len(text) - end]
            )

    def line(self, number: int) -> str:
        """Return a line without its newline."""
        return str(self._editor.get_line_text(number))

    @property
    def lines(self) -> int:
        """The number of lines."""
        return int(self._editor.get_line_count())

    @property
    def indent(self) -> str:
        """The text that Tab inserts: spaces, or a tab in a file with tabs."""
        return self._unit

    @property
    def cursor(self) -> Place:
        """The place of the cursor."""
        at = self._editor.get_main_cursor_position()
        return int(at.line), int(at.index)

    @property
    def selected(self) -> str:
        """The selected text."""
        cursor = self._editor.get_main_cursor_selection()
        return str(self._editor.get_section_text(cursor))

    # Moving and changing

    def go_to(self, line: int, column: int = 0) -> None:
        """Move the cursor to a place, scroll there, and take the keyboard focus."""
        line = min(max(line, 0), self.lines - 1)
        self._editor.set_cursor(TextEditor.DocPos(line, column))
        self._editor.scroll_to_line(line)
        self.focus()

    def select(self, start: Place, end: Place) -> None:
        """Select the text between two places, and scroll there."""
        self._editor.select_region(TextEditor.DocPos(*start), TextEditor.DocPos(*end))
        self._editor.scroll_to_line(start[0])

    def focus(self) -> None:
        """Take the keyboard focus in the next frame."""
        self._focus = True

    def insert(self, text: str) -> None:
        """Replace the selection by a text."""
        self._editor.replace_text_in_current_cursor(text)

    def replace_all(self, places: Sequence[tuple[Place, Place]], text: str) -> None:
        """Replace the matches of a search by a text, as one step."""
        whole = self.text.split("\n")
        for (line, begin), (_, end) in reversed(places):
            whole[line] = whole[line][:begin] + text + whole[line][end:]
        self.replace("\n".join(whole))

    def undo(self) -> None:
        """Undo a step; typed letters are undone word by word."""
        self._editor.undo()
        self._typing.undo_rest()

    def seal(self) -> None:
        """Let the next letter begin a new undo step, because the text was saved."""
        self._typing.seal()

    def show_matches(self, places: Sequence[tuple[Place, Place]], color: int) -> None:
        """Highlight the matches of a search instead of the previous ones."""
        self._editor.clear_squiggles(_MATCH)
        for start, end in places:
            self._editor.add_squiggle(
                TextEditor.DocPos(*start), TextEditor.DocPos(*end), _MATCH, color,
                style=TextEditor.SquiggleStyle.background,
            )  # fmt: skip

    def message(self, line: int) -> str:
        """Return the messages of the marks of a line; "" without any."""
        return "\n".join(mark.text for mark in self.marks if mark.line == line)

    # Drawing

    @property
    def focused(self) -> bool:
        """Whether it had the keyboard focus when it was drawn last."""
        return self._focused

    def draw(self, name: str, theme: Theme, height: float) -> None:
        """Draw the text and edit it by keys and mouse. height: 0 fills the panel, a negative one leaves room below."""
        if self._focus:
            self._editor.set_focus()
            self._focus = False
        if self._focused and self.language == "python":
            self._continue_block()
        self._use_marks(theme)
        self._editor.set_insert_spaces_on_tabs(self._unit != "\t" and bool(imgui.is_key_pressed(imgui.Key.tab)))
        before = self.step
        self._editor.render(name, (0.0, height), window_flags=int(_FLAGS))
        self._typing.complete(before)
        self._editor.set_insert_spaces_on_tabs(False)
        self._editor.set_read_only_enabled(False)
        imgui.begin_child(name, (0.0, height), 0, int(_FLAGS))
        self._focused = bool(imgui.is_window_focused())
        draw_list = imgui.get_window_draw_list()
        self._show_line(draw_list, theme)
        self._say(draw_list, theme)
        if self.language == "yaml":
            paint(draw_list.vtx_buffer, theme, *self._rows())
        else:
            paint(draw_list.vtx_buffer, theme)
        imgui.end_child()
        paint_background(imgui.get_window_draw_list().vtx_buffer, theme)

    def _use_marks(self, theme: Theme) -> None:
        """Let TextEditor show the marks at their lines."""
        if self._shown == (self.marks, theme):
            return
        self._shown = self.marks, theme
        self._editor.clear_markers()
        for mark in self.marks:
            if 0 <= mark.line < self.lines:
                message, colors = (
                    self.message(mark.line),
                    (theme.packed(mark.level, 0.5), theme.packed(mark.level, 0.12)),
                )
                self._editor.add_marker(mark.line, *colors, message, message)

    def _show_line(self, draw_list: Any, theme: Theme) -> None:
        """Highlight the line of the cursor; the highlight of TextEditor has a wrong width in a panel beside another
        one."""
        place = TextEditor.DocPos(self.cursor[0], 0)
        if self._focused and self._editor.is_doc_pos_visible(place):
            left, wide = imgui.get_window_pos().x, imgui.get_window_width()
            top = self._editor.doc_pos2_screen_pos(place).y
            corner = left + wide, top + self._editor.get_line_height()
            draw_list.add_rect_filled((left, top), corner, theme.packed("hover"))

    def _say(self, draw_list: Any, theme: Theme) -> None:
        """Draw the first line of each message at the end of its line of code."""
        for line in {mark.line for mark in self.marks}:
            end = TextEditor.DocPos(line, len(self.line(line)) if line < self.lines else 0)
            if line < self.lines and self._editor.is_doc_pos_visible(end):
                at, gap = self._editor.doc_pos2_screen_pos(end), 3 * self._editor.get_glyph_width()
                level = next(mark.level for mark in self.marks if mark.line == line)
                draw_list.add_text((at.x + gap, at.y), theme.packed(level), self.message(line).partition("\n")[0])

    def _continue_block(self) -> None:
        """Indent the new line after a line that ends with a colon; TextEditor does not see this Enter."""
        io, key = imgui.get_io(), imgui.Key
        if io.key_ctrl or io.key_shift or io.key_alt or not (
            imgui.is_key_pressed(key.enter) or imgui.is_key_pressed(key.keypad_enter)
        ) or self._editor.get_number_of_cursors() > 1:  # fmt: skip
            return
        start = self._editor.get_main_cursor_selection().start
        before = self.line(start.line)[: start.index]
        if _without_comment(before).rstrip().endswith(":"):
            space = before[: len(before) - len(before.lstrip())]
            self._editor.replace_text_in_current_cursor(f"\n{space}{self.indent}")
            self._editor.set_read_only_enabled(True)

    def _rows(self) -> tuple[list[list[tuple[float, str]]], float, float]:
        """Return the parts of the visible lines, the top of the first one, and the height of a line."""
        first = int(self._editor.get_first_visible_row())
        last = min(int(self._editor.get_last_visible_row()) + 1, self.lines - 1)
        corner = self._editor.doc_pos2_screen_pos(TextEditor.DocPos(first, 0))
        wide = self._editor.get_glyph_width()
        rows: list[list[tuple[float, str]]] = []
        block = block_above(self.line, first)
        for number in range(first, last + 1):
            line = self.line(number)
            deep = len(line) - len(line.lstrip(" "))
            if block is not None and line.strip() and deep <= block:
                block = None
            parts = [(0, "string")] if block is not None else parts_of(line[:_COLORED])
            if block is None and opens_block(line):
                block = deep
            rows.append([(corner.x + wide * self._column(number, start), part) for start, part in parts])
        return rows, corner.y, self._editor.get_line_height()

    def _column(self, line: int, index: int) -> int:
        return int(self._editor.doc_pos2_vis_pos(TextEditor.DocPos(line, index)).column)


def _moved(line: int, insert: bool, start: Place, end: Place) -> int | None:
    """Return where a line is after a change between two places; None if it was deleted with all its text."""
    count = end[0] - start[0]
    if insert:
        return line + count if line > start[0] or (line == start[0] and not start[1]) else line
    if line > end[0] or (line == end[0] and not start[1]):
        return line - count
    return line if line <= start[0] else None


def _position(text: str, at: int) -> Any:
    line = text.count("\n", 0, at)
    return TextEditor.DocPos(line, at - (text.rfind("\n", 0, at) + 1))


def _without_comment(line: str) -> str:
    """Return a line of Python without a comment at its end; signs in quotes are no comments."""
    quote = ""
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote and line[at - 1] != "\\" else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            return line[:at]
    return line
