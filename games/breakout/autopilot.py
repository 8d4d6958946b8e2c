"""The autopilot: plays when there is no player, by pressing the same keys in a match as a person.

It predicts where the ball comes down and hits it with the part of the paddle that sends it to a brick. If time allows,
it catches a capsule first. The game can thus demonstrate itself, and tests have a player.
"""

from __future__ import annotations

import numpy as np

from rish_core import Input, Scenes, Stage, Transform, World, system
from rish_jit import maths
from rish_ui import Screen, modal_open

from . import court
from .components import Ball, BallBounced, Brick, Match, Paddle, Pilot, PowerUp, Settings
from .kernels import STEEPEST, foresee
from .rules import COURT, paddle_x

_NEAR = 12.0
"""The distance from its goal, in units, within which the paddle stops."""
_THINKS = 2
"""The autopilot chooses its keys every this many ticks."""
_SERVES_AFTER = 0.5
_SPARE = 0.12
"""The least time, in seconds, that must remain for the ball if the paddle fetches a capsule first."""


@system(Stage.INPUT, reads=(BallBounced, Match, Screen), writes=(Input, Pilot, Scenes))
def autopilot(world: World, dt: float) -> None:
    """Take over after a time without input, and hand back control at the first input."""
    keys, pilot = world[Input], world[Pilot]
    bounced = world.events(BallBounced)
    in_play = world[Scenes].current == "play"
    if keys.touched or modal_open(world):
        pilot.idle = 0.0
        if pilot.active:
            pilot.active = False
            keys.release_all()
            if in_play and not world[Match].by_hand:
                world[Scenes].go("title")
        return
    pilot.idle += dt
    if not pilot.active:
        settings = world[Settings]
        pilot.active = pilot.idle >= (settings.relieve_after if in_play else settings.attract_after)
        return
    pilot.wait = max(0.0, pilot.wait - dt)
    if not in_play:
        keys.release_all()
        if not pilot.wait:
            world[Scenes].go("play" if world[Scenes].current == "title" else "title")
        return
    if len(bounced) and (bounced.what == world.intern("paddle")).any():
        pilot.aim = _choose_aim(world)
    if world.tick % _THINKS == 0:
        _play(world, keys, pilot)


def _play(world: World, keys: Input, pilot: Pilot) -> None:
    if not pilot.wait and world[Ball].held.any() and world[Match].intro <= 0:
        pilot.wait = _SERVES_AFTER
        keys.tap("serve")
    off = _goal(world, pilot) - paddle_x(world)
    for action, wanted in (("left", off < -_NEAR), ("right", off > _NEAR)):
        if wanted:
            keys.press(action)
        else:
            keys.release(action)


def _goal(world: World, pilot: Pilot) -> float:
    """Return the x that the middle of the paddle should move to."""
    paddle, ball = world[Paddle], world[Ball]
    query = world.query(Ball, Transform)
    if not len(query) or not len(paddle):
        return court.WIDTH / 2
    level = court.PADDLE_Y + court.PADDLE_HALF_HEIGHT + 8
    landing, time, falls = foresee(
        query.rows(Ball), query.rows(Transform), world[Transform].position, ball.velocity, ball.radius, COURT, level
    )
    if falls:
        landing -= pilot.aim * float(paddle.width[0]) / 2
    if len(world[PowerUp]):
        return _fetch(world, landing, time, float(paddle.speed[0]))
    return landing


def _fetch(world: World, landing: float, time: float, speed: float) -> float:
    """Return the x of a capsule that can be caught before the ball lands; without one, the x of the landing."""
    capsules = world.query(PowerUp, Transform)
    here = paddle_x(world)
    places, paces = capsules[Transform.position].tolist(), capsules[PowerUp.speed].tolist()
    for (x, y), pace in sorted(zip(places, paces, strict=True), key=lambda capsule: capsule[0][1]):
        falls = (y - court.PADDLE_Y) / pace
        if falls < 0 or falls < abs(x - here) / speed - 0.1:
            continue  # it is out of reach
        if max(falls, abs(x - here) / speed) + abs(x - landing) / speed + _SPARE < time:
            return x
    return landing


def _choose_aim(world: World) -> float:
    """Return the part of the paddle to hit the next ball with, -1..1; it sends the ball straight to a random brick."""
    bricks = world[Brick]
    stream = world.random("autopilot")
    worth = np.flatnonzero(~bricks.steel & (bricks.hits > 0))
    if not len(worth):
        return stream.uniform(-0.6, 0.6)
    x, y = bricks.home[int(worth[stream.choice(len(worth))])].tolist()
    lean = maths.atan2(x - paddle_x(world), y - court.PADDLE_Y)
    return max(-0.8, min(0.8, lean / STEEPEST + stream.uniform(-0.06, 0.06)))
