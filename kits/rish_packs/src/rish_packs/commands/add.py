"""`rish add GAME PLUGIN`: install a plugin, add it to a game's manifest, and lock the versions."""

from __future__ import annotations

import argparse
from pathlib import Path

from rish_cli import add_game, game_of, set_up_log
from rish_ecs import say

from ..plugins.adding import add_to_game, install
from ..plugins.choosing import find_installer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, the plugin, and how it is added."""
    add_game(parser)
    parser.add_argument("plugin", metavar="PLUGIN", help="a wheel, a folder, a plugin's name, or a package")
    help_ = "look packages up in this folder alone, without a network (default: RISH_WHEELS)"
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help=help_)
    parser.add_argument("--optional", action="store_true", help="the game can do without it: `audio?`")
    parser.add_argument("--install-only", action="store_true", help="check and install it, and leave the game as it is")


def run(arguments: argparse.Namespace) -> int:
    """Add the plugin; if a step fails, the files of the game are as before."""
    set_up_log()
    game = game_of(arguments, changes=True)
    installer = find_installer(arguments.wheels)
    options = ("--no-scripts",) if arguments.no_scripts else ()
    if arguments.install_only:
        added = install(arguments.plugin, installer, say)
    else:
        added = add_to_game(
            game, arguments.plugin, installer, say, optional=arguments.optional, options=options
        )  # fmt: skip
    for name, version in added.packages.items():
        say(f"installed {name} {version}")
    say(f"the plugin '{added.plugin}' is {'installed' if arguments.install_only else f'in {game}'}")
    return 0
