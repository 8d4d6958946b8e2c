"""Velocities come from two ticks, and change the pitch as OpenAL 1.1 says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.space.motion import doppler, velocity

C = 343.0
SPEEDS = st.floats(-2000, 2000)
VECTORS = st.tuples(SPEEDS, SPEEDS, SPEEDS)


def pitch(
    offset: tuple[float, float, float],
    source: tuple[float, float, float],
    listener: tuple[float, float, float] = (0, 0, 0),
    factor: float = 1.0,
) -> float:
    """Return the factor of the pitch of one source."""
    return float(
        doppler(np.array([offset]), np.array([math.hypot(*offset)]), np.array([source]), np.array(listener), C, factor)[
            0
        ]
    )


def test_a_tone_that_passes_has_the_frequencies_of_theory() -> None:
    """440 Hz at 40 m/s are heard as 498 Hz while approaching and as 394 Hz while going away."""
    assert 440 * pitch((-100.0, 0, 0), (40.0, 0, 0)) == pytest.approx(440 * C / (C - 40))
    assert 440 * pitch((100.0, 0, 0), (40.0, 0, 0)) == pytest.approx(440 * C / (C + 40))
    assert 440 * pitch((100.0, 0, 0), (40.0, 0, 0)) == pytest.approx(394.0, abs=0.1)
    assert 440 * pitch((0, 30.0, 0), (40.0, 0, 0)) == 440.0


def test_a_listener_that_moves_hears_it_too() -> None:
    """A listener that moves towards a source at rest hears 1 + v / c times the frequency."""
    assert pitch((100.0, 0, 0), (0, 0, 0), (40.0, 0, 0)) == pytest.approx(1 + 40 / C)
    assert pitch((100.0, 0, 0), (0, 0, 0), (-40.0, 0, 0)) == pytest.approx(1 - 40 / C)


@given(VECTORS, st.floats(-200, 200), st.floats(-200, 200), st.floats(0, 1.5))
def test_slow_motion_follows_the_formula(
    offset: tuple[float, float, float], sent: float, heard: float, factor: float
) -> None:
    """Below the speed of sound the factor is (c - f vl) / (c - f vs), with velocities on the line to the listener."""
    distance = math.hypot(*offset)
    if distance < 1e-3:
        return
    line = [-part / distance for part in offset]
    source, listener = ((v * line[0], v * line[1], v * line[2]) for v in (sent, heard))
    expected = (C - factor * heard) / (C - factor * sent)
    assert pitch(offset, source, listener, factor) == pytest.approx(min(max(expected, 0.25), 4.0), rel=1e-9)


@given(VECTORS, VECTORS, VECTORS, st.floats(0, 10))
def test_every_motion_gives_a_rate_within_two_octaves(
    offset: tuple[float, float, float],
    source: tuple[float, float, float],
    listener: tuple[float, float, float],
    factor: float,
) -> None:
    """Supersonic motion and a source at the listener's place neither divide by zero nor leave 1/4 to 4."""
    assert 0.25 <= pitch(offset, source, listener, factor) <= 4.0


def test_those_that_fly_together_keep_their_pitch() -> None:
    """A source and a listener with the same velocity keep the pitch, also above the speed of sound."""
    for speed in (100.0, 343.0, 1000.0):
        assert pitch((50.0, 0, 0), (-speed, 0, 0), (-speed, 0, 0)) == pytest.approx(1.0)
        assert pitch((50.0, 20.0, 0), (0, -speed, 3.0), (0, -speed, 3.0)) == pytest.approx(1.0)


def test_the_velocity_is_the_way_of_a_tick() -> None:
    """A velocity is the difference of two positions by the time between them."""
    now, before = np.array([[1.0, 2.0, 3.0]]), np.array([[0.5, 2.0, 4.0]])
    assert velocity(now, before, 0.5, 100.0).tolist() == [[1.0, 0.0, -2.0]]


def test_a_teleport_and_the_first_tick_have_no_velocity() -> None:
    """A row beyond the limit, or without a position before, stands still; the others keep their velocity."""
    now = np.array([[100.0, 0, 0], [5.0, 0, 0], [1.0, 0, 0]])
    before = np.array([[0.0, 0, 0], [np.nan, np.nan, np.nan], [0.0, 0, 0]])
    assert velocity(now, before, 1.0, 99.0).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
