"""The functions of `rish_jit.maths` for arrays: the steps of `numbers`, with masks instead of branches.

Both branches are computed and the right one is selected, so the caller must silence numpy's warnings. Arguments are
float64 arrays that broadcast together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import series
from .series import INF, NAN, PI, TAU

Array = npt.NDArray[np.float64]


def _quarters(x: Array) -> tuple[npt.NDArray[np.int64], Array, Array]:
    x = np.where(np.abs(x) <= series.LARGEST, x, 0.0)
    x = np.where(np.abs(x) > series.FAR, np.fmod(x, TAU), x)
    k = (x * series.PER_QUARTER + series.ROUND) - series.ROUND
    r, low = series.reduce_angle(x, k)
    return k.astype(np.int64) & 3, r, low


def sincos(x: Array) -> tuple[Array, Array]:
    """Sines and cosines of angles."""
    quadrant, r, low = _quarters(x)
    odd = (quadrant & 1) != 0
    s: Array = series.sin_series(r, low)
    c: Array = series.cos_series(r, low)
    sine: Array = np.where(odd, c, s)
    cosine: Array = np.where(odd, s, c)
    sine = np.where((quadrant & 2) != 0, -sine, sine)
    cosine = np.where(((quadrant + 1) & 2) != 0, -cosine, cosine)
    near = np.abs(x) < series.TINY
    in_range = np.abs(x) <= series.LARGEST
    sine = np.where(in_range, np.where(near, x, sine), NAN)
    return sine, np.where(in_range, np.where(near, 1.0, cosine), NAN)


def sin(x: Array) -> Array:
    """The sines of angles."""
    return sincos(x)[0]


def cos(x: Array) -> Array:
    """The cosines of angles."""
    return sincos(x)[1]


def tan(x: Array) -> Array:
    """The tangents of angles."""
    s, c = sincos(x)
    return np.where(np.isnan(s), NAN, s / c)


def atan2(y: Array, x: Array) -> Array:
    """The directions of vectors."""
    rise = np.abs(y)
    run = np.abs(x)
    small = np.minimum(rise, run)
    large = np.maximum(rise, run)
    both = np.where((small == large) & (small > 0.0), 1.0, 0.0)
    ratio = np.where((large > 0.0) & (large <= series.LARGEST), small / large, both)
    k = (8.0 * ratio + 0.5).astype(np.int64)
    center = 0.125 * k
    high: Array = np.asarray(series.ATAN)[k]
    low: Array = np.asarray(series.LOW_ATAN)[k] + series.atan_series((ratio - center) / (1.0 + ratio * center))
    turns: tuple[tuple[Any, float, float], ...] = (
        (rise > run, 0.5 * PI, series.LOW_HALF_PI),
        (np.signbit(x), PI, 2.0 * series.LOW_HALF_PI),
    )
    for chosen, whole, whole_low in turns:
        turned = whole - high
        low = np.where(chosen, (((whole - turned) - high) + whole_low) - low, low)
        high = np.where(chosen, turned, high)
    return np.where(np.isnan(x) | np.isnan(y), NAN, np.copysign(high + low, y))


def _exp_of(x: Array, low: Array) -> Array:
    inside = (x >= series.LOWEST_EXP) & (x <= series.HIGHEST_EXP)
    safe = np.where(inside, x, 0.0)
    k = (safe * series.PER_LN2 + series.ROUND) - series.ROUND
    whole = k.astype(np.int64)
    half = whole // 2
    value = series.exp_series(safe, low, k) * np.ldexp(1.0, half) * np.ldexp(1.0, whole - half)
    return np.where(inside, value, np.where(np.isnan(x), NAN, np.where(x > 0.0, INF, 0.0)))


def exp(x: Array) -> Array:
    """e**x of each element."""
    return _exp_of(x, np.zeros_like(x))


def _mantissas(x: Array) -> tuple[Array, Array]:
    m, e = np.frexp(np.where((x > 0.0) & (x <= series.LARGEST), x, 1.0))
    small = m < series.SQRT_HALF
    return np.where(small, 2.0 * m, m), np.where(small, e - 1.0, e + 0.0)


def log(x: Array) -> Array:
    """The natural logarithms."""
    value = series.log_series(*_mantissas(x))
    value = np.where(x > series.LARGEST, INF, np.where(x == 0.0, -INF, value))
    return np.where(x >= 0.0, value, NAN)


def pow(x: Array, y: Array) -> Array:
    """x**y of each pair."""
    x, y = np.broadcast_arrays(x, y)
    base = np.abs(x)
    high, low = series.log_in_two(*_mantissas(base))
    p, p_low = series.product(y, high)
    value = _exp_of(p, p_low + y * low)
    extreme = (base == 0.0) | (base > series.LARGEST) | (np.abs(y) > 1.0e20)
    value = np.where(extreme, np.where((base > 1.0) == (y > 0.0), INF, 0.0), value)
    value = np.where(base == 1.0, 1.0, value)
    even = np.abs(y) >= 9007199254740992.0
    whole = np.floor(y) == y
    odd = np.where(even | ~whole, 0.0, y).astype(np.int64) & 1
    signed = np.where(whole | (x == 0.0) | (base > series.LARGEST), np.where(odd != 0, -value, value), NAN)
    value = np.where(np.signbit(x) & ~even, signed, value)
    return np.where((y == 0.0) | (x == 1.0), 1.0, np.where(np.isnan(x) | np.isnan(y), NAN, value))


def sqrt(x: Array) -> Array:
    """The square roots."""
    return np.where(x >= 0.0, np.sqrt(np.abs(x)), NAN)


def hypot(x: Array, y: Array) -> Array:
    """The lengths of vectors."""
    x = np.abs(x)
    y = np.abs(y)
    large = np.maximum(x, y)
    scale = np.where((large > 1e-140) & (large < 1e140), 1.0, np.where(large > 1.0, 2.0**-600, 2.0**600))
    value = sqrt((x * scale) * (x * scale) + (y * scale) * (y * scale)) / scale
    return np.where((x == INF) | (y == INF), INF, value)


def floor(x: Array) -> Array:
    """The largest whole numbers that are not above the elements."""
    return np.where(np.isnan(x), NAN, np.floor(x) + 0.0)


def wrap_angle(x: Array) -> Array:
    """The angles in [-π, π) of the same directions."""
    turned = np.fmod(np.where(np.abs(x) <= series.LARGEST, x, 0.0), TAU)
    turned = np.where(turned >= PI, turned - TAU, np.where(turned < -PI, turned + TAU, turned))
    return np.where(np.abs(x) <= series.LARGEST, turned, NAN)


def radians(x: Array) -> Array:
    """Radians of angles in degrees."""
    return x * (PI / 180.0)


def degrees(x: Array) -> Array:
    """Degrees of angles in radians."""
    return x * (180.0 / PI)


def lerp(a: Array, b: Array, t: Array) -> Array:
    """Linear interpolation from a to b."""
    return a + (b - a) * t


def clamp(x: Array, low: Array, high: Array) -> Array:
    """Each x limited to the range from low to high."""
    return np.where(x < low, low, np.where(x > high, high, x))
