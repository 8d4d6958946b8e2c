"""Text fields: typing, caret, selection, clipboard, undo, checks and input methods."""

from __future__ import annotations

import pytest

from rish_core import WindowEvent
from rish_ui import TextInput
from ui_driver import UiDriver, ui_game

FORM = """
- name: form
  Screen: {takes_keys: true}
  children:
    - {name: nick, TextInput: {hint: Your name, most: 8, check: "size(text) >= 3"}}
    - {name: code, TextInput: {allowed: "0-9", text: "12"}}
    - {name: word, TextInput: {secret: true}}
"""


def _text(ui: UiDriver, path: str) -> str:
    return ui.world.get(ui.node(path).entity, TextInput).text


def test_typed_text_is_in_the_field_and_in_the_component() -> None:
    """Each letter is a command; the component has the text in the next tick, the hint disappears."""
    with ui_game(FORM) as ui:
        assert "Your name" in ui.texts
        ui.type("Añ中́")
        assert _text(ui, "form.nick") == "Añ中́"
        assert "Your name" not in ui.texts
        assert "Añ中́" in ui.texts


def test_the_caret_moves_and_letters_are_removed() -> None:
    """Arrows, HOME and END move the caret, BACKSPACE and DELETE remove beside it."""
    with ui_game(FORM) as ui:
        ui.type("abcd")
        ui.key("LEFT", "BACKSPACE", "HOME", "DELETE")
        assert _text(ui, "form.nick") == "bd"
        ui.type("x")
        assert _text(ui, "form.nick") == "xbd"


def test_a_selection_is_replaced_and_copied() -> None:
    """Shift with an arrow selects; typing replaces the selection; Ctrl-C, Ctrl-X and Ctrl-V use the clipboard."""
    with ui_game(FORM) as ui:
        ui.type("abcd")
        ui.send(WindowEvent("key", "LSHIFT", True))
        ui.key("LEFT", "LEFT")
        ui.send(WindowEvent("key", "LSHIFT", False))
        ui.send(WindowEvent("key", "LCTRL", True))
        ui.key("X")
        assert _text(ui, "form.nick") == "ab"
        assert ui.backend.clipboard == "cd"
        ui.key("V")
        ui.frame(2)
        assert _text(ui, "form.nick") == "abcd"
        ui.key("Z")
        assert _text(ui, "form.nick") == "ab"
        ui.key("A")
        ui.send(WindowEvent("key", "LCTRL", False))
        ui.type("q")
        assert _text(ui, "form.nick") == "q"


def test_the_length_and_the_letters_are_limited() -> None:
    """No more letters than `most` are taken, and only those that `allowed` names."""
    with ui_game(FORM) as ui:
        ui.type("abcdefghijkl")
        assert _text(ui, "form.nick") == "abcdefgh"
        ui.key("TAB")
        ui.type("3x4")
        assert _text(ui, "form.code") == "1234"


def test_a_secret_is_shown_as_dots() -> None:
    """The letters of a secret field are not painted."""
    with ui_game(FORM) as ui:
        ui.key("TAB", "TAB")
        ui.type("key")
        assert "•••" in ui.texts
        assert "key" not in ui.texts


TYPED = [
    "می\u200cخواهم",
    "👨\u200d👩\u200d👧",
    "ශ්\u200dරී",
    "姓\u3000名",
    "1\u00a0000\u202f000",
    "\u200fא",
    "❤\ufe0f",
    "a\u00adb",
]


@pytest.mark.parametrize("text", TYPED)
def test_what_people_type_stays(text: str) -> None:
    """Joiners, all kinds of spaces, direction marks and selectors are typed and pasted like letters."""
    with ui_game(FORM) as ui:
        ui.key("TAB", "TAB")
        ui.type(text)
        assert _text(ui, "form.word") == text
        ui.send(WindowEvent("paste", text=text))
        ui.frame(2)
        assert _text(ui, "form.word") == text + text


def test_pasted_tabs_and_line_ends_become_spaces() -> None:
    """A text of several lines is pasted as one line with a space for each tab and line end; controls are left out."""
    with ui_game(FORM) as ui:
        ui.key("TAB", "TAB")
        ui.send(WindowEvent("paste", text="one\ttwo\r\nthree\u2028four\x1b\x00\ud800"))
        ui.frame(2)
        assert _text(ui, "form.word") == "one two three four"
        ui.send(WindowEvent("text", text="\r\t\x7f"))
        ui.frame(2)
        assert _text(ui, "form.word") == "one two three four"


@pytest.mark.parametrize(
    "cluster", ["น้ำ", "ກຳ", "👨\u200d👩\u200d👧", "🇩🇪", "\u1112\u1161\u11ab", "क्षि", "e\u0301", "ی\u200c"]
)
def test_keys_treat_a_cluster_as_one(cluster: str) -> None:
    """BACKSPACE, DELETE and the arrows never leave a part of a cluster, also where dots are shown for a secret."""
    with ui_game(FORM) as ui:
        for path in ("form.nick", "form.word"):
            ui.type(f"a{cluster}b")
            ui.key("LEFT", "BACKSPACE")
            assert _text(ui, path) == "ab"
            ui.type(cluster)
            ui.key("LEFT", "DELETE")
            assert _text(ui, path) == "ab"
            ui.key("TAB", "TAB")


def test_a_text_is_cut_between_clusters() -> None:
    """The greatest length never leaves a part of an emoji or a letter without its marks."""
    with ui_game(FORM) as ui:
        ui.send(WindowEvent("paste", text="abcd👨\u200d👩\u200d👧"))
        ui.frame(2)
        assert _text(ui, "form.nick") == "abcd"


def test_words_are_made_of_whole_clusters() -> None:
    """Control with an arrow goes from word to word, also where marks and joiners are inside of words."""
    with ui_game(FORM) as ui:
        ui.key("TAB", "TAB")
        ui.type("नमस्ते, می\u200cخواهم น้ำใจ")
        ui.send(WindowEvent("key", "LCTRL", True))
        ui.key("LEFT", "LEFT", "LEFT")
        ui.send(WindowEvent("key", "LCTRL", False))
        ui.key("BACKSPACE")
        assert _text(ui, "form.word") == "नम, می\u200cخواهم น้ำใจ"


def test_enter_submits_and_says_whether_the_text_is_valid() -> None:
    """The event Submitted has the text, and whether the check of the field is true."""
    with ui_game(FORM) as ui:
        ui.type("ab")
        ui.key("ENTER")
        assert ui.heard[-1] == ("Submitted", "form.nick", "ab", False)
        ui.type("c")
        ui.key("ENTER")
        assert ui.heard[-1] == ("Submitted", "form.nick", "abc", True)


def test_composed_text_is_shown_before_it_is_finished() -> None:
    """Text of an input method is painted at the caret; only the finished text is a command."""
    with ui_game(FORM) as ui:
        ui.type("a")
        ui.send(WindowEvent("compose", text="ㄓㄨ", start=2))
        assert "aㄓㄨ" in ui.texts
        assert _text(ui, "form.nick") == "a"
        ui.send(WindowEvent("compose"), WindowEvent("text", text="注"))
        ui.frame()
        assert _text(ui, "form.nick") == "a注"
        assert "a注" in ui.texts


def test_a_text_changed_by_the_game_is_shown() -> None:
    """If code changes the component, the field shows the new text."""
    with ui_game(FORM) as ui:
        ui.type("abc")
        ui.world.set(ui.node("form.nick").entity, TextInput(text="new"))
        ui.frame(2)
        assert "new" in ui.texts
        ui.type("!")
        assert _text(ui, "form.nick") == "new!"
