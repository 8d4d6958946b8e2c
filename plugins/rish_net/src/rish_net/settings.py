"""The settings `settings: net:` of a manifest."""

from __future__ import annotations

from rish_core import field, resource


@resource(derived=True)
class NetSettings:
    """How a game is played together. They are no state, because they do not affect the game."""

    players: int = field(4, low=1, high=8, doc="the greatest number of players")
    back: int = field(8, unit="ticks", low=1, high=12, doc="ticks that the game may be ahead of the others' input")
    delay: int = field(3, unit="ticks", low=0, high=6, doc="the longest delay of a player's own input")
