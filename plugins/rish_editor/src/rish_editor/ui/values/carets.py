"""Keeps the caret of text fields between grapheme clusters, as in games; Dear ImGui itself moves it and deletes by
characters."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from typing import Any

from rish_frame.paint.writing import clusters_of


class Carets:
    """The text and the caret of the focused field in its last frame. Called by the field in each frame.

    Places in Dear ImGui's texts are counted in bytes of UTF-8, here in characters.
    """

    def __init__(self) -> None:
        self._field = 0
        self._text = ""
        self._caret = 0

    def __call__(self, data: Any) -> int:
        """Correct the effect of keys on the field: whole clusters are deleted, and the caret is moved out of
        clusters."""
        text = str(data.buf)
        caret = len(text.encode()[: data.cursor_pos].decode(errors="ignore"))
        if data.id_ == self._field and not (text.isascii() and self._text.isascii()):
            new_text, place = completed(self._text, self._caret, text, caret)
            if new_text != text:
                data.delete_chars(0, data.buf_text_len)
                data.insert_chars(0, new_text)
            if (new_text, place) != (text, caret):
                chosen = data.has_selection()
                data.cursor_pos = data.selection_end = len(new_text[:place].encode())
                if not chosen:
                    data.selection_start = data.cursor_pos
            text, caret = new_text, place
        self._field, self._text, self._caret = data.id_, text, caret
        return 0


def completed(before: str, old: int, after: str, new: int) -> tuple[str, int]:
    """Return the text and the caret after keys changed a text `before` with its caret at `old` to `after` and `new`."""
    removed = len(before) - len(after)
    if removed > 0 and before[:new] + before[new + removed :] == after:
        borders = _borders(before)
        start = borders[bisect_right(borders, new) - 1]
        return before[:start] + before[borders[bisect_left(borders, new + removed)] :], start
    borders = _borders(after)
    if new > old:
        return after, borders[bisect_left(borders, new)]
    return after, borders[bisect_right(borders, new) - 1]


def _borders(text: str) -> list[int]:
    """Return the places between clusters, rising, with both ends."""
    return list(itertools.accumulate(map(len, clusters_of(text, shaped=False)), initial=0))
