"""The last records of the log, for `/api/1/log`."""

from __future__ import annotations

import logging
from collections import deque
from itertools import islice
from typing import Any

from rish_core import describe_error, place_of_record

KEPT = 1000
"""The number of records that are kept."""


class LogRing(logging.Handler):
    """Keeps the last records of all loggers below `rish`. count: of all records so far."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._records: deque[dict[str, Any]] = deque(maxlen=KEPT)

    def attach(self) -> None:
        """Begin to receive records."""
        logging.getLogger("rish").addHandler(self)

    def detach(self) -> None:
        """Receive nothing more."""
        logging.getLogger("rish").removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        try:
            text = record.getMessage()
        except Exception as error:  # a message that does not fit its values must not end the game
            text = f"{record.msg} ({describe_error(error)})"
        self.count += 1
        place = place_of_record(record)
        line = {"number": self.count, "level": record.levelname.lower(), "logger": record.name, "text": text}
        self._records.append({**line, "time": record.created, "place": str(place) if place is not None else None})

    def since(self, number: int, level: int, limit: int) -> list[dict[str, Any]]:
        """Return the last records after a number, oldest first. least: the lowest level, a number of `logging`."""
        levels = logging.getLevelNamesMapping()
        fitting = (
            record
            for record in reversed(self._records.copy())
            if record["number"] > number and levels.get(record["level"].upper(), 0) >= level
        )
        return [*islice(fitting, limit)][::-1]
