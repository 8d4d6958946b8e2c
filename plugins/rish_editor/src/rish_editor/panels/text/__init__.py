"""The panel Text: the source texts of the game, in tabs."""

from __future__ import annotations

from .panel import TextPanel

__all__ = ["TextPanel"]
