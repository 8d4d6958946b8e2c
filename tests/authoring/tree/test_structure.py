"""Edits of the tree: what they do, that they are undone exactly, and that saving keeps them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from shapes import edit, shown, shuffle
from worlds_edited import TEXT

from counted_calls import calls_of
from long_runs import long
from rish_authoring import (
    Arranged,
    History,
    add_component,
    authored,
    delete,
    duplicate,
    group,
    move_after,
    move_before,
    move_into,
    remove_component,
    rename,
    reparent,
    save_plan,
    tree_order,
    ungroup,
)  # fmt: skip
from rish_core import Entity, Name, StaleEntity, Transform, UsageError, World, component, find, world_matrices
from rish_physics import Body, Collider, DistanceJoint

SCRIPTS = long(3000, 10)
PLAIN = """\
rish: 1
scenes:
  main:
    # first
    - {name: a, Transform: {position: [1, 2], rotation: 90deg, scale: [2, 2]}}
    - {name: b, Transform: {position: [5, 5]}, children: [{name: c, Transform: {position: [1, 0]}}]}
    # last
    - {name: d, Transform: {}}
"""


def names(app, parent=0):
    """Return the names of the children of an entity in their order."""
    world = app.world
    return [world.get(h, Name).value if world.has(h, Name) else "" for h in tree_order(app).children(parent).tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SCRIPTS))
def test_random_edits_are_undone_exactly_and_saved_with_their_order(opened, seed):
    """Undoing all edits gives the first hash and arrangement; a saved game shows the same tree when it is opened."""
    rng = random.Random(seed)
    app = opened(TEXT)
    history, first, before = History(app.world), app.world.hash(), shown(app)
    for number in range(rng.randrange(1, 6)):
        with history.group(f"edit {number}"):
            edit(rng, app)
    with history.group("shuffle"):
        shuffle(rng, app)
    last, after = app.world.hash(), shown(app)
    while history.undo():
        pass
    assert app.world.hash() == first
    assert shown(app) == before
    while history.redo():
        pass
    assert app.world.hash() == last
    assert shown(app) == after
    plan = save_plan(app)
    plan.settle()
    if not plan.problems:
        assert plan.differences() == []
        plan.apply()
        assert shown(opened()) == after


def test_siblings_have_the_order_of_the_text_until_a_tool_arranges_them(opened):
    """Entities stand in the order of entries, new ones last; a moved one keeps its place, and comments move with it."""
    app = opened(PLAIN)
    world = app.world
    new = world.spawn(Name(value="new"), Transform())
    assert names(app) == ["a", "b", "d", "new"]
    move_before(app, [find(world, "d")], find(world, "a"))
    move_after(app, [find(world, "a")], find(world, "b"))
    move_into(app, [new], find(world, "b"), 0)
    assert names(app) == ["d", "b", "a"]
    assert names(app, find(world, "b")) == ["new", "c"]
    save_plan(app).apply(include=[new])
    text = app.manifest.path.read_text()
    assert text.splitlines()[3:6] == ["    # last", "    - {name: d, Transform: {}}", text.splitlines()[5]]
    assert text.splitlines()[-2] == "    # first"
    assert names(opened()) == ["d", "b", "a"]


def test_the_order_is_kept_by_snapshots_and_is_in_no_hash(opened):
    """A snapshot restores the arrangement; the hash is that of a world without it."""
    app = opened(PLAIN)
    first = app.world.hash()
    move_into(app, [find(app.world, "d")], 0, 0)
    assert app.world.hash() == first
    snapshot = app.world.snapshot()
    move_into(app, [find(app.world, "d")], 0)
    app.world.restore(snapshot)
    assert names(app) == ["d", "a", "b"]


def test_an_unchanged_world_has_the_same_order_object(opened):
    """The order is computed once; moving an entity in space does not compute it again, another parent does."""
    app = opened(PLAIN)
    order = tree_order(app)
    app.world.set(find(app.world, "a"), Transform(position=(7, 7)))
    assert tree_order(app) is order
    app.world.table(Transform).column("parent")[-1] = find(app.world, "a")
    assert tree_order(app) is not order


def test_rows_of_the_order_are_a_tree(opened):
    """Each entity stands directly below its parent's earlier children; depth, parents and ends agree with that."""
    app = opened(TEXT)
    order, world = tree_order(app), app.world
    assert sorted(order.handles.tolist()) == sorted(world[Transform].entities.tolist())
    for row, handle in enumerate(order.handles.tolist()):
        parent = int(world.get(handle, Transform).parent)
        above = int(order.parents[row])
        assert (int(order.handles[above]) if above >= 0 else 0) == parent
        assert order.depths[row] == (order.depths[above] + 1 if above >= 0 else 0)
        inside = order.depths[row + 1 : order.ends[row]]
        assert (inside > order.depths[row]).all()
        assert order.ends[row] == len(order) or order.depths[order.ends[row]] <= order.depths[row]


def test_what_a_prefab_brings_has_a_fixed_place(opened):
    """The text can't contain another order of these children, so such a move is refused and changes nothing."""
    app = opened(TEXT)
    one = find(app.world, "one")
    lid = int(tree_order(app).children(one)[0])
    new = app.world.spawn(Transform())
    first = app.world.hash()
    with pytest.raises(UsageError, match="comes from a prefab"):
        move_before(app, [new], lid)
    assert app.world.hash() == first
    move_after(app, [new], lid)
    assert tree_order(app).children(one).tolist() == [lid, new]


def test_copies_refer_to_copies_and_have_names_of_their_own(opened):
    """A copied joint connects the copied bodies; names get the lowest free number; copies are authored."""
    app = opened(
        "rish: 1\nplugins: [physics]\nscenes:\n  main:\n"
        "    - {name: Box, Transform: {}, Body: {}, DistanceJoint: {a: Box, b: Box 2}, tags: [x, y]}\n"
        "    - {name: Box 2, Transform: {}, Body: {}, DistanceJoint: {b: wall}}\n"
        "    - {name: wall, Transform: {}, Body: {}}\n"
    )
    world = app.world
    boxes = [find(world, "Box"), find(world, "Box 2")]
    made = duplicate(app, boxes)
    assert names(app) == ["Box", "Box 3", "Box 2", "Box 4", "wall"]
    assert int(world.get(made[0], DistanceJoint).b) == made[1]
    assert int(world.get(made[1], DistanceJoint).b) == find(world, "wall")
    assert tuple(world.get(made[0], world.kind("Tags")).values) == ("x", "y")
    assert authored(world) == made


def test_a_copy_of_a_use_of_a_prefab_is_one_too(opened):
    """The text of the copy names the prefab and contains only what differs from it; all other lines stay."""
    app = opened(TEXT)
    duplicate(app, [find(app.world, "one")])
    save_plan(app).apply()
    before = "      at: [1, 2]\n"
    assert app.manifest.path.read_text() == TEXT.replace(
        before, before + "    - {prefab: crate, name: one 2, at: [1, 2]}\n"
    )


def test_references_to_deleted_entities_become_empty(opened):
    """Deleting takes the children along; fields and lists that referred to them contain no dead handle."""

    @component
    class Watch:
        """References."""

        one: Entity = 0
        more: list[Entity]

    world = World([Transform, Name, Watch, *opened(PLAIN).world.tables])
    app = opened(PLAIN)
    app.world = world
    a, b, c = (world.spawn(Transform()) for _ in range(3))
    below = world.spawn(Transform(parent=a))
    watch = world.spawn(Watch(one=below, more=[b, a, c]))
    delete(app, [a, below])
    assert not world.alive(below)
    assert world.get(watch, Watch).one == 0
    assert [int(h) for h in world.get(watch, Watch).more] == [b, c]
    with pytest.raises(StaleEntity):
        delete(app, [a])


def test_grouping_and_other_parents_keep_world_poses(opened):
    """After group, reparent and ungroup each entity is where it was, within rounding; flipped ones stay flipped."""
    app = opened(PLAIN)
    world = app.world
    a, b, c = (find(world, name) for name in "abc")
    world.set(c, Transform(scale=(-1, 2), rotation=7.5))

    def poses():
        return {h: world_matrices(world)[world[Transform].row_of(h)] for h in (a, b, c)}

    first = poses()
    reparent(app, [c], a)
    assert int(world.get(c, Transform).parent) == a
    assert float(world.get(c, Transform).scale[0]) < 0
    pack = group(app, [a, b], "pack")
    assert names(app, pack) == ["a", "b"]
    assert np.allclose(world.get(pack, Transform).position, (3, 3.5))
    for now in (poses(), (ungroup(app, [pack]), poses())[1]):
        assert all(np.allclose(now[h], first[h], atol=1e-5) for h in first)
    assert names(app) == ["a", "b", "d"]
    reparent(app, [c], 0, keep_pose=False)
    assert not np.allclose(poses()[c], first[c])


def test_wrong_edits_are_refused_and_change_nothing(opened):
    """Cycles, taken names, names with a slash, groups of nothing and parents without Transform are mistakes."""
    app = opened(PLAIN)
    world = app.world
    a, b, c = (find(world, name) for name in "abc")
    bare = world.spawn(Name(value="bare"))
    first = world.hash()
    for work in (
        lambda: reparent(app, [b], c), lambda: reparent(app, [a], a), lambda: reparent(app, [a], bare),
        lambda: move_before(app, [b], c), lambda: rename(app, a, "b"), lambda: rename(app, a, "x/y"),
        lambda: rename(app, a, "x\ny"), lambda: rename(app, a, "x\u2028y"), lambda: rename(app, a, "x\ufeff"),
        lambda: group(app, [], "x"), lambda: group(app, [bare], "x"),
        lambda: ungroup(app, [a]), lambda: remove_component(app, [b], Transform),
    ):  # fmt: skip
        with pytest.raises(UsageError):
            work()
        assert world.hash() == first
    assert Arranged not in world or not len(world[Arranged].handles)


def test_names_may_have_joiners_and_all_spaces(opened):
    """A name is any text in one line: Persian with its joiner, a family of emoji, an ideographic space."""
    app = opened(PLAIN)
    a = find(app.world, "a")
    for name in ("می\u200cخواهم", "👨\u200d👩\u200d👧", "姓\u3000名", "1\u202f000"):
        rename(app, a, name)
        assert find(app.world, name) == a


def test_added_components_come_with_a_transform(opened):
    """A component of something with a place brings a Transform; entities that have it keep their values."""
    app = opened(TEXT)
    world = app.world
    bare, placed = world.spawn(Name(value="x")), find(world, "one")
    before = float(world.get(placed, Body).linear_damping)
    add_component(app, [bare, placed], Body, linear_damping=9)
    assert world.has(bare, Transform)
    assert (float(world.get(bare, Body).linear_damping), float(world.get(placed, Body).linear_damping)) == (9, before)
    remove_component(app, [bare, placed], Collider)
    assert not world.has(placed, Collider)


def test_the_cost_of_edits_grows_with_the_entities(opened):
    """An edit of 400 entities makes less than four and a half times the calls for 100; the order of all, no more."""

    def costs(count: int) -> list[int]:
        app = opened(f"rish: 1\nscenes: {{main: [{{name: box, Transform: {{}}, tags: [a, b], count: {count}}}]}}")
        every = tree_order(app).handles.tolist()
        parent = app.world.spawn(Name(value="up"), Transform(position=(1, 1)))
        return [
            calls_of(work)
            for work in (
                lambda: tree_order(app), lambda: duplicate(app, every), lambda: reparent(app, every, parent),
                lambda: group(app, every, "g"), lambda: add_component(app, every, Name), lambda: delete(app, every),
            )
        ]  # fmt: skip

    costs(10)  # imports what is missing
    few, many = costs(100), costs(400)
    assert abs(few[0] - many[0]) < 10  # what is collected as garbage meanwhile may call a few functions
    assert all(later < 4.5 * earlier for earlier, later in zip(few, many, strict=True)), (few, many)
