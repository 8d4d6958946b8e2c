"""Wheel joints: a suspension with a rotating wheel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import WheelJoint


def test_the_suspension_sags_by_weight_over_stiffness(yard: Callable[..., Any]):
    """A weight on a spring of frequency f sags by g / (2π f)², and stays on the axis."""
    scene = yard(substeps=8)
    box = scene.box(0, 0, body={"mass": 5, "velocity": (1.0, 0.0)})
    scene.world.spawn(WheelJoint(b=box, hertz=2, damping=0.5))
    scene.run(240)
    assert scene.place(box) == pytest.approx([0, -10 / (4 * np.pi) ** 2], abs=1e-3)


def test_a_car_stands_on_its_springs_and_drives(yard: Callable[..., Any]):
    """The two springs of a car sag equally, and the motors drive it with their speed times the radius."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 200, 1)
    body = scene.box(0, 1.4, 4, 0.6)
    wheels = [scene.ball(x, 0.5, 0.5, friction=2) for x in (-1.5, 1.5)]
    for wheel, x in zip(wheels, (-1.5, 1.5), strict=True):
        scene.world.spawn(
            WheelJoint(a=body, b=wheel, anchor_a=(x, -0.9), hertz=4, motor=True, motor_speed=-4, max_torque=20)
        )
    scene.run(240)
    assert scene.velocity(body)[0] == pytest.approx(2, rel=0.02)
    assert abs(scene.angle(body)) < 0.02
    for wheel, x in zip(wheels, (-1.5, 1.5), strict=True):
        place = np.array(scene.place(wheel)) - scene.place(body)
        assert place == pytest.approx([x, -0.9], abs=0.1)


def test_a_motor_turns_with_its_torque_only(yard: Callable[..., Any]):
    """A motor of 0.5 Nm accelerates an inertia of 0.25 by 2 rad/s² up to 1 rad/s."""
    scene = yard(gravity=[0, 0])
    wheel = scene.ball(0, 0, 0.5, body={"inertia": 0.25})
    scene.world.spawn(WheelJoint(b=wheel, motor=True, motor_speed=1, max_torque=0.5))
    scene.run(15)
    assert scene.angle(wheel) == pytest.approx(0.5 * 2 * 0.25**2, rel=0.06)
    scene.run(15)
    before = scene.angle(wheel)
    scene.run(60)
    assert scene.angle(wheel) - before == pytest.approx(1, rel=1e-3)


def test_limits_hold(yard: Callable[..., Any]):
    """With a weak spring the wheel falls to its lower limit and rests there."""
    scene = yard()
    wheel = scene.ball(0, 0, 0.5)
    scene.world.spawn(WheelJoint(b=wheel, hertz=0.2, limited=True, lower=-0.3, upper=0.3))
    scene.run(120)
    assert scene.place(wheel)[1] == pytest.approx(-0.3, abs=2e-3)
