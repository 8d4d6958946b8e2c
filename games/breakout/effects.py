"""For the eye: shards, flares, the ball's tail, a shaken camera, and shapes that follow the rules."""

from __future__ import annotations

import numpy as np
from rish_core import Stage, Transform, World, in_scene, maths, spawn_prefab, system
from rish_render import Camera, Shape

from . import court
from .components import Ball, BallBounced, Brick, BrickHit, Ghost, Glow, Match, Paddle, Shard
from .kernels import drag, fall

IN_PLAY = in_scene("play")
TAIL = 7
_GRAVITY = -520.0
_FIERY, _CALM = (1.0, 0.55, 0.15, 1.0), (0.96, 0.97, 1.0, 1.0)


def spawn_tail(world: World, ball: int, x: float, y: float) -> None:
    """The beads that follow a ball, each smaller and fainter than the one before."""
    place = np.arange(TAIL)
    size = 13.0 - 1.5 * place
    spawn_prefab(
        world,
        "ghost",
        Ghost(of=np.full(TAIL, ball), place=place),
        Shape(size=np.stack([size, size], axis=-1), opacity=0.34 - 0.04 * place),
        n=TAIL,
        at=(x, y),
    )


@system(Stage.UPDATE, reads=(BrickHit, Brick), writes=(Shard, Match), layer="world", run_if=IN_PLAY)
def burst(world: World, dt: float) -> None:
    """A broken brick flies apart in shards of its colour."""
    for hit in world.events(BrickHit):
        if not hit.broken:
            continue
        colour = world.get(hit.brick, Brick).colour if world.alive(hit.brick) else (1, 1, 1, 1)
        stream, n = world.random("shards"), 8
        angle = stream.uniform(0, maths.TAU, n)
        speed = stream.uniform(40, 230, n)
        velocity = np.stack([speed * maths.cos(angle), speed * maths.sin(angle) + 60], axis=-1)
        at = np.float32((hit.x, hit.y)) + stream.uniform(-1, 1, (n, 2)) * np.float32((26, 8))
        spawn_prefab(
            world,
            "shard",
            Shard(velocity=velocity, spin=stream.uniform(-9, 9, n), life=stream.uniform(0.35, 0.8, n)),
            Shape(fill=np.tile(np.float32(colour), (n, 1))),
            n=n,
            at=at,
        )


@system(Stage.UPDATE, writes=(Transform, Shard, Shape), layer="world")
def fly_shards(world: World, dt: float) -> None:
    """Shards fall, turn, fade and go."""
    query = world.query(Shard, Transform, Shape)
    if not len(query):
        return
    shard, place = world[Shard], world[Transform]
    gone = np.zeros(len(query), np.bool_)
    rows = (query.rows(Shard), query.rows(Transform), query.rows(Shape))
    opacity = world[Shape].opacity
    if fall(
        *rows, shard.age, shard.life, shard.velocity, shard.spin, place.position, place.rotation, opacity, _GRAVITY, dt, gone
    ):
        world.despawn(query.entities[gone])


@system(Stage.UPDATE, reads=(BrickHit, BallBounced), writes=(Glow, Shape), layer="world", run_if=IN_PLAY)
def flare(world: World, dt: float) -> None:
    """What was touched lights up and calms down."""
    hits, bounces = world.events(BrickHit), world.events(BallBounced)
    if not len(hits) and not len(bounces) and not world[Glow].heat.any():
        return
    query = world.query(Glow, Shape)
    heat = query[Glow.heat] * np.float32(0.86)
    if len(hits):
        heat[np.isin(query.entities, hits.brick)] = 1
    if len(bounces) and (bounces.what == world.intern("paddle")).any():
        heat[np.isin(query.entities, world[Paddle].entities)] = 1
    hot = (heat > 0.01) | (query[Glow.heat] > 0)
    heat[heat <= 0.01] = 0
    query[Glow.heat] = heat
    if hot.any():
        fill = query[Shape.fill].copy()
        mix = heat[hot, None]
        fill[hot] = query[Glow.rest][hot] * (1 - mix) + query[Glow.hot][hot] * mix
        query[Shape.fill] = fill


@system(Stage.UPDATE, reads=Ball, writes=(Transform, Ghost), layer="world", run_if=IN_PLAY)
def drag_tails(world: World, dt: float) -> None:
    """Every bead follows its ball, the later ones more lazily; a tail without a ball goes."""
    query = world.query(Ghost, Transform)
    if not len(query):
        return
    owners = query[Ghost.of]
    alive = world.alive(owners)
    places = np.full(len(query), -1, np.int32)
    places[alive] = world[Transform].rows_of(owners[alive])
    drag(query.rows(Ghost), query.rows(Transform), places, world[Ghost].place, world[Transform].position)
    if not alive.all():
        world.despawn(query.entities[~alive])


@system(Stage.UPDATE, reads=(Paddle, Ball), writes=(Shape, Match, Transform), layer="world", run_if=IN_PLAY)
def dress(world: World, dt: float) -> None:
    """The paddle's shape is as wide as the paddle, a fiery ball is orange, and blows shake the camera."""
    match, shapes = world[Match], world[Shape]
    paddles, balls = world.query(Paddle, Shape), world.query(Ball, Shape)
    shapes.size[paddles.rows(Shape), 0] = world[Paddle].width[paddles.rows(Paddle)]
    shapes.fill[balls.rows(Shape)] = _FIERY if match.fire > 0 else _CALM
    if match.shake:
        match.shake = max(0.0, match.shake - 2.2 * dt)
        offset = world.random("shake").uniform(-7, 7, 2) * match.shake**2
        rows = world.query(Camera, Transform).rows(Transform)
        world[Transform].position[rows] = (court.WIDTH / 2 + offset[0], court.HEIGHT / 2 + offset[1])
