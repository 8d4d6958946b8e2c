"""Vectors as code sees them one at a time: a few floats that can be added, scaled and measured.

A vector is a value. `view.velocity` reads one from the columns, arithmetic makes new ones, and only an assignment
writes: `transform.position += view.velocity * dt`. So each write is known exactly, and checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, cast

if TYPE_CHECKING:
    from .declarations.columns import ColumnType


class Vector(tuple[float, ...]):
    """`Vector((1, 2))`: numbers with `+`, `-`, `*`, `/`, number by number or with one number for all.

    Pairs, which are most of them, have a way of their own that is twice as quick.
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
        """How long it is: the root of the sum of the squares."""
        return math.sqrt(self.dot(self))

    @property
    def direction(self) -> Vector:
        """The same direction with length 1; a vector of zeros stays as it is."""
        length = self.length
        return self / length if length else self

    def tolist(self) -> list[float]:
        """The numbers as a list, as an array gives them."""
        return list(self)

    def dot(self, other: Iterable[float]) -> float:
        """The sum of the products of the numbers."""
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
    """Number by number; one number stands for all. Raises ValueError where the lengths differ."""
    if isinstance(other, (tuple, list)):
        numbers = cast("Sequence[float]", other)
        if len(one) != len(numbers):
            raise ValueError(f"a vector of {len(one)} numbers and {len(numbers)} numbers don't go together")
        return Vector([combine(a, b) for a, b in zip(one, numbers, strict=True)])
    if isinstance(other, (int, float)):
        return Vector([combine(a, other) for a in one])
    return NotImplemented


def value_of(found: ColumnType, stored: Any) -> Any:
    """The value of a row for code: a row of numbers becomes a `Vector`, anything else stays as it is."""
    return Vector(stored.tolist()) if len(found.shape) == 1 and not found.pooled else stored
