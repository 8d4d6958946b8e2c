"""Operators on the values of expressions, with limits: numbers stay finite, whole numbers below 2**63, texts short.

Values are numbers, texts, True and False, None, handles of entities, and lists, which are `Vector` tuples. An operator
raises ValueError with a message for values that do not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from rish_ecs import Vector
from rish_jit import maths

from .tree import MAX_WHOLE

MAX_RESULT = 10_000
"""The maximum number of characters of a text result."""
MAX_EXPONENT = 1024
"""The maximum magnitude of an exponent."""

_NUMBERS = frozenset({int, float})


def checked(value: Any) -> Any:
    """Return a number or list of numbers. Raises ValueError for a number that is not finite or too large."""
    if type(value) is float:
        if value - value != 0.0:
            raise ValueError("the result is no finite number")
    elif type(value) is int:
        if not -MAX_WHOLE < value < MAX_WHOLE:
            raise ValueError("the result is too large for a whole number")
    elif type(value) is Vector:
        for item in value:
            checked(item)
    return value


def _sum(a: Any, b: Any) -> Any:
    """Join two texts or add vectors. Raises ValueError for other values and for a text that is too long."""
    if isinstance(a, str) and isinstance(b, str):
        if len(a) + len(b) > MAX_RESULT:
            raise ValueError(f"a text has at most {MAX_RESULT} characters")
        return a + b
    return _elementwise(a, b, "+", lambda a, b: a + b)


def _elementwise(a: Any, b: Any, sign: str, combine: Callable[[Any, Any], Any]) -> Any:
    """Combine two lists, or a list and a number, element by element. Raises ValueError for other values."""
    lists = isinstance(a, Vector) + isinstance(b, Vector)
    others = [value for value in (a, b) if not isinstance(value, Vector)]
    if not lists or not all(type(value) in _NUMBERS for value in others):
        raise ValueError(f"{a!r} {sign} {b!r} is not possible: numbers, or lists of numbers, are needed")
    left: Any = a if isinstance(a, Vector) else [a] * len(b)
    right: Any = b if isinstance(b, Vector) else [b] * len(left)
    if len(left) != len(right):
        raise ValueError(f"a list of {len(left)} and one of {len(right)} don't go together")
    if not all(type(item) in _NUMBERS for item in (*left, *right)):
        raise ValueError(f"{sign} needs lists of numbers")
    return checked(Vector([combine(x, y) for x, y in zip(left, right, strict=True)]))


def add_values(a: Any, b: Any) -> Any:
    """Return the sum of numbers or vectors, or two texts joined."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        total = a + b
        return total if type(total) is float and total - total == 0.0 else checked(total)
    return _sum(a, b)


def minus(a: Any, b: Any) -> Any:
    """Return the difference of numbers or vectors."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return checked(a - b)
    return _elementwise(a, b, "-", lambda a, b: a - b)


def times(a: Any, b: Any) -> Any:
    """Return the product; a vector may be multiplied by a number or element by element."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return checked(a * b)
    return _elementwise(a, b, "*", lambda a, b: a * b)


def divide(a: Any, b: Any) -> Any:
    """Return the quotient, a float."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return checked(a / b)
    return _elementwise(a, b, "/", lambda a, b: a / b)


def floor_divide(a: Any, b: Any) -> Any:
    """Return the quotient rounded down."""

    _check_numbers(a, b, "//")
    return checked(a // b)


def remainder(a: Any, b: Any) -> Any:
    """Return the remainder, with the sign of the divisor."""

    _check_numbers(a, b, "%")
    return checked(a % b)


def power(a: Any, b: Any) -> Any:
    """Return a power. It is exact for whole numbers, and has the same bits on every machine for others."""
    _check_numbers(a, b, "**")
    if abs(b) > MAX_EXPONENT:
        raise ValueError(f"an exponent is at most {MAX_EXPONENT}")
    if type(a) is int and type(b) is int and b >= 0:
        if a not in (-1, 0, 1) and b * (a.bit_length() - 1) >= 63:
            raise ValueError("the result is too large for a whole number")
        return checked(a**b)
    if a == 0 and b < 0:
        raise ZeroDivisionError
    return checked(float(maths.pow(float(a), float(b))))


def _check_numbers(a: Any, b: Any, sign: str) -> None:
    """Raise ValueError unless both values are numbers. sign: of the operator."""
    if type(a) not in _NUMBERS or type(b) not in _NUMBERS:
        raise ValueError(f"{a!r} {sign} {b!r} is not possible: numbers are needed")


def negative(a: Any) -> Any:
    """Return the number or vector with the opposite sign."""
    if type(a) in _NUMBERS:
        return checked(-a)
    return _elementwise(0, a, "-", lambda a, b: a - b)


def positive(a: Any) -> Any:
    """Return the number or vector itself."""
    if type(a) in _NUMBERS:
        return a
    return _elementwise(0, a, "+", lambda a, b: a + b)


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal. A truth value never equals a number."""
    if (type(a) is bool) != (type(b) is bool):
        return False
    return bool(a == b)


def ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Return a comparison of two numbers, or of two texts by their order, with a function such as `operator.lt`.

    It raises ValueError for other values.
    """

    def test(a: Any, b: Any) -> bool:
        if (type(a) in _NUMBERS and type(b) in _NUMBERS) or (isinstance(a, str) and isinstance(b, str)):
            return compare(a, b)
        raise ValueError(f"{a!r} and {b!r} have no order: two numbers or two texts are needed")

    return test


def within(a: Any, b: Any) -> bool:
    """Return whether `a` is an item of the list `b`, or a part of the text `b`. Raises ValueError for other values."""
    if isinstance(b, Vector):
        return any(equal(a, item) for item in b)
    if isinstance(a, str) and isinstance(b, str):
        return a in b
    raise ValueError(f"`in` needs a list, or two texts, not {b!r}")


def numbers_of(values: Any) -> list[float]:
    """Return the arguments of a function as a list of numbers.

    values: numbers, or a single list of numbers. Raises ValueError for other values and for no values.
    """
    if len(values) == 1 and isinstance(values[0], Vector):
        values = values[0]
    if not values or not all(type(value) in _NUMBERS for value in values):
        raise ValueError("numbers are needed")
    return cast("list[float]", list(values))


def number(value: Any) -> float:
    """Return a number. Raises ValueError for another value."""
    if type(value) not in _NUMBERS:
        raise ValueError(f"a number is needed, not {value!r}")
    return value


def vector(value: Any) -> Vector:
    """Return a vector of numbers. Raises ValueError for another value."""
    if not isinstance(value, Vector) or not all(type(item) in _NUMBERS for item in value):
        raise ValueError(f"a list of numbers such as a position is needed, not {value!r}")
    return value
