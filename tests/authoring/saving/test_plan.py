"""Saving an edited World to its text."""

from __future__ import annotations

import difflib
import os
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from long_runs import long
from rish_authoring import History, mark_authored, save_plan
from rish_authoring.saving.worlds import Spawned
from rish_core import Group, Name, Origin, Scenes, Tags, Transform, UsageError, find, open_game, spawn_prefab
from rish_physics import Body

sys.path.insert(0, str(Path(__file__).parent))
from descriptions import described
from worlds_edited import TEXT, random_edit

GAMES = sorted(path.parent for path in (Path(__file__).parents[3] / "games").glob("*/game.yaml"))
SAMPLE = [folder for folder in GAMES if folder.name in ("beacon", "lantern", "menus", "physics", "sirens")]
SCRIPTS = long(10_000, 10)


@pytest.fixture
def edited(tmp_path):
    """Return a function that starts a game of a text."""
    running = []

    def start(text=TEXT, **files):
        (tmp_path / "game.yaml").write_text(text, encoding="utf-8", newline="")
        for name, content in files.items():
            (tmp_path / f"{name}.yaml").write_text(content, encoding="utf-8")
        running.append(open_game(tmp_path, headless=True, warm_up=False))
        return running[-1]

    yield start
    for app in running:
        app.close()


def entities_of(app, number):
    """Return the handles of the entities of an entry, by copy."""
    table = app.world[Origin]
    rows = sorted((table.copy[k], table.entities[k]) for k in range(len(table)) if table.entry[k] == number)
    return [int(handle) for _, handle in rows]


def saved(app, **options):
    """Save, and return the lines that were removed and added."""
    path = app.manifest.path
    before = path.read_text().splitlines()
    save_plan(app).apply(**options)
    after = path.read_text().splitlines()
    return [line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line[0] in "+-"][2:]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, SCRIPTS, 10))
def test_the_saved_text_gives_the_world_that_was_edited(tmp_path, seed):
    """After random edits, either the text describes exactly the edited World, or the plan says what it can't contain.

    The comparison reads the file as a new game. The share of scripts that can be saved completely is over nine tenths.
    """
    complete = 0
    for number in range(seed, seed + 10):
        rng = random.Random(number)
        (tmp_path / "game.yaml").write_text(TEXT)
        with open_game(tmp_path, headless=True, warm_up=False) as app:
            for _ in range(rng.randrange(1, 6)):
                random_edit(rng, app)
            plan = save_plan(app)
            plan.settle()
            assert bool(plan.problems) or not plan.differences()
            if plan.problems:
                with pytest.raises(UsageError, match="not everything"):
                    plan.apply()
                assert (tmp_path / "game.yaml").read_text() == TEXT
                continue
            plan.apply()
            complete += 1
            begin, end = TEXT.split("scenes:")[0], TEXT.splitlines()[-1]
            assert (tmp_path / "game.yaml").read_text().startswith(begin)
            assert end
            expected = _described(app)
        with open_game(tmp_path, headless=True, warm_up=False) as app:
            assert _described(app) == expected
    assert complete >= 9


def _described(app):
    side = Spawned(app.world, "main")
    return described(side, sorted(app.world[Transform].entities.tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("folder", long(GAMES, SAMPLE), ids=lambda path: path.name)
def test_only_the_edit_of_a_shipped_game_is_saved(folder):
    """Saving a shipped game that was not edited changes no file and finds no difference.

    Moving one of its entities changes the lines of its entry; the new text gives the moved World.
    """
    with open_game(folder, headless=True, warm_up=False) as app:
        plan = save_plan(app)
        assert plan.edits == []
        assert plan.changed == {}
        assert plan.differences() == []
        side = Spawned(app.world, app.world[Scenes].current)
        roots = [handle for handle in side.keys if app.world.has(handle, Transform) and not side.parent(handle)]
        app.world.set(random.Random(3).choice(roots), Transform(position=(12.5, -3)))
        plan = save_plan(app)
        plan.settle()
        assert not plan.problems
        assert plan.differences() == []
        (path, text), *more = plan.changed.items()
        assert not more
        before = path.read_text(encoding="utf-8").splitlines()
        unlike = [line for line in difflib.ndiff(before, text.splitlines()) if line[0] in "+-"]
        assert len(unlike) <= 12


def test_a_field_changes_in_its_entry(edited):
    """A moved entity changes its `at`; other fields of a prefab's entity become overrides; angles are in degrees."""
    app = edited()
    one = find(app.world, "one")
    app.world.set(one, Transform(position=(3.5, 4), rotation=1.5707963267948966), Body(linear_damping=0.1))
    assert saved(app) == [
        "-      at: [1, 2]",
        "+      at: [3.5, 4]",
        "+      Transform: {rotation: 90}",
        "+      Body: {linear_damping: 0.1}",
    ]


def test_a_value_that_is_again_the_prefabs_is_no_override(edited):
    """An override is deleted if the field has the prefab's value again."""
    app = edited("rish: 1\nprefabs:\n  p: {Transform: {rotation: 90deg}}\nscenes:\n  main:\n"
                 "    - {prefab: p, name: a, Transform: {rotation: 10deg}}\n")  # fmt: skip
    app.world.set(find(app.world, "a"), Transform(rotation=1.5707963267948966))
    assert saved(app)[1] == "+    - {prefab: p, name: a}"


def test_a_removed_component_of_a_prefab_is_null(edited):
    """A component that a prefab brings is removed by `Component: null`; one of the entry itself is deleted."""
    app = edited()
    app.world.remove(find(app.world, "one"), Body)
    assert saved(app) == ["+      Body: null"]


def test_a_renamed_entity_is_renamed_everywhere(edited):
    """References in the text follow a new name."""
    app = edited()
    app.world.set(find(app.world, "two"), Name(value="zwei"))
    assert saved(app) == [
        "-    - name: two", "+    - name: zwei", "-    - {name: three, Transform: {}, parent: two}",
        "+    - {name: three, Transform: {}, parent: zwei}",
    ]  # fmt: skip


def test_a_changed_copy_is_split_from_its_group(edited):
    """A changed copy of `count: 4` gets an entry behind its group, whose count is reduced."""
    app = edited()
    app.world.set(entities_of(app, 2)[1], Transform(position=(7, 7)))
    assert saved(app) == [
        "-    - {prefab: crate, count: 4}", "+    - {prefab: crate, count: 3}", "+    - {prefab: crate, at: [7, 7]}",
    ]  # fmt: skip


def test_members_of_a_grid_stay_in_their_places(edited):
    """If the last copies of a grid are gone, its count says so; if another one is gone, the places are listed."""
    app = edited()
    app.world.despawn(entities_of(app, 4)[5])
    assert "count: 5" in saved(app)[1]
    app = edited()
    app.world.despawn(entities_of(app, 4)[1])
    assert "at: [[0, 0], [20, 0], [0, 10], [10, 10], [20, 10]]" in saved(app)[1]


def test_random_members_stay_where_they_were(edited):
    """A despawned member of a random group writes the other places out, and those of later random groups too."""
    app = edited()
    kept = [tuple(app.world.get(h, Transform).position) for h in (*entities_of(app, 6)[1:], *entities_of(app, 8))]
    app.world.despawn(entities_of(app, 6)[0])
    plan = save_plan(app)
    plan.apply()
    assert any("written out" in note for note in plan.notes)
    assert "random" not in app.manifest.path.read_text().split("scenes")[1].replace("# random ones", "")
    with open_game(app.manifest.path, headless=True, warm_up=False) as again:
        found = {tuple(position) for position in again.world[Transform].position.tolist()}
        assert {tuple(map(float, place)) for place in kept} <= found


@pytest.mark.parametrize("cls", [Name, Tags, Group])
@pytest.mark.parametrize("value", ["other", "", None])
def test_names_tags_and_groups_written_as_components_are_edited(tmp_path, cls, value):
    """A name, tags or a group in the form of a component is changed, emptied and removed like one in the short form."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\ngame: {title: T}\nplugins: [render]\nscenes:\n  main:\n    - {name: first, Transform: {}}\n"
        "    - {Transform: {}, Name: {value: one}, Tags: {values: [a]}, Group: {value: g}}\n"
    )
    with open_game(tmp_path, headless=True, warm_up=False) as app:
        one = find(app.world, "one")
        if value is None:
            app.world.remove(one, cls)
        else:
            app.world.set(one, cls(values=[value] if value else []) if cls is Tags else cls(value=value))
        save_plan(app).apply()
        assert not save_plan(app).changed


def test_another_parent_moves_the_entry(edited):
    """The entry of an entity with a new parent moves into its children, with its comments."""
    app = edited()
    world = app.world
    world.set(find(world, "one"), Transform(parent=find(world, "inner")))
    saved(app)
    text = app.manifest.path.read_text()
    assert "children:\n            # the first\n            - prefab: crate   # here\n" in text


def test_what_code_made_is_saved_only_when_asked(edited):
    """Entities without an entry are listed and not saved, unless they are marked or included."""
    app = edited()
    world = app.world
    by_code = world.spawn(Transform(position=(1, 1)), Name(value="by code"))
    spawn_prefab(world, "crate", parent=by_code)
    by_tool = world.spawn(Transform(position=(2, 2)), Name(value="by tool"))
    mark_authored(world, by_tool)
    plan = save_plan(app)
    assert plan.made_by_code == [by_code]
    assert "by code" not in next(iter(plan.changed.values()))
    plan.apply(include=[by_code])
    text = app.manifest.path.read_text()
    assert "by tool" in text
    assert "- name: by code\n      Transform: {position: [1, 1]}\n      children:\n        - {prefab: crate}\n" in text


def test_undo_needs_nothing_of_the_text(edited):
    """After undo there is nothing to save."""
    app = edited()
    history = History(app.world)
    with history.group("delete"):
        app.world.despawn(find(app.world, "two"))
    assert save_plan(app).edits
    history.undo()
    assert save_plan(app).edits == []


def test_an_included_file_gets_the_edit(edited):
    """An edit goes to the file in which the scene is written; `game.yaml` stays."""
    main = "rish: 1\ninclude: [level.yaml]\n"
    app = edited(main, level="scenes:\n  main:\n    # c\n    - {name: a, Transform: {position: [1, 1]}}\n")
    app.world.set(find(app.world, "a"), Transform(position=(2, 1)))
    (path,) = save_plan(app).apply()
    assert path.name == "level.yaml"
    assert path.read_text().endswith("    # c\n    - {name: a, Transform: {position: [2, 1]}}\n")
    assert app.manifest.path.read_text() == main


def test_what_a_manifest_can_not_contain_is_a_problem(edited):
    """A value that a manifest can't contain is a problem with the entity's place, and nothing is written."""
    app = edited()
    table = app.world[Transform]
    table.column("position")[table.row_of(find(app.world, "one"))] = np.inf
    plan = save_plan(app)
    with pytest.raises(UsageError, match=r"'one'.*inf can't be written"):
        plan.apply()
    assert app.manifest.path.read_text() == TEXT


def test_a_file_changed_meanwhile_is_not_overwritten(edited):
    """If another program has changed the file since it was read, saving says so and writes nothing."""
    app = edited()
    app.world.set(find(app.world, "two"), Transform(position=(0, 0)))
    plan = save_plan(app)
    app.manifest.path.write_text(TEXT + "# theirs\n")
    with pytest.raises(UsageError, match="changed by another program"):
        plan.apply()
    assert app.manifest.path.read_text() == TEXT + "# theirs\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_not_replaced(edited):
    """A file that may not be written is not replaced by a new one."""
    app = edited()
    app.world.set(find(app.world, "two"), Transform(position=(0, 0)))
    app.manifest.path.chmod(0o444)
    with pytest.raises(UsageError, match="can't be written"):
        save_plan(app).apply()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_keeps_the_old_file(edited, monkeypatch, error):
    """With a full disk or an interruption in the middle, the old file is complete and no other file is left."""
    app = edited()
    app.world.set(find(app.world, "two"), Transform(position=(0, 0)))
    plan = save_plan(app)

    def fails(*_):
        raise error

    monkeypatch.setattr("rish_system.files.os.fsync", fails)
    with pytest.raises((UsageError, KeyboardInterrupt)):
        plan.apply()
    monkeypatch.undo()
    assert app.manifest.path.read_text() == TEXT
    assert [path.name for path in app.manifest.path.parent.glob("*.yaml")] == ["game.yaml"]
    assert not list(app.manifest.path.parent.glob(".*"))
