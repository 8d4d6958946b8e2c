"""The panel of files: folders, search, prefabs, dragging into the scene, renaming and deleting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import Transform, find, named
from rish_editor.panels.assets.files import Files, kind_of_file
from rish_editor.testing import RIGHT, UIDriver

GAME = """rish: 1
game: {title: Files, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: hero, Transform: {position: [10, 0]}, Sprite: {image: art/hero.png}}
"""
FILES = "editor.assets/files/"


@pytest.fixture
def game(open_text: Callable[..., Any], tmp_path: Path, driver: UIDriver) -> Any:
    """A game with a few files, whose panel is in front."""
    folder = tmp_path / "game"
    (folder / "art" / "deep").mkdir(parents=True)
    for name in ("art/hero.png", "art/deep/stone.png"):
        Image.new("RGB", (8, 8), "red").save(folder / name)
    (folder / "notes.txt").write_text("notes")
    (folder / ".hidden").write_text("")
    opened = open_text(GAME)
    driver.shell.editor.show("editor.assets")
    driver.step(3)
    return opened


def shown(driver: UIDriver) -> list[str]:
    """Return the files that the panel shows."""
    return [mark.removeprefix(FILES) for mark in driver.marks(FILES) if mark != FILES + "empty"]


def test_files_are_listed_with_folders_first_and_without_hidden_ones(driver: UIDriver, game: Any) -> None:
    """The panel shows the content of the game's folder."""
    assert shown(driver) == ["art", "game.yaml", "notes.txt"]


def test_a_double_click_goes_into_a_folder_and_up_leads_back(driver: UIDriver, game: Any) -> None:
    """Folders open by a double-click on their tile, by a click in the tree, and close with Up."""
    driver.double_click(FILES + "art")
    driver.step()
    assert shown(driver) == ["art/deep", "art/hero.png"]
    driver.click("editor.assets/up")
    driver.step()
    assert "notes.txt" in shown(driver)
    driver.click("editor.assets/folders/art")
    driver.step()
    assert shown(driver) == ["art/deep", "art/hero.png"]


def test_search_looks_into_all_folders(driver: UIDriver, game: Any) -> None:
    """A word finds files anywhere in the game."""
    driver.click("editor.assets/search")
    driver.type("STONE")
    driver.step()
    assert shown(driver) == ["art/deep/stone.png"]


def test_tiles_and_list_show_the_same(driver: UIDriver, game: Any) -> None:
    """The button for the form switches between tiles and rows, and the choice is kept."""
    before = shown(driver)
    driver.click("editor.assets/form")
    driver.step()
    assert shown(driver) == before
    assert driver.shell.editor.panels["editor.assets"].save()["tiles"] is False


def test_new_files_appear_by_themselves(tmp_path: Path) -> None:
    """A folder is read again when it has changed, and not more often than once a second."""
    now = [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rish_editor.panels.assets.files.time.monotonic", lambda: now[0])
        files = Files(tmp_path)
        assert files.items() == []
        (tmp_path / "a.png").write_bytes(b"")
        assert files.items() == []
        now[0] = 1.5
        assert [item.name for item in files.items()] == ["a.png"]
    assert Files(tmp_path / "missing").items() == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.PNG", "image"), ("b.particles.yaml", "emitter"), ("c.map.yaml", "tilemap"), ("d.yaml", "settings"),
     ("e.py", "script"), ("f", "file"), ("g.ogg", "sound")],
)  # fmt: skip
def test_the_kind_of_a_file_is_in_its_name(name: str, kind: str) -> None:
    """Endings say what a file is, the longest one first."""
    assert kind_of_file(name) == kind


@pytest.mark.slow
def test_a_picture_dropped_into_the_hierarchy_becomes_a_sprite(driver: UIDriver, game: Any) -> None:
    """Dropping a picture onto a row creates a sprite below it, selected, in one step."""
    driver.double_click(FILES + "art")
    driver.step()
    steps = len(game.history.done)
    driver.drag(FILES + "art/hero.png", "editor.hierarchy/rows/hero")
    driver.step()
    made = named(game.world, "hero 2")
    assert game.world.get(made, game.world.kind("Sprite")).image == "art/hero.png"
    assert game.world.get(made, Transform).parent == named(game.world, "hero")
    assert game.selection.handles == [made]
    assert len(game.history.done) == steps + 1


def test_a_file_that_is_nothing_to_see_is_refused_with_a_note(driver: UIDriver, game: Any) -> None:
    """Dropping a text file says what can be dropped."""
    driver.drag(FILES + "notes.txt", "editor.hierarchy/rows/hero")
    driver.step()
    assert not game.history.done
    assert any("notes.txt" in note.text for note in driver.shell.editor.notes)


def test_prefabs_are_a_folder_and_can_be_dropped_between_rows(driver: UIDriver, game: Any) -> None:
    """The manifest's prefabs are listed; dropped between rows one is spawned there, in one step."""
    driver.click("editor.assets/folders/prefabs")
    driver.step()
    assert shown(driver) == ["crate"]
    place = driver.place("editor.hierarchy/rows/hero")
    driver.drag(FILES + "crate", (place.center[0], place.top + 2))
    driver.step()
    from rish_authoring import tree_order

    assert [game.name_of(each) for each in tree_order(game.app).handles.tolist()] == ["camera", "crate", "hero"]
    driver.key("Ctrl+Z")
    assert find(game.world, "crate") is None


def test_copy_path_is_as_manifests_write_it(driver: UIDriver, game: Any) -> None:
    """The copied path is relative to the game, with slashes."""
    driver.double_click(FILES + "art")
    driver.step()
    driver.click(FILES + "art/hero.png", button=RIGHT)
    driver.click("editor.assets/file/copy")
    assert driver.shell.editor.clipboard() == "art/hero.png"


def test_a_double_click_opens_a_text_but_not_a_picture(driver: UIDriver, game: Any) -> None:
    """Texts open in the person's program; a picture is not opened."""
    opened: list[Any] = []
    driver.shell.editor.open_source = lambda path, line=0: opened.append(Path(path).name)  # pyright: ignore[reportAttributeAccessIssue]
    driver.double_click(FILES + "notes.txt")
    driver.double_click(FILES + "art")
    driver.step()
    driver.double_click(FILES + "art/hero.png")
    driver.step()
    assert opened == ["notes.txt"]


def test_new_assets_begin_in_the_menu_and_are_written_into_its_folder(driver: UIDriver, game: Any) -> None:
    """The menu of a folder opens the form, and the new file is in this folder."""
    driver.click(FILES + "art", button=RIGHT)
    driver.click("editor.assets/file/new")
    driver.step(3)
    driver.click("dialog/kind:editor.folder")
    driver.step(2)
    driver.click("dialog/create")
    driver.step(3)
    assert (game.path / "art" / "folder").is_dir()
    assert shown(driver) == ["art/deep", "art/folder", "art/hero.png"]
