"""Stable stacks, and resting bodies that fall asleep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, Collider
from rish_physics.components.tables import POINT0, POINT1, Contacts


@pytest.mark.parametrize("seconds", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_a_stack_of_ten_boxes_stands(yard: Callable[..., Any], seconds: int):
    """A stack sags by less than a centimeter per box, and from 5 s on moves by less than a millimeter."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 20, 1)
    boxes = np.array([scene.box(0, 0.5 + k) for k in range(10)])
    table = scene.world[Transform]
    rows = table.rows_of(boxes)
    scene.run(300)
    early, moved = table.position[rows].copy(), 0.0
    for _ in range(300, 60 * seconds):
        scene.run()
        moved = max(moved, float(np.abs(table.position[rows] - early).max()))
    assert moved < 1e-3
    assert early[-1, 1] > 9.5 - 0.1
    assert np.abs(early[:, 0]).max() < 0.01


@pytest.mark.slow
def test_a_pyramid_of_5050_boxes_stands_for_ten_seconds(yard: Callable[..., Any]):
    """In ten seconds no box of the pyramid falls, rotates by more than 0.03, or overlaps another by more than 2.5 cm.

    From 5 s on its tip is within 3 cm of the middle, and no box moves by more than that. (Box2D's pyramid leans by 0.4
    cm if the boxes were created row by row, and by 4 cm if they were created in random order.)
    """
    scene = yard(sleeping=False)
    scene.wall(0, -1, 200, 2)
    places = [((i + 1) * 0.5 + (j - i) - 50, i + 0.5) for i in range(100) for j in range(i, 100)]
    scene.world.spawn_many(len(places), Transform(position=np.array(places)), Body(), Collider(size=(1, 1)))
    scene.run(300)
    early = scene.world[Transform].position[1:].copy()
    for _ in range(10):
        scene.run(30)
        now = scene.world[Transform].position[1:]
        assert abs(now[-1, 0]) < 0.03
        assert np.abs(now - early).max() < 0.03
    at, turn = scene.world[Transform].position[1:], scene.world[Transform].rotation[1:]
    assert np.abs(at - places).max() < 0.8
    assert np.abs(turn).max() < 0.03
    contacts = scene.world[Contacts]
    deep = [contacts.manifold[contacts.info[:, 0] > k, at + 4].min() for k, at in enumerate((POINT0, POINT1))]
    assert min(deep) > -0.025


def _stack(scene: Any) -> list[int]:
    return [scene.box(0, 0.5 + k) for k in range(10)]


def _pyramid(scene: Any) -> list[int]:
    return [scene.box((row + 1) * 0.5 + (k - row) - 5, row + 0.5) for row in range(10) for k in range(row, 10)]


def _heap(scene: Any) -> list[int]:
    """Add two hundred boxes and balls that fall between two walls."""
    random, things = np.random.default_rng(1), list[int]()
    for x in (-8, 8):
        scene.wall(x, 5, 1, 30)
    for k in range(200):
        x, y, (w, h) = (k % 14 - 6.5) * 1.05, 0.8 + (k // 14) * 1.05, random.uniform(0.4, 0.8, 2)
        turn = float(random.uniform(0, 3))
        things.append(scene.ball(x, y, w / 2) if k % 2 else scene.box(x, y, w, h, angle=turn))
    return things


@pytest.mark.parametrize("build", [_stack, _pyramid, _heap])
def test_what_has_come_to_rest_sleeps_within_two_seconds(yard: Callable[..., Any], build: Callable[[Any], list[int]]):
    """Two seconds after the last body of a stack, pyramid or heap was faster than 0.1 m/s, all are asleep."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    things = np.array(build(scene))
    table = scene.world[Body]
    rows, moved = table.rows_of(things), 0
    for tick in range(900):
        scene.run()
        if np.hypot(*table.velocity[rows].T).max() > 0.1:
            moved = tick
        if table.asleep[rows].all():
            break
    assert table.asleep[rows].all()
    assert tick - moved <= 120


def test_what_falls_and_settles_sleeps_within_two_seconds(yard: Callable[..., Any]):
    """Boxes dropped from a height are all asleep after two seconds, with a velocity of zero."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    for k in range(5):
        for row in range(3):
            scene.box(3 * k - 6, 0.6 + 1.05 * row)
    scene.run(120)
    assert scene.world[Body].asleep.all()
    assert not scene.world[Body].velocity.any()


@pytest.mark.parametrize(("ratio", "substeps"), [(100, 4), (1000, 16)])
def test_a_heavy_box_rests_on_a_light_one(yard: Callable[..., Any], ratio: float, substeps: int):
    """A heavy box on a light one sinks in by 5 cm at most, at any time."""
    scene = yard(sleeping=False, substeps=substeps)
    scene.wall(0, -0.5, 20, 1)
    scene.box(0, 0.5, body={"mass": 1})
    heavy = scene.box(0, 1.5, body={"mass": ratio})
    for _ in range(300):
        scene.run()
        assert scene.place(heavy)[1] > 1.5 - 0.05


def test_what_is_a_thousand_times_heavier_goes_through_nothing(yard: Callable[..., Any]):
    """A box that is a thousand times heavier passes through neither the lighter one nor the ground.

    With four sub-steps the light box cannot carry it: it is pressed flat and slips out, and the heavy box comes down
    beside it.
    """
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 20, 1)
    light, heavy = scene.box(0, 0.5, body={"mass": 1}), scene.box(0, 1.5, body={"mass": 1000})
    for _ in range(300):
        scene.run()
        (x, y), (u, v) = scene.place(light), scene.place(heavy)
        assert v > y or abs(u - x) > 0.75
        assert min(y, v) > 0.3


def test_a_sleeping_stack_wakes_where_it_is_hit(yard: Callable[..., Any]):
    """A ball thrown at one of two stacks wakes that stack, and not the other."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    near = [scene.box(0, 0.5 + k) for k in range(3)]
    far = [scene.box(15, 0.5 + k) for k in range(3)]
    scene.run(120)
    scene.ball(-4, 0.6, body={"velocity": (20, 0)})
    scene.run(20)
    asleep = scene.world[Body].asleep
    assert not asleep[scene.world[Body].rows_of(np.array(near))].any()
    assert asleep[scene.world[Body].rows_of(np.array(far))].all()


def test_what_lost_its_support_wakes_and_falls(yard: Callable[..., Any]):
    """Despawning the box below, or the floor, wakes the bodies on it."""
    scene = yard()
    floor = scene.wall(0, -0.5, 20, 1)
    lower, upper = scene.box(0, 0.5), scene.box(0, 1.5)
    scene.run(120)
    assert scene.world[Body].asleep.all()
    scene.world.despawn(lower)
    scene.run(60)
    assert scene.place(upper)[1] == pytest.approx(0.5, abs=0.02)
    scene.run(60)
    scene.world.despawn(floor)
    scene.run(60)
    assert scene.place(upper)[1] < -3
