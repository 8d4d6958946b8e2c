"""Prints the records of the log to standard error, as `say` does."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from .terminal import say, write
from .texts import describe_error, repr_of


class LogOutput(logging.Handler):
    """Prints a record as `WARNING rish.assets: message`. colors: the SGR codes of levels; empty: without colors."""

    def __init__(self, colors: Mapping[int, str]) -> None:
        super().__init__()
        self.colors = colors

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record; if one of its values can't be shown, that is said instead."""
        try:
            text = self.format(record)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            text = f"a message ({repr_of(record.msg)}) can't be shown: {describe_error(error)}"
        level = record.levelname
        if self.colors:
            write(f"\033[{self.colors.get(record.levelno, '0')}m{level}\033[0m", error=True)
        say(f"{'' if self.colors else level} {record.name}: {text}", error=True)
