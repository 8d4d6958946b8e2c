"""The types of Python values as text, as `rish_jit.signatures` has them for types of numba's. Needs no numba."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..signatures import array_text, signature_text
from .layout import DTYPE_NUMBERS


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


def _text_of(value: Any) -> str | None:
    if isinstance(value, np.ndarray):
        return _array_text(value)
    if type(value) is tuple:
        return types_text(value)
    if isinstance(value, (bool, np.bool_)):
        return "b1"
    if isinstance(value, np.generic):
        name = value.dtype.str[1:]
        return name if name in DTYPE_NUMBERS else None
    if isinstance(value, int):
        if isinstance(value, enum.Enum):
            return None
        return "i8" if -(2**63) <= value < 2**63 else None
    if isinstance(value, float):
        return "f8"
    if isinstance(value, complex):
        return "c16"
    return "none" if value is None else None


def _array_text(value: np.ndarray[Any, Any]) -> str | None:
    name, flags = value.dtype.str[1:], value.flags
    if name not in DTYPE_NUMBERS or value.dtype.str[0] == ">" or not flags.aligned or value.ndim == 0:
        return None
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return array_text(name, flags.writeable, order, value.ndim)


def _normalized(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        return np.uint64(value) if 2**63 <= value < 2**64 else value
    if kind in _EXACT or isinstance(value, np.generic):
        return value
    if kind is tuple:
        return normalized(value)
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    if isinstance(value, enum.Enum):
        return value
    if isinstance(value, int):
        return _normalized(int(value))
    return float(value) if isinstance(value, float) else value


_EXACT = frozenset({np.ndarray, float, bool, complex, type(None)})
