"""The rules: steering, serving, flying balls, bricks and power-ups, lives and levels."""

from __future__ import annotations

from typing import Any

import numpy as np
from rish_core import Input, Layers, Scenes, Stage, Transform, World, in_scene, maths, spawn_prefab, system

from . import court, levels
from .components import (
    Ball,
    BallBounced,
    Brick,
    BrickHit,
    Effect,
    LevelCleared,
    LifeLost,
    Match,
    MatchOver,
    Paddle,
    Phase,
    PowerTaken,
    PowerUp,
    Settings,
)
from .kernels import PADDLE, WALL, fly

IN_PLAY = in_scene("play")
MOST_BALLS = 12
_MET = 64
_COURT = np.array([court.LEFT, court.RIGHT, court.TOP], np.float32)


def new_match(world: World) -> None:
    """Begin a match: its first level, all lives. What lasts is the best score and who plays."""
    match, settings = world[Match], world[Settings]
    fresh = Match(best=match.best, lives=settings.lives, idle=match.idle, autopilot=match.autopilot)
    world.put(fresh)
    build_level(world)


def build_level(world: World) -> None:
    """Put up the wall of the match's level and a ball on the paddle."""
    match = world[Match]
    bricks = levels.layout(match.level)
    for name in sorted({name for name, _, _ in bricks}):
        cells = np.array([(column, row) for other, column, row in bricks if other == name], np.float32)
        step = np.array([court.BRICK_STEP[0], -court.BRICK_STEP[1]], np.float32)
        spawn_prefab(world, name, n=len(cells), at=np.float32(court.FIRST_BRICK) + cells * step)
    match.wide = match.sticky = match.fire = 0.0
    serve(world)


def serve(world: World) -> None:
    """Put a new ball on the paddle."""
    match = world[Match]
    match.phase, match.combo = Phase.SERVE, 0
    spawn_ball(world, paddle_x(world), court.PADDLE_Y + 18)


def spawn_ball(world: World, x: float, y: float, *parts: Any) -> int:
    """A ball with its tail of ghosts."""
    ball = spawn_prefab(world, "ball", *parts, at=(x, y))
    from .effects import spawn_tail

    spawn_tail(world, ball, x, y)
    return ball


def paddle_x(world: World) -> float:
    """Where the paddle is."""
    rows = world.query(Paddle, Transform).rows(Transform)
    return float(world[Transform].position[rows[0], 0]) if len(rows) else court.WIDTH / 2


@system(Stage.PRE, reads=Input, writes=(Transform, Paddle, Match), layer="world", run_if=IN_PLAY)
def steer(world: World, dt: float) -> None:
    """Move the paddle by keys, stick or pointer, and count down what power-ups still do."""
    keys, match = world[Input], world[Match]
    match.wide, match.sticky, match.fire = (max(0.0, t - dt) for t in (match.wide, match.sticky, match.fire))
    query = world.query(Paddle, Transform)
    paddles, places = world[Paddle], world[Transform].position
    for paddle, place in zip(query.rows(Paddle), query.rows(Transform), strict=True):
        goal = 120.0 * (court.WIDE_FACTOR if match.wide else 1.0)
        paddles.width[paddle] += (goal - paddles.width[paddle]) * min(1.0, 10 * dt)
        half, step = float(paddles.width[paddle]) / 2, float(paddles.speed[paddle]) * dt
        x = float(places[place, 0])
        wish = keys.axis("left", "right") * step
        if keys.moved_x and not wish:
            wish = max(-2.5 * step, min(2.5 * step, keys.pointer_x - x))
        moved = max(court.LEFT + half, min(court.RIGHT - half, x + wish)) - x
        places[place, 0] = x + moved
        paddles.velocity[paddle] = moved / dt


@system(Stage.FORCES, reads=(Input, Paddle), writes=(Transform, Ball, Match), layer="world", run_if=IN_PLAY)
def hold_and_serve(world: World, dt: float) -> None:
    """A held ball rides on the paddle until it is served."""
    match = world[Match]
    if not world[Ball].held.any():
        return
    query = world.query(Ball, Transform)
    held = query[Ball.held]
    places = query[Transform.position]
    places[held, 0] = paddle_x(world) + query[Ball.offset][held]
    places[held, 1] = court.PADDLE_Y + court.PADDLE_HALF_HEIGHT + query[Ball.radius][held] + 1
    query[Transform.position] = places
    if world[Input].pressed("serve"):
        lean = 0.5 * world.random("serve").uniform(-1.0, 1.0) + query[Ball.offset] / 80
        speed = start_speed(world)
        velocity = query[Ball.velocity]
        velocity[held] = np.stack([speed * maths.sin(lean), speed * maths.cos(lean)], axis=-1)[held]
        query[Ball.velocity] = velocity
        query[Ball.held] = np.zeros(len(query), bool)
        match.phase = Phase.PLAY


def start_speed(world: World) -> float:
    """How fast a ball is served: a little faster with each level."""
    settings = world[Settings]
    return min(settings.top_speed, settings.ball_speed * (1 + 0.06 * (world[Match].level - 1)))


@system(
    Stage.STEP,
    reads=(Paddle, Brick),
    writes=(Transform, Ball, Brick, Match, BallBounced, BrickHit),
    layer="world",
    run_if=IN_PLAY,
)
def fly_balls(world: World, dt: float) -> None:
    """Balls fly, bounce and hit; what they met becomes events."""
    match = world[Match]
    if match.phase is not Phase.PLAY:
        return
    balls, bricks = world.query(Ball, Transform), world.query(Brick, Transform)
    ball, brick = world[Ball], world[Brick]
    paddle = np.array([paddle_x(world), court.PADDLE_Y, _paddle_width(world) / 2, court.PADDLE_HALF_HEIGHT], np.float32)
    met, where = np.zeros((_MET, 2), np.int32), np.zeros((_MET, 2), np.float32)
    count = fly(
        balls.rows(Ball), balls.rows(Transform), bricks.rows(Brick), bricks.rows(Transform),
        world[Transform].position, ball.velocity, ball.radius, ball.held, brick.size, brick.steel, brick.hits,
        paddle, _COURT, match.fire > 0, dt, met, where,
    )  # fmt: skip
    if count:
        _note_hits(world, met[:count], where[:count])


def _paddle_width(world: World) -> float:
    widths = world[Paddle].width
    return float(widths[0]) if len(widths) else 120.0


def _note_hits(world: World, met: Any, where: Any) -> None:
    """Turn what balls met into events and points; each broken brick makes all balls a little faster."""
    match, settings = world[Match], world[Settings]
    balls, bricks = world.query(Ball, Transform).entities, world.query(Brick, Transform)
    handles, brick = bricks.entities, world[Brick]
    broken: set[int] = set()
    for (ball, what), (x, y) in zip(met.tolist(), where.tolist(), strict=True):
        if what in (WALL, PADDLE):
            world.emit(BallBounced, x=x, y=y, what="wall" if what == WALL else "paddle")
            if what == PADDLE:
                match.combo = 0
                if match.sticky > 0 and y > court.PADDLE_Y:
                    world.set(int(balls[ball]), Ball(held=True, offset=x - paddle_x(world)))
            continue
        row = bricks.rows(Brick)[what]
        gone = bool(brick.hits[row] <= 0) and not brick.steel[row] and what not in broken
        if gone:
            broken.add(what)
            match.combo += 1
        score = int(brick.points[row]) * min(match.combo, 10) if gone else 0
        match.score += score
        world.emit(BrickHit, brick=int(handles[what]), x=x, y=y, points=score, broken=gone)
    if broken:
        velocity = world[Ball].velocity
        speed = np.sqrt((velocity**2).sum(axis=1, keepdims=True))
        faster = np.minimum(speed * np.float32(1.006) ** len(broken), settings.top_speed)
        velocity *= faster / np.maximum(speed, 1)


@system(Stage.POST, reads=BrickHit, writes=(Brick, Match, BrickHit, PowerUp), layer="world", run_if=IN_PLAY)
def break_bricks(world: World, dt: float) -> None:
    """Broken bricks go; bombs take their neighbours along; some leave a power-up."""
    hits = world.events(BrickHit)
    if not len(hits):
        return
    bricks = world.query(Brick, Transform)
    for hit in hits:
        if not hit.broken or not world.alive(hit.brick):
            continue
        brick = world.get(hit.brick, Brick)
        place = world.get(hit.brick, Transform).position
        x, y = float(place[0]), float(place[1])
        if brick.bomb:
            _explode(world, bricks, hit.brick, x, y)
        world.despawn(hit.brick)
        chance = world.random("power")
        if chance.uniform() < world[Settings].power_up_chance:
            effect = chance.choice(tuple(Effect))
            spawn_prefab(world, "power_" + effect.name.lower(), at=(x, y))


def _explode(world: World, bricks: Any, bomb: int, x: float, y: float) -> None:
    """A bomb breaks every brick that touches it; they go a tick later, so that a chain of bombs is seen to run."""
    match = world[Match]
    match.shake = 1.0
    away = np.abs(bricks[Transform.position] - np.float32((x, y)))
    near = (away[:, 0] < court.BRICK_STEP[0] * 1.5) & (away[:, 1] < court.BRICK_STEP[1] * 1.5)
    near &= ~bricks[Brick.steel] & (bricks[Brick.hits] > 0) & (bricks.entities != bomb)
    hits = bricks[Brick.hits].copy()
    hits[near] = 0
    bricks[Brick.hits] = hits
    for handle, place, points in zip(
        bricks.entities[near].tolist(),
        bricks[Transform.position][near].tolist(),
        bricks[Brick.points][near].tolist(),
        strict=True,
    ):
        match.score += points
        world.emit(BrickHit, brick=handle, x=place[0], y=place[1], points=points, broken=True)


@system(Stage.POST, reads=Paddle, writes=(Transform, PowerUp, Match, Ball, PowerTaken), layer="world", run_if=IN_PLAY)
def drop_power_ups(world: World, dt: float) -> None:
    """Capsules fall; the paddle catches them."""
    query = world.query(PowerUp, Transform)
    if not len(query):
        return
    places = query[Transform.position].copy()
    places[:, 1] -= query[PowerUp.speed] * np.float32(dt)
    query[Transform.position] = places
    reach = _paddle_width(world) / 2 + 18
    caught = (np.abs(places[:, 1] - court.PADDLE_Y) < 18) & (np.abs(places[:, 0] - paddle_x(world)) < reach)
    for handle in query.entities[caught].tolist():
        effect = world.get(handle, PowerUp).effect
        apply_effect(world, effect)
        world.emit(PowerTaken, effect=np.array([list(Effect).index(effect)]))
    gone = caught | (places[:, 1] < court.FLOOR)
    if gone.any():
        world.despawn(query.entities[gone])


def apply_effect(world: World, effect: Effect) -> None:
    """What each power-up does."""
    match = world[Match]
    match.score += 50
    if effect is Effect.WIDE:
        match.wide = 15.0
    elif effect is Effect.STICKY:
        match.sticky = 12.0
    elif effect is Effect.FIRE:
        match.fire = 6.0
    elif effect is Effect.LIFE:
        match.lives = min(9, match.lives + 1)
    elif effect is Effect.SLOW:
        _slow(world)
    else:
        _split(world)


def _slow(world: World) -> None:
    query = world.query(Ball)
    velocity = query[Ball.velocity]
    speed = np.sqrt((velocity**2).sum(axis=1, keepdims=True))
    query[Ball.velocity] = velocity * (np.minimum(speed, start_speed(world) * 0.8) / np.maximum(speed, 1))


def _split(world: World) -> None:
    """Two more balls from each that flies, a little to either side."""
    query = world.query(Ball, Transform)
    flying = ~query[Ball.held]
    room = MOST_BALLS - len(query)
    for place, velocity in zip(query[Transform.position][flying], query[Ball.velocity][flying], strict=True):
        for turn in (-0.35, 0.35):
            if room > 0:
                room -= 1
                cos, sin = maths.cos(turn), maths.sin(turn)
                x, y = float(velocity[0]), float(velocity[1])
                spread = (x * cos - y * sin, x * sin + y * cos)
                spawn_ball(world, float(place[0]), float(place[1]), Ball(velocity=spread, held=False))


@system(Stage.UPDATE, reads=BrickHit, writes=(Match, Ball, PowerUp, LifeLost, LevelCleared, MatchOver, Scenes), layer="world", run_if=IN_PLAY)
def keep_score(world: World, dt: float) -> None:
    """Lost balls and lives, cleared levels, and the end."""
    match = world[Match]
    match.best = max(match.best, match.score)
    match.timer = max(0.0, match.timer - dt)
    if match.phase is Phase.PLAY:
        balls = world.query(Ball, Transform)
        lost = balls[Transform.position][:, 1] < court.FLOOR
        if lost.any():
            world.despawn(balls.entities[lost])
        if len(world.events(BrickHit)) and not (~world[Brick].steel & (world[Brick].hits > 0)).any():
            _clear(world, match)
        elif lost.all():
            _lose_life(world, match)
    elif match.phase is Phase.CLEARED and not match.timer:
        _next_level(world, match)
    elif match.phase is Phase.OVER and not match.timer:
        world[Scenes].go("win" if match.lives > 0 else "lose")


def _clear(world: World, match: Match) -> None:
    match.phase, match.timer = Phase.CLEARED, 1.6
    match.score += 100 * match.level
    world.emit(LevelCleared, level=match.level)
    for cls in (Ball, PowerUp):
        world.despawn(world.query(cls).entities.copy())


def _lose_life(world: World, match: Match) -> None:
    match.lives -= 1
    match.shake = 0.7
    match.wide = match.sticky = match.fire = 0.0
    world.emit(LifeLost, left=match.lives)
    world.despawn(world.query(PowerUp).entities.copy())
    if match.lives > 0:
        serve(world)
        return
    match.phase, match.timer = Phase.OVER, 1.2
    world.emit(MatchOver, score=match.score, won=False)


def _next_level(world: World, match: Match) -> None:
    if match.level >= len(levels.LEVELS):
        match.phase, match.timer = Phase.OVER, 0.2
        world.emit(MatchOver, score=match.score, won=True)
        return
    match.level += 1
    world.despawn(world.query(Brick).entities.copy())
    build_level(world)


@system(Stage.PRE, reads=Input, writes=(Layers, Scenes), run_if=IN_PLAY)
def pause(world: World, dt: float) -> None:
    """P stops and goes on, Escape goes back to the title; this system itself never rests."""
    keys, layers = world[Input], world[Layers]
    if keys.pressed("pause"):
        layers.pause("world", not layers.is_paused("world"))
    if keys.pressed("leave"):
        layers.pause("world", False)
        world[Scenes].go("title")
