"""The deterministic functions: their accuracy, and equal bits for all ways of calling them."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rish_jit import available, maths, njit

ONE = ["sin", "cos", "tan", "exp", "log", "sqrt", "floor", "wrap_angle", "radians", "degrees"]
TWO = ["atan2", "hypot", "pow"]
THREE = ["lerp", "clamp"]
REFERENCE = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "log": math.log,
             "radians": math.radians, "degrees": math.degrees}  # fmt: skip
AWKWARD = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    -5e-324,
    2.2e-308,
    1.7e308,
    -1.7e308,
]
AWKWARD += [
    math.pi,
    -math.pi,
    math.pi / 2,
    1e5,
    1e6,
    1e6 + 1,
    1e22,
    -1e300,
    2.0**51,
    2.0**52 + 0.5,
    3.0,
    -3.0,
    1e-9,
]
one_nan = st.floats().map(lambda x: x if x == x else math.nan)  # which of two NaNs a sum returns, a compiler chooses
anything = one_nan | st.sampled_from(AWKWARD) | st.floats(-1000, 1000) | st.integers(-50, 50).map(float)


def bits(value: float) -> bytes:
    """Return the eight bytes of a float, which distinguish zeros and NaNs."""
    return struct.pack("<d", value)


def kernel(name: str):
    """Return a kernel that fills an array with one of the functions."""
    function = getattr(maths, name)
    if name in ONE:

        def fill(out, x, y, z):
            for i in range(len(out)):
                out[i] = function(x[i])

    elif name in TWO:

        def fill(out, x, y, z):
            for i in range(len(out)):
                out[i] = function(x[i], y[i])

    else:

        def fill(out, x, y, z):
            for i in range(len(out)):
                out[i] = function(x[i], y[i], z[i])

    fill.__qualname__ = f"fill_{name}"
    return njit(fill)


KERNELS = {name: kernel(name) for name in [*ONE, *TWO, *THREE]}
ARITY = {**dict.fromkeys(ONE, 1), **dict.fromkeys(TWO, 2), **dict.fromkeys(THREE, 3)}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(KERNELS))
@settings(deadline=None)  # the first call compiles
@given(rows=st.lists(st.tuples(anything, anything, anything), min_size=1, max_size=20))
@example(rows=[(a, b, 0.25) for a in AWKWARD for b in AWKWARD])
def test_equal_bits_in_every_form(name: str, rows: list[tuple[float, float, float]]) -> None:
    """A number, short and long arrays and a kernel give the same bits for any floats, NaN and signed zeros included."""
    function, arity = getattr(maths, name), ARITY[name]
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    one_by_one = np.array([function(*row[:arity]) for row in rows])
    assert function(*columns[:arity]).tobytes() == one_by_one.tobytes()
    many = [np.tile(column, 60) for column in columns[:arity]]
    assert function(*many).tobytes() == np.tile(one_by_one, 60).tobytes()
    if available():
        compiled = np.empty(len(rows))
        KERNELS[name](compiled, *columns)
        assert compiled.tobytes() == one_by_one.tobytes()


@given(anything)
def test_sincos_is_sin_and_cos(x: float) -> None:
    """`sincos` gives the same bits as `sin` and `cos`."""
    assert [bits(v) for v in maths.sincos(x)] == [bits(maths.sin(x)), bits(maths.cos(x))]
    for count in (1, 60):
        both = maths.sincos(np.full(count, x))
        assert [v.tobytes() for v in both] == [count * bits(maths.sin(x)), count * bits(maths.cos(x))]


@pytest.mark.parametrize("name", list(REFERENCE))
def test_accuracy_of_one_argument(name: str) -> None:
    """Up to 1e5, and over the ranges of exp and log, results are within 3 units in the last place."""
    rng = np.random.default_rng(1)
    xs = np.concatenate([rng.uniform(-4, 4, 4000), rng.uniform(-1e5, 1e5, 4000), np.arange(1, 400) * math.pi / 2])
    if name == "exp":
        xs = np.concatenate([rng.uniform(-700, 700, 4000), rng.uniform(-1, 1, 4000)])
    if name == "log":
        xs = np.concatenate([10.0 ** rng.uniform(-300, 300, 4000), rng.uniform(0.5, 2, 4000)])
    for x in xs.tolist():
        expected = REFERENCE[name](x)
        assert abs(getattr(maths, name)(x) - expected) <= 3 * math.ulp(expected), x


def test_accuracy_of_two_arguments() -> None:
    """atan2, hypot and pow are within 3 units in the last place of libm's."""
    rng = np.random.default_rng(2)
    for y, x in rng.normal(size=(4000, 2)).tolist():
        for ours, theirs in ((maths.atan2, math.atan2), (maths.hypot, math.hypot)):
            assert abs(ours(y, x) - theirs(y, x)) <= 3 * math.ulp(theirs(y, x))
    for base, exponent in zip(10.0 ** rng.uniform(-3, 3, 4000), rng.uniform(-90, 90, 4000), strict=True):
        expected = math.pow(base, exponent)
        assert abs(maths.pow(float(base), float(exponent)) - expected) <= 3 * math.ulp(expected)


def test_whole_powers_are_exact() -> None:
    """A power that a float can represent is exact."""
    for base in range(-40, 41):
        for exponent in range(9):
            assert maths.pow(float(base), float(exponent)) == base**exponent


SPECIAL = [v for v in AWKWARD if v == v] + [2.0, -2.0, 1e21, -1e21, 9007199254740993.0, 0.3, -0.3]


@pytest.mark.parametrize("y", SPECIAL)
def test_pow_has_the_special_cases_of_c(y: float) -> None:
    """`pow` treats zeros, infinities, negative bases and odd powers like the C standard."""
    for x in SPECIAL:
        try:
            expected = math.pow(x, y)
        except OverflowError:
            expected = -math.inf if x < 0 and math.floor(y) == y and y % 2 == 1 else math.inf
        except ValueError:
            expected = math.nan if x else math.copysign(math.inf, x if y % 2 == 1 else 1.0)
        ours = maths.pow(x, y)
        if math.isfinite(expected) and expected:
            assert abs(ours - expected) <= 3 * math.ulp(expected), (x, y)
        else:
            assert bits(ours) == bits(expected), (x, y)


@given(st.sampled_from([v for v in AWKWARD if v == v and abs(v) != math.inf] + [math.inf, -math.inf]), anything)
def test_atan2_has_the_special_cases_of_c(y: float, x: float) -> None:
    """`atan2` treats signed zeros and infinite arguments like the C standard."""
    if x == x:
        expected = math.atan2(y, x)
        ours = maths.atan2(y, x)
        assert abs(ours - expected) <= 3 * math.ulp(expected)
        assert math.copysign(1, ours) == math.copysign(1, expected)


@given(st.floats(-1e300, 1e300))
def test_huge_angles_stay_on_the_circle(x: float) -> None:
    """For any angle, however large, sine and cosine are a point on the unit circle."""
    s, c = maths.sincos(x)
    assert abs(s * s + c * c - 1) < 1e-15


@given(anything)
def test_symmetry(x: float) -> None:
    """sin and tan are odd and cos is even, to the last bit."""
    if math.isfinite(x):
        assert bits(maths.sin(-x)) == bits(-maths.sin(x))
        assert bits(maths.tan(-x)) == bits(-maths.tan(x))
        assert bits(maths.cos(-x)) == bits(maths.cos(x))


@given(st.floats(-1e6, 1e6))
def test_wrap_angle_keeps_the_direction(x: float) -> None:
    """The wrapped angle is in [-π, π) and has the same direction."""
    wrapped = maths.wrap_angle(x)
    assert -maths.PI <= wrapped < maths.PI
    assert abs(maths.sin(wrapped) - maths.sin(x)) < 1e-9


def test_out_of_range_is_nan_or_infinity_never_an_error() -> None:
    """Out of range the functions return NaN or infinity, as in IEEE 754, and never raise."""
    assert math.isnan(maths.sqrt(-1.0))
    assert math.isnan(maths.log(-1.0))
    assert maths.log(0.0) == -math.inf
    assert maths.exp(1000.0) == math.inf
    assert maths.exp(-1000.0) == 0.0
    assert math.isnan(maths.sin(math.inf))
    assert maths.hypot(math.inf, math.nan) == math.inf
    assert maths.hypot(3e300, 4e300) == 5e300
    assert bits(maths.sqrt(-1.0)) == bits(maths.NAN)


def test_what_goes_in_decides_what_comes_out() -> None:
    """Numbers give a float; arrays of any dtype and shape, also mixed with numbers, give float64 arrays."""
    assert type(maths.sin(1)) is float
    assert type(maths.hypot(np.float64(3), 4)) is float
    assert maths.sin(np.ones((2, 3), dtype=np.float32)).dtype == np.float64
    assert maths.lerp(np.zeros(4), 2.0, 0.5).tolist() == [1.0] * 4
    assert maths.clamp(np.array([-1, 5]), 0, 3).tolist() == [0, 3]
    assert maths.atan2(np.array([1, 2]), 3).shape == (2,)
    assert maths.cos(np.empty(0)).shape == (0,)
    assert [part.shape for part in maths.sincos(np.empty((0, 3)))] == [(0, 3), (0, 3)]
    for count in (2, 60):
        grid = maths.hypot(np.arange(count)[:, None], np.arange(3.0))
        assert grid.tolist() == [[maths.hypot(x, y) for y in range(3)] for x in range(count)]


ELSEWHERE = """
import hashlib, numpy as np
from rish_jit import maths
from rish_jit import njit
x = np.random.default_rng(5).uniform(-700, 700, 2000)
@njit
def fill(x, out):
    for i in range(len(x)):
        out[i] = (maths.sin(x[i]) + maths.cos(x[i]) * maths.tan(x[i]) + maths.exp(x[i] / 100)
                  + maths.log(abs(x[i])) + maths.atan2(x[i], 3.0) + maths.pow(abs(x[i]), 1.5)
                  + maths.hypot(x[i], 2.0))
out = np.empty_like(x)
fill(x, out)
print(hashlib.blake2b(out.tobytes(), digest_size=8).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(not available(), reason="needs numba")
def test_equal_bits_on_another_processor() -> None:
    """Compiled for a generic processor, or not compiled, the functions give the same bits.

    That those compiled for this processor do so as well says `test_equal_bits_in_every_form`.
    """
    variants = [{"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, {"RISH_NO_JIT": "1"}]
    results = set()
    for variant in variants:
        run = subprocess.run(
            [sys.executable, "-c", ELSEWHERE],
            env={**os.environ, **variant},
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        )
        results.add(run.stdout)
    assert len(results) == 1
