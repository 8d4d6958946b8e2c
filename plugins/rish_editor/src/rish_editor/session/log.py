"""The log of the editor: the last records of all loggers below `rish`, and what the game prints."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass

from rish_core import place_of_record

LIMIT = 10_000
"""The greatest number of lines that are kept."""


@dataclass(frozen=True)
class Line:
    """A line of the log. level: a number of `logging`. where: file and line of its source, None if unknown."""

    number: int
    level: int
    logger: str
    text: str
    time: float
    where: tuple[str, int] | None = None


class LogBuffer(logging.Handler):
    """Keeps lines. lines: the oldest first. count: of all lines so far. worst: the highest level since `seen()`."""

    def __init__(self, limit: int = LIMIT) -> None:
        super().__init__(level=0)
        self.lines: deque[Line] = deque(maxlen=limit)
        self.count = 0
        self.worst = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        try:
            text = record.getMessage()
        except Exception as error:
            text = f"{record.msg} ({type(error).__name__}: {error})"
        if record.exc_info and record.exc_info[1] is not None:
            text += f"\n{type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        place = place_of_record(record)
        where = (str(place.file), int(place.line or 1)) if place is not None and place.file else None
        self.count += 1
        self.lines.append(Line(self.count, record.levelno, record.name, text, record.created, where))
        self.worst = max(self.worst, record.levelno)

    def clear(self) -> None:
        """Forget all lines."""
        self.lines.clear()
        self.worst = 0

    def seen(self) -> None:
        """Begin to look for the highest level again."""
        self.worst = 0
