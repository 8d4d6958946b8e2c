"""Quaternions: products, conversions and interpolation of rotations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rish_space3d import quaternions as quat

PART = st.floats(-1, 1, width=32)
VECTOR = arrays(np.float64, 3, elements=PART).filter(lambda v: np.linalg.norm(v) > 0.1)
TURN = arrays(np.float64, 4, elements=PART).filter(lambda v: np.linalg.norm(v) > 0.1).map(quat.normalized)
SHARE = st.floats(0, 1)


def same(a: Any, b: Any, near: float = 1e-9) -> bool:
    """Whether two quaternions are the same rotation."""
    return bool(abs(abs(float(np.dot(a, b))) - 1) <= near)


@given(TURN, TURN, TURN)
def test_products_are_associative_and_have_inverses(a: Any, b: Any, c: Any) -> None:
    """Brackets do not matter, and a rotation times its inverse turns nothing."""
    np.testing.assert_allclose(quat.product(quat.product(a, b), c), quat.product(a, quat.product(b, c)), atol=1e-12)
    np.testing.assert_allclose(quat.product(a, quat.inverse(a)), [0, 0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(quat.product(3 * a, quat.inverse(3 * a)), [0, 0, 0, 1], atol=1e-12)


@given(TURN, TURN, VECTOR)
def test_a_product_turns_by_its_right_side_first(a: Any, b: Any, v: Any) -> None:
    """A product turns a vector as one rotation after the other does, and as its matrix does."""
    once = quat.turned(quat.product(a, b), v)
    np.testing.assert_allclose(once, quat.turned(a, quat.turned(b, v)), atol=1e-12)
    np.testing.assert_allclose(once, quat.to_matrix(a) @ quat.to_matrix(b) @ v, atol=1e-12)


@given(TURN)
def test_conversions_lead_back(q: Any) -> None:
    """Matrix and angles of a quaternion give the same rotation again; the matrix is orthogonal."""
    matrix = quat.to_matrix(q)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1)
    assert same(quat.from_matrix(matrix), q)
    assert same(quat.from_angles(quat.to_angles(q)), q, 1e-7)


@given(VECTOR, st.floats(-6, 6))
def test_an_axis_stays_where_it_is(axis: Any, angle: float) -> None:
    """A rotation around an axis leaves it in place, and turns what is perpendicular by the angle."""
    q = quat.from_axis(axis, angle)
    np.testing.assert_allclose(quat.turned(q, axis), axis, atol=1e-12)
    side = np.cross(axis, [1.0, 0, 0] if abs(axis[0]) < 0.5 * np.linalg.norm(axis) else [0, 1.0, 0])
    turned = quat.turned(q, side)
    assert np.dot(turned, side) == pytest.approx(math.cos(angle) * np.dot(side, side), abs=1e-9)


@given(TURN)
def test_axis_times_angle_leads_back(q: Any) -> None:
    """A rotation follows from its axis times its angle, which is at most half a turn."""
    vector = quat.to_vector(q)
    angle = float(np.linalg.norm(vector))
    assert angle <= np.pi + 1e-12
    assert same(quat.from_axis(vector, angle), q, 1e-12)


@given(VECTOR, st.floats(1e-30, 3))
def test_small_rotations_keep_their_axis_and_angle(axis: Any, angle: float) -> None:
    """The axis times the angle is precise for rotations of any size, and the same for q and -q."""
    q = quat.from_axis(axis, angle)
    expected = quat.normalized(axis) * angle
    np.testing.assert_allclose(quat.to_vector(q), expected, rtol=1e-9, atol=1e-12 * angle)
    np.testing.assert_allclose(quat.to_vector(-q), expected, rtol=1e-9, atol=1e-12 * angle)


@given(VECTOR, VECTOR)
def test_a_camera_looks_where_it_should(forward: Any, up: Any) -> None:
    """A look rotation turns -z to the direction, and keeps x perpendicular to up."""
    q = quat.look_rotation(forward, up)
    np.testing.assert_allclose(quat.turned(q, [0, 0, -1]), forward / np.linalg.norm(forward), atol=1e-6)
    if np.linalg.norm(np.cross(quat.normalized(forward), quat.normalized(up))) > 1e-3:
        assert quat.turned(q, [1, 0, 0]) @ up == pytest.approx(0, abs=1e-6)
        assert quat.turned(q, [0, 1, 0]) @ up > 0


@given(TURN, TURN, SHARE)
def test_slerp_takes_the_short_way_at_even_speed(a: Any, b: Any, t: float) -> None:
    """The angle from the start grows evenly; nlerp takes the same way and meets it at the ends and in the middle."""
    whole = 2 * math.acos(min(1, abs(float(a @ b))))
    part = quat.slerp(a, b, t)
    assert np.linalg.norm(part) == pytest.approx(1)
    assert 2 * math.acos(min(1, abs(float(a @ part)))) == pytest.approx(t * whole, abs=1e-5)
    for known in (0.0, 0.5, 1.0):
        assert same(quat.nlerp(a, b, known), quat.slerp(a, b, known), 1e-6)
    assert same(quat.slerp(a, -b, t), part, 1e-6) or whole > math.pi - 1e-6


def test_nlerp_is_at_most_a_degree_off_in_a_quarter_turn() -> None:
    """For a turn by 90° the angle of nlerp differs from that of slerp by at most 1°."""
    t = np.linspace(0, 1, 101)
    a, b = np.array([0, 0, 0, 1.0]), quat.from_axis([0, 1, 0], math.pi / 2)
    off = np.abs(quat.to_angles(quat.nlerp(a, b, t)) - quat.to_angles(quat.slerp(a, b, t)))
    assert 0.5 < np.degrees(off.max()) < 1


def test_degenerate_values_turn_nothing() -> None:
    """Zeros give the rotation that turns nothing, and parallel directions of view and up some rotation."""
    one = [0, 0, 0, 1]
    assert quat.from_axis([0, 0, 0], 1).tolist() == one
    assert quat.look_rotation([0, 0, 0]).tolist() == one
    assert quat.to_matrix(np.zeros(4)).tolist() == np.eye(3).tolist()
    assert quat.inverse(np.zeros(4)).tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(quat.turned(quat.look_rotation([0, 5, 0]), [0, 0, -1]), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(quat.normalized([3e300, 4e300]), [0.6, 0.8])


def test_arrays_broadcast_and_may_be_empty() -> None:
    """All functions take arrays of quaternions, also empty ones."""
    many = quat.from_angles(np.zeros((5, 2, 3)))
    assert quat.product(many, [0, 1, 0, 0]).shape == (5, 2, 4)
    assert quat.slerp(many, many, np.zeros((5, 2))).shape == (5, 2, 4)
    assert quat.from_matrix(quat.to_matrix(np.zeros((0, 4)))).shape == (0, 4)
    assert quat.from_axis(np.ones((7, 3)), np.ones(7)).shape == (7, 4)
    assert quat.look_rotation(np.ones((0, 3))).shape == (0, 4)
