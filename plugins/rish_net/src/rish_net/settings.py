"""The settings `settings: net:` of a manifest."""

from __future__ import annotations

from enum import Enum

from rish_core import Str, field, resource


class WhenLeft(Enum):
    """What happens to the seat of a player who left: it is free, or autopilots of the game play it."""

    LEAVE = "leave"
    AUTOPILOT = "autopilot"


class Mode(Enum):
    """What a peer does while inputs of others are missing."""

    ROLLBACK = "rollback"
    LOCKSTEP = "lockstep"


class RewindBy(Enum):
    """Who may rewind a game that is played together."""

    HOST = "host"
    NOBODY = "nobody"


@resource(derived=True)
class NetSettings:
    """How a game is played together. They are no state, because they do not affect the game.

    In lockstep nothing is predicted and no state is saved: `back` and `delay` are not used.
    """

    players: int = field(4, low=1, high=8, doc="the greatest number of players")
    mode: Mode = field(Mode.ROLLBACK, doc="predict missing input and correct it, or wait for it (large worlds)")
    back: int = field(8, unit="ticks", low=1, high=12, doc="ticks that the game may be ahead of the others' input")
    delay: int = field(3, unit="ticks", low=0, high=6, doc="the longest delay of a player's own input")
    rewind: RewindBy = field(RewindBy.HOST, doc="who may rewind: all others go back as well")
    left: WhenLeft = field(WhenLeft.LEAVE, doc="what happens to the seat of a player who left; the host's value counts")
    lobby_key: Str = field("F9", doc="the key that opens the lobby, where people host and join; empty: none")
    chat_key: Str = field("T", doc="the key for a line of chat, unless the game has an action with it; empty: none")
