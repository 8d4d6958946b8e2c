"""Progress for a person: a line on a terminal while a game loads or frames are run; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rish_ecs import jit

from ..manifest.progress import on_progress

_PATIENCE = 1.0
"""Seconds before anything is shown."""
_WIPE = "\r\033[K"


@contextmanager
def progress() -> Generator[Callable[[str], None]]:
    """Show how far a manifest was read and checked, and which kernel is being compiled; the line is wiped at the end.

    Gives `show(text)`, which writes another text into the line.
    """
    begin = time.perf_counter()
    terminal = sys.stderr.isatty()
    shown = False

    def show(text: str) -> None:
        nonlocal shown
        if terminal and time.perf_counter() - begin > _PATIENCE:
            shown = True
            print(f"{_WIPE}{text}", end="", file=sys.stderr, flush=True)

    undo = [
        jit.on_compile(lambda name, number: show(f"compiling kernel {number}: {name} (only once)")),
        on_progress(lambda what, done, total: show(f"{what} {done:,} of {total:,}")),
    ]
    try:
        yield show
    finally:
        for end in undo:
            end()
        if shown:
            print(_WIPE, end="", file=sys.stderr, flush=True)
