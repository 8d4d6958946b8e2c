"""Names of keys for people: `Space` for SPACE, `Ⓐ` for gamepad.a."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..locales import Locales
from .bindings import is_key, name_of

if TYPE_CHECKING:
    from rish_core import World

_LONG = {
    "PAGEUP": "Page up", "PAGEDOWN": "Page down", "SCROLLLOCK": "Scroll lock", "CAPSLOCK": "Caps lock",
    "NUMLOCK": "Num lock", "LSHIFT": "Left Shift", "RSHIFT": "Right Shift", "LCTRL": "Left Ctrl",
    "RCTRL": "Right Ctrl", "LALT": "Left Alt", "RALT": "Right Alt", "LMETA": "Left Meta", "RMETA": "Right Meta",
    "LWINDOWS": "Left Windows", "RWINDOWS": "Right Windows", "LCOMMAND": "Left Command", "RCOMMAND": "Right Command",
    "LOPTION": "Left Option", "ROPTION": "Right Option", "EXCLAMATION": "!", "DOUBLEQUOTE": '"', "HASH": "#",
    "DOLLAR": "$", "PERCENT": "%", "AMPERSAND": "&", "APOSTROPHE": "'", "PARENLEFT": "(", "PARENRIGHT": ")",
    "ASTERISK": "*", "PLUS": "+", "COMMA": ",", "MINUS": "-", "PERIOD": ".", "SLASH": "/", "COLON": ":",
    "SEMICOLON": ";", "LESS": "<", "EQUAL": "=", "GREATER": ">", "QUESTION": "?", "AT": "@", "BRACKETLEFT": "[",
    "BACKSLASH": "\\", "BRACKETRIGHT": "]", "ASCIICIRCUM": "^", "UNDERSCORE": "_", "GRAVE": "`", "BRACELEFT": "{",
    "BAR": "|", "BRACERIGHT": "}", "ASCIITILDE": "~", "NUM_ADD": "Num +", "NUM_SUBTRACT": "Num -",
    "NUM_MULTIPLY": "Num *", "NUM_DIVIDE": "Num /", "NUM_DECIMAL": "Num .", "NUM_EQUAL": "Num =",
    "mouse.left": "Left click", "mouse.right": "Right click", "mouse.middle": "Middle click",
    "mouse.back": "Mouse back", "mouse.forward": "Mouse forward", "gamepad.a": "Ⓐ", "gamepad.b": "Ⓑ",
    "gamepad.x": "Ⓧ", "gamepad.y": "Ⓨ", "gamepad.lb": "LB", "gamepad.rb": "RB", "gamepad.lt": "LT",
    "gamepad.rt": "RT", "gamepad.back": "Back", "gamepad.start": "Start", "gamepad.guide": "Guide",
    "gamepad.left_stick": "L3", "gamepad.right_stick": "R3", "gamepad.dpad_left": "D-pad ←",
    "gamepad.dpad_right": "D-pad →", "gamepad.dpad_up": "D-pad ↑", "gamepad.dpad_down": "D-pad ↓",
    "gamepad.left_x-": "Left stick ←", "gamepad.left_x+": "Left stick →", "gamepad.left_y-": "Left stick ↓",
    "gamepad.left_y+": "Left stick ↑", "gamepad.right_x-": "Right stick ←", "gamepad.right_x+": "Right stick →",
    "gamepad.right_y-": "Right stick ↓", "gamepad.right_y+": "Right stick ↑",
}  # fmt: skip


def key_text(key: str, world: World | None = None) -> str:
    """Return a short text for a key: `Space`, `Left`, `Ⓐ`; of an unknown name, the name.

    world: its texts are used, if the chosen language or the fallback has one of the key `keys.SPACE`. In keys of texts,
    `-` and `+` at the end of a name are written `_minus` and `_plus`: `keys.gamepad.left_x_minus`.
    """
    name = name_of(key) if is_key(key) else key
    if world is not None and Locales in world:
        texts: Locales = world[Locales]
        if texts.has(world, text_key(name)):
            return texts.text(world, text_key(name))
    return _LONG.get(name) or _plain(name)


def text_key(name: str) -> str:
    """Return the key of the translations for a key's name."""
    return "keys." + name.replace("-", "_minus").replace("+", "_plus")


def _plain(name: str) -> str:
    """Return the text of a key from its name: `KEY_1` is 1, `NUM_0` is Num 0, `SPACE` is Space."""
    if name.startswith("KEY_"):
        return name.removeprefix("KEY_")
    words = name.rpartition(".")[2].replace("_", " ")
    return words if len(words) < 4 and words[-1:].isdigit() else words.capitalize()
