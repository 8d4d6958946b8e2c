"""What rish_scripts brings for the editor: the inspector of scripts, reload, and new scripts."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from typing import Any

import pytest

from editing import Desk, desk
from rish_editor.commands.assets import new_asset
from rish_scripts import Faults
from rish_scripts.editing.inspector import source_of

GAME = """rish: 1
game: {title: Scripts, size: [640, 360]}
plugins: [render, scripts]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: door, Transform: {position: [0, 0]}, Door: {speed: 40}}
    - {name: bad, Transform: {position: [50, 0]}, Bad: {}}
"""
CODE = '''from rish_core import field
from rish_scripts import Script


class Door(Script):
    """Opens."""
    open: bool = False
    speed: float = field(40, low=0, high=200)

    def on_inspect(self, ui):
        new = ui.slider("twice", self.speed * 2, 0, 400)
        if new is not None:
            self.speed = new / 2
        if ui.button("Shut", "shut"):
            self.open = False
            self.speed = 7


class Bad(Script):
    """Fails."""
    value: int = 0

    def on_inspect(self, ui):
        raise ValueError("no inspection")

    def on_update(self, dt):
        raise RuntimeError("no update")


def rish_scripts():
    return [Door, Bad]
'''
INSPECTOR = "editor.inspector/components"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("scripts")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew."""
    made = at.open(GAME, {"plugin.py": CODE})
    at.show("editor.inspector")
    return made


def door(game: Any) -> type:
    """Return the class of the script, which a reload replaces."""
    return game.app.registry.component("Door").cls


def mark(at: Desk, end: str) -> str:
    """Return the mark of the inspector with this end."""
    return next(name for name in at.driver.marks("editor.inspector") if name.endswith(end))


def test_on_inspect_draws_widgets_and_its_edits_are_steps(at: Desk, game: Any) -> None:
    """What `on_inspect` writes is one step of the history, and Undo takes it back."""
    [handle] = at.select("door")
    before, steps = game.world.hash(), len(at.steps)
    at.driver.click(mark(at, "on_inspect/shut"))
    assert game.read(handle, door(game), "speed") == 7
    assert len(at.steps) == steps + 1
    game.undo()
    assert game.world.hash() == before


def test_an_error_of_on_inspect_is_shown(at: Desk, game: Any) -> None:
    """An error is shown in the inspector; the fields above it stay, and the panel goes on."""
    at.select("bad")
    at.driver.step(3)
    assert at.driver.sees(mark(at, "Bad/value"))
    assert "editor.inspector" in at.editor.panels
    assert at.editor.panels._windows["editor.inspector"].failed is None
    assert "no inspection" in at.shell.log.lines[-1].text


def test_errors_of_a_run_are_counted_in_the_inspector(at: Desk, game: Any) -> None:
    """While the game plays, a script that was set aside is shown as that, and can be called again."""
    at.select("bad")
    at.editor.run("play.start")
    at.driver.step(20)
    assert bool(game.world[Faults].aside.any())
    at.driver.click(mark(at, "/pardon"))
    at.driver.step(1)
    at.editor.run("play.stop")
    at.driver.step(2)
    assert not at.driver.sees("editor.inspector/Bad/pardon")


def test_reload_reads_the_code_again_and_keeps_the_state(at: Desk, game: Any) -> None:
    """A new field appears with its default, and the values of the others stay."""
    [handle] = at.select("door")
    game.set([handle], door(game), "speed", 99.0)
    path = game.path / "plugin.py"
    path.write_text(CODE.replace("open: bool = False", "open: bool = False\n    height: float = 3"), encoding="utf-8")
    assert at.editor.run("scripts.reload")
    at.driver.step(3)
    assert game.read(handle, door(game), "height") == 3
    assert game.read(handle, door(game), "speed") == 99


def test_reload_of_broken_code_says_so_and_keeps_the_former(at: Desk, game: Any) -> None:
    """A mistake in the code is a message; the scripts stay as they were."""
    [handle] = at.select("door")
    (game.path / "plugin.py").write_text("def broken(:\n", encoding="utf-8")
    at.editor.run("scripts.reload")
    at.driver.step(3)
    assert any(note.level == "error" for note in at.editor.notes)
    assert game.read(handle, door(game), "speed") == 40


def test_a_new_script_is_made_from_the_template(at: Desk, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form writes the script into the game, lets `plugin.py` return it, adds it to the selection and opens it."""
    opened: list[Any] = []
    monkeypatch.setattr(at.editor, "open_source", lambda path, line: opened.append(path))
    [handle] = at.select("door")
    new_asset(at.editor, "scripts.script")
    at.driver.step(3)
    at.driver.click("dialog/create")
    at.driver.step(4)
    assert opened == [game.path / "scripts" / "door2.py"]
    assert "return [Door, Bad, *scripts_in(scripts)]" in (game.path / "plugin.py").read_text(encoding="utf-8")
    assert game.world.has(handle, game.world.kind("Door2"))


def test_a_script_whose_file_is_broken_has_its_fields(at: Desk) -> None:
    """While the file has a mistake, the inspector of the loaded class still works."""
    path = at.game.path / "plugin.py"
    path.write_text(CODE.replace("    def on_inspect", "def on_inspect", 1))
    linecache.checkcache()
    before = at.driver.shell.editor.failures
    at.select("door")
    at.driver.step(3)
    assert at.driver.shell.editor.failures == before
    assert source_of(at.game.world.kind("Door"))[0].name == "plugin.py"
    path.write_text(CODE)
    linecache.checkcache()
