"""Scenes of the benchmark `physics` that are busy in one way: hulls, sensors, fast balls, moved containers, few awake
bodies among many, and bodies that come and go.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ._physics_scenes import CAPSULE, DT, HULL, KINEMATIC, STATIC, Scene, asleep5k

COMING, ALIVE = 4, 400
"""In `coming`, the bodies that are spawned in each tick, and those that exist; the oldest are removed."""


def _basin(scene: Scene, half: float, height: float, thickness: float = 1.0, kind: int = STATIC) -> int:
    """Add a body that is a floor with two walls, all of them boxes; return its index."""
    basin = scene.body(0, 0, kind=kind)
    scene.piece(basin, 0, half + thickness, thickness / 2, 0, -thickness / 2)
    for side in (-1, 1):
        scene.piece(basin, 0, thickness / 2, height / 2, side * (half + thickness / 2), height / 2)
    return basin


def hulls() -> Scene:
    """Two thousand polygons of five to eight corners that fall into a box."""
    scene, random = Scene(), np.random.default_rng(5)
    _basin(scene, 25, 120)
    for k in range(2000):
        body = scene.body((k % 45 - 22) * 1.08, 0.8 + (k // 45) * 1.1, float(random.uniform(0, 3)))
        scene.piece(body, HULL, float(random.uniform(0.3, 0.5)), 5 + k % 4)
    return scene


def junkyard() -> Scene:
    """A wide blade that moves to and fro through a heap of 2,400 polygons, boxes, capsules and circles."""
    scene, random = Scene(), np.random.default_rng(6)
    blade = scene.body(-24, 2.2, kind=KINEMATIC)
    scene.piece(blade, 0, 0.5, 2)
    scene.pushed = lambda tick: (8.0 * np.cos(2 * np.pi * tick * DT / 18.0), 0.0)
    _basin(scene, 27, 120)
    for k in range(2400):
        body = scene.body((k % 44 - 20) * 1.06, 0.8 + (k // 44) * 1.1, float(random.uniform(0, 3)))
        p, q = float(random.uniform(0.2, 0.45)), float(random.uniform(0.2, 0.45))
        if k % 4 == 0:
            scene.piece(body, CAPSULE, p / 2, q / 2)
        else:
            scene.piece(body, (0, 1, HULL)[k % 3], p, 5 + k % 4 if k % 3 == 2 else q)
    return scene


def sensors400() -> Scene:
    """Four hundred sensors above each other in a field through which two thousand balls fall."""
    scene = Scene(sensors=400)
    _basin(scene, 25, 120)
    for k in range(400):
        scene.box((k % 20 - 9.5) * 2.5, 2 + (k // 20) * 1.2, 1, 0.5, STATIC)
    for k in range(2000):
        scene.circle((k % 90 - 44.5) * 0.55, 3 + (k // 90) * 1.1, 0.2)
    return scene


def shaker() -> Scene:
    """A box of thin walls that is shaken to and fro, with 1,500 boxes and balls in it."""
    scene = Scene()
    _basin(scene, 12, 60, 0.1, KINEMATIC)
    scene.pushed = lambda tick: (6.0 * np.cos(2 * np.pi * tick * DT / 0.8), 0.0)
    for k in range(1500):
        x, y = (k % 38 - 18.5) * 0.6, 0.4 + (k // 38) * 0.6
        if k % 2:
            scene.circle(x, y, 0.25)
        else:
            scene.box(x, y, 0.25, 0.25)
    return scene


def bullets() -> Scene:
    """1,500 balls with continuous collision among each other, which bounce fast between thin walls."""
    scene, random = Scene(gravity=0.0, bullets=True, restitution=1.0, friction=0.0), np.random.default_rng(7)
    room = scene.body(0, 0, kind=STATIC)
    for x, y, p, q in ((0, -30, 30, 0.05), (0, 30, 30, 0.05), (-30, 0, 0.05, 30), (30, 0, 0.05, 30)):
        scene.piece(room, 0, p, q, x, y)
    for k in range(1500):
        scene.circle((k % 40 - 19.5) * 1.45, (k // 40 - 18.5) * 1.45, 0.15)
        scene.speeds[len(scene.bodies) - 1] = tuple(random.uniform(-40, 40, 2).tolist())
    return scene


def asleep_bouncing() -> Scene:
    """5,500 boxes that sleep, beside forty balls that bounce."""
    scene = asleep5k()
    scene.box(-200, -1, 120, 1, STATIC)
    for k in range(40):
        scene.circle(-130 - 3.0 * k, 4 + 0.3 * (k % 7), 0.4)
    scene.bouncing = 40
    return scene


def coming() -> Scene:
    """The ground of the boxes that come and go."""
    scene = Scene(sleep=True)
    scene.box(0, -1, 60, 1, STATIC)
    return scene


def place(number: int) -> tuple[float, float]:
    """Return the position at which the box of a number is spawned in `coming`."""
    return (number * 7919 % 100 - 49.5) * 1.1, 6.0 + number % 4 * 1.1


BUSY: dict[str, Callable[[], Scene]] = {
    scene.__name__: scene for scene in (hulls, junkyard, sensors400, shaker, bullets, asleep_bouncing)
}
