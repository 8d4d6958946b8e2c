"""Options that several commands share; importing this module is fast."""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path


def add_game(parser: argparse.ArgumentParser, many: bool = False, *, optional: bool = False, more: str = "") -> None:
    """Add the argument `game`, or with `many` the argument `games` for several, and the options of `game_of`.

    optional: whether it may be left out. more: what the help says about it besides.
    """
    parser.add_argument(
        "games" if many else "game",
        nargs=("*" if optional else "+") if many else ("?" if optional else None),
        metavar="GAME",
        help=f"a game's folder, its game.yaml, or a .rishgame file{more}",
    )
    add_trust(parser)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add `--trust` and `--no-scripts`, which decide whether Python code of a game runs."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--trust", action="store_true", help="run the Python code of a .rishgame file without asking")
    group.add_argument("--no-scripts", action="store_true", help="use the game as data: run no Python code of its own")


def add_plugin_options(parser: argparse.ArgumentParser) -> None:
    """Add `--with`, `--without` and `--safe-mode`, which decide which plugins are loaded, and `--set`."""
    parser.add_argument("--with", dest="more", default="", metavar="PLUGINS", help="load these plugins too: a,b")
    parser.add_argument(
        "--without",
        default="",
        metavar="PLUGINS",
        help="set these plugins aside: what they declare stays, nothing runs",
    )
    parser.add_argument("--safe-mode", action="store_true", help="load only the plugins of Rish itself")
    parser.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE",
        help="override a value of the manifest, as in settings.physics.gravity=[0,-5]; may be repeated",
    )  # fmt: skip


def whole_number(text: str) -> int:
    """Convert a text to a whole number from 0 up; a type for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 up, not {text!r}")
    return int(text)


def add_audio_option(parser: argparse.ArgumentParser) -> None:
    """Declare `--audio`, whose value `audio_overrides` turns into overrides of the manifest."""
    parser.add_argument("--audio", type=_audio, metavar="WHERE", help="sound: card, none, or a .wav file to write")


def audio_overrides(arguments: argparse.Namespace) -> list[str]:
    """Return the overrides of the manifest that `--audio` stands for."""
    audio = getattr(arguments, "audio", None)
    return [f"settings.audio.output={json.dumps(audio)}"] if audio else []


def _audio(text: str) -> str:
    path = Path(text)
    if text not in ("card", "none", "null") and path.suffix != ".wav":
        raise argparse.ArgumentTypeError(f"expected card, none or a .wav file, not {text!r}")
    folder = next(parent for parent in path.parents if parent.exists())
    if path.suffix and (path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK)):
        raise argparse.ArgumentTypeError(f"{text} can't be written")
    return text


def split_names(text: str) -> list[str]:
    """Split `a,b[c,d]` into a list of names; a comma in brackets separates capabilities, not names."""
    return [name.strip() for name in re.split(r",(?![^\[\]]*\])", text) if name.strip()]
