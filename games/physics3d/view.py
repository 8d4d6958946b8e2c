"""What is drawn from the bodies: the camera that circles around them, their colors, and the bars between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Input, Stage, World, system
from rish_frame import Frame
from rish_jit import Array, maths
from rish_physics3d import FellAsleep3D, JointBroke3D, WokeUp3D
from rish_scene3d import Camera3D, Model3D
from rish_space3d import SpaceView, Transform3D, camera_rays, quaternions

from .components import Hand, Link, Orbit, Paint, Pilot, Visit

_TURN, _SPIN, _DRIFT = 0.006, 1.5, 0.03
"""How far the camera turns for each pixel of the pointer, in rad, by keys and during the tour, in rad/s."""
_ZOOM, _PITCHES, _DISTANCES = 0.9, (0.02, 1.5), (2.0, 80.0)
_FOLLOWS = 0.08
"""The share of the way to its goal that a following camera moves in a tick."""
_DOZES = 0.55
"""The brightness of sleeping bodies."""
_UPRIGHT = quaternions.from_axis((1, 0, 0), -maths.PI / 2)
"""Turns a cylinder from y to the direction that `look_rotation` turns to."""


def eye(world: World) -> int:
    """Return the entity of the camera."""
    return int(world.query(Orbit).entities[0])


def pointer_ray(world: World) -> tuple[Array, Array]:
    """Return the origin and the direction, float32 (3,), of the ray through the pointer."""
    camera = eye(world)
    pose, lens = world.get(camera, Transform3D), world.get(camera, Camera3D)
    position, rotation = (tuple(np.asarray(part, np.float64).tolist()) for part in (pose.position, pose.rotation))
    wide, high = world[Frame].logical
    view = SpaceView(position, rotation, fov=float(lens.fov), near=float(lens.near), far=float(lens.far))
    origins, ways = camera_rays(view.projection(wide / high) @ view.view, world[Input].pointer, (wide, high))
    return origins[0], ways[0]


@system(Stage.PRE, reads=(Input, Hand, Pilot, Visit), writes=(Orbit, Transform3D), before="game.grab")
def circle(world: World, dt: float) -> None:
    """Turn the camera by the pointer and by keys, and let it follow."""
    keys, camera = world[Input], eye(world)
    orbit = world.get(camera, Orbit)
    held = keys.down("turn") or (keys.down("grab") and not len(world.query(Hand)) and not keys.pressed("grab"))
    yaw, pitch, distance = float(orbit.yaw), float(orbit.pitch), float(orbit.distance)
    yaw += keys.axis("turn_right", "turn_left") * _SPIN * dt
    if held:
        yaw, pitch = yaw - _TURN * keys.moved_x, pitch - _TURN * keys.moved_y
    if world[Pilot].active:
        yaw += _DRIFT * dt
    pitch, distance = np.clip(pitch, *_PITCHES), np.clip(distance * _ZOOM**keys.scroll_y, *_DISTANCES)
    goal = np.asarray(orbit.target, np.float64)
    if orbit.follow and world.alive(int(orbit.follow)):
        body = np.asarray(world.get(int(orbit.follow), Transform3D).position, np.float64)
        goal += _FOLLOWS * (body - goal)
    rotation = quaternions.product(quaternions.from_axis((0, 1, 0), yaw), quaternions.from_axis((1, 0, 0), -pitch))
    place = goal + quaternions.turned(rotation, (0.0, 0.0, distance))
    world.set(
        camera, Orbit(yaw=yaw, pitch=pitch, distance=distance, target=goal),
        Transform3D(position=place, rotation=rotation),
    )  # fmt: skip


@system(Stage.UPDATE, reads=(FellAsleep3D, WokeUp3D, Paint), writes=Model3D)
def doze(world: World, dt: float) -> None:
    """Draw sleeping bodies darker."""
    for event, brightness in ((FellAsleep3D, _DOZES), (WokeUp3D, 1.0)):
        told = world.events(event)
        if len(told):
            paint, models = world[Paint], world[Model3D]
            rows, drawn = paint.rows_of(told.body), models.rows_of(told.body)
            some = (rows >= 0) & (drawn >= 0)
            models.tint[drawn[some]] = paint.color[rows[some]] * np.float32((*(brightness,) * 3, 1))
            models.mark()


def brighten(world: World) -> None:
    """Draw all bodies as awake: a provider without sleep tells of none that woke."""
    query = world.query(Paint, Model3D)
    query[Model3D.tint] = query[Paint.color]


@system(Stage.UPDATE, reads=JointBroke3D, writes=(Link, Transform3D))
def draw_links(world: World, dt: float) -> None:
    """Place each bar between its two points; remove the bars whose joint broke."""
    broken = world.events(JointBroke3D)
    query = world.query(Link, Transform3D)
    if len(broken) and len(query):
        world.despawn(query.entities[np.isin(query[Link.joint], broken.joint)])
    if len(query):
        place_links(world)


def place_links(world: World) -> None:
    """Place each bar between its two points."""
    query = world.query(Link, Transform3D)
    start = _points(world, query[Link.a], query[Link.anchor_a])
    end = _points(world, query[Link.b], query[Link.anchor_b])
    way = end - start
    length, width = maths.sqrt((way**2).sum(axis=1)), query[Link.width]
    query[Transform3D.position] = ((start + end) / 2).astype(np.float32)
    query[Transform3D.rotation] = quaternions.product(quaternions.look_rotation(way), _UPRIGHT).astype(np.float32)
    query[Transform3D.scale] = np.column_stack([width, length, width]).astype(np.float32)


def _points(world: World, bodies: Any, anchors: Any) -> Any:
    """Return anchors of bodies, or of the world, as places, float64 (n, 3)."""
    poses = world[Transform3D]
    rows = poses.rows_of(bodies)
    held = (rows >= 0)[:, None]
    turn = np.where(held, poses.rotation[rows], [0, 0, 0, 1]).astype(np.float64)
    return np.where(held, poses.position[rows], 0).astype(np.float64) + quaternions.turned(turn, anchors)
