"""Systems: plain functions with a declared stage, and the tables that they read and write.

A frame has eleven stages. The six tick stages run 0 to n times per frame, always with the same fixed dt, and only they
may change hashed state. The others read state, interpolate and draw.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from rish_jit.errors import DeclarationError, place_of

_F = TypeVar("_F", bound=Callable[..., None])
Condition = Callable[[Any], bool]
EventList = tuple[()] | Callable[[Any], Collection[type]] | None


class Stage(IntEnum):
    """The stage in which a system runs; the values are in the order of a frame."""

    FIRST = 0
    INPUT = 1
    PRE = 2
    FORCES = 3
    STEP = 4
    POST = 5
    UPDATE = 6
    LATE = 7
    EXTRACT = 8
    DRAW = 9
    LAST = 10


TICK_STAGES = (Stage.INPUT, Stage.PRE, Stage.FORCES, Stage.STEP, Stage.POST, Stage.UPDATE)
"""The stages that run once a tick, at a fixed dt, and may change hashed state."""


@dataclass(frozen=True)
class SystemSpec:
    """The arguments of `@system`, and the function `fn(world, dt)` itself."""

    fn: Callable[[Any, float], None]
    stage: Stage
    name: str
    reads: tuple[type, ...] = ()
    writes: tuple[type, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    run_if: tuple[Condition, ...] = ()
    layer: str | None = None
    view: bool = False
    marks: bool = False
    derive: bool = False
    always: bool = False
    events: EventList = None

    @property
    def looks(self) -> bool:
        """Whether it writes only data for drawing: all systems outside the tick stages, and those with `view=True`."""
        return self.view or self.stage not in TICK_STAGES


def _many(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    if isinstance(value, (str, type)) or callable(value):
        return (value,)
    return tuple(value)


def system(
    stage: Stage,
    *,
    reads: type | Iterable[type] = (),
    writes: type | Iterable[type] = (),
    before: str | Iterable[str] = (),
    after: str | Iterable[str] = (),
    run_if: Condition | Iterable[Condition] = (),
    layer: str | None = None,
    name: str | None = None,
    view: bool = False,
    marks: bool = False,
    derive: bool = False,
    always: bool = False,
    events: EventList = None,
) -> Callable[[_F], _F]:
    """Mark a function `fn(world, dt)` as a system of a stage; it stays an ordinary function.

    reads, writes: component, resource, table and event types (`--strict` checks the writes); `writes=World` allows all
    writes, for a system that runs code of others and marks its writes. before, after: names like `physics.step` or
    `physics.*`; names of absent plugins are ignored. `before="*.*"` puts the system before, and `after="*.*"` after,
    all systems of the stage for which no other rule says otherwise. run_if: conditions `(world) -> bool`, all of which
    must hold. layer: the layer with which the system pauses. view: it writes only fields for drawing, so the versions
    of its tables do not increase. marks: it writes few rows of its tables and marks them with `table.mark(rows)`
    (`world.set` and entity views do this themselves), so that readers process only these rows. derive: it only derives
    values from others, such as outlines from maps: a second call changes nothing. Tools run it after an edit without a
    tick, with a dt of 0. always: it runs while the whole game is paused, too, as those of INPUT and those that derive.
    events: with `writes=World`, the events that it reads beside those in `reads`: `()`, or a function of the World; by
    default all. Raises DeclarationError if stage is not a Stage, and for a generator or a coroutine.
    """
    if not isinstance(stage, Stage):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError(
            f"a system's stage is no Stage but {getattr(stage, '__name__', repr(stage))}",
            where=place_of(stage) if callable(stage) else None,
            choices=[f"Stage.{s.name}" for s in Stage],
            hint="Write @system(Stage.UPDATE) above the function",
        )

    def mark(fn: _F) -> _F:
        _check_arguments(fn)
        several = map(_many, (reads, writes, before, after, run_if))
        flags = {"view": view, "marks": marks, "derive": derive, "always": always, "events": events}
        spec = SystemSpec(fn, stage, name or fn.__name__, *several, layer=layer, **flags)
        fn.__system__ = spec  # pyright: ignore[reportFunctionMemberAccess]
        return fn

    return mark


def _check_arguments(fn: Callable[..., None]) -> None:
    if inspect.isgeneratorfunction(fn) or inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn):
        raise DeclarationError(
            f"system '{fn.__name__}' is a generator or a coroutine: a call of it would run none of its code",
            where=place_of(fn),
            hint="Take out `yield` and `async`; what lasts several ticks is a state in a component or a resource",
        )
    try:
        inspect.signature(fn).bind(None, 0.0)
    except TypeError as error:
        raise DeclarationError(
            f"system '{fn.__name__}' can't be called with (world, dt): {error}",
            where=place_of(fn),
            hint=f"Write def {fn.__name__}(world, dt)",
        ) from None


def system_spec(fn: Any) -> SystemSpec | None:
    """Return the arguments of `@system` for a function, or None if it is not a system."""
    return getattr(fn, "__system__", None)
