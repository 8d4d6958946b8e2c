"""Gains have a constant power in every direction, and follow the direction without a jump."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.space.layouts import ANGLES, LAYOUTS, ring
from rish_audio.space.panning import balance_gains, pan_gains, placed_gains

CHANNELS = st.integers(1, 8)
SHARES = st.floats(-1, 1)
DIRECTIONS = st.tuples(SHARES, SHARES, SHARES).map(
    lambda v: np.array([v]) / max(1.0, math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2))
)
MIRRORED = {"FL": "FR", "BL": "BR", "SL": "SR"}
MIRRORED |= {right: left for left, right in MIRRORED.items()}


def at(degrees: float) -> np.ndarray:
    """Return the direction at an angle clockwise from the front."""
    return np.array([[math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), 0.0]])


@given(DIRECTIONS, CHANNELS, st.floats(0, 1))
def test_the_power_is_the_same_in_every_direction(direction: np.ndarray, channels: int, spread: float) -> None:
    """The squares of the gains add up to 1, no gain is negative, and the channel for low frequencies has none."""
    gains = pan_gains(direction, channels, spread)[0]
    assert gains.dtype == np.float32
    assert (gains.astype(float) ** 2).sum() == pytest.approx(1, abs=1e-6)
    assert (gains >= 0).all()
    if "LFE" in LAYOUTS[channels]:
        assert gains[LAYOUTS[channels].index("LFE")] == 0


@given(DIRECTIONS, DIRECTIONS, CHANNELS)
def test_a_small_step_changes_the_gains_a_little(before: np.ndarray, other: np.ndarray, channels: int) -> None:
    """Gains change by at most a constant times the way of the direction, also overhead and near the listener."""
    after = before + 0.02 * (other - before)
    change = np.abs(pan_gains(after, channels) - pan_gains(before, channels)).max()
    assert change <= 4.0 * np.linalg.norm(after - before) + 1e-6


@given(DIRECTIONS, CHANNELS)
def test_left_and_right_are_symmetric(direction: np.ndarray, channels: int) -> None:
    """The mirrored direction has the gains of the mirrored loudspeakers."""
    names = LAYOUTS[channels]
    mirrored = [names.index(MIRRORED.get(name, name)) for name in names]
    got = pan_gains(direction * [-1, 1, 1], channels)[0]
    assert got == pytest.approx(pan_gains(direction, channels)[0][mirrored], abs=1e-6)


@pytest.mark.parametrize("degrees", range(-180, 181, 15))
def test_stereo_is_the_law_of_sine_and_cosine(degrees: int) -> None:
    """For an angle a from the front the gains are cos(π/4 + a/2) and sin(π/4 + a/2); behind is like in front."""
    a = math.asin(math.sin(math.radians(degrees)))
    expected = [math.cos(math.pi / 4 + a / 2), math.sin(math.pi / 4 + a / 2)]
    assert pan_gains(at(degrees), 2)[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("channels", [5, 6, 7])
def test_a_source_at_a_loudspeaker_is_played_by_it_alone(channels: int) -> None:
    """In the direction of each loudspeaker its gain is 1."""
    for index, name in enumerate(LAYOUTS[channels]):
        angle = ANGLES[name]
        if angle is not None:
            assert pan_gains(at(angle), channels)[0] == pytest.approx(np.eye(channels)[index], abs=1e-6)


def test_between_two_loudspeakers_the_tangent_law_holds() -> None:
    """Pairwise panning is the tangent law, tan(a) / tan(a0) = (gr - gl) / (gr + gl), here for quad in front."""
    for a in range(-45, 46, 9):
        left, right, *back = pan_gains(at(a), 4)[0].tolist()
        assert (right - left) / (right + left) == pytest.approx(math.tan(math.radians(a)), abs=1e-6)
        assert back == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize("channels", range(2, 9))
def test_the_listeners_place_and_overhead_are_heard_from_everywhere(channels: int) -> None:
    """A source at the listener, above it, or spread completely has the same gain in all loudspeakers."""
    playing = np.array([name != "LFE" for name in LAYOUTS[channels]])
    even = playing / math.sqrt(playing.sum())
    for direction, spread in (([[0, 0, 0]], 0), ([[0, 0, 1]], 0), ([[0, 0, -1]], 0), (at(70), 1)):
        assert pan_gains(np.array(direction, float), channels, spread)[0] == pytest.approx(even, abs=1e-6)


def test_many_rows_are_panned_like_each_alone() -> None:
    """A row does not depend on the other rows."""
    rows = np.random.default_rng(1).uniform(-0.5, 0.5, (50, 3))
    for channels in range(1, 9):
        alone = np.concatenate([pan_gains(row[None], channels) for row in rows])
        assert (pan_gains(rows, channels) == alone).all()


def test_a_ring_without_a_gap_of_half_a_turn_is_solvable() -> None:
    """In every layout neighboring loudspeakers, with the imagined one of three channels, are under 180° apart."""
    for channels in range(3, 9):
        bounds = ring(channels).bounds
        assert (np.diff([*bounds, bounds[0] + 4]) < 2).all()


def test_a_stereo_clip_in_space_is_folded_to_its_place() -> None:
    """A mono clip has its gains in the first row, a stereo clip half of them in both."""
    gains = pan_gains(at(20), 2)
    made = placed_gains(np.repeat(gains, 2, axis=0), np.array([1, 2]))
    assert made.dtype == np.float32
    assert made[0].tolist() == [gains[0].tolist(), [0, 0]]
    assert made[1] == pytest.approx(np.repeat(gains / 2, 2, axis=0))


@given(SHARES, st.integers(2, 8))
def test_a_pan_without_a_place_keeps_the_power(pan: float, channels: int) -> None:
    """Each channel of a clip has a power of 1 at every pan, in the two front loudspeakers."""
    gains = balance_gains(np.array([pan, pan]), np.array([1, 2]), channels).astype(float)
    assert (gains**2).sum(axis=2) == pytest.approx(np.array([[1, 0], [1, 1]]), abs=1e-6)
    assert not gains[:, :, 2:].any()


def test_the_ends_and_the_middle_of_a_pan() -> None:
    """Mono: left, both at -3 dB, right. Stereo: as it is in the middle; at an end both channels on that side."""
    pans = np.array([-1.0, 0.0, 1.0])
    half = math.sqrt(0.5)
    mono = balance_gains(pans, np.ones(3, int), 2)
    assert mono[:, 0] == pytest.approx(np.array([[1, 0], [half, half], [0, 1]]), abs=1e-6)
    stereo = balance_gains(pans, np.full(3, 2), 2)
    assert stereo == pytest.approx(np.array([[[1, 0], [1, 0]], [[1, 0], [0, 1]], [[0, 1], [0, 1]]], float), abs=1e-6)


@given(SHARES, st.floats(0, 0.1), st.integers(1, 2))
def test_a_pan_has_no_jump(pan: float, step: float, clip_channels: int) -> None:
    """Gains change by at most twice the step of the pan."""
    both = balance_gains(np.array([pan, min(1.0, pan + step)]), np.full(2, clip_channels), 2)
    assert np.abs(both[1] - both[0]).max() <= 2 * step + 1e-6


def test_one_channel_gets_everything() -> None:
    """An output with one channel gets a mono clip whole, and both channels of a stereo clip half."""
    assert balance_gains(np.array([-1.0, 0.5]), np.array([1, 2]), 1).tolist() == [[[1], [0]], [[0.5], [0.5]]]
    assert pan_gains(at(50), 1).tolist() == [[1]]
