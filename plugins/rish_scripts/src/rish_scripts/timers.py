"""Timers and sequences of scripts, stored as rows of a table.

A timer is the name of a method and the tick at which it is called. A *sequence* is a timer with a position: its method
returns a tuple of steps, and the row stores the index of the next step::

    def opening(self):
        return (self.ring, wait(0.5), self.open, until(self.is_empty), wait(1), self.shut)

        self.begin(self.opening)

A generator would look similar, but it can't be saved and restored; a name and two numbers can. So the method only lists
the steps, and it is called again for each step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Entity, Str, field, resource, table
from rish_ecs import UsageError

if TYPE_CHECKING:
    from rish_core import Columns, World

    from .faults import Call

_MAX_TICKS = 2**30
_ONCE, _TIMER = 0, -1


@table
class Timers:
    """The timers of scripts, in the order in which they were started."""

    number: int = field(doc="rises from row to row")
    who: Entity = field(doc="entity of the script")
    script: Str = field(doc="the script's full name, plugin.Name")
    method: Str = field(doc="the method to call, or that says the steps")
    due: int = field(doc="the tick at which to look at it")
    period: int = field(unit="ticks", doc="of a timer that repeats, else 0")
    step: int = field(doc="the next step of a sequence", meanings={-1: "a timer"})
    waiting: bool = field(doc="whether that step is a wait that has begun; of a timer, whether it is over")


@resource
class TimerCount:
    """The count of timers, so that their numbers are unique. started: how many were ever started."""

    started: int = 0


@dataclass(frozen=True)
class Wait:
    """A step of a sequence that waits for a time."""

    seconds: float


@dataclass(frozen=True)
class Until:
    """A step of a sequence that waits for a condition."""

    condition: Callable[[], Any]


@dataclass(frozen=True)
class Repeat:
    """A step of a sequence that returns to the first step in the next tick."""


def wait(seconds: float) -> Wait:
    """Return a step that waits for `seconds`, rounded to ticks, at least one."""
    return Wait(_checked(seconds))


def until(condition: Callable[[], Any]) -> Until:
    """Return a step that calls `condition()` each tick and waits until it is true.

    condition: a method, or any function without arguments.
    """
    if not callable(condition):
        raise UsageError(f"until({condition!r}): it asks a condition each tick", hint="Write until(self.landed)")
    return Until(condition)


def repeat() -> Repeat:
    """Return a step that starts the sequence again in the next tick."""
    return Repeat()


def start(script: Any, method: str | Callable[[], Any], seconds: float, again: bool = False) -> int:
    """See `Script.after` and `Script.every`."""
    ticks = _ticks(script.world, _checked(seconds))
    return _add(*_target(script, method), due=ticks, period=ticks if again else _ONCE, step=_TIMER)


def begin(script: Any, method: str | Callable[[], Any]) -> int:
    """See `Script.begin`."""
    owner, name = _target(script, method)
    _remove(owner.world, _rows(owner, name) & (owner.world[Timers].step >= 0))
    return _add(owner, name, due=0, period=_ONCE, step=0)


def cancel(script: Any, which: int | str | Callable[[], Any] | None) -> int:
    """See `Script.cancel`."""
    return _remove(script.world, _matching(script, which))


def waits(script: Any, which: int | str | Callable[[], Any]) -> bool:
    """See `Script.waits`."""
    return bool(_matching(script, which).any())


def due_timers(world: World) -> Any:
    """Return the rows of the timers that have expired at this tick, int64, or None if there are none."""
    timers: Columns = world[Timers]
    if not len(timers):
        return None
    due = np.flatnonzero(timers.due <= world.tick)
    return due if len(due) else None


def run_timers(world: World, due: Any, script_of: Callable[[int, str], Any], call: Call) -> None:
    """Call the methods of the expired timers, sorted by the tick of expiry, then by number.

    due: the result of `due_timers`. script_of: finds the script of an entity by its full name: None if it is gone,
    False if it is not called now, so that its timers wait. call: calls a method and returns its result, None if it
    failed.
    """
    timers: Columns = world[Timers]
    order = due[np.lexsort((timers.number[due], timers.due[due]))]
    texts = world.texts.texts
    names = ("number", "who", "script", "method", "period", "step")
    for number, who, script, method, period, step in zip(
        *(timers.column(n)[order].tolist() for n in names), strict=True
    ):
        row = _row(timers, number)
        if row < 0:
            continue
        owner = script_of(who, texts[script])
        if owner is None:
            timers.waiting[row], timers.step[row] = True, _TIMER
        elif owner is not False and step >= 0:
            _continue_sequence(world, timers, number, owner, texts[method], call)
        elif owner is not False:
            if period:
                timers.due[row] = world.tick + period
            else:
                timers.waiting[row] = True
            call(owner, texts[method])
    timers.version += 1
    _remove(world, _finished(timers))


def drop_timers(world: World, handles: Any, script: str) -> None:
    """Remove the timers and sequences of a script of these entities (int64)."""
    timers: Columns = world[Timers]
    if len(timers):
        _remove(world, (timers.script == world.intern(script)) & np.isin(timers.who, handles))


def _finished(timers: Columns) -> Any:
    """Return bool (n,): which timers were called for the last time. They are removed at the end of `run_timers`."""
    return timers.waiting & (timers.step == _TIMER)


def _continue_sequence(world: World, timers: Columns, number: int, script: Any, method: str, call: Call) -> None:
    """Run the steps of a sequence that can run in this tick. The index is advanced before each step is called."""
    steps = call(script, method, check=_check_steps)
    while (row := _row(timers, number)) >= 0:
        step = timers.read_row("step", row)
        if steps is None or step >= len(steps):
            _remove(world, timers.number == number)
            return
        action = steps[step]
        if isinstance(action, Wait) and not timers.read_row("waiting", row):
            _put(timers, row, due=world.tick + _ticks(world, action.seconds), waiting=True)
            return
        if isinstance(action, Until) and not call(script, action.condition):
            return
        if isinstance(action, Repeat):
            _put(timers, row, step=0, due=world.tick + 1, waiting=False)
            return
        _put(timers, row, step=step + 1, waiting=False)
        if callable(action):
            call(script, action)


def _check_steps(steps: Any) -> Any:
    """Return the steps if they are valid. Raises UsageError otherwise."""
    if not isinstance(steps, (tuple, list)):
        raise UsageError(
            f"a sequence returns a tuple of steps, not {steps!r}", hint="Write return (self.open, wait(1), self.shut)"
        )
    for step in steps:
        if not isinstance(step, (Wait, Until, Repeat)) and not callable(step):
            raise UsageError(
                f"{step!r} is no step of a sequence", hint="Give methods, without calling them, wait(...) or until(...)"
            )
    return steps


def _add(script: Any, method: str, *, due: int, period: int, step: int) -> int:
    world: World = script.world
    world.check_stage("starting a timer")
    count: TimerCount = world[TimerCount]
    count.started += 1
    world[Timers].append(
        1, number=count.started, who=script.entity, script=type(script).__kind__.key, method=method,
        due=world.tick + due, period=period, step=step,
    )  # fmt: skip
    return count.started


def _target(script: Any, method: Any) -> tuple[Any, str]:
    """Return the script and the name of its method. Raises UsageError for callables that can't be saved."""
    if isinstance(method, str):
        owner, name = script, method
    else:
        owner, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
    kind = getattr(type(owner), "__kind__", None)
    if kind is None or not hasattr(owner, "entity") or not callable(getattr(type(owner), name, None)):
        cls = type(script)
        raise UsageError(
            f"{cls.__kind__.name} has no method {method!r}" if isinstance(method, str)
            else f"{method!r} is not a method of a script, so it can't be saved",
            given=name,
            choices=[n for n in dir(cls) if not n.startswith("_") and callable(getattr(cls, n, None))],
            hint="Give a method, or its name: self.after(0.5, self.open)",
        )  # fmt: skip
    return owner, name


def _matching(script: Any, which: Any) -> Any:
    """Return bool (n,): the rows that match a number or a method; for None, all rows of the script."""
    timers: Columns = script.world[Timers]
    if isinstance(which, int):
        return (timers.number == which) & ~_finished(timers)
    if which is None:
        return _rows(script, None)
    return _rows(*_target(script, which))


def _rows(script: Any, method: str | None) -> Any:
    """Return bool (n,): the active rows of a script, or only those of a method."""
    world, timers = script.world, script.world[Timers]
    rows = (
        ~_finished(timers) & (timers.who == script.entity) & (timers.script == world.intern(type(script).__kind__.key))
    )
    return rows if method is None else rows & (timers.method == world.intern(method))


def _row(timers: Columns, number: int) -> int:
    """Return the row of a timer, -1 if it does not exist. Numbers rise from row to row, so it is a binary search."""
    row = int(np.searchsorted(timers.number, number))
    return row if row < len(timers) and timers.number[row] == number else -1


def _put(timers: Columns, row: int, **values: Any) -> None:
    for name, value in values.items():
        timers.write_row(name, row, value)


def _remove(world: World, rows: Any) -> int:
    """Remove rows and return how many were removed; the others keep their order. rows: bool (n,)."""
    count = int(np.count_nonzero(rows))
    if count:
        world.check_stage("cancelling a timer")
        world[Timers].keep_rows(~rows)
    return count


def _checked(seconds: float) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float, np.number)) or not 0 <= seconds < math.inf:
        raise UsageError(f"{seconds!r} is no time in seconds", hint="Give a number from 0 up")
    return float(seconds)


def _ticks(world: World, seconds: float) -> int:
    return min(_MAX_TICKS, max(1, round(seconds / world.dt)))
