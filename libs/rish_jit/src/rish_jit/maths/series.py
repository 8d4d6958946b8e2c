"""The arithmetic of `rish_jit.maths`: constants in several parts, argument reductions, and Taylor series.

All functions use only `+ - * /` on float64, and the same code runs for a number, for an array and in a kernel, so that
the three results are bit-identical. The coefficients are the fractions 1/n! and 1/(2n + 1); each series is long enough
that the first omitted term is far below a unit in the last place. A value that needs more precision than one float is
the sum of two floats: the nearest float, and the remainder `low`.
"""

from __future__ import annotations

import math
from typing import Any

PI = 3.141592653589793  # half a turn, in radians
TAU = 6.283185307179586  # one turn, in radians
INF = math.inf
NAN = math.nan  # the only NaN that is returned
LARGEST = 1.7976931348623157e308
ROUND = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to the nearest whole number
FAR = 1.0e6  # radians; up to here the quarter turns stay below 2**20, so that k * QUARTER_1 is exact
TINY = 1.0e-9  # below it sin x = tan x = atan x = x in float64
PER_QUARTER = 0.6366197723675814  # 2/π
QUARTER_1 = 1.5707963267341256  # π/2 in three parts, the first two of 33 bits
QUARTER_2 = 6.077100506303966e-11
QUARTER_3 = 2.0222662487959506e-21
PER_LN2 = 1.4426950408889634  # 1/ln 2
LN2_1 = 0.6931471803691238  # ln 2 in two parts, the first of 32 bits
LN2_2 = 1.9082149292705877e-10
LOW_HALF_PI = 6.123233995736766e-17  # π/2 minus the float nearest to it
LOW_THIRD = 1.850371707708594e-17  # 1/3 minus the float nearest to it
SQRT_HALF = 0.7071067811865476
HIGHEST_EXP = 709.782712893384  # exp of a larger number overflows
LOWEST_EXP = -745.1332191019412  # exp of a smaller number is zero

# atan(k/8) for k = 0…8: the nearest floats, and the remainders
ATAN = (
    0.0,
    0.12435499454676144,
    0.24497866312686414,
    0.35877067027057225,
    0.4636476090008061,
    0.5585993153435624,
    0.6435011087932844,
    0.7188299996216245,
    0.7853981633974483,
)
LOW_ATAN = (
    0.0,
    -3.1253241424539383e-18,
    1.0698755618734451e-17,
    -2.4623815582638635e-17,
    2.2698777452961687e-17,
    -5.4556305485916264e-18,
    1.5834785051444286e-17,
    -2.1478388444456983e-17,
    3.061616997868383e-17,
)


def reduce_angle(x: Any, k: Any) -> tuple[Any, Any]:
    """Return x - k·π/2 as the sum of two floats, for |k| < 2**20 (Cody-Waite reduction with three parts)."""
    near = x - k * QUARTER_1
    second = k * QUARTER_2
    high = near - second
    low = ((near - high) - second) - k * QUARTER_3
    r = high + low
    return r, (high - r) + low


def sin_series(r: Any, low: Any) -> Any:
    """sin(r + low) for |r| ≤ π/4."""
    z = r * r
    p = -1 / 6 + z * (1 / 120 + z * (-1 / 5040 + z * (1 / 362880 + z * (-1 / 39916800 + z * (
        1 / 6227020800 + z * (-1 / 1307674368000 + z * (1 / 355687428096000)))))))  # fmt: skip
    return r + (r * (z * p) + low * (1.0 - 0.5 * z))


def cos_series(r: Any, low: Any) -> Any:
    """cos(r + low) for |r| ≤ π/4."""
    z = r * r
    p = 1 / 24 + z * (-1 / 720 + z * (1 / 40320 + z * (-1 / 3628800 + z * (
        1 / 479001600 + z * (-1 / 87178291200 + z * (1 / 20922789888000))))))  # fmt: skip
    half = 0.5 * z
    head = 1.0 - half
    return head + (((1.0 - head) - half) + (z * z * p - r * low))


def atan_series(t: Any) -> Any:
    """atan(t) for |t| ≤ 1/16."""
    z = t * t
    return t + t * (z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13)))))))


def exp_series(x: Any, low: Any, k: Any) -> Any:
    """exp(x + low - k·ln 2), which is near 1, for the whole number k nearest to x/ln 2."""
    high = x - k * LN2_1
    rest = low - k * LN2_2
    r = high + rest
    rest = (high - r) + rest
    tail = 1 / 5040 + r * (1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * (
        1 / 39916800 + r * (1 / 479001600 + r * (1 / 6227020800))))))  # fmt: skip
    p = 1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * tail))))
    return 1.0 + (r + (r * r * p + rest))


def log_series(m: Any, e: Any) -> Any:
    """log(m·2**e) for √½ ≤ m < √2, by 2·atanh(f/(2 + f)) with f = m - 1."""
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = z * (2 / 3 + z * (2 / 5 + z * (2 / 7 + z * (2 / 9 + z * (2 / 11 + z * (
        2 / 13 + z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21))))))))))  # fmt: skip
    half = 0.5 * f * f
    return e * LN2_1 - ((half - (s * (half + p) + e * LN2_2)) - f)


def product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return a·b exactly, as the sum of two floats (Dekker's product)."""
    c = 134217729.0 * a  # 2**27 + 1: splits a float into two halves of 26 bits (Veltkamp)
    a1 = c - (c - a)
    a2 = a - a1
    c = 134217729.0 * b
    b1 = c - (c - b)
    b2 = b - b1
    high = a * b
    return high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2


def log_in_two(m: Any, e: Any) -> tuple[Any, Any]:
    """Return `log_series` as the sum of two floats, precise to about 63 bits, for `pow`."""
    f = m - 1.0
    d = m + 1.0
    s = f / d
    back, back_low = product(s, d)
    s_low = (((f - back) - back_low) - s * (m - (d - 1.0))) / d
    z, z_low = product(s, s)
    z_low = z_low + 2.0 * s * s_low
    third, third_low = product(z, 1 / 3)
    third_low = third_low + (z * LOW_THIRD + z_low * (1 / 3))
    p = 1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * (
        1 / 15 + z * (1 / 17 + z * (1 / 19 + z * (1 / 21 + z * (1 / 23)))))))))  # fmt: skip
    tail = third_low + z * z * p
    t = third + tail
    t_low = (third - t) + tail
    q, q_low = product(s, t)
    q_low = q_low + (s * t_low + s_low * t)
    h = s + q
    h_low = ((s - h) + q) + (q_low + s_low)
    whole = e * LN2_1
    high = whole + 2.0 * h
    return high, ((whole - high) + 2.0 * h) + (2.0 * h_low + e * LN2_2)
