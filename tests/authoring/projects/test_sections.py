"""Edits of the sections of a manifest, and new games."""

from __future__ import annotations

import pytest

from rish_authoring import (
    TEMPLATES,
    GameText,
    add_layer,
    add_plugin,
    add_scene,
    delete_prefab,
    delete_scene,
    move_layer,
    new_game,
    remove_layer,
    remove_plugin,
    rename_prefab,
    rename_scene,
    save_plan,
    set_first_scene,
    set_setting,
    set_size,
    set_title,
)
from rish_core import UnknownName, UsageError, open_game, read_manifest

TEXT = """\
# mine
rish: 1
game:
  title: Old   # shown
plugins: [physics, render]
layers:
  - back   # far
  - {hud: {space: screen}}
prefabs:
  box: {Transform: {}}   # plain
  big: {prefab: box}
scene: main
scenes:
  # the first
  main:
    - {prefab: box}
    - {name: x, Transform: {}, children: [{prefab: box}]}
  more: [{prefab: big}]
"""


@pytest.fixture
def text(tmp_path):
    """Return the text of a game."""
    (tmp_path / "game.yaml").write_text(TEXT)
    return GameText(read_manifest(tmp_path))


EDITS = [
    (lambda t: set_title(t, "New"), [("title: Old", "title: New")]),
    (lambda t: set_size(t, 320, 200), [("# shown\n", "# shown\n  size: [320, 200]\n")]),
    (lambda t: add_plugin(t, "audio? >=0.2"), [("render]", 'render, "audio? >=0.2"]')]),
    (lambda t: remove_plugin(t, "physics"), [("physics, ", "")]),
    (lambda t: add_layer(t, "mid", 1), [("  - {hud", "  - mid\n  - {hud")]),
    (lambda t: add_layer(t, "top", space="screen"), [("screen}}\n", "screen}}\n  - {top: {space: screen}}\n")]),
    (lambda t: remove_layer(t, "back"), [("  - back   # far\n", "")]),
    (
        lambda t: move_layer(t, "hud", 0),
        [("  - back   # far\n", ""), ("screen}}\n", "screen}}\n  - back   # far\n")],
    ),
    (lambda t: add_scene(t, "end"), [("{prefab: big}]\n", "{prefab: big}]\n  end: []\n")]),
    (lambda t: rename_scene(t, "main", "start"), [("scene: main", "scene: start"), ("  main:\n", "  start:\n")]),
    (lambda t: delete_scene(t, "more"), [("  more: [{prefab: big}]\n", "")]),
    (lambda t: set_first_scene(t, "more"), [("scene: main", "scene: more")]),
    (
        lambda t: rename_prefab(t, "box", "crate"),
        [("  box:", "  crate:"), ("prefab: box", "prefab: crate"), ("# plain", "# plain")],
    ),
    (
        lambda t: set_setting(t, "physics", "gravity", [0, -9]),
        [("layers:", "settings: {physics: {gravity: [0, -9]}}\nlayers:")],
    ),
]


@pytest.mark.parametrize("number", range(len(EDITS)))
def test_edits_of_sections_change_only_their_lines(text, number):
    """Comments and all other lines stay; the texts of all files are returned, and the manifest has no mistakes."""
    work, changes = EDITS[number]
    made = work(text)
    expected = TEXT
    for before, after in changes:
        expected = expected.replace(before, after)
    assert made == text.plain
    assert made[text.main] == expected
    assert text.parsed().problems == []


def test_settings_are_removed_with_none(text):
    """A removed setting is no longer in the text; a missing one is left alone."""
    set_setting(text, "physics", "gravity", [0, -9])
    set_setting(text, "physics", "reach", 9)
    set_setting(text, "physics", "gravity", None)
    set_setting(text, "physics", "gravity", None)
    assert text.get(("settings", "physics")) == {"reach": 9}


def test_wrong_edits_of_sections_are_refused(text):
    """Unknown and taken names, the last scene and prefabs that are used give errors; the text stays."""
    for error, work in (
        (UnknownName, lambda: remove_plugin(text, "audio")),
        (UnknownName, lambda: rename_scene(text, "mian", "x")),
        (UnknownName, lambda: set_first_scene(text, "mian")),
        (UnknownName, lambda: delete_prefab(text, "bxo")),
        (UsageError, lambda: add_plugin(text, "physics>=9")),
        (UsageError, lambda: add_layer(text, "hud")),
        (UsageError, lambda: add_scene(text, "a b")),
        (UsageError, lambda: rename_prefab(text, "box", "big")),
        (UsageError, lambda: delete_prefab(text, "box")),
        (UsageError, lambda: set_size(text, 0, 1)),
    ):
        with pytest.raises(error):
            work()
        assert text.plain[text.main] == TEXT
    delete_scene(text, "main")
    with pytest.raises(UsageError, match="only scene"):
        delete_scene(text, "more")


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_game_runs_and_can_be_saved(tmp_path, template):
    """The game of each template has the title, runs, and its scene is what its text says."""
    path = new_game(tmp_path / "a game", 'The "best": game', template)
    with open_game(path, headless=True, warm_up=False) as app:
        assert app.manifest.title == 'The "best": game'
        assert save_plan(app).edits == []
        app.run(frames=30)


def test_a_new_game_overwrites_nothing(tmp_path):
    """A folder with files and an unknown template are refused."""
    (tmp_path / "x").write_text("mine")
    for folder, template in ((tmp_path, "empty"), (tmp_path / "x", "empty"), (tmp_path / "new", "emty")):
        with pytest.raises(UsageError):
            new_game(folder, "T", template)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
