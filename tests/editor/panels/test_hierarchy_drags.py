"""The hierarchy: dragging rows, and dropping assets and prefabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_authoring import tree_order
from rish_core import Transform, find, named
from rish_editor.testing import RIGHT, UIDriver

GAME = """rish: 1
game: {title: Drags, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {position: [10, 20], rotation: 30deg}, Shape: {}}
    - {name: green, Transform: {position: [50, 0], scale: [2, 2]}, Shape: {}, children: [{name: leaf, Transform: {}}]}
    - {name: blue, Transform: {position: [-50, 0]}, Shape: {}}
"""
ROWS = "editor.hierarchy/rows/"


@pytest.fixture
def game(open_text: Callable[..., Any]) -> Any:
    """A game with a few entities."""
    return open_text(GAME)


def names(game: Any, parent: str = "") -> list[str]:
    """Return the names of the children of an entity in their order."""
    above = named(game.world, parent) if parent else 0
    return [game.name_of(handle) for handle in tree_order(game.app).children(above).tolist()]


def edge(driver: UIDriver, name: str, part: float) -> tuple[float, float]:
    """Return a point of a row, a part of its height from the top."""
    place = driver.place(ROWS + name)
    return place.center[0], place.top + part * place.size[1]


def matrix(game: Any, name: str) -> Any:
    """Return the matrix of an entity in the world."""
    from rish_core import world_matrices

    table = game.world.table(Transform)
    return np.array(world_matrices(game.world)[table.row_of(named(game.world, name))])


def test_a_row_on_another_becomes_its_child_and_stays_in_its_place(driver: UIDriver, game: Any) -> None:
    """Dropping a row onto another one re-parents it as one step; its pose in the world stays."""
    before = matrix(game, "red")
    driver.drag(ROWS + "red", ROWS + "green")
    assert names(game, "green") == ["leaf", "red"]
    assert np.allclose(matrix(game, "red"), before, atol=1e-4)
    assert game.history.done[-1].name == "Move red"
    driver.key("Ctrl+Z")
    assert names(game) == ["camera", "red", "green", "blue"]


def test_a_row_between_others_takes_that_place(driver: UIDriver, game: Any) -> None:
    """Dropping between rows re-orders; the insertion line is at the upper and lower edge of a row."""
    driver.drag(ROWS + "blue", edge(driver, "red", 0.1))
    assert names(game) == ["camera", "blue", "red", "green"]
    driver.drag(ROWS + "camera", edge(driver, "green", 0.95))
    assert names(game) == ["blue", "red", "green", "camera"]


def test_below_an_open_row_is_before_its_first_child(driver: UIDriver, game: Any) -> None:
    """The lower edge of an open row is the place of its first child."""
    place = driver.place(ROWS + "green")
    driver.click((place.left + 14, place.center[1]))
    driver.drag(ROWS + "blue", edge(driver, "green", 0.95))
    assert names(game, "green") == ["blue", "leaf"]


def test_several_rows_move_together_in_their_order(driver: UIDriver, game: Any) -> None:
    """A drag of a selected row moves the whole selection."""
    driver.click(ROWS + "blue")
    driver.click(ROWS + "red", held="ctrl")
    driver.drag(ROWS + "red", ROWS + "green")
    assert names(game, "green") == ["leaf", "red", "blue"]
    assert game.history.done[-1].name == "Move 2 Entities"


def test_a_drag_of_another_row_keeps_the_selection_until_it_is_dropped(driver: UIDriver, game: Any) -> None:
    """Pressing a row to drag it does not select it, so that it can be dropped onto a field of the inspector."""
    driver.click(ROWS + "camera")
    driver.move(ROWS + "blue")
    driver.press()
    driver.move((700, 300))
    driver.step(2)
    assert game.name_of(game.selection.primary) == "camera"
    driver.release()
    assert names(game) == ["camera", "red", "green", "blue"]


def test_ctrl_copies_instead_of_moving(driver: UIDriver, game: Any) -> None:
    """With Ctrl a copy is put at the target; the original stays."""
    driver.drag(ROWS + "red", ROWS + "green", held="ctrl")
    assert names(game, "green") == ["leaf", "red 2"]
    assert "red" in names(game)


def test_an_entity_can_not_be_put_below_itself(driver: UIDriver, game: Any) -> None:
    """A cycle is refused with a note; nothing changes."""
    place = driver.place(ROWS + "green")
    driver.click((place.left + 14, place.center[1]))
    before = game.world.hash()
    driver.drag(ROWS + "green", ROWS + "leaf")
    assert game.world.hash() == before
    assert any("below itself" in note.text for note in driver.shell.editor.notes)


def test_the_empty_part_takes_rows_out_of_the_tree(driver: UIDriver, game: Any) -> None:
    """Dropping below all rows removes the parent."""
    place = driver.place(ROWS + "green")
    driver.click((place.left + 14, place.center[1]))
    driver.drag(ROWS + "leaf", ROWS + "empty")
    assert names(game) == ["camera", "red", "green", "blue", "leaf"]


def test_the_menu_creates_children_of_a_row_and_free_entities(driver: UIDriver, game: Any) -> None:
    """Created from a row's menu, an entity is a child; from the empty part, it stands in the middle of the view."""
    driver.click(ROWS + "green", button=RIGHT)
    driver.click("editor.hierarchy/entities/create")
    driver.step(2)
    driver.click("editor.hierarchy/entities/create/box")
    driver.step(3)
    assert names(game, "green") == ["leaf", "Box"]
    assert [game.name_of(each) for each in game.selection] == ["Box"]
    assert driver.sees(ROWS + "Box")
    driver.click(ROWS + "empty", button=RIGHT)
    driver.click("editor.hierarchy/entities/prefabs")
    driver.step(2)
    driver.click("editor.hierarchy/entities/prefabs/prefab:crate")
    driver.step(3)
    made = named(game.world, "crate")
    camera = driver.shell.editor.panels["editor.scene"].views["2d"].camera
    assert np.allclose(game.world.get(made, Transform).position, np.round(camera.center))
    driver.key("Ctrl+Z")
    assert find(game.world, "crate") is None
