"""The functions of `rish_jit.maths` for one number, which Python runs and which kernels are compiled from.

The code has the same meaning for Python and numba: no exception is raised, all branches are comparisons of floats, and
`frexp`, `ldexp`, `floor` and the remainder are exact by definition.
"""

from __future__ import annotations

import math

from .series import (
    ATAN,
    FAR,
    HIGHEST_EXP,
    INF,
    LARGEST,
    LOW_ATAN,
    LOW_HALF_PI,
    LOWEST_EXP,
    NAN,
    PER_LN2,
    PER_QUARTER,
    PI,
    ROUND,
    SQRT_HALF,
    TAU,
    TINY,
    atan_series,
    cos_series,
    exp_series,
    log_in_two,
    log_series,
    product,
    reduce_angle,
    sin_series,
)


def within_turn(x: float) -> float:
    """The exact remainder of a finite angle after full turns, with the sign of the angle."""
    return math.copysign(abs(x) % TAU, x)


def quarter(x: float) -> tuple[int, float, float]:
    """The quadrant 0…3 of a finite angle, and its distance from the middle of it as the sum of two floats."""
    if abs(x) > FAR:
        x = within_turn(x)
    k = (x * PER_QUARTER + ROUND) - ROUND
    r, low = reduce_angle(x, k)
    return int(k) & 3, r, low


def sin(x: float) -> float:
    """The sine of one angle."""
    x = float(x)
    if not abs(x) <= LARGEST:
        return NAN
    if abs(x) < TINY:
        return x
    quadrant, r, low = quarter(x)
    value = cos_series(r, low) if quadrant & 1 else sin_series(r, low)
    return -value if quadrant & 2 else value


def cos(x: float) -> float:
    """The cosine of one angle."""
    x = float(x)
    if not abs(x) <= LARGEST:
        return NAN
    quadrant, r, low = quarter(x)
    value = sin_series(r, low) if quadrant & 1 else cos_series(r, low)
    return -value if (quadrant + 1) & 2 else value


def sincos(x: float) -> tuple[float, float]:
    """Sine and cosine of one angle."""
    x = float(x)
    if not abs(x) <= LARGEST:
        return NAN, NAN
    if abs(x) < TINY:
        return x, 1.0
    quadrant, r, low = quarter(x)
    s = sin_series(r, low)
    c = cos_series(r, low)
    if quadrant & 1:
        s, c = c, -s
    if quadrant & 2:
        s, c = -s, -c
    return s, c


def tan(x: float) -> float:
    """The tangent of one angle."""
    x = float(x)
    if not abs(x) <= LARGEST:
        return NAN
    if abs(x) < TINY:
        return x
    s, c = sincos(x)
    return s / c


def atan2(y: float, x: float) -> float:
    """The direction of one vector."""
    y = float(y)
    x = float(x)
    if y != y or x != x:
        return NAN
    rise = abs(y)
    run = abs(x)
    small = min(rise, run)
    large = max(rise, run)
    ratio = small / large if 0.0 < large <= LARGEST else (1.0 if small == large and small > 0.0 else 0.0)
    k = int(8.0 * ratio + 0.5)
    center = 0.125 * k
    high = ATAN[k]
    low = LOW_ATAN[k] + atan_series((ratio - center) / (1.0 + ratio * center))
    if rise > run:
        high, low = 0.5 * PI - high, (((0.5 * PI - (0.5 * PI - high)) - high) + LOW_HALF_PI) - low
    if math.copysign(1.0, x) < 0.0:
        high, low = PI - high, (((PI - (PI - high)) - high) + 2.0 * LOW_HALF_PI) - low
    return math.copysign(high + low, y)


def exp_of(x: float, low: float) -> float:
    """exp(x + low) where `low` is at most half a unit in the last place of `x`."""
    if x != x:
        return NAN
    if x > HIGHEST_EXP:
        return INF
    if x < LOWEST_EXP:
        return 0.0
    k = (x * PER_LN2 + ROUND) - ROUND
    half = int(k) // 2
    return exp_series(x, low, k) * math.ldexp(1.0, half) * math.ldexp(1.0, int(k) - half)


def exp(x: float) -> float:
    """e**x."""
    return exp_of(float(x), 0.0)


def mantissa(x: float) -> tuple[float, float]:
    """m and e with x = m·2**e and √½ ≤ m < √2, for a positive finite x."""
    m, e = math.frexp(x)
    if m < SQRT_HALF:
        return 2.0 * m, float(e - 1)
    return m, float(e)


def log(x: float) -> float:
    """The natural logarithm of one number."""
    x = float(x)
    if x == 0.0:
        return -INF
    if not 0.0 < x <= LARGEST:
        return INF if x > 0.0 else NAN
    m, e = mantissa(x)
    return log_series(m, e)


def pow_of(base: float, y: float) -> float:
    """base**y for a base ≥ 0 and y ≠ 0, neither of them NaN."""
    if base == 1.0:
        return 1.0
    if base == 0.0 or base > LARGEST or abs(y) > 1.0e20:
        return INF if (base > 1.0) == (y > 0.0) else 0.0
    m, e = mantissa(base)
    high, low = log_in_two(m, e)
    p, p_low = product(y, high)
    return exp_of(p, p_low + y * low)


def pow(x: float, y: float) -> float:
    """x**y."""
    x = float(x)
    y = float(y)
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return NAN
    value = pow_of(abs(x), y)
    if math.copysign(1.0, x) > 0.0 or abs(y) >= 9007199254740992.0:  # from 2**53 on every float is even
        return value
    if math.floor(y) != y:
        return value if x == 0.0 or x < -LARGEST else NAN
    return -value if int(y) & 1 else value


def sqrt(x: float) -> float:
    """The square root of one number."""
    x = float(x)
    root = math.sqrt(abs(x))  # of abs(x), because a compiler might return √-1, a NaN of the other sign, instead of NAN
    return root if x >= 0.0 else NAN


def hypot(x: float, y: float) -> float:
    """The length of one vector."""
    x = abs(float(x))
    y = abs(float(y))
    large = max(x, y)
    if x == INF or y == INF:
        return INF
    scale = 1.0 if 1e-140 < large < 1e140 else (2.0**-600 if large > 1.0 else 2.0**600)
    x *= scale
    y *= scale
    return sqrt(x * x + y * y) / scale


def floor(x: float) -> float:
    """The largest whole number not above x."""
    x = float(x)
    if not abs(x) < 2251799813685248.0:  # from 2**51 on, the rounding step below does not work
        return (math.floor(x) + 0.0 if abs(x) <= 9007199254740992.0 else x) if x == x else NAN
    whole = (x + ROUND) - ROUND
    return whole - 1.0 if whole > x else whole


def wrap_angle(x: float) -> float:
    """The angle in [-π, π) of the same direction."""
    x = float(x)
    if not abs(x) <= LARGEST:
        return NAN
    x = within_turn(x)
    if x >= PI:
        return x - TAU
    return x + TAU if x < -PI else x


def radians(x: float) -> float:
    """Radians of an angle in degrees."""
    return float(x) * (PI / 180.0)


def degrees(x: float) -> float:
    """Degrees of an angle in radians."""
    return float(x) * (180.0 / PI)


def lerp(a: float, b: float, t: float) -> float:
    """Linear interpolation from a to b."""
    a = float(a)
    return a + (float(b) - a) * float(t)


def clamp(x: float, low: float, high: float) -> float:
    """x limited to the range from low to high."""
    x = float(x)
    if x < low:
        return float(low)
    return float(high) if x > high else x
