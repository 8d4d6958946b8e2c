"""The log of the command line: chosen levels, colors only where they are shown, and lines of games."""

from __future__ import annotations

import io
import logging
import sys
from pathlib import Path
from typing import Any

import pytest

from other_system import pretend
from rish_cli import TRACE
from rish_system import colored

HEADLESS = ("--headless", "--frames", "3")
CHATTER = """
@system(Stage.STEP)
def chat(world, dt):
    log = logging.getLogger("rish.game")
    for level in (5, 10, 20, 30, 40, 50):
        log.log(level, "level %d", level)

def rish_systems():
    return [chat]
"""


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unset the variables that choose colors."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def chatty(game: Path) -> Path:
    """A game that logs at every level in each tick."""
    source = (game / "plugin.py").read_text()
    (game / "plugin.py").write_text(f"import logging\n{source}{CHATTER}")
    return game


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ([], "WARNING ERROR CRITICAL"),
        (["-v"], "INFO WARNING ERROR CRITICAL"),
        (["-vv"], "DEBUG INFO WARNING ERROR CRITICAL"),
        (["-vvv"], "TRACE DEBUG INFO WARNING ERROR CRITICAL"),
        (["-vvvvv"], "TRACE DEBUG INFO WARNING ERROR CRITICAL"),
        (["--log", "error"], "ERROR CRITICAL"),
        (["-v", "--log", "TRACE"], "TRACE DEBUG INFO WARNING ERROR CRITICAL"),
    ],
)
def test_the_options_choose_the_level(rish: Any, chatty: Path, options: list[str], shown: str) -> None:
    """A game's lines below `rish` are shown from the chosen level on, each with its level and no colors in a pipe."""
    said = rish("run", chatty, "--headless", "--frames", "1", *options).err
    lines = [line for line in said.splitlines() if " rish.game: " in line]
    assert [line.partition(" ")[0] for line in lines] == shown.split()
    assert "\033" not in said


def test_a_wrong_level_is_refused_with_the_choices(rish: Any, game: Path) -> None:
    """`--log` with an unknown level ends with code 2 and names the levels."""
    said = rish("run", game, "--log", "loud")
    assert said.code == 2
    assert "TRACE" in said.err


def test_the_level_has_a_color_on_a_terminal(rish: Any, chatty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the word of the level is colored, each level in its own way, and the rest of the line is plain."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    rish("run", chatty, *HEADLESS, "-vvv")
    lines = [line for line in terminal.getvalue().splitlines() if "rish.game" in line][:6]
    assert "\033[33mWARNING\033[0m rish.game: level 30" in lines
    assert len({line.partition("m")[0] for line in lines}) == 6


@pytest.mark.parametrize(
    ("terminal", "variables", "colors"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_the_environment_decides_on_colors(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, variables: dict[str, str], colors: bool
) -> None:
    """NO_COLOR comes first, then FORCE_COLOR; otherwise a terminal that is not dumb shows colors."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert colored(Terminal() if terminal else io.StringIO()) is colors


@pytest.mark.parametrize(("variable", "colors"), [("WT_SESSION", True), ("", False)])
def test_a_console_of_windows_must_know_the_codes(monkeypatch: pytest.MonkeyPatch, variable: str, colors: bool) -> None:
    """On Windows colors are shown only in terminals that are known to read them."""
    for name in ("TERM", "WT_SESSION", "ANSICON"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "x")
    pretend(monkeypatch, "windows")
    assert colored(Terminal()) is colors


def test_trace_has_a_name() -> None:
    """The level TRACE is below DEBUG and is shown by its name."""
    assert logging.getLevelName(TRACE) == "TRACE"
    assert TRACE < logging.DEBUG
