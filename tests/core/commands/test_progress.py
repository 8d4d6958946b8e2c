"""Progress: seen by a person who waits for more than a second, and by nobody else."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rish_core import App, parse_manifest
from rish_core.commands import progress
from rish_ecs import jit


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Terminal]:
    """Lets a person look who is patient for so many seconds; called in the test, for pytest swaps stderr before."""

    def begin(patience: float) -> Terminal:
        made = Terminal()
        monkeypatch.setattr(sys, "stderr", made)
        monkeypatch.setattr(progress, "_PATIENCE", patience)
        monkeypatch.setenv("TERM", "xterm")
        return made

    return begin


def run_frames(total: int | None, count: int) -> None:
    """Some frames with a bar."""
    with progress.frames(total, "Breakout") as advance:
        for _ in range(count):
            advance()


def test_in_a_pipe_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Even if it takes long."""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    run_frames(10, 10)
    with progress.loading():
        tell("kernel")
    assert capsys.readouterr().err == ""


def test_a_short_wait_shows_nothing(look: Callable[[float], Terminal]) -> None:
    """Most runs are over before anyone wonders."""
    terminal = look(60.0)
    run_frames(10, 10)
    assert terminal.getvalue() == ""


def test_a_long_wait_has_a_bar(look: Callable[[float], Terminal]) -> None:
    """With the game's name and how far it is; it is gone in the end."""
    terminal = look(0.0)
    run_frames(100, 50)
    assert "Breakout" in terminal.getvalue()
    assert "/100" in terminal.getvalue()


def test_an_endless_run_has_no_bar(look: Callable[[float], Terminal]) -> None:
    """There is no end to be near to."""
    terminal = look(0.0)
    run_frames(None, 50)
    assert terminal.getvalue() == ""


def test_a_bar_goes_also_when_the_game_fails(look: Callable[[float], Terminal]) -> None:
    """The cursor is shown again."""
    terminal = look(0.0)
    with contextlib.suppress(ValueError), progress.frames(10, "Game") as advance:
        advance()
        raise ValueError("no")
    assert terminal.getvalue().rfind("\x1b[?25h") > terminal.getvalue().rfind("\x1b[?25l")


def tell(name: str) -> None:
    """A kernel begins to compile."""
    for listener in list(jit._listeners):  # pyright: ignore[reportPrivateUsage]
        listener(name, 1)


def test_compiling_says_which_kernel(look: Callable[[float], Terminal]) -> None:
    """Once it takes long; the line is wiped, and nobody listens afterwards."""
    before: list[Any] = list(jit._listeners)  # pyright: ignore[reportPrivateUsage]
    terminal = look(60.0)
    with progress.loading():
        tell("quick")
    assert terminal.getvalue() == ""
    terminal = look(0.0)
    with progress.loading():
        tell("draw_sprites")
    assert "compiling kernel 1: draw_sprites" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert jit._listeners == before  # pyright: ignore[reportPrivateUsage]


def test_a_large_manifest_says_how_far_it_is(look: Callable[[float], Terminal]) -> None:
    """Lines while it is read, entries while they are checked; the last numbers are near the whole."""
    entries = "".join(f"    - {{Transform: {{position: [{k}, 1]}}}}\n" for k in range(5000))
    text = f"rish: 1\nscenes:\n  main:\n{entries}"
    terminal = look(0.0)
    with progress.loading():
        App(parse_manifest(text), headless=True, installed=[]).close()
    found = terminal.getvalue()
    assert "reading game.yaml, line 1,0" in found
    assert re.search(r"reading game.yaml, line 4,\d\d\d of 5,003", found)
    assert "checking the scene main, entry 4,000 of 5,000" in found
    assert found.endswith("\r\x1b[K")
