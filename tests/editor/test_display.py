"""The editor in a window of a virtual screen, used from outside through keys and pointer of the system."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from screen_person import HAS_SCREENS, Person, virtual_screen

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}}
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not HAS_SCREENS, reason="needs Xvfb and xdotool")]


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    """A person at a screen of their own, with a game in the folder `game`."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.yaml").write_text(GAME)
    with virtual_screen(tmp_path / "own") as environment:
        person = Person(environment, tmp_path)
        yield person
        person.end()


@pytest.mark.parametrize("options", [(), ("--scale", "2")])
def test_the_window_fits_the_screen(person: Person, options: tuple[str, ...]) -> None:
    """Without --size, the window lies on the screen of 1440x900 with room for its title, at any scale."""
    person.open_editor(*options)
    number = person.do("search", "--onlyvisible", "--name", "Rish").split()[0]
    lines = person.do("getwindowgeometry", "--shell", number).split()
    found = {name: int(value) for name, value in (line.split("=") for line in lines)}
    assert (found["X"], found["Y"], found["WIDTH"]) == (0, 0, 1440)
    assert 800 <= found["HEIGHT"] <= 870


def open_game(person: Person, game: Path) -> None:
    """Start the editor with a game."""
    person.open_editor(game, "--size", "1280x720")
    person.wait(lambda: "Test — Rish" in person.titles())


def test_a_window_is_used_and_closed_with_unsaved_edits(person: Person, tmp_path: Path) -> None:
    """With scripts, whose games are watched: a click selects, keys duplicate, save, play, stop and duplicate again
    without any question; closing asks about unsaved edits, and Enter saves them. Nothing is doubled.
    """
    path = tmp_path / "game" / "game.yaml"
    path.write_text(GAME.replace("plugins: [render]", "plugins: [render, scripts]"))
    open_game(person, path.parent)
    person.click("editor.hierarchy/rows/red")
    person.key("Ctrl+D")
    person.wait(lambda: "• Test" in person.titles(), 20)
    person.key("Ctrl+S")
    person.wait(lambda: path.read_text().count("name: red") == 2, 20)
    person.wait(lambda: "• Test" not in person.titles(), 20)
    time.sleep(1.5)  # what watches files has looked at them
    person.key("F5")
    person.see(20)
    person.key("F8")
    person.key("Ctrl+D")
    person.wait(lambda: "• Test" in person.titles(), 20)
    person.do("key", "ctrl+q")
    person.place("dialog/save")
    assert person.editor is not None
    assert person.editor.poll() is None  # it asks
    person.do("key", "Return")
    assert person.editor.wait(20) == 0
    assert path.read_text().count("name: red") == 3
    assert path.read_text().count("color: blue") == 1
