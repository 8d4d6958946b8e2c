"""Random scenes from a seed: all features of physics, in unusual combinations, in a closed box.

`play(seed)` plays one and returns its hash; it raises AssertionError with the seed, the tick and the problem. Called as
a program with seeds, it prints the hash of each, for the comparison of two processes.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from rish_core import App, Transform, parse_manifest, teleport
from rish_physics import (
    Body,
    Collider,
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
    apply_impulse,
    explode,
)
from rish_physics.components.tables import QUARANTINED, Bodies, Contacts, Joints, Shapes
from rish_physics.testing import LISTENER

HALF, WALL, DEEPEST, TICKS = 150.0, 400.0, 2.0, 90
"""Half the size of the box, the thickness of its walls and the greatest depth to which a body may be pressed into them,
in meters; and the number of ticks of a scene.
"""
TEXT = """
rish: 1
plugins: [physics]
settings: {physics: {units_per_meter: 1, gravity: [0, -10]}}
"""


class Scene:
    """One scene: `fill` makes it, `disturb` is called before each tick, `check` after it."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, np.random.default_rng(seed)
        self.app = App(parse_manifest(TEXT), headless=True, extra={"listener": LISTENER})
        self.world, self.bodies, self.movers = self.app.world, list[int](), list[int]()

    def fill(self) -> None:
        """Add the box, bodies of all shapes, kinematic movers and joints."""
        middle, length = HALF + WALL / 2, 2 * (HALF + WALL)
        for x, y, w, h in ((0, -middle, length, WALL), (0, middle, length, WALL), (-middle, 0, WALL, length),
                           (middle, 0, WALL, length)):  # fmt: skip
            self.world.spawn(Transform(position=(x, y)), Collider(size=(w, h)))
        for _ in range(self.random.integers(5, 40)):
            self.add_body()
        for _ in range(self.random.integers(0, 4)):
            place = self.random.uniform(-50, 50, 2)
            way = self.random.uniform(-30, 30, 2)
            self.movers.append(
                self.world.spawn(Transform(position=place), Body(type="kinematic", velocity=way), Collider(size=(4, 1)))
            )
        for _ in range(self.random.integers(0, 12)):
            self.add_joint()

    def add_body(self) -> None:
        """Add a dynamic body of any size from 0.01 to 100 m and a density over six orders of magnitude."""
        random = self.random
        size = float(10.0 ** random.uniform(-2, 2 if random.random() < 0.1 else 1))
        density, room = float(10.0 ** random.uniform(-3, 3)), HALF - size
        kind = random.choice(["box", "circle", "capsule", "polygon"])
        surface: dict[str, Any] = {
            "density": density, "friction": float(random.uniform(0, 1)), "restitution": float(random.uniform(0, 1)),
            "stay_events": bool(random.random() < 0.2), "hit_events": bool(random.random() < 0.2),
        }  # fmt: skip
        if kind == "circle":
            form = Collider(shape="circle", radius=size / 2, **surface)
        elif kind == "polygon":
            angles = np.sort(random.uniform(0, 2 * np.pi, 6))
            points = (np.stack([np.cos(angles), np.sin(angles)], axis=1) * size / 2).tolist()
            form = Collider(shape="polygon", points=points, **surface)
        else:
            form = Collider(shape=str(kind), size=(size, size * float(random.uniform(0.2, 1))), **surface)
        body = Body(
            velocity=random.normal(0, 10, 2), angular_velocity=float(random.normal(0, 5)),
            bullet=bool(random.random() < 0.2), fixed_rotation=bool(random.random() < 0.1),
        )  # fmt: skip
        place = Transform(position=random.uniform(-room, room, 2), rotation=float(random.uniform(-3, 3)))
        self.bodies.append(self.world.spawn(place, body, form))

    def add_joint(self) -> None:
        """Add a joint of any kind with random limits, motors and springs, even senseless ones."""
        random = self.random
        a, b = (int(handle) for handle in random.choice(self.bodies, 2, replace=False))
        ends: dict[str, Any] = {"a": a, "b": b}
        anchors = {"anchor_a": random.normal(0, 1, 2), "anchor_b": random.normal(0, 1, 2)}
        kind = int(random.integers(9))
        # Angles may have any limits. Lengths must fit into the box: no wall holds a body that a joint forces out.
        low = float(10.0 ** random.uniform(-1, 3 if kind == 0 else 1.5)) * float(random.choice([-1, 1]))
        limits: dict[str, Any] = {
            "limited": bool(random.random() < 0.5), "lower": low, "upper": low + float(random.exponential(10)),
            "motor": bool(random.random() < 0.5), "motor_speed": float(random.normal(0, 1e3)),
            "spring": bool(random.random() < 0.3), "hertz": float(10.0 ** random.uniform(-1, 3)),
            "damping": float(random.choice([0, 0.1, 1, 10])),
        }  # fmt: skip
        strong = float(10.0 ** random.uniform(0, 8))
        breaks = {"break_force": float(random.choice([0, 100, 1e5]))}
        soft = {"hertz": limits["hertz"], "damping": limits["damping"]}
        joints = [
            lambda: RevoluteJoint(**ends, **anchors, **limits, **breaks, max_torque=strong),
            lambda: DistanceJoint(**ends, **anchors, **{**limits, "lower": abs(low), "upper": abs(low) + 1}, **breaks,
                             max_force=strong, length=float(random.uniform(0, 20))),
            lambda: PrismaticJoint(**ends, **anchors, **limits, **breaks, max_force=strong),
            lambda: WeldJoint(**ends, **anchors, **soft, **breaks),
            lambda: WheelJoint(**ends, **anchors, **limits, **breaks, max_torque=strong),
            lambda: MotorJoint(**ends, max_force=strong, max_torque=strong, **soft),
            lambda: MouseJoint(b=b, target=random.uniform(-100, 100, 2), max_force=strong, **soft),
            lambda: GearJoint(**ends, ratio=float(random.choice([-1000, -1, 0.01, 1000]))),
            lambda: RatchetJoint(**ends, step=float(random.uniform(0, 1))),
        ]  # fmt: skip
        self.world.spawn(joints[kind]())

    def disturb(self) -> None:
        """Randomly spawn, despawn, teleport, push and explode."""
        random, world = self.random, self.world
        self.bodies = [handle for handle in self.bodies if world.alive(handle)]
        what = random.random(6)
        if what[0] < 0.1:
            self.add_body()
        if what[1] < 0.05 and len(self.bodies) > 3:
            world.despawn(self.bodies.pop(int(random.integers(len(self.bodies)))))
        if what[2] < 0.05:
            teleport(world, int(random.choice(self.bodies)), random.uniform(-40, 40, 2))
        if what[3] < 0.05:
            explode(
                world, random.uniform(-HALF, HALF, 2), float(random.uniform(1, 50)), float(10.0 ** random.uniform(0, 5))
            )
        if what[4] < 0.05:
            apply_impulse(world, int(random.choice(self.bodies)), random.normal(0, 1e3, 2))
        if what[5] < 0.1:
            self.add_joint()
        for mover in self.movers:
            view = world.get(mover, Body)
            if np.abs(world.get(mover, Transform).position).max() > 60:
                view.velocity = -np.asarray(world.get(mover, Transform).position) / 2

    def check(self, tick: int) -> None:
        """Assert that all numbers are finite, row 0 is zero, and no body is quarantined or has passed a wall.

        A body that is squeezed between a wall and a body of a million times its mass may be pressed into the wall
        briefly. Bodies with joints are not checked against the walls, because a joint of unlimited force may push them
        out.
        """
        here = f"seed {self.seed}, tick {tick}"
        for cls in (Bodies, Shapes, Contacts, Joints):
            table = self.world[cls]
            for name in table.schema.fields:
                column = table.column(name)
                assert column.dtype.kind != "f" or np.isfinite(column).all(), f"{here}: {cls.__name__}.{name}"
        bodies = self.world[Bodies]
        assert not bodies.state[0].any(), f"{here}: row 0 of Bodies moves"
        lost = bodies.entity[(bodies.flags & QUARANTINED) != 0].tolist()
        assert not lost, f"{here}: set aside: {lost}"
        moving, joints = self.world.query(Body, Transform), self.world[Joints]
        held = bodies.entity[np.unique(joints.pair[joints.entity != 0])]
        away = np.abs(moving[Transform.position]).max(axis=1) > HALF + DEEPEST
        away &= ~np.isin(moving.entities, held)
        assert not away.any(), f"{here}: in a wall: {moving.entities[away].tolist()}"


def play(seed: int) -> str:
    """Play a scene; return the hash of its end."""
    scene = Scene(seed)
    try:
        scene.app.border()
        scene.fill()
        for tick in range(TICKS):
            scene.disturb()
            scene.app.tick()
            scene.world.end_frame()
            scene.check(tick)
        return scene.world.hash()
    finally:
        scene.app.close()


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(play(int(number)))
