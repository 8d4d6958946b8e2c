"""Motion follows the length of a tick: what a system adds at each tick is a rate times `dt`.

A game is run twice for the same number of ticks, once with ticks that last a tenth. Motion that follows `dt` gets a
tenth as far in them. A column that goes exactly as far, tick after tick in one direction, moves by ticks and not by
time. Jumps, noise, counts of ticks in whole numbers, and what does not move at all are no motion in this sense.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import App, InputRecord, TickHooks, World, kind_of
from rish_ecs import TICK_STAGES, place_of
from rish_ecs.declarations import SystemSpec, fields_of

from ..checked_plugin import Subject
from ..clause import Finding, clause

_DT, _SHORTER = 1 / 60, 10
_SKIPPED, _TICKS = 3, 16
"""Ticks before the measurement, in which a game is set up, and ticks that are measured."""
_STEADY = 0.75
"""The share of the ticks in which a number must move in its direction."""
_TOLERANCE = 0.02
"""The maximum difference of two equal movements, relative to the distance."""
_FLOAT = npt.NDArray[np.float64]
_Values = dict[tuple[type, str], _FLOAT]


@clause("C29", "What it moves, it moves by time and not by ticks", needs=("C21",))
def check_motion(subject: Subject) -> Iterator[Finding]:
    """The games run with ticks of 1/60 s and with ticks of 1/600 s. A number of a component, table or resource that the
    plugin's systems write and that moves steadily by the same amount in both does not follow `dt`.
    """
    for game in subject.games:
        long, short = (_path(subject, game, dt) for dt in (_DT, _DT / _SHORTER))
        for (cls, name), values in long.items():
            other = short.get((cls, name))
            if other is None or other.shape != values.shape or not _goes_the_same_way(values, other):
                continue
            systems = _writers(subject, cls)
            place = place_of(systems[0].fn) if systems else place_of(cls)
            by = f", written by {', '.join(each.name for each in systems)}," if systems else ""
            what = f"{cls.__name__}.{name}{by} moves by the same amount in a tick of 1/60 s and in one of 1/600 s"
            yield Finding(
                what, place, "Multiply what is added in a tick by dt; for an approach use 1 - exp(-rate * dt)"
            )


def _path(subject: Subject, game: Path, dt: float) -> _Values:
    """Return the values after each tick, (ticks, numbers), of what the plugin writes."""
    with subject.playing(game) as app:
        app.world[TickHooks].before.append(lambda world, record: InputRecord())
        app.world.dt = app.clock.dt = dt
        samples: list[_Values] = []
        for number in range(_SKIPPED + _TICKS):
            app.frame(draw=False)
            if number >= _SKIPPED:
                samples.append(_values(subject, app))
    keys = [
        key for key in samples[0] if all(key in each and each[key].shape == samples[0][key].shape for each in samples)
    ]
    return {key: np.stack([each[key] for each in samples]) for key in keys}


def _values(subject: Subject, app: App) -> _Values:
    """Return the float columns and the float fields of resources that the plugin's systems write, flat."""
    written = {cls for each in _systems(subject) for cls in each.writes}
    values: _Values = {}
    for cls, table in (*app.world.tables.items(), *app.world.columns.items()):
        for name, spec in kind_of(cls).fields.items() if cls in written or World in written else ():
            if spec.type.dtype.kind == "f" and not spec.type.pooled and not spec.transient:
                values[cls, name] = np.array(table.flat(name), np.float64)
    for cls, resource in app.world.resources.items():
        if cls in written and subject.registry_spec(cls) is not None:
            values |= {(cls, name): value for name, value in _numbers(fields_of(resource)).items()}
    return values


def _numbers(fields: dict[str, Any]) -> dict[str, _FLOAT]:
    """Return the floats and arrays of floats among the fields of a resource."""
    return {
        name: np.array(value, np.float64).ravel()
        for name, value in fields.items()
        if isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")
    }


def _goes_the_same_way(long: _FLOAT, short: _FLOAT) -> bool:
    """Return whether some number moves steadily in both runs, and has moved equally far after every tick."""
    distance, other = long[-1] - long[0], short[-1] - short[0]
    size = np.maximum(1e-4, 1e-4 * np.abs(long).max(axis=0, initial=0.0))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs((long - long[0]) - (short - short[0])).max(axis=0, initial=0.0)
        same = apart <= _TOLERANCE * np.abs(distance)
        far = np.abs(distance) > size
        steady = _steady(long, distance) & _steady(short, other)
    return bool((same & far & steady).any())


def _steady(values: _FLOAT, distance: _FLOAT) -> npt.NDArray[np.bool_]:
    """Return bool (numbers,): whether each number moved in the direction of its total movement in most ticks."""
    steps = np.diff(values, axis=0)
    return (np.sign(steps) == np.sign(distance)).mean(axis=0) >= _STEADY


def _systems(subject: Subject) -> list[SystemSpec]:
    """Return the plugin's systems of the tick."""
    specs = (bound.spec for bound in subject.registry.systems if bound.plugin == subject.name)
    return [spec for spec in specs if spec.stage in TICK_STAGES]


def _writers(subject: Subject, cls: type) -> list[SystemSpec]:
    return [spec for spec in _systems(subject) if cls in spec.writes or World in spec.writes]
