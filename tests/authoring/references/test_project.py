"""Renaming and deleting files of an edited game: unsaved edits, the World and loaded files follow, and undo works."""

from __future__ import annotations

from pathlib import Path

import pytest

from renamed_files import contents
from rish_authoring import AssetFiles, History, Project, mark_authored, plan_delete, rename_prefab
from rish_core import Assets, Name, Transform, UsageError, find
from rish_render import Sprite


def image(project: Project, name: str) -> str:
    """Return the picture of an entity."""
    found = find(project.app.world, name)
    assert found is not None
    return str(project.app.world.get(found, Sprite).image)


def test_world_and_unsaved_text_follow_and_undo_brings_all_back(
    project: Project, history: History, files: AssetFiles, root: Path
) -> None:
    """Entities that are not saved yet show the picture under its new name; one undo restores files, text and World."""
    world = project.app.world
    before = contents(root)
    with history.group("Add"):
        world.spawn(Name(value="new"), Transform(), Sprite(image="images/hero.png"))
        project.edit(lambda text: rename_prefab(text, "crate", "box"))
    edited, hash_ = dict(project.text.plain), world.hash()
    assert world[Assets].load("images/hero.png") is not None
    with history.group("Rename"):
        files.move(files.plan("images/hero.png", "art/hero.png"))
    assert (image(project, "hero"), image(project, "new")) == ("art/hero.png", "art/hero.png")
    assert project.changed_outside() == []
    assert b"art/hero.png" in contents(root)["game.yaml"]
    assert b"crate" in contents(root)["parts/more.yaml"]  # what is not saved stays so
    assert all("images/hero.png" not in text.replace("text: images", "") for text in project.text.plain.values())
    history.undo()
    assert contents(root) == before
    assert (project.text.plain, world.hash()) == (edited, hash_)
    history.redo()
    assert image(project, "new") == "art/hero.png"
    project.save()
    assert b"box: {" in contents(root)["parts/more.yaml"]


def test_an_included_file_that_is_renamed_stays_part_of_the_manifest(
    project: Project, history: History, files: AssetFiles, root: Path
) -> None:
    """Edits of its sections go to the file under its new name, also after undo and redo."""
    with history.group("Rename"):
        files.move(files.plan("parts", "inner"))
    assert {path.relative_to(root).as_posix() for path in project.text.texts} == {"game.yaml", "inner/more.yaml"}
    history.undo()
    assert {path.relative_to(root).as_posix() for path in project.text.texts} == {"game.yaml", "parts/more.yaml"}
    history.redo()
    project.edit(lambda text: rename_prefab(text, "crate", "box"))
    assert [path.relative_to(root).as_posix() for path in project.save()] == ["game.yaml", "inner/more.yaml"]


def test_a_deleted_file_is_in_the_trash_and_comes_back(
    project: Project, history: History, files: AssetFiles, root: Path, tmp_path_factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is moved into the trash of the system, with where it was; undo takes it out of there."""
    trash = tmp_path_factory.mktemp("data") / "Trash"
    monkeypatch.setenv("XDG_DATA_HOME", str(trash.parent))
    before = contents(root)
    for _ in range(2):
        with history.group("Delete"):
            files.delete("images/hero.png")
        assert not (root / "images/hero.png").exists()
        assert (trash / "files/hero.png").is_file()
        assert f"Path={root}/images/hero.png" in (trash / "info/hero.png.trashinfo").read_text()
        history.undo()
        assert contents(root) == before
        assert not list(trash.rglob("*.*"))


def test_without_a_trash_files_go_into_a_folder_of_the_game(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without a known trash, deleted files are below `.rish/trash`, which Git ignores; none is replaced."""
    monkeypatch.setattr("sys.platform", "win32")
    for _ in range(2):
        (root / "images/hero.png").write_bytes(b"x")
        plan_delete(root, "images/hero.png").apply()
    found = sorted(path.name for path in (root / ".rish/trash").rglob("*.png"))
    assert found == ["hero 2.png", "hero.png"]
    assert (root / ".rish/.gitignore").read_text() == "*\n"
    with pytest.raises(UsageError, match="the game itself"):
        plan_delete(root, "game.yaml")


def test_undo_after_other_edits_and_saving_takes_back_the_name_only(
    project: Project, history: History, files: AssetFiles, root: Path
) -> None:
    """What was saved since the rename, or written by another program, stays; redo gives the new name again."""
    hero = find(project.app.world, "hero")
    with history.group("Rename"):
        files.move(files.plan("images/hero.png", "art/hero.png"))
    with history.group("Move"):
        project.app.world.set(hero, Transform(position=(5, 6)))
    project.save()
    (root / "paths.py").write_text("HERO = 'art/hero.png'  # mine")
    history.undo()
    history.undo()
    text = (root / "game.yaml").read_text()
    assert "image: images/hero.png" in text
    assert "art/hero.png" not in text
    assert "position: [5, 6]" in text
    assert (root / "paths.py").read_text() == "HERO = 'images/hero.png'  # mine"
    assert "[5, 6]" not in project.text.plain[root / "game.yaml"] or project.dirty
    history.redo()
    assert image(project, "hero") == "art/hero.png"
    assert (root / "paths.py").read_text() == "HERO = 'art/hero.png'  # mine"
    assert project.changed_outside() == []


def test_a_name_that_is_taken_meanwhile_can_not_be_given_back(
    project: Project, history: History, files: AssetFiles, root: Path
) -> None:
    """If another file has the old name now, undo is refused before anything happens."""
    with history.group("Rename"):
        files.move(files.plan("images/hero.png", "art/hero.png"))
    (root / "images/hero.png").write_bytes(b"mine")
    with pytest.raises(UsageError, match="exists already"):
        project.files.require(history.done[-1].followed["renamed"][0])


def test_parts_of_the_manifest_and_the_code_stay(files: AssetFiles, root: Path) -> None:
    """An included file can't be deleted, nor the folder that contains it; the code of a game can't be renamed."""
    before = contents(root)
    for name in ("parts/more.yaml", "parts", "game.yaml"):
        with pytest.raises(UsageError, match="manifest"):
            files.delete(name)
    (root / "plugin.py").write_text("")
    with pytest.raises(UsageError, match="found by this name"):
        files.plan("plugin.py", "code.py")
    (root / "plugin.py").unlink()
    assert contents(root) == before


def test_uses_in_unsaved_edits_are_listed(project: Project, files: AssetFiles) -> None:
    """An entity that is not saved yet is a use, at the line that it would have."""
    world = project.app.world
    mark_authored(world, world.spawn(Name(value="new"), Transform(), Sprite(image="images/spark.png")))
    assert not [use for use in files.uses("images/spark.png") if use.file == "game.yaml"]
    [new] = [use for use in files.uses("images/spark.png", unsaved=True) if use.file == "game.yaml"]
    assert new.line > 20


def test_uses_are_listed_with_their_places(files: AssetFiles) -> None:
    """All files that name a picture are listed by file and line, with those that may be equal by chance."""
    found = {use.place for use in files.uses("images/hero.png")}
    assert found == {
        *("game.yaml:7", "game.yaml:15", "game.yaml:18", "game.yaml:21", "game.yaml:22", "data/list.json:1"),
        *("images/hero.json:1", "paths.py:2", "paths.py:3", "paths.py:4", "paths.py:8"),
    }
