"""The rules while a ball is in play: steering, serving, flying, and the results of hits."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Stage, Transform, World, in_scene, system
from rish_jit import maths, plain_form

from . import court
from .components import Ball, BallBounced, Brick, BrickHit, Match, Paddle, Phase, Served, Settings
from .kernels import LOST, PADDLE, WALL, fly, set_pace, untangle

IN_PLAY = in_scene("play")
MAX_BALLS = 12
HIGHEST_COMBO = 5
"""The greatest factor of a brick's points. The factor is the number of bricks broken since the ball left the paddle."""
QUICKER = 1.006
"""The factor by which each broken brick increases the speed of all balls."""
COURT = np.array([court.LEFT, court.RIGHT, court.TOP, court.FLOOR])
_MAX_MET = 8 * MAX_BALLS
_UNTANGLE = plain_form(untangle)
"""It runs for a few balls once in a while."""


def paddle_x(world: World) -> float:
    """Return the x of the paddle's middle."""
    rows = world.query(Paddle, Transform).rows(Transform)
    return world[Transform].position.item(rows[0], 0) if len(rows) else court.WIDTH / 2


def paddle_width(world: World) -> float:
    """Return the current width of the paddle."""
    widths = world[Paddle].width
    return widths.item(0) if len(widths) else court.PADDLE_WIDTH


def start_speed(world: World) -> float:
    """Return the speed of a served ball, units/s: a little higher with each level."""
    settings = world[Settings]
    return min(settings.top_speed, settings.ball_speed * (1 + 0.06 * (world[Match].level - 1)))


@system(Stage.PRE, reads=(Input, Match), writes=(Transform, Paddle), run_if=IN_PLAY)
def steer(world: World, dt: float) -> None:
    """Move the paddle by keys, stick or pointer; with keys or stick it takes a moment to reach its speed."""
    query = world.query(Paddle, Transform)
    if not len(query):
        return
    keys, paddle, row = world[Input], world[Paddle], query.rows(Paddle).item(0)
    places, place = world[Transform].position, query.rows(Transform).item(0)
    goal = court.PADDLE_WIDTH * (court.WIDE_FACTOR if world[Match].wide else 1.0)
    width = paddle.width.item(row)
    if abs(goal - width) > 0.01:
        width += (goal - width) * min(1.0, 10 * dt)
        paddle.width[row] = width
    x, speed = places.item(place, 0), paddle.speed.item(row)
    push = keys.axis("left", "right")
    if push or not paddle.follows.item(row):
        paddle.follows[row] = not push and keys.moved_x != 0
        old = paddle.velocity.item(row)
        velocity = old + (push * speed - old) * 0.4
        velocity = velocity if push or abs(velocity) > 20 else 0.0
    else:
        velocity = max(-2.5 * speed, min(2.5 * speed, (keys.pointer_x - x) / dt))
    new = max(court.LEFT + width / 2, min(court.RIGHT - width / 2, x + velocity * dt))
    places[place, 0] = new
    paddle.velocity[row] = (new - x) / dt


@system(
    Stage.FORCES,
    reads=(Input, Paddle),
    writes=(Transform, Ball, Match, Served),
    marks=True,
    run_if=IN_PLAY,
)
def hold_and_serve(world: World, dt: float) -> None:
    """Move held balls with the paddle until they are served."""
    ball = world[Ball]
    if True not in ball.held.tolist():
        return
    match, query, places = world[Match], world.query(Ball, Transform), world[Transform]
    x, top = paddle_x(world), court.PADDLE_Y + court.PADDLE_HALF_HEIGHT + 1
    for row, place in zip(query.rows(Ball).tolist(), query.rows(Transform).tolist(), strict=True):
        if ball.held.item(row):
            places.position[place] = x + ball.offset.item(row), top + ball.radius.item(row)
            places.mark(place)
    if match.intro <= 0 and world[Input].pressed("serve"):
        held = query[Ball.held].copy()
        stray = world.random("serve").uniform(-0.5, 0.5)
        lean = stray + query[Ball.offset].astype(np.float64) / 80
        velocity, speed = query[Ball.velocity].copy(), start_speed(world)
        velocity[held] = (speed * np.stack([maths.sin(lean), maths.cos(lean)], axis=-1))[held]
        query[Ball.velocity] = velocity
        query[Ball.held] = np.zeros(len(query), np.bool_)
        match.phase = Phase.PLAY
        world.emit(Served, x=paddle_x(world), y=court.PADDLE_Y)


@system(
    Stage.STEP,
    reads=(Paddle, Brick),
    writes=(Transform, Ball, Brick, Match, BallBounced, BrickHit),
    run_if=IN_PLAY,
)
def fly_balls(world: World, dt: float) -> None:
    """Move the balls; emit events for what they hit, and despawn those that fell."""
    match = world[Match]
    if match.phase is not Phase.PLAY:
        return
    balls, bricks = world.query(Ball, Transform), world.query(Brick, Transform)
    ball, brick = world[Ball], world[Brick]
    bat = np.array([paddle_x(world), court.PADDLE_Y, paddle_width(world) / 2, court.PADDLE_HALF_HEIGHT])
    met, where = np.empty((_MAX_MET, 2), np.int32), np.empty((_MAX_MET, 2))
    count = fly(
        balls.rows(Ball), balls.rows(Transform), bricks.rows(Brick), bricks.rows(Transform),
        world[Transform].position, ball.velocity, ball.radius, ball.held, brick.size, brick.steel, brick.hits,
        bat, COURT, match.fire > 0, dt, met, where,
    )  # fmt: skip
    match.dull += dt
    if count:
        _note_all(world, met[:count].tolist(), where[:count].tolist())
    if match.dull > world[Settings].nudge_after:
        _nudge(world, match)


def _note_all(world: World, met: list[list[int]], where: list[list[float]]) -> None:
    """Turn the recorded hits into events and points; each broken brick makes all balls a little faster."""
    balls = world.query(Ball, Transform).entities
    bounced: dict[str, list[list[float]]] = {"wall": [], "paddle": []}
    broken: set[int] = set()
    for (ball, what), place in zip(met, where, strict=True):
        if what == LOST:
            world.despawn(int(balls[ball]))
        elif what == WALL:
            bounced["wall"].append(place)
        elif what == PADDLE:
            bounced["paddle"].append(place)
            _meet_paddle(world, int(balls[ball]), place[0], place[1])
        else:
            _meet_brick(world, what, place[0], place[1], broken)
    for what, places in bounced.items():
        if places:
            x, y = np.array(places, np.float32).T
            world.emit(BallBounced, x=x, y=y, what=what)
    if broken:
        pace = QUICKER
        for _ in range(len(broken) - 1):
            pace *= QUICKER
        set_pace(world[Ball].velocity, pace, 0.0, world[Settings].top_speed)


def _meet_paddle(world: World, ball: int, x: float, y: float) -> None:
    match = world[Match]
    match.combo = 0
    if match.sticky > 0 and y > court.PADDLE_Y:
        world.set(ball, Ball(held=True, offset=x - paddle_x(world)))


def _meet_brick(world: World, number: int, x: float, y: float, broken: set[int]) -> None:
    """Award points for a brick that just broke, and emit BrickHit.

    number: the brick's index in the query. broken: the indices that broke earlier in this tick; this one is added.
    """
    bricks = world.query(Brick, Transform)
    row = int(bricks.rows(Brick)[number])
    brick = world[Brick]
    gone = not brick.steel[row] and brick.hits[row] <= 0 and number not in broken
    if not brick.steel[row]:
        world[Match].dull = 0.0
    points = award(world, int(brick.points[row])) if gone else 0
    if gone:
        broken.add(number)
    color = tuple(brick.color[row].tolist())
    world.emit(BrickHit, brick=int(bricks.entities[number]), x=x, y=y, points=points, broken=gone, color=color)


def award(world: World, points: int) -> int:
    """Add a brick's points to the score and return them; they grow with each brick until the ball hits the paddle."""
    match = world[Match]
    match.combo += 1
    worth = points * min(match.combo, HIGHEST_COMBO)
    match.score += worth
    return worth


def _nudge(world: World, match: Match) -> None:
    """Turn every ball a little, so that none bounces for ever between the same steel bricks."""
    match.dull = 0.0
    velocity = world[Ball].velocity
    angle = world.random("nudge").uniform(0.2, 0.5, len(velocity))
    cos, sin = maths.cos(angle), maths.sin(angle)
    x, y = velocity[:, 0].astype(np.float64), velocity[:, 1].astype(np.float64)
    velocity[:, 0], velocity[:, 1] = x * cos - y * sin, x * sin + y * cos
    for row in range(len(velocity)):
        _UNTANGLE(velocity, row)
