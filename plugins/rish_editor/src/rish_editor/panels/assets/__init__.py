"""The panel of the game's files and prefabs."""

from __future__ import annotations

from .panel import AssetsPanel

__all__ = ["AssetsPanel"]
