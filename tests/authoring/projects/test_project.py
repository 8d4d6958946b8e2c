"""A game whose scenes are edited in memory."""

from __future__ import annotations

import os

import pytest
from shapes import shown

from rish_authoring import History, Project, duplicate, mark_authored, tree_order
from rish_core import ManifestError, Name, Transform, UnknownName, UsageError, find, open_game

TEXT = """\
# two scenes
rish: 1
game: {title: Old}
prefabs:
  crate: {Transform: {}, tags: [solid]}
scenes:
  main:
    # here
    - {name: a, prefab: crate, at: [1, 2]}
  other:
    - {name: b, Transform: {}}   # there
"""


@pytest.fixture
def project(opened):
    """Return a project of the text."""
    return Project(opened(TEXT))


def test_edits_of_all_scenes_are_kept_in_memory_and_saved_together(project, tmp_path):
    """Opening another scene writes nothing; coming back shows the edits; saving writes those of all scenes."""
    world = project.app.world
    world.set(find(world, "a"), Transform(position=(5, 5)))
    assert project.dirty
    project.go("other")
    assert (project.scene, find(world, "a")) == ("other", None)
    mark_authored(world, world.spawn(Name(value="c"), Transform()))
    assert (tmp_path / "game.yaml").read_text() == TEXT
    project.go("main")
    assert tuple(world.get(find(world, "a"), Transform).position) == (5, 5)
    duplicate(project.app, [find(world, "a")])
    project.save()
    expected = TEXT.replace("at: [1, 2]}", "at: [5, 5]}\n    - {prefab: crate, name: a 2, at: [5, 5]}")
    expected += "    - {name: c, Transform: {}}\n"
    assert (tmp_path / "game.yaml").read_text() == expected
    assert not project.dirty


def test_scenes_can_be_saved_again_and_again(project, opened):
    """Each saving writes the World as it is; entities that were saved before are not written twice."""
    world = project.app.world
    for _ in range(3):
        duplicate(project.app, [find(world, "a")])
        project.save()
        assert shown(opened()) == shown(project.app)
    for handle in tree_order(project.app).handles.tolist()[1:]:
        world.despawn(handle)
    project.save()
    assert project.text.main.read_text() == TEXT


def test_a_change_of_scene_and_edits_of_the_text_are_undone(project):
    """Undo restores the World and the text from before; what is saved then is the file as it was."""
    app = project.app
    history, first = History(app.world), app.world.hash()
    project.follow(history)
    with history.group("Move"):
        app.world.set(find(app.world, "a"), Transform(position=(9, 9)))
    with history.group("Open the other scene"):
        project.go("other")
    with history.group("Change a prefab"):
        project.edit(lambda text: text.of(("prefabs",)).set(("prefabs", "crate", "tags"), ["soft"]))
    last = app.world.hash()
    assert len(history.done) == 3
    while history.undo():
        pass
    assert app.world.hash() == first
    assert not project.dirty
    while history.redo():
        pass
    assert app.world.hash() == last
    project.go("main")
    assert app.world.get(find(app.world, "a"), app.world.kind("Tags")).values == ("soft",)


def test_edits_of_the_text_are_applied_to_the_running_scene(project):
    """A changed prefab changes its entities, also those that are edited; the edits stay."""
    app = project.app
    duplicate(app, [find(app.world, "a")])
    assert project.edit(lambda text: text.of(("prefabs",)).put(("prefabs", "crate", "group"), "boxes")) == []
    assert app.world.get(find(app.world, "a"), app.world.kind("Group")).value == "boxes"
    assert find(app.world, "a 2") is not None
    said = project.edit(lambda text: text.of(("game",)).set(("game", "title"), "New"))
    assert said == ["title takes effect when the game is opened again"]


def test_wrong_edits_change_nothing(project):
    """A text with mistakes, an unknown scene and a World that is no text are refused; text and World stay."""
    app = project.app
    first, text = app.world.hash(), project.text.plain
    with pytest.raises(ManifestError, match="Nothing"):
        project.edit(lambda text: text.of(("prefabs",)).insert(("prefabs", "wrong"), {"Nothing": {}}))
    with pytest.raises(UnknownName):
        project.go("mian")
    assert (app.world.hash(), project.text.plain) == (first, text)
    app.world.table(Transform).column("rotation")[0] = float("nan")
    changed = app.world.hash()
    with pytest.raises(UsageError, match="not everything"):
        project.go("other")
    with pytest.raises(UsageError, match="not everything"):
        project.save()
    assert (app.world.hash(), project.text.plain, project.scene) == (changed, text, "main")


def test_files_that_others_change_are_noticed(project, tmp_path):
    """Saving refuses to overwrite them; reload takes them over, and drops unsaved edits only if it is asked to."""
    world, path = project.app.world, tmp_path / "game.yaml"
    assert project.changed_outside() == []
    os.utime(path, (1, 1))
    assert project.changed_outside() == []
    path.write_text(TEXT.replace("[1, 2]", "[3, 3]"))
    assert project.changed_outside() == [path.resolve()]
    world.set(find(world, "a"), Transform(rotation=1))
    with pytest.raises(UsageError, match="changed by another program"):
        project.save()
    with pytest.raises(UsageError, match="unsaved edits"):
        project.reload()
    assert project.reload(discard=True) == []
    assert tuple(world.get(find(world, "a"), Transform).position) == (3, 3)
    assert project.changed_outside() == []
    assert not project.dirty


def test_a_full_disk_loses_nothing(project, tmp_path):
    """An error while writing names the file; the file is as before, the edits are in memory and can be saved later."""
    world = project.app.world
    world.set(find(world, "a"), Transform(position=(5, 5)))

    def full(path, data):
        raise OSError(28, "No space left on device")

    with pytest.raises(UsageError, match=r"game\.yaml can't be written: No space left"):
        project.save(write=full)
    assert (tmp_path / "game.yaml").read_text() == TEXT
    assert project.dirty
    project.save()
    with open_game(tmp_path, headless=True) as app:
        assert tuple(app.world.get(find(app.world, "a"), Transform).position) == (5, 5)
