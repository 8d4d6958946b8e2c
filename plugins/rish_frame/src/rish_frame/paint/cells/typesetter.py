"""The typesetter of a display of character cells."""

from __future__ import annotations

from typing import Any

from ..typesetting import TextLook
from ..writing.characters import clean
from ..writing.markup import Marked, read_markup
from .text import CellText

_MAX_CACHED = 2048
"""The greatest number of cached texts; beyond it the cache is emptied."""


class CellTypesetter:
    """Sets texts in cells of a width and height, in the units of positions: logical pixels of the game."""

    def __init__(self, cell: tuple[float, float]) -> None:
        self._cell = cell
        self._version = 0
        self._kept: dict[tuple[str, TextLook], CellText] = {}

    @property
    def cell(self) -> tuple[float, float]:
        """The size of a character cell."""
        return self._cell

    @property
    def version(self) -> int:
        """A number that changes when the size of the cells changes."""
        return self._version

    def resize(self, cell: tuple[float, float]) -> None:
        """Give the cells another size."""
        if cell != self._cell:
            self._cell = cell
            self._version += 1
            self._kept.clear()

    def typeset(self, world: Any, text: str, look: TextLook, /) -> CellText:
        """Set a text; the result is cached. The world is not read."""
        typeset_text = self._kept.get((text, look))
        if typeset_text is None:
            if len(self._kept) >= _MAX_CACHED:
                self._kept.clear()
            clean_text = clean(text)
            marked = read_markup(clean_text) if look.markup else Marked(clean_text, (), "")
            typeset_text = self._kept[text, look] = CellText(text, marked, look, self._cell)
        return typeset_text
