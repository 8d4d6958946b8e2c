"""Marks: which rows of a table were written, where the writer says so.

`table.version` rises with everything that is written. What writes single entities, or a system declared with
`marks=True`, also says which rows, so that readers who keep something for a hundred thousand rows need not look at all
of them because one has changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from ..declarations.columns import Column, distinct

MOVES = [0]
"""How often the rows, pools or entities of any world became more, fewer or others; while this stays, each array is
where it was and as long as it was."""

Stamp = tuple[int, int]
_KEPT, _ROWS = 64, 1024
"""How many marks are kept, and how many rows are worth telling; beyond that all count as written."""
_NONE: Column = np.zeros(0, np.int64)


class Marks:
    """The part of a table that knows what was marked."""

    def start_marks(self) -> None:
        """Begin without marks."""
        state = self.__dict__
        state["marked"] = 0
        state["_marks"] = deque[Any](maxlen=_KEPT)

    def mark(self, rows: Any) -> None:
        """Say that these rows (a number, or an array of them) were written, and no others.

        Writes of single entities do it by themselves; a system that writes into columns does it where it is declared
        with `marks=True`.
        """
        state = self.__dict__
        state["version"] += 1
        state["marked"] += 1
        state["_marks"].append(rows)

    def marker(self) -> Callable[[Any], None]:
        """`mark` as a function of its own, for code that marks thousands of single rows; half the price."""
        state = self.__dict__
        note: Callable[[Any], None] = state["_marks"].append

        def mark(rows: Any) -> None:
            state["version"] += 1
            state["marked"] += 1
            note(rows)

        return mark

    @property
    def stamp(self) -> Stamp:
        """What `written_since` asks for later."""
        return self.__dict__["version"], self.__dict__["marked"]

    def written_since(self, stamp: Stamp) -> Column | None:
        """int64: the rows that were written since; None where that may be any, or rows came and went."""
        state = self.__dict__
        version: int = state["version"]
        if version == stamp[0]:
            return _NONE
        missed: int = state["marked"] - stamp[1]
        marks: deque[Any] = state["_marks"]
        if version - stamp[0] != missed or missed > len(marks):
            return None
        rows: list[int] = []
        for each in islice(marks, len(marks) - missed, None):
            if type(each) is int:
                rows.append(each)
                continue
            if np.size(each) > _ROWS:
                return None
            rows += np.ravel(each).tolist()
        if len(rows) > _ROWS:
            return None
        return np.array(rows, np.int64) if len(rows) < 2 else distinct(np.array(rows, np.int64))
