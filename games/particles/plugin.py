"""The gallery's own rules: arrow keys lead from preset to preset, one-shots come again and again."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Scenes, Stage, Str, Transform, component, field, system
from rish_ecs import maths
from rish_particles import EmitRequest, emit


@component
class Salvo:
    """Lets a one-shot preset be born here every so often."""

    preset: Str = field("sparks", doc="which")
    every: float = field(1.4, unit="s", low=0.05, doc="seconds from one to the next")
    rotation: float = field(0.0, unit="rad", angle=True, doc="of the whole")
    size: float = field(1.0, low=0, doc="of the whole")
    wait: float = field(0.05, unit="s", low=0, doc="until the first")


@component
class Flight:
    """Flies a figure of eight, nose first."""

    radius: float = field(150.0, unit="units", low=0, doc="half its width")
    speed: float = field(1.3, unit="rad/s", doc="how fast")


@system(Stage.UPDATE, writes=(Salvo, EmitRequest))
def fire_salvos(world, dt):
    """Those whose time has come."""
    query = world.query(Salvo, Transform)
    wait = query[Salvo.wait] - np.float32(dt)
    for k in np.flatnonzero(wait <= 0).tolist():
        salvo = world.get(int(query.entities[k]), Salvo)
        place = query[Transform.position][k]
        emit(world, salvo.preset, place, rotation=salvo.rotation, scale=salvo.size, layer="world")
        wait[k] += salvo.every
    query[Salvo.wait] = wait


@system(Stage.PRE, writes=Transform)
def fly(world, dt):
    """Where the eight leads, and in which direction."""
    for entity in world.query(Flight, Transform).entities.tolist():
        flight, pose = world.get(entity, Flight), world.get(entity, Transform)
        t = world.time * flight.speed
        x, y = flight.radius * maths.sin(t), flight.radius * 0.45 * maths.sin(2 * t)
        along, up = flight.radius * maths.cos(t), flight.radius * 0.9 * maths.cos(2 * t)
        pose.position = (320 + x, 180 + y)
        pose.rotation = maths.atan2(up, along)


@system(Stage.INPUT, writes=Scenes)
def turn_pages(world, dt):
    """The arrows go round the scenes."""
    pressed, scenes = world[Input], world[Scenes]
    names = list(scenes.names)
    step = int(pressed.pressed("next")) - int(pressed.pressed("back"))
    if step:
        scenes.go(names[(names.index(scenes.current) + step) % len(names)])


def rish_components():
    """What the gallery's things carry."""
    return [Salvo, Flight]


def rish_systems():
    """In the order of a tick."""
    return [turn_pages, fly, fire_salvos]
