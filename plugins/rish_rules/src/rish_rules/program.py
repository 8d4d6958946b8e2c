"""Programs: the steps of a rule, and how they are executed.

A rule is a flat list of steps, so a rule that waits is stored as the number of its next step. Steps are executed in
order; a branch or a jump changes the order, and a wait ends the execution until a later tick.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_core import UsageError, World
from rish_ecs import Place, Vector

from .selecting import Selector
from .triggers import Trigger
from .values import Run


@dataclass
class Act:
    """Performs an action."""

    perform: Callable[[Mapping[str, Any]], None]


@dataclass
class Branch:
    """Continues at `target` unless the condition holds."""

    test: Run
    target: int = 0


@dataclass
class Jump:
    """Continues at `target`; before it, to repeat the steps of a `while`."""

    target: int = 0


@dataclass
class Wait:
    """Continues with the next step after some seconds."""

    seconds: Run


MAX_STEPS = 100_000
"""The maximum number of steps of one run of a rule in a tick."""
Step = Act | Branch | Jump | Wait


@dataclass
class Rule:
    """One rule.

    key: its path and a digest of its text, which identifies waiting rules. place: its place in the manifest.

    scenes: the scenes in which it applies; empty: all. own, other: the limits for `self` and `other`. used: the
    names that it reads.
    """

    key: str
    place: Place
    trigger: Trigger
    scenes: frozenset[str] = frozenset()

    own: Selector | None = None
    other: Selector | None = None
    steps: list[Step] = field(default_factory=list[Step])
    used: frozenset[str] = frozenset()


def execute(rule: Rule, scope: Mapping[str, Any], start: int = 0) -> tuple[int, float] | None:
    """Execute the steps from `start`; return the step after a wait and its seconds, or None at the end.

    Raises ExpressionError and the errors of actions.
    """
    steps, index, remaining = rule.steps, start, MAX_STEPS
    while index < len(steps):
        step = steps[index]
        index, remaining = index + 1, remaining - 1
        if remaining < 0:
            raise UsageError(f"a `while` repeated {MAX_STEPS} steps without a wait")
        if type(step) is Act:
            step.perform(scope)
        elif type(step) is Branch:
            if not step.test(scope):
                index = step.target
        elif type(step) is Jump:
            index = step.target
        elif type(step) is Wait:
            return index, max(float(step.seconds(scope)), 0.0)
    return None


def packed(scope: Mapping[str, Any]) -> str:
    """Return the values of names as JSON, for a rule that waits."""
    return json.dumps(dict(sorted(scope.items())), separators=(",", ":"), ensure_ascii=False)


def unpacked(text: str) -> dict[str, Any]:
    """Return the values that `packed` wrote."""
    values: dict[str, Any] = json.loads(text)
    return {name: Vector(value) if isinstance(value, list) else value for name, value in values.items()}


def step_after(world: World, seconds: float) -> int:
    """Return the tick that is so many seconds after this one; at least the next one."""
    return world.tick + max(1, round(min(seconds, 1e7) / world.dt))
