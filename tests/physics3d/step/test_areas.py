"""Wind areas, water areas and gravity points in space."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import Body3D, Collider3D, ColliderShape3D, GravityPoint3D, WaterArea3D, WindArea3D
from rish_space3d import Transform3D, quaternions

HALF_TURN = quaternions.from_axis((0, 1, 0), np.pi).tolist()


def test_wind_takes_along_what_is_in_it(yard: Callable[..., Any]) -> None:
    """A body in the wind gets the velocity of the air, which turns with the area; one outside gets none, and a feather
    does not get more.
    """
    scene = yard()
    scene.put(0, 0, 0, WindArea3D(size=(1000, 2, 2), velocity=(3, 0, 0), drag=4), rotation=HALF_TURN, scale=(1, 2, 2))
    inside, outside = scene.box(0, 1.5, 0, body={"mass": 1}), scene.box(0, 2.5, 0, body={"mass": 1})
    feather = scene.box(9, 0, 0, body={"mass": 1e-3})
    scene.run(1)
    assert scene.velocity(feather) == pytest.approx([-3, 0, 0], rel=0.02)
    scene.run(99)
    assert scene.velocity(inside) == pytest.approx([-3, 0, 0], abs=0.01)
    assert not scene.velocity(outside).any()


@pytest.mark.slow
def test_what_is_lighter_than_water_floats_with_the_right_part_of_it_under(yard: Callable[..., Any]) -> None:
    """Bodies of half the water's density float half submerged, a plank flat, and fall asleep; a dense one sinks; a
    light one rises and stays.
    """
    scene = yard(gravity=-10, sleep_time=0.2)
    scene.put(0, -5, 0, WaterArea3D(size=(100, 10, 100), drag=6, angular_drag=6))
    plank = scene.box(0, 0.3, 0, (3, 0.4, 1), density=500, rotation=(0.5, 0, 0.2, 1))
    ball, stone = scene.ball(6, 0.2, 0, density=500), scene.box(12, -1, 0, density=8000)
    log = scene.put(
        18, 0.1, 0, Body3D(), Collider3D(shape=ColliderShape3D.CAPSULE, size=(0, 3, 0), radius=0.3, density=500),
        rotation=(0, 0, 1, 1.2),
    )  # fmt: skip
    foam = scene.ball(24, -1, 0, 0.3, density=10)
    scene.run(240)
    for body in (plank, ball, log):
        assert scene.position(body)[1] == pytest.approx(0, abs=0.01)
        assert scene.world.get(body, Body3D).asleep
    table = scene.world.table(Transform3D)
    upright, lying = (quaternions.turned(table.rotation[table.row_of(body)], (0, 1, 0)) for body in (plank, log))
    assert abs(upright[1]) == pytest.approx(1, abs=1e-3)
    assert lying[1] == pytest.approx(0, abs=0.02)
    assert scene.position(stone)[1] < -9
    assert 0.2 < scene.position(foam)[1] < 0.31


def test_a_point_attracts_as_newton_says(yard: Callable[..., Any]) -> None:
    """A circular orbit stays circular: v² / r = strength (radius / r)²; beyond its reach it does not act."""
    scene = yard()
    scene.put(0, 0, 0, GravityPoint3D(strength=8, radius=2, reach=50))
    moon = scene.ball(0, 4, 0, 0.2, body={"velocity": (0, 0, float(np.sqrt(8 / 4 * 4)))})
    far = scene.ball(60, 0, 0)
    for _ in range(120):
        scene.run(1)
        assert np.linalg.norm(scene.position(moon)) == pytest.approx(4, rel=0.015)
    assert not scene.velocity(far).any()


@pytest.mark.parametrize("former", [False, True])
def test_a_body_that_comes_asleep_rests_in_the_wind_that_blows(yard: Callable[..., Any], former: bool) -> None:
    """A body that is spawned asleep in wind stays asleep when another area changes, and wakes when the wind does."""
    scene = yard()
    if former:
        scene.box(40, 0, 0)
        scene.run(1)
    wind = scene.put(0, 0, 0, WindArea3D(size=(4, 4, 4), velocity=(3, 0, 0), drag=4))
    other = scene.put(90, 0, 0, WindArea3D(size=(4, 4, 4)))
    inside = scene.box(0, 0, 0, body={"asleep": True})
    scene.run(2)
    scene.world.get(other, WindArea3D).drag = 2
    scene.run(2)
    assert scene.world.get(inside, Body3D).asleep
    scene.world.get(wind, WindArea3D).velocity = (4, 0, 0)
    scene.run(1)
    assert not scene.world.get(inside, Body3D).asleep


def test_a_calm_lake_wakes_when_it_changes(yard: Callable[..., Any]) -> None:
    """Bodies that float asleep go on when the water sinks or is drained, also after a restore."""
    scene = yard(gravity=-10, sleep_time=0.1)
    lake = scene.put(0, -5, 0, WaterArea3D(size=(100, 10, 100), drag=8))
    wood = scene.box(0, 0.01, 0, density=500)
    scene.run(120)
    assert scene.world.get(wood, Body3D).asleep
    snapshot = scene.world.snapshot()
    for change in (lambda: scene.world.despawn(lake), lambda: scene.world.set(lake, Transform3D(position=(0, -6, 0)))):
        scene.world.restore(snapshot)
        scene.run(2)
        assert scene.world.get(wood, Body3D).asleep
        change()
        scene.run(10)
        assert scene.position(wood)[1] < -0.1


def test_an_area_without_finite_numbers_is_ignored(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """An area with a place or value that is not finite pushes nothing, and is named once."""
    scene = yard()
    box = scene.box(0, 0, 0)
    area = scene.put(0, 0, 0, WindArea3D(velocity=(1, 0, 0)))
    table = scene.world.table(WindArea3D)
    table.velocity[table.row_of(area)] = np.nan
    table.mark()
    with caplog.at_level(logging.WARNING):
        scene.run(3)
    assert not scene.velocity(box).any()
    assert sum("WindArea3D" in record.getMessage() for record in caplog.records) == 1
