"""The types of Python values as text, as `rish_jit.signatures` has them for types of numba's. Needs no numba."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arrays import Array
from ..machine.layout import DTYPE_NUMBERS
from ..signatures import array_text, signature_text

_NAMES: dict[type[object], str] = {bool: "b1", float: "f8", complex: "c16", type(None): "none"}


def types_text(values: Iterable[object]) -> str | None:
    """Return the types of arguments as a signature; None if one of them has no text."""
    texts = [_text_of(value) for value in values]
    return None if None in texts else signature_text(texts)  # pyright: ignore[reportArgumentType]


def normalized(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments with plain arrays and numbers in place of those of derived classes, as numba takes them.

    The same tuple is returned if there are none.
    """
    plain = [_normalized(value) for value in values]
    return values if all(new is old for new, old in zip(plain, values, strict=True)) else tuple(plain)


def _type_of(value: object) -> type[object]:
    return type(value)


def _text_of(value: Any) -> str | None:
    kind = _type_of(value)
    if kind in _NAMES:
        return _NAMES[kind]
    if kind is int:
        return "i8" if -(2**63) <= value < 2**63 else None
    if kind is np.ndarray:
        return _array_text(value)
    if kind is tuple:
        return types_text(value)
    name: str = value.dtype.str[1:] if issubclass(kind, np.generic) else ""
    return name if name in DTYPE_NUMBERS else None


def _array_text(value: Array) -> str | None:
    name, flags = value.dtype.str[1:], value.flags
    if name not in DTYPE_NUMBERS or value.dtype.str[0] == ">" or not flags.aligned or value.ndim == 0:
        return None
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return array_text(name, flags.writeable, order, value.ndim)


def _normalized(value: Any) -> Any:
    kind = _type_of(value)
    if kind in _NAMES or issubclass(kind, (np.generic, enum.Enum)):
        return value
    if kind is tuple:
        return normalized(value)
    if issubclass(kind, np.ndarray):
        return value if kind is np.ndarray else value.view(np.ndarray)
    if issubclass(kind, int):
        whole = value if kind is int else int(value)
        return np.uint64(whole) if 2**63 <= whole < 2**64 else whole
    return float(value) if issubclass(kind, float) else value
