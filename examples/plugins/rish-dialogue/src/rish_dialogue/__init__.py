"""Dialogues for Rish: lines, choices, conditions and effects from YAML, as state of the World.

from rish_dialogue import DialogueState, LineShown, start, talking
"""

from .script import Dialogue, Speaker
from .state import (
    ChoiceMade,
    DialogueEnded,
    Dialogues,
    DialogueSettings,
    DialogueStarted,
    DialogueState,
    LineShown,
)
from .talk import advance, choose, start, stop, talking

__all__ = [
    "ChoiceMade",
    "Dialogue",
    "DialogueEnded",
    "DialogueSettings",
    "DialogueStarted",
    "DialogueState",
    "Dialogues",
    "LineShown",
    "Speaker",
    "advance",
    "choose",
    "start",
    "stop",
    "talking",
]
