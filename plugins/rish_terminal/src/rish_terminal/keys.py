"""The names of keys: maps what terminals send to the kernel's names."""

from __future__ import annotations

_SIGNS = {
    "!": "EXCLAMATION", '"': "DOUBLEQUOTE", "#": "HASH", "$": "DOLLAR", "%": "PERCENT", "&": "AMPERSAND",
    "'": "APOSTROPHE", "(": "PARENLEFT", ")": "PARENRIGHT", "*": "ASTERISK", "+": "PLUS", ",": "COMMA",
    "-": "MINUS", ".": "PERIOD", "/": "SLASH", ":": "COLON", ";": "SEMICOLON", "<": "LESS", "=": "EQUAL",
    ">": "GREATER", "?": "QUESTION", "@": "AT", "[": "BRACKETLEFT", "\\": "BACKSLASH", "]": "BRACKETRIGHT",
    "^": "ASCIICIRCUM", "_": "UNDERSCORE", "`": "GRAVE", "{": "BRACELEFT", "|": "BAR", "}": "BRACERIGHT",
    "~": "ASCIITILDE", " ": "SPACE",
}  # fmt: skip

CHARACTERS: dict[str, str] = {
    **_SIGNS,
    **{letter: letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{digit: f"KEY_{digit}" for digit in "0123456789"},
    "\r": "ENTER", "\n": "ENTER", "\t": "TAB", "\x7f": "BACKSPACE", "\x08": "BACKSPACE", "\x1b": "ESCAPE",
}  # fmt: skip
"""The key of each character."""

FINALS: dict[str, str] = {
    "A": "UP", "B": "DOWN", "C": "RIGHT", "D": "LEFT", "E": "BEGIN", "F": "END", "H": "HOME",
    "P": "F1", "Q": "F2", "R": "F3", "S": "F4",
}  # fmt: skip
"""The keys of `CSI 1 ; modifiers LETTER` and `SS3 LETTER`, by letter."""

PAD_FINALS: dict[str, str] = {
    "M": "NUM_ENTER", "j": "NUM_MULTIPLY", "k": "NUM_ADD", "l": "NUM_SEPARATOR", "m": "NUM_SUBTRACT",
    "n": "NUM_DECIMAL", "o": "NUM_DIVIDE", "X": "NUM_EQUAL",
    **{chr(ord("p") + digit): f"NUM_{digit}" for digit in range(10)},
}  # fmt: skip
"""The keys of `SS3 LETTER` on a number pad, by letter."""

NUMBERED: dict[int, str] = {
    1: "HOME", 2: "INSERT", 3: "DELETE", 4: "END", 5: "PAGEUP", 6: "PAGEDOWN", 7: "HOME", 8: "END",
    11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9", 21: "F10",
    23: "F11", 24: "F12", 25: "F13", 26: "F14", 28: "F15", 29: "MENU", 31: "F17", 32: "F18", 33: "F19", 34: "F20",
}  # fmt: skip
"""The keys of `CSI number ; modifiers ~`, by number."""

_PAD = [
    *(f"NUM_{digit}" for digit in range(10)),
    "NUM_DECIMAL", "NUM_DIVIDE", "NUM_MULTIPLY", "NUM_SUBTRACT", "NUM_ADD", "NUM_ENTER", "NUM_EQUAL",
    "NUM_SEPARATOR", "NUM_LEFT", "NUM_RIGHT", "NUM_UP", "NUM_DOWN", "NUM_PAGE_UP", "NUM_PAGE_DOWN", "NUM_HOME",
    "NUM_END", "NUM_INSERT", "NUM_DELETE", "NUM_BEGIN",
]  # fmt: skip
_MODIFIERS = {
    57441: "LSHIFT", 57442: "LCTRL", 57443: "LALT", 57444: "LWINDOWS", 57446: "LMETA",
    57447: "RSHIFT", 57448: "RCTRL", 57449: "RALT", 57450: "RWINDOWS", 57452: "RMETA",
}  # fmt: skip

PRIVATE: dict[int, str] = {
    57358: "CAPSLOCK", 57359: "SCROLLLOCK", 57360: "NUMLOCK", 57361: "PRINT", 57362: "PAUSE", 57363: "MENU",
    **{57376 + number: f"F{13 + number}" for number in range(12)},
    **{57399 + number: name for number, name in enumerate(_PAD)},
    **_MODIFIERS,
}  # fmt: skip
"""The keys without a character, by their code in the kitty protocol (in Unicode's private use area)."""

SHIFT, ALT, CTRL = 1, 2, 4
MODIFIERS: tuple[tuple[int, str], ...] = ((SHIFT, "LSHIFT"), (ALT, "LALT"), (CTRL, "LCTRL"))
"""Bits of a modifier field after subtracting 1, and the key of each."""

BUTTONS: dict[int, str] = {
    0: "mouse.left", 1: "mouse.middle", 2: "mouse.right", 128: "mouse.back", 129: "mouse.forward",
}  # fmt: skip
"""The buttons of a mouse report, by code without modifier and motion bits."""

WHEEL: dict[int, tuple[int, int]] = {64: (0, 1), 65: (0, -1), 66: (-1, 0), 67: (1, 0)}
"""The movement of the wheel in notches to the right and up, by code."""
