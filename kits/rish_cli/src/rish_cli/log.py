"""The log of the command line: levels from TRACE to CRITICAL, with colors on a terminal.

Code logs with Python's `logging`, to a logger below `rish`, and a game to `rish.game`::

    logging.getLogger("rish.game").info("%d coins", coins)
"""

from __future__ import annotations

import argparse
import logging
import sys

from rish_jit.errors.logs import LogOutput
from rish_system import colored

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
"""The number and the color (an SGR code of terminals) of each level."""
_VERBOSE = (logging.WARNING, logging.INFO, logging.DEBUG, TRACE)
logging.addLevelName(TRACE, "TRACE")


def add_log_options(parser: argparse.ArgumentParser) -> None:
    """Add the options `-v` and `--log`, which `set_up_log` reads."""
    more = "log what is chosen and why; -vv logs DEBUG too, -vvv TRACE"
    parser.add_argument("-v", "--verbose", action="count", default=0, help=more)
    parser.add_argument("--log", type=str.upper, choices=LEVELS, help="log from this level on; WARNING by default")


def set_up_log(arguments: argparse.Namespace | None = None) -> None:
    """Write the log to standard error. arguments: those of `add_log_options`; None: the level is WARNING."""
    verbose = min(getattr(arguments, "verbose", 0), len(_VERBOSE) - 1)
    name: str | None = getattr(arguments, "log", None)
    root = logging.getLogger("rish")
    others = [handler for handler in root.handlers if not isinstance(handler, LogOutput)]
    root.handlers[:] = [LogOutput(dict(LEVELS.values()) if colored(sys.stderr) else {}), *others]
    root.setLevel(LEVELS[name][0] if name else _VERBOSE[verbose])
    root.propagate = False
