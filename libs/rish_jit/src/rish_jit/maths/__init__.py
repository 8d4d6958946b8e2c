"""Elementary functions with bit-identical results everywhere: in plain Python, on arrays and in compiled kernels.

The sine of the C library differs between machines, and that of numpy between processors. A simulation that must replay
exactly can use neither. IEEE 754 guarantees equal bits only for `+ - * /`, the square root, comparisons and exact
operations (rounding to a whole number, splitting a float into mantissa and exponent, the remainder). All functions here
use only these: they reduce the argument to a short interval around zero, sum a Taylor series there, and undo the
reduction.

Each function takes a Python number and returns a float, or takes arrays (also mixed with numbers) and returns a float64
array; all arithmetic is in float64. In a kernel of `rish_jit` it takes scalars. Results are within about 2 units in
the last place of the true value, for angles up to a million radians; a larger angle is reduced by the float nearest to
τ, which corresponds to an error of the angle below half a unit in the last place. A NaN result is always the same
value, `NAN`; no function raises or warns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import arrays, numbers
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
"""An array of numbers. Results are always float64."""
_T = TypeVar("_T", float, Array)


_FEW = 24
"""Up to this number of elements the form for one number is faster: one sine takes 1 µs, and an array of sines 100."""


def _over(form: Callable[..., Any], *values: Any) -> Any:
    """Call the array form with arguments converted to float64 arrays, without warnings.

    For a few elements the form for one number is called instead, which gives the same bits.
    """
    columns = [np.asarray(value, dtype=np.float64) for value in values]
    if max([column.size for column in columns]) <= _FEW:
        return _one_by_one(getattr(numbers, form.__name__), columns)
    with np.errstate(all="ignore"):
        result = form(*columns)
    return result if isinstance(result, tuple) else result[()]  # pyright: ignore[reportUnknownVariableType]


def _one_by_one(form: Callable[..., Any], columns: Sequence[Array]) -> Any:
    """Call the form for one number with each element of arrays, whose shapes are broadcast."""
    shape = columns[0].shape
    if any(column.shape != shape for column in columns):
        columns = np.broadcast_arrays(*columns)
        shape = columns[0].shape
    results = np.array(list(map(form, *[column.ravel().tolist() for column in columns])), np.float64)
    if form is numbers.sincos:
        sine, cosine = results.reshape(-1, 2).T.copy()
        return sine.reshape(shape), cosine.reshape(shape)
    return results.reshape(shape)[()]


def _number(*values: Any) -> bool:
    for value in values:  # noqa: SIM110 (a generator takes twice as long)
        if not isinstance(value, (float, int)):
            return False
    return True


def sin(x: _T) -> _T:
    """The sine of an angle in radians."""
    value: Any = numbers.sin(x) if isinstance(x, (float, int)) else _over(arrays.sin, x)
    return value


def cos(x: _T) -> _T:
    """The cosine of an angle in radians."""
    value: Any = numbers.cos(x) if isinstance(x, (float, int)) else _over(arrays.cos, x)
    return value


def sincos(x: _T) -> tuple[_T, _T]:
    """The sine and the cosine of an angle in radians, for little more than the time of one."""
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
    """The natural logarithm; -infinity for zero, NaN for negative numbers."""
    value: Any = numbers.log(x) if isinstance(x, (float, int)) else _over(arrays.log, x)
    return value


def sqrt(x: _T) -> _T:
    """The square root; NaN for negative numbers."""
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
    """The length of the vector (x, y), without overflow of intermediate results."""
    return numbers.hypot(x, y) if _number(x, y) else _over(arrays.hypot, x, y)


@overload
def pow(x: float, y: float) -> float: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def pow(x: float | Array, y: float | Array) -> Array: ...
def pow(x: Any, y: Any) -> Any:
    """x to the power y, with the special cases of C: pow(x, 0) is 1; NaN for a negative x and fractional y."""
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


_FUNCTIONS = {name: value for name, value in vars(numbers).items() if isinstance(value, FunctionType)}
KERNEL_FORMS = tuple((globals()[name], form) for name, form in _FUNCTIONS.items() if name in __all__)
"""Each public function and its form for a single number, which replaces it inside a kernel."""
KERNEL_STEPS = tuple(step for name, step in _FUNCTIONS.items() if name not in __all__)
"""The functions that the forms in KERNEL_FORMS call, of `numbers` and `series`."""
