"""Curves pass through their keys."""

from __future__ import annotations

import numpy as np
import pytest

from rish_particles.curves import COLOURS, EASINGS, SAMPLES, STEPS, Curve, colour_table, constant, ramp


def test_a_curve_is_its_keys_and_straight_between_them():
    """A curve equals its keys, is linear between them and constant beyond both ends."""
    curve = Curve((0.25, 0.75), ((1.0,), (3.0,)), ("linear", "linear"))
    assert [curve.at(t)[0] for t in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 3]


def test_samples_are_exact_at_0_half_and_1():
    """The sampled table equals the curve at 0, ½ and 1."""
    curve = Curve((0.0, 0.5, 1.0), ((2.0,), (5.0,), (1.0,)), ("in_out", "back", "linear"))
    table = curve.sampled()
    assert table.shape == (SAMPLES, 1)
    assert table[[0, STEPS // 2, STEPS], 0].tolist() == [2, 5, 1]


@pytest.mark.parametrize("name", EASINGS)
def test_easings_begin_at_0_and_end_at_1(name: str):
    """Every easing begins at 0 and ends at 1, except `hold`, which stays at 0."""
    ease = EASINGS[name]
    assert ease(0) == pytest.approx(0, abs=1e-9)
    assert ease(1) == pytest.approx(0 if name == "hold" else 1)


def test_a_colour_table_multiplies_opacities_and_rounds_half_up():
    """A colour table multiplies colour and opacity and rounds half up; checked at birth, half-way and death."""
    table = colour_table(ramp((1, 0, 0, 1), (0, 0, 1, 0.5)), ramp((1,), (0.5,)))
    assert table.shape == (COLOURS, 4)
    assert table[0].tolist() == [255, 0, 0, 255]
    assert table[128].tolist() == [128, 0, 128, 143]
    assert table[256].tolist() == [0, 0, 255, 64]


def test_a_constant_is_one_everywhere():
    """A constant curve has the same value everywhere, also with several numbers."""
    assert np.all(constant(0.3, 0.6).sampled() == np.float32([0.3, 0.6]))
