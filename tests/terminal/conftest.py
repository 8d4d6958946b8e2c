"""A terminal for tests: a pty with a small interpreter of control sequences at the other end."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import signal
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("termios", reason="this system has no Unix terminals")

_TOKEN = re.compile(
    r"\x1b\[(?P<mark>[<-?]?)(?P<fields>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b(?P<string>[P\]])(?P<body>.*?)\x1b\\|(?P<text>[^\x1b]+)",
    re.DOTALL,
)


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Enable Ctrl-C here and in started processes, also if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Screen:
    """The display of a terminal. It fails on any unknown control sequence.

    fore, back: colors of the cells, int (rows, columns, 3), -1 if not set. glyphs: object (rows, columns), characters;
    "" is the right half of a wide one. modes: private modes that are on. ordered: whether the terminal orders
    right-to-left text. titles: the last title. log: all text printed outside the alternate screen. most: cells written
    since `count` was set to 0.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.modes: set[int] = {7, 25}
        self.title = ""
        self.rest = ""
        self.ordered = True
        self.log = ""
        self.keyboard: list[int] = []
        self.asked: list[str] = []
        self.written = 0
        self.clear()

    def clear(self) -> None:
        """Erase everything."""
        self.glyphs = np.full((self.rows, self.columns), " ", object)
        self.fore = np.full((self.rows, self.columns, 3), -1)
        self.back = np.full((self.rows, self.columns, 3), -1)
        self.pen: list[Any] = [(-1, -1, -1), (-1, -1, -1)]
        self.row = self.column = 0

    def feed(self, text: str) -> None:
        """Execute a text with control sequences; the beginning of a sequence waits for its rest."""
        place, text, self.rest = 0, self.rest + text, ""
        while place < len(text):
            found = _TOKEN.match(text, place)
            if not found and len(text) - place < 40:
                self.rest = text[place:]
                return
            assert found, repr(text[place : place + 40])
            place = found.end()
            if found["text"] is not None:
                self._print(found["text"])
            elif found["string"] == "]":
                self.title = found["body"].removeprefix("2;")
            elif found["string"] == "P":
                self.asked.append(found["body"])
            else:
                self._obey(found["mark"], found["fields"], found["final"])

    def _print(self, text: str) -> None:
        if 1049 not in self.modes:
            self.log += text
            return
        for character in text:
            if unicodedata.combining(character):
                self.glyphs[self.row, self.column - 1] += character
                continue
            wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            assert self.column + wide <= self.columns, "a cell beyond the right edge was written"
            row, cells = self.row, slice(self.column, self.column + wide)
            if self.glyphs[row, self.column] == "":
                self.glyphs[row, self.column - 1] = " "
            if cells.stop < self.columns and self.glyphs[row, cells.stop] == "":
                self.glyphs[row, cells.stop] = " "
            self.glyphs[row, cells] = [character, ""][:wide]
            self.fore[row, cells], self.back[row, cells] = self.pen
            self.column += wide
            self.written += wide

    def _obey(self, mark: str, fields: str, final: str) -> None:
        numbers = [int(part or 0) for part in fields.split(";")]
        if mark == "?" and final in "hl":
            (self.modes.add if final == "h" else self.modes.discard)(numbers[0])
        elif numbers == [8] and final in "hl":
            self.ordered = final == "h"
        elif final == "u":
            {">": lambda: self.keyboard.append(numbers[0]), "<": self.keyboard.pop, "?": lambda: None}[mark]()
        elif final == "H":
            self.row, self.column = numbers[0] - 1, numbers[1] - 1
            assert 0 <= self.row < self.rows
            assert 0 <= self.column < self.columns
        elif final == "C":
            self.column += numbers[0]
        elif final == "m":
            self._color(numbers)
        elif final == "J":
            self.clear()
        elif final in "nc":
            self.asked.append(final)
        else:
            assert final == "t", (mark, fields, final)

    def _color(self, numbers: list[int]) -> None:
        while numbers:
            first = numbers.pop(0)
            if first == 0:
                self.pen = [(-1, -1, -1), (-1, -1, -1)]
            elif first not in (38, 48):  # a named color of the log
                continue
            elif numbers.pop(0) == 2:
                self.pen[first == 48] = tuple(numbers[:3])
                del numbers[:3]
            else:
                self.pen[first == 48] = color_of(numbers.pop(0))

    @property
    def text(self) -> list[str]:
        """The characters of each row; half blocks are spaces."""
        return ["".join(" " if glyph in "▀▄" and glyph else glyph for glyph in row).rstrip() for row in self.glyphs]

    @property
    def picture(self) -> npt.NDArray[np.uint8]:
        """The displayed image, as `behind`; no cell shows a character."""
        assert set(self.glyphs.ravel()) <= {" ", "▀", "▄"}
        return self.behind

    @property
    def behind(self) -> npt.NDArray[np.uint8]:
        """The image behind the characters, two pixels a cell, uint8 (2 * rows, columns, 3); unset cells are black."""
        above, below = self.back.copy(), self.back.copy()
        for glyph, half in (("▀", above), ("▄", below)):
            half[self.glyphs == glyph] = self.fore[self.glyphs == glyph]
        both = np.stack([above, below], axis=1).reshape(2 * self.rows, self.columns, 3)
        return np.maximum(both, 0).astype(np.uint8)


def color_of(number: int) -> tuple[int, int, int]:
    """Return a color of xterm's palette of 256, for numbers from 16 on."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return steps[number // 36], steps[number // 6 % 6], steps[number % 6]


class Line:
    """A pty: `slave` is the terminal for a program, the other end is used as keyboard and screen."""

    def __init__(self, columns: int, rows: int) -> None:
        self.master, self.slave = os.openpty()
        self.screen = Screen(columns, rows)
        self.raw = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.answers: dict[str, bytes] = {}
        self._stop = False
        self._idle = 0  # how many times in a row the thread found no output
        self._lock = threading.Lock()
        self.resize(columns, rows)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        import termios

        termios.tcsetwinsize(self.slave, (rows, columns))
        if (columns, rows) != (self.screen.columns, self.screen.rows):
            self.screen.columns, self.screen.rows = columns, rows
            self.screen.clear()

    def _listen(self) -> None:
        while not self._stop:
            if select.select([self.master], [], [], 0.02)[0]:
                with contextlib.suppress(OSError), self._lock:
                    self.raw += os.read(self.master, 65536)
                self._idle = 0
            else:
                self._idle += 1

    def type(self, data: bytes | str) -> None:
        """Send keys."""
        os.write(self.master, data.encode() if isinstance(data, str) else data)

    def settle(self) -> Screen:
        """Wait until the thread finds no more output, and return the screen."""
        self._idle = 0
        while self._idle < 2:
            time.sleep(0.005)
        with self._lock:
            data, self.raw = self.raw, b""
        self.screen.feed(self._decoder.decode(data).replace("\r\n", "\n"))
        return self.screen

    def close(self) -> None:
        """Close both ends."""
        self._stop = True
        self._thread.join()
        for number in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(number)


@pytest.fixture
def line() -> Iterator[Callable[..., Line]]:
    """A function that makes a pty: `line(columns, rows)`."""
    made: list[Line] = []

    def make(columns: int = 80, rows: int = 40) -> Line:
        made.append(Line(columns, rows))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def blank() -> Callable[[int, int], Screen]:
    """A function that makes a screen without a pty: `blank(columns, rows)`."""
    return Screen


@pytest.fixture
def palette() -> Callable[[int], tuple[int, int, int]]:
    """A function that returns the colors of xterm's palette, by number."""
    return color_of
