"""Entries that plugins add to a scene while the manifest is read: they are in no text, and saving leaves them out."""

from __future__ import annotations

import pytest

from rish_authoring import delete, duplicate, mark_authored, save_plan
from rish_core import Name, Transform, named, open_game

CODE = """from rish_core import hookimpl
from rish_core.manifest import Spot, YamlList, marked


@hookimpl
def rish_manifest(manifest, registry):
    section, mark = manifest.data["scenes"], Spot("level.thing")
    made = [{"name": "gate", "Transform": {}, "children": [{"name": "hinge", "Transform": {}}]}, {"name": "wall"}]
    whole = marked(made, mark)
    whole.items_at += section["main"].items_at
    whole.extend(section["main"])
    section.put("main", whole, section.keys_at["main"], section.values_at["main"])
"""
GAME = """rish: 1
game: {title: Levels}
scenes:
  main:
    - {name: one, Transform: {}}
    - {name: two, Transform: {position: [3, 4]}, children: [{name: inner, Transform: {}}]}
    - {name: three, Transform: {parent: two}}
"""


@pytest.fixture
def app(tmp_path):
    """A game whose plugin adds a gate and a wall before the entries of the text."""
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "plugin.py").write_text(CODE, encoding="utf-8")
    made = open_game(tmp_path, headless=True, warm_up=False)
    yield made
    made.close()


def test_a_fresh_game_has_no_edits(app):
    """The entries of the plugin are no difference to the text."""
    plan = save_plan(app)
    assert (plan.edits, plan.problems, plan.made_by_code, plan.differences()) == ([], [], [], [])


@pytest.mark.parametrize("name", ["one", "two", "inner", "three"])
def test_edits_are_written_into_the_entry_of_the_entity(app, name):
    """The entries of the text are found although they have other numbers in the plan."""
    app.world.set(named(app.world, name), Transform(position=(7, 8)))
    save_plan(app).apply()
    text = app.manifest.path.read_text()
    [line] = [line for line in text.splitlines() if "7, 8" in line]
    assert f"name: {name}" in line
    assert "gate" not in text


def test_renaming_adding_and_deleting_keep_the_other_entries(app):
    """References follow a new name, and new and deleted entries are those that are meant."""
    world = app.world
    world.set(named(world, "two"), Name(value="second"))
    mark_authored(world, world.spawn(Name(value="new"), Transform()))
    delete(app, [named(world, "one")])
    duplicate(app, [named(world, "three")])
    save_plan(app).apply()
    text = app.manifest.path.read_text()
    assert "parent: second" in text
    assert "name: new" in text
    assert "name: one" not in text
    assert "gate" not in text
    assert "wall" not in text
    assert "three 2" in text
