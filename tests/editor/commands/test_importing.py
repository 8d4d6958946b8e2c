"""Importing files of the computer, and duplicating files, folders and prefabs of the game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import Prefabs
from rish_editor.commands.assets import copying
from rish_editor.commands.assets.copying import Copying
from rish_editor.commands.assets.duplicating import renamed_classes
from rish_editor.testing import RIGHT, UIDriver

Open = Callable[..., Any]
GAME = """rish: 1
game: {title: Import, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
"""
FILES = "editor.assets/files/"


@pytest.fixture
def game(open_text: Open, tmp_path: Path, driver: UIDriver) -> Any:
    """A game with a folder and a picture, whose panel is in front."""
    (tmp_path / "game" / "art").mkdir(parents=True)
    Image.new("RGB", (8, 8), "red").save(tmp_path / "game" / "art" / "hero.png")
    opened = open_text(GAME)
    driver.shell.editor.show("editor.assets")
    driver.step(3)
    return opened


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the computer with files."""
    folder = tmp_path / "outside"
    (folder / "pack" / "deep").mkdir(parents=True)
    for name in ("hero.png", "stone.png", "pack/a.png", "pack/deep/b.png"):
        Image.new("RGB", (4, 4), "blue").save(folder / name)
    (folder / "pack" / ".hidden").write_text("")
    (folder / "notes.xyz").write_text("notes")
    return folder


def drop(driver: UIDriver, *paths: Path | str) -> None:
    """Drop files onto the window, as the system's file manager does."""
    editor = driver.shell.editor
    driver.window.dispatch_event("on_file_drop", 100, 100, [str(path) for path in paths])
    driver.step(3)
    if not any("both" in mark for mark in driver.marks("dialog/")):
        driver.wait(lambda: not editor._later, 5000)
        driver.step(2)


def details(driver: UIDriver) -> list[str]:
    """Return what the open dialogue lists, and close it; empty without one."""
    shown: Any = driver.shell.editor.dialogs.shown  # pyright: ignore[reportAttributeAccessIssue]
    if shown is None:
        return []
    driver.key("Escape")
    driver.step(2)
    return [*shown.details]


def names(game: Any, folder: str = "") -> list[str]:
    """Return the files and folders of a folder of the game."""
    return sorted(each.name for each in (game.path / folder).iterdir() if each.name[0] != ".")


def test_dropped_files_come_into_the_folder_that_is_shown(driver: UIDriver, game: Any, outside: Path) -> None:
    """Several files and a folder with folders are copied, without hidden files; the first is shown and selected."""
    driver.double_click(FILES + "art")
    drop(driver, outside / "stone.png", outside / "pack")
    assert names(game, "art") == ["hero.png", "pack", "stone.png"]
    assert names(game, "art/pack") == ["a.png", "deep"]
    assert names(game, "art/pack/deep") == ["b.png"]
    panel = driver.shell.editor.panels["editor.assets"]
    assert (panel.folder, panel.chosen) == ("art", "art/stone.png")
    assert details(driver) == []


@pytest.mark.parametrize(
    ("answer", "expected", "blue"),
    [("both", ["hero-2.png", "hero.png", "stone.png"], False), ("replace", ["hero.png", "stone.png"], True),
     ("skip", ["hero.png", "stone.png"], False), ("cancel", ["hero.png"], False)],
)  # fmt: skip
def test_files_with_names_that_exist_are_asked_for(
    driver: UIDriver, game: Any, outside: Path, answer: str, expected: list[str], blue: bool
) -> None:
    """Both are kept, the new one replaces the old one, it is left out, or nothing is imported."""
    driver.double_click(FILES + "art")
    drop(driver, outside / "hero.png", outside / "stone.png")
    driver.click(f"dialog/{answer}")
    driver.step(2)
    driver.wait(lambda: not driver.shell.editor._later, 5000)
    assert names(game, "art") == expected
    with Image.open(game.path / "art" / "hero.png") as picture:
        assert (picture.convert("RGB").getpixel((0, 0)) == (0, 0, 255)) == blue


def test_what_can_not_be_imported_is_named(driver: UIDriver, game: Any, outside: Path) -> None:
    """Files of the game, the folder that has it, another game.yaml, pipes and missing files; the others are copied."""
    os.mkfifo(outside / "pipe")
    (outside / "game.yaml").write_text("rish: 1\n")
    manifest = (game.path / "game.yaml").read_text()
    given = [game.path / "art" / "hero.png", game.path.parent, outside / "game.yaml", outside / "pipe", outside / "no"]
    drop(driver, *given, outside / "stone.png", outside / "notes.xyz")
    said = details(driver)
    assert [line.split(":")[0] for line in said] == [*(each.name for each in given), "notes.xyz"]
    assert said[-1] == "notes.xyz: no plugin reads it"
    assert names(game) == ["art", "game.yaml", "notes.xyz", "stone.png"]
    assert (game.path / "game.yaml").read_text() == manifest


def test_a_file_of_another_plugin_names_the_plugin(driver: UIDriver, game: Any, outside: Path) -> None:
    """A sound in a game without sound is copied, and the dialogue offers to switch on the plugin that plays it."""
    pytest.importorskip("rish_audio")
    (outside / "a.ogg").write_bytes(b"OggS")
    drop(driver, outside / "a.ogg")
    shown: Any = driver.shell.editor.dialogs.shown  # pyright: ignore[reportAttributeAccessIssue]
    assert shown.details == ["a.ogg: it needs the plugin audio"]
    driver.click("dialog/switch")
    driver.step(3)
    opened: Any = driver.shell.editor.game
    assert "audio" in opened.app.plugins


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a:b?.png", "a_b_.png"), ("con.png", "_con.png"), ("dot. .png ", "dot. .png"), ("..x", "x"),
     ("e\u0301.png", "é.png")],
)  # fmt: skip
def test_names_that_not_every_system_has_are_changed(
    driver: UIDriver, game: Any, outside: Path, name: str, expected: str
) -> None:
    """A changed name is listed."""
    (outside / name).write_bytes(b"")
    drop(driver, outside / name)
    assert expected in names(game)
    assert any(f"{name} → {expected}" in line for line in details(driver))


def test_links_never_lead_out_or_around(driver: UIDriver, game: Any, outside: Path) -> None:
    """A link to a file is copied as a file, links to folders in a folder are left out, and a game is never copied into
    itself."""
    (outside / "pack" / "loop").symlink_to(outside / "pack")
    (outside / "link.png").symlink_to(outside / "stone.png")
    (outside / "into").symlink_to(game.path / "art")
    drop(driver, outside / "pack", outside / "link.png", outside / "into")
    assert names(game, "pack") == ["a.png", "deep"]
    assert not (game.path / "link.png").is_symlink()
    assert [line.split(":")[0] for line in details(driver)] == ["into"]


def test_a_folder_that_can_not_be_written_is_named(
    driver: UIDriver, game: Any, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file that could not be copied is listed with the reason, and no part of it stays."""

    def refuse(source: Any, target: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    drop(driver, outside / "stone.png")
    assert details(driver) == [f"{outside / 'stone.png'}: Permission denied"]
    assert [each.name for each in game.path.glob("*stone*")] == []
    assert list(game.path.glob(".*.part")) == []


def test_a_long_import_shows_its_progress_and_can_be_cancelled(
    driver: UIDriver, game: Any, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialogue appears while files are copied; Cancel leaves no part of a file."""
    os.mkfifo(outside / "endless")
    target = game.path / "endless"
    job = Copying("Import files", [(outside / "endless", target)])
    monkeypatch.setattr(copying, "_SHOW_AFTER", 0.0)
    ended: list[bool] = []
    job.start(driver.shell.editor, lambda: ended.append(job.cancelled))
    with (outside / "endless").open("wb") as pipe:
        pipe.write(b"x" * 5000)
        pipe.flush()
        driver.wait(lambda: driver.sees("dialog/cancel"))
        driver.step(2)
        driver.click("dialog/cancel")
        driver.step()
    driver.wait(lambda: bool(ended))
    assert ended == [True]
    assert list(game.path.glob("*endless*")) == list(game.path.glob(".*.part")) == []


def test_files_are_chosen_in_a_dialogue(driver: UIDriver, game: Any, outside: Path) -> None:
    """Import… lets the person choose several files, which come into the shown folder."""
    driver.double_click(FILES + "art")
    driver.click("editor.assets/import")
    driver.step(3)
    driver.enter("dialog/path", str(outside))
    for name in ("stone.png", "notes.xyz", "notes.xyz"):
        driver.click(f"dialog/entry:{name}")
    driver.click("dialog/ok")
    driver.step(3)
    driver.wait(lambda: not driver.shell.editor._later, 5000)
    assert names(game, "art") == ["hero.png", "stone.png"]


def test_a_game_is_opened_when_it_is_dropped_without_one(driver: UIDriver, game: Any) -> None:
    """Without an open game, a dropped folder of a game is opened."""
    path = game.path
    driver.shell.editor.close_game()
    driver.step(2)
    drop(driver, path)
    assert driver.shell.editor.game is not None


# Duplicates


def duplicate(driver: UIDriver, mark: str, name: str = "") -> None:
    """Duplicate a file by its menu."""
    driver.click(mark, button=RIGHT)
    driver.click("editor.assets/file/duplicate")
    driver.step(3)
    if name:
        driver.double_click("dialog/name")
        driver.key("Ctrl+A")
        driver.type(name)
    driver.click("dialog/duplicate")
    driver.step(3)
    driver.wait(lambda: not driver.shell.editor._later, 5000)


def test_files_and_folders_are_duplicated_under_another_name(driver: UIDriver, game: Any) -> None:
    """The menu proposes a free name with the same ending; a folder is copied with its files."""
    duplicate(driver, FILES + "art", "pictures")
    assert names(game, "pictures") == ["hero.png"]
    driver.double_click(FILES + "art")
    driver.step(2)
    duplicate(driver, FILES + "art/hero.png")
    assert names(game, "art") == ["hero-2.png", "hero.png"]
    driver.click(FILES + "art/hero.png", button=RIGHT)
    driver.click("editor.assets/file/duplicate")
    driver.step(3)
    for name in ("../x.png", "hero.png", "HERO.png", "a/b.png", "con.png", ""):
        driver.double_click("dialog/name")
        driver.key("Ctrl+A")
        driver.type(name) if name else driver.key("Backspace")
        driver.key("Enter")
        driver.step()
        assert driver.sees("dialog/duplicate"), name


def test_a_prefab_is_duplicated_as_a_step(driver: UIDriver, game: Any) -> None:
    """The copy has another name in the text, and Undo removes it."""
    driver.click("editor.assets/folders/prefabs")
    driver.step(2)
    duplicate(driver, FILES + "crate")
    assert "crate_2" in game.world[Prefabs].names
    driver.key("Ctrl+Z")
    driver.step(2)
    assert "crate_2" not in game.world[Prefabs].names


def test_the_classes_of_duplicated_code_have_other_names() -> None:
    """Two files of scripts never declare one class twice; texts, comments and other names stay."""
    source = (
        "class Door(Script):\n    '''A Door.'''\n    door = 1  # Door\n\n\nclass Key:\n    of: Door = None\n"
        "    def open(self): return f(Door, Ä, 'Door')\n"
    )
    made = renamed_classes(source.encode(), "door", "door_2").decode()
    assert made == (
        "class Door2(Script):\n    '''A Door.'''\n    door = 1  # Door\n\n\nclass Key2:\n    of: Door2 = None\n"
        "    def open(self): return f(Door2, Ä, 'Door')\n"
    )
    assert "class Gate(Script)" in renamed_classes(source.encode(), "door", "gate").decode()
