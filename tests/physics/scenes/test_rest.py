"""Stacks that stand, and what rests falling asleep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body


def test_a_stack_of_ten_boxes_stands(yard: Callable[..., Any]):
    """It sags by less than a centimetre a box, and moves less than a millimetre between 5 and 10 s."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 20, 1)
    boxes = np.array([scene.box(0, 0.5 + k) for k in range(10)])
    table = scene.world[Transform]
    scene.run(300)
    early = table.position[table.rows_of(boxes)].copy()
    scene.run(300)
    late = table.position[table.rows_of(boxes)]
    assert np.abs(late - early).max() < 1e-3
    assert late[-1, 1] > 9.5 - 0.1
    assert np.abs(late[:, 0]).max() < 0.01


def test_what_falls_and_settles_sleeps_within_two_seconds(yard: Callable[..., Any]):
    """Boxes, balls and capsules dropped from a height: all asleep, and in their columns it says so."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    for k in range(5):
        for row in range(3):
            scene.box(3 * k - 6, 0.6 + 1.05 * row)
    scene.run(120)
    assert scene.world[Body].asleep.all()
    assert not scene.world[Body].velocity.any()


@pytest.mark.parametrize(("ratio", "substeps"), [(100, 4)])
def test_a_heavy_box_rests_on_a_light_one(yard: Callable[..., Any], ratio: float, substeps: int):
    """It sinks in by 5 cm at most."""
    scene = yard(sleeping=False, substeps=substeps)
    scene.wall(0, -0.5, 20, 1)
    scene.box(0, 0.5, body={"mass": 1})
    heavy = scene.box(0, 1.5, body={"mass": ratio})
    scene.run(300)
    assert scene.place(heavy)[1] > 1.5 - 0.05


def test_a_sleeping_stack_wakes_where_it_is_hit(yard: Callable[..., Any]):
    """A ball thrown at one of two stacks wakes that one, and not the other."""
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
    """Despawning the box below, or the floor, wakes what lay on it."""
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
