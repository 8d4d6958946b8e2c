"""The listener's axes turn with its Transform, and sources are placed along them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.space.distance import lengths
from rish_audio.space.listener import directions, listener_axes, to_listener

PARTS = st.floats(-10, 10)
VECTORS = st.tuples(PARTS, PARTS, PARTS)


def test_in_two_dimensions_the_right_is_x_and_the_front_is_y() -> None:
    """Without a rotation the world's axes are those of the ears; a quarter turn to the left puts +y on the right."""
    places = np.array([[1.0, 0, 0], [0, 2.0, 0], [0, 0, 3.0]])
    assert to_listener(places, listener_axes(0.0)) == pytest.approx(places)
    turned = to_listener(places, listener_axes(math.pi / 2))
    assert turned == pytest.approx(np.array([[0, -1, 0], [2, 0, 0], [0, 0, 3]]), abs=1e-12)


@given(st.floats(-10, 10), VECTORS, VECTORS)
def test_axes_are_perpendicular_and_of_length_one(
    angle: float, forward: tuple[float, float, float], up: tuple[float, float, float]
) -> None:
    """Whatever the orientation is, even none, the axes form a right-handed frame: right x front = up."""
    right, ahead, top = axes = listener_axes(angle, forward, up)
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.cross(right, ahead) == pytest.approx(top, abs=1e-9)


@given(st.floats(-10, 10), VECTORS, VECTORS)
def test_the_front_is_where_the_listener_faces(
    angle: float, forward: tuple[float, float, float], up: tuple[float, float, float]
) -> None:
    """What lies in the direction of `forward`, turned by the angle, lies straight ahead."""
    if np.linalg.norm(np.cross(forward, up)) < 1e-3:
        return
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = forward
    place = np.array([[c * x - s * y, s * x + c * y, z]])
    expected = [[0.0, float(np.linalg.norm(forward)), 0.0]]
    assert to_listener(place, listener_axes(angle, forward, up)) == pytest.approx(np.array(expected), abs=1e-6)


def test_a_listener_that_lies_on_its_back_has_the_viewer_in_front() -> None:
    """With forward +z, what is near the viewer is in front, and the right stays on the right."""
    seen = to_listener(np.array([[0, 0, 1.0], [1.0, 0, 0]]), listener_axes(0.0, (0, 0, 1), (0, -1, 0)))
    assert seen == pytest.approx(np.array([[0, 1, 0], [1, 0, 0]]))


@given(VECTORS, VECTORS)
def test_a_direction_has_no_jump_at_the_listener(
    place: tuple[float, float, float], step: tuple[float, float, float]
) -> None:
    """A direction has a length up to 1, which is reached at `near`; a step of a tenth of `near` changes it by 0.2."""
    near = np.array([2.0, 2.0])
    both = np.array([place, np.add(place, np.multiply(step, 0.01))])
    made = directions(both, lengths(both), near)
    assert (lengths(made) <= 1 + 1e-12).all()
    assert lengths(made[1:] - made[:1])[0] <= 2 * lengths(both[1:] - both[:1])[0] / 2.0 + 1e-9
    assert lengths(made)[0] == pytest.approx(min(1.0, math.hypot(*place) / 2.0))
