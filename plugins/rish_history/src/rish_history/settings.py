"""What an author may choose: `settings: history:` in a manifest."""

from __future__ import annotations

from rish_core import Str, field, resource


@resource(derived=True)
class HistorySettings:
    """How much of the past is kept, and how a player gets there. No state: it does not shape the game.

    budget_mb 0 keeps nothing. rewind names an action of `input:`; while one of its keys is held, time runs backwards.
    The game itself does not get these keys.
    """

    budget_mb: float = field(16.0, unit="MB", low=0, high=65536, doc="memory for the past; 0 keeps none")
    rewind: Str = field("rewind", doc="the action whose keys rewind while they are held, if the manifest has it")
    speed: int = field(1, unit="ticks", low=1, high=60, doc="ticks back in each tick that a rewind key is held")
    capsules: Str = field("out", doc="the folder for capsules of crashes; empty: none are written")
