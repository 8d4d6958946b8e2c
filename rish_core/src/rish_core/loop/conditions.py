"""Run conditions: what must hold for a system to run, as values that can be read.

A condition is any callable `(world) -> bool`. The ones here also print as they were written, so that the
profiler, the schedule and an error can say why a system stood still::

    @system(Stage.UPDATE, run_if=(in_scene("play"), every(30)))
    def spawn_wave(world, dt): ...

Conditions look at hashed state only (the tick, resources), so that they decide alike on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rish_ecs import UsageError
from rish_ecs.declarations import Condition

from .layers import Layers

if TYPE_CHECKING:
    from rish_ecs import World


@dataclass(frozen=True)
class NamedCondition:
    """A condition with the text it was written as."""

    text: str
    test: Callable[[World], bool] = field(repr=False, compare=False)

    def __call__(self, world: World) -> bool:
        """Whether it holds."""
        return self.test(world)

    def __str__(self) -> str:
        return self.text


def every(ticks: int, offset: int = 0) -> NamedCondition:
    """In every `ticks`-th tick, first in tick `offset`. Raises UsageError unless 0 <= offset < ticks."""
    if not 0 <= offset < ticks:
        raise UsageError(f"every({ticks}, {offset}): the offset must lie from 0 to {ticks - 1}, and ticks from 1 up")
    arguments = (ticks, offset) if offset else (ticks,)
    return NamedCondition(call_text("every", arguments), lambda world: world.tick % ticks == offset)


def resource_equals(cls: type, field_name: str, value: Any) -> NamedCondition:
    """While a field of a resource has a value; while the world holds no such resource it does not.

    Raises UsageError where the class has no such field.
    """
    known = getattr(cls, "__dataclass_fields__", {})
    if field_name not in known and not hasattr(cls, field_name):
        raise UsageError(f"{cls.__name__} has no field {field_name!r}", given=field_name, choices=known)

    def test(world: World) -> bool:
        return cls in world and bool(getattr(world[cls], field_name) == value)

    return NamedCondition(f"resource_equals({cls.__name__}, {field_name!r}, {value!r})", test)


def not_(condition: Condition) -> NamedCondition:
    """While a condition does not hold."""
    return NamedCondition(f"not_({condition_text(condition)})", lambda world: not condition(world))


def any_of(*conditions: Condition) -> NamedCondition:
    """While at least one of them holds."""
    return NamedCondition(
        f"any_of({_texts(conditions)})", lambda world: any(condition(world) for condition in conditions)
    )


def all_of(*conditions: Condition) -> NamedCondition:
    """While all of them hold; the same as a tuple of them in `run_if`, for use inside `any_of` and `not_`."""
    return NamedCondition(
        f"all_of({_texts(conditions)})", lambda world: all(condition(world) for condition in conditions)
    )


def on_layer(name: str, *, pauses: bool) -> NamedCondition:
    """While a layer is on the stack and, with `pauses`, not paused; what `@system(layer=...)` means."""

    def test(world: World) -> bool:
        layers: Layers = world[Layers]
        return layers.runs(name) if pauses else name in layers

    return NamedCondition(f"layer {name!r}", test)


def condition_text(condition: Condition) -> str:
    """The text of a condition for messages: its own text, or the name of the function."""
    if isinstance(condition, NamedCondition):
        return condition.text
    return getattr(condition, "__name__", None) or repr(condition)


def bare_test(conditions: Sequence[Condition]) -> Condition | None:
    """All conditions as one plain function, because the schedule calls it often; None if there are none."""
    tests = [condition.test if isinstance(condition, NamedCondition) else condition for condition in conditions]
    if len(tests) < 2:
        return tests[0] if tests else None
    if len(tests) == 2:
        first, second = tests
        return lambda world: first(world) and second(world)
    return lambda world: all(test(world) for test in tests)


def call_text(name: str, arguments: Iterable[Any]) -> str:
    """A call as it was written."""
    return f"{name}({', '.join(repr(argument) for argument in arguments)})"


def _texts(conditions: Iterable[Condition]) -> str:
    return ", ".join(condition_text(condition) for condition in conditions)
