"""Distances and trajectories agree with those of other libraries, see `tests/references/other_solvers.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from other_solvers import EVERY, FALL, FRICTION, GRAVITY, SPIN, box_cases, hull_cases
from rish_physics3d import Collider3D, HingeJoint3D, Physics3DSettings, contacts_of_3d
from rish_physics3d.bodies.layout import pool_of
from rish_physics3d.contacts.shapes import HULL, collide_shapes, relate, working_memory
from rish_physics3d.geometry.collide.gjk import WORK, distance
from rish_physics3d.geometry.hulls import hull_of
from rish_space3d import Transform3D, quaternions

STORED: dict[str, Any] = json.loads((Path(__file__).parent / "other_solvers.json").read_text(encoding="utf-8"))


def test_distances_of_hulls_are_those_of_coal() -> None:
    """The distance of two hulls agrees within 1e-6 m, and is 0 where coal finds a depth."""
    work, near = np.zeros(WORK), np.zeros(6)
    for (a, b), expected in zip(hull_cases(), STORED["coal: distances of hulls, m"], strict=True):
        gap = distance(a.ravel(), 0, len(a), b.ravel(), 0, len(b), work, near)
        assert gap == pytest.approx(max(expected, 0), abs=1e-6)


def test_depths_of_hulls_are_those_of_coal() -> None:
    """Two overlapping hulls are as deep along the normal as coal says, up to 6 mm, the preference for faces."""
    work, here, size = working_memory(), np.zeros(8, np.float32), np.zeros(8, np.float32)
    here[7] = 1
    relate(here, here, work[1])
    form = np.array([HULL, 0, 0, HULL, 1, 1], np.int32)
    depths = [each for each in zip(hull_cases(), STORED["coal: distances of hulls, m"], strict=True) if each[1] < 0]
    assert len(depths) > 8
    for (a, b), expected in depths:
        hulls = hull_of(a), hull_of(b)
        x, y, z = (hulls[1].center - hulls[0].center).astype(np.float32)
        count, *normal, _ = collide_shapes(0, 1, x, y, z, (form, size), pool_of(hulls), np.float32(0.01), work)
        n = np.array(normal, np.float64)
        assert count > 0
        assert expected - 0.006 <= (b @ n).min() - (a @ n).max() <= expected + 1e-5


def test_free_flight_with_spin_is_that_of_mujoco(yard: Callable[..., Any]) -> None:
    """A box that tumbles about its middle axis is within 45 mm after two seconds, and turned within .02 rad."""
    game = yard(gravity=-10)
    velocity, spin, (a, b, c) = SPIN
    size = np.sqrt(3 * np.array([b + c - a, a + c - b, a + b - c])).tolist()  # of a box of 2 kg with these moments
    body = game.box(0, 0, 0, size, body={"mass": 2, "velocity": velocity, "angular_velocity": spin})
    for row in STORED["mujoco: position and rotation in free flight"]:
        game.run(EVERY)
        place = game.world.get(body, Transform3D)
        assert game.position(body) == pytest.approx(row[:3], abs=0.045)
        turn = quaternions.product(quaternions.inverse(row[3:]), place.rotation)
        assert np.linalg.norm(turn[:3]) < 0.01


def test_a_pendulum_is_that_of_mujoco(yard: Callable[..., Any]) -> None:
    """A pendulum that falls from the horizontal is within .03 rad for two seconds."""
    game = yard(gravity=-10)
    bob = game.ball(1, 0, 0, radius=0.1, body={"mass": 1})
    game.world.spawn(HingeJoint3D(b=bob, anchor_b=(-1, 0, 0), axis=(0, 0, 1)))
    for (angle,) in STORED["mujoco: angle of a pendulum, rad"]:
        game.run(EVERY)
        x, y, _ = game.position(bob)
        assert np.arctan2(y, x) == pytest.approx(angle, abs=0.03)


def test_depths_of_boxes_are_those_of_coal(yard: Callable[..., Any]) -> None:
    """Two overlapping boxes are as deep as coal says, up to 6 mm, the preference for faces."""
    game, pairs = yard(), []
    for k, (halves, place, turn) in enumerate(box_cases()):
        first = game.put(10.0 * k, 0, 0, Collider3D(size=(2 * halves[0]).tolist()))
        x, y, z = place.tolist()
        second = game.box(10 * k + x, y, z, (2 * halves[1]).tolist(), rotation=turn.tolist())
        pairs.append((first, second))
    game.run(1)
    touches = contacts_of_3d(game.world, np.array([first for first, _ in pairs]))
    depths = {int(row): float(gap) for row, gap in zip(touches.query, touches.separation, strict=True)}
    deep = {k: expected for k, expected in enumerate(STORED["coal: distances of boxes, m"]) if expected < -0.01}
    assert len(deep) > 20
    assert [depths[k] for k in deep] == pytest.approx(list(deep.values()), abs=0.006)


def test_a_sliding_box_is_that_of_mujoco(yard: Callable[..., Any]) -> None:
    """A box that slides three meters down a slope in two seconds is within 4 cm all the way."""
    game = yard()
    game.world[Physics3DSettings].gravity = GRAVITY
    game.ground(friction=FRICTION)
    box = game.box(0, 0.5, 0, friction=FRICTION)
    for (way,) in STORED["mujoco: way of a sliding box, m"]:
        game.run(EVERY)
        assert game.position(box)[0] == pytest.approx(way, abs=0.04)


def test_a_bouncing_ball_is_that_of_mujoco(yard: Callable[..., Any]) -> None:
    """A ball that bounces without loss is within 10 cm of MuJoCo's until it bounces again: it leaves a tick late."""
    game = yard(gravity=-10)
    game.ground()
    ball = game.ball(0, FALL + 0.5, 0, restitution=1.0)
    for (height,) in STORED["mujoco: height of a bouncing ball, m"][:5]:
        game.run(EVERY)
        assert game.position(ball)[1] == pytest.approx(height, abs=0.1)
