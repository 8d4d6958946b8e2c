"""Visual effects: flares, the tail of a ball, rising numbers, a shaking camera and gamepads that rumble.

The particles of hits are in the manifest, because the game runs without the plugin `particles`, too.
"""

from __future__ import annotations

import numpy as np

from rish_animation import Tweens, tween
from rish_core import Stage, Transform, World, in_scene, spawn_prefab, system
from rish_frame import DeviceRequests
from rish_render import Camera, Shape, Text

from . import court
from .components import (
    Ball,
    BallBounced,
    BrickHit,
    Effect,
    Ghost,
    Glow,
    LifeLost,
    Match,
    Paddle,
    Popup,
    PowerTaken,
    Scenery,
)
from .eye_kernels import Rows, drag

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
_RISE, _FADES = 36.0, 0.8
"""How far a popup rises, in units, and the seconds until it is invisible."""
_KEEP = 0.86
_FIERY, _CALM = (1.0, 0.55, 0.15, 1.0), (0.96, 0.97, 1.0, 1.0)


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
    Stage.UPDATE,
    reads=(BrickHit, PowerTaken),
    writes=(Transform, Text, Scenery, Tweens),
    marks=True,
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


def _show(world: World, words: str, x: float, y: float) -> None:
    popups, scenery = world.query(Popup, Text).entities, world[Scenery]
    if len(popups):
        scenery.popup = (scenery.popup + 1) % len(popups)
        popup = int(popups[scenery.popup])
        world.set(popup, Text(text=words, opacity=1), Transform(position=(x, y)))
        tween(world, popup, "Transform.position.y", by=_RISE, seconds=_FADES, easing="quad_out")
        tween(world, popup, "Text.opacity", 0, seconds=_FADES, easing="cubic_in")


@system(
    Stage.UPDATE,
    reads=(BrickHit, BallBounced, Paddle),
    writes=(Glow, Shape, Transform, Tweens),
    marks=True,
    run_if=IN_PLAY,
)
def flare(world: World, dt: float) -> None:
    """Make shapes that were touched light up and fade back; the ball squashes the paddle."""
    hits, bounces = world.events(BrickHit), world.events(BallBounced)
    glow = world[Glow]
    if len(hits):
        rows = glow.rows_of(hits.brick)
        glow.heat[rows[rows >= 0]] = 1
    if len(bounces) and (bounces.what == world.intern("paddle")).any():
        paddles = world[Paddle].entities
        rows = glow.rows_of(paddles)
        glow.heat[rows[rows >= 0]] = 1
        world.set(paddles, Transform(scale=(1.08, 0.6)))
        tween(world, paddles, "Transform.scale", (1, 1), seconds=0.5, easing="elastic_out")
    if glow.heat.any():
        query = world.query(Glow, Shape)
        warm = glow.heat[query.rows(Glow)] > 0
        _cool(world, query.rows(Glow)[warm], query.rows(Shape)[warm])
        glow.mark()
        world[Shape].mark()


def _cool(world: World, rows: Rows, shapes: Rows) -> None:
    """Reduce the heat of these rows of Glow to a part, and blend the color of their shapes between `rest` and `hot`."""
    glow = world[Glow]
    heat = glow.heat[rows].astype(np.float64) * _KEEP
    heat[heat < 0.01] = 0.0
    glow.heat[rows] = heat
    world[Shape].color[shapes] = glow.rest[rows] * (1.0 - heat[:, None]) + glow.hot[rows] * heat[:, None]


@system(Stage.UPDATE, reads=Ball, writes=(Transform, Ghost), run_if=IN_PLAY)
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


@system(
    Stage.UPDATE,
    reads=(Paddle, Ball, Match),
    writes=(Shape, Scenery, Transform),
    marks=True,
    run_if=IN_PLAY,
)
def dress(world: World, dt: float) -> None:
    """Update the width of the paddle's shape, the color of fire balls and the shake of the camera."""
    match, scenery, shapes = world[Match], world[Scenery], world[Shape]
    paddles = world.query(Paddle, Shape)
    for paddle, shape in zip(paddles.rows(Paddle).tolist(), paddles.rows(Shape).tolist(), strict=True):
        width = world[Paddle].width.item(paddle)
        if shapes.size.item(shape, 0) != width:
            shapes.size[shape, 0] = width
            shapes.mark(shape)
    if match.fire or scenery.fiery:
        scenery.fiery = match.fire > 0
        rows = world.query(Ball, Shape).rows(Shape)
        shapes.color[rows] = _FIERY if scenery.fiery else _CALM
        shapes.mark(rows)
    if scenery.shake:
        scenery.shake = max(0.0, scenery.shake - 2.2 * dt)
        offset = world.random("shake").uniform(-7, 7, 2) * (scenery.shake * scenery.shake)
        rows = world.query(Camera, Transform).rows(Transform)
        world[Transform].position[rows] = (court.WIDTH / 2 + offset[0], court.HEIGHT / 2 + offset[1])
        world[Transform].mark(rows)


@system(Stage.UPDATE, reads=(BrickHit, BallBounced, LifeLost), writes=DeviceRequests, run_if=IN_PLAY)
def rumble(world: World, dt: float) -> None:
    """Shake the gamepad: a little at the paddle, more if bricks break, and long if a life is lost."""
    hits, bounces = world.events(BrickHit), world.events(BallBounced)
    if len(world.events(LifeLost)):
        world[DeviceRequests].rumble(1, 0.9, 0.6, 0.5)
    elif len(hits) and hits.broken.any():
        world[DeviceRequests].rumble(1, 0.15, 0.15 + 0.05 * min(len(hits), 8), 0.09)
    elif len(bounces) and (bounces.what == world.intern("paddle")).any():
        world[DeviceRequests].rumble(1, 0.0, 0.15, 0.06)
