"""Velocities and positions of free bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physics_rig import Rig, Scene, t


def lone(**settings: Any) -> tuple[Rig, Any]:
    """Return one circle of 1 m radius and 1 kg per m² in the air, and its table."""
    scene = Scene()
    scene.circle(0, 0, 1)
    rig = Rig(scene, continuous=False, **settings)
    return rig, rig.world[t.Bodies]


def test_free_fall_is_semi_implicit_euler() -> None:
    """v = g t exactly, and y = g t (t + h) / 2 with h the sub-step."""
    rig, bodies = lone()
    rig.step(60)
    assert bodies.state[1, 1] == pytest.approx(-10, rel=1e-5)
    assert bodies.pose[1, 1] == pytest.approx(-10 * 1 * (1 + 1 / 240) / 2, rel=1e-4)


def test_drive_is_only_read_where_the_flag_says_so() -> None:
    """`drive` is ignored for a body without the flag DRIVEN."""
    rig, bodies = lone()
    bodies.drive[1] = 77
    rig.step()
    assert bodies.state[1, :3].tolist() == pytest.approx([0, -10 / 60, 0])


def driven(drive: list[float], start: tuple[float, float, float] = (0, 0, 0), steps: int = 60) -> Any:
    """Return the velocity after some steps of a body with this drive."""
    rig, bodies = lone()
    bodies.flags[1] |= t.DRIVEN
    bodies.drive[1] = drive
    bodies.state[1, :3] = start
    rig.step(steps)
    return bodies.state[1, :3]


def test_gravity_scale() -> None:
    """A body with gravity scale 0 floats, and one with a negative scale rises."""
    assert driven([0, 0, 0, 0, 0, 0, 0, 0]).tolist() == [0, 0, 0]
    assert driven([-0.5, 0, 0, 0, 0, 0, 0, 0])[1] == pytest.approx(5, rel=1e-5)


def test_forces_and_torques() -> None:
    """Forces are divided by the mass and torques by the inertia: for a disc of radius 1, m = π and I = π/2."""
    found = driven([0, 0, 0, 0, np.pi, -2 * np.pi, np.pi, 0])
    np.testing.assert_allclose(found, [1, -2, 2], rtol=1e-4)


def test_damping_slows_exponentially() -> None:
    """Linear and angular damping reduce the velocities exponentially."""
    found = driven([0, 0.5, 2, 0, 0, 0, 0, 0], (4, 0, 3))
    np.testing.assert_allclose(found, [4 * np.exp(-0.5), 0, 3 * np.exp(-2)], rtol=0.01)


def test_quadratic_drag() -> None:
    """With quadratic drag 1 / v grows by k / m per second: v = v0 / (1 + v0 k t / m)."""
    found = driven([0, 0, 0, 0.2 * np.pi, 0, 0, 0, 0], (8, 0, 0))
    assert found[0] == pytest.approx(8 / (1 + 8 * 0.2), rel=0.02)


def test_kinematic_bodies_move_and_do_not_fall() -> None:
    """Kinematic bodies move with their velocity and do not fall."""
    scene = Scene()
    scene.box(0, 0, 1, 1, t.KINEMATIC)
    rig = Rig(scene)
    bodies = rig.world[t.Bodies]
    bodies.state[1, :3] = (1, 2, 0.5)
    rig.step(60)
    assert bodies.pose[1, :2] == pytest.approx([1, 2], rel=1e-4)
    assert np.arctan2(bodies.pose[1, 3], bodies.pose[1, 2]) == pytest.approx(0.5, rel=1e-4)
    assert bodies.state[1, :3].tolist() == [1, 2, 0.5]


def test_a_force_without_measure_does_not_exceed_the_maximum_speed() -> None:
    """A huge force does not exceed the maximum speed, even within the step."""
    found = driven([0, 0, 0, 0, 1e9, 0, 0, 0], steps=1)
    assert found[0] == pytest.approx(400, rel=1e-5)
