"""Reads the values of a theme: colors, lengths, fonts and seconds, each of which may be the name of a token.

A color is a token, a name of CSS, `"#rrggbb"`, 3 or 4 numbers from 0 to 1, or one of the first three with its opacity:
`accent 40%`. Every length is a number or a token of `sizes:`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rish_core.manifest import Mark, Report, show
from rish_ecs import did_you_mean, parse_color

from .style import Rgba

MAX_LENGTH = 10_000.0
"""The greatest length, in units of the interface."""
_SHARE = re.compile(r"(?P<color>.*\S)\s+(?P<percent>\d+(?:\.\d+)?)\s*%\Z")
_MEANT = re.compile(r" \(did you mean .*?\?\)")
_NO_ALPHA = 1.0


class Given(NamedTuple):
    """A value as it is written in a file, with its mark and the path of keys to it."""

    value: Any
    mark: Mark
    path: tuple[str, ...]


Section = Mapping[str, Given]


class Wrong(ValueError):
    """Raised for a wrong value; the message says what it must be."""


class Tokens:
    """The tokens of a theme; looks them up, and reads values. report: gets the mistakes of the tokens themselves."""

    def __init__(self, sections: Mapping[str, Section], report: Report) -> None:
        self.sections, self.report = sections, report
        self._known: dict[tuple[str, str], Any] = {}
        self._open: list[tuple[str, str]] = []

    def check(self) -> None:
        """Read all tokens, so that mistakes in tokens that nothing uses are reported too."""
        for section, tokens in self.sections.items():
            for name in tokens:
                self._token(section, name)

    def color(self, value: Any) -> Rgba:
        """Return a color. Raises Wrong."""
        if isinstance(value, list) and len(value) in (3, 4):  # pyright: ignore[reportUnknownArgumentType]
            parts = [number(part, 0, 1) for part in (*value, _NO_ALPHA)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            return _bytes(parts)
        if not isinstance(value, str) or not value.strip():
            raise Wrong(f"must be a color such as accent, '#ff8800' or 'accent 40%', not {show(value)}")
        match = _SHARE.match(value.strip())
        if match is not None:
            red, green, blue, alpha = self.color(match["color"])
            return red, green, blue, round(alpha * number(float(match["percent"]), 0, 100) / 100)
        name = value.strip()
        if name in self.sections["colors"]:
            return self._token("colors", name) or (128, 128, 128, 255)
        try:
            return _bytes(parse_color(name))
        except ValueError as error:
            if name.startswith("#"):
                raise Wrong(str(error)) from None
            colors = self.sections["colors"]
            of_css = _MEANT.search(str(error))
            near = did_you_mean(name, colors) or (of_css[0] if of_css is not None else "")
            raise Wrong(f"there is no color {name!r}{near}. {_listed(colors)}") from None

    def length(self, value: Any, low: float = 0.0, high: float = MAX_LENGTH) -> float:
        """Return a length or another number. Raises Wrong."""
        return self._numeric("sizes", value, low, high)

    def time(self, value: Any) -> float:
        """Return a duration in seconds. Raises Wrong."""
        return self._numeric("seconds", value, 0.0, 60.0)

    def font(self, value: Any) -> str:
        """Return the path of a font, empty for the default. Raises Wrong."""
        if not isinstance(value, str):
            raise Wrong(f"must be a token of fonts:, or the path of a font, not {show(value)}")
        if value in self.sections["fonts"]:
            return self._token("fonts", value) or ""
        if value and not value.lower().endswith((".ttf", ".otf", ".ttc")):
            fonts = self.sections["fonts"]
            raise Wrong(f"there is no font {value!r}{did_you_mean(value, fonts)}. {_listed(fonts)}, or a path")
        return value

    def lengths(self, value: Any, counts: tuple[int, ...], low: float = 0.0) -> tuple[float, ...]:
        """Read a list of lengths, or a single one; `counts` are the allowed lengths of the list. Raises Wrong."""
        items: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
        if len(items) not in counts:
            allowed = " or ".join(map(str, counts))
            raise Wrong(f"must be {allowed} numbers or tokens of sizes:, not {show(value)}")
        return tuple(self.length(item, low) for item in items)

    def _numeric(self, section: str, value: Any, low: float, high: float) -> float:
        if isinstance(value, str):
            tokens = self.sections[section]
            if value not in tokens:
                near = did_you_mean(value, tokens)
                raise Wrong(f"there is no token {value!r} in {section}:{near}. {_listed(tokens)}")
            token = self._token(section, value)
            return low if token is None else number(token, low, high)
        return number(value, low, high)

    def _token(self, section: str, name: str) -> Any:
        """Return the value of a token; None if it is wrong, which is reported once, at the token."""
        key = (section, name)
        if key in self._open:
            ring = [token for _, token in self._open[self._open.index(key) :]]
            raise Wrong(f"leads back to itself: {' -> '.join([*ring, name])}")
        if key not in self._known:
            entry, reader = self.sections[section][name], _READERS[section]
            self._open.append(key)
            try:
                self._known[key] = reader(self, entry.value)
            except Wrong as error:
                self._known[key] = None
                self.report.add(entry.mark, entry.path, str(error))
            finally:
                self._open.pop()
        return self._known[key]


_READERS: dict[str, Callable[[Tokens, Any], Any]] = {
    "colors": Tokens.color,
    "sizes": lambda tokens, value: tokens.length(value, -MAX_LENGTH),
    "fonts": Tokens.font,
    "seconds": Tokens.time,
}
SECTIONS = tuple(_READERS)
"""The kinds of tokens."""


def number(value: Any, low: float, high: float) -> float:
    """Return a number within a range. Raises Wrong."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Wrong(f"must be a number, not {show(value)}")
    if not low <= value <= high:
        raise Wrong(f"{value:g} is out of range: from {low:g} to {high:g}")
    return float(value)


def _bytes(parts: list[float]) -> Rgba:
    red, green, blue, alpha = (int(part * 255 + 0.5) for part in parts[:4])
    return red, green, blue, alpha


def _listed(tokens: Mapping[str, Any]) -> str:
    names = list(tokens)
    return f"Tokens: {', '.join(names[:16])}{', ...' if len(names) > 16 else ''}" if names else "There are no tokens"
