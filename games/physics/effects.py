"""Visual effects: sparks and flashes where bodies hit each other, rings of explosions, bars between bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, Transform, World, spawn_prefab, system
from rish_jit import maths
from rish_physics import Body, Collider, FellAsleep, Hit, JointBroke, WokeUp
from rish_render import Shape

from .components import Flash, Link, Ring, Spark, Visit
from .sounds import impacts

SPARKS = 120
_MAX = 5
"""The number of hits shown per tick; the hardest are chosen."""
_HARD = 900.0
"""The hit speed, in units/s, at which an outline becomes white."""
_RING_TIME = 0.45
_FALL = -700.0


def spawn_sparks(world: World) -> None:
    """Spawn the sparks of an exhibit, all unused."""
    spawn_prefab(world, "spark", n=SPARKS, at=(0.0, -900.0))


def ring(world: World, place: tuple[float, float], reach: float) -> None:
    """Spawn a ring that grows from a place."""
    spawn_prefab(world, "ring", Ring(reach=reach), at=place)


@system(Stage.POST, reads=(Hit, Collider, Body), writes=(Flash, Spark, Shape, Transform, Visit))
def strike(world: World, dt: float) -> None:
    """Flash the bodies that were hit, and throw sparks at the hardest hits."""
    hits = world.events(Hit)
    if not len(hits):
        return
    flash = world[Flash]
    for bodies in (hits.body_a, hits.body_b):
        rows = flash.rows_of(bodies)
        some = rows >= 0
        np.maximum.at(flash.heat, rows[some], np.minimum(hits.speed[some] / _HARD, 1).astype(np.float32))
    flash.mark()
    impacts(world, hits)
    for k in np.argsort(-hits.speed, kind="stable")[:_MAX].tolist():
        _throw(world, hits.point[k], float(hits.speed[k]))


def _throw(world: World, place: Any, speed: float) -> None:
    """Reuse some sparks, those that were thrown longest ago."""
    query, visit, luck = world.query(Spark, Transform, Shape), world[Visit], world.random("sparks")
    if not len(query):
        return
    count = int(min(3 + speed / 150, 9))
    which = (visit.spark + np.arange(count)) % len(query)
    visit.spark = (visit.spark + count) % len(query)
    angle, push = luck.uniform(0, maths.TAU, count), luck.uniform(0.1, 0.5, count) * min(speed, 700.0)
    spark, own = world[Spark], query.rows(Spark)[which]
    sin, cos = maths.sincos(np.asarray(angle))
    spark.velocity[own] = np.column_stack([cos * push, sin * push + 40])
    spark.age[own], spark.life[own] = 0, luck.uniform(0.2, 0.5, count)
    rows = query.rows(Transform)[which]
    places = world[Transform]
    places.position[rows] = places.last_position[rows] = place
    world[Shape].visible[query.rows(Shape)[which]] = True


@system(Stage.UPDATE, reads=Visit, writes=(Spark, Transform, Shape))
def fly_sparks(world: World, dt: float) -> None:
    """Move the sparks, fade them, and hide those whose life is over."""
    query = world.query(Spark, Transform, Shape)
    flying = np.flatnonzero(query[Spark.age] < query[Spark.life])
    if not len(flying):
        return
    spark, rows, places = world[Spark], query.rows(Spark)[flying], query.rows(Transform)[flying]
    spark.age[rows] += np.float32(dt)
    spark.velocity[rows, 1] += np.float32(_FALL * dt)
    world[Transform].position[places] += spark.velocity[rows] * np.float32(dt)
    left = 1 - spark.age[rows] / spark.life[rows]
    shapes = query.rows(Shape)[flying]
    world[Shape].opacity[shapes] = np.clip(left, 0, 1)
    world[Shape].visible[shapes] = left > 0


@system(Stage.UPDATE, writes=(Flash, Shape))
def cool(world: World, dt: float) -> None:
    """Fade the outlines back to their color."""
    query = world.query(Flash, Shape)
    hot = np.flatnonzero(query[Flash.heat] > 0)
    if not len(hot):
        return
    flash, rows = world[Flash], query.rows(Flash)[hot]
    heat = flash.heat[rows]
    world[Shape].outline[query.rows(Shape)[hot]] = flash.rest[rows] + (1 - flash.rest[rows]) * heat[:, None]
    flash.heat[rows] = np.where(heat > 0.02, heat * np.float32(0.88), 0)


@system(Stage.UPDATE, reads=(FellAsleep, WokeUp), writes=Shape)
def doze(world: World, dt: float) -> None:
    """Draw sleeping bodies darker."""
    for event, opacity in ((FellAsleep, 0.62), (WokeUp, 1.0)):
        told = world.events(event)
        if len(told):
            rows = world[Shape].rows_of(told.body)
            world[Shape].opacity[rows[rows >= 0]] = opacity


@system(Stage.UPDATE, writes=(Ring, Shape))
def widen(world: World, dt: float) -> None:
    """Grow and fade the rings, then remove them."""
    query = world.query(Ring, Shape)
    if not len(query):
        return
    age = query[Ring.age] + np.float32(dt)
    query[Ring.age] = age
    share = np.minimum(age / np.float32(_RING_TIME), 1)
    query[Shape.radius] = 8 + query[Ring.reach] * (1 - (1 - share) ** 2)
    query[Shape.opacity] = 1 - share
    world.despawn(query.entities[share >= 1])


@system(Stage.UPDATE, reads=JointBroke, writes=(Link, Transform, Shape))
def draw_links(world: World, dt: float) -> None:
    """Place each bar between its two points; remove the bars whose joint broke."""
    broken = world.events(JointBroke)
    query = world.query(Link, Transform, Shape)
    if not len(query):
        return
    if len(broken):
        world.despawn(query.entities[np.isin(query[Link.joint], broken.joint)])
    start = _points(world, query[Link.a], query[Link.anchor_a])
    end = _points(world, query[Link.b], query[Link.anchor_b])
    way = end - start
    query[Transform.position] = ((start + end) / 2).astype(np.float32)
    query[Transform.rotation] = np.asarray(maths.atan2(way[:, 1], way[:, 0]), np.float32)
    size = np.column_stack([maths.sqrt((way**2).sum(axis=1)), query[Link.width]])
    query[Shape.size] = size.astype(np.float32)


def _points(world: World, bodies: Any, anchors: Any) -> Any:
    """Return anchors of bodies, or of the world, as positions in the world, float64 (n, 2)."""
    places = world[Transform]
    rows = places.rows_of(bodies)
    held = rows >= 0
    sin, cos = maths.sincos(np.where(held, places.rotation[rows], 0).astype(np.float64))
    x, y = anchors[:, 0].astype(np.float64), anchors[:, 1].astype(np.float64)
    middle = np.where(held[:, None], places.position[rows], 0).astype(np.float64)
    return middle + np.column_stack([cos * x - sin * y, sin * x + cos * y])
