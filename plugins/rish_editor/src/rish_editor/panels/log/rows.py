"""The rows of the log for a filter; new lines are added without filtering the old ones again."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...session.log import Line, LogBuffer

_STALE = 0.1
"""The share of rows whose lines the log no longer has at which these rows are removed."""


@dataclass
class Filter:
    """The filter of lines. minimum: the least level, as a number of `logging`. hidden: names of levels. text: is part
    of the line in any case of letters. logger: the beginning of its logger's name. collapse: equal lines are one row.
    """

    minimum: int = 20
    hidden: frozenset[str] = frozenset()
    text: str = ""
    logger: str = ""
    collapse: bool = True

    def takes(self, line: Line) -> bool:
        """Return whether a line is shown."""
        if line.level < self.minimum or line.name in self.hidden:
            return False
        if self.logger and line.logger != self.logger and not line.logger.startswith(f"{self.logger}."):
            return False
        return not self.text or self.text.lower() in f"{line.text} {line.logger}".lower()


@dataclass
class Row:
    """A row of the list. line: the first of the equal ones, whose details are shown. last: the last of them. count:
    how many there are.
    """

    line: Line
    last: Line
    count: int = 1


@dataclass
class LogRows:
    """The rows for a filter. drawn: whether they were drawn since they changed; the panel sets it. tested: the number
    of lines that were filtered so far.
    """

    rows: list[Row] = field(default_factory=list[Row])
    drawn: bool = False
    tested: int = 0
    _equal: dict[tuple[int, str, str], Row] = field(default_factory=dict[tuple[int, str, str], Row])
    _state: tuple[object, ...] = ()
    _last: int = 0
    _first: int = 0

    def update(self, log: LogBuffer, log_filter: Filter) -> None:
        """Add rows for the new lines of a log. All rows are computed again after a change of the filter or when the log
        was cleared."""
        state = (
            log,
            log.cleared,
            log_filter.minimum,
            log_filter.hidden,
            log_filter.text,
            log_filter.logger,
            log_filter.collapse,
        )
        if state != self._state:
            self._state, self._last, self._first = state, log.first - 1, log.first
            self.rows.clear()
            self._equal.clear()
            self.drawn = False
        elif log.first - self._first > _STALE * (log.lines.maxlen or 1):
            self._first = first = log.first
            self.rows[:] = [row for row in self.rows if row.last.number >= first]
            self._equal = {row.line.key: row for row in self.rows} if log_filter.collapse else {}
        if log.count == self._last:
            return
        fresh = log.since(self._last)
        self._last = log.count
        self.tested += len(fresh)
        for line in fresh:
            if log_filter.takes(line):
                self._add(line, log_filter.collapse)
        self.drawn = False

    @property
    def numbers(self) -> list[int]:
        """The numbers of the rows' first lines, in order."""
        return [row.line.number for row in self.rows]

    def row_of(self, number: int) -> Row | None:
        """Return the row whose first line has this number."""
        index = bisect_left(self.rows, number, key=lambda row: row.line.number)
        return self.rows[index] if index < len(self.rows) and self.rows[index].line.number == number else None

    def _add(self, line: Line, collapse: bool) -> None:
        equal_row = self._equal.get(line.key) if collapse else None
        if equal_row is not None:
            equal_row.last, equal_row.count = line, equal_row.count + 1
            return
        row = Row(line, line)
        self.rows.append(row)
        if collapse:
            self._equal[line.key] = row
