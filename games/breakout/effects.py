"""Visual effects: shards, flares, the tail of a ball, rising numbers and a shaking camera."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, Transform, World, in_scene, spawn_prefab, system
from rish_render import Camera, Shape, Text

from . import court
from .components import (
    Ball,
    BallBounced,
    Brick,
    BrickHit,
    Effect,
    Ghost,
    Glow,
    Match,
    Paddle,
    Popup,
    PowerTaken,
    Scenery,
    Shard,
)
from .eye_kernels import DRAWS, cool, drag, fall, rise, throw

IN_PLAY = in_scene("play")
TAIL = 9
"""The number of ghosts that follow a ball."""
NAMES = {
    Effect.WIDE: "WIDE",
    Effect.SLOW: "SLOW",
    Effect.MULTI: "MULTI-BALL",
    Effect.LIFE: "+1 LIFE",
    Effect.STICKY: "CATCH",
    Effect.FIRE: "FIRE",
}
_GRAVITY = -520.0
_RISE = 46.0
_KEEP = 0.86
_FIERY, _CALM = (1.0, 0.55, 0.15, 1.0), (0.96, 0.97, 1.0, 1.0)
_WHITE = (1.0, 1.0, 1.0, 1.0)


def spawn_tail(world: World, ball: int, x: float, y: float) -> None:
    """Spawn the beads that follow a ball, each smaller and fainter than the previous."""
    place = np.arange(TAIL)
    size = 14.0 - 1.25 * place
    spawn_prefab(
        world,
        "ghost",
        Ghost(of=np.full(TAIL, ball), place=place),
        Shape(size=np.stack([size, size], axis=-1), opacity=0.5 - 0.05 * place),
        n=TAIL,
        at=(x, y),
    )


@system(
    Stage.POST,
    reads=(BrickHit, Brick, BallBounced),
    writes=(Shard, Shape, Transform, Scenery),
    layer="world",
    run_if=IN_PLAY,
    after="game.break_bricks",
)
def burst(world: World, dt: float) -> None:
    """Throw shards of a brick's colour where it broke, and fewer, slower ones where it was only hit."""
    hits, bounces = world.events(BrickHit), world.events(BallBounced)
    if len(hits):
        for handle, x, y, broken in zip(
            hits.brick.tolist(), hits.x.tolist(), hits.y.tolist(), hits.broken.tolist(), strict=True
        ):
            if not world.alive(handle):
                continue
            brick = world.get(handle, Brick)
            if broken:
                _throw(world, 9, brick.home, brick.color, 230.0)
            else:
                _throw(world, 3, (x, y), brick.color, 120.0)
    if len(bounces):
        paddle = bounces.what == world.intern("paddle")
        for x in bounces.x[paddle].tolist():
            _throw(world, 3, (x, court.PADDLE_Y + 10), _WHITE, 110.0)


def _throw(world: World, count: int, at: Any, colour: Any, speed: float) -> None:
    """Throw `count` shards, reusing those that were thrown the longest time ago."""
    query, scenery = world.query(Shard, Transform, Shape), world[Scenery]
    if not len(query):
        return
    shard, luck = world[Shard], world.random("shards")
    spread_x, spread_y = (50.0, 16.0) if speed > 200 else (4.0, 4.0)
    throw(
        query.rows(Shard), query.rows(Transform), query.rows(Shape), scenery.shard, count,
        shard.velocity, shard.spin, shard.age, shard.life, world[Transform].position, world[Shape].color,
        np.asarray(colour, np.float32), float(at[0]), float(at[1]), spread_x, spread_y, speed, luck.key, luck.counter,
    )  # fmt: skip
    luck.counter += count * DRAWS
    scenery.shard = (scenery.shard + count) % len(query)


@system(Stage.UPDATE, writes=(Transform, Shard, Shape), layer="world", run_if=IN_PLAY)
def fly_shards(world: World, dt: float) -> None:
    """Make the shards fall, turn and fade."""
    query = world.query(Shard, Transform, Shape)
    shard, place, shape = world[Shard], world[Transform], world[Shape]
    fall(
        query.rows(Shard), query.rows(Transform), query.rows(Shape), shard.age, shard.life, shard.velocity, shard.spin,
        place.position, place.rotation, shape.opacity, shape.visible, _GRAVITY, dt,
    )  # fmt: skip


@system(
    Stage.UPDATE,
    reads=(BrickHit, PowerTaken),
    writes=(Transform, Popup, Text, Scenery),
    layer="world",
    run_if=IN_PLAY,
)
def pop_up(world: World, dt: float) -> None:
    """Show the points of a broken brick and the name of a caught power-up as rising text."""
    hits, taken = world.events(BrickHit), world.events(PowerTaken)
    if len(hits):
        for x, y, points in zip(hits.x.tolist(), hits.y.tolist(), hits.points.tolist(), strict=True):
            if points:
                _show(world, f"+{points}", x, y)
    if len(taken):
        for number, x in zip(taken.effect.tolist(), taken.x.tolist(), strict=True):
            _show(world, NAMES[list(Effect)[number]], x, court.PADDLE_Y + 26)
    query = world.query(Popup, Transform, Text)
    popup, text = world[Popup], world[Text]
    rise(
        query.rows(Popup), query.rows(Transform), query.rows(Text), popup.age, popup.life,
        world[Transform].position, text.opacity, text.visible, _RISE, dt,
    )  # fmt: skip


def _show(world: World, words: str, x: float, y: float) -> None:
    popups, scenery = world.query(Popup, Text).entities, world[Scenery]
    if len(popups):
        scenery.popup = (scenery.popup + 1) % len(popups)
        popup = int(popups[scenery.popup])
        world.set(popup, Text(text=words), Popup(age=0.0), Transform(position=(x, y)))


@system(Stage.UPDATE, reads=(BrickHit, BallBounced, Paddle), writes=(Glow, Shape), layer="world", run_if=IN_PLAY)
def flare(world: World, dt: float) -> None:
    """Make shapes that were touched light up and fade back."""
    hits, bounces = world.events(BrickHit), world.events(BallBounced)
    glow = world[Glow]
    if len(hits):
        rows = glow.rows_of(hits.brick)
        glow.heat[rows[rows >= 0]] = 1
    if len(bounces) and (bounces.what == world.intern("paddle")).any():
        rows = glow.rows_of(world[Paddle].entities)
        glow.heat[rows[rows >= 0]] = 1
    query = world.query(Glow, Shape)
    cool(query.rows(Glow), query.rows(Shape), glow.heat, glow.rest, glow.hot, world[Shape].color, _KEEP)


@system(Stage.UPDATE, reads=Ball, writes=(Transform, Ghost), layer="world", run_if=IN_PLAY)
def drag_tails(world: World, dt: float) -> None:
    """Move each bead towards its ball, the later ones more slowly; despawn the tail of a ball that is gone."""
    query = world.query(Ghost, Transform)
    if not len(query):
        return
    balls, ghost, orphan = world.query(Ball, Transform), world[Ghost], np.empty(len(query), np.bool_)
    gone = drag(
        query.rows(Ghost), query.rows(Transform), ghost.of, ghost.place, balls.entities, balls.rows(Transform),
        world[Transform].position, orphan,
    )  # fmt: skip
    if gone:
        world.despawn(query.entities[orphan])


@system(Stage.UPDATE, reads=(Paddle, Ball, Match), writes=(Shape, Scenery, Transform), layer="world", run_if=IN_PLAY)
def dress(world: World, dt: float) -> None:
    """Update the width of the paddle's shape, the colour of fire balls and the shake of the camera."""
    match, scenery, shapes = world[Match], world[Scenery], world[Shape]
    paddles = world.query(Paddle, Shape)
    for paddle, shape in zip(paddles.rows(Paddle), paddles.rows(Shape), strict=True):
        shapes.size[shape, 0] = world[Paddle].width[paddle]
    if match.fire or scenery.fiery:
        scenery.fiery = match.fire > 0
        shapes.color[world.query(Ball, Shape).rows(Shape)] = _FIERY if scenery.fiery else _CALM
    if scenery.shake:
        scenery.shake = max(0.0, scenery.shake - 2.2 * dt)
        offset = world.random("shake").uniform(-7, 7, 2) * (scenery.shake * scenery.shake)
        rows = world.query(Camera, Transform).rows(Transform)
        world[Transform].position[rows] = (court.WIDTH / 2 + offset[0], court.HEIGHT / 2 + offset[1])
