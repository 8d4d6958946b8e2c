"""The autopilot: plays when nobody does, by pressing the same keys as a person.

It looks where the ball will come down, and meets it with that part of the paddle that sends it to a brick. So a game
without a player shows itself, and the tests have somebody who plays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from rish_core import Input, Scenes, Stage, Transform, World, maths, system

from . import court
from .components import Ball, BallBounced, Brick, Match, Paddle, Phase, PowerUp, Settings

_STEEPEST = 1.05
_NEAR = 7.0
"""Units from its goal at which the paddle rests."""
_THINKS = 2
"""It looks at every so many ticks."""


@system(Stage.INPUT, reads=BallBounced, writes=(Input, Match, Scenes), after="core.remember_poses")
def autopilot(world: World, dt: float) -> None:
    """Take over when nobody has touched anything for a while, and let go at the first touch."""
    keys, match = world[Input], world[Match]
    bounced = world.events(BallBounced)
    if keys.touched:
        match.idle = 0.0
        if match.autopilot:
            match.autopilot = False
            keys.release_all()
            world[Scenes].go("title")
        return
    match.idle += dt
    match.autopilot = match.idle >= world[Settings].attract_after
    if not match.autopilot:
        return
    scene = world[Scenes].current
    if scene != "play":
        _press_on(keys, match)
        return
    if len(bounced) and (bounced.what == world.intern("paddle")).any():
        match.aim = _choose_aim(world)
    if match.phase is Phase.SERVE and not match.timer:
        match.timer = 0.9
    if match.phase is Phase.SERVE and match.timer <= dt:
        keys.tap("serve")
    if world.tick % _THINKS == 0:
        _move_to(world, keys, _goal(world, match))


def _press_on(keys: Input, match: Match) -> None:
    """On a screen that waits for a key, press it after a moment."""
    keys.release_all()
    if not match.timer:
        keys.tap("serve")


def _move_to(world: World, keys: Input, goal: float) -> None:
    query = world.query(Paddle, Transform)
    if not len(query):
        return
    off = goal - float(query[Transform.position][0, 0])
    for action, wanted in (("left", off < -_NEAR), ("right", off > _NEAR)):
        if wanted:
            keys.press(action)
        else:
            keys.release(action)


def _goal(world: World, match: Match) -> float:
    """Where the middle of the paddle should be."""
    half = float(world[Paddle].width[0]) / 2 if len(world[Paddle]) else 60.0
    query = world.query(Ball, Transform)
    places, speeds = query[Transform.position], query[Ball.velocity]
    falling = np.flatnonzero(speeds[:, 1] < 0)
    if len(falling):
        seconds = (places[falling, 1] - court.PADDLE_Y) / -speeds[falling, 1]
        soonest = int(falling[int(np.argmin(seconds))])
        landing = _fold(float(places[soonest, 0]) + float(speeds[soonest, 0]) * max(0.0, float(seconds.min())))
        return landing - match.aim * half
    capsules = world.query(PowerUp, Transform)
    if len(capsules):
        return float(capsules[Transform.position][int(np.argmin(capsules[Transform.position][:, 1])), 0])
    return float(places[0, 0]) if len(places) else court.WIDTH / 2


def _fold(x: float) -> float:
    """Where a ball ends between the walls that would have flown to x without them."""
    left, width = court.LEFT + 8, court.RIGHT - court.LEFT - 16
    off = (x - left) % (2 * width)
    return left + (off if off <= width else 2 * width - off)


def _choose_aim(world: World) -> float:
    """-1..1, the part of the paddle to use next: where it sends the ball to some brick in a straight line."""
    bricks: Any = world.query(Brick, Transform)
    stream = world.random("autopilot")
    worth = np.flatnonzero(~bricks[Brick.steel] & (bricks[Brick.hits] > 0))
    paddles = world.query(Paddle, Transform)
    if not len(worth) or not len(paddles):
        return stream.uniform(-0.6, 0.6)
    goal = bricks[Transform.position][int(worth[stream.choice(len(worth))])]
    away = goal - paddles[Transform.position][0]
    lean = maths.atan2(float(away[0]), float(away[1]))
    return max(-0.8, min(0.8, lean / _STEEPEST + stream.uniform(-0.06, 0.06)))
