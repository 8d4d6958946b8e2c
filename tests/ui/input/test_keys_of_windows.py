"""What windows send for one key: an event of the key, and one of the text or the clipboard. Each acts once."""

from __future__ import annotations

import pytest

from rish_core import Input, WindowEvent
from rish_core.loop import WRITING_KEYS
from rish_ui import TextInput
from ui_driver import UiDriver, ui_game

FORM = """
- name: form
  Screen: {takes_keys: true}
  children:
    - {name: nick, TextInput: {text: abc}}
    - {name: next, TextInput: {}}
    - {name: go, Button: {text: Go}}
"""
CHAT = "- name: chat\n  Screen: {takes_keys: true}\n  children:\n    - {name: line, TextInput: {}}\n"
Events = list[WindowEvent]


def tap(name: str, *between: WindowEvent) -> Events:
    """Return the events of a key; `between` comes while it is down."""
    return [WindowEvent("key", name, True), *between, WindowEvent("key", name, False)]


def held(modifier: str, *events: WindowEvent) -> Events:
    """Return events while a modifier is held."""
    return tap(modifier, *events)


def typed(name: str, text: str) -> Events:
    """Return what a window sends for a key that writes."""
    return tap(name, WindowEvent("text", text=text))


def written(ui: UiDriver, path: str = "form.nick") -> str:
    """Return the text of a field, some frames later."""
    ui.frame(4)
    return ui.world.get(ui.node(path).entity, TextInput).text


@pytest.mark.parametrize("modifier", ["LCTRL", "RCTRL", "LCOMMAND"])
@pytest.mark.parametrize("sends", [True, False], ids=["the window sends the text", "the window sends the key alone"])
@pytest.mark.parametrize("at_once", [True, False], ids=["in one frame", "in several"])
def test_the_keys_that_paste_paste_once(modifier: str, sends: bool, at_once: bool) -> None:
    """Ctrl-V writes the clipboard's text once, whether or not the window sends it besides the key."""
    with ui_game(FORM) as ui:
        ui.backend.clipboard = "xy"
        paste = [WindowEvent("paste", text="xy")] if sends else []
        events = held(modifier, WindowEvent("key", "V", True), *paste, WindowEvent("key", "V", False))
        if at_once:
            ui.send(*events)
        else:
            for batch in (events[:1], events[1 : 2 + sends], events[2 + sends :]):
                ui.send(*batch)
        assert written(ui) == "abcxy"


def test_a_copy_is_pasted_before_it_is_in_the_clipboard() -> None:
    """Copied, pasted and typed within one slow frame, the text is the copied one, and what was typed follows it."""
    with ui_game(FORM) as ui:
        ui.backend.clipboard = "old"
        ui.send(*held("LCTRL", *tap("A"), *tap("C")), *tap("END"),
                *held("LCTRL", *tap("V", WindowEvent("paste", text="old"))), *typed("Z", "z"))  # fmt: skip
        assert written(ui) == "abcabcz"
        assert ui.backend.clipboard == "abc"


def test_keys_that_write_do_not_act_in_the_game() -> None:
    """While a field is written in, no key that writes a sign reaches the game, also digits and the number pad."""
    with ui_game(CHAT) as ui:
        for name in sorted(WRITING_KEYS):
            ui.send(WindowEvent("key", name, True), WindowEvent("text", text="x"))
            assert not ui.world[Input].pressed_keys(), name
            ui.send(WindowEvent("key", name, False))


def test_altgr_writes_and_is_no_shortcut() -> None:
    """Ctrl with Alt is AltGr of Windows: the letter's shortcut does not act, and its sign is written."""
    with ui_game(FORM) as ui:
        ui.send(*held("LCTRL", *held("RALT", *typed("A", "ą"), *typed("X", "ź"), *typed("V", "@"))))
        assert written(ui) == "abcąź@"


def test_shift_with_tab_goes_back() -> None:
    """TAB goes on and Shift with TAB back, also where the game has bound TAB itself, and on the number pad."""
    for head in ("", "input: {ui_next: [TAB]}"):
        with ui_game(FORM, head) as ui:
            for name in ("TAB", "NUM_TAB"):
                ui.send(*tap(name))
                assert ui.focus == "form.next"
                ui.send(*held("RSHIFT", *tap(name)))
                assert ui.focus == "form.nick"


def test_releasing_one_of_two_modifiers_keeps_the_other() -> None:
    """While a second Shift is held, TAB still goes back."""
    with ui_game(FORM) as ui:
        ui.send(WindowEvent("key", "RSHIFT", True), *tap("LSHIFT"), *tap("TAB"))
        assert ui.focus == "form.go"


def test_the_number_pad_without_numlock_is_arrows() -> None:
    """Its keys move the caret and the focus, erase and accept as the keys do that are written on them."""
    with ui_game(FORM) as ui:
        ui.send(*tap("NUM_HOME"), *tap("NUM_RIGHT"), *tap("NUM_DELETE"))
        assert written(ui) == "ac"
        ui.send(*tap("NUM_DOWN"), *tap("NUM_DOWN"), *tap("NUM_ENTER"))
        ui.frame(3)
        assert ("Clicked", "form.go") in ui.heard


def test_option_and_command_move_as_on_a_mac() -> None:
    """Option moves by words and Command to the ends of the line, once for each press."""
    with ui_game(FORM.replace("text: abc", "text: one two")) as ui:
        ui.send(*held("LOPTION", *tap("LEFT")), *typed("X", "x"), *held("LCOMMAND", *tap("LEFT")), *typed("Y", "y"))
        ui.send(*held("RCOMMAND", *tap("RIGHT")), *held("ROPTION", *tap("BACKSPACE")))
        assert written(ui) == "yone "
