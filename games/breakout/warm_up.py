"""The kernels of a match, called once before it begins: the systems that use them run in an empty World."""

from __future__ import annotations

import numpy as np

from rish_core import Transform, World

from . import autopilot, effects, rules
from .components import Ball, Ghost, Match, Phase, Scenery, Settings


def call_kernels(world: World) -> None:
    """Call every kernel of a match with arrays of the types that it gets in play; the World does not change."""
    empty = world.private(Match, Scenery, Settings)
    empty[Match].phase = Phase.PLAY
    for run in (rules.fly_balls, effects.flare):
        run(empty, empty.dt)
    none, numbers = np.zeros(0, np.int32), np.zeros(0, np.int64)
    position = empty[Transform].position
    effects.drag(none, none, empty[Ghost].of, empty[Ghost].place, numbers, none, position, np.zeros(0, np.bool_))
    ball = empty[Ball]
    autopilot.foresee(none, none, position, ball.velocity, ball.radius, autopilot.COURT, 1.0)
