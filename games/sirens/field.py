"""Distance: a radio in a field, rings every 6 dB, and the curves of the models."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_audio import AudioSettings, AudioSource, Rolloff, Voices
from rish_core import Scenes, Stage, Transform, World, system
from rish_jit import maths

from .components import Place, Visit
from .pen import AMBER, CYAN, DIM, GRAY, GREEN, WHITE, Pen, faded
from .walking import walker_of

Array = npt.NDArray[np.float64]
MODELS = (Rolloff.INVERSE, Rolloff.LINEAR, Rolloff.EXPONENTIAL, Rolloff.NONE)
FACTORS = (1.0, 1.0, 1.6, 1.0)
"""The rolloff factor of each model; an exponential of 1 would be the inverse model."""
_INKS = (CYAN, AMBER, GREEN, GRAY)
_CHART = (562.0, 240.0, 288.0, 100.0)
"""Lower left corner, width and height of the chart."""
_QUIETEST = -36.0
"""Decibels at the bottom of the chart."""


def in_field(world: World) -> bool:
    """Whether this exhibit is shown."""
    return world[Scenes].current == "distance"


def choose(world: World) -> None:
    """Choose the next model."""
    visit = world[Visit]
    visit.model = (visit.model + 1) % len(MODELS)
    for entity in world.query(Place).entities.tolist():
        world.set(entity, AudioSource(rolloff=MODELS[visit.model], rolloff_factor=FACTORS[visit.model]))


def gain_at(world: World, distance: Array, model: int, far: float) -> Array:
    """Return the gain at distances by the formulas of OpenAL 1.1, with a fade in the last tenth before `far`."""
    near = world[AudioSettings].min_distance
    within, factor = np.clip(distance, near, far), FACTORS[model]
    if MODELS[model] is Rolloff.NONE:
        return np.ones(len(within))
    if MODELS[model] is Rolloff.INVERSE:
        gain = near / (near + factor * (within - near))
    elif MODELS[model] is Rolloff.LINEAR:
        gain = 1 - factor * (within - near) / (far - near)
    else:
        gain = np.asarray(maths.exp(-factor * np.asarray(maths.log(within / near))))
    return np.clip(gain, 0, 1) * np.clip((1 - distance / far) * 10, 0, 1)


def decibels(gain: Array) -> Array:
    """Return gains in dB, at least -120."""
    return 20 / maths.log(10.0) * np.asarray(maths.log(np.maximum(gain, 1e-6)))


def _radio(world: World) -> tuple[int, float]:
    """Return the radio and its distance from the walker."""
    entity = int(world.query(Place).entities[0])
    x, y = (world.get(entity, Transform).position - world.get(walker_of(world), Transform).position).tolist()
    return entity, float(maths.sqrt(x * x + y * y))


def read(world: World) -> dict[str, float]:
    """Return what the labels of this exhibit show; `known` is 1 while the radio is heard."""
    visit, voices = world[Visit], world[Voices]
    entity, distance = _radio(world)
    rows = np.flatnonzero(voices.source == entity)
    far = world.get(entity, AudioSource).max_distance
    level = 0.0
    if len(rows):
        row = rows[0]
        level = decibels(voices.level[rows[:1]] / (voices.gain[row] * max(float(voices.fade[row]), 1e-6)))[0]
    return {
        "meters": distance / world[AudioSettings].units_per_meter,
        "formula": float(decibels(gain_at(world, np.array([distance]), visit.model, far))[0]),
        "factor": FACTORS[visit.model],
        "known": int(len(rows) > 0),
        "level": float(level),
    }


@system(Stage.EXTRACT, before="render.extract", run_if=in_field)
def draw_field(world: World, dt: float) -> None:
    """Draw the rings, the way to the radio and the curves."""
    pen, over = Pen(world, "world", 0), Pen(world, "marks", 5)
    entity, distance = _radio(world)
    model, far = world[Visit].model, world.get(entity, AudioSource).max_distance
    x, y = world.get(entity, Transform).position.tolist()
    reach = np.linspace(1, far, 800)
    levels = decibels(gain_at(world, reach, model, far))
    for step in range(1, 7):
        beyond = np.flatnonzero(levels < -6.0206 * step + 1e-6)
        if len(beyond):
            ink = faded(_INKS[model], 0.8 - 0.1 * step)
            pen.disc(x, y, float(reach[beyond[0]]), faded(_INKS[model], 0.025), ink, 2)
    pen.disc(x, y, world[AudioSettings].min_distance, faded(_INKS[model], 0.12), faded(_INKS[model], 0.9), 2)
    here = world.get(walker_of(world), Transform).position.tolist()
    pen.lines([[x, y, *here]], faded(WHITE, 0.5), 1.5)
    pen.done()
    _curves(world, over, model, far, distance)
    over.done()


def _curves(world: World, pen: Pen, model: int, far: float, distance: float) -> None:
    left, low, width, height = _CHART
    for level in range(0, int(_QUIETEST) - 1, -6):
        y = low + height * (1 - level / _QUIETEST)
        pen.lines([[left, y, left + width, y]], DIM, 1)
    reach = np.linspace(0, far, 97)
    for number in range(len(MODELS)):
        shown = np.maximum(decibels(gain_at(world, reach, number, far)), _QUIETEST)
        points = np.column_stack([left + width * reach / far, low + height * (1 - shown / _QUIETEST)])
        chosen = number == model
        pen.path(points, _INKS[number] if chosen else faded(_INKS[number], 0.35), 2.4 if chosen else 1.2)
    level = max(float(decibels(gain_at(world, np.array([distance]), model, far))[0]), _QUIETEST)
    x, y = left + width * min(distance / far, 1), low + height * (1 - level / _QUIETEST)
    pen.lines([[x, low, x, y]], faded(WHITE, 0.4), 1)
    pen.lines([[x, y, x, y]], WHITE, 7)
