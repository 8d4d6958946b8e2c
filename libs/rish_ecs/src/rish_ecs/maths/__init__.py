"""Elementary functions with the same bits everywhere: in plain Python, over arrays, inside compiled kernels.

The C library's sine differs between machines, and numpy's between processors of one machine. A simulation
that is to replay exactly can use neither. IEEE 754 promises equal bits only for `+ - * /`, the square
root, comparisons and the exact steps (rounding to a whole number, taking a float apart into mantissa and
exponent, the remainder). Here everything is made of these: reduce the argument to a short interval around
zero, sum a Taylor series there, undo the reduction.

Every function takes a Python number and returns a float, or takes arrays (and numbers beside them) and
returns a float64 array; all arithmetic is in float64. In a kernel made by `rish_ecs.jit` it takes
scalars. Results stay within about 2 units in the last place of the true value, for angles up to a million
radians; a larger angle is reduced by the float nearest to τ, which amounts to an angle less than half a
unit in the last place away. What is not a number is always the one NaN, `NAN`; nothing here raises or
warns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import arrays, numbers, series
from .series import INF, NAN, PI, TAU

__all__ = [
    "INF",
    "NAN",
    "PI",
    "TAU",
    "atan2",
    "clamp",
    "cos",
    "degrees",
    "exp",
    "floor",
    "hypot",
    "lerp",
    "log",
    "pow",
    "radians",
    "sin",
    "sincos",
    "sqrt",
    "tan",
    "wrap_angle",
]

Array = npt.NDArray[Any]
"""An array of numbers; what comes back is always float64."""
_T = TypeVar("_T", float, Array)


def _over(form: Callable[..., Any], *values: Any) -> Any:
    """The array form over anything that numpy can read as numbers, without warnings."""
    with np.errstate(all="ignore"):
        made = form(*(np.asarray(value, dtype=np.float64) for value in values))
    return made if isinstance(made, tuple) else made[()]  # pyright: ignore[reportUnknownVariableType]


def _number(*values: Any) -> bool:
    return all(isinstance(value, (float, int)) for value in values)


def sin(x: _T) -> _T:
    """The sine of an angle in radians."""
    value: Any = numbers.sin(x) if isinstance(x, (float, int)) else _over(arrays.sin, x)
    return value


def cos(x: _T) -> _T:
    """The cosine of an angle in radians."""
    value: Any = numbers.cos(x) if isinstance(x, (float, int)) else _over(arrays.cos, x)
    return value


def sincos(x: _T) -> tuple[_T, _T]:
    """The sine and the cosine of an angle in radians, for little more than the price of one."""
    value: Any = numbers.sincos(x) if isinstance(x, (float, int)) else _over(arrays.sincos, x)
    return value


def tan(x: _T) -> _T:
    """The tangent of an angle in radians."""
    value: Any = numbers.tan(x) if isinstance(x, (float, int)) else _over(arrays.tan, x)
    return value


def exp(x: _T) -> _T:
    """e to the power x; infinity from 709.79 on, zero below -745.14."""
    value: Any = numbers.exp(x) if isinstance(x, (float, int)) else _over(arrays.exp, x)
    return value


def log(x: _T) -> _T:
    """The natural logarithm; -infinity for zero, NaN for what is negative."""
    value: Any = numbers.log(x) if isinstance(x, (float, int)) else _over(arrays.log, x)
    return value


def sqrt(x: _T) -> _T:
    """The square root; NaN for what is negative."""
    value: Any = numbers.sqrt(x) if isinstance(x, (float, int)) else _over(arrays.sqrt, x)
    return value


def floor(x: _T) -> _T:
    """The largest whole number that is not above x, as a float."""
    value: Any = numbers.floor(x) if isinstance(x, (float, int)) else _over(arrays.floor, x)
    return value


def wrap_angle(x: _T) -> _T:
    """The same direction as an angle in [-π, π), in radians."""
    value: Any = numbers.wrap_angle(x) if isinstance(x, (float, int)) else _over(arrays.wrap_angle, x)
    return value


def radians(x: _T) -> _T:
    """An angle in degrees as radians."""
    value: Any = numbers.radians(x) if isinstance(x, (float, int)) else _over(arrays.radians, x)
    return value


def degrees(x: _T) -> _T:
    """An angle in radians as degrees."""
    value: Any = numbers.degrees(x) if isinstance(x, (float, int)) else _over(arrays.degrees, x)
    return value


@overload
def atan2(y: float, x: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def atan2(y: float | Array, x: float | Array) -> Array: ...
def atan2(y: Any, x: Any) -> Any:
    """The direction of the vector (x, y), in [-π, π] radians; the sign of a zero counts, as in C."""
    return numbers.atan2(y, x) if _number(y, x) else _over(arrays.atan2, y, x)


@overload
def hypot(x: float, y: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def hypot(x: float | Array, y: float | Array) -> Array: ...
def hypot(x: Any, y: Any) -> Any:
    """The length of the vector (x, y), without overflow on the way."""
    return numbers.hypot(x, y) if _number(x, y) else _over(arrays.hypot, x, y)


@overload
def pow(x: float, y: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def pow(x: float | Array, y: float | Array) -> Array: ...
def pow(x: Any, y: Any) -> Any:
    """x to the power y, with the special cases of C: pow(x, 0) is 1; a negative x needs a whole y."""
    return numbers.pow(x, y) if _number(x, y) else _over(arrays.pow, x, y)


@overload
def lerp(a: float, b: float, t: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def lerp(a: float | Array, b: float | Array, t: float | Array) -> Array: ...
def lerp(a: Any, b: Any, t: Any) -> Any:
    """Linear interpolation: a for t = 0, b for t = 1; other values of t extrapolate."""
    return numbers.lerp(a, b, t) if _number(a, b, t) else _over(arrays.lerp, a, b, t)


@overload
def clamp(x: float, low: float, high: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def clamp(x: float | Array, low: float | Array, high: float | Array) -> Array: ...
def clamp(x: Any, low: Any, high: Any) -> Any:
    """x limited to the range from low to high."""
    return numbers.clamp(x, low, high) if _number(x, low, high) else _over(arrays.clamp, x, low, high)


KERNEL_FORMS: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (sin, numbers.sin),
    (cos, numbers.cos),
    (sincos, numbers.sincos),
    (tan, numbers.tan),
    (exp, numbers.exp),
    (log, numbers.log),
    (sqrt, numbers.sqrt),
    (floor, numbers.floor),
    (wrap_angle, numbers.wrap_angle),
    (radians, numbers.radians),
    (degrees, numbers.degrees),
    (atan2, numbers.atan2),
    (hypot, numbers.hypot),
    (pow, numbers.pow),
    (lerp, numbers.lerp),
    (clamp, numbers.clamp),
)
"""Each public function with the form for one number, which stands for it inside a kernel."""

KERNEL_STEPS: tuple[Callable[..., Any], ...] = (
    series.reduce_angle,
    series.sin_series,
    series.cos_series,
    series.atan_series,
    series.exp_series,
    series.log_series,
    series.log_in_two,
    series.product,
    numbers.within_turn,
    numbers.quarter,
    numbers.exp_of,
    numbers.mantissa,
    numbers.pow_of,
)
"""What those forms call in turn."""
