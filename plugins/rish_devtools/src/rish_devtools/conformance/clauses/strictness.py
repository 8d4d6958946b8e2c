"""What the systems of a plugin write: only what they declare, only into the World, only numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rish_core import App, World, kind_of
from rish_ecs import RishError, place_of
from rish_ecs.declarations import fields_of

from ...strict.errors import StrictError
from ...strict.watcher import Strict
from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..trial_run import frames, prepare

_TICKS, _ROUNDS = 14, 6
"""The ticks of a run in strict mode, and how many faults are looked for, each without the systems found before."""
_RUNS = ("C21",)


@clause("C23", "Its systems write only what they declare", needs=_RUNS)
def check_writes(subject: Subject) -> Iterator[Finding]:
    """The games run in strict mode, which compares the whole World before and after every system, and their tables grow
    on the way. A system of a frame stage writes only what is for drawing; what is spawned, removed or emitted counts.
    """
    yield from (Finding.of(error) for error in _strict(subject) if error.rule == "writes")


@clause("C24", "Its systems keep no state and no column outside the World", needs=_RUNS)
def check_hidden(subject: Subject) -> Iterator[Finding]:
    """In strict mode each tick runs twice from the same state and must give the same result; arrays that a growing
    table has replaced must not be in use any more.
    """
    yield from (Finding.of(error) for error in _strict(subject) if error.rule in ("hidden", "kept"))


@clause("C25", "It writes no NaN and no infinity", needs=_RUNS)
def check_numbers(subject: Subject) -> Iterator[Finding]:
    """In strict mode, and after each tick of a plain run, all numbers of the World are finite, except in fields whose
    default is not.
    """
    findings = [Finding.of(error) for error in _strict(subject) if error.rule == "numbers"]
    yield from findings
    for game in subject.games if not findings else ():
        with subject.playing(game) as app:
            prepare(app)
            for _ in frames(app, _TICKS):
                bad = next(_infinite(app.world, subject), None)
                if bad is not None:
                    yield bad
                    break


def _strict(subject: Subject) -> list[StrictError]:
    """Return the faults that strict mode finds, each run without the systems whose faults are known."""
    if subject.strict_faults is None:
        subject.strict_faults = [fault for game in subject.games for fault in _faults(subject, game)]
    return subject.strict_faults


def _faults(subject: Subject, game: Path) -> Iterator[StrictError]:
    off: set[str] = set()
    for _ in range(_ROUNDS):
        try:
            with subject.playing(game) as app:
                _run_strictly(app, off)
            return
        except StrictError as error:
            yield error
            if error.system is None or error.system in off:
                return
            off.add(error.system)
        except RishError:
            if not off:
                raise
            return  # without the systems that were taken out, the others need not work


def _run_strictly(app: App, off: set[str]) -> None:
    for system in off:
        app.schedule.disable(system)
    app.schedule.watcher = Strict(app.world, app.schedule)
    prepare(app)
    for _ in frames(app, _TICKS):
        if app.world.tick == _TICKS // 2:
            _grow(app.world)


def _grow(world: World) -> None:
    """Make the tables of all components grow, by entities that no system sees."""
    for cls, table in list(world.tables.items()):
        world.despawn(world.spawn_many(table.room - len(table) + 1, cls()))


def _infinite(world: World, subject: Subject) -> Iterator[Finding]:
    """Yield a finding for each column or resource of the plugin's packages that has a number that is not finite."""
    for cls, table in (*world.tables.items(), *world.columns.items()):
        for name, spec in kind_of(cls).fields.items():
            if spec.type.pooled or spec.type.dtype.kind != "f" or not np.isfinite(spec.default).all():
                continue
            if not np.isfinite(table.flat(name)).all():
                where = f"{cls.__name__}.{name} has a number that is not finite after a tick"
                yield Finding(where, place_of(cls), "Look for a division by zero, and limit what grows")
    for cls, resource in world.resources.items():
        spec = subject.registry_spec(cls)
        for name, value in fields_of(resource).items() if spec is not None else ():
            number = isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")
            default = spec.fields[name].default if spec is not None and name in spec.fields else 0.0
            if number and np.isfinite(default).all() and not np.isfinite(value).all():
                yield Finding(f"{cls.__name__}.{name} is not finite after a tick", place_of(cls))
