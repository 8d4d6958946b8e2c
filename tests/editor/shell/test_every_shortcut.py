"""Shortcuts in every panel, in text fields and below popups."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from long_runs import long
from rish_core import Place, Problem, Transform, find, named
from rish_editor.plugin.readers import read_commands
from rish_editor.testing import RIGHT, UIDriver

from ..conftest import GAME

Open = Callable[..., Any]
LOG = logging.getLogger("rish.game")
LEAVING = {"file.quit", "file.close"}
"""Commands after which there is no game."""


def select(driver: UIDriver, game: Any, *names: str) -> None:
    """Select entities by name."""
    with game.edit("Select"):
        game.selection.set([named(game.world, name) for name in names])
    driver.step(3)


@pytest.mark.slow
@pytest.mark.parametrize("playing", [False, True])
def test_every_shortcut_in_every_panel(driver: UIDriver, open_text: Open, playing: bool) -> None:
    """No shortcut raises, of the editor and of plugins, whichever panel has the keyboard, with and without a selection,
    and the game stays open.
    """
    game = open_text(GAME.replace("[render]", "[render, history]"))
    editor = driver.shell.editor
    keys = [editor.commands.shortcut(command.id) for command in editor.commands if command.id not in LEAVING]
    sample = ["editor.log"] if playing else ["editor.scene", "history.timeline"]
    for number, panel in enumerate(long([held.id for held in editor.panels], sample), start=playing):
        editor.show(panel)
        driver.step(3)
        select(driver, game, *(["red"] if number % 2 else []))
        if playing:
            editor.run("play.start")
        for key in filter(None, keys):
            driver.key(key)
            if editor.dialogs.open or driver.marks("popup:"):
                driver.key("Escape")
        assert not editor.dialogs.open
        if game.play.running:
            game.play.stop()
        while game.history.done:
            game.undo()
    assert editor.failures == 0, [line.text for line in driver.shell.log.lines]
    assert editor.game is game


def mistakes(*said: str) -> list[Problem]:
    """Return problems of the manifest, one a line."""
    return [Problem(Place("game.yaml", line + 1, 1), "scenes", what) for line, what in enumerate(said)]


def of_entities(driver: UIDriver) -> list[str]:
    """Return the shortcuts of commands for entities."""
    commands = driver.shell.editor.commands
    return [shortcut for each in commands if each.entities and (shortcut := commands.shortcut(each.id))]


@pytest.mark.slow
def test_keys_for_entities_rest_in_panels_that_show_none(driver: UIDriver, open_text: Open) -> None:
    """Delete, Ctrl+C, Ctrl+D, Ctrl+A, arrows and others change no entity and no selection in any other panel, of the
    editor and of plugins; what was copied there is not the entities.
    """
    game = open_text(GAME.replace("[render]", "[render, history, physics, particles, audio, rules]"))
    editor = driver.shell.editor
    LOG.warning("too large")
    editor.list_problems(mistakes("a mistake"))
    driver.step(8)
    keys = of_entities(driver)
    assert {"Delete", "Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+D", "Ctrl+A", "H"} <= {*keys}
    others = [held.id for held in editor.panels if not held.option("entities", False)]
    assert {"editor.log", "editor.problems", "editor.console", "editor.changes", "editor.history"} <= {*others}
    sample = ["editor.log", "editor.console", "editor.changes", "history.timeline"]
    assert {*sample} <= {*others}
    for panel in long(others, sample):
        editor.show(panel)
        driver.step(8)
        select(driver, game, "red")
        editor.copy("")
        assert editor.panels.focused == panel
        before = game.world.hash(), game.selection.handles
        for key in (*keys, "Left", "Up"):
            driver.key(key)
        assert (game.world.hash(), game.selection.handles) == before, panel
        assert "red" not in driver.shell.host.paste()
        if editor.dialogs.open:
            driver.key("Escape")
    editor.show("editor.hierarchy")
    driver.step(4)
    driver.key("Delete")
    assert game.world.hash() != before[0]


@pytest.mark.parametrize("panel", ["log", "problems", "console"])
def test_lists_of_lines_copy_them(driver: UIDriver, open_text: Open, panel: str) -> None:
    """In Log, Problems and Console Ctrl+A picks all lines and Ctrl+C copies them, while entities are selected."""
    game = open_text()
    editor = driver.shell.editor
    LOG.warning("first line")
    LOG.warning("last line")
    editor.list_problems(mistakes("first line", "last line"))
    editor.panels["editor.console"].repl.put("output", "first line\nlast line")
    select(driver, game, "red")
    editor.show(f"editor.{panel}")
    driver.step(4)
    if panel == "console":
        driver.click("editor.console/line0")
    driver.key("Ctrl+A")
    driver.key("Ctrl+C")
    copied = driver.shell.host.paste()
    assert "first line" in copied
    assert copied.index("first line") < copied.index("last line")


def test_a_menu_acts_on_entities_whatever_panel_has_the_keyboard(driver: UIDriver, open_text: Open) -> None:
    """Edit > Delete removes the selected entities after a click into the log."""
    game = open_text()
    select(driver, game, "red")
    driver.shell.editor.show("editor.log")
    driver.step(4)
    driver.click("menu/Edit")
    driver.click("menu/Edit/edit.delete")
    driver.step(3)
    assert find(game.world, "red") is None


def test_shortcuts_of_plugins_run_in_every_panel(driver: UIDriver, open_text: Open) -> None:
    """A shortcut of a plugin's command runs in all panels that do not take it, of entities only in those of entities;
    one that another command has too runs the first that can run.
    """
    ran: list[str] = []

    def command(name: str, shortcut: str, **more: Any) -> dict[str, Any]:
        return {f"wind.{name}": {"title": name, "shortcut": shortcut, "run": lambda editor: ran.append(name), **more}}

    open_text(GAME.replace("[render]", "[render, history, particles]"))
    editor = driver.shell.editor
    own = {
        **command("blow", "Ctrl+Shift+B"), **command("calm", "F9"), **command("turn", "Alt+T", entities=True),
        **command("never", "Ctrl+J", when=lambda editor: False), **command("instead", "Ctrl+J"),
    }  # fmt: skip
    editor.use_commands([*editor.commands, *(made for _, made in read_commands("wind", own))])
    panels = list(editor.panels)
    for held in long(panels, panels[::2]):
        editor.show(held.id)
        driver.step(4)
        ran.clear()
        for key in ("Ctrl+Shift+B", "F9", "Alt+T", "Ctrl+J"):
            driver.key(key)
        expected = ["blow", "calm", *(["turn"] if held.option("entities", False) else []), "instead"]
        assert ran == expected, held.id
    assert editor.failures == 0


@pytest.fixture
def typing(driver: UIDriver, open_text: Open) -> Any:
    """The game of a person who has typed 77 into a field of the inspector and not yet pressed Enter."""
    game = open_text()
    select(driver, game, "red")
    driver.double_click("editor.inspector/Transform/position.x")
    driver.key("Ctrl+A")
    driver.type("77")
    assert driver.shell.editor.ui.typing
    return game


def test_keys_that_edit_a_text_belong_to_the_field(driver: UIDriver, typing: Any) -> None:
    """Delete, letters and Ctrl+Z change the text that is typed, no entity and no step."""
    before = typing.world.hash(), len(typing.history.done)
    for key in ("Home", "Delete", "Ctrl+Z", "Ctrl+A", "Ctrl+C", "Backspace"):
        driver.key(key)
    assert (typing.world.hash(), len(typing.history.done)) == before
    assert driver.shell.editor.ui.typing


def test_a_shortcut_enters_what_is_typed_first(driver: UIDriver, typing: Any) -> None:
    """Ctrl+S in a field saves the number that is being typed."""
    driver.key("Ctrl+S")
    driver.step(4)
    assert typing.read(named(typing.world, "red"), Transform, "position")[0] == 77
    assert "77" in (typing.path / "game.yaml").read_text(encoding="utf-8")
    assert not typing.dirty


def test_plain_keys_rest_below_a_popup(driver: UIDriver, open_text: Open) -> None:
    """While a menu is open, Delete removes no entity, an arrow selects no other, and Ctrl+Z closes it and undoes."""
    game = open_text()
    select(driver, game, "red")
    driver.click("editor.hierarchy/rows/red", button=RIGHT)
    driver.step(2)
    before = game.world.hash(), game.selection.handles
    for key in ("Delete", "Down", "Up", "H"):
        driver.key(key)
    assert (game.world.hash(), game.selection.handles) == before
    assert driver.marks("popup:") == ["popup:editor.hierarchy/entities"]
    driver.key("Ctrl+Z")
    driver.step(2)
    assert driver.marks("popup:") == []
    assert game.selection.handles != before[1]
