"""Faults: errors of scripts are logged with line and entity; after a few errors a script is *set aside*.

A script that is set aside is no longer called. The number of errors of each script is state of the World, because it
decides which scripts run: a replay has the same faults, and a rewind restores their number. Errors in `on_frame` and
at the end of a game are only logged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rish_core import TICK_STAGES, Entity, Failures, Name, Str, describe_error, field, table
from rish_ecs import Place, RishError, place_of, shorten_path
from rish_ecs.storage import describe

from .access import attribute_hint
from .settings import ScriptSettings

if TYPE_CHECKING:
    from rish_core import Columns, World

_log = logging.getLogger("rish.scripts")
_ENGINE = (Path(__file__).resolve().parent, Path(RishError.__init__.__code__.co_filename).resolve().parent)
_TICK = frozenset(TICK_STAGES)


@table
class Faults:
    """The scripts that have raised errors."""

    who: Entity = field(doc="entity of the script")
    script: Str = field(doc="the script's full name, plugin.Name")
    count: int = field(doc="how often it has raised")
    aside: bool = field(doc="whether it is called no more")


class ScriptFailed(RishError):
    """An error of a script. `entity` has the script; `__cause__` is the original exception."""

    names_culprit = True

    def __init__(self, script: Any, doing: str, error: BaseException) -> None:
        self.entity: int = script.entity
        super().__init__(
            f"script {label(script)} failed in {doing}: {describe_error(error)}{attribute_hint(error)}",
            where=place_in_script(script, doing, error),
        )
        self.__cause__ = error


class ScriptStuck(BaseException):
    """Raised in a script call that does not return. It is no Exception, so `except Exception` does not catch it."""


class Call(Protocol):
    """Calls a method of a script and catches its errors; returns its result, None if it raised."""

    def __call__(self, script: Any, method: Any, *, check: Callable[[Any], Any] | None = None) -> Any:
        """Call the method. method: its name, or a callable. check: is called with the result, and may raise as well."""


def label(script: Any) -> str:
    """Return a text for messages: the script's name and its entity."""
    world: World = script.world
    if not script.entity:
        return f"{type(script).__name__} of all its entities"
    who = describe(script.entity)
    if Name in world and world.alive(script.entity) and world.has(script.entity, Name):
        who = f"{who} ({world.table(Name).read_row('value', world.table(Name).row_of(script.entity))!r})"
    return f"{type(script).__name__} of entity {who}"


def note(script: Any, doing: str, error: BaseException, policy: str, logged: set[Any]) -> bool:
    """Log and count an error of a script; return True if the script is set aside from now on.

    logged: the keys that were logged already; each line of code is logged once as a warning, and once more when the
    script is set aside. With the policy `raise` the error is raised as ScriptFailed.
    """
    world: World = script.world
    failure = ScriptFailed(script, doing, error)
    if policy == "raise":
        raise failure.with_traceback(_trimmed_traceback(script, error)) from error
    limit = world[ScriptSettings].errors
    counts = world.stage in _TICK and (world.alive(script.entity) or not script.entity)
    count = _count(world, script, limit, isinstance(error, ScriptStuck)) if counts else 0
    aside = counts and count >= limit
    world[Failures].note(f"script '{type(script).__kind__.key}'", "was set aside" if aside else "")
    end = f" ({count} of {limit}{', set aside' if aside else ''})" if counts else ""
    key = (type(script).__kind__.key, str(failure.where), aside)
    _log.log(logging.INFO if key in logged else logging.WARNING, "%s%s", failure, end)
    logged.add(key)
    return aside


def is_aside(world: World, handle: int, script: str) -> bool:
    """Return whether a script of an entity is set aside. script: its full name."""
    row = _row(world, handle, script)
    return row >= 0 and bool(world[Faults].aside[row])


def set_aside(world: World, script: str) -> list[int]:
    """Return the entities whose script of that full name is set aside."""
    faults: Columns = world[Faults]
    if not len(faults):
        return []
    return faults.who[faults.aside & (faults.script == world.intern(script))].tolist()


def pardon(world: World, script: str = "", handles: Any = None) -> int:
    """Remove the faults of a script by its full name, of all scripts if it is empty; return how many are called again.

    handles: only the faults of these entities (int64). A reload calls this, so that new code starts without faults.
    """
    faults: Columns = world[Faults]
    if not len(faults):
        return 0
    removed = faults.script == world.intern(script) if script else np.ones(len(faults), bool)
    if handles is not None:
        removed &= np.isin(faults.who, handles)
    resumed = int(np.count_nonzero(faults.aside & removed))
    faults.keep_rows(~removed)
    return resumed


def place_in_script(script: Any, doing: str, error: BaseException) -> Place:
    """Return the place of an error: the deepest line in the script's own package, otherwise outside the engine.

    If the error was raised before any such line, the place is the method's definition.
    """
    depth = _depth(script, error)
    if not depth:
        return place_of(getattr(type(script), doing, type(script)))
    trace = _traces(error)[depth - 1]
    return Place(shorten_path(trace.tb_frame.f_code.co_filename), trace.tb_lineno)


def belongs(frame: FrameType, script: Any) -> bool:
    """Return whether a line belongs to the script's package; without a script, whether it is outside of the engine."""
    if script is not None:
        return _package(frame.f_globals.get("__name__", "")) == _package(type(script).__module__)
    file = frame.f_code.co_filename
    return not file.startswith("<") and not any(Path(file).is_relative_to(engine) for engine in _ENGINE)


def _count(world: World, script: Any, limit: int, at_once: bool) -> int:
    """Count an error of a script and set it aside at the limit; return the count. at_once: count up to the limit."""
    faults: Columns = world[Faults]
    name = type(script).__kind__.key
    row = _row(world, script.entity, name)
    if row < 0:
        row = faults.append(1, who=script.entity, script=name).start
    count = limit if at_once else int(faults.count[row]) + 1
    faults.write_row("count", row, count)
    faults.write_row("aside", row, count >= limit)
    return count


def _row(world: World, handle: int, script: str) -> int:
    """Return the row of a script in `Faults`, -1 for none."""
    faults: Columns = world[Faults]
    if not len(faults):
        return -1
    rows = np.flatnonzero((faults.who == handle) & (faults.script == world.intern(script)))
    return int(rows[0]) if len(rows) else -1


def _package(module: str) -> str:
    return module.partition(".")[0]


def _traces(error: BaseException) -> list[TracebackType]:
    traces: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        traces.append(trace)
        trace = trace.tb_next
    return traces


def _depth(script: Any, error: BaseException) -> int:
    """Return the number of traceback entries down to the script's deepest line; 0 if there is no such line."""
    traces = _traces(error)
    for owner in (script, None):
        depths = [depth for depth, trace in enumerate(traces, 1) if belongs(trace.tb_frame, owner)]
        if depths:
            return depths[-1]
    return 0


def _trimmed_traceback(script: Any, error: BaseException) -> TracebackType | None:
    """Return the error's traceback without the entries below the script's deepest line."""
    trimmed: TracebackType | None = None
    traces = _traces(error)
    for trace in reversed(traces[: _depth(script, error) or len(traces)]):
        trimmed = TracebackType(trimmed, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return trimmed
