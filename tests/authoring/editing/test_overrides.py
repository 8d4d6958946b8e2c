"""What differs from prefabs, and prefabs made of entities."""

from __future__ import annotations

import pytest
from shapes import shown
from worlds_edited import TEXT

from rish_authoring import (
    History,
    Project,
    duplicate,
    make_prefab,
    overrides,
    revert,
    revert_all,
    save_plan,
    tree_order,
    unpack,
)
from rish_core import Name, Transform, UnknownName, UsageError, find
from rish_physics import Body, Collider, DistanceJoint

NESTED = """\
rish: 1
plugins: [physics]
prefabs:
  wheel: {Transform: {}, Body: {}, Collider: {shape: circle}}
  cart:
    Transform: {}
    Body: {}
    children:
      - {name: left, prefab: wheel, Transform: {position: [-2, 0]}}
      - {name: right, prefab: wheel, Transform: {position: [2, 0]}, DistanceJoint: {a: left, b: right}}
scenes:
  main:
    - {prefab: cart, name: mine, at: [3, 3], left.Body.linear_damping: 4}
    # box
    - {name: box, Transform: {position: [9, 9]}, Body: {}, children: [{name: lid, Transform: {}, tags: [x]}]}
    - {name: last, Transform: {}}
"""


def test_overrides_are_what_differs_from_the_prefab(opened):
    """Fields, added and removed components are listed with the prefab's values; place and name are not."""
    app = opened(NESTED)
    world = app.world
    mine = find(world, "mine")
    left, right = tree_order(app).children(mine).tolist()
    assert overrides(app, mine) == {}
    assert overrides(app, left) == {(Body, "linear_damping"): 0}
    world.set(right, DistanceJoint(a=mine))
    world.remove(right, Collider)
    world.add(left, DistanceJoint())
    found = overrides(app, right)
    assert found[DistanceJoint, "a"] == left
    assert found[Collider, ""]["shape"] == world.get(left, Collider).shape
    assert overrides(app, left)[DistanceJoint, ""] is None
    assert overrides(app, find(world, "box")) == {}
    revert(app, right, DistanceJoint, "a")
    revert(app, right, Collider)
    assert overrides(app, right) == {}
    assert int(world.get(right, DistanceJoint).a) == left
    revert_all(app, mine)
    assert overrides(app, left) == {}
    save_plan(app).apply()
    assert "- {prefab: cart, name: mine, at: [3, 3]}" in app.manifest.path.read_text()
    with pytest.raises(UsageError, match="no prefab"):
        revert(app, find(world, "box"), Body)
    with pytest.raises(UnknownName):
        revert(app, left, Body, "lineardamping")


def test_copies_of_uses_have_overrides_too(opened):
    """A duplicate is compared with the same prefab before and after it is saved."""
    app = opened(NESTED)
    copy = duplicate(app, [find(app.world, "mine")])[0]
    left = int(tree_order(app).children(copy)[0])
    assert overrides(app, left) == {(Body, "linear_damping"): 0}


def test_an_unpacked_use_is_the_same_without_its_prefab(opened):
    """The tree shows the same; the entry is written in full, in its place; undo makes it a use again."""
    app = opened(NESTED)
    before, history, first = shown(app), History(app.world), app.world.hash()
    with history.group("unpack"):
        unpack(app, find(app.world, "mine"))
    assert shown(app) == before
    assert overrides(app, find(app.world, "mine")) == {}
    save_plan(app).apply()
    assert "prefab: cart" not in app.manifest.path.read_text()
    assert shown(opened()) == before
    history.undo()
    assert app.world.hash() == first
    with pytest.raises(UsageError, match="no use"):
        unpack(app, find(app.world, "left"))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name"), [(NESTED, "box"), (NESTED, "mine"), (TEXT, "two"), (TEXT, "one")])
def test_an_entity_becomes_a_use_of_a_new_prefab(opened, text, name):
    """The prefab contains the entity with its children; the tree and its order stay, also when the game is opened."""
    project = Project(opened(text))
    app = project.app
    before, first, plain = shown(app), app.world.hash(), project.text.plain
    history = History(app.world)
    project.follow(history)
    with history.group("make a prefab"):
        make_prefab(project, find(app.world, name), "made")
    assert shown(app) == before
    assert "  made:" in next(iter(project.text.plain.values()))
    assert overrides(app, find(app.world, name)) == {}
    history.undo()
    assert (app.world.hash(), project.text.plain) == (first, plain)
    history.redo()
    project.save()
    assert shown(opened()) == before
    with pytest.raises(UsageError, match="already"):
        make_prefab(project, find(app.world, name), "made")


def test_a_prefab_with_mistakes_is_refused(opened):
    """A name that is not possible and a reference to another entity give an error; nothing changes."""
    project = Project(opened(NESTED))
    world = project.app.world
    box = find(world, "box")
    first, plain = world.hash(), project.text.plain
    with pytest.raises(UsageError, match="no name"):
        make_prefab(project, box, "a b")
    world.table(Transform).column("rotation")[world[Transform].row_of(box)] = float("inf")
    with pytest.raises(UsageError, match="can't be a prefab"):
        make_prefab(project, box, "made")
    world.set(box, Transform(rotation=0))
    assert (world.hash(), project.text.plain) == (first, plain)
    assert world.get(box, Name).value == "box"
