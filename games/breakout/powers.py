"""Power-ups: falling capsules and their effects when caught."""

from __future__ import annotations

from rish_core import Stage, Transform, World, in_scene, system
from rish_jit import maths

from . import court
from .components import Ball, Effect, Match, Paddle, PowerTaken, PowerUp, Scenery
from .kernels import set_pace
from .match import spawn_ball
from .rules import MAX_BALLS, paddle_width, paddle_x, start_speed

IN_PLAY = in_scene("play")
POINTS = 50
MAX_LIVES = 6
LASTS = {Effect.WIDE: 15.0, Effect.STICKY: 12.0, Effect.FIRE: 5.0}
"""The durations of the effects that end by themselves, in seconds."""
_HALF_WIDTH, _HALF_HEIGHT = 18.0, 10.0


@system(Stage.PRE, writes=Match, run_if=IN_PLAY)
def wear_off(world: World, dt: float) -> None:
    """Count down the remaining time of the power-ups that are active."""
    match = world[Match]
    if match.wide or match.sticky or match.fire:
        match.wide, match.sticky, match.fire = (max(0.0, t - dt) for t in (match.wide, match.sticky, match.fire))


@system(
    Stage.POST,
    reads=Paddle,
    writes=(Transform, PowerUp, Match, Scenery, Ball, PowerTaken),
    marks=True,
    run_if=IN_PLAY,
    after="game.break_bricks",
)
def drop_power_ups(world: World, dt: float) -> None:
    """Make the capsules fall, and apply the effect of each one that the paddle catches."""
    query = world.query(PowerUp, Transform)
    if not len(query):
        return
    width, height = paddle_width(world) / 2 + _HALF_WIDTH, court.PADDLE_HALF_HEIGHT + _HALF_HEIGHT
    position, paddle = world[Transform].position, paddle_x(world)
    caught: list[int] = []
    fallen: list[int] = []
    rows, speeds = query.rows(Transform).tolist(), query[PowerUp.speed].tolist()
    for handle, row, speed in zip(query.entities.tolist(), rows, speeds, strict=True):
        position[row, 1] = float(position[row, 1]) - speed * dt
        x, y = position[row].tolist()
        if abs(x - paddle) < width and abs(y - court.PADDLE_Y) < height:
            caught.append(handle)
        elif y < court.FLOOR:
            fallen.append(handle)
    world[Transform].mark()
    for handle in caught:
        effect = world.get(handle, PowerUp).effect
        apply_effect(world, effect)
        world.emit(PowerTaken, effect=effect, x=paddle_x(world))
    if caught or fallen:
        world.despawn(caught + fallen)


def apply_effect(world: World, effect: Effect) -> None:
    """Apply the effect of a power-up, and add its points."""
    match = world[Match]
    match.score += POINTS
    if effect is Effect.WIDE:
        match.wide = LASTS[effect]
    elif effect is Effect.STICKY:
        match.sticky = LASTS[effect]
    elif effect is Effect.FIRE:
        match.fire = LASTS[effect]
    elif effect is Effect.LIFE:
        match.lives = min(MAX_LIVES, match.lives + 1)
    elif effect is Effect.SLOW:
        set_pace(world[Ball].velocity, 0.0, 0.75 * start_speed(world), 0.0)
        world[Ball].mark()
    else:
        _split(world)


def _split(world: World) -> None:
    """Spawn two more balls from each flying ball, one turned to either side, up to MAX_BALLS."""
    query = world.query(Ball, Transform)
    flying = ~query[Ball.held]
    room = MAX_BALLS - len(query)
    for (px, py), (vx, vy) in zip(
        query[Transform.position][flying].tolist(), query[Ball.velocity][flying].tolist(), strict=True
    ):
        for turn in (-0.35, 0.35):
            if room > 0:
                room -= 1
                cos, sin = maths.cos(turn), maths.sin(turn)
                spread = (vx * cos - vy * sin, vx * sin + vy * cos)
                spawn_ball(world, px, py, Ball(velocity=spread, held=False))
