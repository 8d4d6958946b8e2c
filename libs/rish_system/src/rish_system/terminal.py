"""A terminal whose keys arrive one by one. Windows has no such modes."""

from __future__ import annotations

import os
from typing import Any

try:
    import termios as _termios
except ImportError:  # Windows
    _termios = None
_modes: Any = _termios


def can_be_raw() -> bool:
    """Return whether the terminals of this system have modes."""
    return _modes is not None


class RawMode:
    """The modes of a terminal in which keys arrive at once and are not echoed.

    Ctrl-C and Ctrl-Z stay signals. number: the file descriptor from which keys are read. Raises OSError if it is no
    terminal.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        try:
            self._former: list[Any] = _modes.tcgetattr(number)
        except _modes.error as error:
            raise OSError(*error.args) from None

    def enter(self) -> None:
        """Change the modes."""
        changed: list[Any] = [part[:] if isinstance(part, list) else part for part in self._former]
        changed[0] &= ~(_modes.ICRNL | _modes.INLCR | _modes.IXON)
        changed[3] &= ~(_modes.ICANON | _modes.ECHO | _modes.IEXTEN)
        changed[6][_modes.VMIN], changed[6][_modes.VTIME] = 1, 0
        _modes.tcsetattr(self._number, _modes.TCSADRAIN, changed)

    def leave(self) -> None:
        """Restore the modes, and discard typed keys that were not read. Does nothing if the terminal is gone."""
        try:
            _modes.tcsetattr(self._number, _modes.TCSAFLUSH, self._former)
        except (OSError, _modes.error):
            pass


def terminal_size(number: int, default: tuple[int, int]) -> tuple[int, int]:
    """Return the columns and rows of a terminal; the default if it does not report them."""
    try:
        columns, rows = os.get_terminal_size(number)
    except OSError:
        return default
    return (columns, rows) if columns and rows else default


def is_same_terminal(number: int, other: int) -> bool:
    """Return whether two file descriptors are the same terminal."""
    try:
        return os.isatty(number) and os.fstat(number).st_rdev == os.fstat(other).st_rdev
    except OSError:
        return False
