"""Commands that change entities, by their shortcuts: each is one step, and disabled where it can't run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from long_runs import long
from rish_authoring import tree_order
from rish_core import Transform, find, named
from rish_editor.testing import UIDriver

GAME = """rish: 1
game: {title: Edits, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, tags: [box, warm], Transform: {position: [10, 20]}, Shape: {}}
    - {name: green, tags: [box], Transform: {position: [50, 0]}, Shape: {}, children: [{name: leaf, Transform: {}}]}
    - {prefab: crate, name: one}
    - {prefab: crate, name: two, at: [5, 5]}
"""


@pytest.fixture
def game(open_text: Callable[..., Any], driver: UIDriver) -> Any:
    """A game with a few entities, whose view has the keyboard."""
    game = open_text(GAME)
    driver.step()
    return game


def select(game: Any, *names: str) -> None:
    """Select entities by their names."""
    game.selection.set([named(game.world, name) for name in names])


def chosen(game: Any) -> list[str]:
    """Return the names of the selected entities."""
    return [game.name_of(handle) for handle in game.selection]


def last(game: Any) -> str:
    """Return the name of the last step of the history."""
    return game.history.done[-1].name


def test_copy_puts_text_onto_the_clipboard_and_paste_reads_it(driver: UIDriver, game: Any) -> None:
    """Ctrl+C writes a readable text; Ctrl+V spawns it again as one step, selected, with names that are free."""
    select(game, "red", "green")
    driver.key("Ctrl+C")
    text = driver.shell.editor.clipboard()
    assert text.startswith("rish: 1\nentities:")
    assert "name: red" in text
    assert "leaf" in text
    driver.key("Ctrl+V")
    assert chosen(game) == ["red 2", "green 2"]
    assert last(game) == "Paste"
    assert find(game.world, "leaf 2") is not None
    driver.key("Ctrl+Z")
    assert find(game.world, "red 2") is None
    assert chosen(game) == ["red", "green"]


def test_paste_goes_beside_the_selected_entity(driver: UIDriver, game: Any) -> None:
    """The parent of pasted entities is that of the selected one."""
    select(game, "red")
    driver.key("Ctrl+C")
    select(game, "leaf")
    driver.key("Ctrl+V")
    assert game.world.get(named(game.world, "red 2"), Transform).parent == named(game.world, "green")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["", "hello", "rish: 1\nentities: 5\n", "[" * 2000, "rish: 1\nentities:\n  - {Nonsense: {a: 1}}\n", "\0\x1b"],
)
def test_a_hostile_clipboard_gives_a_note_and_changes_nothing(driver: UIDriver, game: Any, text: str) -> None:
    """Text that is no entities is refused with a note."""
    driver.shell.editor.copy(text)
    before = game.world.hash()
    driver.key("Ctrl+V")
    assert game.world.hash() == before
    assert not game.history.done
    notes = driver.shell.editor.notes
    assert any("clipboard" in note.text and note.level in ("warning", "error") for note in notes)


def test_cut_removes_what_it_copies(driver: UIDriver, game: Any) -> None:
    """Ctrl+X copies and deletes in one step."""
    select(game, "red")
    driver.key("Ctrl+X")
    assert find(game.world, "red") is None
    assert "name: red" in driver.shell.editor.clipboard()
    assert last(game) == "Cut red"


@pytest.mark.slow
def test_duplicate_delete_group_and_ungroup_are_single_steps(driver: UIDriver, game: Any) -> None:
    """Each makes one step with a name that says what and how many."""
    first = game.world.hash()
    select(game, "red", "green")
    driver.key("Ctrl+D")
    assert chosen(game) == ["red 2", "green 2"]
    assert last(game) == "Duplicate 2 Entities"
    driver.key("Ctrl+G")
    assert chosen(game) == ["Group"]
    assert last(game) == "Group 2 Entities"
    driver.key("Ctrl+Shift+G")
    assert chosen(game) == ["red 2", "green 2"]
    assert last(game) == "Ungroup Group"
    driver.key("Delete")
    assert not chosen(game)
    assert last(game) == "Delete 2 Entities"
    assert find(game.world, "leaf 2") is None
    for _ in range(4):
        driver.key("Ctrl+Z")
    assert game.world.hash() == first


def test_selecting_commands(driver: UIDriver, game: Any) -> None:
    """Select all, none, the others, children, parents, and what has the same tag or prefab."""
    editor = driver.shell.editor
    driver.key("Ctrl+A")
    assert len(game.selection) == game.count
    driver.key("Esc")
    assert chosen(game) == []
    select(game, "green")
    editor.run("edit.select_children")
    assert chosen(game) == ["leaf"]
    editor.run("edit.select_parent")
    assert chosen(game) == ["green"]
    editor.run("edit.select_tag")
    assert chosen(game) == ["red", "green"]
    driver.key("Ctrl+I")
    assert chosen(game) == ["camera", "leaf", "one", "two"]
    select(game, "two")
    editor.run("edit.select_prefab")
    assert chosen(game) == ["one", "two"]
    select(game, "leaf")
    editor.run("edit.copy_path")
    assert editor.clipboard() == "green/leaf"


def test_hide_hides_all_below_and_shows_again(driver: UIDriver, game: Any) -> None:
    """H hides what is visible, and shows again what is all hidden."""
    shape = game.world.kind("Shape")
    select(game, "red", "one")
    driver.key("H")
    assert not game.world.get(named(game.world, "red"), shape).visible
    assert last(game) == "Hide 2 Entities"
    driver.key("H")
    assert game.world.get(named(game.world, "red"), shape).visible
    assert last(game) == "Show 2 Entities"


def test_commands_are_off_without_a_game_or_a_selection(driver: UIDriver) -> None:
    """Nothing can run without a game."""
    editor = driver.shell.editor
    names = [each.id for each in editor.commands if each.id.startswith(("edit.", "entity."))]
    assert len(names) > 30
    assert not [name for name in names if editor.commands.enabled(name, editor)]


def test_commands_that_need_a_selection_are_off_without_one(driver: UIDriver, game: Any) -> None:
    """With a game, only commands that need no entities are on."""
    editor = driver.shell.editor
    names = [each.id for each in editor.commands if each.id.startswith("edit.")]
    on = {name for name in names if editor.commands.enabled(name, editor)}
    assert on == {"edit.paste", "edit.select_all", "edit.invert", "edit.search"}


def test_in_a_running_game_they_change_the_run_only(driver: UIDriver, game: Any) -> None:
    """While the game plays, entities are created and deleted in the run, and Stop brings the edited World back."""
    first = game.world.hash()
    driver.key("F5")
    select(game, "red")
    driver.shell.editor.run("edit.delete")
    assert find(game.world, "red") is None
    assert not game.history.done
    driver.shell.editor.run("entity.create.box")
    assert find(game.world, "Box") is not None
    driver.key("F8")
    driver.step()
    assert game.world.hash() == first


@pytest.mark.slow
def test_each_thing_can_be_created(driver: UIDriver, game: Any) -> None:
    """Every command of the menu Entity creates a selected entity in the middle of the view, as one step, also if that
    switches on a plugin; undoing all of them gives the game of before.
    """
    editor = driver.shell.editor
    editor.panels["editor.scene"].views["2d"].camera.x, editor.panels["editor.scene"].views["2d"].camera.y = 30.0, 40.0
    names = [each.id for each in editor.commands if each.id.startswith("entity.create.")]
    assert all(editor.commands.enabled(name, editor) for name in names)
    first, plugins = game.world.hash(), game.app.plugins.names
    for name in names:
        steps = len(game.history.done)
        assert editor.run(name), name
        assert len(game.history.done) == steps + 1
        assert len(game.selection) == 1
        if game.world.has(game.selection.primary, Transform):
            assert np.allclose(game.world.get(game.selection.primary, Transform).position, (30, 40))
    driver.step(2)
    assert not editor.failures
    while game.undo():
        pass
    assert (game.world.hash(), game.app.plugins.names) == (first, plugins)


def test_the_first_camera_is_the_main_one(driver: UIDriver, game: Any) -> None:
    """A camera that is created beside another one does not take over the picture."""
    driver.shell.editor.run("entity.create.camera")
    assert not game.world.get(game.selection.primary, game.world.kind("Camera")).primary


def test_delete_does_not_touch_entities_while_files_are_worked_with(driver: UIDriver, game: Any) -> None:
    """With the keyboard in the panel of files, Delete deletes no entity."""
    select(game, "red")
    driver.shell.editor.show("editor.assets")
    driver.step(2)
    assert driver.shell.editor.panels.focused == "editor.assets"
    driver.key("Delete")
    assert find(game.world, "red") is not None


COMMANDS = (
    "edit.duplicate", "edit.group", "edit.ungroup", "edit.delete", "edit.hide", "edit.cut", "edit.paste",
    "entity.create.box", "entity.create.empty", "edit.invert", "edit.select_children", "edit.select_parent",
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=long(6, 3), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=strategies.lists(strategies.tuples(strategies.sampled_from(COMMANDS), strategies.integers(0, 99)),
                              min_size=4, max_size=14))  # fmt: skip
def test_random_edits_can_be_undone_and_done_again(
    driver: UIDriver, open_text: Callable[..., Any], steps: list[tuple[str, int]]
) -> None:
    """After any commands, undoing all leads to the first hash and tree, and redoing all to the last ones."""
    game = open_text(GAME)
    editor = driver.shell.editor
    first = game.world.hash(), tree_order(game.app).handles.tolist()
    for command, number in steps:
        handles = tree_order(game.app).handles
        if len(handles):
            with game.edit("Select"):
                game.selection.set(handles[[number % len(handles), number // 7 % len(handles)]].tolist())
        if editor.commands.enabled(command, editor):
            editor.run(command)
        game.app.refresh()
    end = game.world.hash(), tree_order(game.app).handles.tolist()
    count = 0
    while game.undo() is not None:
        count += 1
    assert (game.world.hash(), tree_order(game.app).handles.tolist()) == first
    for _ in range(count):
        game.redo()
    assert (game.world.hash(), tree_order(game.app).handles.tolist()) == end


def test_an_entity_becomes_a_prefab_and_is_independent_again(driver: UIDriver, game: Any) -> None:
    """Make Prefab asks for a name and writes the prefab; Unpack ends the use; both can be undone."""
    select(game, "green")
    first = game.world.hash()
    driver.shell.editor.run("entity.make_prefab")
    driver.step(3)
    driver.key("Ctrl+A")
    driver.type("bush")
    driver.key("Enter")
    driver.step(3)
    from rish_core import Prefabs

    assert "bush" in game.world[Prefabs].names
    assert last(game) == "Make Prefab bush"
    assert driver.shell.editor.run("entity.unpack"), [note.text for note in driver.shell.editor.notes]
    assert last(game) == "Unpack green"
    driver.key("Ctrl+Z")
    driver.key("Ctrl+Z")
    driver.step()
    assert "bush" not in game.world[Prefabs].names
    assert game.world.hash() == first
