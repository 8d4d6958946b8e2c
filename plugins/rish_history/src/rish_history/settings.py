"""The settings `settings: history:` of a manifest."""

from __future__ import annotations

from rish_core import Str, field, resource


@resource(derived=True)
class HistorySettings:
    """The memory for the history, and the keys that rewind. They are no state, because they do not affect the game.

    With budget_mb 0 no history is stored. rewind names an action of `input:`; while one of its keys is held, the game
    rewinds. The game itself does not receive these keys.
    """

    budget_mb: float = field(16.0, unit="MB", low=0, high=65536, doc="memory for the past", meanings={0: "keeps none"})
    rewind: Str = field("rewind", doc="the action whose keys rewind while they are held, if the manifest has it")
    speed: int = field(1, unit="ticks", low=1, high=60, doc="ticks back in each tick that a rewind key is held")
    capsules: Str = field("out", doc="the folder for capsules of crashes; empty: none are written")
