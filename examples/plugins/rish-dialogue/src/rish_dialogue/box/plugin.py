"""The hooks of the plugin `dialogue-box`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About
from rish_ui import Kind

from .components import DialogueBox, DialogueChoices, DialogueLine
from .filling import fill_box
from .kinds import KINDS


def rish_about() -> About:
    """Describe the plugin."""
    return About(description="a box that shows dialogues", api=">=1,<2", requires=["dialogue>=0.1", "ui>=0.1"])


def rish_components() -> list[type]:
    """Return the components of a box."""
    return [DialogueBox, DialogueLine, DialogueChoices]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that fills the box."""
    return [fill_box]


def rish_widgets() -> list[Kind]:
    """Return the kinds of widgets of a box."""
    return list(KINDS)


def rish_prefabs() -> dict[str, Any]:
    """Return the prefab `dialogue_box`, at the lower edge of the screen."""
    words = [
        {"name": "speaker", "Label": {}, "Widget": {"style": "heading"}},
        {"name": "line", "DialogueLine": {}, "Widget": {"tab": -1}, "Layout": {"least": [0, 44]}},
        {"name": "choices", "DialogueChoices": {}, "Layout": {"gap": [0, 2]}},
    ]
    row = [
        {"name": "portrait", "Image": {"smooth": False}, "Layout": {"size": [96, 96], "shrink": 0}},
        {"name": "words", "Layout": {"grow": 1, "basis": 0, "gap": [0, 4]}, "children": words},
    ]
    return {
        "dialogue_box": {
            "DialogueBox": {},
            "Screen": {"takes_keys": True, "visible": False, "z": 10},
            "Layout": {"justify": "end", "align": "center", "padding": [16, 16, 16, 16]},
            "children": [
                {
                    "name": "box",
                    "Panel": {},
                    "Layout": {"direction": "row", "gap": [16, 0], "size": [608, 0], "align": "start"},
                    "children": row,
                }
            ],
        }
    }
