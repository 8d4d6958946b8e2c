"""Distance joints compared with formulas: rods, ropes, springs and pistons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import DistanceJoint
from rish_physics.components.tables import Joints


def crossings(values: list[float]) -> Any:
    """Return the times, in seconds, at which a series of one value per tick rises through 0."""
    now = np.array(values)
    rises = np.flatnonzero((now[:-1] < 0) & (now[1:] >= 0))
    return (rises + now[rises] / (now[rises] - now[rises + 1])) / 60


def test_a_bob_on_a_rod_swings_as_the_elliptic_integral_says(yard: Callable[..., Any]):
    """From one radian, 2 m long, the period is 2π sqrt(L / g) times 1.0663; the length stays within 1 mm."""
    scene = yard(sleeping=False)
    bob = scene.ball(2 * np.sin(1.0), -2 * np.cos(1.0), 0.05)
    scene.world.spawn(DistanceJoint(b=bob, length=2))
    places = []
    for _ in range(600):
        scene.run()
        places.append(scene.place(bob))
    assert np.diff(crossings([x for x, _ in places])).mean() == pytest.approx(
        2 * np.pi * np.sqrt(2 / 10) * 1.0663, rel=0.005
    )
    np.testing.assert_allclose(np.hypot(*np.array(places).T), 2, atol=1e-3)


def test_a_spring_swings_with_its_frequency(yard: Callable[..., Any]):
    """An undamped spring of 1.5 Hz between two masses has that frequency, and their common center stays in place."""
    scene = yard(gravity=[0, 0], sleeping=False, substeps=16)
    a = scene.ball(-1, 0, 0.5, body={"mass": 1})
    b = scene.ball(1.5, 0, 0.5, body={"mass": 4})
    scene.world.spawn(DistanceJoint(a=a, b=b, length=2, spring=True, hertz=1.5, damping=0))
    stretch = []
    for _ in range(180):
        scene.run()
        stretch.append(scene.place(b)[0] - scene.place(a)[0] - 2)
    assert np.diff(crossings(stretch)).mean() == pytest.approx(1 / 1.5, rel=0.01)
    assert scene.place(a)[0] + 4 * scene.place(b)[0] == pytest.approx(5, abs=1e-3)


def test_a_spring_is_damped_by_its_ratio(yard: Callable[..., Any]):
    """From swing to swing the amplitude falls by exp(-2π ζ / sqrt(1 - ζ²))."""
    ratio = 0.1
    scene = yard(gravity=[0, 0], sleeping=False, substeps=32)
    bob = scene.ball(3, 0, 0.1)
    scene.world.spawn(DistanceJoint(b=bob, length=2, spring=True, hertz=1, damping=ratio))
    stretch = []
    for _ in range(150):
        scene.run()
        stretch.append(scene.place(bob)[0] - 2)
    peaks = [now for before, now, after in zip(stretch, stretch[1:], stretch[2:], strict=False) if before < now > after]
    assert peaks[1] / peaks[0] == pytest.approx(np.exp(-2 * np.pi * ratio / np.sqrt(1 - ratio**2)), rel=0.05)


def test_a_rope_only_pulls(yard: Callable[..., Any]):
    """A ball falls freely until the rope is tight, and then hangs on it with its weight."""
    scene = yard()
    ball = scene.ball(0, -0.5, 0.1, body={"mass": 3})
    scene.world.spawn(DistanceJoint(b=ball, limited=True, upper=2))
    scene.run(20)
    assert scene.velocity(ball)[1] == pytest.approx(-10 / 3, rel=1e-3)
    scene.run(100)
    assert scene.place(ball)[1] == pytest.approx(-2, abs=2e-3)
    assert scene.world[Joints].load[0, :2] == pytest.approx([0, 30], rel=1e-3)


def test_a_piston_reaches_its_speed_with_its_force_only(yard: Callable[..., Any]):
    """A piston with 6 N accelerates 2 kg by 3 m/s² up to 2 m/s, and stops at its upper limit."""
    scene = yard(gravity=[0, 0])
    ball = scene.ball(1, 0, 0.1, body={"mass": 2})
    scene.world.spawn(DistanceJoint(b=ball, motor=True, motor_speed=2, max_force=6, limited=True, lower=0.5, upper=4))
    scene.run(30)
    assert scene.velocity(ball)[0] == pytest.approx(1.5, rel=1e-3)
    scene.run(30)
    assert scene.velocity(ball)[0] == pytest.approx(2, rel=1e-4)
    scene.run(120)
    assert scene.place(ball)[0] == pytest.approx(4, abs=5e-3)


def test_without_a_length_it_keeps_that_of_the_first_step(yard: Callable[..., Any]):
    """A joint without a length keeps the distance of the first step, also after changes and a restore."""
    scene = yard()
    ball = scene.ball(0, -1.25, 0.1)
    joint = scene.world.spawn(DistanceJoint(b=ball))
    scene.run(60)
    kept = scene.world.snapshot()
    scene.world.get(joint, DistanceJoint).break_force = 1000
    scene.run(60)
    assert scene.place(ball)[1] == pytest.approx(-1.25, abs=2e-3)
    scene.world.restore(kept)
    scene.run(60)
    assert scene.place(ball)[1] == pytest.approx(-1.25, abs=2e-3)


def test_anchors_at_one_place_part_again(yard: Callable[..., Any]):
    """A rod whose ends coincide pushes them apart along the first axis of a."""
    scene = yard(gravity=[0, 0])
    ball = scene.ball(0, 0, 0.1)
    scene.world.spawn(DistanceJoint(b=ball, length=1))
    scene.run(120)
    assert np.hypot(*scene.place(ball)) == pytest.approx(1, abs=2e-3)
