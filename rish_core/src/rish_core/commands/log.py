"""The log of the command line: levels from TRACE to CRITICAL, with colours on a terminal.

Code logs with Python's `logging`, to a logger below `rish`, and a game to `rish.game`::

    logging.getLogger("rish.game").info("%d coins", coins)
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import TextIO

TRACE = 5
"""The level below DEBUG, for what happens in every frame."""
LEVELS = {
    "TRACE": (TRACE, "90"),
    "DEBUG": (logging.DEBUG, "36"),
    "INFO": (logging.INFO, "32"),
    "WARNING": (logging.WARNING, "33"),
    "ERROR": (logging.ERROR, "31"),
    "CRITICAL": (logging.CRITICAL, "1;37;41"),
}
"""The number and the colour (an SGR code of terminals) of each level."""
_VERBOSE = (logging.WARNING, logging.INFO, logging.DEBUG, TRACE)
_COLOURS = dict(LEVELS.values())
logging.addLevelName(TRACE, "TRACE")


def add_log_options(parser: argparse.ArgumentParser) -> None:
    """Add the options `-v` and `--log`, which `set_up_log` reads."""
    more = "log what is chosen and why; -vv logs DEBUG too, -vvv TRACE"
    parser.add_argument("-v", "--verbose", action="count", default=0, help=more)
    parser.add_argument("--log", type=str.upper, choices=LEVELS, help="log from this level on; WARNING by default")


def set_up_log(arguments: argparse.Namespace | None = None) -> None:
    """Send the log to standard error, from the level that the arguments ask for; warnings and errors without them."""
    verbose = min(getattr(arguments, "verbose", 0), len(_VERBOSE) - 1)
    name: str | None = getattr(arguments, "log", None)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines(coloured(sys.stderr)))
    root = logging.getLogger("rish")
    root.handlers[:] = [handler]
    root.setLevel(LEVELS[name][0] if name else _VERBOSE[verbose])
    root.propagate = False


def coloured(stream: TextIO) -> bool:
    """Whether to write colours to a stream: to a terminal that shows them, or as NO_COLOR or FORCE_COLOR ask for."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    # an old console of Windows prints the codes as text; the newer terminals set one of these
    shows = os.name != "nt" or any(name in os.environ for name in ("WT_SESSION", "TERM", "ANSICON"))
    return shows and os.environ.get("TERM") != "dumb" and stream.isatty()


class _Lines(logging.Formatter):
    """Formats a record as `WARNING rish.assets: message`, with the level in its colour."""

    def __init__(self, colours: bool) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self.colours = colours

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (a method of logging.Formatter)
        line, level = super().formatMessage(record), record.levelname
        if not self.colours:
            return line
        return f"\033[{_COLOURS.get(record.levelno, '0')}m{level}\033[0m{line.removeprefix(level)}"
