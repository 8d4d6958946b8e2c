"""Gains follow the formulas of OpenAL 1.1, and fade to silence at the greatest distance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_audio.space.distance import EXPONENTIAL, FADE_SHARE, INVERSE, LINEAR, NONE, cone_gain, distance_gain, lengths

MODELS = (NONE, INVERSE, LINEAR, EXPONENTIAL)


def gain(distance: float, model: int, low: float = 1.0, high: float = 1000.0, factor: float = 1.0) -> float:
    """Return the gain of one source."""
    d, near, far, steep = np.array([[distance], [low], [high], [factor]], float)
    return float(distance_gain(d, near, far, steep, np.array([model], np.uint8))[0])


def reference(distance: float, model: int, low: float, high: float, factor: float) -> float:
    """The clamped models of OpenAL 1.1, section 3.4, and the fade."""
    if model == NONE:
        return 1.0
    d = min(max(distance, low), high)
    if model == INVERSE:
        value = low / (low + factor * (d - low))
    elif model == LINEAR:
        value = min(max(1 - factor * (d - low) / (high - low), 0.0), 1.0)
    else:
        value = (d / low) ** -factor
    return value * min(max((high - d) / min(FADE_SHARE * high, high - low), 0.0), 1.0)


ROWS = st.lists(
    st.tuples(st.floats(0, 2000), st.sampled_from(MODELS), st.floats(0.1, 100), st.floats(101, 1500), st.floats(0, 5)),
    min_size=1,
    max_size=30,
)


@given(ROWS)
def test_each_row_has_the_gain_of_its_model(rows: list[tuple[float, int, float, float, float]]) -> None:
    """Sources with different models in one call have the gains of the plain formulas."""
    distance, model, low, high, factor = map(np.array, zip(*rows, strict=True))
    got = distance_gain(distance, low, high, factor, model.astype(np.uint8))
    assert got == pytest.approx([reference(*row) for row in rows], abs=1e-12)


def test_inverse_distance_loses_six_decibels_with_each_doubling() -> None:
    """The inverse model is within 0.5 dB of -6.02 dB a doubling, from the least distance to 0.9 of the greatest."""
    levels = [20 * math.log10(gain(2.0**k, INVERSE)) for k in range(10)]
    assert np.diff(levels) == pytest.approx(-20 * math.log10(2), abs=0.01)


@pytest.mark.parametrize("model", [INVERSE, LINEAR, EXPONENTIAL])
def test_nothing_is_heard_from_the_greatest_distance_on(model: int) -> None:
    """All models except NONE are silent at the greatest distance and beyond it, even with a small factor."""
    assert gain(1000, model, factor=0.1) == 0.0
    assert gain(1e9, model, factor=0.1) == 0.0
    assert gain(999, model, factor=0.1) > 0.0
    assert gain(1e9, NONE) == 1.0


@pytest.mark.parametrize("model", MODELS)
def test_distances_that_fit_badly_give_a_gain_within_0_and_1(model: int) -> None:
    """A least distance of zero, or above the greatest one, and a range of nothing give finite gains."""
    for low, high in ((0.0, 10.0), (20.0, 10.0), (0.0, 0.0), (5.0, 5.0), (1.0, math.inf)):
        for distance in (0.0, 5.0, 10.0, 1e6):
            assert 0.0 <= gain(distance, model, low, high) <= 1.0


@given(st.floats(0, 1500), st.floats(0, 0.5), st.sampled_from(MODELS))
def test_a_small_step_changes_the_gain_a_little(distance: float, step: float, model: int) -> None:
    """The gain has no jump: it changes by at most the greatest slope of its model times the step."""
    change = abs(gain(distance + step, model, low=10) - gain(distance, model, low=10))
    assert change <= 0.11 * step + 1e-12


def test_lengths_are_those_of_the_rows() -> None:
    """The length of each vector is that of its three numbers."""
    assert lengths(np.array([[3.0, 4.0, 12.0], [0.0, 0.0, 0.0]])).tolist() == [13.0, 0.0]


def cone(angle: float, inner: float, outer: float, outside: float) -> float:
    """Return the gain of a source that faces +x, for a listener at an angle from there."""
    direction = np.array([[math.cos(angle), math.sin(angle), 0.0]]) * 7
    one = np.array([[inner], [outer], [outside]])
    return float(cone_gain(direction, np.array([[2.0, 0.0, 0.0]]), one[0], one[1], one[2])[0])


@given(st.floats(-math.pi, math.pi), st.floats(0, 3), st.floats(0.01, 3), st.floats(0, 1))
def test_a_cone_is_linear_in_the_angle(angle: float, inner: float, more: float, outside: float) -> None:
    """The gain is 1 inside, the given one outside, and between the cones in proportion to the angle."""
    share = min(max((2 * abs(angle) - inner) / more, 0.0), 1.0)
    assert cone(angle, inner, inner + more, outside) == pytest.approx(1 + share * (outside - 1), abs=1e-9)


def test_a_cone_of_a_whole_turn_and_a_source_without_a_direction_change_nothing() -> None:
    """The default cone, no source at all, and a source at the listener's place have the gain 1."""
    assert cone(3.0, 2 * math.pi, 2 * math.pi, 0.0) == 1.0
    nothing = np.zeros(0)
    assert len(cone_gain(np.zeros((0, 3)), np.zeros((0, 3)), nothing, nothing, nothing)) == 0
    one = np.ones(1)
    assert cone_gain(np.zeros((1, 3)), np.array([[1.0, 0, 0]]), one, one, one * 0).tolist() == [1.0]
