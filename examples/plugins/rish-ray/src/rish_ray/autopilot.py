"""Autopilots: functions in files that hold the actions of a player.

    def play(world, player):
        return ["left"] if world[Ball].x < 0 else ["right"]

The function is called before each tick. It returns the names of the actions of `input:` that are held in it.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from rish_core import Input, UnknownName, UsageError, World

FUNCTION = "play"
Autopilot = Callable[[World, int], Iterable[str]]


@cache
def load_autopilot(path: str) -> Autopilot:
    """Return the function `play(world, player)` of a file. Raises UsageError, and what the code of the file raises."""
    try:
        function: Any = runpy.run_path(path).get(FUNCTION)
    except OSError as error:
        raise UsageError(f"the autopilot can't be read: {error.strerror}", where=path) from None
    if not callable(function):
        raise UsageError(f"an autopilot has a function `{FUNCTION}(world, player)`", where=path)
    return cast("Autopilot", function)


class Autopilots:
    """The autopilots of the players 1, 2, ... of a world; false without any."""

    def __init__(self, paths: Sequence[str], world: World) -> None:
        self._world = world
        self._plays = [load_autopilot(path) for path in paths]
        self._names = [_buttons(world, number) for number in range(1, len(paths) + 1)]

    def __bool__(self) -> bool:
        return bool(self._plays)

    def actions(self) -> dict[int, Any]:
        """Ask all autopilots; return which actions each player holds, as `rish_gym` takes them.

        Raises UnknownName for an action that `input:` does not have.
        """
        held: dict[int, Any] = {}
        for number, (play, names) in enumerate(zip(self._plays, self._names, strict=True), start=1):
            wanted = list(play(self._world, number))
            for name in wanted:
                if name not in names:
                    raise UnknownName(f"no action of player {number} is called {name!r}", given=name, choices=names)
            held[number] = np.array([name in wanted for name in names], np.int8)
        return held


def _buttons(world: World, number: int) -> list[str]:
    """Return the names of a player's actions that have a key, in the order of the default action space."""
    return [name for name, keys in world[Input].player(number).actions.items() if keys]
