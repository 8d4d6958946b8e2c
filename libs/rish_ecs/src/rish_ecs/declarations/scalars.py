"""The text forms of values: plain scalars of the YAML 1.2 core schema, angles with units, rotations.

A plain scalar is a word without quotes, as in a manifest. YAML 1.1, the default of PyYAML, turns `no` into False,
`12:30` into 750 and `010` into 8. Here only texts of these forms are numbers: `1`, `-2.5`, `1e3`, `0xff`, `0o17`. Only
`true`, `false` and `null` are special words. A number with a leading zero stays text, because `010` is ambiguous.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Final

from rish_jit import quaternions_of
from rish_jit.errors import UsageError

Scalar = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_STARTS: Final = frozenset("~nNtTfF+-.0123456789")
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_RADIX = re.compile(r"0(?:o(?P<oct>[0-7]+)|x(?P<hex>[0-9a-fA-F]+))\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
_ANGLE = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?) ?(deg|rad|turn)(?:/s)?\Z")
_DEGREES = {"deg": 1.0, "rad": math.degrees(1.0), "turn": 360.0}
_MAX_DIGITS = 20
_EVEN = 1e-6
"""A quaternion whose length differs from 1 by less than this is stored as it is written."""
_UNSAFE_STARTS: Final = "-?:,[]{}#&*!|>'\"%@` "


def resolve(text: str) -> Scalar:
    """Return the value of a plain scalar. Raises ValueError for a number that is too large or not finite."""
    if text and text[0] not in _STARTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return _whole(text, 10, text.lstrip("+-"))
    if _FLOAT.match(text):
        return _finite(text)
    if (radix := _RADIX.match(text)) is not None:
        octal: str | None = radix["oct"]
        return _whole(text, 8 if octal else 16, octal or radix["hex"])
    if _SPECIAL.match(text):
        raise ValueError(f"{text} is not a finite number")
    return text


def _whole(text: str, base: int, digits: str) -> int:
    if len(digits) > _MAX_DIGITS * 4:
        raise ValueError(f"a whole number of {len(digits)} digits is too long: it must fit in 64 bits")
    value = int(digits, base) * (-1 if text[0] == "-" else 1)
    if not -(2**63) <= value < 2**64:
        raise ValueError(f"the whole number {shorten(text)} is too large: it must fit in 64 bits")
    return value


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {shorten(text)} is too large: the maximum is about 1e308")
    return value


def shorten(text: str, maximum: int = 40) -> str:
    """Return `text` cut to `maximum` characters, with `...` before the last one, for messages."""
    return text if len(text) <= maximum else f"{text[: maximum - 4]}...{text[-1]}"


def usual(value: Scalar) -> str:
    """Return the usual text of a value in YAML: `true`, `1000.0`, `null`."""
    return str(value) if isinstance(value, str | float) or type(value) is int else json.dumps(value)


def show(value: object) -> str:
    """Return a phrase for a value, for messages: `the text 'abc'`, `the number 3`, `a list of 2`, `nothing`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text {shorten(value)!r}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return f"a list of {len(value)}"  # pyright: ignore[reportUnknownArgumentType]
    return "a mapping" if isinstance(value, dict) else repr(type(value).__name__)


def written(value: object) -> str:
    """Return a number, text, bool, None or a list of these as YAML in flow style, which reads back as the same value.

    Floats keep nine digits. Raises UsageError for other types.
    """
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value + 0.0:.9g}"  # no -0
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"  # pyright: ignore[reportUnknownArgumentType]
    raise UsageError(f"a {type(value).__name__} can't be written", hint="Give a number, text, or a list of these")


def _is_plain(text: str) -> bool:
    """Whether a text can be written without quotes."""
    if not text or text != text.strip() or text[0] in _UNSAFE_STARTS or any(c in text for c in ",[]{}?\n\t\\"):
        return False
    try:
        return resolve(text) == text and ": " not in text and " #" not in text and not text.endswith(":")
    except ValueError:
        return False


def degrees_of(text: str) -> float | None:
    """Return the degrees of a text such as `90deg`, or None if it is not an angle; it may end in `/s`."""
    match = _ANGLE.match(text)
    return float(match[1]) * _DEGREES[match[2]] if match is not None else None


def quaternion_of(numbers: Sequence[float]) -> list[float]:
    """Return a quaternion x, y, z, w of length 1, of three angles in degrees or of four numbers.

    Raises ValueError for four zeros.
    """
    if len(numbers) == 3:
        return quaternions_of([math.radians(angle) for angle in numbers]).tolist()
    length = math.hypot(*numbers)
    if not length:
        raise ValueError("a quaternion of four zeros is no rotation: write three angles, or 0, 0, 0, 1")
    return list(numbers) if abs(length - 1) < _EVEN else [number / length for number in numbers]
