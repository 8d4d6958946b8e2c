"""What rish_history brings for the editor: the panel Timeline, commands and texts. Only an editor imports it."""

from __future__ import annotations

from .panel import COMMANDS, TimelinePanel

__all__ = ["COMMANDS", "PANELS"]

PANELS: list[type] = [TimelinePanel]
