"""The hierarchy: rows, folding, selection with pointer and keys, search, tags, renaming."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Name, Transform, find, named
from rish_editor.session.commands import Command
from rish_editor.testing import RIGHT, UIDriver

TREE = """rish: 1
game: {title: Tree, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}, children: [{name: lid, Transform: {}, Shape: {}}]}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - name: tank
      tags: [enemy, heavy]
      Transform: {}
      Shape: {}
      children:
        - {name: turret, Transform: {}, Shape: {}, children: [{name: barrel, Transform: {}, Shape: {}}]}
        - {name: track, Transform: {}, Shape: {}}
    - {name: tree, tags: [scenery], Transform: {position: [50, 0]}, Shape: {}}
    - {prefab: crate, name: box, at: [-50, 0]}
    - {Transform: {position: [0, 50]}, Text: {text: hi}}
"""
ROWS = "editor.hierarchy/rows/"


@pytest.fixture
def game(open_text: Callable[..., Any]) -> Any:
    """A game with a tree of entities."""
    return open_text(TREE)


def rows(driver: UIDriver) -> list[str]:
    """Return the names of the rows that are drawn."""
    marks = [mark.removeprefix(ROWS) for mark in driver.marks(ROWS)]
    return [mark for mark in marks if "/" not in mark and mark != "empty"]


def chosen(game: Any) -> list[str]:
    """Return the names of the selected entities."""
    return [game.name_of(handle) for handle in game.selection]


def arrow(driver: UIDriver, name: str, depth: int = 0) -> tuple[float, float]:
    """Return the place of a row's arrow."""
    place = driver.place(ROWS + name)
    return place.left + 14 + 14 * depth, place.center[1]


def type_name(driver: UIDriver, name: str) -> None:
    """Replace the name in the field of a row that has just opened, and press Enter."""
    driver.step()
    driver.key("Ctrl+A")
    driver.type(name)
    driver.key("Enter")
    driver.step()


def test_rows_are_in_the_order_of_the_text_and_folded_at_first(driver: UIDriver, game: Any) -> None:
    """All entities without a parent are rows in the order of the text; children wait behind an arrow."""
    index = int(game.world.table(game.world.kind("Text")).entities[0]) & 0xFFFFFFFF
    assert rows(driver) == ["camera", "tank", "tree", "box", f"Text #{index}"]


def test_an_arrow_shows_the_children_and_hides_them_again(driver: UIDriver, game: Any) -> None:
    """A click on an arrow opens and closes a row without selecting it."""
    driver.click(arrow(driver, "tank"))
    assert rows(driver)[1:4] == ["tank", "turret", "track"]
    driver.click(arrow(driver, "tank"))
    assert rows(driver)[1:3] == ["tank", "tree"]
    assert chosen(game) == []


def test_click_ctrl_and_shift_select_in_display_order(driver: UIDriver, game: Any) -> None:
    """A click selects one row, Ctrl toggles, Shift takes all rows from the last clicked one."""
    driver.click(ROWS + "camera")
    assert chosen(game) == ["camera"]
    driver.click(ROWS + "tree", held="ctrl")
    assert chosen(game) == ["camera", "tree"]
    driver.click(ROWS + "camera", held="ctrl")
    assert chosen(game) == ["tree"]
    driver.click(ROWS + "camera")
    driver.click(ROWS + "box", held="shift")
    assert chosen(game) == ["camera", "tank", "tree", "box"]
    driver.click(ROWS + "tank", held="shift")
    assert chosen(game) == ["camera", "tank"]
    driver.click(ROWS + "box")
    driver.click(ROWS + "camera", held="ctrl")
    driver.click(ROWS + "tank", held="ctrl+shift")
    assert set(chosen(game)) == {"box", "camera", "tank"}


def test_a_selection_is_a_step_that_can_be_undone(driver: UIDriver, game: Any) -> None:
    """Ctrl+Z returns to the selection before."""
    driver.click(ROWS + "camera")
    driver.click(ROWS + "tank")
    driver.key("Ctrl+Z")
    assert chosen(game) == ["camera"]
    driver.key("Ctrl+Y")
    assert chosen(game) == ["tank"]


def test_a_click_below_the_rows_selects_nothing(driver: UIDriver, game: Any) -> None:
    """The empty part of the panel deselects."""
    driver.click(ROWS + "camera")
    driver.click(ROWS + "empty")
    assert chosen(game) == []


def test_arrow_keys_walk_through_the_rows_and_fold(driver: UIDriver, game: Any) -> None:
    """Up, Down, Home, End move; Right opens and enters, Left goes to the parent and closes; Shift extends."""
    driver.click(ROWS + "camera")
    driver.key("Down")
    assert chosen(game) == ["tank"]
    driver.key("Right")
    assert "turret" in rows(driver)
    driver.key("Right")
    assert chosen(game) == ["turret"]
    driver.key("Left")
    assert chosen(game) == ["tank"]
    driver.key("Left")
    assert "turret" not in rows(driver)
    driver.key("Home")
    assert chosen(game) == ["camera"]
    driver.key("Shift+Down")
    driver.key("Shift+Down")
    assert chosen(game) == ["camera", "tank", "tree"]
    driver.key("End")
    assert chosen(game)[0].startswith("#") or chosen(game)[0].startswith("Text")
    driver.key("PageUp")
    assert chosen(game) == ["camera"]


def test_steps_with_keys_are_one_step_of_the_history(driver: UIDriver, game: Any) -> None:
    """Walking with keys makes one step, so one undo leads back to the clicked row."""
    driver.click(ROWS + "camera")
    for _ in range(3):
        driver.key("Down")
    driver.key("Ctrl+Z")
    assert chosen(game) == ["camera"]


def test_typing_a_name_jumps_to_it(driver: UIDriver, game: Any) -> None:
    """The letters of a name select the next row that begins with them, and are no shortcuts while a name is typed."""
    driver.click(ROWS + "camera")
    driver.type("t")
    assert chosen(game) == ["tank"]
    driver.type("r")
    assert chosen(game) == ["tree"]
    tool = driver.shell.editor.view.tool
    driver.key("E")
    assert driver.shell.editor.view.tool == tool


def test_a_letter_that_is_a_shortcut_is_not_typed(driver: UIDriver, game: Any) -> None:
    """The first letter of a shortcut runs it and does not also jump to a name."""
    driver.click(ROWS + "camera")
    window: Any = driver.window
    window.dispatch_event("on_key_press", ord("r"), 0)
    window.dispatch_event("on_text", "r")
    driver.step()
    assert driver.shell.editor.view.tool == "rotate"
    assert not driver.shell.editor.panels["editor.hierarchy"].ahead.active


def test_a_selection_made_elsewhere_is_shown(driver: UIDriver, game: Any) -> None:
    """What is selected in another panel is unfolded in the hierarchy, with all its parents."""
    with game.edit("Select"):
        game.selection.set([named(game.world, "barrel")])
    driver.step(2)
    assert "barrel" in rows(driver)


def test_f2_and_enter_rename_in_the_row(driver: UIDriver, game: Any) -> None:
    """F2 and Enter open a field in the row; Enter takes the name as one step, Escape leaves it."""
    driver.click(ROWS + "tree")
    driver.key("F2")
    driver.step()
    type_name(driver, "oak")
    assert find(game.world, "oak") is not None
    assert find(game.world, "tree") is None
    assert game.history.done[-1].name == "Rename tree"
    driver.key("Ctrl+Z")
    assert find(game.world, "tree") is not None
    driver.click(ROWS + "tree")
    driver.key("Enter")
    driver.step()
    driver.type("nothing")
    driver.key("Escape")
    driver.step()
    assert find(game.world, "tree") is not None


def test_f2_and_ctrl_f_work_from_other_panels(driver: UIDriver, game: Any) -> None:
    """With the keyboard in the scene view, F2 renames in the row and Ctrl+F goes into the search."""
    with game.edit("Select"):
        game.selection.set([named(game.world, "tree")])
    driver.shell.editor.show("editor.scene")
    driver.step(3)
    driver.key("F2")
    driver.step(2)
    type_name(driver, "oak")
    assert find(game.world, "oak") is not None
    driver.shell.editor.show("editor.scene")
    driver.step(3)
    driver.key("Ctrl+F")
    driver.step(3)
    driver.type("tank")
    driver.step()
    assert rows(driver) == ["tank"]


def test_a_taken_name_is_refused_with_a_note(driver: UIDriver, game: Any) -> None:
    """A name that another entity has is not taken; a note says why."""
    driver.click(ROWS + "tree")
    driver.key("F2")
    driver.step()
    type_name(driver, "tank")
    assert find(game.world, "tree") is not None
    assert any("another entity is called 'tank'" in note.text for note in driver.shell.editor.notes)


def test_a_double_click_shows_the_entity_in_the_scene_view(driver: UIDriver, game: Any) -> None:
    """A double-click selects the row and runs the command that frames it."""
    ran: list[str] = []
    editor = driver.shell.editor
    frame = Command("view.frame", "Frame", lambda _: ran.append("view.frame"))
    editor.use_commands([*(each for each in editor.commands if each.id != frame.id), frame])
    driver.double_click(ROWS + "tree")
    assert chosen(game) == ["tree"]
    assert ran == ["view.frame"]


SEARCHES = {
    "rack": ["tank", "track"],
    "TREE": ["tree"],
    "tag:enemy": ["tank"],
    "tag:en": ["tank"],
    "has:Camera": ["camera"],
    "has:text": ["Text"],
    "t -tag:enemy -has:Text -tree -turret -track -barrel": [],
    "tag:scenery has:shape": ["tree"],
    "prefab:cra": ["box"],
    "nonsense": [],
}


def test_search_shows_what_fits_with_its_ancestors(driver: UIDriver, game: Any) -> None:
    """Words, tag:, has: and - are combined; ancestors of what fits are shown too."""
    driver.click("editor.hierarchy/search")
    for text, found in SEARCHES.items():
        driver.key("Ctrl+A")
        driver.type(text)
        driver.step()
        assert [row.split(" #")[0] for row in rows(driver)] == found, text


def test_what_has_no_name_is_found_by_its_prefab(driver: UIDriver, game: Any) -> None:
    """A use of a prefab without a name of its own is shown with the prefab's name, and is found by it."""
    driver.shell.editor.panels["editor.hierarchy"].tree.search.text = "crat"
    game.world.remove(named(game.world, "box"), Name)
    driver.step(2)
    assert [row.split(" #")[0] for row in rows(driver)] == ["crate"]


def test_search_by_number_enter_and_escape(driver: UIDriver, game: Any) -> None:
    """#12 finds an entity by its number; Enter selects what is found, Escape shows all again."""
    number = named(game.world, "barrel") & 0xFFFFFFFF
    driver.click("editor.hierarchy/search")
    driver.type(f"#{number}")
    driver.step()
    assert rows(driver) == ["tank", "turret", "barrel"]
    driver.key("Enter")
    driver.step()
    assert chosen(game) == ["barrel"]
    driver.click("editor.hierarchy/search")
    driver.key("Escape")
    driver.step(2)
    assert "camera" in rows(driver)


def test_escape_clears_the_search_before_it_deselects(driver: UIDriver, game: Any) -> None:
    """With the keyboard in the rows, the first Escape ends the search, the second one deselects."""
    driver.click("editor.hierarchy/search")
    driver.type("tank")
    driver.click(ROWS + "tank")
    driver.key("Escape")
    driver.step()
    assert "camera" in rows(driver)
    assert chosen(game) == ["tank"]
    driver.key("Escape")
    assert chosen(game) == []


def test_the_other_mode_groups_entities_by_tag(driver: UIDriver, game: Any) -> None:
    """By tag, each tag is a heading with its entities, those without tags are last; a click selects all of a tag."""
    driver.click("editor.hierarchy/mode")
    driver.step()
    assert rows(driver) == ["tag:enemy", "tag:heavy", "tag:scenery", "tag:"]
    place = driver.place(ROWS + "tag:enemy")
    driver.click((place.left + 14, place.center[1]))
    driver.step()
    assert [row.partition(":")[2] for row in rows(driver)][:3] == ["enemy", "tank", "heavy"]
    driver.click(ROWS + "tag:enemy")
    assert chosen(game) == ["tank"]


def test_by_tag_the_selection_of_another_panel_is_shown_too(driver: UIDriver, game: Any) -> None:
    """In the other mode a selected entity is shown below its first tag, and can be renamed there."""
    driver.click("editor.hierarchy/mode")
    with game.edit("Select"):
        game.selection.set([named(game.world, "tank")])
    driver.step(2)
    assert any(row.endswith(":tank") for row in rows(driver))
    driver.shell.editor.run("edit.rename")
    driver.step(2)
    type_name(driver, "lorry")
    assert find(game.world, "lorry") is not None


def test_renaming_what_the_search_hides_ends_the_search(driver: UIDriver, game: Any) -> None:
    """F2 shows the row of the selected entity, whatever was searched for."""
    driver.click(ROWS + "tree")
    driver.click("editor.hierarchy/search")
    driver.type("tank")
    driver.click("editor.hierarchy/scene")
    with game.edit("Select"):
        game.selection.set([named(game.world, "tree")])
    driver.key("F2")
    driver.step()
    type_name(driver, "oak")
    assert find(game.world, "oak") is not None


def test_the_eye_hides_an_entity_with_all_below_it(driver: UIDriver, game: Any) -> None:
    """The eye at the end of a row hides and shows what is drawn of an entity and of those below it, as one step."""
    shape = game.world.kind("Shape")

    def visible(name: str) -> bool:
        return bool(game.world.get(named(game.world, name), shape).visible)

    driver.move(ROWS + "tank")
    driver.step()
    driver.click(ROWS + "tank/eye")
    driver.step()
    assert not visible("tank")
    assert not visible("barrel")
    assert visible("tree")
    driver.key("Ctrl+Z")
    assert visible("tank")
    assert visible("barrel")


def test_the_lock_is_kept_and_shown(driver: UIDriver, game: Any) -> None:
    """The lock of a row marks the entity for scene views, and stays in sight."""
    driver.move(ROWS + "tree")
    driver.step()
    driver.click(ROWS + "tree/lock")
    assert game.locked == {named(game.world, "tree")}
    driver.move((640, 400))
    assert driver.sees(ROWS + "tree/lock")


def test_the_heading_shows_scene_and_unsaved_edits(driver: UIDriver, game: Any) -> None:
    """The heading has a mark as soon as there are edits."""
    assert driver.sees("editor.hierarchy/scene")
    assert not driver.sees("editor.hierarchy/unsaved")
    with game.edit("Move"):
        game.world.set(named(game.world, "tree"), Transform(position=(1, 2)))
    driver.step()
    assert driver.sees("editor.hierarchy/unsaved")


def test_new_and_removed_entities_are_shown_at_once(driver: UIDriver, game: Any) -> None:
    """Rows follow the World, also after an undo."""
    with game.edit("Create"):
        game.world.spawn(Name(value="new"), Transform)
    driver.step()
    assert "new" in rows(driver)
    driver.key("Ctrl+Z")
    assert "new" not in rows(driver)


def test_the_panel_follows_the_running_game(driver: UIDriver, game: Any) -> None:
    """While the game plays, rows of entities that are gone disappear, and Stop brings all back."""
    driver.key("F5")
    game.world.despawn(named(game.world, "tree"))
    driver.step(3)
    driver.wait(lambda: "tree" not in rows(driver))
    driver.key("F8")
    driver.step(2)
    assert "tree" in rows(driver)


def test_a_right_click_selects_the_row_and_opens_its_menu(driver: UIDriver, game: Any) -> None:
    """The context menu is for the clicked row, or for the selection if the row is part of it."""
    driver.click(ROWS + "tree", button=RIGHT)
    assert chosen(game) == ["tree"]
    assert driver.sees("editor.hierarchy/entities/edit.delete")
    driver.click("editor.hierarchy/entities/edit.delete")
    driver.step()
    assert find(game.world, "tree") is None


def test_a_long_name_ends_in_dots_before_the_buttons(driver: UIDriver, game: Any) -> None:
    """A name that is too long is cut where the panel or the buttons of the row begin, and said in full beside it."""
    name = "a very long name of an entity that no panel is wide enough for"
    with game.edit("Create"):
        game.world.spawn(Name(value=name), Transform)
    driver.move((640, 400))
    driver.step(2)
    row = driver.place(ROWS + name)
    edge = slice(int(row.top) + 3, int(row.bottom) - 3), slice(int(row.right) - 5, int(row.right))
    assert driver.picture()[edge].std(axis=(0, 1)).max() == 0  # the text ends before the edge
    driver.move((row.left + 60, row.center[1]))
    driver.step(40)
    below = slice(int(row.bottom) + 4, int(row.bottom) + 60), slice(int(row.right), int(row.right) + 60)
    assert driver.picture()[below].std(axis=(0, 1)).max() > 5  # the tooltip is wider than the panel
