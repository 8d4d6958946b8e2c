"""The keys and buttons of a pyglet window under the names of Dear ImGui and of shortcuts.

pyglet.window is imported when a window is open, because it looks for a display when it is imported.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from imgui_bundle import imgui

_SAME = {
    "TAB": "tab", "BACKSPACE": "backspace", "RETURN": "enter", "ESCAPE": "escape", "INSERT": "insert",
    "DELETE": "delete", "SPACE": "space", "LEFT": "left_arrow", "RIGHT": "right_arrow", "UP": "up_arrow",
    "DOWN": "down_arrow", "PAGEUP": "page_up", "PAGEDOWN": "page_down", "HOME": "home", "END": "end",
    "LCTRL": "left_ctrl", "RCTRL": "right_ctrl", "LSHIFT": "left_shift", "RSHIFT": "right_shift", "LALT": "left_alt",
    "RALT": "right_alt", "LCOMMAND": "left_super", "RCOMMAND": "right_super", "LWINDOWS": "left_super",
    "RWINDOWS": "right_super", "MENU": "menu", "GRAVE": "grave_accent", "MINUS": "minus", "EQUAL": "equal",
    "BRACKETLEFT": "left_bracket", "BRACKETRIGHT": "right_bracket", "BACKSLASH": "backslash",
    "SEMICOLON": "semicolon", "APOSTROPHE": "apostrophe", "COMMA": "comma", "PERIOD": "period", "SLASH": "slash",
    "CAPSLOCK": "caps_lock", "NUMLOCK": "num_lock", "SCROLLLOCK": "scroll_lock", "PAUSE": "pause",
    "PRINT": "print_screen", "NUM_ENTER": "keypad_enter", "NUM_ADD": "keypad_add",
    "NUM_SUBTRACT": "keypad_subtract", "NUM_MULTIPLY": "keypad_multiply", "NUM_DIVIDE": "keypad_divide",
    "NUM_DECIMAL": "keypad_decimal", "NUM_EQUAL": "keypad_equal",
    "LOPTION": "left_alt", "ROPTION": "right_alt",
}  # fmt: skip
_MOVING = {
    "NUM_LEFT": "LEFT", "NUM_RIGHT": "RIGHT", "NUM_UP": "UP", "NUM_DOWN": "DOWN", "NUM_HOME": "HOME", "NUM_END": "END",
    "NUM_PAGE_UP": "PAGEUP", "NUM_PAGE_DOWN": "PAGEDOWN", "NUM_INSERT": "INSERT", "NUM_DELETE": "DELETE",
    "NUM_TAB": "TAB", "NUM_SPACE": "SPACE",
}  # fmt: skip
"""The keys that the keys of the number pad stand for without NumLock."""
BUTTONS = {1: 0, 4: 1, 2: 2, 8: 3, 16: 4}
"""The numbers of Dear ImGui by pyglet's buttons."""
MODIFIERS = {1: "shift", 2: "ctrl", 4: "alt", 64: "super"}
"""The modifiers by pyglet's bits."""


@cache
def imgui_keys() -> dict[int, Any]:
    """Return the keys of Dear ImGui by pyglet's codes."""
    from pyglet.window import key

    names = _SAME | {pad: _SAME[name] for pad, name in _MOVING.items()}
    names |= {letter.upper(): letter for letter in "abcdefghijklmnopqrstuvwxyz"}
    names |= {f"_{digit}": f"_{digit}" for digit in range(10)}
    names |= {f"NUM_{digit}": f"keypad{digit}" for digit in range(10)}
    names |= {f"F{number}": f"f{number}" for number in range(1, 25)}
    keys: dict[int, Any] = {}
    for pyglet_name, imgui_name in names.items():
        code, value = getattr(key, pyglet_name, None), getattr(imgui.Key, imgui_name, None)
        if code is not None and value is not None:
            keys.setdefault(code, value)
    return keys


@cache
def modifier_keys() -> dict[int, str]:
    """Return the modifiers by pyglet's codes of their keys."""
    from pyglet.window import key

    names = {"CTRL": "ctrl", "SHIFT": "shift", "ALT": "alt", "OPTION": "alt", "COMMAND": "super", "WINDOWS": "super"}
    return {getattr(key, f"{side}{name}"): word for name, word in names.items() for side in "LR"}


@cache
def key_code(name: str) -> int:
    """Return pyglet's code of a key that a shortcut names, such as `S`, `F5`, `Delete` or `1`. Raises KeyError."""
    from pyglet.window import key

    upper = name.upper()
    for candidate in (f"_{upper}", upper) if upper.isdigit() else (upper, _ALIASES.get(upper, "")):
        code = getattr(key, candidate, None)
        if isinstance(code, int):
            return code
    raise KeyError(name)


@cache
def key_name(code: int) -> str | None:
    """Return the name of a key as shortcuts write it, from pyglet's code; None for a modifier or an unknown key."""
    from pyglet.window import key

    name = key.symbol_string(code)
    if name.startswith(("L", "R")) and name[1:] in ("CTRL", "SHIFT", "ALT", "COMMAND", "WINDOWS", "OPTION", "META"):
        return None
    if name.startswith("user_key"):
        return None
    name = _MOVING.get(name, name)
    name = _NAMES.get(name, name.lstrip("_"))
    return name if len(name) == 1 or (name[:1] == "F" and name[1:].isdigit()) else name.capitalize()


_ALIASES = {"ESC": "ESCAPE", "DEL": "DELETE", "INS": "INSERT", "PLUS": "EQUAL", "ENTER": "RETURN", "PGUP": "PAGEUP",
            "PGDN": "PAGEDOWN"}  # fmt: skip
_ALIASES |= {f"NUM{digit}": f"NUM_{digit}" for digit in range(10)}
_NAMES = {"RETURN": "Enter", "ENTER": "Enter", "EQUAL": "Plus"}
_NAMES |= {f"NUM_{digit}": f"Num{digit}" for digit in range(10)}
