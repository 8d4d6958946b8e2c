"""Easings follow their formulas, and begin and end exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_ecs import RishError, UnknownName
from rish_jit import EASINGS, easing

UNIT = np.linspace(0, 1, 1001)
BACK = 1.70158


def expo(u: float) -> float:
    """Return the exponential rise, shifted so that it begins at 0."""
    return (2 ** (10 * (u - 1)) - 2**-10) / (1 - 2**-10)


def bounce_out(u: float) -> float:
    """Return Penner's bounce."""
    if u < 1 / 2.75:
        return 7.5625 * u * u
    for limit, middle, height in ((2, 1.5, 0.75), (2.5, 2.25, 0.9375), (math.inf, 2.625, 0.984375)):
        if u < limit / 2.75:
            return 7.5625 * (u - middle / 2.75) ** 2 + height
    raise AssertionError


def elastic_in(u: float) -> float:
    """Return Penner's elastic rise with the period 0.3."""
    return u if u in (0, 1) else -(2 ** (10 * (u - 1))) * math.sin((u - 1 - 0.075) * 2 * math.pi / 0.3)


def elastic_in_out(u: float) -> float:
    """Return Penner's elastic function with the period 0.45."""
    if u in (0, 1):
        return u
    v = 2 * u - 1
    wave = math.sin((v - 0.1125) * 2 * math.pi / 0.45)
    return -0.5 * 2 ** (10 * v) * wave if v < 0 else 2 ** (-10 * v) * wave * 0.5 + 1


RISES = {
    "sine": lambda u: 1 - math.cos(u * math.pi / 2),
    "quad": lambda u: u**2,
    "cubic": lambda u: u**3,
    "quart": lambda u: u**4,
    "quint": lambda u: u**5,
    "expo": expo,
    "circ": lambda u: 1 - math.sqrt(1 - u * u),
    "back": lambda u: u * u * ((BACK + 1) * u - BACK),
    "elastic": elastic_in,
    "bounce": lambda u: 1 - bounce_out(1 - u),
}


@pytest.mark.parametrize("name", RISES)
def test_the_functions_of_penner(name):
    """Each of the thirty functions equals its formula in plain Python."""
    rise = RISES[name]
    np.testing.assert_allclose(EASINGS[f"{name}_in"](UNIT), [rise(u) for u in UNIT.tolist()], atol=1e-12)
    np.testing.assert_allclose(EASINGS[f"{name}_out"](UNIT), [1 - rise(1 - u) for u in UNIT.tolist()], atol=1e-12)
    both = [0.5 * rise(2 * u) if u < 0.5 else 1 - 0.5 * rise(2 - 2 * u) for u in UNIT.tolist()]
    if name == "elastic":
        both = [elastic_in_out(u) for u in UNIT.tolist()]
    if name == "back":
        s = BACK * 1.525
        both = [2 * u * u * ((s + 1) * 2 * u - s) if u < 0.5 else 0 for u in UNIT.tolist()]
        both = [value if u < 0.5 else 1 - both[1000 - k] for k, (u, value) in enumerate(zip(UNIT, both, strict=True))]
        both[500] = 0.5
    np.testing.assert_allclose(EASINGS[f"{name}_in_out"](UNIT), both, atol=1e-12)


@pytest.mark.parametrize("name", [*EASINGS, "bezier(0.3, -1, 0.6, 2)", "steps(4)", "spring", "spring(4, 2)"])
def test_every_easing_begins_at_0_and_ends_at_1(name):
    """The ends are exact, so that a movement ends exactly at its value."""
    assert easing(name)(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]


def test_a_bezier_is_that_of_css():
    """`bezier` gives y at x of the cubic curve, also with flat and steep ends."""
    for x1, y1, x2, y2 in [(0.25, 0.1, 0.25, 1), (0.4, 0, 0.2, 1), (1, 0, 0, 1), (0, 1, 1, 0), (0.5, -2, 0.5, 3)]:
        s = np.linspace(0, 1, 501)
        x = 3 * x1 * s * (1 - s) ** 2 + 3 * x2 * s * s * (1 - s) + s**3
        y = 3 * y1 * s * (1 - s) ** 2 + 3 * y2 * s * s * (1 - s) + s**3
        np.testing.assert_allclose(easing(f"bezier({x1}, {y1}, {x2}, {y2})")(x), y, atol=5e-4)


def test_steps_and_springs():
    """`steps(4)` takes four equal steps; a spring begins at rest, overshoots, and swings as often as it is told."""
    assert easing("steps(4)")(np.array([0, 0.24, 0.25, 0.6, 0.99, 1])).tolist() == [0, 0, 0.25, 0.5, 0.75, 1]
    swing = easing("spring(3, 4)")(UNIT)
    assert abs(swing[1]) < 1e-3
    assert swing.max() > 1.2
    assert np.count_nonzero(np.diff(np.sign(swing[:-1] - 1))) == 6


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cubic_oot", "did you mean 'cubic_out'"),
        ("bezier", "Write bezier(x1, y1, x2, y2)"),
        ("bezier(2, 0, 1, 1)", "with x1 and x2 from 0 to 1"),
        ("bezier(a, b, c, d)", "unsuitable parameters"),
        ("steps(0)", "a whole number from 1"),
        ("spring(1, 2, 3)", "spring(cycles, damping)"),
        ("steps(nan)", "unsuitable"),
        ("__import__('os')", "no easing is called"),
    ],
)
def test_a_wrong_easing_is_reported(text, told):
    """A wrong name or parameter is refused with the nearest choice or the form."""
    with pytest.raises(RishError, match=None) as error:
        easing(text)
    assert told in str(error.value)
    if "oot" in text:
        assert isinstance(error.value, UnknownName)
