"""Angles of joints count full turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import Body, Collider, GearJoint, MotorJoint, RevoluteJoint, WeldJoint, teleport_bodies
from rish_physics.components.tables import Joints
from rish_physics.solver.joints.constraint import wound

DEGREE = float(np.pi / 180)


def crank(scene: Any, angle: float = 0.0, **joint: Any) -> tuple[int, int]:
    """Return a wheel that turns about its middle from an angle on, and the joint that holds it to the world."""
    wheel = scene.put(0, 0, Body(inertia=1.0), Collider(size=(1, 0.4)), rotation=angle)
    return wheel, scene.world.spawn(RevoluteJoint(b=wheel, **joint))


def turned(scene: Any, body: int, ticks: int, start: float = 0.0) -> list[float]:
    """Return the angle of a body after each tick, counted from `start` on."""
    angles = [start]
    for _ in range(ticks):
        scene.run()
        angles.append(angles[-1] + float(np.angle(np.exp(1j * (scene.angle(body) - angles[-1])))))
    return angles


@pytest.mark.parametrize(
    ("angle", "low", "high", "wanted"),
    [
        (0.5, -1, 1, 0.5),
        (-45, 270, 360, 315),
        (-100, 270, 360, 260),
        (5, 270, 360, 365),
        (0, 170, 400, 360),
        (-170, 350, 400, 550),
        (90, 0, 7200, 90),
        (0, -1e30, 1e30, 0),
        (100, -900, -800, -980),
        (-179, 179, 179, 181),
        (170, -190, -190, -190),
    ],
)
def test_the_first_angle_is_the_one_within_the_limits(angle: float, low: float, high: float, wanted: float) -> None:
    """Of the angles that differ by full turns, the one within the limits is taken, or the nearest to them."""
    found = wound(angle * DEGREE, low * DEGREE, high * DEGREE)
    assert found / DEGREE == pytest.approx(wanted)


@pytest.mark.parametrize("side", [-1, 1])
def test_limits_may_be_turns_apart(yard: Callable[..., Any], side: int) -> None:
    """A motor turns a wheel twice in its direction, as far as the limit of 720 degrees, and no further."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel, _ = crank(
        scene, limited=True, lower=-720 * DEGREE, upper=720 * DEGREE, motor=True, motor_speed=12 * side, max_torque=1e7
    )
    angles = turned(scene, wheel, 90)
    assert angles[-1] == pytest.approx(side * 720 * DEGREE, abs=0.2 * DEGREE)
    assert max(abs(angle) for angle in angles) < 720.5 * DEGREE


def test_limits_may_lie_beyond_half_a_turn(yard: Callable[..., Any]) -> None:
    """A wheel at -45 degrees is at 315, within limits of 270 and 360 degrees, and swings between these."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel, joint = crank(
        scene, -45 * DEGREE, limited=True, lower=270 * DEGREE, upper=360 * DEGREE, motor=True, motor_speed=5,
        max_torque=100,
    )  # fmt: skip
    assert turned(scene, wheel, 60, -45 * DEGREE)[-1] == pytest.approx(0, abs=0.2 * DEGREE)
    scene.world.get(joint, RevoluteJoint).motor_speed = -5
    assert turned(scene, wheel, 60)[-1] == pytest.approx(-90 * DEGREE, abs=0.2 * DEGREE)


def test_a_spring_can_be_wound_up(yard: Callable[..., Any]) -> None:
    """A spring whose rest is moved three turns on turns the wheel three times; a motor winds it up and it unwinds."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel, joint = crank(scene, spring=True, hertz=2, damping=1)
    scene.run()
    scene.world.get(joint, RevoluteJoint).rest = 6 * np.pi
    angles = turned(scene, wheel, 120)
    assert angles[-1] == pytest.approx(6 * np.pi, abs=0.01)
    view = scene.world.get(joint, RevoluteJoint)
    view.motor, view.motor_speed, view.max_torque = True, 10.0, 1e6
    angles = turned(scene, wheel, 60, angles[-1])
    assert angles[-1] == pytest.approx(6 * np.pi + 10, abs=0.1)
    scene.world.get(joint, RevoluteJoint).motor = False
    assert turned(scene, wheel, 150, angles[-1])[-1] == pytest.approx(6 * np.pi, abs=0.01)


def test_a_soft_weld_unwinds_as_it_was_wound(yard: Callable[..., Any]) -> None:
    """A spring weld that a torque turned by more than half a turn swings back the way it came."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel = scene.put(0, 0, Body(inertia=1.0), Collider())
    scene.world.spawn(WeldJoint(b=wheel, angular_hertz=0.5, angular_damping=2.0))
    angle = 0.0
    for _ in range(400):
        scene.world.get(wheel, Body).torque = 60.0
        angle = turned(scene, wheel, 1, angle)[-1]
    assert angle == pytest.approx(60 / np.pi**2, rel=0.02)
    assert turned(scene, wheel, 600, angle)[-1] == pytest.approx(0, abs=0.02)


def test_a_motor_joint_turns_the_shorter_way(yard: Callable[..., Any]) -> None:
    """Its angle is a direction: from 170 degrees to -170, or to 100 turns less 170, it turns by 20."""
    for target in (-170 * DEGREE, 100 * 2 * np.pi - 170 * DEGREE):
        scene = yard(gravity=[0, 0], sleeping=False)
        wheel = scene.put(0, 0, Body(inertia=1.0), Collider(), rotation=170 * DEGREE)
        scene.world.spawn(MotorJoint(b=wheel, angle=target))
        assert turned(scene, wheel, 120, 170 * DEGREE)[-1] == pytest.approx(190 * DEGREE, abs=0.01)


def test_limits_switched_on_take_the_angle_as_it_stands(yard: Callable[..., Any]) -> None:
    """A wheel that turned freely many times turns to its limits by less than a turn when these are switched on."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel, joint = crank(scene, motor=True, motor_speed=20, max_torque=1e5, lower=-0.5, upper=0.5)
    angle = turned(scene, wheel, 60)[-1]
    view = scene.world.get(joint, RevoluteJoint)
    view.motor_speed, view.limited = 0.0, True
    after = turned(scene, wheel, 60, angle)[-1]
    assert angle == pytest.approx(20, abs=1)
    assert after == pytest.approx(6 * np.pi + 0.5, abs=0.01)


def test_a_wheel_may_turn_several_times_in_a_tick(yard: Callable[..., Any]) -> None:
    """With many sub-steps the limit of 20 turns stops a wheel that turns twice in a tick, and a gear follows."""
    scene = yard(gravity=[0, 0], sleeping=False, substeps=32)
    wheel, _ = crank(
        scene, limited=True, lower=0, upper=40 * np.pi, motor=True, motor_speed=240 * np.pi, max_torque=1e7
    )
    other = scene.put(3, 0, Body(inertia=1e-3), Collider())
    scene.world.spawn(GearJoint(a=wheel, b=other, ratio=0.25))
    scene.run(30)
    assert scene.world[Joints].impulses[0, 6] == pytest.approx(40 * np.pi, abs=0.5 * DEGREE)
    assert scene.angle(wheel) == pytest.approx(0, abs=0.5 * DEGREE)
    assert np.cos(scene.angle(other)) == pytest.approx(1, abs=0.01)
    assert abs(scene.world[Joints].impulses[1, 6]) < 0.05


def test_counted_turns_outlast_a_restore_and_a_teleport(yard: Callable[..., Any]) -> None:
    """After a restore the count goes on with the same bits; a wheel that is placed elsewhere turned the shorter way."""
    scene = yard(gravity=[0, 0], sleeping=False)
    wheel, joint = crank(scene, limited=True, lower=-30.0, upper=30.0, motor=True, motor_speed=20, max_torque=1e4)
    scene.run(30)
    kept = scene.world.snapshot()
    hashes = []
    for _ in range(2):
        scene.run(80)
        hashes.append(scene.world.hash())
        scene.world.restore(kept)
    assert hashes[0] == hashes[1]
    scene.run(80)
    assert scene.world[Joints].impulses[0, 6] == pytest.approx(30, abs=0.01)
    scene.world.get(joint, RevoluteJoint).motor = False
    teleport_bodies(scene.world, wheel, (0, 0), scene.angle(wheel) - 2.0)
    scene.run()
    assert scene.world[Joints].impulses[0, 6] == pytest.approx(28, abs=0.01)
