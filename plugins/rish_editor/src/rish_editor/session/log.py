"""The log of the editor: the last records of all loggers below `rish`, and the lines that the game prints."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections import Counter, deque
from dataclasses import dataclass
from itertools import islice
from typing import Any, TextIO

from rish_cli import LEVELS
from rish_core import describe_error, place_of_record

LIMIT = 10_000
"""The greatest number of lines that are kept."""
PRINTED = "print"
"""The name under which printed lines stand among the loggers."""
NAMES = tuple(name.lower() for name in LEVELS)
"""The names of the levels, from the least to the most important."""
_NUMBERS = [(number, name.lower()) for name, (number, _) in LEVELS.items()]


def level_name(level: int) -> str:
    """Return the name of the highest log level that is not above a number, such as `warning`."""
    return next((name for number, name in reversed(_NUMBERS) if level >= number), NAMES[0])


@dataclass(frozen=True)
class Line:
    """A line of the log. number: counts all lines. level: a number of `logging`. where: file and line of its source,
    None if unknown. details: a traceback, or "".
    """

    number: int
    level: int
    logger: str
    text: str
    time: float
    where: tuple[str, int] | None = None
    details: str = ""

    @property
    def name(self) -> str:
        """The name of the level."""
        return level_name(self.level)

    @property
    def key(self) -> tuple[int, str, str]:
        """The key that equal lines share, which can be shown as one line."""
        return self.level, self.logger, self.text


class LogBuffer(logging.Handler):
    """Keeps lines. lines: the oldest first. count: of all lines so far. counts: of the kept lines by level's name.
    serious: the last line from WARNING on since `seen()`. cleared: how often the lines were forgotten. clear_on_play:
    whether playing begins with an empty log.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        super().__init__(level=0)
        self.lines: deque[Line] = deque(maxlen=limit)
        self.counts: Counter[str] = Counter()
        self.loggers: dict[str, None] = {}
        self.count = 0
        self.cleared = 0
        self.serious: Line | None = None
        self.clear_on_play = False
        self._root = logging.getLogger("rish")
        self._before = self._root.level
        self._handlers: list[tuple[logging.Handler, int]] = []
        self._printed: _Printed | None = None

    # Receiving

    def attach(self, level: int = logging.INFO) -> None:
        """Receive the records of all loggers below `rish` from a level on, and what is printed.

        The other handlers, such as that of the terminal, receive no more than before.
        """
        self._before = self._root.level
        least = self._root.getEffectiveLevel()
        self._handlers = [(handler, handler.level) for handler in self._root.handlers]
        for handler, own in self._handlers:
            handler.setLevel(max(own, least))
        self._root.addHandler(self)
        self.capture(level)
        sys.stdout = self._printed = _Printed(sys.stdout, self)

    def capture(self, level: int) -> None:
        """Receive records from this level on."""
        self._root.setLevel(level)

    @property
    def least(self) -> int:
        """The level from which on records are received."""
        return self._root.level

    def detach(self) -> None:
        """Stop receiving records; loggers and standard output are as before."""
        self._root.removeHandler(self)
        self._root.setLevel(self._before)
        for handler, level in self._handlers:
            handler.setLevel(level)
        if self._printed is not None and sys.stdout is self._printed:
            sys.stdout = self._printed.stream

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        try:
            text = record.getMessage()
        except Exception as error:
            text = f"{record.msg} ({describe_error(error)})"
        details = ""
        if record.exc_info and record.exc_info[1] is not None:
            details = "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        place = place_of_record(record)
        where = (str(place.file), int(place.line or 1)) if place is not None and place.file else None
        self.put(record.levelno, record.name, text, where, details)

    def put(self, level: int, logger: str, text: str, where: tuple[str, int] | None = None, details: str = "") -> None:
        """Keep a line."""
        self.count += 1
        if len(self.lines) == self.lines.maxlen:
            self.counts[self.lines[0].name] -= 1
        line = Line(self.count, level, logger, text, time.time(), where, details)
        self.lines.append(line)
        self.counts[line.name] += 1
        self.loggers[logger] = None
        if level >= logging.WARNING:
            self.serious = line

    # Reading

    @property
    def first(self) -> int:
        """The number of the oldest line that is kept."""
        return self.lines[0].number if self.lines else self.count + 1

    def since(self, number: int) -> list[Line]:
        """Return the lines after the one with this number, the oldest first."""
        fresh = min(self.count - number, len(self.lines))
        return [*islice(reversed(self.lines), fresh)][::-1] if fresh > 0 else []

    def clear(self) -> None:
        """Forget all lines."""
        self.lines.clear()
        self.counts.clear()
        self.loggers.clear()
        self.serious = None
        self.cleared += 1

    def seen(self) -> None:
        """Reset `serious`."""
        self.serious = None


class _Printed:
    """A replacement of standard output that also adds its lines to a log. stream: the real one, which gets
    everything."""

    def __init__(self, stream: TextIO, log: LogBuffer) -> None:
        self.stream = stream
        self._log = log
        self._rest = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text, and keep its complete lines with the place of the code that printed them."""
        done = self.stream.write(text)
        *lines, self._rest = (self._rest + text).split("\n")
        if lines:
            caller = sys._getframe(1)
            where = caller.f_code.co_filename, caller.f_lineno
            for line in lines:
                self._log.put(logging.INFO, PRINTED, line, where)
        return done
