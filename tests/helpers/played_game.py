"""A game that a test plays: ticks with events, keys, and the modules of its folder."""

from __future__ import annotations

import importlib
from typing import Any, TypeVar

from rish_core import App, InputRecord, Scenes, WindowEvent
from rish_core.plugin.discovery import Candidate, installed_plugins


def without(*names: str) -> list[Candidate]:
    """Return the installed plugins except for some. The ticks of a game are cheaper without its sound and particles."""
    return [each for each in installed_plugins() if each.name not in names]


class PlayedGame:
    """A running game. An input at the start keeps its tour from starting."""

    def __init__(self, app: App) -> None:
        self.app, self.world = app, app.world
        self.name: str = app.plugins["game"].module.__name__
        self.tick(1, WindowEvent("mouse_move", x=5, y=5))

    def module(self, name: str) -> Any:
        """Return a module of the game's folder, as loaded by the running game."""
        return importlib.import_module(f"{self.name}.{name}")

    def tick(self, count: int = 1, *events: WindowEvent) -> None:
        """Run ticks; the events are passed to the first of them."""
        for number in range(count):
            self.app.tick(InputRecord(events if number == 0 else ()))
            self.world.end_frame()

    def press(self, key: str) -> None:
        """Press and release a key."""
        self.tick(1, WindowEvent("key", key, down=True))
        self.tick(1, WindowEvent("key", key))


Played = TypeVar("Played", bound=PlayedGame)


class SharedGame:
    """A game that is open for many tests, each of which gets it as it was when this was created."""

    def __init__(self, app: App) -> None:
        self.app, self.first = app, app.world.snapshot()

    def again(self, scene: str) -> App:
        """Take the game back and go to a scene, which begins in the next tick."""
        self.app.world.restore(self.first)
        self.app.world.end_frame()
        self.app.world[Scenes].go(scene)
        return self.app

    def enter(self, scene: str, kind: type[Played]) -> Played:
        """Return the game at the beginning of a scene, with the helpers of `kind`."""
        return kind(self.again(scene))
