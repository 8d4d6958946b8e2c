"""Copying entities as text and pasting them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import edit, shown
from worlds_edited import TEXT

from counted_calls import calls_of
from long_runs import long
from rish_authoring import (
    History,
    authored,
    copy_entities,
    delete,
    duplicate,
    paste_entities,
    reparent,
    save_plan,
    tree_order,
)  # fmt: skip
from rish_core import Name, Transform, UsageError, find, world_matrices
from rish_physics import Body, DistanceJoint

SCRIPTS = long(2000, 20)
JOINED = """\
rish: 1
plugins: [physics]
scenes:
  main:
    - {name: Box, Transform: {position: [1, 1]}, Body: {}, DistanceJoint: {a: Box, b: wall}}
    - {name: wall, Transform: {position: [2, 0], rotation: 90deg}, Body: {}, children: [{Transform: {position: [1, 0]}}]}
"""  # noqa: E501


def every(app):
    """Return all entities."""
    return tree_order(app).handles.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SCRIPTS))
def test_what_is_copied_and_deleted_is_pasted_as_it_was(opened, seed):
    """After random edits, a copy of all entities, pasted into the emptied scene, shows the same tree.

    Only names that several entities had are other ones.
    """
    rng = random.Random(seed)
    app = opened(TEXT)
    for _ in range(rng.randrange(5)):
        edit(rng, app)
    before = shown(app, names=False)
    text = copy_entities(app, every(app))
    delete(app, every(app))
    made = paste_entities(app, text)
    assert shown(app, names=False) == before
    assert authored(app.world) == made
    plan = save_plan(app)
    assert plan.made_by_code == []
    if not plan.problems:
        plan.apply()
        assert shown(opened(), names=False) == before


def test_copies_have_new_names_and_refer_to_each_other(opened):
    """References among the copied ones go to the copies, others to the entity of the name; unknown ones are empty."""
    app = opened(JOINED)
    world = app.world
    both, one = copy_entities(app, every(app)), copy_entities(app, [find(world, "Box")])
    pasted = paste_entities(app, both)
    assert [world.get(h, Name).value for h in pasted] == ["Box 2", "wall 2"]
    assert int(world.get(pasted[0], DistanceJoint).b) == pasted[1]
    alone = paste_entities(app, one)[0]
    assert world.get(alone, Name).value == "Box 3"
    assert int(world.get(alone, DistanceJoint).b) == find(world, "wall")
    other = opened("rish: 1\nplugins: [physics]\nscenes: {main: []}")
    lonely = paste_entities(other, one)[0]
    assert int(other.world.get(lonely, DistanceJoint).b) == 0
    assert int(other.world.get(lonely, DistanceJoint).a) == lonely


def test_references_to_entities_without_a_name_are_kept(opened):
    """A copied entity that another one refers to gets a name in the text."""
    app = opened(JOINED)
    world = app.world
    bare = world.spawn(Transform(), Body())
    box = find(world, "Box")
    world.set(box, DistanceJoint(b=bare))
    text = copy_entities(app, [box, bare])
    pasted = paste_entities(app, text)
    assert int(world.get(pasted[0], DistanceJoint).b) == pasted[1]


def test_poses_in_the_world_are_kept(opened):
    """A copied child stands where it was, pasted without a parent or below another one; offset moves it."""
    app = opened(JOINED)
    world = app.world
    child = int(tree_order(app).children(find(world, "wall"))[0])
    text = copy_entities(app, [child])

    def matrix(handle):
        return world_matrices(world)[world[Transform].row_of(handle)]

    for parent in (None, find(world, "Box")):
        pasted = paste_entities(app, text, parent=parent, offset=(3, -1))[0]
        assert int(world.get(pasted, Transform).parent) == (parent or 0)
        assert np.allclose(matrix(pasted), matrix(child) + np.array([0, 0, 0, 0, 3, -1]), atol=1e-5)


def test_a_place_that_is_not_possible_is_refused_before_anything_is_spawned(opened):
    """A parent with a scale of zero, one without Transform and an offset that is no vector are mistakes."""
    app = opened(JOINED)
    world = app.world
    text, flat, bare = copy_entities(app, [find(world, "wall")]), world.spawn(Transform(scale=(0, 1))), world.spawn()
    first = world.hash()
    for options in ({"parent": flat}, {"parent": bare}, {"offset": (1,)}, {"offset": (float("nan"), 0)}):
        with pytest.raises(UsageError):
            paste_entities(app, text, **options)
        assert world.hash() == first


def test_pasting_is_undone_exactly(opened):
    """Undo gives the hash from before pasting."""
    app = opened(TEXT)
    history, first = History(app.world), app.world.hash()
    with history.group("paste"):
        paste_entities(app, copy_entities(app, every(app)))
    assert app.world.hash() != first
    history.undo()
    assert app.world.hash() == first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"), ("rish: 1", "a list of entries"), ("rish: 9\nentities: []", "a list of entries"),
        ("rish: 1\nentities:\n  - {Nothing: {}}", "the clipboard:3:6: entities[0].Nothing: no component"),
        ("rish: 1\nentities: [{prefab: gone}]", "no prefab is called 'gone'"),
        ("rish: 1\nentities: [{Transform: {position: [.nan, 1]}}]", "entities[0].Transform.position"),
        ("rish: 1\nentities: [{Transform: {}, count: 99999999}]", "out of range"),
        ("rish: 1\nentities: [" + "[" * 9000, "nested too deeply"),
        ("rish: 1\nentities: " + "x" * 6_000_000, "too large"),
        ("a: &a [x]\nb: *a", "a list of entries"), ("rish: 1\nentities: [{Collider: {}}]", "no Transform"),
        ("\x00", "clipboard"), ("rish: 1\nentities: [1, {name: [x]}]", "entities[1].name"),
    ],
)  # fmt: skip
def test_other_text_is_refused_with_places(opened, text, said):
    """Text that is no clipboard, wrong, hostile or huge raises one error that names the places; nothing is spawned."""
    app = opened(TEXT)
    first = app.world.hash()
    with pytest.raises(UsageError) as raised:
        paste_entities(app, text)
    assert said in str(raised.value)
    assert app.world.hash() == first


@settings(max_examples=long(2000, 30), deadline=None)
@given(st.data())
def test_damaged_clipboards_raise_nothing_else(data):
    """A text with characters removed, doubled or replaced is either pasted or refused with UsageError."""
    app = _app()
    text = copy_entities(app, every(app)[:3])
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 5)))
    damaged = (
        text[:at]
        + data.draw(st.sampled_from(["", "[", "}", "&a ", "*a", "\t", "- ", ": ", "!!x ", "null"]))
        + text[end:]
    )
    first = app.world.hash()
    try:
        paste_entities(app, damaged)
    except UsageError:
        assert app.world.hash() == first


_APPS = []


def _app():
    """Return one game for all examples."""
    if not _APPS:
        from rish_core import App, parse_manifest

        _APPS.append(App(parse_manifest(TEXT), headless=True, warm_up=False))
    return _APPS[0]


def test_the_cost_of_copying_and_pasting_grows_with_the_entities(opened):
    """Copying and pasting 400 entities makes less than four and a half times the calls for 100, so it is linear."""
    calls: list[tuple[int, int]] = []
    for count in (10, 100, 400):  # the first one imports what is missing
        app = opened(f"rish: 1\nscenes: {{main: [{{name: box, Transform: {{}}, count: {count}}}]}}")
        texts: list[str] = []
        copying = calls_of(lambda app=app, texts=texts: texts.append(copy_entities(app, every(app))))
        calls.append((copying, calls_of(lambda app=app, texts=texts: paste_entities(app, texts[0]))))
        assert len(every(app)) == 2 * count
    _, few, many = calls
    assert many[0] < 4.5 * few[0]
    assert many[1] < 4.5 * few[1]
    duplicate(app, every(app)[:1])
    reparent(app, every(app)[:1], every(app)[1])
