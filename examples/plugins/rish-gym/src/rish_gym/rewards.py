"""Rewards: the sum of the terms that a task declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rish_core import UnknownName, World
from rish_expressions import Bound

from .task import Term, Text


class Counter:
    """A term that counts events. The system of `Simulation` gives it the events of each step."""

    def __init__(self, world: World, term: Term, names: Mapping[str, Any]) -> None:
        self._where, self._times, self._names = term.where, term.times, names
        self.cls = event_class(world, term.text)
        fields = dict.fromkeys(self.cls.__kind__.fields, "any") | dict.fromkeys(names, "number")
        self._test: Bound | None = term.where.bind(world, fields) if term.where is not None else None
        self.count = 0

    def hear(self, events: Sequence[Any]) -> None:
        """Count the events for which the condition is true."""
        if self._test is None or self._where is None:
            self.count += len(events)
            return
        for event in events:
            self.count += bool(self._where.number(self._test, {**vars(event), **self._names}))

    def begin(self) -> None:
        """Begin an episode."""
        self.count = 0

    def step(self) -> float:
        """Return the reward of the events since the last step."""
        count, self.count = self.count, 0
        return self._times * count


class Number:
    """A term that is the value of an expression, or its change in a step."""

    def __init__(self, world: World, term: Term, names: Mapping[str, Any]) -> None:
        self._text, self._times, self._names = term.text, term.times, names
        self._bound = term.text.bind(world, dict.fromkeys(names, "number"))
        self._change, self._before = term.kind == "change", 0.0

    def begin(self) -> None:
        """Begin an episode: changes count from here."""
        self._before = self._text.number(self._bound, self._names)

    def step(self) -> float:
        """Return the reward of the last step."""
        value = self._text.number(self._bound, self._names)
        reward = self._times * (value - self._before if self._change else value)
        self._before = value
        return reward


class Rewards:
    """The terms of one player. Raises ManifestError for names that do not exist."""

    def __init__(self, world: World, terms: Mapping[str, Term], names: Mapping[str, Any]) -> None:
        self.counters = [Counter(world, term, names) for term in terms.values() if term.kind == "count"]
        numbers = [Number(world, term, names) for term in terms.values() if term.kind != "count"]
        self._terms: list[Counter | Number] = [*self.counters, *numbers]

    def begin(self) -> None:
        """Begin an episode."""
        for term in self._terms:
            term.begin()

    def step(self) -> float:
        """Return the reward of the last step."""
        return sum((term.step() for term in self._terms), 0.0)


def event_class(world: World, text: Text) -> Any:
    """Return the event class of a name. Raises ManifestError."""
    cls = world.kind(text.text)
    if cls is None or cls not in world.queues:
        error = UnknownName(f"no event is called {text.text!r}", given=text.text, choices=_names(world))
        raise text.failed(str(error))
    return cls


def _names(world: World) -> list[str]:
    return [cls.__name__ for cls in world.queues]
