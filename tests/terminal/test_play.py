"""Real processes run real games in a pty: started, typed at, stopped, killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HELLO = Path(__file__).parents[2] / "games" / "hello"
COMMAND = [sys.executable, "-m", "rish_core", "run", str(HELLO), "--backend", "terminal"]
pytestmark = pytest.mark.slow


@pytest.fixture
def play(line: Callable[..., Any]) -> Callable[..., tuple[subprocess.Popen[bytes], Any]]:
    """A function that starts `rish run games/hello --backend terminal` in a pty and waits for its first image."""

    def start(*arguments: str) -> tuple[subprocess.Popen[bytes], Any]:
        pty = line(100, 40)
        environment = {**os.environ, "TERM": "xterm", "COLORTERM": "truecolor"}
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=pty.slave,
            stdout=pty.slave,
            stderr=pty.slave,
            env=environment,
            process_group=0,
        )
        limit = time.monotonic() + 60
        while pty.settle().written < 1000 and time.monotonic() < limit:
            assert process.poll() is None
            time.sleep(0.05)
        return process, pty

    return start


def put_back(pty: Any) -> bool:
    """Return True if modes and screen are restored."""
    modes = termios.tcgetattr(pty.slave)[3]
    return bool(modes & termios.ECHO and modes & termios.ICANON) and pty.settle().modes == {7, 25}


def colors(pty: Any) -> int:
    """Return the number of different colors of the displayed image."""
    return len(np.unique(pty.settle().picture.reshape(-1, 3), axis=0))


def wait_for(happens: Callable[[], bool]) -> None:
    """Wait until something is true, for ten seconds at most."""
    limit = time.monotonic() + 10
    while not happens():
        assert time.monotonic() < limit
        time.sleep(0.05)


def test_a_game_plays_and_shows_itself(play: Any) -> None:
    """The option --backend loads the plugin although the manifest does not name it; printed text appears at the end."""
    process, pty = play("--frames", "20", "--hash")
    assert process.wait(30) == 0
    assert put_back(pty)
    assert "hash " in pty.screen.log


def test_a_deadly_signal_leaves_a_sane_terminal(play: Any) -> None:
    """A fatal signal ends the process, and the terminal is restored."""
    process, pty = play()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == -signal.SIGTERM
    assert put_back(pty)


def test_it_stops_and_goes_on(play: Any) -> None:
    """The image has many colors; a stopped process returns the terminal to the shell, and sends it again if continued.

    An interrupt ends it.
    """
    process, pty = play()
    assert colors(pty) > 20
    process.send_signal(signal.SIGTSTP)
    wait_for(lambda: put_back(pty))
    pty.screen.clear()
    process.send_signal(signal.SIGCONT)
    wait_for(lambda: {1049, 1003} <= pty.settle().modes)
    wait_for(lambda: colors(pty) > 20)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert put_back(pty)


def test_in_a_pipe_it_says_what_to_do() -> None:
    """In a pipe there is one line on standard error and no image."""
    done = subprocess.run(
        [*COMMAND, "--frames", "2"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode != 0
    assert "standard input is not a terminal" in done.stderr
    assert "ssh -t" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
