"""Parses the bytes of a tty into messages: keys, text, mouse, focus, and answers to queries.

Sources: ECMA-48 for the forms of sequences, xterm's control sequences (SGR mouse, focus, bracketed paste), and the
kitty keyboard protocol. Unknown, incomplete or invalid sequences are ignored; no input raises an exception.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rish_frame.paint.writing import is_text, text_in_lines, typed_text

from .keys import ALT, BUTTONS, CHARACTERS, CTRL, FINALS, NUMBERED, PAD_FINALS, PRIVATE, SHIFT, WHEEL

LONE = 0.05
"""Seconds after which an escape byte without a following byte counts as the key ESCAPE."""
TORN = 1.0
"""Seconds after which the missing part of a sequence is no longer expected."""
MAX_SEQUENCE = 4096
"""The greatest number of bytes of one sequence; a longer one is ignored."""

_CONSOLE = re.compile(rb"\x1b\[\[([A-E])")
_CSI = re.compile(rb"\x1b\[([<-?]?)([0-9:;]*)([ -/]*)([@-~])")
_SS3 = re.compile(rb"\x1bO([A-Za-z])")
_STRING = re.compile(rb"\x1b([P\]_^X])(.*?)(?:\x1b\\|\x07)", re.DOTALL)
_PASTE_END = b"\x1b[201~"
MAX_PASTED = 65_536
"""The greatest number of bytes of a pasted text; further bytes are left out."""


@dataclass(frozen=True)
class Key:
    """A key. modifiers: bits of SHIFT, ALT, CTRL. act: most terminals report only presses, repeatedly."""

    name: str
    modifiers: int = 0
    act: Literal["press", "repeat", "release"] = "press"


@dataclass(frozen=True)
class Typed:
    """Text that was typed."""

    text: str


@dataclass(frozen=True)
class Pasted:
    """Text that was pasted; its lines end with line feeds."""

    text: str


@dataclass(frozen=True)
class Pointer:
    """The mouse at a cell, from 0. button: a name, or empty if it only moved. wheel: notches right and up."""

    column: int
    row: int
    button: str = ""
    down: bool = False
    wheel: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Focus:
    """The terminal got the focus, or lost it."""

    has: bool


@dataclass(frozen=True)
class Answer:
    """An answer of the terminal: `kitty` (supports the protocol), `true` (24-bit colors), `here`, `ready`."""

    what: Literal["kitty", "true", "here", "ready"]


Message: TypeAlias = "Key | Typed | Pasted | Pointer | Focus | Answer"


class Parser:
    """Takes bytes in pieces of any size, and returns messages."""

    def __init__(self) -> None:
        self._rest = b""
        self._since = 0.0
        self._pasting = False
        self._pasted = b""

    def feed(self, data: bytes, now: float) -> list[Message]:
        """Return the messages that this data, which may be empty, completes. now: seconds, of any clock."""
        if data:
            self._pasting = self._pasting and now - self._since < TORN
            self._since = now
        self._rest += data
        out: list[Message] = []
        while self._rest:
            late = now - self._since >= (LONE if len(self._rest) <= 2 else TORN)
            length = self._take_paste(out) if self._pasting else self._take(out, late)
            if not length:
                break
            self._rest = self._rest[length:]
        return out

    def _take_paste(self, out: list[Message]) -> int:
        """Collect pasted text, which would otherwise be read as a hundred key presses; return the bytes used."""
        end = self._rest.find(_PASTE_END)
        length = end if end >= 0 else max(0, len(self._rest) - len(_PASTE_END) + 1)
        self._pasted += self._rest[: min(length, MAX_PASTED - len(self._pasted))]
        if end < 0:
            return length
        text = text_in_lines(self._pasted.decode(errors="ignore"))
        if text:
            out.append(Pasted(text))
        self._pasting, self._pasted = False, b""
        return end + len(_PASTE_END)

    def _take(self, out: list[Message], late: bool) -> int:
        """Read one key, report or character from the front; returns its length in bytes, 0 if it is incomplete."""
        data = self._rest
        if data[0] != 0x1B:
            return self._take_character(out, data, 0)
        for pattern, reader in (
            (_CONSOLE, _read_console),
            (_CSI, self._read_csi),
            (_SS3, _read_ss3),
            (_STRING, _read_string),
        ):
            match = pattern.match(data)
            if match:
                reader(match, out)
                return match.end()
        if _may_go_on(data) and len(data) < MAX_SEQUENCE and not late:
            return 0
        if len(data) == 1 or data[1] == 0x1B:
            out.append(Key("ESCAPE"))
            return 1
        if len(data) > 2 and data[1] in b"[OP]_^X":
            return len(data)
        used = self._take_character(out, data[1:], ALT)
        return used + 1 if used else len(data) if late else 0

    def _take_character(self, out: list[Message], data: bytes, modifiers: int) -> int:
        """Read a UTF-8 character at the front, and its key; returns its length in bytes, 0 if it is incomplete."""
        first = data[0]
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        torn = any(byte & 0xC0 != 0x80 for byte in data[1:length])
        if len(data) < length and not torn:
            return 0
        try:
            character = data[:length].decode()
        except UnicodeDecodeError:
            return 1
        _type(character, modifiers, out)
        return length

    def _read_csi(self, match: re.Match[bytes], out: list[Message]) -> None:
        mark, final, fields = match[1].decode(), match[4].decode(), _fields(match[2])
        if fields is None or match[3]:
            return
        if mark == "<" and final in "Mm":
            _read_mouse(fields, final == "M", out)
        elif mark == "?" and final == "u" and fields[0][0] & 2:
            out.append(Answer("kitty"))
        elif mark == "?" and final == "c":
            out.append(Answer("here"))
        elif not mark and final == "n":
            out.append(Answer("ready"))
        elif not mark and final in "IO" and not match[2]:
            out.append(Focus(final == "I"))
        elif not mark and final == "~" and fields[0][0] == 200:
            self._pasting, self._pasted = True, b""
        elif not mark:
            _read_key(fields, final, out)


def _fields(text: bytes) -> list[list[int]] | None:
    """Parse `1;5:3` to [[1], [5, 3]], an empty part to 0; None for numbers that no terminal sends."""
    if len(text) > 256:
        return None
    fields = [[int(part or 0) for part in field.split(b":")] for field in text.split(b";")]
    return fields if all(number < 1 << 24 for field in fields for number in field) else None


def _may_go_on(data: bytes) -> bool:
    """Return True if bytes that begin with an escape may be an incomplete sequence."""
    if len(data) == 1 or data[1] in b"P]_^X":
        return True
    if data[1] == 0x1B:
        return False
    if data[1] in b"[O":
        return data[2:] == b"[" or all(0x20 <= byte < 0x40 for byte in data[2:])
    return data[1] >= 0xC0


def _type(character: str, modifiers: int, out: list[Message]) -> None:
    """Add the key press of a plain character, and its text unless it is a command."""
    code = ord(character)
    if character in CHARACTERS:
        shifted = SHIFT if character.isupper() and not modifiers else 0
        out.append(Key(CHARACTERS[character], modifiers | shifted))
    elif code < 0x20:
        name = CHARACTERS.get(chr(code + 0x60)) or CHARACTERS.get(chr(code + 0x40), "SPACE")
        out.append(Key(name if code else "SPACE", modifiers | CTRL))
    if is_text(character) and not modifiers:
        out.append(Typed(character))


def _read_console(match: re.Match[bytes], out: list[Message]) -> None:
    """Read the first five function keys of the Linux console."""
    out.append(Key(f"F{match[1][0] - ord('A') + 1}"))


def _read_ss3(match: re.Match[bytes], out: list[Message]) -> None:
    final = match[1].decode()
    name = FINALS.get(final) or PAD_FINALS.get(final)
    if name:
        out.append(Key(name))


def _read_string(match: re.Match[bytes], out: list[Message]) -> None:
    """Read the answer to the query of the background color; terminals without 24 bits send another one, or none."""
    if match[1] == b"P" and match[2].startswith(b"1$r") and re.search(rb"48[:;]2[:;]+1[:;]2[:;]3", match[2]):
        out.append(Answer("true"))


def _read_mouse(fields: list[list[int]], down: bool, out: list[Message]) -> None:
    """Read `CSI < button ; column ; row M`, or `m` for a release."""
    if len(fields) != 3:
        return
    code, column, row = (field[0] for field in fields)
    cell = max(0, column - 1), max(0, row - 1)
    button = code & ~(4 | 8 | 16 | 32)
    if button in WHEEL:
        out.append(Pointer(*cell, wheel=WHEEL[button]))
    elif code & 32:
        out.append(Pointer(*cell))
    elif button in BUTTONS:
        out.append(Pointer(*cell, BUTTONS[button], down))


_ACTS: dict[int, Literal["press", "repeat", "release"]] = {1: "press", 2: "repeat", 3: "release"}


def _read_key(fields: list[list[int]], final: str, out: list[Message]) -> None:
    """Read `CSI number ; modifiers : act ; text FINAL`; act and text belong to the kitty protocol."""
    name = _named(fields[0], final)
    second = fields[1] if len(fields) > 1 else [1]
    modifiers = max(0, second[0] - 1) & (SHIFT | ALT | CTRL)
    act = _ACTS.get(second[1] or 1) if len(second) > 1 else "press"
    if final == "Z":
        name, modifiers = "TAB", SHIFT
    if act is None:
        return
    if name:
        out.append(Key(name, modifiers, act))
    if len(fields) > 2 and act != "release" and not modifiers & (ALT | CTRL):
        text = typed_text("".join(chr(code) for code in fields[2] if code < 0x110000))
        if text:
            out.append(Typed(text))


def _named(numbers: list[int], final: str) -> str | None:
    """Return the key of a sequence: that of the character, otherwise that in the same place of a Latin keyboard."""
    if final == "~":
        return NUMBERED.get(numbers[0])
    if final != "u":
        return FINALS.get(final)
    for number in (numbers[0], *numbers[2:3]):
        if number in PRIVATE:
            return PRIVATE[number]
        if number < 128 and chr(number) in CHARACTERS:
            return CHARACTERS[chr(number)]
    return None
