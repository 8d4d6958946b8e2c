"""The last lines of the log, which are added to the capsule of a crash."""

from __future__ import annotations

import logging
from collections import deque


class LogTail(logging.Handler):
    """Keeps the last lines of Rish's log while it is open: `with LogTail() as log: ... log.text()`."""

    def __init__(self, lines: int = 200) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[str] = deque(maxlen=lines)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Store a line."""
        self.lines.append(self.format(record))

    def text(self) -> str:
        """Return the lines, the latest last."""
        return "\n".join(self.lines)

    def open(self) -> None:
        """Start to collect log lines."""
        logging.getLogger("rish").addHandler(self)

    def close(self) -> None:
        """Stop collecting; the lines stay."""
        logging.getLogger("rish").removeHandler(self)
        super().close()

    def __enter__(self) -> LogTail:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
