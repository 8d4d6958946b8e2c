"""Doppler: vehicles with sirens pass, and what is heard is compared with the formula."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rish_audio import AudioSettings, AudioSource, SoundState, Voices
from rish_core import Scenes, Stage, Transform, World, system
from rish_jit import maths

from .components import Car, Trace, Visit, Walker
from .pen import AMBER, CYAN, DIM, GRAY, Pen, faded
from .walking import walker_of

SPEEDS = (12.0, 25.0, 50.0)
"""Meters per second."""
FIRST, LAST = -240.0, 1130.0
"""Where the vehicles begin and end, units."""
_APART = 0.03
"""Seconds of sound between two rings."""
_CHART = (450.0, 232.0, 400.0, 84.0)
"""Lower left corner, width and height of the chart."""
_LOW, _HIGH = 0.8, 1.25


def in_street(world: World) -> bool:
    """Whether this exhibit is shown."""
    return world[Scenes].current == "doppler"


def faster(world: World) -> None:
    """Choose the next speed."""
    visit = world[Visit]
    visit.speed = (visit.speed + 1) % len(SPEEDS)


@system(Stage.STEP, reads=Scenes, writes=(Car, Transform, AudioSource, Visit), run_if=in_street)
def drive(world: World, dt: float) -> None:
    """Move the vehicle whose turn it is; at its end the next one begins."""
    visit = world[Visit]
    step = SPEEDS[visit.speed] * world[AudioSettings].units_per_meter * dt
    for entity in world.query(Car).entities.tolist():
        car, place = world.get(entity, Car), world.get(entity, Transform)
        if car.number != visit.turn:
            continue
        begin, end = (FIRST, LAST) if car.side > 0 else (LAST, FIRST)
        x, y = place.position.tolist()
        if world.get(entity, AudioSource).state is SoundState.STOPPED:
            world.set(entity, Transform(position=(begin, y)), AudioSource(state=SoundState.PLAYING))
            continue
        x += car.side * step
        if (end - x) * car.side < 0:
            world.set(entity, Transform(position=(-400, y)), AudioSource(state=SoundState.STOPPED))
            visit.turn = (visit.turn + 1) % 3
        else:
            world.set(entity, Transform(position=(x, y)))


def driving(world: World) -> int:
    """Return the vehicle whose turn it is, 0 if it has not begun."""
    cars = world.query(Car)
    mine = cars.entities[cars[Car.number] == world[Visit].turn]
    entity = int(mine[0]) if len(mine) else 0
    return entity if entity and world.get(entity, AudioSource).state is SoundState.PLAYING else 0


def factors(world: World, entity: int) -> tuple[float, float]:
    """Return the factor of the pitch that the voice of a vehicle has, and that of the formula; 1, 1 if it has none.

    The formula is (c - vl) / (c - vs), with the speeds of listener and source along the line from source to listener.
    """
    voices, settings = world[Voices], world[AudioSettings]
    rows = np.flatnonzero(voices.source == entity)
    if not len(rows):
        return 1.0, 1.0
    car, sound = world.get(entity, Car), settings.speed_of_sound * settings.units_per_meter
    there, here = world.get(entity, Transform).position, world.get(walker_of(world), Transform).position
    dx, dy = (float(value) for value in here - there)
    distance = max(float(maths.sqrt(dx * dx + dy * dy)), 1e-6)
    sent = car.side * SPEEDS[world[Visit].speed] * settings.units_per_meter * dx / distance
    vx, vy = world.get(walker_of(world), Walker).velocity.tolist()
    heard = (vx * dx + vy * dy) / distance
    return float(voices.rate[rows[0]] / voices.pitch[rows[0]]), (sound - heard) / (sound - sent)


def read(world: World) -> dict[str, float]:
    """Return what the labels of this exhibit show; `driving` is 1 while a siren is heard."""
    entity = driving(world)
    hertz = world.get(entity, Car).hertz if entity else 0.0
    heard, theory = factors(world, entity) if entity else (1.0, 1.0)
    return {
        "driving": int(bool(entity)),
        "speed": SPEEDS[world[Visit].speed],
        "heard": heard * hertz,
        "semitones": 12 * float(maths.log(theory)) / float(maths.log(2.0)),
        "theory": theory * hertz,
        "hertz": hertz,
        "factor": theory,
        "off": abs(heard / theory - 1) * 100,
    }


@system(Stage.LATE, reads=(Car, Voices, Transform, Walker), writes=Trace, run_if=in_street)
def trace(world: World, dt: float) -> None:
    """Remember the factors of this tick for the chart."""
    entity = driving(world)
    heard, theory = factors(world, entity) if entity else (1.0, 1.0)
    world[Trace].points.append((entity, heard, theory))


@system(Stage.EXTRACT, before="render.extract", run_if=in_street)
def draw_street(world: World, dt: float) -> None:
    """Draw the rings around the vehicle, the way of the sound to the walker, and the chart."""
    pen, over = Pen(world, "world", 1), Pen(world, "marks", 5)
    entity = driving(world)
    if entity:
        _rings(world, pen, entity)
    pen.done()
    _chart(world, over)
    over.done()


def _rings(world: World, pen: Pen, entity: int) -> None:
    settings, car = world[AudioSettings], world.get(entity, Car)
    x, y = world.get(entity, Transform).position.tolist()
    meter = settings.units_per_meter
    moved, grown = car.side * SPEEDS[world[Visit].speed] * meter, settings.speed_of_sound * meter
    phase = (world.tick % 40) / 40
    for k in range(9):
        age = (k + phase) * _APART
        pen.disc(x - moved * age, y, grown * age, (0, 0, 0, 0), faded((160, 190, 255, 150), 1 - (k + phase) / 9), 2)
    here = world.get(walker_of(world), Transform).position.tolist()
    pen.lines([[x, y, *here]], faded(CYAN, 0.35), 1.5)


def _chart(world: World, pen: Pen) -> None:
    left, low, width, height = _CHART
    for factor in (0.8, 0.9, 1.0, 1.1, 1.2):
        y = low + height * (factor - _LOW) / (_HIGH - _LOW)
        pen.lines([[left, y, left + width, y]], GRAY if factor == 1 else DIM, 1)
    points = list(world[Trace].points)
    if len(points) < 2:
        return
    numbers = np.array(points, np.float64)
    x = left + width - width * np.arange(len(points))[::-1] / 360
    scaled = low + height * (np.clip(numbers[:, 1:], _LOW, _HIGH) - _LOW) / (_HIGH - _LOW)
    for first, last in _runs(numbers[:, 0]):
        pen.path(np.column_stack([x, scaled[:, 1]])[first:last], faded(AMBER, 0.75), 5)
        pen.path(np.column_stack([x, scaled[:, 0]])[first:last], CYAN, 1.8)


def _runs(vehicle: np.ndarray) -> list[tuple[int, int]]:
    """Return the parts of the chart in which the same vehicle drives."""
    cuts = [0, *(np.flatnonzero(np.diff(vehicle)) + 1).tolist(), len(vehicle)]
    return [(a, b) for a, b in pairwise(cuts) if vehicle[a] > 0]
