"""Run conditions: objects that decide whether a system runs, with a readable text.

A condition is any callable `(world) -> bool`. The conditions of this module also have the text of the call that made
them, so that the profiler, the schedule and errors can say why a system does not run::

    @system(Stage.UPDATE, run_if=(in_scene("play"), every(30)))
    def spawn_wave(world, dt): ...

Conditions read only hashed state (the tick, resources), so that they give the same result on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rish_jit.errors import UsageError

from .system import Condition


@dataclass(frozen=True)
class NamedCondition:
    """A condition together with its text for messages."""

    text: str
    test: Callable[[Any], bool] = field(repr=False, compare=False)

    def __call__(self, world: Any) -> bool:
        """Whether the condition holds."""
        return self.test(world)

    def __str__(self) -> str:
        return self.text


def every(ticks: int, offset: int = 0) -> NamedCondition:
    """True in every `ticks`-th tick, first in tick `offset`. Raises UsageError unless 0 <= offset < ticks."""
    if not 0 <= offset < ticks:
        raise UsageError(f"every({ticks}, {offset}): the offset must lie from 0 to {ticks - 1}, and ticks from 1 up")
    arguments = (ticks, offset) if offset else (ticks,)
    return NamedCondition(call_text("every", arguments), lambda world: world.tick % ticks == offset)


def resource_equals(cls: type, field_name: str, value: Any) -> NamedCondition:
    """True while a field of a resource has the given value; False if the world has no such resource.

    Raises UsageError if the class has no such field.
    """
    fields = getattr(cls, "__dataclass_fields__", {})
    if field_name not in fields and not hasattr(cls, field_name):
        raise UsageError(f"{cls.__name__} has no field {field_name!r}", given=field_name, choices=fields)

    def test(world: Any) -> bool:
        return cls in world and bool(getattr(world[cls], field_name) == value)

    return NamedCondition(f"resource_equals({cls.__name__}, {field_name!r}, {value!r})", test)


def not_(condition: Condition) -> NamedCondition:
    """True while the condition does not hold."""
    return NamedCondition(f"not_({condition_text(condition)})", lambda world: not condition(world))


def any_of(*conditions: Condition) -> NamedCondition:
    """True while at least one of the conditions holds."""
    return NamedCondition(
        f"any_of({_texts(conditions)})", lambda world: any(condition(world) for condition in conditions)
    )


def all_of(*conditions: Condition) -> NamedCondition:
    """True while all conditions hold; the same as a tuple in `run_if`, for use inside `any_of` and `not_`."""
    return NamedCondition(
        f"all_of({_texts(conditions)})", lambda world: all(condition(world) for condition in conditions)
    )


def condition_text(condition: Condition) -> str:
    """Return the text of a condition for messages: its own text, or the name of the function."""
    if isinstance(condition, NamedCondition):
        return condition.text
    return getattr(condition, "__name__", None) or repr(condition)


def bare_test(conditions: Sequence[Condition]) -> Condition | None:
    """Return the conditions combined into one function that is fast to call; None if there are none."""
    tests = [condition.test if isinstance(condition, NamedCondition) else condition for condition in conditions]
    if len(tests) < 2:
        return tests[0] if tests else None
    if len(tests) == 2:
        first, second = tests
        return lambda world: first(world) and second(world)
    return lambda world: all(test(world) for test in tests)


def call_text(name: str, arguments: Iterable[Any]) -> str:
    """Return the text of a call with these arguments."""
    return f"{name}({', '.join(repr(argument) for argument in arguments)})"


def _texts(conditions: Iterable[Condition]) -> str:
    return ", ".join(condition_text(condition) for condition in conditions)
