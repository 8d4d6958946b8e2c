"""Animated images: sheets of cells, and clips that play them."""

from __future__ import annotations

from rish_animation import Clip, Clips, PlayMode

from .player import Animation, AnimationFinished, AnimationFrame, play
from .sheet import SpriteSheet, cell_regions, sheet_regions

__all__ = [
    "Animation",
    "AnimationFinished",
    "AnimationFrame",
    "Clip",
    "Clips",
    "PlayMode",
    "SpriteSheet",
    "cell_regions",
    "play",
    "sheet_regions",
]
