"""The `terminal` backend: the software backend's frames as half blocks with characters, keys and mouse from the tty.

It uses only public interfaces: `ForwardingBackend` lets a software backend draw; this package adds a terminal that
shows the frame and reads keys.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_core import WindowEvent
from rish_frame.paint.writing import typed_text
from rish_render import ForwardingBackend, make_software
from rish_system import raise_signal

from .cells import Cells
from .key_state import KeyState
from .layout import fit
from .parser import Answer, Key, Message, Parser
from .tty import Tty

if TYPE_CHECKING:
    from rish_frame import DrawStats, Frame
    from rish_frame.paint import Label

RATE = 30
"""The greatest number of frames per second: more than most terminals can display over a network."""
_AHEAD = 2
"""The greatest number of frames that are sent without a confirmation from the terminal."""
_PATIENCE = 1.0
"""The time, in seconds, after which an answer counts as lost."""
_ASK = b"\x1b[5n"
_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"
"""Sequences around a frame. Terminals that support them show the frame in one update."""
_TRUE = ("truecolor", "24bit")


class TerminalBackend(ForwardingBackend):
    """Plays in a terminal, over ssh too.

    source, sink: file descriptors of the terminal, to read from and to write to. rate: most frames a second.
    """

    name = "terminal"

    def __init__(self, source: int = 0, sink: int = 1, rate: float = RATE) -> None:
        super().__init__(make_software())
        self._tty = Tty(source, sink)
        self._rate = rate
        self._visible = False
        self._wished = (0, 0)
        self._layout = fit((1, 1), 1, 1)
        self._reset()

    def _reset(self) -> None:
        """Reset all data about the terminal."""
        self._cells, self._parser, self._keys = Cells(), Parser(), KeyState()
        self._news: list[WindowEvent] = []
        self._answers = False
        self._asked: list[float] = []
        self._due = 0.0
        self._labels: Sequence[Label] = ()

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the software backend, a window, a clipboard that can be written, and in a terminal
        cells."""
        added = {"window", "write_clipboard", "cells"} if self._visible else {"window", "write_clipboard"}
        return self.software.capabilities | added

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a character cell in pixels of the screen."""
        return float(self._layout.fine), 2.0 * self._layout.fine

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Take over the terminal; if not `visible`, only draw. Raises BackendError if there is no terminal."""
        if self.software.size != (0, 0):
            return
        self._wished = (int(size[0]), int(size[1]))
        self.software.open(title, size, visible)
        if not visible:
            return
        try:
            self._tty.open()
        except BaseException:
            self.software.close()
            raise
        self._visible = True
        self._cells.true = os.environ.get("COLORTERM", "") in _TRUE
        self._show_title(title)
        self._refit()
        self._news.clear()

    def poll(self) -> list[WindowEvent]:
        """Return the window events: keys, text, mouse, focus, a new size, and the end of the terminal."""
        if not self._visible:
            return self.software.poll()
        now = time.monotonic()
        messages = self._parser.feed(self._tty.read(), now)
        for message in messages:
            self._obey(message)
        if self._tty.disturbed:
            self._tty.disturbed = False
            self._cells.forget()
            self._refit()
        news, self._news = self._news, []
        news += self._keys.events(messages, self._layout, now)
        return [*news, WindowEvent("close")] if self._tty.hung_up else news

    def _obey(self, message: Message) -> None:
        """Process answers of the terminal, and raise the signals for Ctrl-C and Ctrl-Z if they arrive as keys."""
        if isinstance(message, Answer):
            if message.what == "kitty":
                self._keys.guess = False
            elif message.what == "true" and not self._cells.true:
                self._cells.true = True
                self._cells.forget()
            elif message.what == "here":
                self._answers = True
            elif message.what == "ready" and self._asked:
                self._asked.pop(0)
        elif isinstance(message, Key) and message.modifiers & 4 and message.act == "press":
            name = {"C": "SIGINT", "Z": "SIGTSTP"}.get(message.name)
            if name is not None:
                raise_signal(name)

    def _refit(self) -> None:
        """Fit the frame into the terminal again; a new size is queued as a resize event."""
        layout = fit(self._wished, *self._tty.size)
        if layout.drawn != self.software.size:
            self.software.configure(size=layout.drawn)
            self._news.append(WindowEvent("resize", x=layout.drawn[0], y=layout.drawn[1]))
        self._layout = layout

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame, with its labels over it; a tool that draws over a frame keeps that frame's labels."""
        first = next((each for each in frame.ordered() if "screen" in each.targets), None)
        if frame.cell is not None or first is None or first.clear:
            self._labels = frame.labels
        return super().draw(frame)

    def present(self) -> None:
        """Show the drawn frame, after waiting until the next frame may be shown."""
        if not self._visible:
            return
        time.sleep(max(0.0, self._due - time.monotonic()))
        now = time.monotonic()
        self._due = now + 1 / self._rate
        if not self._may_write(now) or self._layout.drawn != self.software.size:
            return
        data = self._cells.update(self.software.pixels(), self._layout, self._labels)
        if data:
            if self._answers:
                self._asked.append(now)
            self._tty.write(_BEGIN + data + _END + (_ASK if self._answers else b""))

    def _may_write(self, now: float) -> bool:
        """Return True if the terminal is fast enough; otherwise frames are skipped instead of queued."""
        while self._asked and now - self._asked[0] > _PATIENCE:
            self._asked.pop(0)
        return len(self._asked) < _AHEAD

    def configure(self, **options: Any) -> None:
        """Set title and size; the cursor stays hidden, and a terminal has neither icon nor full screen."""
        if not self._visible:
            self.software.configure(**options)
            return
        size = options.pop("size", None)
        self.software.configure(**options)
        if "title" in options:
            self._show_title(options["title"])
        if size is not None:
            self._wished = (int(size[0]), int(size[1]))
            self._refit()

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard of the terminal (xterm's sequence OSC 52), if the terminal allows it."""
        if self._visible:
            content = base64.b64encode(text.encode(errors="replace")).decode()
            self._tty.write(f"\x1b]52;c;{content}\x1b\\".encode())

    def close(self) -> None:
        """Restore the terminal."""
        self.software.close()
        self._tty.close()
        self._visible = False
        self._reset()

    def _show_title(self, title: str) -> None:
        self._tty.write(f"\x1b]2;{typed_text(str(title))}\x1b\\".encode())
