"""A second player for trying a network game on one machine: a process that joins and presses random keys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rish_core import Input
from rish_history import RandomPlayer

_END_SECONDS = 5.0
_MENUS = "pause", "leave", "quit", "menu", "back", "restart"
"""Actions that an opponent leaves to people, because they stop or end the game."""


def press_random_keys(app: Any) -> None:
    """Play an app by random keys, except those that stop or end the game."""
    player, keys = RandomPlayer(app, seed=0), app.world[Input]
    spared = {"ESCAPE", *(key for action in _MENUS for key in keys.actions.get(action, ()))}
    player.keys = [key for key in player.keys if key not in spared] or player.keys
    player.take_over()


@contextmanager
def opponent(invitation: str, game: str, options: list[str]) -> Iterator[None]:
    """Let a process without a window play while the block runs. options: for `rish join`."""
    command = [sys.executable, "-m", "rish_core", "join", invitation, game, "--headless", "--random", *options]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        process.kill()
