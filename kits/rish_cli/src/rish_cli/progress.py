"""Progress line on a terminal while a game loads or frames run; in a pipe nothing is printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import rish_jit
from rish_core.manifest import on_progress
from rish_ecs import is_terminal, printable
from rish_jit.errors.terminal import write

_PATIENCE = 1.0
"""Seconds until the first message is shown."""
_WIPE = "\r\033[K"
_WIDTH = 30


def _bar(done: int, total: int) -> str:
    reached = _WIDTH * done // max(total, 1)
    return "━" * reached + "─" * (_WIDTH - reached)


@contextmanager
def show_progress() -> Generator[Callable[[str], None]]:
    """Show the progress of reading and checking a manifest and of compiling kernels; the line is cleared at the end.

    Yields `show(text)`, which replaces the text of the line. The line first appears after one second.
    """
    begin = time.perf_counter()
    terminal = is_terminal(sys.stderr)
    shown = False

    def show(text: str) -> None:
        nonlocal shown
        if terminal and time.perf_counter() - begin > _PATIENCE:
            shown = True
            write(f"{_WIPE}{printable(text, one_line=True)}", error=True)

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
            write(_WIPE, error=True)
