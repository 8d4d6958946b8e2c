"""The sounds of salvos and rockets, where the plugin audio is installed; emitters have theirs in `game.yaml`."""

from __future__ import annotations

import numpy as np

from rish_core import Scenes, Stage, in_scene, system
from rish_particles import Particles, Pools

ROCKETS = "rish_particles:presets/fireworks.particles.yaml"
"""The preset whose particles are rockets, as its pool names it."""
SOUND = 900.0
"""The speed of sound, in units/s, with which a burst in the sky is heard after it is seen."""


def sound(world, name, place, **values):
    """Play a sound at a place; without the plugin audio, nothing happens. values: fields of `audio.SoundCommand`."""
    kind = world.kind("audio.SoundCommand")
    if kind is not None:
        world.emit(kind, sound=name, placed=True, position=(float(place[0]), float(place[1]), 0.0), **values)


@system(Stage.UPDATE, reads=(Particles, Pools, Scenes), run_if=in_scene("fireworks"))
def hear_rockets(world, dt):
    """Let rockets whistle when they start, and bang where they burst, later the farther they are."""
    pools, particles = world[Pools], world[Particles]
    for row in np.flatnonzero(pools.column("preset") == world.texts.find(ROCKETS)).tolist():
        first, count = int(pools.start[row]), int(pools.live[row])
        mine = slice(first, first + count)
        age, left = particles.age[mine], particles.life[mine] - particles.age[mine]
        for name, chosen in (("rocket", age < dt), ("burst", left < dt)):
            for k in (first + np.flatnonzero(chosen)).tolist():
                place = particles.x[k], particles.y[k]
                sound(world, name, place, delay=float(place[1]) / SOUND if name == "burst" else 0.0)
