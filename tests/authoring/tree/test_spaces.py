"""Edits of entities whose parents and poses are in space: they are one tree with those in 2D."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_authoring import (
    History,
    add_component,
    copy_entities,
    delete,
    duplicate,
    group,
    paste_entities,
    remove_component,
    reparent,
    save_plan,
    tree_order,
    ungroup,
)
from rish_authoring.tree.spaces import axes_of, inverse, parts, product, quaternions_of_axes
from rish_core import Name, Transform, UsageError, find
from rish_space3d import Transform3D, world_matrices_3d

TEXT = """\
rish: 1
plugins: [space3d]
prefabs:
  lamp: {Transform3D: {scale: [2, 2, 2]}, children: [{name: bulb, Transform3D: {position: [0, 1, 0]}}]}
scenes:
  main:
    - name: tower
      Transform3D: {position: [3, 10, -4], rotation: [20, 90, 10], scale: [2, 2, 2]}
      children:
        - {name: deck, Transform3D: {position: [1, 0, 2], rotation: [0, 45, 0]}}
        - {name: sign, Transform: {position: [5, 6]}}
    - {name: boat, Transform3D: {position: [30, 0, -40], scale: [1, -1, 1]}, Transform: {position: [7, 8]}}
    - {prefab: lamp, name: light, Transform3D: {position: [9, 9, 9]}}
"""


def children(app, name: str) -> list[str]:
    """Return the names of the children of an entity in their order."""
    world = app.world
    handles = tree_order(app).children(find(world, name) if name else 0).tolist()
    return [world.get(handle, Name).value for handle in handles]


def places(app) -> dict[str, np.ndarray]:
    """Return the world matrices in space by name."""
    world = app.world
    table, matrices = world.table(Transform3D), world_matrices_3d(world)
    return {world.get(h, Name).value: matrices[k] for k, h in enumerate(table.entities.tolist())}


def test_entities_in_space_are_children_without_a_place_in_2d(opened) -> None:
    """`children:` hangs what is in space, which gets no Transform; both kinds of children are one family."""
    app = opened(TEXT)
    assert children(app, "") == ["tower", "boat", "light"]
    assert children(app, "tower") == ["deck", "sign"]
    assert children(app, "light") == ["bulb"]
    world = app.world
    assert not world.has(find(world, "tower"), Transform)
    assert not world.has(find(world, "bulb"), Transform)
    assert world.get(find(world, "sign"), Transform).parent == find(world, "tower")


def test_another_parent_keeps_the_pose_in_space(opened) -> None:
    """Reparenting, grouping and ungrouping keep the world matrices; undo restores them; saving writes the tree."""
    app = opened(TEXT)
    world, before = app.world, places(app)
    history, start = History(world), world.hash()
    with history.group("move"):
        reparent(app, [find(world, "boat")], find(world, "deck"))
    assert children(app, "deck") == ["boat"]
    assert world.get(find(world, "boat"), Transform).parent == find(world, "deck")
    with history.group("group"):
        group(app, [find(world, "boat"), find(world, "light")], "pack")
    after = places(app)
    for name, matrix in before.items():
        assert after[name] == pytest.approx(matrix, abs=2e-4), name
    assert after["pack"][:, 3] == pytest.approx((before["boat"][:, 3] + before["light"][:, 3]) / 2, abs=1e-4)
    assert not save_plan(app).problems
    with history.group("ungroup"):
        ungroup(app, [find(world, "pack")])
    assert places(app)["light"] == pytest.approx(before["light"], abs=2e-4)
    for _ in range(3):
        history.undo()
    assert world.hash() == start


def test_a_saved_tree_in_space_is_the_same_when_it_is_opened(opened) -> None:
    """What was moved below an entity in space is written among its children, in its pose."""
    app = opened(TEXT)
    world = app.world
    reparent(app, [find(world, "boat")], find(world, "tower"))
    duplicate(app, [find(world, "light")])
    wanted = places(app)
    plan = save_plan(app)
    assert not plan.problems
    plan.apply()
    again = opened()
    assert children(again, "tower") == ["deck", "sign", "boat"]
    assert children(again, "") == ["tower", "light", "light 2"]
    assert children(again, "light 2") == ["bulb"]
    found = places(again)
    assert sorted(found) == sorted(wanted)
    for name, matrix in wanted.items():
        assert found[name] == pytest.approx(matrix, abs=2e-4), name
    assert not save_plan(again).edits


def test_copies_have_their_poses_in_the_world(opened) -> None:
    """A copied child of a tower is pasted where it was seen, and below another entity as well."""
    app = opened(TEXT)
    world = app.world
    before = places(app)["deck"]
    text = copy_entities(app, [find(world, "deck")])
    assert "Transform:" not in text
    (free,) = paste_entities(app, text)
    (hung,) = paste_entities(app, text, parent=find(world, "light"))
    matrices, table = world_matrices_3d(world), world.table(Transform3D)
    for handle in (free, hung):
        assert matrices[table.row_of(handle)] == pytest.approx(before, abs=2e-4)
    assert world.get(hung, Transform3D).parent == find(world, "light")


def test_deleting_takes_all_below_along(opened) -> None:
    """A deleted tower takes its children in space and in 2D along."""
    app = opened(TEXT)
    delete(app, [find(app.world, "tower")])
    assert children(app, "") == ["boat", "light"]
    assert len(tree_order(app)) == 3


def test_wrong_edits_in_space_are_refused(opened) -> None:
    """Rings, parents scaled to zero, and removing what holds the tree raise an error."""
    app = opened(TEXT)
    world = app.world
    tower, deck, boat = (find(world, name) for name in ("tower", "deck", "boat"))
    with pytest.raises(UsageError, match="below itself"):
        reparent(app, [tower], deck)
    with pytest.raises(UsageError, match="needs its Transform3D"):
        remove_component(app, [tower], Transform3D)
    world.set(tower, Transform3D(scale=(1, 0, 1)))
    with pytest.raises(UsageError, match="scale of zero"):
        reparent(app, [boat], tower)
    bare = world.spawn(Name(value="bare"))
    add_component(app, [bare], Transform3D)
    assert not world.has(bare, Transform)


@settings(max_examples=long(100, 20), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_matrices_are_taken_apart_and_put_together(seed: int) -> None:
    """Position, rotation and scale of a matrix without shear give it again; an inverse undoes it; signs stay."""
    random = np.random.default_rng(seed)
    turn = random.normal(size=(5, 4))
    scale = random.uniform(0.2, 3, (5, 3)) * random.choice([-1, 1], (5, 3))
    given_matrices = np.concatenate([axes_of(turn) * scale[:, None, :], random.normal(size=(5, 3, 1))], axis=2)
    place, found, size = parts(given_matrices, turn, scale)
    assert size == pytest.approx(scale, rel=1e-5)
    again = np.concatenate([axes_of(found.astype(float)) * size[:, None, :], place[:, :, None]], axis=2)
    assert again == pytest.approx(given_matrices, abs=1e-5)
    assert (found * turn).sum(axis=1).min() > 0
    assert np.abs(quaternions_of_axes(axes_of(turn))) == pytest.approx(
        np.abs(turn) / np.linalg.norm(turn, axis=1, keepdims=True), abs=1e-6
    )
    for matrix in given_matrices:
        undone = product(inverse(matrix)[None], matrix[None])[0]
        assert undone == pytest.approx(np.eye(3, 4), abs=1e-9)


def test_a_pose_scaled_to_nothing_keeps_its_rotation() -> None:
    """If an axis has no direction, the rotation stays; no number is NaN."""
    turn = np.array([[0.0, 0.6, 0.0, 0.8]])
    flat = np.concatenate([axes_of(turn) * [0.0, 2.0, 3.0], np.ones((1, 3, 1))], axis=2)
    _, found, size = parts(flat, turn, np.array([[0.0, 2.0, -3.0]]))
    assert found[0].tolist() == pytest.approx([0, 0.6, 0, 0.8])
    assert size[0].tolist() == pytest.approx([0, 2, -3])
    assert inverse(flat[0]) is None
