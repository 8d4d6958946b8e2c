"""Column types: what a field of a component may be, and how a value becomes numbers.

A component field is an ordinary annotation. `float`, `int`, `bool` and enums are written as they are; vectors,
colours, handles and text are the aliases below, which a type checker sees as tuples, ints and strings::

    velocity: Vec2      # two float32, side by side
    target: Entity      # a handle, int64
    label: Chars        # text of any length, in a pool that the World owns

Angles are radians in code and degrees in manifests; a field says so with `field(angle=True)`.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, TypeAlias, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[Any]
"""A numpy array that holds one field of many rows."""

_INT32 = np.iinfo(np.int32)


@dataclass(frozen=True)
class ColumnType:
    """How one field is stored.

    name: as an author writes it. dtype: of one number. shape: of one row, `()` for a scalar. special: "" for plain
    numbers, else one of `str` (interned text), `chars` (text in a pool), `list` (items in a pool), `entity`,
    `asset`, `enum`. enum: the class of an enum. item: the type of a list's items.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    special: str = ""
    enum: type[Enum] | None = None
    item: ColumnType | None = None

    @property
    def width(self) -> int:
        """How many numbers a row takes."""
        return math.prod(self.shape)

    @property
    def pooled(self) -> bool:
        """Whether the rows differ in length, so that the column holds offsets into a pool."""
        return self.special in ("chars", "list")

    @property
    def zero(self) -> Any:
        """The default of a field that names none."""
        if self.special in ("str", "chars"):
            return ""
        if self.special == "list":
            return ()
        if self.enum is not None:
            return next(iter(self.enum))
        if self.name == "Quat":
            return np.array([0, 0, 0, 1], np.float32)
        if self.name == "Color":
            return np.ones(4, np.float32)
        if self.name == "Mat4":
            return np.eye(4, dtype=np.float32)
        return np.zeros(self.shape, self.dtype) if self.shape else self.dtype.type(0)

    def coerce(self, value: Any) -> Any:
        """`value` as this type stores it: a numpy scalar or array of `shape`, a str, or an array of items.

        Raises ValueError with a sentence that says what was expected and what came.
        """
        if self.special == "enum":
            return self._coerce_enum(value)
        if self.special in ("str", "chars"):
            if not isinstance(value, str):
                raise ValueError(f"expected text, got {_show(value)}")
            return value
        if self.special == "asset":
            return self._coerce_asset(value)
        if self.special == "list":
            return self._coerce_list(value)
        if not self.shape:
            return self._coerce_scalar(value)
        return self._coerce_vector(value)

    def _coerce_scalar(self, value: Any) -> Any:
        kind = self.dtype.kind
        if kind == "b":
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"expected true or false, got {_show(value)}")
            return np.bool_(value)
        if isinstance(value, np.ndarray) and value.shape == ():
            value = value.item()
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise ValueError(f"expected {_article(self.name)}, got {_show(value)}")
        if kind == "f":
            return _finite(np.float32(value), value)
        if not isinstance(value, numbers.Integral) and float(value) != int(value):
            raise ValueError(f"expected a whole number, got {_show(value)}")
        whole = int(value)
        bounds = np.iinfo(self.dtype)
        if not bounds.min <= whole <= bounds.max:
            raise ValueError(f"{_show(whole)} is outside {bounds.min}..{bounds.max}")
        return self.dtype.type(whole)

    def _coerce_vector(self, value: Any) -> Column:
        try:
            array = np.asarray(value, dtype=np.float64 if self.dtype.kind == "f" else None)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"expected {self._expected()}, got {_show(value)}") from None
        if isinstance(value, (str, bytes)) or array.shape != self.shape or array.dtype.kind not in "fiub":
            raise ValueError(f"expected {self._expected()}, got {_show(value)}")
        if self.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"expected finite numbers, got {_show(value)}")
        with np.errstate(over="ignore"):
            stored = array.astype(self.dtype)
        if not np.isfinite(stored).all():
            raise ValueError(f"{_show(value)} is too large")
        return stored

    def _coerce_enum(self, value: Any) -> Any:
        assert self.enum is not None
        members = list(self.enum)
        if isinstance(value, self.enum):
            return value
        if isinstance(value, str):
            for member in members:
                if member.name.lower() == value.lower():
                    return member
        elif isinstance(value, numbers.Integral) and 0 <= int(value) < len(members):
            return members[int(value)]
        names = ", ".join(member.name.lower() for member in members)
        raise ValueError(f"expected one of {names}, got {_show(value)}")

    def _coerce_asset(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            return np.int32(int(value))
        raise ValueError(f"expected the path of an asset, got {_show(value)}")

    def _coerce_list(self, value: Any) -> Any:
        assert self.item is not None
        if isinstance(value, str) or not isinstance(value, (Sequence, np.ndarray)):
            raise ValueError(f"expected a list, got {_show(value)}")
        if self.item.special == "str":
            return tuple(self.item.coerce(item) for item in value)
        if isinstance(value, np.ndarray) and value.shape[1:] == self.item.shape and value.dtype.kind in "fiub":
            return value.astype(self.item.dtype)
        items = [self.item.coerce(item) for item in value]
        return np.array(items, self.item.dtype).reshape(len(items), *self.item.shape)

    def _expected(self) -> str:
        if len(self.shape) == 1:
            return f"{self.shape[0]} numbers"
        return " of ".join([*(str(n) for n in self.shape[:-1]), f"{self.shape[-1]} numbers"])


def _finite(stored: Any, value: Any) -> Any:
    if math.isnan(stored):
        raise ValueError("expected a number, got NaN")
    if math.isinf(stored):
        raise ValueError(f"{_show(value)} is not a finite number")
    return stored


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
NAMES = ("float", "int", "bool", "Vec2", "Vec3", "Vec4", "Quat", "Color", "Mat4", "Entity", "Asset", "Str", "Chars",
         "list[T]", "Array[T, n]", "an Enum")  # fmt: skip
"""What an author may write, for error messages."""


class Array:
    """`Array[T, n]`: exactly n items of a numeric type, stored in the row itself."""

    def __class_getitem__(cls, parameters: tuple[Any, int]) -> Any:
        item_type, count = parameters
        item = column_type(item_type)
        if item is None or item.special not in ("", "entity") or not 1 <= count <= 4096:
            raise TypeError("Array[T, n] takes a numeric type and a length from 1 to 4096")
        found = ColumnType(f"Array[{item.name}, {count}]", item.dtype, (count, *item.shape))
        return Annotated[Sequence[Any], found]


def column_type(annotation: Any) -> ColumnType | None:
    """The column type that an annotation stands for, or None where it is none."""
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
    if isinstance(annotation, type) and issubclass(annotation, Enum) and 0 < len(annotation) <= 256:
        return ColumnType(annotation.__name__, np.dtype(np.uint8), special="enum", enum=annotation)
    return None
