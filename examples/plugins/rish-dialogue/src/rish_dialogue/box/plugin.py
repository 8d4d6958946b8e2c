"""The hooks of the plugin `dialogue-box`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About, Layer

from .parts import DialoguePart, fill_box

LAYER = "dialogue"


def rish_about() -> About:
    """Describe the plugin."""
    return About(description="a box that shows dialogues", api=">=1,<2", requires=["dialogue>=0.1", "render>=0.1"])


def rish_components() -> list[type]:
    """Return the component of the parts of a box."""
    return [DialoguePart]


def rish_layers() -> list[Layer]:
    """Return the layer of the box, above all layers of the game."""
    return [Layer(LAYER, overlay=True, space="screen", doc="the box of dialogues")]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that fills the box."""
    return [fill_box]


def rish_prefabs() -> dict[str, Any]:
    """Return the prefab `dialogue_box`, 600 units wide and 150 high about its position."""
    panel = {"size": [600, 150], "corner_radius": 10, "color": "#141a2eee", "outline": "#c9b27a", "outline_width": 2}
    name = {"size": 16, "anchor": [0, 0.5], "outline": "#0b0f1c", "outline_width": 2}
    words = {"size": 16, "anchor": [0, 1], "wrap": 556, "line_spacing": 1.05, "markup": True, "color": "#f1eee4"}
    return {
        "dialogue_box": {
            "Transform": {},
            "DialoguePart": {"part": "panel"},
            "Shape": {**panel, "layer": LAYER, "visible": False},
            "children": [
                _part("name", [-280, 77], "Text", {**name, "z": 2}),
                _part("text", [-278, 60], "Text", {**words, "z": 2}),
                _part("more", [280, -60], "Text", {"size": 18, "color": "#c9b27a", "z": 2}),
                {
                    "Transform": {"position": [236, 122]},
                    "DialoguePart": {"part": "portrait"},
                    "Sprite": {"size": [96, 96], "layer": LAYER, "z": -1, "sampling": "nearest", "visible": False},
                },
            ],
        }
    }


def _part(part: str, place: list[float], cls: str, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "Transform": {"position": place},
        "DialoguePart": {"part": part},
        cls: {"text": "", "layer": LAYER, "visible": False, **values},
    }
