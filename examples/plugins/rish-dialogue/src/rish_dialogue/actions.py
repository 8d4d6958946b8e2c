"""The action of rules: `talk: inn` begins a dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rish_core import Str, World, field, resource
from rish_expressions import Action

from .state import DialogueState
from .talk import start, talking


@resource
class Talk:
    """The parameters of `talk`."""

    dialogue: Str = field("", names="dialogues", doc="the name of the dialogue")
    node: Str = field("", doc="the node to begin with; empty: the first one")


def talk(world: World, arguments: Talk, scope: Mapping[str, Any]) -> None:
    """Begin a dialogue, unless one is held, or ended in this tick: the key that ended it begins no other."""
    if not talking(world) and world[DialogueState].tick != world.tick:
        start(world, arguments.dialogue, arguments.node or None)


ACTIONS = [Action("talk", Talk, talk)]
