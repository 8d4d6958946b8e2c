"""A box that shows the dialogue in widgets: the plugin `dialogue-box`, for games with `rish-ui`."""

from .components import DialogueBox, DialogueChoices, DialogueLine

__all__ = ["DialogueBox", "DialogueChoices", "DialogueLine"]
