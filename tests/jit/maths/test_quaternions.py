"""Quaternions of three angles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_jit import angles_of, quaternions_of

ANGLE = st.floats(-7, 7)


def around(axis: int, angle: float) -> np.ndarray:
    """Return the matrix of a rotation around one axis, by its definition."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    made = np.eye(3)
    made[one, one] = made[two, two] = math.cos(angle)
    made[two, one], made[one, two] = math.sin(angle), -math.sin(angle)
    return made


def turned(quaternion: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return a point turned by a quaternion, by the formula with cross products."""
    axis, w = quaternion[:3], quaternion[3]
    return point + 2 * np.cross(axis, np.cross(axis, point) + w * point)


@given(ANGLE, ANGLE, ANGLE)
def test_it_rolls_then_pitches_then_yaws(x: float, y: float, z: float) -> None:
    """The quaternion of three angles turns as the matrices of yaw, pitch and roll do, the roll first."""
    expected = around(1, y) @ around(0, x) @ around(2, z)
    made = quaternions_of([x, y, z])
    for point in np.eye(3):
        np.testing.assert_allclose(turned(made, point), expected @ point, atol=1e-12)


@given(ANGLE, ANGLE, ANGLE)
def test_angles_lead_back_to_the_same_rotation(x: float, y: float, z: float) -> None:
    """The angles of a quaternion give the same rotation again, straight up and down included."""
    for pitch in (x, math.pi / 2, -math.pi / 2):
        first = quaternions_of([pitch, y, z])
        assert abs(float(first @ quaternions_of(angles_of(first)))) == pytest.approx(1, abs=1e-8)


def test_arrays_of_any_shape_are_taken() -> None:
    """Both functions work on the last axis."""
    assert quaternions_of(np.zeros((2, 5, 3))).shape == (2, 5, 4)
    assert angles_of(np.ones((0, 4))).shape == (0, 3)
