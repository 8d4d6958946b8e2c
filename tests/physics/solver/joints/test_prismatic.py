"""Prismatic joints: b slides only along an axis of a."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import Body, Collider, PrismaticJoint
from rish_physics.components.tables import Joints


def test_it_moves_along_its_axis_only(yard: Callable[..., Any]):
    """A box that is pushed off its axis stays on it, does not rotate, and slides down with g sin(slope)."""
    scene = yard(sleeping=False)
    box = scene.box(0, 0, body={"angular_velocity": 3.0, "velocity": (0.0, 1.0)}, offset=(0.3, 0.2))
    scene.world.spawn(PrismaticJoint(b=box, axis=(3, -4)))
    scene.run(10)
    before = scene.velocity(box)
    scene.run(30)
    speed = np.array(scene.velocity(box)) - before
    assert speed @ [0.6, -0.8] == pytest.approx(10 * 0.8 * 0.5, rel=2e-3)
    x, y = scene.place(box)
    assert abs(4 * x + 3 * y) < 0.01
    assert abs(scene.angle(box)) < 2e-3


def test_the_axis_turns_with_a(yard: Callable[..., Any]):
    """The axis rotates with a, and `angle` is the angle of b relative to a."""
    scene = yard(gravity=[0, 0])
    a = scene.put(1, 2, Body(type="static"), Collider(size=(1, 1)), rotation=0.5)
    b = scene.box(1, 2, angle=0.9)
    scene.world.spawn(PrismaticJoint(a=a, b=b, axis=(1, 0), angle=0.4, motor=True, motor_speed=1, max_force=100))
    scene.run(120)
    assert scene.place(b) == pytest.approx([1 + 2 * np.cos(0.5), 2 + 2 * np.sin(0.5)], abs=0.02)
    assert scene.angle(b) == pytest.approx(0.9, abs=1e-4)


@pytest.mark.parametrize("side", [-1, 1])
def test_limits_hold(yard: Callable[..., Any], side: int):
    """A body falls to either limit and rests there; the load is its weight."""
    scene = yard(gravity=[0, 10 * side])
    box = scene.box(0, 0, body={"mass": 2})
    scene.world.spawn(PrismaticJoint(b=box, axis=(0, 1), limited=True, lower=-0.5, upper=0.75))
    scene.run(180)
    assert scene.place(box)[1] == pytest.approx(0.75 if side > 0 else -0.5, abs=2e-3)
    assert scene.world[Joints].load[0, 1] == pytest.approx(-20 * side, rel=1e-3)


def test_a_motor_reaches_its_speed_with_its_force_only(yard: Callable[..., Any]):
    """A motor with 8 N accelerates 4 kg by 2 m/s² up to 1 m/s."""
    scene = yard(gravity=[0, 0])
    box = scene.box(0, 0, body={"mass": 4})
    scene.world.spawn(PrismaticJoint(b=box, axis=(0, 2), motor=True, motor_speed=1, max_force=8))
    scene.run(15)
    assert scene.velocity(box) == pytest.approx([0, 0.5], abs=1e-4)
    scene.run(60)
    assert scene.velocity(box) == pytest.approx([0, 1], abs=1e-4)


def test_a_spring_sags_under_a_weight(yard: Callable[..., Any]):
    """A spring sags by g / (2π f)² below its rest position, whatever the mass."""
    scene = yard(substeps=8)
    boxes = [scene.box(3 * k, 0, body={"mass": mass}, mask=0) for k, mass in enumerate((1.0, 50.0))]
    for k, box in enumerate(boxes):
        scene.world.spawn(
            PrismaticJoint(b=box, anchor_a=(3 * k, 0), axis=(0, 1), spring=True, hertz=1, damping=0.7, rest=0.5)
        )
    scene.run(300)
    for box in boxes:
        assert scene.place(box)[1] == pytest.approx(0.5 - 10 / (2 * np.pi) ** 2, abs=2e-3)


def test_it_bears_the_torque_of_what_hangs_beside_it(yard: Callable[..., Any]):
    """The joint's torque for 3 kg half a meter beside the axis is weight times arm."""
    scene = yard()
    box = scene.box(0.5, 0, body={"mass": 3})
    scene.world.spawn(PrismaticJoint(b=box, anchor_b=(-0.5, 0), axis=(0, 1), limited=True, lower=0, upper=1))
    scene.run(120)
    assert scene.world[Joints].load[0, 1:3] == pytest.approx([30, 15], rel=2e-3)
