"""Rish's side of the benchmark `physics`: complete ticks of an App, with entities, columns, filters and events."""

from __future__ import annotations

from typing import Any

import numpy as np

import rish_physics as physics
from rish_core import App, Transform, World, parse_manifest
from rish_ecs import Each
from rish_physics import Body, Collider

from . import _physics_busy as busy
from . import _physics_rain as shower
from ._physics_scenes import (
    BOX,
    CAPSULE,
    CIRCLE,
    DISTANCE,
    DYNAMIC,
    HULL,
    PRISMATIC,
    REVOLUTE,
    SCENES,
    SUBSTEPS,
    WELD,
    WHEEL,
    Scene,
    hull_points,
    ray_field,
    rays,
)
from ._physics_task import WARM, stepping
from ._task import Task

_SCENES = SCENES | busy.BUSY
_SHAPES = {BOX: 0, CIRCLE: 1, CAPSULE: 2, HULL: 3}
"""The number of each kind of piece in Rish, in the order of `ColliderShape`."""
_JOINTS = {
    REVOLUTE: "RevoluteJoint",
    DISTANCE: "DistanceJoint",
    WELD: "WeldJoint",
    PRISMATIC: "PrismaticJoint",
    WHEEL: "WheelJoint",
}
_GIVEN: dict[int, dict[str, Any]] = {
    DISTANCE: {"length": 0.1},
    PRISMATIC: {"axis": (0, 1), "limited": True, "lower": -0.2, "upper": 0.2},
    WHEEL: {"axis": (0, 1), "spring": True, "hertz": 4.0, "damping": 0.7},
}
"""The fields that all joints of a kind share, as in the scenes of the other engines."""
_SETTLED = 240
"""The number of ticks after which every body that can sleep sleeps."""


def open_app(scene: Scene) -> tuple[App, Any]:
    """Return the scene as a running game that draws nothing, and the handles of its bodies."""
    app = _open(scene)
    return app, _fill(app.world, scene)


def _open(scene: Scene) -> App:
    sleep = str(scene.sleep).lower()
    manifest = parse_manifest(
        "rish: 1\nplugins: [physics]\nsettings:\n"
        f"  physics: {{gravity: [0, {scene.gravity}], units_per_meter: 1, sleeping: {sleep}, substeps: {SUBSTEPS}}}\n"
        "scenes: {main: []}\n"
    )
    return App(manifest, headless=True, policy="raise")


def _fill(world: World, scene: Scene) -> Any:
    bodies, pieces = scene.table("bodies"), scene.table("pieces")
    owner = pieces[:, 0].astype(np.int64)
    _, first = np.unique(owner, return_index=True)
    others = np.setdiff1d(np.arange(len(pieces)), first)
    assert len(first) == len(bodies)
    velocity = np.zeros((len(bodies), 2))
    velocity[0, 0] = scene.thrown[0]
    for body, speed in scene.speeds.items():
        velocity[body] = speed
    handles = world.spawn_many(
        len(bodies),
        Transform(position=bodies[:, :2], rotation=bodies[:, 2]),
        Body(
            type=bodies[:, 3].astype(np.uint8),
            velocity=velocity,
            angular_velocity=bodies[:, 4],
            bullet=scene.bullets & (bodies[:, 3] == DYNAMIC),
        ),
        _collider(scene, pieces[first]),
    )
    if len(others):
        world.spawn_many(len(others), Transform(parent=handles[owner[others]]), _collider(scene, pieces[others]))
    _join(world, scene, handles)
    return handles


def _collider(scene: Scene, pieces: Any) -> Collider:
    kind, p, q = pieces[:, 1], pieces[:, 2], pieces[:, 3]
    shape = np.vectorize(_SHAPES.__getitem__)(kind).astype(np.uint8)
    width = np.where(kind == CAPSULE, 2 * (p + q), 2 * p)
    height = np.where(kind == CIRCLE, 2 * p, 2 * q)
    body, bouncing = pieces[:, 0], len(scene.bodies) - scene.bouncing
    hulls = {"points": Each([hull_points(each[2], int(each[3])) if each[1] == HULL else [] for each in pieces])}
    return Collider(
        shape=shape,
        size=np.column_stack([width, height]),
        offset=pieces[:, 4:6],
        rotation=pieces[:, 6],
        density=np.where(body == 0, scene.thrown[1], 1.0),
        restitution=np.where(body >= bouncing, 1.0, scene.restitution),
        friction=scene.friction,
        sensor=(body > 0) & (body <= scene.sensors),
        rolling_resistance=scene.rolling,
        **({} if scene.collide else {"mask": 0}),
        **(hulls if (kind == HULL).any() else {}),
    )


def _join(world: World, scene: Scene, handles: Any) -> None:
    joints = scene.table("joints")
    if not len(joints):
        return
    kinds = joints[:, 0].astype(int)
    ends = handles[joints[:, 1:3].astype(np.int64)]
    for kind in np.unique(kinds).tolist():
        chosen = kinds == kind
        joint = getattr(physics, _JOINTS[kind])
        extra: dict[str, Any] = dict(_GIVEN.get(kind, {}))
        if kind == REVOLUTE and scene.motor[1]:
            extra = {"motor": True, "motor_speed": scene.motor[0], "max_torque": scene.motor[1]}
        world.spawn_many(
            int(chosen.sum()),
            joint(
                a=ends[chosen, 0],
                b=ends[chosen, 1],
                anchor_a=joints[chosen, 3:5],
                anchor_b=joints[chosen, 5:7],
                **extra,
            ),
        )


def _task(name: str) -> Task:
    scene = _SCENES[name]()
    app, bodies = open_app(scene)
    pushed, blade, world = scene.pushed, int(bodies[0]), app.world

    def push() -> None:
        assert pushed is not None
        world.set(blade, Body(velocity=pushed(world.tick)))
        app.tick()

    return stepping(app.tick if pushed is None else push, app.close, warm=_SETTLED if scene.sleep else WARM)


def coming() -> Task:
    """Boxes that come and go, by one call each."""
    app, _ = open_app(busy.coming())
    world, alive = app.world, list[int]()
    count = 0

    def step() -> None:
        nonlocal count
        for _ in range(busy.COMING):
            if len(alive) == busy.ALIVE:
                world.despawn(alive.pop(0))
            alive.append(world.spawn(Transform(position=busy.place(count)), Body(), Collider(size=(1, 1))))
            count += 1
        app.tick()

    return stepping(step, app.close, warm=busy.ALIVE // busy.COMING + WARM)


def onebody() -> Task:
    """One box at rest, awake."""
    app, _ = open_app(SCENES["onebody"]())
    return Task(app.tick, after=app.close)


def __getattr__(name: str) -> Any:
    if name in _SCENES:
        return lambda: _task(name)
    raise AttributeError(name)


def raycasts() -> Task:
    """Cast ten thousand rays in one call."""
    app, _ = open_app(ray_field())
    app.tick()
    lines = rays()
    start, end = lines[:, :2].astype(np.float32), (lines[:, :2] + lines[:, 2:]).astype(np.float32)
    return Task(lambda: physics.ray_cast(app.world, start, end), after=app.close)


def rain() -> Task:
    """Ragdolls that are spawned during play, by columns: three calls for twenty-five of them."""
    app = _open(Scene())
    world = app.world
    tiles = shower.floor_tiles()
    ground = world.spawn(Transform(), Body(type="static"))
    places = Transform(parent=ground, position=tiles)
    world.spawn_many(len(tiles), places, Collider(shape="box", size=(shower.TILE, shower.TILE)))
    born: list[Any] = []
    count = 0

    def step() -> None:
        nonlocal count
        if count % shower.EVERY == 0:
            if len(born) == shower.COLUMNS:
                world.despawn(born.pop(0))
            born.append(_ragdolls(world, shower.column(count // shower.EVERY), count // shower.EVERY))
        count += 1
        app.tick()

    return stepping(step, app.close, warm=shower.EVERY * (shower.COLUMNS + 2), chunk=shower.EVERY)


def _ragdolls(world: World, places: Any, number: int) -> Any:
    """Spawn a ragdoll at each place; return the handles of their bodies, feet and joints. number: of the column."""
    bones, many = np.array(shower.BONES), len(places)
    at = (places[:, None] + bones[None, :, :2]).reshape(-1, 2)
    half, radius = np.tile(bones[:, 2], many), np.tile(bones[:, 3], many)
    group = np.repeat(-(number * many + np.arange(many) + 1), len(bones)).astype(np.int32)
    handles = world.spawn_many(
        len(at),
        Transform(position=at),
        Body(),
        Collider(shape="capsule", size=np.column_stack([2 * radius, 2 * (half + radius)]), density=1.0, group=group),
    )
    each = handles.reshape(many, len(bones))
    feet = each[:, shower.SHINS].reshape(-1)
    shoes = world.spawn_many(
        len(feet),
        Transform(parent=feet),
        Collider(
            shape="polygon", points=shower.FOOT, radius=shower.FOOT_RADIUS, density=1.0,
            group=group.reshape(many, -1)[:, shower.SHINS].reshape(-1),
        ),
    )  # fmt: skip
    below = np.arange(1, len(bones))
    above = bones[below, 4].astype(int)
    joint = np.column_stack([np.zeros(len(below)), bones[below, 5]])
    ends = [np.tile(joint - bones[which, :2], (many, 1)) for which in (above, below)]
    held = world.spawn_many(
        many * len(below),
        physics.RevoluteJoint(
            a=each[:, above].reshape(-1), b=each[:, below].reshape(-1),
            anchor_a=ends[0], anchor_b=ends[1],
            limited=True, lower=np.tile(bones[below, 6], many), upper=np.tile(bones[below, 7], many),
            spring=True, hertz=shower.SPRING_HERTZ, damping=shower.SPRING_DAMPING,
            motor=True, max_torque=shower.FRICTION_TORQUE,
        ),
    )  # fmt: skip
    return np.concatenate([handles, shoes, held])
