"""`rish remove GAME PLUGIN`: take a plugin out of a game's manifest, unless the game still needs it."""

from __future__ import annotations

import argparse
from importlib import metadata

from packaging.requirements import InvalidRequirement, Requirement

from rish_cli import add_game, game_of, set_up_log
from rish_core.plugin import installed_plugins
from rish_ecs import UsageError, say
from rish_jit.errors.metadata import plain_name

from ..plugins.choosing import find_installer
from ..plugins.removing import remove_from_game, still_loaded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, the plugin, `--force` and `--uninstall`."""
    add_game(parser)
    parser.add_argument("plugin", metavar="PLUGIN", help="a name in `plugins:`")
    parser.add_argument("--force", action="store_true", help="remove it although the game still needs it")
    parser.add_argument("--uninstall", action="store_true", help="also uninstall its package")


def run(arguments: argparse.Namespace) -> int:
    """Remove the plugin from the manifest, and its package with `--uninstall`."""
    set_up_log()
    game, plugin = game_of(arguments, changes=True), arguments.plugin
    options = ("--no-scripts",) if arguments.no_scripts else ()
    needs = remove_from_game(game, plugin, say, force=arguments.force, options=options)
    for line in needs:
        say(line, error=True)
    say(f"'{plugin}' is removed from {game}")
    dependents = [] if needs else still_loaded(game, plugin)
    if dependents:
        say(f"It is still loaded, because {', '.join(dependents)} require it")
    if arguments.uninstall:
        _uninstall(plugin)
    return 0


def _uninstall(plugin: str) -> None:
    """Uninstall the package of a plugin. Raises UsageError if another installed package requires it."""
    package = next((each.distribution for each in installed_plugins() if each.name == plugin), None)
    if package is None:
        raise UsageError(f"no installed package has the plugin '{plugin}'")
    users = sorted(_users(package))
    if users:
        raise UsageError(f"{package} stays installed, because {', '.join(users)} require it")
    find_installer().uninstall(package, say)


def _users(package: str) -> set[str]:
    """Return the installed packages that require a package, other than for an extra."""
    names: set[str] = set()
    for distribution in metadata.distributions():
        for text in distribution.requires or ():
            try:
                requirement = Requirement(text)
            except InvalidRequirement:
                continue
            holds = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if holds and plain_name(requirement.name) == plain_name(package):
                names.add(distribution.name)
    return names
