"""Messages become window events; releases that a terminal does not report are guessed."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_terminal.key_state import HOLD, KeyState
from rish_terminal.keys import CTRL, SHIFT
from rish_terminal.layout import fit
from rish_terminal.parser import Focus, Key, Pointer, Typed

LAYOUT = fit((640, 480), 80, 30)


def down(name: str) -> WindowEvent:
    """Return the event of a pressed key."""
    return WindowEvent("mouse_button" if name.startswith("mouse") else "key", name, True)


def up(name: str) -> WindowEvent:
    """Return the event of a released key."""
    return WindowEvent("mouse_button" if name.startswith("mouse") else "key", name, False)


def test_a_tap_is_a_press_and_a_release_a_moment_later() -> None:
    """A tap is one press, and one release a moment later."""
    keys = KeyState()
    assert keys.events([Key("LEFT")], LAYOUT, 1.0) == [down("LEFT")]
    assert keys.events([], LAYOUT, 1.0 + HOLD / 2) == []
    assert keys.events([], LAYOUT, 1.0 + HOLD * 1.1) == [up("LEFT")]
    assert keys.events([], LAYOUT, 9.0) == []


def test_repeats_join_into_one_long_press() -> None:
    """Repeats within the time limit are one long press."""
    keys = KeyState()
    keys.events([Key("LEFT")], LAYOUT, 0.0)
    for step in range(1, 20):
        assert keys.events([Key("LEFT")], LAYOUT, step * HOLD * 0.9) == []
    assert keys.events([], LAYOUT, 20 * HOLD) == [up("LEFT")]


def test_each_report_of_a_tapped_key_is_a_press() -> None:
    """Two quick presses of Backspace or Tab are two presses, and so are the repetitions while it is held."""
    keys = KeyState()
    assert keys.events([Key("BACKSPACE")], LAYOUT, 0.0) == [down("BACKSPACE")]
    assert keys.events([Key("BACKSPACE")], LAYOUT, 0.03) == [up("BACKSPACE"), down("BACKSPACE")]
    assert keys.events([], LAYOUT, 0.03 + HOLD) == [up("BACKSPACE")]
    shifted = keys.events([Key("TAB", SHIFT), Key("TAB", SHIFT)], LAYOUT, 1.0)
    assert shifted == [down("LSHIFT"), down("TAB"), up("TAB"), down("TAB")]
    keys.let_go()
    keys.guess = False
    assert keys.events([Key("TAB"), Key("TAB", 0, "repeat")], LAYOUT, 2.0) == [down("TAB")]


def test_modifiers_go_down_with_their_key() -> None:
    """Modifiers are pressed together with their key, for games that check shift."""
    keys = KeyState()
    assert keys.events([Key("A", SHIFT | CTRL)], LAYOUT, 0.0) == [down("LSHIFT"), down("LCTRL"), down("A")]
    assert set(keys.events([], LAYOUT, 1.0)) == {up("LSHIFT"), up("LCTRL"), up("A")}


def test_a_modifier_ends_with_a_key_that_is_reported_without_it() -> None:
    """Ctrl-A and then a letter within the moment of a tap: the letter is no shortcut."""
    keys = KeyState()
    found = keys.events([Key("A", CTRL), Key("B"), Typed("b")], LAYOUT, 0.0)
    assert found == [down("LCTRL"), down("A"), up("LCTRL"), down("B"), WindowEvent("text", text="b")]


def test_nothing_is_guessed_where_the_terminal_tells() -> None:
    """If the terminal reports releases, a key stays down until its release, and modifiers have their own events."""
    keys = KeyState()
    keys.guess = False
    assert keys.events([Key("A", SHIFT)], LAYOUT, 0.0) == [down("A")]
    assert keys.events([Key("A", SHIFT, "repeat")], LAYOUT, 50.0) == []
    assert keys.events([Key("A", SHIFT, "release")], LAYOUT, 60.0) == [up("A")]
    assert keys.events([Key("A", SHIFT, "release")], LAYOUT, 61.0) == []


def test_the_pointer_moves_before_it_clicks() -> None:
    """A click is preceded by a move, in pixels of the drawn image, y up."""
    keys = KeyState()
    move = WindowEvent("mouse_move", x=1.5, y=177.0)
    assert keys.events([Pointer(0, 0, "mouse.left", True)], LAYOUT, 0.0) == [move, down("mouse.left")]
    assert keys.events([Pointer(0, 0)], LAYOUT, 99.0) == [move]
    assert keys.events([Pointer(0, 0, "mouse.left", False)], LAYOUT, 99.0) == [move, up("mouse.left")]
    scroll = WindowEvent("scroll", x=0, y=-1)
    assert keys.events([Pointer(0, 0, wheel=(0, -1))], LAYOUT, 99.0) == [move, scroll]


def test_text_and_focus_are_reported() -> None:
    """Text and focus become events; without the focus no key is held."""
    keys = KeyState()
    assert keys.events([Typed("é")], LAYOUT, 0.0) == [WindowEvent("text", text="é")]
    keys.events([Key("A"), Pointer(0, 0, "mouse.left", True)], LAYOUT, 0.0)
    away = keys.events([Focus(False)], LAYOUT, 0.0)
    assert away == [up("A"), up("mouse.left"), WindowEvent("focus", down=False)]
    assert keys.events([Focus(True)], LAYOUT, 0.0) == [WindowEvent("focus", down=True)]
