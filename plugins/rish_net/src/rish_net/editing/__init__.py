"""The parts of rish_net for the editor: the panel Network and its texts. Only an editor imports them."""

from __future__ import annotations

from .panel import NetworkPanel

__all__ = ["PANELS"]

PANELS: list[type] = [NetworkPanel]
