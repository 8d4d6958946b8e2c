"""Mouse joints: a point of a body is pulled to a target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import MouseJoint
from rish_physics.components.tables import AWAKE, Bodies


def test_it_brings_the_point_to_its_target(yard: Callable[..., Any]):
    """A box that is held by its corner rests with the corner at the target, except for the spring's sag."""
    scene = yard(sleeping=False)
    box = scene.box(0, 0, body={"angular_damping": 2.0})
    scene.world.spawn(MouseJoint(b=box, target=(3, 2), anchor_b=(0.5, 0.5)))
    scene.run(900)
    angle = scene.angle(box)
    corner = np.array(scene.place(box)) + 0.5 * np.array([np.cos(angle) - np.sin(angle), np.sin(angle) + np.cos(angle)])
    assert corner == pytest.approx([3, 2], abs=0.03)
    assert angle == pytest.approx(np.pi / 4, abs=0.05)


def test_it_pulls_with_no_more_than_its_force(yard: Callable[..., Any]):
    """A body that is heavier than the force stays on the ground."""
    scene = yard()
    scene.wall(0, -0.5, 10, 1)
    box = scene.box(0, 0.5, body={"mass": 2})
    joint = scene.world.spawn(MouseJoint(b=box, target=(0, 5), max_force=19))
    scene.run(60)
    assert scene.place(box)[1] == pytest.approx(0.5, abs=0.01)
    scene.world.get(joint, MouseJoint).max_force = 40
    scene.run(240)
    assert scene.place(box)[1] == pytest.approx(5, abs=0.05)


def test_a_new_target_wakes_the_body(yard: Callable[..., Any]):
    """A held body can fall asleep, and wakes when the target moves."""
    scene = yard(gravity=[0, 0])
    box = scene.box(0, 0)
    joint = scene.world.spawn(MouseJoint(b=box))
    scene.run(90)
    assert not scene.world[Bodies].flags[scene.slot(box)] & AWAKE
    scene.world.get(joint, MouseJoint).target = (1, 0)
    scene.run(60)
    assert scene.place(box) == pytest.approx([1, 0], abs=0.01)
