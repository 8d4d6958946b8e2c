"""All sides of the benchmark `rules`: the same game with rules, with a loop and with columns."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from rish_core import App, Stage, World, event, field, parse_manifest, resource, system

from ._task import Task

COUNT = 10_000
STRENGTHS = np.linspace(0, 2, COUNT, dtype=np.float32)
HEAD = "rish: 1\nplugins: [rules]\nvariables: {score: 0.0}\nscenes: {main: [{name: hero, Transform: {}}]}\non:\n  Hit: "


@event
class Hit:
    """What happens ten thousand times a tick."""

    strength: float = field(0.0)


@resource
class Count:
    """What the systems of Python count."""

    score: float = 0.0


@system(Stage.PRE, writes=Hit)
def hit(world: World, dt: float) -> None:
    """Emit the events."""
    world.emit(Hit, strength=STRENGTHS)


def _task(rule: str, count: Callable[[World], None] | None = None) -> Task:
    """Return a tick with a rule, or with a system that does the same."""

    @system(Stage.UPDATE, writes=Count)
    def counting(world: World, dt: float) -> None:
        if count is not None:
            count(world)

    made = ModuleType("hits")
    made.__dict__.update(
        rish_events=lambda: [Hit], rish_resources=lambda: [Count], rish_systems=lambda: [hit, counting]
    )
    text = HEAD + rule if count is None else HEAD.partition("on:")[0]
    app = App(parse_manifest(text), headless=True, more=["hits"], extra={"hits": made})
    app.run(3)
    return Task(app.tick, after=app.close)


def add_10k_rish() -> Task:
    """A rule that adds to a variable."""
    return _task("{add: {score: 1}}")


def add_10k_loop() -> Task:
    """A loop that adds to a number."""
    return _task("", _looped(lambda score, strength: score + 1))


def add_10k_numpy() -> Task:
    """One addition of the number of events."""
    return _task("", lambda world: _add(world, len(world.events(Hit))))


def condition_10k_rish() -> Task:
    """A rule with a condition on a field of the event; half of the events fulfill it."""
    return _task("{if: strength > 1, add: {score: 1}}")


def condition_10k_loop() -> Task:
    """A loop with the condition."""
    return _task("", _looped(lambda score, strength: score + 1 if strength > 1 else score))


def condition_10k_numpy() -> Task:
    """The condition on a column."""
    return _task("", lambda world: _add(world, int((world.events(Hit).strength > 1).sum())))


def field_10k_rish() -> Task:
    """A rule that adds a field of the event to a number of an entity's vector."""
    return _task("{add: {hero.Transform.position.x: strength}}")


def field_10k_loop() -> Task:
    """A loop that adds the field to a number."""
    return _task("", _looped(lambda score, strength: score + strength))


def field_10k_numpy() -> Task:
    """The sum of the column."""
    return _task("", lambda world: _add(world, float(world.events(Hit).strength.sum())))


def _add(world: World, number: float) -> None:
    world[Count].score += number


def _looped(change: Callable[[float, float], float]) -> Callable[[World], None]:
    def count(world: World) -> None:
        score: float = world[Count].score
        each: Any
        for each in world.events(Hit):
            score = change(score, each.strength)
        world[Count].score = score

    return count
