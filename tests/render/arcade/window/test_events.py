"""The calls of pyglet's handlers become events, each key and each intent once."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rish_render import window_input
from rish_render.backends.arcade.gl import key_names

KEY = key_names()
CTRL, ALT, SHIFT, COMMAND = (KEY[f"MOD_{name}"] for name in ("CTRL", "ALT", "SHIFT", "COMMAND"))


def heard(modifiers: int, *, letter: str = "V", text: str = "", motion: str = "PASTE") -> list[str]:
    """Return the kinds of events that pyglet's calls for one key give, with the text that they have."""
    read = window_input(SimpleNamespace(get_clipboard_text=lambda: "words"), lambda x, y: (x, y))
    symbol = KEY[letter]
    read.handlers["on_key_press"](symbol, modifiers)
    if motion:
        read.handlers["on_text_motion"](KEY[f"MOTION_{motion}"])
    if text:
        read.handlers["on_text"](text)
    read.handlers["on_key_release"](symbol, modifiers)
    return [event.text or f"{event.name} {event.down}" for event in read.take()]


@pytest.mark.parametrize("modifiers", [CTRL, COMMAND, CTRL | SHIFT])
@pytest.mark.parametrize("motion", ["PASTE", ""])
def test_the_keys_that_paste_give_one_text(modifiers: int, motion: str):
    """Ctrl-V and Cmd-V give the clipboard's text once, whether pyglet reports a motion besides, or none as on a Mac."""
    assert heard(modifiers, motion=motion) == ["V True", "words", "V False"]


def test_altgr_writes_a_sign_and_pastes_nothing():
    """Ctrl and Alt together are AltGr of Windows: the sign is typed, although pyglet reports a motion."""
    assert heard(CTRL | ALT, text="@") == ["V True", "@", "V False"]


@pytest.mark.parametrize(
    ("letter", "motion", "name"),
    [("C", "COPY", "C"), ("BACKSPACE", "BACKSPACE", "BACKSPACE"), ("LEFT", "LEFT", "LEFT"),
     ("DELETE", "DELETE", "DELETE"), ("HOME", "BEGINNING_OF_FILE", "HOME"), ("ENTER", "", "ENTER")],
)  # fmt: skip
def test_a_key_with_a_motion_is_one_event(letter: str, motion: str, name: str):
    """What pyglet calls a motion of the caret follows from the key, which is reported once; so is a line feed."""
    assert heard(CTRL, letter=letter, motion=motion, text="\r" if letter == "ENTER" else "") == [
        f"{name} True", f"{name} False",
    ]  # fmt: skip
