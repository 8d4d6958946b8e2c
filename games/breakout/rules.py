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
    query = world.query(Paddle, Transform)
    return float(query[Transform.position][0, 0]) if len(query) else court.WIDTH / 2


@system(Stage.PRE, reads=Input, writes=(Transform, Paddle, Match), layer="world", run_if=IN_PLAY)
def steer(world: World, dt: float) -> None:
    """Move the paddle by keys, stick or pointer, and count down what power-ups still do."""
    keys, match = world[Input], world[Match]
    match.wide, match.sticky, match.fire = (max(0.0, t - dt) for t in (match.wide, match.sticky, match.fire))
    query = world.query(Paddle, Transform)
    for entity in query:
        paddle, place = world.get(entity, Paddle), world.get(entity, Transform)
        goal = 120.0 * (court.WIDE_FACTOR if match.wide else 1.0)
        paddle.width = width = paddle.width + (goal - paddle.width) * min(1.0, 10 * dt)
        x = float(place.position[0])
        wish = keys.axis("left", "right") * paddle.speed * dt
        if keys.moved_x and not wish:
            wish = max(-2.5, min(2.5, (keys.pointer_x - x) / (paddle.speed * dt))) * paddle.speed * dt
        moved = max(court.LEFT + width / 2, min(court.RIGHT - width / 2, x + wish)) - x
        place.position[0] = x + moved
        paddle.velocity = moved / dt


@system(Stage.FORCES, reads=(Input, Paddle), writes=(Transform, Ball, Match), layer="world", run_if=IN_PLAY)
def hold_and_serve(world: World, dt: float) -> None:
    """A held ball rides on the paddle until it is served."""
    match = world[Match]
    query = world.query(Ball, Transform)
    if not len(query) or match.phase not in (Phase.SERVE, Phase.PLAY):
        return
    held = query[Ball.held]
    if not held.any():
        return
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
    balls, bricks = world.query(Ball, Transform), world.query(Brick, Transform)
    if match.phase is not Phase.PLAY or not len(balls):
        return
    free = ~balls[Ball.held]
    position, velocity = balls[Transform.position][free], balls[Ball.velocity][free]
    if not len(position):
        return
    boxes = np.concatenate([bricks[Transform.position], bricks[Brick.size] * np.float32(0.5)], axis=1)
    hits = bricks[Brick.hits].copy()
    paddle = np.array([paddle_x(world), court.PADDLE_Y, _paddle_width(world) / 2, court.PADDLE_HALF_HEIGHT], np.float32)
    box = np.array([court.LEFT, court.RIGHT, court.TOP], np.float32)
    met, where = np.zeros((_MET, 2), np.int32), np.zeros((_MET, 2), np.float32)
    fire = match.fire > 0
    count = fly(
        position, velocity, balls[Ball.radius][free], boxes, bricks[Brick.steel].copy(), hits, paddle, box, fire, dt, met, where
    )
    _write_back(balls, free, position, _untangled(velocity))
    if count:
        _note_hits(world, met[:count], where[:count], hits, balls.entities[free])


def _paddle_width(world: World) -> float:
    widths = world[Paddle].width
    return float(widths[0]) if len(widths) else 120.0


def _write_back(balls: Any, free: Any, position: Any, velocity: Any) -> None:
    places, speeds = balls[Transform.position], balls[Ball.velocity]
    places[free], speeds[free] = position, velocity
    balls[Transform.position], balls[Ball.velocity] = places, speeds


def _untangled(velocity: Any) -> Any:
    """No ball may fly almost level for ever: the upward or downward part is at least a fifth of the whole."""
    speed = np.sqrt((velocity * velocity).sum(axis=1))
    least = np.float32(0.2) * speed
    flat = np.abs(velocity[:, 1]) < least
    if flat.any():
        up = np.where(velocity[flat, 1] > 0, np.float32(1), np.float32(-1))
        velocity[flat, 1] = up * least[flat]
        across = np.sqrt(np.maximum(speed[flat] ** 2 - least[flat] ** 2, 0))
        velocity[flat, 0] = np.where(velocity[flat, 0] < 0, -across, across)
    return velocity


def _note_hits(world: World, met: Any, where: Any, hits: Any, balls: Any) -> None:
    match, settings = world[Match], world[Settings]
    bricks = world.query(Brick, Transform)
    handles = bricks.entities
    sticky = match.sticky > 0
    points, steel = bricks[Brick.points].copy(), bricks[Brick.steel].copy()
    broken: set[int] = set()
    for (ball, what), (x, y) in zip(met.tolist(), where.tolist(), strict=True):
        if what in (WALL, PADDLE):
            world.emit(BallBounced, x=x, y=y, what="wall" if what == WALL else "paddle")
            if what == PADDLE:
                match.combo = 0
                if sticky and y > court.PADDLE_Y:
                    world.set(int(balls[ball]), Ball(held=True, offset=x - paddle_x(world)))
            continue
        gone = bool(hits[what] <= 0) and not steel[what] and what not in broken
        if gone:
            broken.add(what)
            match.combo += 1
        score = int(points[what]) * min(match.combo, 10) if gone else 0
        match.score += score
        world.emit(BrickHit, brick=int(handles[what]), x=x, y=y, points=score, broken=gone)
    bricks[Brick.hits] = hits
    query = world.query(Ball)
    speed = np.sqrt((query[Ball.velocity] ** 2).sum(axis=1, keepdims=True))
    faster = np.minimum(speed * np.float32(1.006) ** len(broken), settings.top_speed)
    query[Ball.velocity] = query[Ball.velocity] * (faster / np.maximum(speed, 1))


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


@system(Stage.UPDATE, writes=(Match, Ball, PowerUp, LifeLost, LevelCleared, MatchOver, Scenes), layer="world", run_if=IN_PLAY)
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
        bricks = world.query(Brick)
        if not (~bricks[Brick.steel] & (bricks[Brick.hits] > 0)).any():
            _clear(world, match)
        elif len(balls) == int(lost.sum()):
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
