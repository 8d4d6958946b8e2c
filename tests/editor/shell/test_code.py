"""Code of the game that is changed while the game is edited."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import add_component
from rish_core import Transform, find
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
CODE = """from rish_core import component, field

@component
class Speed:
    '''A speed.'''

    value: float = field({value})

def rish_components():
    return [Speed]
"""
SCRIPT = """from rish_scripts import Script, scripts_in
from rish_core import component

@component
class Walker(Script):
    pace: float = {value}

def rish_scripts():
    return [Walker]
"""
COUNTED = """import logging

logging.getLogger("game").warning("counted")
"""
GAME = """rish: 1
game: {{title: Code}}
plugins: [render{more}]
scenes:
  main:
    - {{name: camera, Transform: {{}}, Camera: {{height: 360}}}}
    - {{name: red, Transform: {{}}, Shape: {{}}}}
"""

LATER = count(10**9, 1000)
"""Times of looks at the files, seconds."""


def open_code(open_text: Open, tmp_path: Path, code: str, more: str = "") -> Any:
    """Open a game with this code."""
    (tmp_path / "game").mkdir(exist_ok=True)
    (tmp_path / "game" / "plugin.py").write_text(code)
    return open_text(GAME.format(more=more))


def rewrite(driver: UIDriver, game: Any, code: str) -> None:
    """Change the code as another program does, and let some seconds pass."""
    (game.path / "plugin.py").write_text(code)
    driver.shell.games.outside.note([game.path / "plugin.py"])
    driver.step(4)


@pytest.mark.parametrize(("code", "name", "field", "more"), [
    (CODE, "Speed", "value", ""), (SCRIPT, "Walker", "pace", ", scripts"),
])  # fmt: skip
def test_changed_code_is_loaded_while_the_game_is_edited(
    driver: UIDriver, open_text: Open, tmp_path: Path, code: str, name: str, field: str, more: str
) -> None:
    """A saved file of code is loaded by itself; the unsaved edits stay, and stay unsaved."""
    game = open_code(open_text, tmp_path, code.format(value="1.0"), more)
    with game.edit("Move"):
        game.world.set(find(game.world, "red"), Transform(position=(5, 0)))
    rewrite(driver, game, code.format(value="2.5"))
    assert game.world.kind(name).__kind__.fields[field].default == 2.5
    assert game.read(find(game.world, "red"), Transform, "position")[0] == 5
    assert game.dirty


@pytest.mark.parametrize(("code", "more"), [(CODE, ""), (SCRIPT, ", scripts")])
@pytest.mark.parametrize("played", [False, True])
def test_edits_can_be_undone_after_code_was_loaded(
    driver: UIDriver, open_text: Open, tmp_path: Path, code: str, more: str, played: bool
) -> None:
    """Loading changed code, also in a run, drops no step: fields come and go, and undo and redo go on as before."""
    game = open_code(open_text, tmp_path, code.format(value="1.0"), more)
    name = "Walker" if more else "Speed"
    red = find(game.world, "red")
    with game.edit("Add"):
        add_component(game.app, [red], game.world.kind(name))
    for x in (5, 6):
        game.set([red], Transform, "position", (x, 0))
    with game.edit("Delete"):
        game.world.despawn(red)
    driver.key("Ctrl+Z")
    if played:
        driver.key("F5")
    changed = code.format(value="2.5").replace(": float = ", ": float = 7.0\n    further: float = ")
    rewrite(driver, game, changed)
    if played:
        driver.key("F8")
    assert "further" in game.world.kind(name).__kind__.fields
    for expected in (5, 0):
        driver.key("Ctrl+Z")
        assert game.read(red, Transform, "position")[0] == expected
    driver.key("Ctrl+Z")
    assert not game.world.has(red, game.world.kind(name))
    for _ in range(4):
        driver.key("Ctrl+Y")
    assert not game.world.alive(red)
    driver.key("Ctrl+Z")
    assert game.read(red, Transform, "position")[0] == 6
    assert game.dirty
    driver.key("Ctrl+S")
    driver.step(2)
    assert not driver.shell.editor.dialogs.open
    assert not game.project.dirty


def test_saved_code_is_loaded_once(
    driver: UIDriver, open_text: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Code that is saved in the panel Text is loaded at once, and not again when the editor looks at the files."""
    for more in ("", ", scripts"):
        game = open_code(open_text, tmp_path, COUNTED, more)
        driver.shell.editor.texts.open(game.path / "plugin.py")
        text = driver.shell.editor.texts.active
        text.field.replace(text.field.text + "# more\n")
        driver.step(3)
        caplog.clear()
        assert driver.shell.editor.texts.save(text)
        for _ in range(4):
            driver.step(2)
            driver.shell.games.outside.note([text.path])
            driver.shell.editor.texts.look(next(LATER))
        assert caplog.messages.count("counted") == 1
        driver.shell.editor.texts.close_saved()


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", ", scripts"])
def test_mistakes_of_changed_code_are_listed_until_they_are_mended(
    driver: UIDriver, open_text: Open, tmp_path: Path, more: str
) -> None:
    """A mistake in the code is in the log and in the panel Problems with its line; mended code removes it."""
    game = open_code(open_text, tmp_path, CODE.format(value="1.0"), more)
    rewrite(driver, game, "import nowhere_at_all\n")
    assert driver.shell.editor.game is game
    [problem] = driver.shell.editor.problems
    assert "nowhere_at_all" in problem.what
    assert problem.place.file.endswith("plugin.py")
    assert problem.place.line == 1
    assert any("nowhere_at_all" in line.text and line.level >= 40 for line in driver.shell.log.lines)
    assert driver.sees("editor.problems/problem:0")
    rewrite(driver, game, CODE.format(value="2.0"))
    assert driver.shell.editor.problems == []


def test_ctrl_r_loads_the_code(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """Ctrl+R loads the code of a game with scripts and of one without; the menu has one command for both."""
    for more in ("", ", scripts"):
        game = open_code(open_text, tmp_path, CODE.format(value="1.0"), more)
        (game.path / "plugin.py").write_text(CODE.format(value="3.5"))
        driver.key("Ctrl+R")
        driver.step(3)
        assert game.world.kind("Speed").__kind__.fields["value"].default == 3.5
        driver.click("menu/Tools")
        assert sum("reload" in mark for mark in driver.marks("menu/Tools/")) == 1
        driver.key("Escape")
