"""Colours within a text: `[gold]treasure[/]`, `[#ff8800]warm[/]`.

A colour in brackets begins a span, `[/]` ends the innermost span, and `[[` is a bracket. Colours are written as in a
manifest. A span may stay open, so that a text that is revealed letter by letter keeps its colours. Text in brackets
that is not a colour is kept unchanged, and the first such place is logged.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rish_ecs import parse_color

Rgba = tuple[int, int, int, int]

_TAG = re.compile(r"\[(\[|[^\[\]\n]{1,64}\])")


class Span(NamedTuple):
    """A coloured part of a text, from `start` to before `end`: red green blue opacity, 0 to 255."""

    start: int
    end: int
    rgba: Rgba


class Marked(NamedTuple):
    """A text without its markup, its coloured spans in order, and the first error, "" for none."""

    text: str
    spans: tuple[Span, ...]
    problem: str


def read_markup(source: str) -> Marked:
    """Remove the colour tags from a text and return its spans."""
    if "[" not in source:
        return Marked(source, (), "")
    out: list[str] = []
    spans: list[Span] = []
    waiting: list[Rgba] = []
    length, at, begun, problem = 0, 0, 0, ""

    def add(piece: str) -> None:
        nonlocal length
        out.append(piece)
        length += len(piece)

    def turn() -> None:
        """Give the text since the last tag the innermost colour."""
        nonlocal begun
        if waiting and length > begun:
            spans.append(Span(begun, length, waiting[-1]))
        begun = length

    for tag in _TAG.finditer(source):
        add(source[at : tag.start()])
        at = tag.end()
        name = tag[1][:-1].strip()
        if tag[1] == "[":
            add("[")
        elif name == "/" and waiting:
            turn()
            waiting.pop()
        else:
            found, wrong = _colour(name)
            if found is None:
                problem = problem or f"{wrong}, at letter {tag.start() + 1} of {_shortened(source)}"
                add(tag[0])
                continue
            turn()
            waiting.append(found)
    add(source[at:])
    turn()
    return Marked("".join(out), tuple(spans), problem)


def _colour(name: str) -> tuple[Rgba | None, str]:
    """Return the colour of a tag, or None and an error message."""
    if name == "/":
        return None, "[/] has no open colour tag before it"
    try:
        red, green, blue, alpha = (round(value * 255) for value in parse_color(name))
    except ValueError as error:
        return None, str(error)
    return (red, green, blue, alpha), ""


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
