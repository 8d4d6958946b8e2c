"""Markup within a text: colors, sizes and icons, as in `[gold]treasure[/] [size=1.5]big[/] [icon=coin.png]`.

A color in brackets, or `size=` with a factor, begins a span; `[/]` ends the innermost span, and `[[` is a bracket.
Colors are written as in a manifest. `[icon=coin.png]` is an image as high as the letters, `[icon=coin.png*1.5]` is
half as much higher; in the text it is one character, `ICON`. A span may stay open, so that a text that is revealed
letter by letter keeps its colors. Text in brackets that is nothing of these is kept unchanged, and the first such
place is logged.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from rish_ecs import parse_color

Rgba = tuple[int, int, int, int]

ICON = "\ufffc"
"""The character that an icon is in a text."""
MIN_FACTOR, MAX_FACTOR = 0.1, 10.0
"""The limits of factors of sizes."""
_TAG = re.compile(r"\[(\[|(?:icon\s*=[^\[\]\n]{1,256}|[^\[\]\n]{1,64})\])")


class Span(NamedTuple):
    """A colored part of a text, from `start` to before `end`: red green blue opacity, 0 to 255."""

    start: int
    end: int
    rgba: Rgba


class Sized(NamedTuple):
    """A part of a text with letters of another size, from `start` to before `end`. factor: of the text's size."""

    start: int
    end: int
    factor: float


class IconMark(NamedTuple):
    """An icon: its index in the text, the path of its image, and its height in heights of the text's letters."""

    place: int
    image: str
    factor: float


class Marked(NamedTuple):
    """A text without its markup, its colored spans in order, the first error ("" for none), its sizes and icons."""

    text: str
    spans: tuple[Span, ...]
    problem: str
    sizes: tuple[Sized, ...] = ()
    icons: tuple[IconMark, ...] = ()


def read_markup(source: str) -> Marked:
    """Remove the tags from a text and return its spans, sizes and icons."""
    if "[" not in source:
        return Marked(source, (), "")
    reader = _Reader(source)
    at = 0
    for tag in _TAG.finditer(source):
        reader.add(source[at : tag.start()])
        at = tag.end()
        if tag[1] == "[":
            reader.add("[")
        else:
            reader.tag(tag[1][:-1].strip(), tag)
    reader.add(source[at:])
    reader.turn()
    return Marked("".join(reader.out), tuple(reader.spans), reader.problem, tuple(reader.sizes), tuple(reader.icons))


class _Reader:
    """Collects the parts of a text. waiting: the open tags, each with the color and the factor inside it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.out: list[str] = []
        self.spans: list[Span] = []
        self.sizes: list[Sized] = []
        self.icons: list[IconMark] = []
        self.problem = ""
        self.waiting: list[tuple[Rgba | None, float]] = []
        self.length = self.begun = 0

    @property
    def inside(self) -> tuple[Rgba | None, float]:
        """The color and the factor here."""
        return self.waiting[-1] if self.waiting else (None, 1.0)

    def add(self, characters: str) -> None:
        """Add characters to the text."""
        self.out.append(characters)
        self.length += len(characters)

    def turn(self) -> None:
        """Record the innermost color and size for the text since the last tag."""
        color, factor = self.inside
        if color is not None and self.length > self.begun:
            self.spans.append(Span(self.begun, self.length, color))
        if factor != 1.0 and self.length > self.begun:
            self.sizes.append(Sized(self.begun, self.length, factor))
        self.begun = self.length

    def tag(self, name: str, tag: re.Match[str]) -> None:
        """Read the text in a pair of brackets."""
        color, factor = self.inside
        key, equals, value = name.partition("=")
        key = key.strip() if equals else ""
        if name == "/" and self.waiting:
            self.turn()
            self.waiting.pop()
        elif key == "size":
            size, problem = _factor(value)
            self._begin(None if size is None else (color, factor * size), problem, tag)
        elif key == "icon":
            path, star, high = value.strip().rpartition("*")
            size, problem = _factor(high) if star else (1.0, "")
            if size is None:
                self._fail(problem, tag)
            else:
                self.icons.append(IconMark(self.length, path.strip() if star else value.strip(), factor * size))
                self.add(ICON)
        else:
            rgba, problem = _color(name)
            self._begin(None if rgba is None else (rgba, factor), problem, tag)

    def _begin(self, inside: tuple[Rgba | None, float] | None, problem: str, tag: re.Match[str]) -> None:
        """Begin a span. inside: its color and factor; None: the tag is wrong."""
        if inside is None:
            self._fail(problem, tag)
            return
        self.turn()
        self.waiting.append(inside)

    def _fail(self, problem: str, tag: re.Match[str]) -> None:
        """Keep a tag as text, and record the problem of the first wrong tag."""
        self.problem = self.problem or f"{problem}, at letter {tag.start() + 1} of {_shortened(self.source)}"
        self.add(tag[0])


def _factor(text: str) -> tuple[float | None, str]:
    """Return a factor of the size, or None and an error message."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if MIN_FACTOR <= value <= MAX_FACTOR:
        return value, ""
    return None, f"a size is a factor from {MIN_FACTOR:g} to {MAX_FACTOR:g} such as 1.5, not {text.strip()!r}"


def _color(name: str) -> tuple[Rgba | None, str]:
    """Return the color of a tag, or None and an error message."""
    if name == "/":
        return None, "[/] has no open tag before it"
    try:
        red, green, blue, alpha = (round(value * 255) for value in parse_color(name))
    except ValueError as error:
        return None, str(error)
    return (red, green, blue, alpha), ""


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
