"""What files spawn in a run, shown while a game is edited: locked, never saved, no edits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import previews
from rish_core import Name, Scenes, Transform, find
from rish_ecs.storage import parents_of
from rish_editor.testing import UIDriver
from rish_render import Shape, TileMap

Open = Callable[..., Any]
GAME = """rish: 1
game: {title: Map, size: [640, 360], seed: 3}
plugins: [render]
prefabs:
  coin:
    name: coin
    Transform: {}
    Shape: {shape: circle, radius: {random: [4, 9]}}
    children: [{name: glow, Transform: {}, Shape: {size: [2, 2]}}]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: level, Transform: {position: [20, 0]}, TileMap: {map: maps/level.map.yaml, spawn: true}}
    - {name: box, Transform: {position: [-100, 0]}, Shape: {size: [60, 60]}}
  other:
    - {name: lone, Transform: {}}
"""
LEVEL = """cell: 16
legend:
  "o": {object: nothing}
layers:
  ground: |
    ....
    ....
objects:
  - {name: first, class: coin, at: [0, 0]}
  - {class: coin, at: [2, 0]}
"""


@pytest.fixture
def open_map(open_text: Open, tmp_path: Path) -> Open:
    """A function that opens the game with a map that spawns two coins."""

    def open_it(level: str = LEVEL) -> Any:
        (tmp_path / "game" / "maps").mkdir(parents=True, exist_ok=True)
        (tmp_path / "game" / "maps" / "level.map.yaml").write_text(level, encoding="utf-8")
        return open_text(GAME)

    return open_it


def tops_of(game: Any) -> list[int]:
    """Return the children of the map that a run would spawn."""
    level = find(game.world, "level")
    shown = previews(game.world)
    return shown[parents_of(game.world, shown) == level].tolist()


def test_what_a_map_spawns_is_shown_below_the_map_before_a_run(open_map: Open):
    """The objects of a map are entities of the edited World, with their children and the places of the run."""
    game = open_map()
    assert [game.name_of(handle) for handle in tops_of(game)] == ["first", "coin"]
    assert len(previews(game.world)) == 4
    assert all(game.spawned.fixed(previews(game.world)))
    assert {game.spawned.file_of(handle) for handle in previews(game.world).tolist()} == {"maps/level.map.yaml"}
    places = [game.read(handle, Transform, "position").tolist() for handle in tops_of(game)]
    shown = [[float(x), float(y)] for x, y in places]
    game.play.start()
    game.play.step()
    game.play.advance(1 / 60)
    level = find(game.world, "level")
    table = game.world.table(Transform)
    run = [table.column("position")[k].tolist() for k in range(len(table)) if table.column("parent")[k] == level]
    assert run == shown
    game.play.stop()
    assert len(previews(game.world)) == 4


def test_a_run_begins_as_if_nothing_had_been_shown(open_map: Open):
    """Random values of what is shown are not drawn from the game's own: a run has those of `rish run`."""
    from rish_core import open_game

    game = open_map()
    app = open_game(game.path, headless=True, warm_up=False)
    app.tick()
    wanted = sorted(app.world[Shape].radius.tolist())
    app.close()
    game.play.start()
    game.play.step()
    game.play.advance(1 / 60)
    assert sorted(game.world[Shape].radius.tolist()) == wanted


def test_what_is_shown_is_no_edit_and_never_saved(open_map: Open, driver: UIDriver):
    """A game that was only looked at is not dirty; after an edit, only the edit is in the text."""
    game = open_map()
    assert not game.dirty
    assert not game.project.dirty
    plan = game.project.plan()
    assert (plan.edits, plan.problems, plan.made_by_code) == ([], [], [])
    game.set([find(game.world, "box")], Transform, "position", (5.0, 6.0))
    driver.shell.games.saving.save()
    text = (game.path / "game.yaml").read_text()
    assert "at: [5, 6]" in text or "position: [5, 6]" in text
    assert text.count("coin") == GAME.count("coin")
    assert text.count("\n") == GAME.count("\n")


def test_edits_of_what_is_shown_do_not_stay(open_map: Open, driver: UIDriver):
    """Fields can't be set; what another way of editing changes is as in the file again, in the same step."""
    game = open_map()
    coin = tops_of(game)[0]
    before = game.read(coin, Transform, "position").tolist()
    game.set([coin], Transform, "position", (500.0, 500.0))
    assert game.read(coin, Transform, "position").tolist() == before
    assert not game.dirty
    with game.edit("Break it"):
        game.world.set(coin, Transform(position=(500, 500)))
        game.world.despawn(tops_of(game)[1])
    assert next(game.read(each, Transform, "position").tolist() for each in tops_of(game)) == before
    assert len(previews(game.world)) == 4


@pytest.mark.parametrize("command", ["edit.delete", "edit.duplicate", "edit.group", "edit.cut", "edit.hide"])
def test_commands_leave_alone_what_is_shown(open_map: Open, driver: UIDriver, command: str):
    """Commands that change entities can't run for what a file spawns, and skip it among others."""
    game = open_map()
    game.selection.set(tops_of(game))
    assert not driver.shell.editor.commands.enabled(command, driver.shell.editor)
    game.selection.set([find(game.world, "box"), *tops_of(game)])
    driver.shell.editor.run(command)
    assert len(previews(game.world)) == 4
    assert game.project.plan().problems == []


def test_a_copy_of_a_map_spawns_its_own(open_map: Open, driver: UIDriver):
    """Duplicating a map copies no coins into the scene, but the copy shows its own; undoing takes both back."""
    game = open_map()
    game.selection.set([find(game.world, "level")])
    driver.shell.editor.run("edit.duplicate")
    assert len(previews(game.world)) == 8
    plan = game.project.plan()
    assert plan.edits[0] == "entity 'level 2' is added"
    assert not plan.problems
    assert not plan.made_by_code
    assert not any("coin" in edit for edit in plan.edits)
    game.undo()
    assert len(previews(game.world)) == 4
    with game.edit("Off"):
        game.set([find(game.world, "level")], TileMap, "spawn", False)
    assert not len(previews(game.world))
    game.undo()
    assert len(tops_of(game)) == 2
    with game.edit("Select"):
        game.selection.set([find(game.world, "box")])
    assert not game.dirty


def test_a_map_that_is_deleted_takes_them_along_and_brings_them_back(open_map: Open, driver: UIDriver):
    """Deleting the map removes what it shows, undoing restores both."""
    game = open_map()
    game.selection.set([find(game.world, "level")])
    driver.shell.editor.run("edit.delete")
    assert not len(previews(game.world))
    assert find(game.world, "glow") is None
    game.undo()
    assert len(tops_of(game)) == 2


def test_a_changed_map_is_shown_anew_and_is_no_edit(open_map: Open, driver: UIDriver):
    """When the map's file changes, its objects follow, and the game stays saved."""
    game = open_map()
    path = game.path / "maps" / "level.map.yaml"
    path.write_text(LEVEL + "  - {class: coin, at: [1, 1]}\n", encoding="utf-8")
    from rish_core import Assets

    game.world[Assets].reload("maps/level.map.yaml")
    driver.step(2)
    assert len(tops_of(game)) == 3
    assert not game.dirty


def test_a_changed_prefab_changes_what_is_shown(open_map: Open, driver: UIDriver):
    """An edit of the prefab's text is an edit; its step also has the new coins."""
    game = open_map()
    with game.edit("Wider"):
        game.project.edit(lambda text: text.of(("prefabs",)).set(("prefabs", "coin", "Shape", "radius"), 30))
    assert {float(game.read(each, Shape, "radius")) for each in tops_of(game)} == {30.0}
    game.undo()
    assert max(float(game.read(each, Shape, "radius")) for each in tops_of(game)) < 10


def test_another_scene_shows_none_and_coming_back_shows_them(open_map: Open, driver: UIDriver):
    """What a map spawns belongs to the scene of the map."""
    game = open_map()
    driver.shell.games.go("other")
    assert game.world[Scenes].current == "other"
    assert not len(previews(game.world))
    driver.shell.games.go("main")
    assert len(tops_of(game)) == 2
    assert not game.dirty


def test_the_inspector_shows_it_locked_with_its_file(open_map: Open, driver: UIDriver):
    """A selected coin is shown with the file that spawns it, and a button that opens the file."""
    game = open_map()
    opened: list[str] = []
    driver.shell.editor.open_outside = lambda thing: opened.append(str(thing))
    game.selection.set([tops_of(game)[0]])
    driver.step(3)
    assert driver.sees("editor.inspector/spawned")
    driver.click("editor.inspector/open_file")
    driver.step(2)
    assert opened
    assert opened[0].endswith("level.map.yaml")
    assert not driver.sees("editor.inspector/add")
    assert game.read(tops_of(game)[0], Name, "value") == "first"
