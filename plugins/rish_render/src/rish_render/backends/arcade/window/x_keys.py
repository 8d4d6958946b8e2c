"""The keys of a window of X11: one key has one name, whatever Shift, AltGr, NumLock or the layout make of it.

X names a key by the sign that it writes at the moment: with Shift the 1 is an exclamation mark and TAB is ISO_Left_Tab,
and in a Russian layout no key is called C. Here the name is that of the key's plain sign. Where a key was pressed,
decides how its release is called, so that no key stays down because a modifier or the layout changed in between. The
keys of the number pad alone keep what NumLock makes of them, since that says whether they write or move.

A layout without Latin letters has the names of another layout of the person that has some, or of the US layout, by the
place of the keys. Other systems report keys in this way by themselves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Container
from typing import Any

Lookup = Callable[[int, int], int]
"""Returns the sign (keysym) of a keycode in a state of the modifiers."""

_ROWS = {10: "1234567890-=", 24: "qwertyuiop[]", 38: "asdfghjkl;'`", 51: "\\zxcvbnm,./", 65: " "}
_RALT = 0xFFEA
_PLACES = {first + n: ord(sign) for first, row in _ROWS.items() for n, sign in enumerate(row)} | {108: _RALT}
"""The signs of the US layout by the keycodes of Linux, and the key that is AltGr elsewhere."""
_LETTERS = tuple(code for code, sign in _PLACES.items() if chr(sign).isalpha() and sign < 128)
_DIGITS = range(10, 20)
_GROUPS = (0x0000, 0x2000, 0x4000, 0x6000)
"""The bits of a state that tell which of the person's layouts is in use."""
_SHIFT = 1
_PAD = range(0xFF80, 0xFFC0)
"""The signs of the number pad."""
_RELEASE, _FOCUS_OUT = 3, 10
"""Numbers of X events."""


def symbol_of(code: int, state: int, lookup: Lookup, signs: Container[int]) -> int | None:
    """Return the sign that names a key; None if it has none of its own.

    code: the keycode. state: the modifiers, and the layout in use. signs: the signs that are names of keys.
    """
    now = lookup(code, state)
    if now in _PAD and now in signs:
        return now
    used = state & _GROUPS[-1]
    group = next((each for each in (used, *_GROUPS) if _has_letters(each, lookup)), None)
    if group is None:
        return _PLACES.get(code) or _plain(lookup(code, used), signs)
    shifted = lookup(code, group | _SHIFT)
    if code in _DIGITS and ord("0") <= shifted <= ord("9"):
        return shifted  # a row of digits that are written with Shift, as in France
    return _plain(lookup(code, group), signs) or _PLACES.get(code)


def _has_letters(group: int, lookup: Lookup) -> bool:
    return any(ord("a") <= lookup(code, group) <= ord("z") for code in _LETTERS)


def _plain(sign: int, signs: Container[int]) -> int | None:
    return sign if sign in signs else None


class XKeys:
    """Names the keys of a pyglet window, in place of pyglet's own method for that.

    Raises AttributeError or ImportError for a window that is none of X, or of a pyglet that does this in another way.
    """

    def __init__(self, window: Any) -> None:
        from pyglet.libs.x11 import xlib
        from pyglet.window import key

        self._window, self._own, self._xlib = window, window._event_text_symbol, xlib
        self._known = frozenset(vars(key)["_key_names"])
        self._held: dict[int, int | None] = {}
        self._lost = window._event_handlers[_FOCUS_OUT]
        window._event_handlers[_FOCUS_OUT] = self._lose
        window._event_text_symbol = self._read

    def _read(self, event: Any) -> tuple[str | None, int | None]:
        """Return the text and the symbol of an event, as pyglet's method does."""
        code = event.xkey.keycode
        try:
            text, symbol = self._own(event)
        except UnicodeDecodeError:  # without a locale of UTF-8
            text, symbol = self._latin(event), None
        if not code:  # a text of an input method
            return text, symbol
        if event.type == _RELEASE:
            return (text, self._held.pop(code)) if code in self._held else (text, self._name(event) or symbol)
        if code not in self._held:  # otherwise it is held, and X repeats it
            self._held[code] = self._name(event) or symbol
        return text, self._held[code]

    def _name(self, event: Any) -> int | None:
        event_of_key = event.xkey
        asked = type(event_of_key).from_buffer_copy(event_of_key)

        def lookup(code: int, state: int) -> int:
            asked.keycode, asked.state = code, state
            return self._look_up(asked)[0]

        return symbol_of(event_of_key.keycode, event_of_key.state, lookup, self._known)

    def _latin(self, event: Any) -> str:
        """Return the text of a key press; X returns it in Latin-1, so other characters are missing."""
        return self._look_up(event.xkey)[1].decode("latin-1") if event.type != _RELEASE else ""

    def _look_up(self, key_event: Any) -> tuple[int, bytes]:
        """Return the sign and the text of a key."""
        sign, text = self._xlib.KeySym(), ctypes.create_string_buffer(16)
        count = self._xlib.XLookupString(key_event, text, len(text) - 1, ctypes.byref(sign), None)
        return int(sign.value), text.raw[:count]

    def _lose(self, event: Any) -> None:
        """Forget the keys that are held when the window loses the focus: their releases go to another window."""
        self._held.clear()
        getattr(self._window, "pressed_keys", set[int]()).clear()
        self._lost(event)
