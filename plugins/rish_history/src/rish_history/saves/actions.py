"""The actions of rules that save and load the game."""

from __future__ import annotations

from typing import Any

from rish_core import Str, field, resource
from rish_ecs import World
from rish_expressions import Action

from .saves import Saves


@resource
class SaveGameAs:
    """The parameters of `save`."""

    slot: Str = field("", doc="the name of the save game: letters, digits, spaces")


def save(world: World, arguments: SaveGameAs, scope: Any) -> None:
    """Write the game to a slot before the next tick."""
    world[Saves].save(arguments.slot)


@resource
class LoadGameOf:
    """The parameters of `load`."""

    slot: Str = field("", doc="the name of the save game")


def load(world: World, arguments: LoadGameOf, scope: Any) -> None:
    """Load the game from a slot before the next tick."""
    world[Saves].load(arguments.slot)


ACTIONS = [Action("save", SaveGameAs, save), Action("load", LoadGameOf, load)]
"""The actions that the plugin adds to rules."""
