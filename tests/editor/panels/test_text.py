"""The panel Text: typing, searching, messages at lines, and what its keys do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import Place, Problem
from rish_editor.testing import UIDriver

Open = Callable[..., Any]


class Typist:
    """A person at the panel Text of an opened game."""

    def __init__(self, driver: UIDriver, game: Any) -> None:
        self.driver = driver
        self.game = game
        self.texts = driver.shell.editor.texts

    def open(self, name: str, text: str, line: int = 0) -> Any:
        """Write a file of the game and open it; return its document."""
        path = self.game.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        self.driver.shell.editor.open_source(path, line)
        self.driver.step(4)
        return self.texts.active

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.driver.key(key)


@pytest.fixture
def typist(driver: UIDriver, open_text: Open) -> Typist:
    """A person at the panel Text of a game."""
    return Typist(driver, open_text())


def test_code_is_typed_saved_and_undone(typist: Typist) -> None:
    """Enter keeps the indentation, and begins a deeper line after a colon; a text is unsaved until it is saved."""
    text = typist.open("notes.py", "")
    typist.driver.type("def f(x):  # note: this")
    typist.keys("Enter")
    typist.driver.type("y = '#'")
    typist.keys("Enter")
    typist.driver.type("return x")
    assert text.field.text == "def f(x):  # note: this\n    y = '#'\n    return x"
    assert text.dirty
    typist.keys("Ctrl+S")
    typist.driver.step(2)
    assert (typist.game.path / "notes.py").read_text() == text.field.text
    assert not text.dirty
    typist.keys("Ctrl+Z")
    assert text.dirty
    typist.keys("Ctrl+Y")
    assert not text.dirty
    typist.keys("Ctrl+Z")
    typist.driver.type("N")
    assert text.field.text.endswith("return N")
    assert text.dirty


def test_typing_is_undone_by_words(typist: Typist) -> None:
    """Undo and redo take whole words with what follows them, a line, a saved text and a removed word at a time."""
    text = typist.open("notes.py", "")
    states = [""]
    for typed in ("speed = ", "speeds[", "中文，", "kind]"):
        typist.driver.type(typed)
        states.append(text.field.text)
    for keys in (["Enter"], ["a"], ["Backspace"], ["Ctrl+S"], ["b"]):
        typist.driver.type(keys[0]) if len(keys[0]) == 1 else typist.keys(*keys)
        states += [text.field.text] if keys != ["Ctrl+S"] else []
    typist.driver.type("cd")
    states[-1] = text.field.text
    for _ in "bcd":
        typist.keys("Backspace")
    states.append(text.field.text)
    seen = [text.field.text]
    for _ in range(len(states) - 1):
        typist.keys("Ctrl+Z")
        seen.append(text.field.text)
    assert seen == states[::-1]
    for state in states[1:]:
        typist.keys("Ctrl+Y")
        assert text.field.text == state
    while text.field.text:
        text.field.undo()
    typist.driver.type("other")
    typist.keys("Ctrl+Z")
    assert not text.field.text


def test_lines_are_indented_and_made_comments(typist: Typist) -> None:
    """Tab and Shift+Tab move the selected lines, Ctrl+/ makes them comments and back, in Python and YAML."""
    for name, tab in (("a.py", "    "), ("a.yaml", "  ")):
        text = typist.open(name, "one: 1\ntwo: 2\n")
        typist.keys("Ctrl+A", "Tab")
        assert text.field.text == f"{tab}one: 1\n{tab}two: 2\n"
        typist.keys("Shift+Tab", "Ctrl+Slash")
        assert text.field.text == "# one: 1\n# two: 2\n"
        typist.keys("Ctrl+Slash")
        assert text.field.text == "one: 1\ntwo: 2\n"


def test_the_keys_of_the_text_are_no_commands(typist: Typist) -> None:
    """While a text is typed, its keys change no entity and save no game; those of playing run all the same."""
    game, editor = typist.game, typist.driver.shell.editor
    with game.edit("Select"):
        game.selection.set(game.named(["red"]))
    text = typist.open("a.py", "a = 1\n")
    before = len(game.history.done)
    typist.keys("Ctrl+D", "Ctrl+G", "Escape", "Delete", "Ctrl+Slash", "F2", "Ctrl+X", "Ctrl+Z")
    typist.driver.step(2)
    assert len(game.history.done) == before
    assert len(game.selection) == 1
    assert editor.game is game
    typist.keys("F5")
    assert game.play.running
    typist.keys("F8")
    typist.driver.step(3)
    assert not game.play.running
    assert text in typist.texts.open_ones


def test_escape_leaves_the_keyboard_with_the_text(typist: Typist) -> None:
    """Escape is no way out of the text: what is typed next is still written into it."""
    text = typist.open("a.txt", "")
    typist.driver.type("a")
    typist.keys("Escape")
    typist.driver.step(2)
    typist.driver.type("b中😀")
    assert text.field.text == "ab中😀"


def test_words_are_found_and_replaced(typist: Typist) -> None:
    """Ctrl+F finds, F3 and Shift+F3 go round, Ctrl+H replaces one or all as one step."""
    text = typist.open("a.txt", "one Two one\ntwone\none")
    typist.keys("Ctrl+F")
    typist.driver.step(2)
    typist.driver.type("one")
    assert text.field.selected == "one"
    places = [text.field.cursor]
    for key in ("F3", "F3", "F3", "F3", "Shift+F3"):
        typist.keys(key)
        typist.driver.step()
        places.append(text.field.cursor)
    assert places == [(0, 3), (0, 11), (1, 5), (2, 3), (0, 3), (2, 3)]
    typist.driver.click("editor.text/words")
    typist.keys("Escape")
    typist.keys("Ctrl+H")
    typist.driver.step(2)
    typist.driver.click("editor.text/instead")
    typist.driver.type("1")
    typist.driver.click("editor.text/all")
    typist.driver.step(2)
    assert text.field.text == "1 Two 1\ntwone\n1"
    text.field.undo()
    assert text.field.text == "one Two one\ntwone\none"


def test_ctrl_g_goes_to_a_line(typist: Typist) -> None:
    """Ctrl+G asks for a line, and what is typed after Enter is written there."""
    text = typist.open("a.txt", "x\n" * 500)
    typist.keys("Ctrl+G")
    typist.driver.step(2)
    typist.driver.type("321")
    typist.keys("Enter")
    typist.driver.step(4)
    typist.driver.type("here")
    assert text.field.text.split("\n")[320] == "herex"


def test_a_mistake_stands_at_its_line_also_after_edits_above(typist: Typist) -> None:
    """A click on a problem goes to its line as it is now; the message moves with the line."""
    text = typist.open("a.py", "a = 1\nb = 2\nwrong\n")
    editor = typist.driver.shell.editor
    text.field.replace("new = 0\na = 1\nb = 2\nwrong\n")
    editor.list_problems([Problem(Place(str(text.path), 3), "", "no such name")], ".py")
    typist.driver.step(3)
    assert [(mark.line, mark.text) for mark in text.field.marks] == [(3, "no such name")]
    text.field.go_to(0)
    typist.driver.step(2)
    typist.keys("Enter")
    assert [mark.line for mark in text.field.marks] == [4]
    typist.driver.click("editor.problems/problem:0") if typist.driver.sees("editor.problems/problem:0") else (
        editor.show("editor.problems"), typist.driver.step(3), typist.driver.click("editor.problems/problem:0")
    )  # fmt: skip
    typist.driver.step(3)
    assert text.field.cursor[0] == 4
    assert typist.driver.sees("editor.text/message")
    editor.list_problems([], ".py")
    typist.driver.step(2)
    assert not text.field.marks


def test_a_binary_file_and_a_picture_are_no_texts(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture goes to the program of the system; a file that only calls itself a text is refused by name."""
    started: list[str] = []
    monkeypatch.setattr("rish_system.open_outside", lambda thing: started.append(str(thing)))
    typist.open("a.png", "x")
    assert started[0].endswith("a.png")
    assert typist.texts.open_ones == []
    path: Path = typist.game.path / "b.txt"
    path.write_bytes(b"\x00\x01\x02\xff")
    typist.driver.shell.editor.open_source(path)
    assert typist.texts.open_ones == []
    assert any("b.txt" in note.text for note in typist.driver.shell.editor.notes)


def test_the_settings_choose_another_program(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a command in the settings a source opens there; the panel Text is the usual choice."""
    started: list[str] = []
    monkeypatch.setattr("rish_system.start_program", lambda parts: started.append(parts[-1]))
    monkeypatch.setattr("rish_system.open_outside", lambda thing: started.append(str(thing)))
    editor = typist.driver.shell.editor
    editor.settings.open_with = "code -g {file}:{line}"
    typist.open("a.py", "", 3)
    assert started[0].endswith("a.py:3")
    editor.settings.open_with = ""
    editor.open_source(typist.game.path / "a.py", outside=True)
    assert started[1].endswith("a.py")
    typist.open("a.py", "")
    assert [text.name for text in typist.texts.open_ones] == ["a.py"]
