"""Small calm worlds from a seed: all kinds of shapes, bodies, joints, areas and sensors in a closed arena.

`make(seed)` fills the one World of this process, which is restored to its empty state before, and returns it with its
App. Everything later is found in the World itself (`Cast`), so that a snapshot is all that a relation needs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rish_core import App, Transform, World, parse_manifest, publish_edges
from rish_physics import (
    Body,
    Character,
    Collider,
    DistanceJoint,
    GearJoint,
    GravityPoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WaterArea,
    WeldJoint,
    WheelJoint,
    WindArea,
)
from rish_physics.testing import LISTENER

Random = np.random.Generator
JOINTS = (
    RevoluteJoint, DistanceJoint, PrismaticJoint, WeldJoint, WheelJoint, MotorJoint, MouseJoint, GearJoint, RatchetJoint
)  # fmt: skip
AREAS = (WindArea, WaterArea, GravityPoint)
HALF, TOP, WALL = 420.0, 480.0, 64.0
"""Half the width of the arena, its height, and the thickness of its walls, units. Its floor is at y = 0."""
ZONES, PROPS, GHOSTS = "zones", "props", "ghosts"
"""Sensors are in the layer `zones`, which does not list itself: sensors do not meet. Ghosts do not meet props."""
TEXT = """
rish: 1
plugins: [physics]
settings:
  physics:
    sleep_time: 0.1
    layers: {props: [default, props, zones], ghosts: [default, zones], zones: [default, props, ghosts]}
"""


@cache
def shared() -> tuple[App, Any]:
    """Return the App of this process and the snapshot of its empty World."""
    app = App(parse_manifest(TEXT), headless=True, policy="raise", extra={"listener": LISTENER})
    app.border()
    return app, app.world.snapshot()


def make(seed: int) -> App:
    """Return the App with the World of a seed, before its first tick."""
    app, empty = shared()
    app.world.end_frame()
    app.world.restore(empty)
    Builder(app.world, np.random.default_rng(seed)).fill()
    return app


def tick(app: App) -> None:
    """Run one tick; its events can be read until the next call, with `world.bus.of_frame`."""
    app.world.end_frame()
    app.tick()


class Builder:
    """Fills a World with random parts."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        self.bodies: list[tuple[int, float, float]] = []
        """Dynamic bodies with the positions where they were put."""

    def fill(self) -> None:
        """Add the arena, columns of resting bodies, and a few of everything else."""
        random = self.random
        self.add_arena()
        step = float(random.choice([46, 60, 80]))
        room = int(2 * (HALF - 60) / step)
        places = random.permutation(room)[: random.integers(2, 7)]
        for place in np.sort(places).tolist():
            self.add_column(-HALF + 60 + step * place)
        for add, most in (
            (self.add_sensor, 4), (self.add_obstacle, 3), (self.add_kinematic, 3), (self.add_joint, 3)
        ):  # fmt: skip
            for _ in range(random.integers(0, most + 1)):
                add()
        if self.chance(0.4):
            self.add_area()
        if self.chance(0.15):
            self.add_character()

    def chance(self, share: float) -> bool:
        """Return True in a share of the calls."""
        return bool(self.random.random() < share)

    def add_arena(self) -> None:
        """Add walls and a ceiling, and a floor of a box, a chain, or edges."""
        world, thick = self.world, WALL / 2
        for x, y, w, h in (
            (-HALF - thick, TOP / 2, WALL, TOP + 4 * WALL), (HALF + thick, TOP / 2, WALL, TOP + 4 * WALL),
            (0, TOP + thick, 2 * HALF, WALL),
        ):  # fmt: skip
            world.spawn(Transform(position=(x, y)), Collider(size=(w, h)))
        kind = self.random.choice(["box", "chain", "edges"], p=[0.7, 0.2, 0.1])
        if kind == "box":
            world.spawn(Transform(position=(0, -thick)), Collider(size=(2 * HALF, WALL), friction=0.8))
        elif kind == "chain":
            points: Any = [(HALF + 20, 0), (100, 0), (-90, 0), (-HALF - 20, 0)]
            world.spawn(Transform(), Collider(shape="chain", points=points, friction=0.8))
        else:
            x = np.array([HALF + 20, 90, -100, -HALF - 20], np.float32)
            publish_edges(world, "tiles", x0=x[:-1], y0=0.0, x1=x[1:], y1=0.0)

    def add_column(self, x: float) -> None:
        """Add one to three bodies on one another."""
        y = 0.0
        for _ in range(self.random.integers(1, 4)):
            form, half = self.form()
            y += half + 0.3
            self.add_body(x, y, form)
            y += half

    def add_body(self, x: float, y: float, form: Any) -> int:
        """Add a dynamic body, perhaps with a second collider on a child entity."""
        random, world = self.random, self.world
        body = Body(
            bullet=self.chance(0.1), fixed_rotation=self.chance(0.1), linear_damping=float(random.choice([0, 0, 0.5])),
            angular_damping=1.0, gravity_scale=float(random.choice([1, 1, 1, 0.5])),
            mass=float(random.choice([0, 0, 0, 2])),
        )  # fmt: skip
        entity = world.spawn(Transform(position=(x, y)), body, form)
        if self.chance(0.15):
            below = Transform(position=(float(random.uniform(-8, 8)), 6), parent=entity)
            world.spawn(below, Collider(size=(16, 16), density=0.1, **self.surface()))
        elif self.chance(0.12):
            below = Transform(position=(float(random.uniform(-20, 20)), 4), parent=entity)
            world.spawn(below, Collider(sensor=True, collision_layer=ZONES, **self.zone(), **self.events()))
        self.bodies.append((entity, x, y))
        return entity

    def events(self) -> dict[str, Any]:
        """Return which events a collider requests."""
        return {
            "stay_events": self.chance(0.2), "hit_events": self.chance(0.3), "contact_events": self.chance(0.85)
        }  # fmt: skip

    def surface(self) -> dict[str, Any]:
        """Return the surface, the filter and the events of a solid collider."""
        random = self.random
        return {
            "friction": float(random.choice([0.6, 0.6, 1.0, 0.3])), "rolling_resistance": 0.5,
            "restitution": float(random.choice([0, 0, 0, 0.3])),
            "collision_layer": str(random.choice(["", "", "", PROPS, GHOSTS])),
            "group": int(random.choice([0, 0, 0, 0, 0, 0, -7])), **self.events(),
        }  # fmt: skip

    def form(self) -> tuple[Any, float]:
        """Return the Collider of a solid body and half its height, units."""
        random, surface = self.random, self.surface()
        w, h = (float(v) for v in random.uniform(16, 44, 2))
        if w < 0.8 * h:
            w, h = h, w
        kind = int(random.integers(8))
        if kind <= 1:
            return Collider(size=(w, h), **surface), h / 2
        if kind == 2:
            return Collider(shape="circle", radius=h / 2, **surface), h / 2
        if kind == 3:
            return Collider(shape="capsule", size=(w, 0.6 * h), **surface), 0.3 * h
        if kind == 4:
            points: Any = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 3, h / 2), (-w / 3, h / 2)]
            return Collider(shape="polygon", points=points, **surface), h / 2
        if kind == 5:
            points = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2 - 6), (0, h / 2 - 2), (-w / 2, h / 2 - 6)]
            return Collider(shape="polygon", points=points, radius=2, **surface), h / 2 + 2
        if kind == 6:
            return Collider(shape="outline", points=outline(w, h, bool(random.integers(2))), **surface), h / 2
        if self.chance(0.5):
            return Collider(size=(w - 6, h - 6), radius=3, **surface), h / 2
        points = [(-w / 2, 0), (w / 2, 0)]
        return Collider(shape="segment", points=points, radius=4, density=4, **surface), 4.0

    def zone(self) -> dict[str, Any]:
        """Return the form of a sensor."""
        random = self.random
        w, h = (float(v) for v in random.uniform(20, 130, 2))
        kind = int(random.integers(6))
        forms: list[dict[str, Any]] = [
            {"size": (w, h)}, {"shape": "circle", "radius": w / 2}, {"shape": "capsule", "size": (w, h)},
            {"shape": "polygon", "points": [(-w / 2, -h / 2), (w / 2, -h / 2), (0, h / 2)], "radius": 2},
            {"shape": "outline", "points": outline(w, h, False)},
            {"shape": "segment", "points": [(-w / 2, 0), (w / 2, h / 4)]},
        ]  # fmt: skip
        return forms[kind]

    def add_sensor(self) -> int:
        """Add a sensor without a Body, or with a static, kinematic or floating dynamic one."""
        random = self.random
        place = Transform(
            position=(float(random.uniform(-HALF, HALF)), float(random.uniform(0, 120))),
            rotation=float(random.choice([0.0, random.uniform(-2, 2)])),
        )  # fmt: skip
        zone = Collider(sensor=True, collision_layer=ZONES, **self.zone(), **self.events())
        kind = int(random.integers(4))
        if kind == 0:
            return self.world.spawn(place, zone)
        if kind == 1:
            return self.world.spawn(place, Body(type="static"), zone)
        if kind == 2:
            return self.world.spawn(place, Body(type="kinematic", velocity=self.slow()), zone)
        return self.world.spawn(place, Body(mass=1, gravity_scale=0, velocity=self.slow()), zone)

    def slow(self) -> tuple[float, float]:
        """Return a velocity, which is 0 in half of the cases."""
        return (0.0, 0.0) if self.chance(0.5) else (float(self.random.uniform(-80, 80)), 0.0)

    def add_obstacle(self) -> int:
        """Add a static collider: a step, a slope, a chain that is closed, or a one-way platform."""
        random = self.random
        x, kind = float(random.uniform(-HALF, HALF)), int(random.integers(4))
        if kind == 0:
            return self.world.spawn(Transform(position=(x, 8)), Collider(size=(60, 16), **self.events()))
        if kind == 1:
            points: Any = [(0, 0), (70, 0), (0, 20)]
            return self.world.spawn(Transform(position=(x, 0)), Collider(shape="polygon", points=points))
        if kind == 2:
            points = [(-40, 0), (40, 0), (30, 24), (-30, 24)]
            return self.world.spawn(Transform(position=(x, 90)), Collider(shape="chain", points=points, closed=True))
        return self.world.spawn(
            Transform(position=(x, 60)), Collider(size=(90, 8), one_way=(0, 1), **self.events())
        )  # fmt: skip

    def add_kinematic(self) -> int:
        """Add a kinematic body, still or slow, sometimes with a sensor on a child."""
        random = self.random
        place = Transform(position=(float(random.uniform(-HALF, HALF)), float(random.uniform(4, 160))))
        body = Body(
            type="kinematic", velocity=self.slow(), angular_velocity=float(random.choice([0, 0, 0, 1]))
        )  # fmt: skip
        entity = self.world.spawn(place, body, self.form()[0])
        if self.chance(0.3):
            below = Transform(position=(0, 20), parent=entity)
            self.world.spawn(below, Collider(sensor=True, collision_layer=ZONES, **self.zone()))
        return entity

    def add_character(self) -> int:
        """Add a character that walks or stands."""
        random = self.random
        way = (float(random.choice([0, -60, 60])), -100.0)
        return self.world.spawn(
            Transform(position=(float(random.uniform(-HALF + 40, HALF - 40)), 30)), Body(type="kinematic"),
            Character(velocity=way), Collider(shape="capsule", size=(14, 40), **self.events()),
        )  # fmt: skip

    def add_area(self) -> int:
        """Add an area that is too weak to keep resting bodies awake."""
        random = self.random
        place = Transform(position=(float(random.uniform(-HALF, HALF)), float(random.uniform(0, 100))))
        kind = int(random.integers(3))
        size = (float(random.uniform(60, 300)), float(random.uniform(40, 160)))
        if kind == 0:
            return self.world.spawn(place, WindArea(size=size, velocity=(float(random.uniform(-60, 60)), 0)))
        if kind == 1:
            return self.world.spawn(place, WaterArea(size=size, density=float(random.choice([0.2, 2]))))
        return self.world.spawn(place, GravityPoint(strength=float(random.uniform(-60, 60)), reach=200))

    def add_joint(self) -> int | None:
        """Add a joint of any kind between two neighbors, or between a body and the world."""
        if len(self.bodies) < 2:
            return None
        at = int(self.random.integers(len(self.bodies) - 1))
        (a, ax, ay), (b, bx, by) = self.bodies[at], self.bodies[at + 1]
        return self.world.spawn(joint_of(self.random, a, b, (bx - ax, by - ay), (bx, by)))


def joint_of(random: Random, a: int, b: int, way: Any, at: Any) -> Any:
    """Return a joint that holds two bodies where they are. way: from a to b in the frame of a. at: position of b."""
    ends: dict[str, Any] = {"a": a, "b": b, "collide_connected": bool(random.random() < 0.4)}
    held = {**ends, "anchor_a": way}
    kind = JOINTS[int(random.integers(len(JOINTS)))]
    if kind is DistanceJoint:
        return DistanceJoint(**ends, limited=True, lower=0.0, upper=float(np.hypot(*way)) + 10)
    if kind is MotorJoint:
        return MotorJoint(**ends, offset=way, max_force=float(random.choice([-1, 1e4])))
    if kind is MouseJoint:
        return MouseJoint(b=b, target=at, max_force=float(random.choice([1e3, 1e5])))
    if kind is GearJoint:
        return GearJoint(**ends, ratio=float(random.choice([-1, 2])))
    if kind is RatchetJoint:
        return RatchetJoint(**ends)
    if kind is WheelJoint:
        return WheelJoint(**held, spring=True, hertz=4.0)
    if kind is WeldJoint:
        return WeldJoint(**held, hertz=float(random.choice([0, 5])))
    return kind(**held, limited=bool(random.random() < 0.5), lower=-0.5, upper=0.5)


def outline(w: float, h: float, hollow: bool) -> Any:
    """Return the points of a U, or of an L, with a flat lower side, about its middle."""
    x, y = w / 2, h / 2
    if hollow:
        return [(-x, -y), (x, -y), (x, y), (x / 2, y), (x / 2, 0), (-x / 2, 0), (-x / 2, y), (-x, y)]
    return [(-x, -y), (x, -y), (x, 0), (0, 0), (0, y), (-x, y)]


class Cast:
    """The entities of a World by their role, each int64 in ascending order, so that equal Worlds give equal casts.

    sleepers: the dynamic bodies that sleep. solids: colliders that are no sensors. ground: colliders without a Body on
    their entity.
    """

    def __init__(self, world: World) -> None:
        bodies = world.query(Body, Transform)
        kinds = bodies[Body.type]
        self.static, self.kinematic, self.dynamic = (np.sort(bodies.entities[kinds == k]) for k in range(3))
        self.sleepers = np.sort(bodies.entities[(kinds == 2) & bodies[Body.asleep]])
        colliders = world.query(Collider, Transform)
        sensor = colliders[Collider.sensor]
        self.colliders, self.sensors = np.sort(colliders.entities), np.sort(colliders.entities[sensor])
        self.solids = np.sort(colliders.entities[~sensor])
        self.ground = np.sort(world.query(Collider, Transform, without=(Body,)).entities)
        self.joints = np.sort(np.concatenate([world.query(cls).entities for cls in JOINTS]))
        self.areas = np.sort(np.concatenate([world.query(cls).entities for cls in AREAS]))
        self.characters = np.sort(world.query(Character).entities)
