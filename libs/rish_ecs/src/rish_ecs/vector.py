"""Vectors for code that handles single values: tuples of floats with arithmetic.

A vector is an immutable value. `view.velocity` reads one from the columns, arithmetic creates new ones, and only an
assignment writes: `transform.position += view.velocity * dt`. So each write is detected and checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard, cast


class Vector(tuple[float, ...]):
    """`Vector((1, 2))`: a tuple with `+`, `-`, `*`, `/`, element by element or with one number for all.

    Pairs, the most frequent case, have a separate code path that is twice as fast.
    """

    __slots__ = ()

    @property
    def x(self) -> float:
        """The first number."""
        return self[0]

    @property
    def y(self) -> float:
        """The second number."""
        return self[1]

    @property
    def z(self) -> float:
        """The third number."""
        return self[2]

    @property
    def w(self) -> float:
        """The fourth number."""
        return self[3]

    @property
    def length(self) -> float:
        """The Euclidean length."""
        return math.sqrt(self.dot(self))

    @property
    def direction(self) -> Vector:
        """The vector scaled to length 1; a zero vector is unchanged."""
        length = self.length
        return self / length if length else self

    def tolist(self) -> list[float]:
        """Return the numbers as a list, like the method of numpy arrays."""
        return list(self)

    def dot(self, other: Iterable[float]) -> float:
        """Return the dot product."""
        total = 0.0
        for a, b in zip(self, other, strict=True):
            total += a * b
        return total

    def __add__(self, other: Any) -> Any:
        if len(self) == 2 and _is_pair(other):
            x, y = self
            a, b = other
            return Vector((x + a, y + b))
        return _each(self, other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if len(self) == 2 and _is_pair(other):
            x, y = self
            a, b = other
            return Vector((x - a, y - b))
        return _each(self, other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return _each(self, other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        if len(self) == 2 and (type(other) is float or type(other) is int):
            x, y = self
            return Vector((x * other, y * other))
        return _each(self, other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _each(self, other, lambda a, b: a / b)

    def __neg__(self) -> Vector:
        return Vector([-a for a in self])

    def __repr__(self) -> str:
        return f"({', '.join(f'{number:g}' for number in self)})"


def _is_pair(value: Any) -> TypeGuard[tuple[float, float]]:
    return isinstance(value, tuple) and len(cast("tuple[Any, ...]", value)) == 2


def _each(one: Vector, other: Any, combine: Callable[[float, float], float]) -> Any:
    """Combine element by element; a single number applies to all. Raises ValueError if the lengths differ."""
    if isinstance(other, (tuple, list)):
        numbers = cast("Sequence[float]", other)
        if len(one) != len(numbers):
            raise ValueError(f"a vector of {len(one)} numbers and {len(numbers)} numbers don't go together")
        return Vector([combine(a, b) for a, b in zip(one, numbers, strict=True)])
    if isinstance(other, (int, float)):
        return Vector([combine(a, other) for a in one])
    return NotImplemented
