"""The sounds of the gallery, where the plugin audio is installed. The sounds themselves are in `sounds.yaml`.

A hit sounds like the harder of the two bodies, by the values of their colliders; it is louder with more energy and
deeper with more mass. Only the hardest hits of a tick are heard, and each sound limits how often it is played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Scenes, Stage, World, every, named, resource, system
from rish_jit import maths
from rish_physics import Body, Collider, WindArea

from .components import Visit

HEARD = 3
"""The number of hits heard per tick."""
LOUD = 500.0
"""The impulse, in kg·units/s, of a hit at full level."""
QUIET = 0.04
"""The level below which a hit is not played."""
TYPICAL = 30.0
"""The impulse of a hit with the sound's own pitch; a greater one is deeper."""
MACHINES = {"tumbler": "motor", "vehicle": "engine", "joints": "motor", "platforms": "motor", "water": "water"}
"""The loops of the exhibits. The one of the cloth is the wind."""
MACHINE = "machine"
"""The tag of the exhibit's loop."""


@resource(view=True)
class Heard:
    """What was heard last. pitch: of the loop."""

    pitch: float = 1.0


def command(world: World, verb: str = "play", **values: Any) -> None:
    """Send a command to the plugin audio; without it, nothing happens. values: fields of `audio.SoundCommand`."""
    kind = world.kind("audio.SoundCommand")
    if kind is not None:
        world.emit(kind, verb=verb, **values)


def sound(world: World, name: str, at: Any, **values: Any) -> None:
    """Play a sound at a place."""
    command(world, sound=name, placed=True, position=(float(at[0]), float(at[1]), 0.0), **values)


def begin_sounds(world: World, scene: str) -> None:
    """Begin the loop of an exhibit, in place of the one before."""
    command(world, "stop", tag=MACHINE, fade=0.4)
    loop = "wind" if scene == "cloth" else MACHINES.get(scene)
    if loop:
        command(world, sound=loop, tag=MACHINE, fade=0.6)


def impacts(world: World, hits: Any) -> None:
    """Play the hardest hits of a tick."""
    force = np.minimum(hits.impulse / LOUD, 1.0) ** 0.5
    for k in np.argsort(-force, kind="stable")[:HEARD].tolist():
        level = float(force[k])
        if level > QUIET:
            pitch = float(np.clip((TYPICAL / max(float(hits.impulse[k]), 1.0)) ** 0.12, 0.6, 1.6))
            sound(world, _material(world, hits.a[k], hits.b[k]), hits.point[k], gain=level, pitch=pitch)


def _material(world: World, a: Any, b: Any) -> str:
    """Return the sound of a hit of two colliders: rubber bounces, metal is dense; without a body it is stone."""
    table, bodies = world[Collider], world[Body]
    rows = table.rows_of(np.array([a, b]))
    rows = rows[rows >= 0]
    moves = rows[bodies.rows_of(table.entities[rows]) >= 0]
    own = moves if len(moves) else rows
    if not len(own):
        return "wood"
    bounce, dense = float(table.restitution[own].max()), float(table.density[own].max())
    if dense >= 3:
        return "metal"
    return "rubber" if bounce > 0.4 else "stone" if float(table.density[own].min()) > 1.3 else "wood"


@system(Stage.UPDATE, reads=(Body, WindArea, Scenes, Visit), writes=Heard, run_if=every(6))
def hum(world: World, dt: float) -> None:
    """Let the engine follow the car's wheels, and the wind its speed."""
    heard, scene = world[Heard], world[Scenes].current
    pitch = 1.0
    if scene == "vehicle":
        vx, vy = (float(v) for v in world.get(named(world, "car"), Body).velocity)
        pitch = 0.7 + min(maths.sqrt(vx * vx + vy * vy) / 450, 1.3)
    elif scene == "cloth":
        wind = world[WindArea].velocity
        pitch = 0.7 + 0.6 * min(abs(float(wind[0, 0])) / 500, 1.2) if len(wind) else 1.0
    if abs(pitch - heard.pitch) > 0.01:
        heard.pitch = pitch
        command(world, "set", tag=MACHINE, parameter="pitch", value=pitch, fade=0.1)
