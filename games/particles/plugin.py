"""The rules of the particle gallery: arrow keys and the bar change the preset, and one-shot presets repeat."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Scenes, Stage, Str, Transform, component, field, find, system
from rish_jit import maths
from rish_particles import EmitRequest, emit
from rish_ui import Clicked

from .sounds import hear_rockets, sound


@component
class Salvo:
    """Emits a one-shot preset here, at regular intervals."""

    preset: Str = field("sparks", doc="name of the preset")
    every: float = field(1.4, unit="s", low=0.05, doc="seconds from one to the next")
    rotation: float = field(0.0, unit="rad", angle=True, doc="rotation of the complete effect")
    size: float = field(1.0, low=0, doc="scale of the complete effect")
    wait: float = field(0.05, unit="s", low=0, doc="seconds until the first emission")


@component
class Flight:
    """Flies a figure of eight, turned in the direction of flight."""

    radius: float = field(150.0, unit="units", low=0, doc="half its width")
    speed: float = field(1.3, unit="rad/s", doc="how fast")


@system(Stage.UPDATE, writes=(Salvo, EmitRequest))
def fire_salvos(world, dt):
    """Emit the presets of the salvos whose wait is over."""
    query = world.query(Salvo, Transform)
    wait = query[Salvo.wait] - np.float32(dt)
    for k in np.flatnonzero(wait <= 0).tolist():
        salvo = world.get(int(query.entities[k]), Salvo)
        place = query[Transform.position][k]
        emit(world, salvo.preset, place, rotation=salvo.rotation, scale=salvo.size, layer="world")
        sound(world, salvo.preset, place)
        wait[k] += salvo.every
    query[Salvo.wait] = wait


@system(Stage.PRE, writes=Transform)
def fly(world, dt):
    """Set the place and rotation of each flight on its figure of eight."""
    for entity in world.query(Flight, Transform).entities.tolist():
        flight, pose = world.get(entity, Flight), world.get(entity, Transform)
        t = world.time * flight.speed
        x, y = flight.radius * maths.sin(t), flight.radius * 0.45 * maths.sin(2 * t)
        along, up = flight.radius * maths.cos(t), flight.radius * 0.9 * maths.cos(2 * t)
        pose.position = (320 + x, 180 + y)
        pose.rotation = maths.atan2(up, along)


@system(Stage.INPUT, reads=Clicked, writes=Scenes, after="ui.obey_commands")
def turn_pages(world, dt):
    """Go to the next or previous scene on the arrow keys and the buttons of the bar, in a cycle."""
    scenes, clicked = world[Scenes], world.events(Clicked).widget.tolist()
    names = list(scenes.names)
    forward, back = (world[Input].pressed(name) or find(world, name) in clicked for name in ("next", "back"))
    step = int(forward) - int(back)
    if step:
        sound(world, "page", (320, 180))
        scenes.go(names[(names.index(scenes.current) + step) % len(names)])


def rish_components():
    """The components of the gallery's things."""
    return [Salvo, Flight]


def rish_systems():
    """The systems, in the order in which they run in a tick."""
    return [turn_pages, fly, fire_salvos, hear_rockets]
