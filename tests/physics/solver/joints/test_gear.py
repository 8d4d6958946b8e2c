"""Gears and ratchets: joints that count rotations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import Body, GearJoint, RatchetJoint, RevoluteJoint


def turning(scene: Any, entity: int) -> float:
    """Return the angular velocity, rad/s."""
    return float(scene.world.get(entity, Body).angular_velocity)


@pytest.mark.parametrize("ratio", [-2.0, 0.5])
def test_angles_keep_their_ratio(yard: Callable[..., Any], ratio: float):
    """The angles keep their ratio through many rotations, with a load on one wheel and a motor on the other."""
    scene = yard(gravity=[0, 0], sleeping=False)
    a, b = scene.ball(0, 0, 1), scene.ball(3, 0, 1)
    scene.world.spawn(RevoluteJoint(b=a, motor=True, motor_speed=4, max_torque=50))
    scene.world.spawn(RevoluteJoint(b=b, anchor_a=(3, 0)))
    scene.world.spawn(GearJoint(a=a, b=b, ratio=ratio))
    turned = np.zeros(2)
    before = np.zeros(2)
    for _ in range(300):
        scene.world.get(b, Body).torque = 0.5
        scene.run()
        now = np.array([scene.angle(a), scene.angle(b)])
        turned += np.angle(np.exp(1j * (now - before)))
        before = now
    assert abs(turned[0]) > 15
    assert turned[1] == pytest.approx(ratio * turned[0], abs=5e-3)
    assert turning(scene, b) == pytest.approx(ratio * turning(scene, a), rel=1e-3)


def test_a_torque_is_passed_on_by_its_ratio(yard: Callable[..., Any]):
    """With a ratio of 2, a torque T on a accelerates it by T / (I + 4 I) if both inertias are I."""
    scene = yard(gravity=[0, 0], sleeping=False)
    a = scene.ball(0, 0, 1, body={"inertia": 1, "torque": 5.0})
    b = scene.ball(3, 0, 1, body={"inertia": 1})
    scene.world.spawn(GearJoint(a=a, b=b, ratio=2))
    scene.run(1)
    scene.world.get(a, Body).torque = 5.0
    before = turning(scene, a)
    scene.run(1)
    assert (turning(scene, a) - before) * 60 == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(("step", "back"), [(0.0, 0.0), (0.5, 0.3)])
def test_a_ratchet_turns_one_way(yard: Callable[..., Any], step: float, back: float):
    """After 1.3 rad forward a ratchet can be turned back only to its last tooth."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel = scene.ball(0, 0, 1, body={"inertia": 1})
    drive = scene.world.spawn(RevoluteJoint(b=wheel, motor=True, motor_speed=1.3, max_torque=1e4))
    scene.world.spawn(RatchetJoint(b=wheel, step=step))
    scene.run(60)
    assert scene.angle(wheel) == pytest.approx(1.3, abs=0.01)
    scene.world.get(wheel, Body).angular_velocity = 0
    scene.world.get(drive, RevoluteJoint).max_torque = 1.0
    scene.world.get(drive, RevoluteJoint).motor_speed = -1.0
    scene.run(120)
    assert scene.angle(wheel) == pytest.approx(1.3 - back, abs=0.02)
    assert turning(scene, wheel) == pytest.approx(0, abs=1e-3)
