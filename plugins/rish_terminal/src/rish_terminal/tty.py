"""A terminal that is taken over: its modes are changed, and always restored.

While a game runs, the terminal shows its alternate screen without a cursor, sends each key and every move of the mouse
immediately, and echoes nothing. Output that the game or a library prints would spoil the frame, so it is stored and
shown at the end. The terminal is restored on closing, at the exit of the process, on a fatal signal, and while the game
is stopped with Ctrl-Z.
"""

from __future__ import annotations

import atexit
import os
import select
import sys
import tempfile
from typing import BinaryIO

from rish_frame import BackendError
from rish_system import Handlers, RawMode, can_be_raw, default_action, is_same_terminal, is_terminal, terminal_size

KEYBOARD = 1 | 2 | 4 | 8 | 16
"""The requested features of the kitty protocol: unambiguous keys, releases, other layouts, all keys, and their text."""
ENTER = (
    "\x1b[22;2t"  # save the window's title
    "\x1b[?1049h\x1b[?25l\x1b[?7l"  # alternate screen, no cursor, no wrapping
    "\x1b[8l"  # characters in the order of display: the terminal must not order them again
    "\x1b[?1003h\x1b[?1006h"  # every move of the mouse, in numbers
    "\x1b[?1004h\x1b[?2004h"  # sequences on focus changes and around pasted text
    f"\x1b[>{KEYBOARD}u"
)
LEAVE = (
    "\x1b[?2026l\x1b[8h\x1b[<u\x1b[?2004l\x1b[?1004l\x1b[?1006l\x1b[?1003l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l\x1b[23;2t"
)
QUESTIONS = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m\x1b[?u\x1b[c"
"""Queries: whether this background color is kept (24-bit color), the keyboard protocol, and whether the terminal
answers.
"""
_MAX_KEPT = 1 << 16
"""The greatest number of bytes of text printed during the game that are shown at the end."""
_SIZE = (80, 24)
"""Columns and rows of a terminal that does not report its size."""


class Tty:
    """A terminal by two file descriptors: keys are read from `source`, frames are written to `sink`.

    hung_up: the terminal is gone. disturbed: the size may have changed, or another program wrote; the reader resets it.
    """

    def __init__(self, source: int = 0, sink: int = 1) -> None:
        self._source, self._sink = source, sink
        self._out = -1
        self._mode: RawMode | None = None
        self._inside = False
        self._handlers = Handlers({
            "SIGWINCH": self._on_change, "SIGCONT": self._on_continue, "SIGTSTP": self._on_stop,
            "SIGTERM": self._on_deadly, "SIGHUP": self._on_deadly,
        })  # fmt: skip
        self._streams: dict[int, int] = {}
        self._kept: BinaryIO | None = None
        self.hung_up = False
        self.disturbed = False

    def open(self) -> None:
        """Take over the terminal. Raises BackendError if there is none."""
        self._check()
        self._out = os.dup(self._sink)
        try:
            self._mode = RawMode(self._source)
            self._enter()
            self._handlers.install()
        except BaseException:
            self.close()
            raise
        atexit.register(self.close)

    def close(self) -> None:
        """Restore the terminal; may be called twice."""
        atexit.unregister(self.close)
        self._handlers.remove()
        self._leave()
        if self._out >= 0:
            os.close(self._out)
            self._out = -1

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows of the terminal."""
        return terminal_size(self._out, _SIZE)

    def read(self) -> bytes:
        """Return the bytes typed since the last call, possibly none; never waits."""
        data = b""
        while not self.hung_up and select.select([self._source], [], [], 0)[0]:
            try:
                chunk = os.read(self._source, 65536)
            except OSError:
                chunk = b""
            self.hung_up = not chunk
            data += chunk
            if len(chunk) < 4096:
                break
        return data

    def write(self, data: bytes) -> None:
        """Write all data, and wait if the terminal is slower. After the terminal has hung up, does nothing."""
        unwritten = memoryview(data)
        while unwritten and not self.hung_up:
            try:
                unwritten = unwritten[os.write(self._out, unwritten) :]
            except BlockingIOError:
                select.select([], [self._out], [])
            except OSError:
                self.hung_up = True

    def _check(self) -> None:
        if not can_be_raw():
            raise BackendError(
                "the backend 'terminal' needs a Unix terminal and does not work on Windows",
                hint="Use another backend, or run it inside WSL",
            )
        for stream, number in (("input", self._source), ("output", self._sink)):
            if not is_terminal(number):
                raise BackendError(
                    f"the backend 'terminal' needs a terminal, but standard {stream} is not a terminal",
                    hint="Start it without pipes and redirections; through ssh with: ssh -t",
                )
        if os.environ.get("TERM") == "dumb":
            raise BackendError(
                "the backend 'terminal' needs a terminal that can move its cursor, but TERM is 'dumb'",
                hint="Start it in a terminal window",
            )

    # Taking over and restoring

    def _enter(self) -> None:
        if self._inside or self._mode is None:
            return
        self._inside = True
        self._set_streams_aside()
        self._mode.enter()
        self.write((ENTER + QUESTIONS + "\x1b[2J").encode())
        self.disturbed = True

    def _leave(self) -> None:
        if not self._inside or self._mode is None:
            return
        self._inside = False
        self.write(LEAVE.encode())
        self._mode.leave()  # the last moves of the mouse must not reach the shell
        self._give_streams_back()

    # Output of other code

    def _set_streams_aside(self) -> None:
        """Redirect standard output and error to a file if they would go to this terminal."""
        for stream, number in ((sys.__stdout__, 1), (sys.__stderr__, 2)):
            if not is_same_terminal(number, self._out):
                continue
            if stream is not None:
                stream.flush()
            if self._kept is None:
                self._kept = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is shown
            self._streams[number] = os.dup(number)
            os.dup2(self._kept.fileno(), number)

    def _give_streams_back(self) -> None:
        for stream in (sys.__stdout__, sys.__stderr__):
            if self._streams and stream is not None:
                stream.flush()
        for number, copy in self._streams.items():
            os.dup2(copy, number)
            os.close(copy)
        self._streams.clear()
        if self._kept is None:
            return
        with self._kept as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _MAX_KEPT))
            self.write(file.read())
        self._kept = None

    # Signals

    def _on_change(self, name: str) -> None:
        self.disturbed = True

    def _on_continue(self, name: str) -> None:
        self._enter()
        self.disturbed = True

    def _on_stop(self, name: str) -> None:
        """Restore the terminal, stop the process, and take the terminal again when it continues."""
        self._leave()
        default_action(name)
        self._enter()

    def _on_deadly(self, name: str) -> None:
        """Restore the terminal, then end the process with the signal."""
        self.close()
        default_action(name)
