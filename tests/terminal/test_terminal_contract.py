"""The terminal backend keeps the contract of backends, headless and on a terminal."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from rish_frame.testing import BackendContract

pytest.importorskip("termios", reason="this system has no Unix terminals")

from rish_terminal import TerminalBackend


class TestUnseen(BackendContract):
    """The contract for the headless backend, which is the software backend."""

    make = TerminalBackend
    skips = frozenset[str]()


class OnPty(TerminalBackend):
    """A backend that is always visible, on a pty of its own whose other end is read."""

    def __init__(self) -> None:
        import termios

        self._master, self._slave = os.openpty()
        termios.tcsetwinsize(self._slave, (50, 120))
        threading.Thread(target=self._drain, daemon=True).start()
        super().__init__(self._slave, self._slave, rate=1e6)

    def _drain(self) -> None:
        try:
            while os.read(self._master, 65536):
                pass
        except OSError:
            pass

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open on the pty, whatever is requested."""
        super().open(title, size, True)


class TestOnTerminal(BackendContract):
    """The contract for the backend on a terminal that is large enough."""

    skips = frozenset[str]()

    @staticmethod
    def make() -> Any:
        """Return a backend on a pty."""
        return OnPty()
