"""`rish export GAME`: make a program of a game, for machines without Python."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rish_cli import add_game, game_of, set_up_log
from rish_core import FINE, say
from rish_ecs import shorten_path

from .exporting import Wish, export


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, and what is written where."""
    add_game(parser)
    parser.add_argument("--to", type=Path, metavar="DIR", help="the folder of the program (default: dist/NAME)")
    parser.add_argument("--one-file", action="store_true", help="write the program as a single file into that folder")
    parser.add_argument("--archive", action="store_true", help="write the folder as one archive into that folder")
    parser.add_argument("--name", help="the name of the program (default: that of the game's folder)")
    parser.add_argument("--version", default="1.0", help="the version that the program and its reports name")
    parser.add_argument("--icon", type=Path, metavar="FILE", help=".ico, .icns or .png (default: icon.* of the game)")


def run(arguments: argparse.Namespace) -> int:
    """Make the program, and print the sizes of its parts."""
    set_up_log()
    begin = time.perf_counter()

    def tell(step: str) -> None:
        say(f"{time.perf_counter() - begin:5.1f} s  {step}", error=True)

    wish = Wish(
        str(game_of(arguments)), arguments.to, arguments.name, arguments.version, arguments.icon,
        one_file=arguments.one_file, archive=arguments.archive,
    )  # fmt: skip
    result = export(wish, tell)
    for line in result.lines:
        say(line)
    say(f"{shorten_path(result.path)}: made in {time.perf_counter() - begin:.1f} s")
    return FINE
