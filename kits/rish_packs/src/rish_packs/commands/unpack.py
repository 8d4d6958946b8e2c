"""`rish unpack FILE.rishgame FOLDER`: write the files of a pack into a new folder, to read or change them."""

from __future__ import annotations

import argparse
from pathlib import Path

from rish_cli import set_up_log
from rish_ecs import say, shorten_path

from ..unpacking import unpack


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the pack and the folder."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a .rishgame file")
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", nargs="?", help="a new folder (default: the game's name)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files; nothing of them is run."""
    set_up_log()
    folder = arguments.folder or Path(arguments.file.stem)
    contents = unpack(arguments.file, folder)
    say(f"{shorten_path(folder)}: {len(contents.files)} files of '{contents.title}'")
    if contents.code:
        say(f"  its Python code runs with `rish run {shorten_path(folder)}`, without a question")
    return 0
