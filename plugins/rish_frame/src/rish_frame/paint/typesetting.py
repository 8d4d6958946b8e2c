"""The interface of the code that sets texts: the renderer provides it as `Frame.typesetter`, a terminal its own.

All lengths are in the units of the text's size. Positions within a text are measured from the top left corner of its
block, x to the right and y *down*, in the order in which lines are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol


class TextLook(NamedTuple):
    """The parameters of the layout of a text.

    font: path of a font asset; empty: the default. align: left, center, right or justify. wrap: greatest width of a
    line, and then also the width in which lines are aligned; 0: any. markup: whether brackets contain colors, sizes
    and icons. most_lines: further lines are cut, the last
    one ends in an ellipsis; 0: any number.
    """

    size: float = 16.0
    font: str = ""
    align: str = "left"
    wrap: float = 0.0
    line_spacing: float = 1.0
    letter_spacing: float = 0.0
    outline_width: float = 0.0
    markup: bool = False
    most_lines: int = 0


class Icon(NamedTuple):
    """An image inside a text: `[icon=coin.png]`; x and y of its top left corner, width, height."""

    image: str
    x: float
    y: float
    w: float
    h: float


class Caret(NamedTuple):
    """A place between two characters: x, and y and height of its line."""

    x: float
    y: float
    height: float


class Typeset(Protocol):
    """A text that was set. Equal texts with equal looks may be the same object; it never changes."""

    @property
    def source(self) -> str:
        """The text as it was given, with its markup."""
        ...

    @property
    def text(self) -> str:
        """The characters without markup."""
        ...

    @property
    def look(self) -> TextLook:
        """The look that it was set with."""
        ...

    @property
    def width(self) -> float:
        """The width of the widest line."""
        ...

    @property
    def height(self) -> float:
        """The height of the block."""
        ...

    @property
    def narrowest(self) -> float:
        """The width of the widest part that can't be broken."""
        ...

    @property
    def baseline(self) -> float:
        """The distance from the top to the baseline of the first line."""
        ...

    @property
    def lines(self) -> int:
        """The number of lines."""
        ...

    @property
    def icons(self) -> Sequence[Icon]:
        """The images inside the text."""
        ...

    def caret(self, index: int) -> Caret:
        """Return the position before the character `index` of `text`, 0 to its length; it is never inside a cluster."""
        ...

    def index_at(self, x: float, y: float) -> int:
        """Return the index whose caret is nearest to a point; a point outside counts for the nearest line."""
        ...

    def step(self, index: int, by: int) -> int:
        """Return the index that is `by` clusters (letters with their marks) after or before another one."""
        ...

    def selection(self, start: int, end: int) -> list[tuple[float, float, float, float]]:
        """Return the rectangles x, y, w, h that cover the characters from `start` to before `end`."""
        ...


class Typesetter(Protocol):
    """Sets texts. `cell`: width and height of a character cell if the display has only these (a terminal), or None.

    version: changes when texts that were set before must be set again, such as after a change of font or language.
    """

    @property
    def cell(self) -> tuple[float, float] | None:
        """The size of a character cell, or None if letters may be anywhere."""
        ...

    @property
    def version(self) -> int:
        """A number that changes when all texts must be set again."""
        ...

    def typeset(self, world: Any, text: str, look: TextLook, /) -> Typeset:
        """Set a text; the result is cached."""
        ...
