"""The keyboard on the screen of a TextInput, for gamepads: rows of keys with a cursor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..themes import State
from ..tree.state import Popup

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

LETTERS = "qwertyuiop\nasdfghjkl\nzxcvbnm"
"""The rows of letters of languages without a text `ui.keyboard.letters`."""
DIGITS = "1234567890"
SIGNS = "!?.,:;'\"-_\n@#&%*+=/\\~\n()[]{}<>$^"
_COLUMNS = 10
SMALL, CAPITAL, OTHER = range(3)
"""The pages: small letters, capital letters, signs."""
_DISTANCE = 6.0
"""Units between the keyboard and the field, and the edges of the screen."""
Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Key:
    """A key. text: what it types; empty for a command. label: what it shows, or the key of a text. x, y, w: in columns
    and rows.
    """

    text: str
    label: str
    x: float
    y: float
    w: float = 1.0
    command: str = ""


@lru_cache(maxsize=16)
def keys_of(page: int, letters: str) -> tuple[Key, ...]:
    """Return the keys of a page, row by row."""
    rows = SIGNS if page == OTHER else letters.upper() if page == CAPITAL else letters
    keys = [Key(sign, sign, x, 0) for x, sign in enumerate(DIGITS)]
    lines = rows.split("\n")
    for y, line in enumerate(lines, 1):
        start = max((_COLUMNS - len(line)) / 2, 0.0)
        keys += [Key(sign, sign, start + x, y) for x, sign in enumerate(line)]
    y = len(lines) + 1
    keys += [
        Key("", "$ui.keyboard.capitals", 0, y, 2, "capitals"),
        Key("", "$ui.keyboard.signs", 2, y, 1.5, "signs"),
        Key(" ", "$ui.keyboard.space", 3.5, y, 3),
        Key("", "$ui.keyboard.erase", 6.5, y, 1.5, "erase"),
        Key("", "$ui.keyboard.done", 8, y, 2, "done"),
    ]
    return tuple(keys)


def keys(popup: Popup, ui: Context) -> tuple[Key, ...]:
    """Return the keys of an open keyboard."""
    key = "ui.keyboard.letters"
    translated = ui.locales.text(ui.world, key) if ui.locales.has(ui.world, key) else ""
    return keys_of(popup.page, translated or LETTERS)


def open_pad(node: Node, ui: Context) -> None:
    """Open the keyboard of a field: below it, or above where there is more room."""
    pad, key = (ui.theme.style("TextInput", node.variant, part) for part in ("pad", "key"))
    root = node.root
    popup = Popup(node.entity, 0, hovered=0)
    pad_keys = keys(popup, ui)
    lines = int(max(each.y for each in pad_keys)) + 1
    left, top, right, bottom = pad.padding
    w = min(_COLUMNS * key.least[0] + (_COLUMNS - 1) * pad.gap[0] + left + right, root.width)
    popup.row = key.least[1] + pad.gap[1]
    h = lines * popup.row - pad.gap[1] + top + bottom
    popup.x = min(max(node.x + (node.w - w) / 2, _DISTANCE), max(root.width - w - _DISTANCE, 0.0))
    below = node.y + node.h + _DISTANCE
    popup.y = below if below + h <= root.height else max(node.y - h - _DISTANCE, 0.0)
    popup.w, popup.h, popup.rows = w, h, len(pad_keys)
    popup.hovered = next((k for k, each in enumerate(pad_keys) if each.y == 1), 0)
    ui.state.popup = popup


def _place(key: Key, popup: Popup, node: Node, ui: Context) -> Rect:
    """Return the rectangle of a key, in units of the root."""
    pad = ui.theme.style("TextInput", node.variant, "pad")
    left, top, right, _ = pad.padding
    gap = pad.gap[0]
    step = (popup.w - left - right + gap) / _COLUMNS
    y = popup.y + top + key.y * popup.row
    return popup.x + left + key.x * step, y, key.w * step - gap, popup.row - pad.gap[1]


def key_at(popup: Popup, node: Node, ui: Context, x: float, y: float) -> int | None:
    """Return the index of the key at a point; -1 for a place between keys, None for one outside of the keyboard."""
    if not (popup.x <= x < popup.x + popup.w and popup.y <= y < popup.y + popup.h):
        return None
    for k, key in enumerate(keys(popup, ui)):
        left, top, w, h = _place(key, popup, node, ui)
        if left <= x < left + w and top <= y < top + h:
            return k
    return -1


def move_pad(popup: Popup, ui: Context, direction: str) -> None:
    """Move the cursor to the next key in a direction; at the end it continues at the other end."""
    pad_keys = keys(popup, ui)
    current = pad_keys[min(max(popup.hovered, 0), len(pad_keys) - 1)]
    lines = int(max(key.y for key in pad_keys)) + 1
    if direction in ("left", "right"):
        row = [k for k, key in enumerate(pad_keys) if key.y == current.y]
        step = 1 if direction == "right" else -1
        popup.hovered = row[(row.index(popup.hovered) + step) % len(row)]
        return
    y = (current.y + (1 if direction == "down" else -1)) % lines
    middle = current.x + current.w / 2
    row = [k for k, key in enumerate(pad_keys) if key.y == y]
    popup.hovered = min(row, key=lambda k: abs(pad_keys[k].x + pad_keys[k].w / 2 - middle))


def turn(popup: Popup, ui: Context, page: int) -> None:
    """Show another page; the present page again goes back to small letters. The selected command stays selected."""
    command = keys(popup, ui)[popup.hovered].command
    popup.page = SMALL if popup.page == page else page
    pad_keys = keys(popup, ui)
    popup.rows = len(pad_keys)
    matches = (k for k, key in enumerate(pad_keys) if command and key.command == command)
    popup.hovered = next(matches, min(popup.hovered, len(pad_keys) - 1))


def paint_pad(popup: Popup, node: Node, painter: Painter, ui: Context) -> None:
    """Paint the keyboard."""
    painter.plate((popup.x, popup.y, popup.w, popup.h), ui.theme.style("TextInput", node.variant, "pad"))
    lit = {CAPITAL: "capitals", OTHER: "signs"}.get(popup.page)
    for k, key in enumerate(keys(popup, ui)):
        states = State.HOVERED * (k == popup.hovered) | State.SELECTED * (lit is not None and key.command == lit)
        style = ui.theme.style("TextInput", node.variant, "key", states)
        rect = _place(key, popup, node, ui)
        painter.plate(rect, style)
        label = ui.fill(node, key.label, {}) if key.label[:1] == "$" else key.label
        look = ui.look(style, wrap=max(rect[2], 1.0), lines=1, markup=False)
        painter.text_in(ui.typeset(label, look), rect, style)
