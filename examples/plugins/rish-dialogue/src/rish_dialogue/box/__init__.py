"""A box that shows the dialogue: the plugin `dialogue-box`, for games that are drawn by `rish-render`."""

from .parts import DialoguePart, Part

__all__ = ["DialoguePart", "Part"]
