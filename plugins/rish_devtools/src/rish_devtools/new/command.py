"""`rish new KIND NAME`: write a small working game, script, plugin or backend with its tests as a start."""

from __future__ import annotations

import argparse
from pathlib import Path

from rish_ecs import UsageError, did_you_mean

from .games import new_game, new_script
from .packages import new_backend, new_plugin

_KINDS = {"game": new_game, "script": new_script, "plugin": new_plugin, "backend": new_backend}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind, the name, and `--into`, the target folder."""
    parser.description = "begin a game, a script of a game, a plugin, or a backend, with its tests"
    parser.add_argument("kind", metavar="game|script|plugin|backend", help="what to begin")
    parser.add_argument("name", metavar="NAME", help="of the game, the script's class, the plugin or the backend")
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR",
        help="the folder to put it in, or the game that gets the script; by default where you are",
    )  # fmt: skip
    parser.add_argument("--platformer", action="store_true", help="a game with a hero who walks and jumps")


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print the next steps. Raises UsageError."""
    write = _KINDS.get(arguments.kind)
    if write is None:
        near = did_you_mean(arguments.kind, _KINDS)
        raise UsageError(f"rish new {arguments.kind}: unknown kind{near}", choices=_KINDS)
    if arguments.platformer and write is not new_game:
        raise UsageError(f"rish new {arguments.kind}: only a game can be a platformer", hint="Leave out --platformer")
    if arguments.platformer:
        new_game(arguments.name, arguments.into, template="platformer")
    else:
        write(arguments.name, arguments.into)
    return 0
