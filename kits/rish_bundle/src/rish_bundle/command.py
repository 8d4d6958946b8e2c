"""`rish bundle [GAME...]`: make a folder with Rish, games and the manual that starts without an installation."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rish_cli import set_up_log
from rish_core import FINE, say
from rish_ecs import shorten_path

from .bundling import Wish, bundle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the games, and what is written where."""
    help_ = "folders of games, or folders with games in them (default: games)"
    parser.add_argument("games", nargs="*", type=Path, metavar="GAME", help=help_)
    parser.add_argument("--to", type=Path, metavar="DIR", help="a new or empty folder (default: dist/rish)")
    parser.add_argument("--archive", action="store_true", help="write the folder as one archive beside DIR")
    help_ = "installed packages that are added, such as numba to compile kernels"
    parser.add_argument("--with", dest="more", nargs="+", default=[], metavar="PACKAGE", help=help_)
    help_ = "the folder with the pages of the manual (default: docs, if it is there)"
    parser.add_argument("--docs", type=Path, metavar="DIR", help=help_)
    parser.add_argument("--no-docs", action="store_true", help="leave the manual out")


def run(arguments: argparse.Namespace) -> int:
    """Make the folder, and print the sizes of its parts."""
    set_up_log()
    begin = time.perf_counter()

    def tell(step: str) -> None:
        say(f"{time.perf_counter() - begin:5.1f} s  {step}", error=True)

    docs = None if arguments.no_docs else arguments.docs or Path("docs")
    wish = Wish(arguments.games, arguments.to, arguments.more, docs, archive=arguments.archive)
    result = bundle(wish, tell)
    for line in result.lines:
        say(line)
    say(f"{shorten_path(result.path)}: made in {time.perf_counter() - begin:.1f} s")
    return FINE
