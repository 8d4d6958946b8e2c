"""Progress is shown only on a terminal, after more than a second of waiting."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_cli import progress as module
from rish_cli.progress import show_progress
from rish_core import App, parse_manifest
from rish_core.launcher import main
from rish_jit.compiler import kernel

ENDS = """
from rish_core import Session, Stage, system

@system(Stage.UPDATE, writes=Session)
def end(world, dt):
    world[Session].quit = world.tick >= 40

def rish_systems():
    return [end]
"""
"""A game that ends after 40 ticks."""


class Terminal(io.StringIO):
    """A stream for standard error that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Terminal]:
    """Provide a function that sets a terminal and the delay; called in the test, because pytest swaps stderr before."""

    def begin(delay: float) -> Terminal:
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(module, "_DELAY", delay)
        monkeypatch.setenv("TERM", "xterm")
        return terminal

    return begin


def test_in_a_pipe_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is shown if standard error is no terminal, even if the work takes long."""
    monkeypatch.setattr(module, "_DELAY", 0.0)
    with show_progress() as show:
        tell("kernel")
        show("frame 10 of 20")
    assert capsys.readouterr().err == ""


def test_a_short_wait_shows_nothing(look: Callable[[float], Terminal]) -> None:
    """Nothing is shown if the work is over before the delay."""
    terminal = look(60.0)
    with show_progress() as show:
        show("frame 10 of 20")
    assert terminal.getvalue() == ""


def test_the_line_goes_also_when_the_game_fails(look: Callable[[float], Terminal]) -> None:
    """The line is erased when the game fails, so that the next output begins on an empty line."""
    terminal = look(0.0)
    with contextlib.suppress(ValueError), show_progress() as show:
        show("frame 10 of 20")
        raise ValueError("no")
    assert terminal.getvalue() == "\r\x1b[Kframe 10 of 20\r\x1b[K"


@pytest.mark.parametrize(("options", "shown"), [(["--frames", "25"], True), ([], False)])
def test_a_long_run_without_a_window_says_how_far_it_is(
    options: list[str], shown: bool, look: Callable[[float], Terminal], tmp_path: Path
) -> None:
    """A run without a window shows its title and frame number, but an endless run shows nothing."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: Breakout}\nscenes: {main: []}\n")
    (tmp_path / "plugin.py").write_text(ENDS)
    terminal = look(0.0)
    main(["run", str(tmp_path), "--headless", *options])
    assert ("Breakout: frame 20 of 25" in terminal.getvalue()) == shown
    assert ("frame" in terminal.getvalue()) == shown


def tell(name: str) -> None:
    """Report to the listeners that a kernel begins to compile."""
    for listener in list(kernel._listeners):  # pyright: ignore[reportPrivateUsage]
        listener(name, 1)


def test_compiling_says_which_kernel(look: Callable[[float], Terminal]) -> None:
    """After the delay the kernel that compiles is shown; then the line is erased and the listener removed."""
    before: list[Any] = list(kernel._listeners)  # pyright: ignore[reportPrivateUsage]
    terminal = look(60.0)
    with show_progress():
        tell("quick")
    assert terminal.getvalue() == ""
    terminal = look(0.0)
    with show_progress():
        tell("draw_sprites")
    assert "compiling kernel 1: draw_sprites" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert kernel._listeners == before  # pyright: ignore[reportPrivateUsage]


def test_a_large_manifest_says_how_far_it_is(look: Callable[[float], Terminal]) -> None:
    """For a large manifest the line is shown while reading, and the entry while checking."""
    entries = "".join(f"    - {{Transform: {{position: [{k}, 1]}}}}\n" for k in range(5000))
    text = f"rish: 1\nscenes:\n  main:\n{entries}"
    terminal = look(0.0)
    with show_progress():
        App(parse_manifest(text), headless=True, installed=[]).close()
    found = terminal.getvalue()
    assert "reading game.yaml, line 1,0" in found
    assert re.search(r"reading game.yaml, line 4,\d\d\d of 5,003", found)
    assert "checking the scene main, entry 4,000 of 5,000" in found
    assert found.endswith("\r\x1b[K")
