"""The line of progress on a terminal while a game loads or frames run; without a terminal nothing is printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import rish_jit
from rish_core.manifest import on_progress
from rish_ecs import printable
from rish_jit.errors.terminal import write
from rish_system import is_terminal

_DELAY = 1.0
"""Seconds after which the line first appears."""
_CLEAR_LINE = "\r\033[K"
_WIDTH = 30


def _bar(done: int, total: int) -> str:
    reached = _WIDTH * done // max(total, 1)
    return "━" * reached + "─" * (_WIDTH - reached)


@contextmanager
def show_progress() -> Generator[Callable[[str], None]]:
    """A context manager that shows the progress of reading manifests and compiling kernels in a line on the terminal.

    Yields `show(text)`, which replaces the text of the line. The line first appears after one second, and is cleared at
    the end.
    """
    begin = time.perf_counter()
    terminal = is_terminal(sys.stderr)
    shown = False

    def show(text: str) -> None:
        nonlocal shown
        if terminal and time.perf_counter() - begin > _DELAY:
            shown = True
            write(f"{_CLEAR_LINE}{printable(text, one_line=True)}", error=True)

    undo = [
        rish_jit.on_compile(lambda name, number: show(f"compiling kernel {number}: {name} (only once)")),
        on_progress(lambda what, done, total: show(f"{what} {done:,} of {total:,} {_bar(done, total)}")),
    ]
    try:
        yield show
    finally:
        for end in undo:
            end()
        if shown:
            write(_CLEAR_LINE, error=True)
