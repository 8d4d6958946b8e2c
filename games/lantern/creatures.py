"""Rats that run from the hero."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, system
from rish_jit import maths
from rish_physics import Body
from rish_render import Sprite

from .components import Rat
from .lantern import hero_place
from .walking import IN_KEEP

RUNS, STROLLS = 78.0, 26.0
"""The speeds of a rat that flees and of one that wanders, units/s."""
SHY = 44.0
"""The distance, in units, at which a rat flees."""


@system(Stage.PRE, writes=(Rat, Body), run_if=IN_KEEP)
def scurry(world: World, dt: float) -> None:
    """Choose a new heading for rats whose wait is over, and make the rats near the hero run away."""
    rats = world.query(Rat, Body, Transform)
    if not len(rats):
        return
    _, x, y = hero_place(world)
    off = rats[Transform.position].astype(np.float64) - (x, y)
    far = np.sqrt((off * off).sum(axis=1)) + 1e-6
    wait, heading = rats[Rat.wait] - np.float32(dt), rats[Rat.heading].copy()
    shy = far < SHY
    heading[shy] = ((off + 0.6 * off[:, ::-1] * (1, -1)) / far[:, None] * (0.86 * RUNS))[shy]
    wait[shy] = 0.5
    luck = world.random("rats")
    for k in np.flatnonzero(wait <= 0).tolist():
        turn = luck.uniform(0.0, 6.283)
        speed = STROLLS if luck.uniform(0.0, 1.0) < 0.6 else 0.0
        heading[k], wait[k] = (speed * maths.cos(turn), speed * maths.sin(turn)), luck.uniform(0.4, 1.8)
    rats[Rat.step] = (rats[Rat.step] + 0.25 * (np.abs(heading).sum(axis=1) > 1)) % 2
    rats[Rat.heading] = rats[Body.velocity] = heading
    rats[Rat.wait] = wait


@system(Stage.UPDATE, reads=Rat, writes=Sprite, run_if=IN_KEEP)
def show_rats(world: World, dt: float) -> None:
    """Set the frames of the rats' sprites and turn the sprites to their headings."""
    rats = world.query(Rat)
    if len(rats):
        rows, sprites = world.table(Sprite).rows_of(rats.entities), world[Sprite]
        sprites.frame[rows] = rats[Rat.step].astype(np.int32)
        ahead = rats[Rat.heading][:, 0]
        sprites.flip_x[rows] = (ahead < 0) | ((ahead == 0) & sprites.flip_x[rows])
