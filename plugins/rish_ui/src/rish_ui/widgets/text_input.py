"""The widget for a line of text: TextInput, with caret, selection, clipboard, undo and input methods."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from rish_core.loop import WRITING_KEYS
from rish_expressions import Expression, ExpressionError
from rish_frame import DeviceRequests
from rish_frame.paint.writing import beginning, clusters_of

from ..components.widgets import TextInput
from ..painting.painter import inner
from ..tree.state import Edit
from .key_pad import CAPITAL, OTHER, key_at, keys, move_pad, open_pad, paint_pad, turn
from .kind import Kind

if TYPE_CHECKING:
    from rish_frame import Typeset

    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node
    from ..tree.state import Popup

_MAX_LENGTH = 1000
_DOT = "•"
_BLINK = 1.06
"""The period of the caret's blinking, seconds; the caret is visible in its first half."""
_MAX_UNDO = 100
"""The number of edits that can be undone."""
_PAGES = {"capitals": CAPITAL, "signs": OTHER}
_BUTTONS = {
    "gamepad.x": "erase", "gamepad.y": "capitals", "gamepad.start": "done", "gamepad.lb": "LEFT", "gamepad.rb": "RIGHT",
}  # fmt: skip
"""What buttons of a gamepad do while the keyboard is open; `a` presses the key, `b` closes the keyboard."""


class TextInputKind(Kind):
    """A line of text that is edited. The edited text is in `UiState.edits`; each change is sent as a command."""

    component = TextInput
    name = "TextInput"
    focusable = True
    solid = True
    drags = True
    holds_text = True

    def read(self, view: Any) -> Any:
        return view.text, view.hint, int(view.most) or _MAX_LENGTH, view.allowed, view.secret, view.check, view.bind

    def texts(self, node: Node) -> dict[str, str]:
        return {"hint": node.values[1]}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[6]}

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return 60.0, 220.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        text = ui.typeset("Ág", ui.look(ui.calm(node), markup=False))
        return text.height, text.baseline

    def invalid(self, node: Node, ui: Context) -> bool:
        edit = self.edit(node, ui)
        return bool(edit.text) and not self.valid(node, ui, edit.text)

    def valid(self, node: Node, ui: Context, text: str) -> bool:
        """Return whether the check of the widget is true for a text; a wrong check is reported once, and true."""
        check = node.values[5]
        if not check:
            return True
        try:
            return bool(Expression.parse(check).bind(ui.world, {"text": "text"})({"text": text}))
        except ExpressionError as error:
            ui.tell(node, f"check: {error}")
            return True

    def written(self, node: Node, ui: Context) -> str:
        bind = node.values[6]
        value = ui.read(node, bind) if bind else None
        return str(node.values[0] if value is None else value)

    def edit(self, node: Node, ui: Context) -> Edit:
        """Return the edited text and its caret; a text that the game has changed replaces it."""
        text = self.written(node, ui)
        edit = ui.state.edits.get(node.entity)
        if edit is None or (text not in (edit.text, edit.sent) and ui.waiting("Changed", node) is None):
            edit = ui.state.edits[node.entity] = Edit(text, len(text), len(text), text)
        elif text == edit.text:
            edit.sent = text
        return edit

    def line(self, node: Node, ui: Context) -> Typeset:
        """Return the line as it is shown, set: dots for a secret, and with composed text at the caret."""
        edit = self.edit(node, ui)
        visible = _DOT * len(edit.text) if node.values[4] else edit.text
        composed = edit.composed[0]
        if composed:
            visible = visible[: edit.caret] + composed + visible[edit.caret :]
        return ui.typeset(visible, ui.look(ui.calm(node), markup=False))

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        x, y, w, h = inner(node, style)
        edit, line = self.edit(node, ui), self.line(node, ui)
        focused = ui.state.focus_of(node)
        at = edit.caret + (edit.composed[1] if edit.composed[0] else 0)
        caret = line.caret(min(at, len(line.text)))
        _keep_in_view(edit, caret.x, w, line.width)
        left, top = self._left(node, ui), y + (h - line.height) / 2
        painter.part.clip = painter.placed(*_within((node.x, node.y, node.w, node.h), node.clip))
        if focused and edit.span[0] != edit.span[1]:
            selection = ui.style(node, "selection")
            for rx, ry, rw, rh in line.selection(*edit.span):
                painter.plate((left + rx, top + ry, rw, rh), selection)
        if edit.composed[0]:
            for rx, ry, rw, rh in line.selection(edit.caret, edit.caret + len(edit.composed[0])):
                painter.box((left + rx, top + ry + rh - 1.5, rw, 1.5), style.color)
        if line.text:
            painter.text(line, left, top, style)
        else:
            hint = ui.style(node, "hint")
            words = ui.shown(node, "hint")
            if words:
                side = 1.0 if ui.locales.right_to_left else 0.0
                painter.text_in(ui.typeset(words, ui.look(hint)), (x, y, w, h), hint, side)
        if focused and (ui.state.time - edit.touched) % _BLINK < _BLINK / 2:
            bar = ui.style(node, "caret")
            wide = max(bar.least[0], 1.5)
            painter.box((left + caret.x - wide / 2, top + caret.y, wide, caret.height), bar.fill)

    own_part = True  # it has a clip rectangle of its own

    def moves(self, node: Node, ui: Context) -> Any:
        return ui.state.focus_of(node), (ui.state.time - self.edit(node, ui).touched) % _BLINK < _BLINK / 2

    # Pointer

    def _index(self, node: Node, ui: Context, x: float) -> int:
        text = self.edit(node, ui).text
        index = min(self.line(node, ui).index_at(x - self._left(node, ui), 1.0), len(text))
        return ui.typeset(text, ui.look(ui.calm(node), markup=False)).step(index, 0)  # dots may divide a cluster

    def _left(self, node: Node, ui: Context) -> float:
        """Return the left end of the line; in languages from right to left, a short line ends at the right."""
        x, _, w, _ = inner(node, ui.calm(node))
        room = w - self.line(node, ui).width
        return x - self.edit(node, ui).offset + (max(room, 0.0) if ui.locales.right_to_left else 0.0)

    def press(self, node: Node, ui: Context, x: float, y: float) -> bool:
        edit = self.edit(node, ui)
        index = self._index(node, ui, x)
        double = ui.state.time - edit.pressed < 0.35 and index == edit.caret
        edit.pressed = ui.state.time
        if double:
            edit.mark, edit.caret = _word(edit.text, index)
        else:
            self._move_to(node, ui, index, keep=ui.state.shift)
        return True

    def drag(self, node: Node, ui: Context, x: float, y: float) -> None:
        self._move_to(node, ui, self._index(node, ui, x), keep=True)

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        ui.repaint(node)

    def click(self, node: Node, ui: Context) -> None:
        """Finish the text; a gamepad, which has no letters, gets a keyboard on the screen instead."""
        if ui.key.startswith("gamepad."):
            open_pad(node, ui)
        else:
            self.submit(node, ui)

    def submit(self, node: Node, ui: Context) -> None:
        """Report that the text is finished."""
        ui.send("Submitted", node, text=self.edit(node, ui).text)

    # Keyboard on the screen

    def paint_popup(self, node: Node, painter: Painter, ui: Context) -> None:
        if ui.state.popup is not None:
            paint_pad(ui.state.popup, node, painter, ui)

    def popup_row(self, node: Node, ui: Context, x: float, y: float) -> int | None:
        return None if ui.state.popup is None else key_at(ui.state.popup, node, ui, x, y)

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        if ui.state.popup is None:
            return False
        move_pad(ui.state.popup, ui, direction)
        return True

    def choose(self, node: Node, ui: Context, row: int) -> None:
        popup = ui.state.popup
        if popup is None:
            return
        popup.hovered = row
        pressed = keys(popup, ui)[row]
        if pressed.text:
            self.text(node, ui, pressed.text)
            if popup.page == CAPITAL:
                turn(popup, ui, CAPITAL)
        else:
            self._by_pad(node, ui, popup, pressed.command)

    def _by_pad(self, node: Node, ui: Context, popup: Popup, command: str) -> None:
        """Carry out a command of the keyboard, by its key or by a button of the gamepad."""
        if command in _PAGES:
            turn(popup, ui, _PAGES[command])
        elif command == "erase":
            self.key(node, ui, "BACKSPACE")
        elif command == "done":
            ui.state.popup = None
            self.submit(node, ui)
        else:
            edit = self.edit(node, ui)
            self._move_to(node, ui, self._target(node, ui, edit, command), keep=False)

    # Keys

    def key(self, node: Node, ui: Context, name: str) -> bool:
        popup = ui.state.popup
        if popup is not None and name in _BUTTONS:
            self._by_pad(node, ui, popup, _BUTTONS[name])
            return True
        edit = self.edit(node, ui)
        if ui.state.control and name in "ACXVZ" and len(name) == 1:
            self._command(node, ui, edit, name)
            return True
        if name in ("LEFT", "RIGHT", "HOME", "END"):
            self._move_to(node, ui, self._target(node, ui, edit, name), keep=ui.state.shift)
        elif name in ("BACKSPACE", "DELETE"):
            start, end = edit.span
            if start == end:
                direction = "LEFT" if name == "BACKSPACE" else "RIGHT"
                start, end = sorted((edit.caret, self._target(node, ui, edit, direction, logical=True)))
            self._replace(node, ui, edit, start, end, "")
        elif name == "ENTER":
            self.submit(node, ui)
        else:
            return name in WRITING_KEYS  # its text follows
        return True

    def _target(self, node: Node, ui: Context, edit: Edit, name: str, *, logical: bool = False) -> int:
        """Return the index to which a key moves the caret."""
        if name == "HOME":
            return 0
        if name == "END":
            return len(edit.text)
        forward = (name == "RIGHT") != (ui.locales.right_to_left and not logical)
        if ui.state.lines:
            return len(edit.text) if forward else 0
        if edit.span[0] != edit.span[1] and not ui.state.shift and not logical:
            return edit.span[forward]
        if ui.state.words:
            return _next_word(edit.text, edit.caret, forward)
        look = ui.look(ui.calm(node), markup=False)
        return ui.typeset(edit.text, look).step(edit.caret, 1 if forward else -1)

    def _move_to(self, node: Node, ui: Context, index: int, *, keep: bool) -> None:
        edit = self.edit(node, ui)
        edit.caret = index
        edit.mark = edit.mark if keep else index
        edit.touched = ui.state.time
        ui.repaint(node)

    def _command(self, node: Node, ui: Context, edit: Edit, name: str) -> None:
        start, end = edit.span
        requests = ui.world[DeviceRequests]
        if name == "A":
            edit.mark, edit.caret = 0, len(edit.text)
            ui.repaint(node)
        elif name in "CX" and start != end and not node.values[4]:
            requests.copy(edit.text[start:end])
            if name == "X":
                self._replace(node, ui, edit, start, end, "")
        elif name == "V":
            requests.paste()
        elif name == "Z" and edit.undo:
            text, caret = edit.undo.pop()
            edit.text, edit.caret, edit.mark = text, caret, caret
            self._send(node, ui, edit)

    def text(self, node: Node, ui: Context, text: str) -> bool:
        edit = self.edit(node, ui)
        edit.composed = ("", 0, 0)
        allowed = node.values[3]
        allowed_text = "".join(c for c in text if _allows(allowed, c)) if allowed else text
        start, end = edit.span
        room = node.values[2] - len(edit.text) + (end - start)
        allowed_text = beginning(allowed_text, max(room, 0))
        if allowed_text or (text and start != end and not allowed):
            self._replace(node, ui, edit, start, end, allowed_text)
        return True

    def compose(self, node: Node, ui: Context, text: str, start: int, length: int) -> None:
        """Show unfinished text of an input method at the caret."""
        self.edit(node, ui).composed = (text, start + length, length)
        ui.repaint(node)

    def _replace(self, node: Node, ui: Context, edit: Edit, start: int, end: int, text: str) -> None:
        if start == end and not text:
            return
        edit.undo = [*edit.undo[-_MAX_UNDO:], (edit.text, edit.caret)]
        edit.text = edit.text[:start] + text + edit.text[end:]
        edit.caret = edit.mark = start + len(text)
        self._send(node, ui, edit)

    def _send(self, node: Node, ui: Context, edit: Edit) -> None:
        edit.sent, edit.touched = edit.text, ui.state.time
        ui.send("Changed", node, text=edit.text)
        ui.repaint(node)

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        return {"text": beginning(text, node.values[2])}

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        return text


def _keep_in_view(edit: Edit, x: float, width: float, line_width: float) -> None:
    """Move the line as little as needed so that the caret is visible."""
    edit.offset = min(max(edit.offset, x - width + 1), x, max(line_width - width + 2, 0.0))
    edit.offset = max(edit.offset, 0.0)


def _within(rect: tuple[float, ...], clip: tuple[float, ...] | None) -> tuple[float, float, float, float]:
    x, y, w, h = rect
    if clip is None:
        return x, y, w, h
    left, top = max(x, clip[0]), max(y, clip[1])
    right, bottom = min(x + w, clip[0] + clip[2]), min(y + h, clip[1] + clip[3])
    return left, top, max(right - left, 0.0), max(bottom - top, 0.0)


@cache
def _pattern(allowed: str) -> re.Pattern[str] | None:
    try:
        return re.compile(f"[{allowed}]")
    except re.error:
        return None


def _allows(allowed: str, letter: str) -> bool:
    pattern = _pattern(allowed)
    return pattern is None or pattern.match(letter) is not None


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and kind (`word`, `space`, `sign`) of the parts of a text, each made of whole clusters."""
    begin = 0
    for kind, clusters in itertools.groupby(clusters_of(text, shaped=False), _kind):
        end = begin + sum(map(len, clusters))
        yield begin, end, kind
        begin = end


def _kind(cluster: str) -> str:
    first = cluster[0]
    return "word" if first.isalnum() or first == "_" else "space" if first.isspace() else "sign"


def _word(text: str, index: int) -> tuple[int, int]:
    """Return begin and end of the word at an index."""
    return next(((begin, end) for begin, end, _ in _parts(text) if begin <= index <= end), (index, index))


def _next_word(text: str, index: int, forward: bool) -> int:
    """Return the end of the next word, or the begin of the one before."""
    words = [(begin, end) for begin, end, kind in _parts(text) if kind != "space"]
    if forward:
        return next((end for _, end in words if end > index), len(text))
    return next((begin for begin, _ in reversed(words) if begin < index), 0)
