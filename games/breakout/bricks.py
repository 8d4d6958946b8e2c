"""Breaks bricks: bombs light the fuses of their neighbors, and some bricks drop a power-up."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, in_scene, spawn_prefab, system

from . import court
from .components import Brick, BrickHit, Effect, Exploded, Match, PowerUp, Scenery, Settings
from .rules import award

IN_PLAY = in_scene("play")
FUSE = 0.09
"""Seconds until a bomb breaks its neighbors, so that a chain reaction is visible."""
RARITY: tuple[Effect, ...] = (
    *(Effect.WIDE,) * 4,
    *(Effect.SLOW,) * 2,
    *(Effect.MULTI,) * 5,
    *(Effect.LIFE,) * 1,
    *(Effect.STICKY,) * 2,
    *(Effect.FIRE,) * 3,
)
"""The effects that a brick can drop; an effect that is listed more often is more likely."""


@system(
    Stage.STEP,
    writes=(Brick, Match, BrickHit),
    marks=True,
    run_if=IN_PLAY,
    after="game.fly_balls",
)
def burn_fuses(world: World, dt: float) -> None:
    """Count down the fuses, and break each brick whose fuse has ended."""
    bricks = world[Brick]
    if not bricks.fuse.any():
        return
    burning = (bricks.fuse > 0) & (bricks.hits > 0)
    bricks.fuse[burning] = np.maximum(bricks.fuse[burning] - np.float32(dt), 0)
    done = np.flatnonzero(burning & (bricks.fuse <= 0))
    handles = bricks.entities[done].tolist()
    bricks.hits[done] = 0
    bricks.mark()
    world[Match].dull = 0.0
    homes, points, colors = (column[done].tolist() for column in (bricks.home, bricks.points, bricks.color))
    for handle, (x, y), worth, color in zip(handles, homes, points, colors, strict=True):
        world.emit(BrickHit, brick=handle, x=x, y=y, points=award(world, worth), broken=True, color=tuple(color))


@system(
    Stage.POST,
    reads=BrickHit,
    writes=(Brick, Transform, Match, Scenery, PowerUp, Exploded),
    marks=True,
    run_if=IN_PLAY,
)
def break_bricks(world: World, dt: float) -> None:
    """Despawn broken bricks; bombs light the fuses of their neighbors, and some bricks drop a power-up."""
    hits = world.events(BrickHit)
    if not len(hits):
        return
    for handle in hits.brick[hits.broken].tolist():
        if not world.alive(handle):
            continue
        brick = world.get(handle, Brick)
        x, y = (float(part) for part in brick.home)
        if brick.bomb:
            _explode(world, x, y)
        world.despawn(handle)
        chance = world.random("power")
        if chance.uniform() < world[Settings].power_up_chance:
            effect = chance.choice(RARITY)
            spawn_prefab(world, "power_" + effect.name.lower(), at=(x, y))


def _explode(world: World, x: float, y: float) -> None:
    """Light the fuse of every brick that touches the bomb."""
    world[Scenery].shake = 1.0
    world.emit(Exploded, x=x, y=y)
    bricks = world[Brick]
    away = np.abs(bricks.home - np.array([x, y], np.float32))
    near = (away[:, 0] < court.BRICK_STEP[0] * 1.5) & (away[:, 1] < court.BRICK_STEP[1] * 1.5)
    bricks.fuse[near & ~bricks.steel & (bricks.hits > 0) & (bricks.fuse <= 0)] = FUSE
    bricks.mark()
