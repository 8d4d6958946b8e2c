"""The keys of a game for people: the actions of its manifest with names, and keys as they are written on keyboards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rish_core import Manifest
from rish_core.manifest import YamlMap, load_yaml

_KEYS = {
    "LEFT": "←", "RIGHT": "→", "UP": "↑", "DOWN": "↓", "SPACE": "Space", "ENTER": "Enter", "ESCAPE": "Esc",
    "TAB": "Tab", "BACKSPACE": "Backspace", "DELETE": "Delete", "LSHIFT": "Shift", "RSHIFT": "Right Shift",
    "LCTRL": "Ctrl", "RCTRL": "Right Ctrl", "LALT": "Alt", "RALT": "Right Alt",
    "PAGEUP": "Page ↑", "PAGEDOWN": "Page ↓",
    "mouse.left": "Mouse", "mouse.right": "Right mouse button", "mouse.middle": "Middle mouse button",
}  # fmt: skip
_PARTS = {
    **dict.fromkeys(("left_x", "left_y"), "Left stick"),
    **dict.fromkeys(("right_x", "right_y"), "Right stick"),
    **dict.fromkeys(("dpad_left", "dpad_right", "dpad_up", "dpad_down"), "D-pad"),
}


class Control(NamedTuple):
    """An action for people. keys: their names, each once. pad: the parts of a gamepad."""

    name: str
    keys: tuple[str, ...]
    pad: tuple[str, ...]


def controls(manifest: Manifest, names: Mapping[str, str | None]) -> list[list[Control]]:
    """Return the actions that all players share, and those of each player where these have their own.

    names: of actions; None for those that are left out. An action without a name is called as in the manifest.
    """
    shared, players = manifest.actions()
    return [[*_controls(shared, names)], *([*_controls(each, names)] for each in players)]


def names_in(game: Path, language: str) -> dict[str, str]:
    """Return the names of actions that menus of rish-ui show: `actions:` of the game's `locale/LANGUAGE.yaml`.

    The file may be that of the language without its region. Raises ManifestError for a file that can't be read.
    """
    for tag in (language, language.partition("-")[0]):
        path = game / "locale" / f"{tag}.yaml"
        if path.is_file():
            texts = load_yaml(path).data
            names = texts.get("actions") if isinstance(texts, YamlMap) else None
            named = names.items() if isinstance(names, YamlMap) else ()
            return {name: text for name, text in named if isinstance(text, str)}
    return {}


def actions_of(manifest: Manifest) -> list[str]:
    """Return the names of all actions, each once."""
    shared, players = manifest.actions()
    return list(dict.fromkeys(action for each in (shared, *players) for action in each))


def _controls(actions: Mapping[str, list[str]], names: Mapping[str, str | None]) -> Iterator[Control]:
    for action, keys in actions.items():
        name = names.get(action, action.replace("_", " ").capitalize())
        if name is not None and keys:
            plain = [key_name(key) for key in keys if not key.startswith("gamepad.")]
            pad = [key_name(key) for key in keys if key.startswith("gamepad.")]
            yield Control(name, tuple(dict.fromkeys(plain)), tuple(dict.fromkeys(pad)))


def key_name(key: str) -> str:
    """Return the name of a key, a button or an axis as people know it."""
    device, _, part = key.partition(".")
    if device == "gamepad":
        part = part.rstrip("+-")
        return _PARTS.get(part, part.upper() if len(part) <= 2 else re.sub("_", " ", part).capitalize())
    return _KEYS.get(key, key if len(key) == 1 else key.capitalize())
