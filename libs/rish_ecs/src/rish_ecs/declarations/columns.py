"""Column types: the allowed types of component fields, and the conversion of values to numbers.

A component field is an ordinary annotation. `float`, `int`, `bool` and enums are used directly; vectors, colors,
handles and text are the aliases below, which are tuples, ints and strings for a type checker::

    velocity: Vec2      # two float32, side by side
    target: Entity      # a handle, int64
    label: Chars        # text of any length, in a pool that the World owns

Angles are radians in code and degrees in manifests; mark such a field with `field(angle=True)`.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, Flag
from functools import cached_property
from typing import Annotated, Any, TypeAlias, TypeGuard, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from .renames import notice_former

Column: TypeAlias = NDArray[Any]
"""A numpy array that holds one field of many rows."""

_INT32 = np.iinfo(np.int32)
_FLOAT_MAX = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class ColumnType:
    """The type of a field, which defines how it is stored.

    name: as an author writes it. dtype: of one number. shape: of one row, `()` for a scalar. special: "" for plain
    numbers, otherwise one of `str` (interned text), `chars` (text in a pool), `list` (items in a pool), `entity`,
    `asset`, `enum`. enum: the class of an enum. item: the type of a list's items.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    special: str = ""
    enum: type[Enum] | None = None
    item: ColumnType | None = None

    @cached_property
    def width(self) -> int:
        """The number of numbers in a value."""
        return math.prod(self.shape)

    @cached_property
    def stored_width(self) -> int:
        """The number of numbers of a row in the column: 2 (offset and length) if the items are in a pool."""
        return 2 if self.pooled else self.width

    @cached_property
    def pooled(self) -> bool:
        """Whether rows may differ in length, so that the column holds offsets into a pool."""
        return self.special in ("chars", "list")

    @property
    def zero(self) -> Any:
        """The default of a field without an own default."""
        if self.special in ("str", "chars"):
            return ""
        if self.special == "list":
            return () if self.text else np.zeros((0, *self.shape), self.dtype)
        if self.enum is not None:
            return next(iter(self.enum))
        if self.name == "Quat":
            return np.array([0, 0, 0, 1], np.float32)
        if self.name == "Color":
            return np.ones(4, np.float32)
        if self.name == "Mat4":
            return np.eye(4, dtype=np.float32)
        return np.zeros(self.shape, self.dtype) if self.shape else self.dtype.type(0)

    @cached_property
    def text(self) -> bool:
        """Whether the column, or its pool, holds numbers of interned texts."""
        return self.special in ("str", "asset") or (self.item is not None and self.item.text)

    @property
    def limits(self) -> tuple[frozenset[type], Any, Any]:
        """The usual types of a number, and the least and the greatest; no types if rows do not hold numbers."""
        if self.special not in ("", "entity"):
            return frozenset(), 0, 0
        if self.dtype.kind == "f":
            return frozenset({float, int, np.float64, np.float32}), -_FLOAT_MAX, _FLOAT_MAX
        if self.dtype.kind == "b":
            return frozenset({bool}), False, True
        bounds = np.iinfo(self.dtype)
        return frozenset({int}), int(bounds.min), int(bounds.max)

    @property
    def schema(self) -> str:
        """The type as a text for snapshots; for an enum with its members, so that they can be matched by name."""
        if self.enum is None:
            return self.name
        return f"enum({','.join(member.name for member in members_of(self.enum))})"

    def coerce(self, value: Any) -> Any:
        """Return `value` in the stored form: a numpy scalar or array of `shape`, a str, or an array of items.

        Raises ValueError with a message that says what was expected and given.
        """
        if not self.special:
            return self._coerce_vector(value) if self.shape else self._coerce_scalar(value)
        if self.special == "enum":
            return self._coerce_enum(value)
        if self.special in ("str", "chars"):
            return _coerce_text(value, "text")
        if self.special == "asset":
            return self._coerce_asset(value)
        if self.special == "list":
            return self._coerce_list(value)
        return self._coerce_scalar(value)

    def is_rows(self, value: Column) -> bool:
        """Whether an array holds one value for each row, rather than a single value."""
        return not self.pooled and value.ndim == len(self.shape) + 1

    def coerce_rows(self, value: Column) -> Column:
        """Return a copy of an array of rows in the stored form; texts stay texts, in an object array."""
        if self.text and value.dtype.kind in "UO":
            texts: Column = np.empty(len(value), object)
            texts[:] = [_coerce_text(item, "text") for item in value.tolist()]
            return texts
        if value.shape[1:] != self.shape:
            raise ValueError(f"expected rows of {self._expected()}, got an array of shape {value.shape}")
        stored = self._coerce_numbers(value)
        if self.enum is not None and len(stored) and int(stored.max()) >= len(self.enum):
            raise ValueError(f"{int(stored.max())} is no member of {self.name}")
        return stored

    def stack(self, values: list[Any]) -> Any:
        """Return coerced single values as one array of rows; pooled ones stay a list."""
        if self.pooled:
            return values
        if self.enum is not None:
            members = members_of(self.enum)
            return np.array([members.index(value) for value in values], np.uint8)
        if self.text and any(isinstance(value, str) for value in values):
            texts: Column = np.empty(len(values), object)
            texts[:] = values
            return texts
        return np.array(values, self.dtype).reshape(len(values), *self.shape)

    def _coerce_numbers(self, value: Column) -> Column:
        """Return a copy of an array in the column's dtype. Raises ValueError for numbers that the dtype can't hold."""
        kind, target = value.dtype.kind, self.dtype.kind
        if kind not in ("b" if target == "b" else "fiu") and value.size:
            raise ValueError(f"expected {self._expected()}, got an array of {value.dtype}")
        if target == "f":
            with np.errstate(over="ignore", invalid="ignore"):
                stored = value.astype(self.dtype)
            if not np.isfinite(stored).all():
                wrong = value[~np.isfinite(stored)].ravel()[0]
                raise ValueError(f"expected finite numbers, got {wrong}")
            return stored
        if target in "iu" and value.size:
            bounds = np.iinfo(self.dtype)
            low, high = value.min(), value.max()
            if not (bounds.min <= low and high <= bounds.max):
                raise ValueError(f"{low}..{high} is not inside {bounds.min}..{bounds.max}")
            if kind == "f" and (value != np.floor(value)).any():
                raise ValueError(f"expected whole numbers, got {value[value != np.floor(value)].ravel()[0]}")
        return value.astype(self.dtype)

    def _coerce_scalar(self, value: Any) -> Any:
        kind = self.dtype.kind
        if is_array(value) and value.shape == ():
            value = value.item()
        if kind == "b":
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"expected true or false, got {_show(value)}")
            return np.bool_(cast("Any", value))
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise ValueError(f"expected {_article(self.name)}, got {_show(value)}")
        if kind == "f":
            return _finite(cast("Any", value))
        if not isinstance(value, numbers.Integral) and not float(value).is_integer():
            raise ValueError(f"expected a whole number, got {_show(value)}")
        whole = int(cast("Any", value))
        bounds = np.iinfo(self.dtype)
        if not bounds.min <= whole <= bounds.max:
            raise ValueError(f"{_show(whole)} is outside {bounds.min}..{bounds.max}")
        return self.dtype.type(whole)

    def _coerce_vector(self, value: Any) -> Column:
        if isinstance(value, (str, bytes)):
            raise ValueError(f"expected {self._expected()}, got {_show(value)}")
        try:
            array: Column = np.asarray(value)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"expected {self._expected()}, got {_show(value)}") from None
        if array.shape != self.shape or array.dtype.kind not in ("b" if self.dtype.kind == "b" else "fiu"):
            raise ValueError(f"expected {self._expected()}, got {_show(value)}")
        return self._coerce_numbers(array)

    def _coerce_enum(self, value: Any) -> Any:
        assert self.enum is not None
        members = members_of(self.enum)
        if isinstance(value, self.enum):
            return value
        if isinstance(value, str):
            for name, member in self.enum.__members__.items():
                if name.lower() == value.lower():
                    if name != member.name:
                        notice_former(self.enum.__name__, value, member.name.lower())
                    return member
        elif _is_whole(value):
            number = int(value)
            if 0 <= number < len(members):
                return members[number]
        names = ", ".join(member.name.lower() for member in members)
        raise ValueError(f"expected one of {names}, got {_show(value)}")

    def _coerce_asset(self, value: Any) -> Any:
        if _is_whole(value):
            if 0 <= int(value) <= _INT32.max:
                return np.int32(int(value))
            raise ValueError(f"{_show(value)} is not the number of an asset")
        return _coerce_text(value, "the path of an asset")

    def _coerce_list(self, value: Any) -> Any:
        assert self.item is not None
        if is_array(value):
            listed = value.ndim > 0
        else:
            listed = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
        if not listed:
            raise ValueError(f"expected a list, got {_show(value)}")
        if self.item.text:
            return tuple(self.item.coerce(item) for item in cast("Sequence[Any]", value))
        if is_array(value) and value.shape[1:] == self.item.shape:
            return self.item._coerce_numbers(value)
        items = [self.item.coerce(item) for item in cast("Sequence[Any]", value)]
        return np.array(items, self.item.dtype).reshape(len(items), *self.item.shape)

    def _expected(self) -> str:
        if not self.shape:
            return {"b": "true or false", "f": "numbers"}.get(self.dtype.kind, "whole numbers")
        if len(self.shape) == 1:
            return f"{self.shape[0]} numbers"
        return " of ".join([*(str(n) for n in self.shape[:-1]), f"{self.shape[-1]} numbers"])


def is_array(value: Any) -> TypeGuard[Column]:
    """Whether a value is a numpy array; narrows the type to Column for type checkers."""
    return isinstance(value, np.ndarray)


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Integral)


def members_of(enum: type[Enum]) -> tuple[Enum, ...]:
    """Return the members in the order of their numbers in columns."""
    members = _members.get(enum)
    if members is None:
        members = _members[enum] = tuple(enum)
    return members


_members: dict[type[Enum], tuple[Enum, ...]] = {}


def with_room(values: Column, count: int) -> Column:
    """Return an array with the same first rows and room for `count`; the same array if it has enough."""
    if len(values) >= count:
        return values
    grown: Column = np.zeros((count + count // 2 + 16, *values.shape[1:]), values.dtype)
    grown[: len(values)] = values
    return grown


def distinct(values: Column) -> Column:
    """Return the distinct values, sorted, flat. `np.unique` is slower, and its first call imports `numpy.ma`."""
    values = np.sort(values, axis=None)
    return values if len(values) < 2 else values[np.concatenate([[True], values[1:] != values[:-1]])]


def median(values: Column) -> Any:
    """Return the median of one number or more, like `np.median`, which imports `numpy.ma` as well."""
    ordered, count = np.sort(values, axis=None), values.size
    return ordered[(count - 1) // 2 : count // 2 + 1].mean()


def _coerce_text(value: Any, expected: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected {expected}, got {_show(value)}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{_show(value)} contains half of a surrogate pair and is not valid text") from None
    return str(value)


def _finite(value: Any) -> Any:
    """Return a number as float32. Raises ValueError for NaN, infinity and values outside the range of float32."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number):
        raise ValueError("expected a number, got NaN")
    if not -_FLOAT_MAX <= number <= _FLOAT_MAX:
        raise ValueError(f"{_show(value)} is not a finite number of 32 bits")
    return np.float32(number)


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _article(name: str) -> str:
    return {"float": "a number", "int": "a whole number"}.get(name, f"a value of type {name}")


def _floats(name: str, *shape: int) -> ColumnType:
    return ColumnType(name, np.dtype(np.float32), shape)


Vec2 = Annotated[tuple[float, float], _floats("Vec2", 2)]
Vec3 = Annotated[tuple[float, float, float], _floats("Vec3", 3)]
Vec4 = Annotated[tuple[float, float, float, float], _floats("Vec4", 4)]
Quat = Annotated[tuple[float, float, float, float], _floats("Quat", 4)]
Color = Annotated[tuple[float, float, float, float], _floats("Color", 4)]
Mat4 = Annotated[Sequence[Sequence[float]], _floats("Mat4", 4, 4)]
Entity = Annotated[int, ColumnType("Entity", np.dtype(np.int64), special="entity")]
Asset = Annotated[str, ColumnType("Asset", np.dtype(np.int32), special="asset")]
Str = Annotated[str, ColumnType("Str", np.dtype(np.int32), special="str")]
Chars = Annotated[str, ColumnType("Chars", np.dtype(np.uint8), special="chars")]

_BUILTIN: dict[Any, ColumnType] = {
    float: ColumnType("float", np.dtype(np.float32)),
    int: ColumnType("int", np.dtype(np.int32)),
    bool: ColumnType("bool", np.dtype(np.bool_)),
}
NAMES = (
    "float", "int", "bool", "Vec2", "Vec3", "Vec4", "Quat", "Color", "Mat4", "Entity", "Asset", "Str", "Chars",
    "list[T]", "Array[T, n]", "an Enum",
)  # fmt: skip
"""The types that an author may write, for error messages."""


class Array:
    """`Array[T, n]`: exactly n items of a numeric type, stored in the row itself."""

    def __class_getitem__(cls, parameters: tuple[Any, int]) -> Any:
        item_type, count = parameters
        item = column_type(item_type)
        if item is None or item.special not in ("", "entity") or not 1 <= count <= 4096:
            raise TypeError("Array[T, n] takes a numeric type and a length from 1 to 4096")
        array_type = ColumnType(f"Array[{item.name}, {count}]", item.dtype, (count, *item.shape))
        return Annotated[Sequence[Any], array_type]


def column_type(annotation: Any) -> ColumnType | None:
    """Return the column type of an annotation, or None if it is not one."""
    if annotation in _BUILTIN:
        return _BUILTIN[annotation]
    if get_origin(annotation) is Annotated:
        for mark in get_args(annotation)[1:]:
            if isinstance(mark, ColumnType):
                return mark
        return column_type(get_args(annotation)[0])
    if get_origin(annotation) is list:
        item = column_type(get_args(annotation)[0])
        if item is None or item.pooled or item.special == "enum":
            return None
        return ColumnType(f"list[{item.name}]", item.dtype, item.shape, "list", item=item)
    if not isinstance(annotation, type) or issubclass(annotation, Flag):
        return None
    if issubclass(annotation, Enum) and 0 < len(annotation) <= 256:
        return ColumnType(annotation.__name__, np.dtype(np.uint8), special="enum", enum=annotation)
    return None
