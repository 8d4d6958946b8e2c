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


@contextmanager
def loading() -> Generator[None]:
    """Show how far a manifest was read and checked, and which kernel is being compiled."""
    begin = time.perf_counter()
    shown = False

    def show(text: str) -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.perf_counter() - begin > _PATIENCE:
            shown = True
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    undo = [
        jit.on_compile(lambda name, number: show(f"compiling kernel {number}: {name} (only once)")),
        on_progress(lambda what, done, total: show(f"{what} {done:,} of {total:,}")),
    ]
    try:
        yield
    finally:
        for end in undo:
            end()
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def frames(total: int | None, text: str) -> Generator[Callable[[], None]]:
    """A bar for `total` frames that appears when it takes over a second; gives `advance()`, to call once a frame."""
    if total is None or not sys.stderr.isatty():
        yield lambda: None
        return
    bar = _Bar(total, text)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """A bar of rich's, made when the wait gets long, so that short runs don't import it."""

    def __init__(self, total: int, text: str) -> None:
        self._total, self._text = total, text
        self._done = 0
        self._begin = time.perf_counter()
        self._shown: Callable[[int], None] | None = None
        self._stop: Callable[[], None] | None = None

    def advance(self) -> None:
        """One frame is done."""
        self._done += 1
        if self._shown is not None:
            self._shown(self._done)
        elif time.perf_counter() - self._begin > _PATIENCE:
            self._open()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
        progress = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
        task = progress.add_task(self._text, total=self._total)
        progress.start()
        self._shown = lambda done: progress.update(task, completed=done)
        self._stop = progress.stop

    def close(self) -> None:
        """Take the bar away."""
        if self._stop is not None:
            self._stop()
