"""The types of a kernel's arguments as text, and back: `(f4[::1], i8, (f8, b1))`.

Lists of kernels to compile and keys of cache entries hold types as text, which can be compared without numba. Numbers
are written as in numpy (`f4`, `i8`, `b1`), arrays as in numba: `f4[::1]` in one dimension without gaps, `f4[:, ::1]` in
two in C order, `f4[::1, :]` in Fortran order, `f4[:]` with any strides. A `!` after the number marks a read-only array.
A tuple is written in parentheses. `=3` is the number 3 known to the compiler, `none` is None. A type that a package
adds to numba is written by the name that `name_type` gave it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import UsageError

_SCALARS = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16")
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|=-?[A-Za-z0-9_]+|[(),!]|\[[:, 1]*\])")
_named: dict[str, Callable[[], Any]] = {}


def name_type(name: str, make: Callable[[], Any]) -> None:
    """Give a type of numba's a name in signatures. make: gives the type; called only where numba is loaded."""
    _named[name] = make


def text_of(kind: Any) -> str | None:
    """The text of a type of numba's; None if it has none."""
    types: Any = importlib.import_module("numba.core.types")
    if isinstance(kind, types.Array):
        return _array_text(kind)
    if isinstance(kind, types.BaseTuple) and type(kind) in (types.Tuple, types.UniTuple):
        inner = [text_of(each) for each in kind.types]
        return None if None in inner else signature_text(inner)  # pyright: ignore[reportArgumentType]
    if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)):
        return f"={kind.literal_value}"
    if isinstance(kind, types.NoneType):
        return "none"
    if isinstance(kind, (types.Number, types.Boolean)):
        text = str(np.dtype(kind.name).str[1:])
        return text if text in _SCALARS else None
    return kind.name if kind.name in _named and _named[kind.name]() == kind else None


def signature_of(kinds: Any) -> str | None:
    """The text of the types of a kernel's arguments; None if one of them has none."""
    texts = [text_of(kind) for kind in kinds]
    return None if None in texts else signature_text(texts)  # pyright: ignore[reportArgumentType]


def signature_text(texts: list[str]) -> str:
    """Texts of types as that of a tuple of them."""
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def types_of(signature: str) -> tuple[Any, ...]:
    """The types of numba's that a signature names. Raises UsageError for text that is none."""
    tokens = _tokens(signature)
    try:
        kind = _read(tokens, signature)
    except (RecursionError, TypeError, OverflowError):
        raise _wrong(signature) from None
    if tokens or not hasattr(kind, "types"):
        raise _wrong(signature)
    return tuple(kind.types)


def _array_text(kind: Any) -> str | None:
    number = text_of(kind.dtype)
    if number not in _SCALARS or not kind.aligned or kind.ndim == 0:
        return None
    return array_text(number, kind.mutable, kind.layout, kind.ndim)


def array_text(number: str, writable: bool, layout: str, dimensions: int) -> str:
    """The text of an array's type. layout: C, F, or A for any strides."""
    return f"{number}{'' if writable else '!'}[{', '.join(_dimensions(layout, dimensions))}]"


def _dimensions(layout: str, count: int) -> list[str]:
    parts = [":"] * count
    if layout != "A":
        parts[-1 if layout == "C" else 0] = "::1"
    return parts


def _tokens(signature: str) -> list[str]:
    """The words of a signature, the first one last."""
    tokens: list[str] = []
    at, end = 0, len(signature.rstrip())
    while at < end:
        match = _TOKEN.match(signature, at)
        if match is None:
            raise _wrong(signature)
        tokens.append(match[1])
        at = match.end()
    return tokens[::-1]


def _read(tokens: list[str], signature: str) -> Any:
    """Take one type from the words."""
    types: Any = importlib.import_module("numba.core.types")
    word = tokens.pop() if tokens else ""
    if word == "(":
        return _read_tuple(tokens, signature)
    if word.startswith("="):
        value = {"=True": True, "=False": False}.get(word)
        return types.literal(_whole(word[1:], signature) if value is None else value)
    if word == "none":
        return types.none
    if word in _named:
        return _named[word]()
    if word not in _SCALARS:
        raise _wrong(signature)
    number = importlib.import_module("numba.np.numpy_support").from_dtype(np.dtype(word))
    writable = not (tokens and tokens[-1] == "!" and tokens.pop())
    if tokens and tokens[-1].startswith("["):
        return _array(number, tokens.pop(), writable, signature)
    if not writable:
        raise _wrong(signature)
    return number


def _read_tuple(tokens: list[str], signature: str) -> Any:
    types: Any = importlib.import_module("numba.core.types")
    inner: list[Any] = []
    while tokens and tokens[-1] != ")":
        inner.append(_read(tokens, signature))
        if tokens and tokens[-1] == ",":
            tokens.pop()
        elif not tokens or tokens[-1] != ")":
            raise _wrong(signature)
    if not tokens:
        raise _wrong(signature)
    tokens.pop()
    return types.Tuple(inner)


def _array(number: Any, brackets: str, writable: bool, signature: str) -> Any:
    types: Any = importlib.import_module("numba.core.types")
    parts = brackets[1:-1].replace(" ", "").split(",")
    for layout in "CFA":
        if parts == _dimensions(layout, len(parts)):
            return types.Array(number, len(parts), layout, readonly=not writable)
    raise _wrong(signature)


def _whole(text: str, signature: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _wrong(signature) from None


def _wrong(signature: str) -> UsageError:
    return UsageError(f"{signature!r} is no signature of a kernel", hint="Write it like (f4[::1], i8, (f8, b1))")
