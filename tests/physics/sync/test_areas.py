"""Wind areas, water areas and gravity points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import Body, GravityPoint, WaterArea, WindArea
from rish_physics.bodies.outlines import areas_below


def test_wind_takes_along_what_is_in_it(yard: Callable[..., Any]):
    """After some seconds a body in the wind has the velocity of the air; one outside has none."""
    scene = yard(gravity=[0, 0])
    scene.put(0, 0, WindArea(size=(1000, 4), velocity=(3, 0), drag=4), rotation=np.pi)
    inside, outside = scene.box(0, 0), scene.box(0, 5)
    scene.run(180)
    assert scene.velocity(inside) == pytest.approx([-3, 0], abs=0.01)
    assert scene.velocity(outside) == [0, 0]


@pytest.mark.parametrize("former", [False, True])
def test_a_body_that_comes_asleep_rests_in_the_wind_that_blows(yard: Callable[..., Any], former: bool):
    """A body that is spawned asleep in wind stays asleep when another area changes, also if it is a copy of one that
    came awake.
    """
    scene = yard(gravity=[0, 0])
    scene.run()
    if former:
        scene.box(40, 0)
        scene.run()
    scene.put(0, 0, WindArea(size=(4, 4), velocity=(3, 0), drag=4))
    other = scene.put(90, 0, WindArea(size=(4, 4)))
    scene.run()
    inside = scene.box(0, 0, body={"asleep": True})
    scene.run(3)
    scene.world.get(other, WindArea).drag = 2
    scene.run(3)
    assert scene.world.get(inside, Body).asleep


@pytest.mark.slow
def test_what_is_lighter_than_water_floats_with_the_right_part_of_it_under(yard: Callable[..., Any]):
    """A body of half the water's density floats half submerged and falls asleep; a dense one sinks."""
    scene = yard()
    scene.put(0, -5, WaterArea(size=(100, 10), density=2, drag=4, angular_drag=4))
    wood = scene.box(0, 0.3, 2, 1, density=1)
    ball = scene.ball(6, 0, 0.5, density=1)
    stone = scene.box(12, 0.3, density=8)
    scene.run(600)
    assert scene.place(wood)[1] == pytest.approx(0, abs=0.02)
    assert scene.place(ball)[1] == pytest.approx(0, abs=0.02)
    assert scene.place(stone)[1] < -5
    assert scene.world.get(wood, Body).asleep


def test_a_point_attracts_as_newton_says(yard: Callable[..., Any]):
    """A circular orbit stays circular: v² / r = strength (radius / r)²."""
    scene = yard(gravity=[0, 0])
    scene.put(0, 0, GravityPoint(strength=8, radius=2, reach=50))
    moon = scene.ball(4, 0, 0.2, body={"velocity": (0, float(np.sqrt(8 / 4 * 4)))})
    far = scene.ball(60, 0)
    for _ in range(300):
        scene.run()
        x, y = scene.place(moon)
        assert np.hypot(x, y) == pytest.approx(4, rel=0.015)
    assert scene.velocity(far) == [0, 0]


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.3])
def test_the_part_below_a_level_is_cut_exactly(turn: float):
    """The area below the surface, and its middle, agree with a fine sum over a grid."""
    corners = np.array([(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)])
    c, s = np.cos(turn), np.sin(turn)
    box = corners @ np.array([[c, s], [-s, c]])
    area, middle = areas_below(box[None], 0.2)
    xs, ys = np.meshgrid(np.linspace(-1.2, 1.2, 1201), np.linspace(-1.2, 1.2, 1201))
    u, v = c * xs + s * ys, -s * xs + c * ys
    wet = (np.abs(u) <= 1) & (np.abs(v) <= 0.5) & (ys <= 0.2)
    assert area[0] == pytest.approx(wet.sum() * 0.002**2, abs=0.01)
    assert middle[0] == pytest.approx([xs[wet].mean(), ys[wet].mean()], abs=0.01)
