"""The parts of rish_history for the editor: the panel Timeline, commands and texts. Only an editor imports them."""

from __future__ import annotations

from .panel import COMMANDS, TimelinePanel

__all__ = ["COMMANDS", "PANELS"]

PANELS: list[type] = [TimelinePanel]
