"""Motor joints: b is driven to a place and an angle relative to a."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_physics import Body, Collider, MotorJoint


def test_it_comes_to_its_offset_and_its_angle(yard: Callable[..., Any]):
    """b reaches the offset and angle in the frame of a rotated body, whatever its center of mass is."""
    scene = yard(gravity=[0, 0])
    a = scene.put(1, 1, Body(type="static"), Collider(size=(1, 1)), rotation=1.5707964)
    b = scene.box(5, 5, angle=1.0, offset=(0.2, 0))
    scene.world.spawn(MotorJoint(a=a, b=b, offset=(2, 0), angle=-0.5))
    scene.run(240)
    assert scene.place(b) == pytest.approx([1, 3], abs=1e-3)
    assert scene.angle(b) == pytest.approx(1.0707964, abs=1e-3)


def test_it_drives_with_no_more_than_its_force(yard: Callable[..., Any]):
    """A limit of 3 N accelerates 2 kg by 1.5 m/s², and a weight beyond the limit falls."""
    scene = yard(gravity=[0, 0])
    box = scene.box(-50, 0, body={"mass": 2})
    scene.world.spawn(MotorJoint(b=box, max_force=3))
    scene.run(60)
    assert scene.velocity(box)[0] == pytest.approx(1.5, rel=1e-3)
    scene = yard()
    box = scene.box(0, 0, body={"mass": 2})
    scene.world.spawn(MotorJoint(b=box, max_force=15))
    scene.run(60)
    before = scene.velocity(box)[1]
    scene.run(30)
    assert scene.velocity(box)[1] - before == pytest.approx(-(20 - 15) / 2 * 0.5, rel=1e-3)


def test_without_a_frequency_it_is_friction_seen_from_above(yard: Callable[..., Any]):
    """With a frequency of 0 the joint is friction in a top view: it stops b with its force and torque."""
    scene = yard(gravity=[0, 0], sleeping=False)
    box = scene.box(3, 4, body={"mass": 2, "inertia": 1, "velocity": (3.0, 4.0), "angular_velocity": 2.0})
    scene.world.spawn(MotorJoint(b=box, hertz=0, angular_hertz=0, max_force=5, max_torque=1))
    scene.run(60)
    assert scene.velocity(box) == pytest.approx([1.5, 2], rel=2e-3)
    assert scene.world.get(box, Body).angular_velocity == pytest.approx(1, rel=2e-3)
    scene.run(120)
    assert scene.velocity(box) == pytest.approx([0, 0], abs=1e-6)
    assert scene.world.get(box, Body).angular_velocity == pytest.approx(0, abs=1e-6)
