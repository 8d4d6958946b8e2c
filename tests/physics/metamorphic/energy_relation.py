"""Energy never rises without a source.

Bodies of all shapes fall, slide and bounce in a closed arena without motors, movers, areas or overlaps at the start.
Their kinetic and potential energy may fall in any tick, but it never rises above the greatest of the last ticks by more
than a tolerance. These are several ticks, since an overlap is a spring that stores energy and returns it. A flat box
that drops on a flat floor, elastically and without friction, leaves it as it came, without spin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mechanics import Energy
from random_worlds import HALF, Random, outline, shared, tick

from rish_core import App, Transform, World
from rish_physics import Body, Collider, PhysicsSettings

TICKS, WINDOW, RISE = 90, 6, 0.01
"""The ticks of a world, those over which energy is compared, and the share of the first energy by which it may rise."""


def empty_world() -> App:
    """Return the shared App with an empty World in which nothing sleeps."""
    app, empty = shared()
    app.world.end_frame()
    app.world.restore(empty)
    app.world[PhysicsSettings].sleeping = False
    return app


def form(random: Random, **surface: Any) -> Any:
    """Return a solid Collider of any shape, 16 to 60 units wide and high."""
    w, h = (float(v) for v in random.uniform(16, 60, 2))
    kind = int(random.integers(8))
    if kind == 0:
        return Collider(size=(w, h), **surface)
    if kind == 1:
        return Collider(shape="circle", radius=w / 2, **surface)
    if kind == 2:
        return Collider(shape="capsule", size=(w, h), **surface)
    if kind == 3:
        angles = np.sort(random.uniform(0, 2 * np.pi, 7))
        points: Any = np.stack([np.cos(angles) * w / 2, np.sin(angles) * w / 2], axis=1).tolist()
        return Collider(shape="polygon", points=points, radius=2.0, **surface)
    if kind == 4:
        points = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 3, h / 2), (-w / 3, h / 2)]
        return Collider(shape="polygon", points=points, **surface)
    if kind == 5:
        return Collider(shape="outline", points=outline(w, h, bool(random.integers(2))), **surface)
    if kind == 6:
        return Collider(shape="segment", points=[(-w / 2, 0), (w / 2, 0)], radius=5.0, **{**surface, "density": 5.0})
    return Collider(size=(w, h), radius=4.0, **surface)


def fill(world: World, random: Random) -> None:
    """Add walls, and one to eight bodies that do not overlap, with any restitution, friction and mass."""
    for x, y, w, h in ((0, -50, 1000, 100), (0, 650, 1000, 100), (-400, 300, 100, 900), (400, 300, 100, 900)):
        world.spawn(Transform(position=(x, y)), Collider(size=(w, h), friction=float(random.choice([0, 0.6]))))
    cells = random.permutation(24)[: random.choice([1, 2, 2, 4, 8])]
    for cell in np.sort(cells).tolist():
        x, y = -300 + 120 * (cell % 6), 80 + 130 * (cell // 6)
        surface = {
            "friction": float(random.choice([0, 0.3, 1])), "restitution": float(random.choice([0, 0.5, 1, 1])),
            "density": float(10.0 ** random.uniform(-1, 1)),
        }  # fmt: skip
        turn = float(random.choice([0.0, 0.0, random.uniform(-3, 3)]))
        body = Body(
            velocity=random.normal(0, 200, 2) * random.integers(2), angular_velocity=float(random.choice([0, 0, 5])),
            bullet=bool(random.random() < 0.2),
        )  # fmt: skip
        world.spawn(Transform(position=(x, y), rotation=turn), body, form(random, **surface))


def check_energy(seed: int) -> float:
    """Check the world of a seed; return the greatest rise, as a share. Raises AssertionError."""
    app = empty_world()
    fill(app.world, np.random.default_rng((seed, 5)))
    energy = Energy(app.world)
    start, _ = energy.now()
    last, worst = [start], 0.0
    for number in range(TICKS):
        tick(app)
        now, added = energy.now()
        rise = (now - added - max(last)) / start
        worst = max(worst, rise)
        assert rise <= RISE, f"seed {seed}, tick {number}: the energy rose by {100 * rise:.2f} % of {start:.4g}"
        last = [*last, now][-WINDOW:]
    return worst


def check_bounce(size: tuple[float, float], x: float) -> None:
    """Drop a flat elastic box without friction at a place; it must leave the floor as it came."""
    app = empty_world()
    world = app.world
    world.spawn(Transform(position=(0, -32)), Collider(size=(2 * HALF, 64), friction=0.0))
    surface: Any = {"restitution": 1.0, "friction": 0.0}
    box = world.spawn(Transform(position=(x, 70 + size[1] / 2)), Body(), Collider(size=size, **surface))
    before, speeds = 0.0, list[float]()
    for _ in range(60):
        tick(app)
        body = world.get(box, Body)
        speed = float(body.velocity[1])
        if speed > 0:
            speeds = [before, speed, float(body.velocity[0]), float(body.angular_velocity)]
            break
        before = speed
    assert speeds, f"box {size}: it does not bounce"
    assert abs(speeds[1] + speeds[0]) < 0.03 * abs(speeds[0]), f"box {size}: {speeds[0]} in, {speeds[1]} out"
    assert abs(speeds[2]) < 0.5, f"box {size}: it leaves sideways with {speeds[2]}"
    assert abs(speeds[3]) < 0.01, f"box {size}: it leaves with a spin of {speeds[3]}"
