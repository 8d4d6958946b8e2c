"""The names of all keys, buttons and axes of keyboard, mouse and gamepad.

Keyboard names are those of arcade's and pyglet's key constants (`SPACE`, `LEFT`, `NUM_0`, `KEY_1` for the digit row).
Mouse buttons are named like `mouse.left`, gamepad buttons like `gamepad.a`. A stick that is pushed far enough also
counts as a key, `gamepad.left_x-` to the left and `gamepad.left_x+` to the right, so that an action can list it
together with the arrow keys.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from rish_ecs import UnknownName, nearest


def _words(*lines: str, prefix: str = "") -> tuple[str, ...]:
    return tuple(prefix + word for line in lines for word in line.split())


_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = tuple(f"KEY_{n}" for n in range(10))
_FUNCTION = tuple(f"F{n}" for n in range(1, 25))
_EDITING = _words(
    "SPACE ENTER TAB BACKSPACE ESCAPE INSERT DELETE HOME END PAGEUP PAGEDOWN LEFT RIGHT UP DOWN BEGIN CLEAR",
    "LINEFEED PAUSE SCROLLLOCK CAPSLOCK NUMLOCK SYSREQ PRINT MENU SELECT EXECUTE UNDO REDO FIND CANCEL HELP",
    "BREAK FUNCTION",
)
_MODIFIERS = _words(
    "LSHIFT RSHIFT LCTRL RCTRL LALT RALT LMETA RMETA LWINDOWS RWINDOWS LCOMMAND RCOMMAND LOPTION ROPTION", "MODESWITCH"
)
_SIGNS = _words(
    "EXCLAMATION DOUBLEQUOTE HASH DOLLAR PERCENT AMPERSAND APOSTROPHE PARENLEFT PARENRIGHT ASTERISK PLUS",
    "COMMA MINUS PERIOD SLASH COLON SEMICOLON LESS EQUAL GREATER QUESTION AT BRACKETLEFT BACKSLASH",
    "BRACKETRIGHT ASCIICIRCUM UNDERSCORE GRAVE BRACELEFT BAR BRACERIGHT ASCIITILDE",
)
_PAD_DIGITS = tuple(f"NUM_{n}" for n in range(10))
_PAD_SIGNS = _words("NUM_ADD NUM_SUBTRACT NUM_MULTIPLY NUM_DIVIDE NUM_DECIMAL NUM_EQUAL NUM_SEPARATOR NUM_SPACE")
_PAD_MOVES = _words(
    "NUM_TAB NUM_HOME NUM_END NUM_LEFT NUM_RIGHT NUM_UP NUM_DOWN NUM_PAGE_UP NUM_PAGE_DOWN NUM_BEGIN",
    "NUM_INSERT NUM_DELETE NUM_F1 NUM_F2 NUM_F3 NUM_F4",
)
_NUMBER_PAD = (*_PAD_DIGITS, "NUM_ENTER", *_PAD_SIGNS, *_PAD_MOVES)
_MOUSE = ("mouse.left", "mouse.right", "mouse.middle", "mouse.back", "mouse.forward")
_GAMEPAD = _words(
    "a b x y lb rb back start guide left_stick right_stick dpad_left dpad_right dpad_up dpad_down lt rt",
    prefix="gamepad.",
)
_STICKS = ("gamepad.left_x", "gamepad.left_y", "gamepad.right_x", "gamepad.right_y")

WRITING_KEYS = frozenset((*_LETTERS, *_DIGITS, *_SIGNS, "SPACE", *_PAD_DIGITS, *_PAD_SIGNS))
"""The keys that type a character, so that a text event follows when they go down."""

AXIS_NAMES: tuple[str, ...] = (*_STICKS, "gamepad.left_trigger", "gamepad.right_trigger")
"""Analog inputs: sticks from -1 to 1 (right and up are positive), triggers from 0 to 1."""

AXIS_KEYS = MappingProxyType(
    {axis: (f"{axis}-", f"{axis}+") for axis in _STICKS}
    | {"gamepad.left_trigger": ("", "gamepad.lt"), "gamepad.right_trigger": ("", "gamepad.rt")}
)
"""The keys that an axis presses when it is pushed far enough: towards -1, and towards 1."""

KEY_NAMES: tuple[str, ...] = (
    *_LETTERS, *_DIGITS, *_FUNCTION, *_EDITING, *_MODIFIERS, *_SIGNS, *_NUMBER_PAD, *_MOUSE, *_GAMEPAD,
    *(key for axis in _STICKS for key in AXIS_KEYS[axis]),
)  # fmt: skip
"""The names of all keys. The position is the key's number in saved states: add new names at the end."""

KEY_INDEX = MappingProxyType({name: index for index, name in enumerate(KEY_NAMES)})
AXIS_INDEX = MappingProxyType({name: index for index, name in enumerate(AXIS_NAMES)})

ALIASES = MappingProxyType({"RETURN": "ENTER", "ESC": "ESCAPE"} | {str(n): f"KEY_{n}" for n in range(10)})
"""Alternative names, accepted wherever a key name is: `1` is `KEY_1`."""


_DIRECTIONS = {"left": "x-", "right": "x+", "up": "y+", "down": "y-"}
HINT = "Keys are named like SPACE, LEFT, A, KEY_1, F1, NUM_0, mouse.left, gamepad.a, gamepad.left_x-"


def check_key(name: str) -> bool:
    """Whether a name or alias is that of a key."""
    return ALIASES.get(name, name) in KEY_INDEX


def key_index(name: str) -> int:
    """Return the index of a key in `KEY_NAMES`. Raises UnknownName with the nearest name."""
    index = KEY_INDEX.get(ALIASES.get(name, name))
    if index is None:
        near = nearest_key(name)
        offer = f" (did you mean {near!r}?)" if near is not None else ""
        raise UnknownName(f"no key is called {name!r}{offer}", hint=HINT)  # examples, as there are two hundred names
    return index


def nearest_key(name: object) -> str | None:
    """Return the key that a name probably means, or None. The limit 0.75 suits short names: `jump` is not like `UP`."""
    return _stick_key(str(name)) or nearest(name, (*KEY_NAMES, *ALIASES), 0.75)


def _stick_key(name: str) -> str | None:
    """Return the key for a direction of a stick or of the directional pad, such as `gamepad.left_stick.up`, or None."""
    device, _, direction = name.casefold().partition(".")
    words = re.findall("[a-z]+", direction)
    if device not in ("gamepad", "pad", "joystick", "controller") or not words or words[-1] not in _DIRECTIONS:
        return None
    if {"d", "dpad", "hat", "cross"} & {*words}:
        return f"gamepad.dpad_{words[-1]}"
    side = "right" if any(word[0] == "r" for word in words[:-1]) else "left"
    return f"gamepad.{side}_{_DIRECTIONS[words[-1]]}"
