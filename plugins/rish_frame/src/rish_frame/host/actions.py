"""The action that rules may use: `rumble`."""

from __future__ import annotations

from rish_core import World, field, resource
from rish_expressions import Action, Scope

from .requests import MAX_RUMBLE, DeviceRequests


@resource
class Rumble:
    """The parameters of `rumble`."""

    strength: float = field(0.5, low=0, high=1, doc="of both motors")
    seconds: float = field(0.2, low=0, high=MAX_RUMBLE, unit="s", doc="how long")
    player: int = field(1, low=1, doc="whose gamepads; without players, all")


def rumble(world: World, arguments: Rumble, scope: Scope) -> None:
    """Ask the host to shake the gamepads of a player, after this frame."""
    strength = arguments.strength
    world[DeviceRequests].rumble(arguments.player, strength, strength, arguments.seconds)


ACTIONS = [Action("rumble", Rumble, rumble)]
