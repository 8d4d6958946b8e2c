"""Games of rules from a text, with an event of a test plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rish_core import App, Entity, Stage, Str, Vec2, World, event, field, parse_manifest, system

HEAD = """
rish: 1
plugins: [basics, rules]
input: {jump: [SPACE], players: [{kick: [A]}, {kick: [B], duck: [C]}]}
variables: {score: 0, speed: 1.5, label: "", fast: false}
prefabs:
  coin: {tags: [coin], Transform: {}}
scenes:
  main:
    - {name: hero, Transform: {position: [3, 4]}}
    - {prefab: coin, count: 3, at: [[1, 0], [2, 0], [3, 0]]}
  over: []
"""


@event
class Ping:
    """An event with fields of several types."""

    a: Entity = 0
    b: Entity = 0
    strength: float = field(0.0)
    word: Str = ""
    point: Vec2 = field((0, 0))


class Pinger:
    """A plugin that emits prepared events in PRE."""

    def __init__(self) -> None:
        self.coming: list[dict[str, Any]] = []

    def module(self) -> ModuleType:
        """Return the plugin."""

        @system(Stage.PRE, writes=Ping)
        def ping(world: World, dt: float) -> None:
            for values in self.coming:
                world.emit(Ping, **values)
            self.coming.clear()

        made = ModuleType("pinger")
        made.rish_events = lambda: [Ping]  # type: ignore[attr-defined]
        made.rish_systems = lambda: [ping]  # type: ignore[attr-defined]
        return made


@pytest.fixture
def pinger() -> Pinger:
    """Return the plugin whose events a test prepares."""
    return Pinger()


@pytest.fixture
def play(pinger: Pinger) -> Iterator[Callable[..., App]]:
    """Return a function that opens a game with these rules, and plays no tick."""
    opened: list[App] = []

    def begin(rules: str, head: str = HEAD, **options: Any) -> App:
        options = {"policy": "raise", "headless": True, "warm_up": False, **options}
        text = f"{head}\non:\n{rules}"
        app = App(
            parse_manifest(text),
            more=["pinger", *options.pop("also", ())],
            extra={"pinger": pinger.module()},
            **options,
        )
        opened.append(app)
        return app

    yield begin
    for app in opened:
        app.close()


def strengths(*values: float) -> dict[str, Any]:
    """Return the values of events with these strengths."""
    return {"strength": np.array(values, np.float32)}
