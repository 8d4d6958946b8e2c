"""A match from the first serve to the last life: levels, lives, score, pause, and the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_animation import Tweens, tween
from rish_core import Layers, Scenes, Stage, Transform, World, in_scene, spawn_prefab, system
from rish_ecs.declarations import distinct

from . import court, levels
from .components import (
    Ball,
    Brick,
    BrickHit,
    LevelCleared,
    LifeLost,
    Match,
    MatchOver,
    Paused,
    Phase,
    Pilot,
    PowerUp,
    Scenery,
    Settings,
)
from .effects import spawn_tail
from .rules import paddle_x

IN_PLAY = in_scene("play")
LIFE_BONUS = 500
INTRO = 1.0
"""Seconds in which the bricks of a new wall move into place."""
_FROM_ABOVE = 330.0
_LATE = 0.7
"""Seconds by which bricks would be late at the distance of the width of the court."""


def new_match(world: World) -> None:
    """Begin a match: first level, all lives, score 0. Only the best score is kept."""
    world.put(
        Match(best=world[Match].best, lives=world[Settings].lives, by_hand=not world[Pilot].active),
    )
    world.put(Scenery())
    build_level(world)


def build_level(world: World) -> None:
    """Spawn the wall of the match's level above the court, from where it falls into place, and serve."""
    match = world[Match]
    bricks = levels.layout(match.level)
    step = np.array([court.BRICK_STEP[0], -court.BRICK_STEP[1]], np.float32)
    for name in sorted({name for name, _, _ in bricks}):
        cells = np.array([(column, row) for other, column, row in bricks if other == name], np.float32)
        homes = np.array(court.FIRST_BRICK, np.float32) + cells * step
        spawn_prefab(world, name, Brick(home=homes), n=len(homes), at=homes + np.array([0, _FROM_ABOVE], np.float32))
    match.wide = match.sticky = match.fire = 0.0
    match.intro = INTRO
    serve(world)


def serve(world: World) -> None:
    """Put a new ball on the paddle."""
    match = world[Match]
    match.phase, match.combo, match.dull = Phase.SERVE, 0, 0.0
    spawn_ball(world, paddle_x(world), court.PADDLE_Y + 18)


def spawn_ball(world: World, x: float, y: float, *parts: Any) -> int:
    """Spawn a ball with its tail; return its handle."""
    ball = spawn_prefab(world, "ball", *parts, at=(x, y))
    spawn_tail(world, ball, x, y)
    return ball


@system(Stage.PRE, reads=Brick, writes=Tweens, marks=True, run_if=IN_PLAY)
def lower_wall(world: World, dt: float) -> None:
    """Move new bricks down to their homes, those of the middle columns first."""
    new = world.added(Brick)
    if not len(new):
        return
    homes = world[Brick].home[world[Brick].rows_of(new)]
    away = np.abs(homes[:, 0] - court.WIDTH / 2) / court.WIDTH
    for share in distinct(away).tolist():
        mine = away == share
        tween(
            world, new[mine], "Transform.position.y", homes[mine, 1], seconds=INTRO - _LATE / 2, delay=_LATE * share,
            easing="back_out",
        )  # fmt: skip


@system(
    Stage.UPDATE,
    reads=BrickHit,
    writes=(Match, Scenery, Ball, Brick, PowerUp, Transform, LifeLost, LevelCleared, MatchOver, Scenes),
    marks=True,
    run_if=IN_PLAY,
)
def keep_score(world: World, dt: float) -> None:
    """Handle lost lives, cleared levels and the end of the match."""
    match = world[Match]
    match.intro = max(0.0, match.intro - dt)
    if match.timer:
        match.timer = max(0.0, match.timer - dt)
    hits = world.events(BrickHit)
    if len(hits) and match.phase in (Phase.SERVE, Phase.PLAY) and not _left(world):
        _clear(world, match)
    elif match.phase is Phase.PLAY:
        if not len(world[Ball]):
            _lose_life(world, match)
    elif match.phase is Phase.CLEARED and not match.timer:
        _next_level(world, match)
    elif match.phase is Phase.OVER and not match.timer:
        world[Scenes].go("win" if match.lives > 0 else "lose")
    if match.score > match.best and not world[Pilot].active:
        match.best = match.score


def _left(world: World) -> bool:
    """Return True if a brick that can be broken is left."""
    bricks = world[Brick]
    return bool((~bricks.steel & (bricks.hits > 0)).any())


def _clear(world: World, match: Match) -> None:
    match.phase, match.timer = Phase.CLEARED, 1.8
    match.score += 100 * match.level
    world.emit(LevelCleared, level=match.level)
    for cls in (Ball, PowerUp):
        world.despawn(world.query(cls).entities)


def _lose_life(world: World, match: Match) -> None:
    match.lives -= 1
    match.wide = match.sticky = match.fire = 0.0
    world[Scenery].shake = 0.8
    world.emit(LifeLost, left=match.lives)
    world.despawn(world.query(PowerUp).entities)
    if match.lives > 0:
        serve(world)
        return
    match.phase, match.timer = Phase.OVER, 1.4
    world.emit(MatchOver, score=match.score, won=False)


def _next_level(world: World, match: Match) -> None:
    if match.level >= len(levels.LEVELS):
        match.phase, match.timer = Phase.OVER, 0.2
        match.score += LIFE_BONUS * match.lives
        world.emit(MatchOver, score=match.score, won=True)
        return
    match.level += 1
    world.despawn(world.query(Brick).entities)
    build_level(world)


@system(Stage.UPDATE, writes=(Match, Paused), always=True, run_if=IN_PLAY)
def tell_pause(world: World, dt: float) -> None:
    """Tell the sounds when a menu pauses the match, and when it goes on. This system also runs during a pause."""
    match, paused = world[Match], world[Layers].all_paused
    if match.paused != paused:
        match.paused = paused
        world.emit(Paused, on=paused)
