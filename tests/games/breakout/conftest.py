"""One Breakout for all tests of its rules: each test gets it in its first state, and plays it tick by tick."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from played_game import without
from rish_core import App, InputRecord, Scenes, Transform, WindowEvent, open_game
from rish_core.plugin import load_game_plugin

FOLDER = Path(__file__).parents[3] / "games" / "breakout"


class Breakout:
    """The game with helpers for tests: run ticks, press keys, begin a level, place a ball."""

    def __init__(self, app: App) -> None:
        self.app, self.world = app, app.world
        self.name: str = app.plugins["game"].module.__name__
        self.start = app.world.snapshot()

    def module(self, name: str) -> ModuleType:
        """Return a module of the game's folder, as loaded by the running game."""
        return importlib.import_module(f"{self.name}.{name}")

    def __getattr__(self, name: str) -> Any:
        """Return a component, event or resource class."""
        return getattr(self.module("components"), name)

    @property
    def match(self) -> Any:
        """The current state of the match."""
        return self.world[self.Match]

    @property
    def scene(self) -> str:
        """The name of the current scene."""
        return self.world[Scenes].current

    def tick(self, count: int = 1, *events: WindowEvent) -> None:
        """Run ticks; the events are passed to the first of them."""
        for number in range(count):
            self.app.tick(InputRecord(events if number == 0 else ()))
            self.world.end_frame()

    def press(self, key: str, kind: str = "key") -> None:
        """Press and release a key, with enough ticks for a change of scene."""
        self.tick(1, WindowEvent(kind, key, down=True))
        self.tick(2, WindowEvent(kind, key))

    def click(self, widget: str) -> None:
        """Click a widget, with enough ticks for a change of scene."""
        self.tick(1, WindowEvent("command", f"Clicked {widget}"))
        self.tick(2)

    def begin(self, level: int = 1) -> None:
        """Begin a match as a person does, and wait until its wall is in place and the ball on the paddle."""
        self.click("title_screen.choices.play")
        assert self.scene == "play"
        if level > 1:
            self.match.level = level - 1
            self.module("match")._next_level(self.world, self.match)
        self.tick(60)

    def serve(self) -> None:
        """Begin a match and serve."""
        self.begin()
        self.press("SPACE")
        assert self.match.phase is self.Phase.PLAY

    def place_ball(self, x: float, y: float, vx: float, vy: float) -> int:
        """Put the only ball somewhere, in play; return its handle."""
        ball = int(self.world.query(self.Ball).entities[0])
        self.world.set(ball, self.Ball(velocity=(vx, vy), held=False), Transform(position=(x, y)))
        self.match.phase = self.Phase.PLAY
        return ball

    def brick_at(self, x: float, y: float) -> int:
        """Return the handle of the brick with this middle."""
        bricks = self.world.query(self.Brick, Transform)
        away = abs(bricks[Transform.position] - (x, y)).sum(axis=1)
        assert away.min() < 1
        return int(bricks.entities[int(away.argmin())])

    def keep_bricks(self, *handles: int) -> None:
        """Remove all bricks but these."""
        bricks = self.world.query(self.Brick).entities
        self.world.despawn(bricks[[handle not in handles for handle in bricks.tolist()]])


@pytest.fixture(scope="session")
def running() -> Iterator[Breakout]:
    """The game without sound and particles, created once; an error in a system is raised."""
    with open_game(FOLDER, headless=True, policy="raise", installed=without("audio", "particles")) as app:
        yield Breakout(app)


@pytest.fixture
def breakout(running: Breakout) -> Breakout:
    """The game at its title screen."""
    running.world.restore(running.start)
    return running


@pytest.fixture(scope="session")
def kernels() -> ModuleType:
    """The game's kernels, without a running game."""
    return importlib.import_module(f"{load_game_plugin(FOLDER / 'plugin.py').__name__}.kernels")
