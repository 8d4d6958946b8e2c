"""Free bodies and colliding bodies, compared with textbook formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, RevoluteJoint
from rish_physics.components.tables import Bodies

DT = 1 / 60


def test_a_body_falls_by_half_g_t_squared(yard: Callable[..., Any]):
    """After 2 s a body has fallen 20 m, except for the integrator's error of g·t·h/2 with sub-steps of h."""
    scene = yard()
    stone = scene.box(0, 100)
    scene.run(120)
    h = DT / 4
    assert scene.place(stone)[1] == pytest.approx(100 - 20 - 10 * 2 * h / 2, abs=1e-3)
    assert scene.velocity(stone)[1] == pytest.approx(-20, abs=1e-4)


def test_a_projectile_lands_where_it_is_aimed(yard: Callable[..., Any]):
    """A body thrown with (12, 9) m/s is at its height again after 1.8 s, 21.6 m away, and keeps its spin."""
    scene = yard()
    stone = scene.ball(0, 0, 0.2, body={"velocity": (12, 9), "angular_velocity": 2})
    scene.run(108)
    x, y = scene.place(stone)
    assert x == pytest.approx(21.6, abs=1e-3)
    assert y == pytest.approx(0, abs=0.05)
    assert scene.world.get(stone, Body).angular_velocity == 2


def test_equal_masses_swap_velocities_when_they_bounce(yard: Callable[..., Any]):
    """With restitution 1 two bodies of equal mass exchange their velocities."""
    scene = yard(gravity=[0, 0], restitution_threshold=0)
    a = scene.ball(-2, 0, body={"velocity": (6, 0)}, restitution=1, friction=0)
    b = scene.ball(2, 0, restitution=1, friction=0)
    scene.run(60)
    assert scene.velocity(a) == pytest.approx([0, 0], abs=0.02)
    assert scene.velocity(b) == pytest.approx([6, 0], abs=0.02)


def test_masses_go_on_together_when_they_do_not_bounce(yard: Callable[..., Any]):
    """Without restitution both bodies move on with the velocity of their common center: 6 · 1 / (1 + 3)."""
    scene = yard(gravity=[0, 0])
    a = scene.box(-2, 0, body={"velocity": (6, 0), "mass": 1})
    b = scene.box(2, 0, body={"mass": 3})
    scene.run(60)
    assert scene.velocity(a) == pytest.approx([1.5, 0], abs=0.03)
    assert scene.velocity(b) == pytest.approx([1.5, 0], abs=0.03)


@pytest.mark.parametrize("restitution", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_the_height_of_a_bounce_is_restitution_squared(yard: Callable[..., Any], restitution: float):
    """A ball dropped from 4 m bounces to a height of e² · 4 m."""
    scene = yard(substeps=8)
    scene.wall(0, -0.5, 20, 1, restitution=0)
    ball = scene.ball(0, 4.5, restitution=restitution)
    scene.run(round(60 * (0.8**0.5)) - 2)
    highest = 0.0
    for _ in range(70):
        scene.run()
        vy = scene.velocity(ball)[1]
        if vy > 0:
            highest = max(highest, scene.place(ball)[1] - 0.5 + vy * vy / 20)
    assert highest == pytest.approx(4 * restitution**2, abs=0.12)


@pytest.mark.parametrize(("degrees", "slides"), [(25, False), (29, False), (33, True), (40, True)])
def test_a_box_slides_where_the_slope_is_steeper_than_its_friction(
    yard: Callable[..., Any], degrees: float, slides: bool
):
    """Above atan 0.6, 31 degrees, a box slides with g (sin a - 0.6 cos a); below it stays."""
    scene = yard(sleeping=False)
    angle = np.radians(degrees)
    normal = np.array([-np.sin(angle), np.cos(angle)])
    scene.wall(0, 0, 200, 2, angle=angle, friction=0.6)
    x, y = normal * 1.5
    box = scene.box(float(x), float(y), angle=float(angle), friction=0.6)
    scene.run(20)
    before = np.array(scene.place(box))
    scene.run(60)
    way = np.linalg.norm(np.array(scene.place(box)) - before)
    if not slides:
        assert way < 0.01
    else:
        a = 10 * (np.sin(angle) - 0.6 * np.cos(angle))
        assert way == pytest.approx(a * (1 / 3) * 1 + a / 2, rel=0.05)


def test_the_inertia_of_boxes_and_circles_is_that_of_the_tables(yard: Callable[..., Any]):
    """The inertia of a box is m (w² + h²) / 12, and that of a circle m r² / 2."""
    scene = yard(density=2)
    box, ball = scene.box(0, 0, 3, 1), scene.ball(10, 0, 0.5)
    scene.run()
    bodies = scene.world[Bodies]
    for entity, mass, inertia in ((box, 6, 6 * 10 / 12), (ball, np.pi / 2, np.pi / 2 * 0.125)):
        row = bodies.state[scene.slot(entity)]
        assert row[3] == pytest.approx(1 / mass, rel=1e-6)
        assert row[7] == pytest.approx(1 / inertia, rel=1e-6)


@pytest.mark.parametrize(("restitution", "joined"), [(0.0, False), (0.3, False), (0.0, True)])
def test_momentum_is_kept_for_ten_seconds(yard: Callable[..., Any], restitution: float, joined: bool):
    """Forty bodies that collide without gravity keep their momentum for ten seconds.

    Momentum changes by less than 1e-6 and angular momentum by less than 1e-5 of the total motion, with bounces and
    without; with half of the bodies pinned in pairs, by less than 1e-4.
    """
    scene = yard(gravity=[0, 0], sleeping=False)
    random = np.random.default_rng(5)
    things: list[int] = []
    for k in range(40):
        x, y = (k % 8) * 2 - 7, (k // 8) * 2 - 4
        velocity = -0.2 * np.array([x, y]) + random.normal(0, 0.1, 2)
        body = {"velocity": tuple(velocity.tolist()), "angular_velocity": 1.0}
        make = scene.box if k % 2 else scene.ball
        things.append(make(x, y, body=body, restitution=restitution))
    for k in range(0, 20 if joined else 0, 2):
        scene.world.spawn(RevoluteJoint(a=things[k], b=things[k + 1], anchor_a=(1, 0), anchor_b=(-1, 0)))
    scene.run()
    first, scale = _momenta(scene.world)
    scene.run(600)
    last, _ = _momenta(scene.world)
    error = np.abs(last - first) / scale
    assert error[:2].max() < 1e-6
    assert error[2] < (1e-4 if joined else 1e-5)


def _momenta(world: Any) -> tuple[Any, float]:
    """Return momentum x, y and angular momentum about the origin, and the sum of their absolute parts."""
    bodies = world[Bodies]
    rows = np.flatnonzero(bodies.state[:, 3] > 0)
    state, pose = bodies.state[rows].astype(np.float64), bodies.pose[rows].astype(np.float64)
    mass, inertia = 1 / state[:, 3], 1 / state[:, 7]
    px, py = mass * state[:, 0], mass * state[:, 1]
    turning = pose[:, 0] * py - pose[:, 1] * px + inertia * state[:, 2]
    scale = float(np.abs(px).sum() + np.abs(py).sum() + np.abs(turning).sum())
    return np.array([px.sum(), py.sum(), turning.sum()]), scale


def test_sixty_four_times_larger_at_sixty_four_units_a_meter_is_the_same_to_the_bit(yard: Callable[..., Any]):
    """With all lengths times 64 and 64 units per meter, positions divided by 64 are equal bit for bit."""
    found = []
    for unit in (1, 64):
        scene = yard(units_per_meter=unit)
        scene.put(0, -unit, _collider(40 * unit, 2 * unit))
        things = [
            scene.box((k % 4 - 1.5) * 1.1 * unit + 0.125 * unit * (k // 4), (0.75 + 1.25 * (k // 4)) * unit, unit, unit)
            if k % 3
            else scene.ball((k % 4 - 1.5) * 1.1 * unit, (0.75 + 1.25 * (k // 4)) * unit, 0.5 * unit, restitution=0.25)
            for k in range(16)
        ]
        scene.run(150)
        rows = scene.world[Transform].rows_of(np.array(things))
        found.append((scene.world[Transform].position[rows] / unit, scene.world[Transform].rotation[rows].copy()))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])


def _collider(w: float, h: float) -> Any:
    from rish_physics import Collider

    return Collider(size=(w, h))
