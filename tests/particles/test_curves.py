"""Curves pass through their keys."""

from __future__ import annotations

import numpy as np
import pytest

from rish_jit import maths
from rish_particles.curves import COLORS, FORMER_EASINGS, SAMPLES, STEPS, Curve, color_table, constant, ramp


def test_a_curve_is_its_keys_and_straight_between_them():
    """A curve equals its keys, is linear between them and constant beyond both ends."""
    curve = Curve((0.25, 0.75), ((1.0,), (3.0,)), ("linear", "linear"))
    assert [curve.at(t)[0] for t in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 3, 3]


def test_samples_are_exact_at_0_half_and_1():
    """The sampled table equals the curve at 0, ½ and 1."""
    curve = Curve((0.0, 0.5, 1.0), ((2.0,), (5.0,), (1.0,)), ("smooth", "back_out", "linear"))
    table = curve.sampled()
    assert table.shape == (SAMPLES, 1)
    assert table[[0, STEPS // 2, STEPS], 0].tolist() == [2, 5, 1]


FORMULAS = {
    "hold": lambda u: 0.0,
    "in": lambda u: u * u,
    "out": lambda u: u * (2.0 - u),
    "in_out": lambda u: u * u * (3.0 - 2.0 * u),
    "sine": lambda u: 0.5 - 0.5 * maths.cos(maths.PI * u),
    "back": lambda u: 1.0 + 2.70158 * (u - 1.0) ** 3 + 1.70158 * (u - 1.0) ** 2,
}


@pytest.mark.parametrize("name", FORMULAS)
def test_earlier_easings_keep_their_samples(name: str):
    """A curve with an easing of an earlier name has the same bits as when particles had formulas of their own."""
    for begin, end, low, high in ((0.0, 1.0, 0.0, 1.0), (0.1, 0.7, 3.0, -2.0), (1 / 3, 0.9, 0.45, 110.0)):
        curve = Curve((begin, end), ((low,), (high,)), (FORMER_EASINGS[name], "linear"))
        times = [k / STEPS for k in range(SAMPLES)]
        eased = [low if t <= begin else low + (high - low) * FORMULAS[name]((t - begin) / (end - begin)) for t in times]
        before = [high if t >= end else value for t, value in zip(times, eased, strict=True)]
        assert curve.sampled()[:, 0].tolist() == np.array(before, np.float32).tolist()


def test_a_color_table_multiplies_opacities_and_rounds_half_up():
    """A color table multiplies color and opacity and rounds half up; checked at birth, half-way and death."""
    table = color_table(ramp((1, 0, 0, 1), (0, 0, 1, 0.5)), ramp((1,), (0.5,)))
    assert table.shape == (COLORS, 4)
    assert table[0].tolist() == [255, 0, 0, 255]
    assert table[128].tolist() == [128, 0, 128, 143]
    assert table[256].tolist() == [0, 0, 255, 64]


def test_a_constant_is_one_everywhere():
    """A constant curve has the same value everywhere, also with several numbers."""
    assert np.all(constant(0.3, 0.6).sampled() == np.float32([0.3, 0.6]))
