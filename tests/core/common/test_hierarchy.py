"""Hierarchies: parents by row, generations, and the rows that have children."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core.common.hierarchy import HierarchyCache, hangs, hierarchy_of
from rish_core.common.transform import Transform
from rish_ecs import Disabled, Entity, World, component, field
from rish_ecs.storage import compute_hierarchy


def forest(links: list[int]) -> World:
    """Return a world in which entity k is a child of entity links[k], or of none if that is -1."""
    world = World([Transform])
    handles = [world.spawn(Transform) for _ in links]
    for handle, link in zip(handles, links, strict=True):
        if link >= 0:
            world.set(handle, Transform(parent=handles[link]))
    return world


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(-1, 11), min_size=1, max_size=12))
def test_every_row_comes_after_what_it_hangs_on(links: list[int]) -> None:
    """For any links, cycles included, parents come before children, and each row's slot leads to its parent."""
    links = [link if link < len(links) else -1 for link in links]
    world = forest(links)
    tree = hierarchy_of(world)
    placed = set(np.flatnonzero(tree.parents < 0).tolist())
    for generation in tree.generations:
        assert all(int(tree.parents[row]) in placed for row in generation)
        placed |= set(generation.tolist())
    assert placed == set(range(len(links)))
    carriers = tree.carriers.tolist()
    assert sorted(carriers) == sorted({int(p) for p in tree.parents if p >= 0})
    for place, row in enumerate(carriers):
        assert int(tree.parents[row]) < 0 or carriers.index(int(tree.parents[row])) < place
    for row, slot in enumerate(tree.slots.tolist()):
        assert (carriers[slot - 1] if slot else -1) == int(tree.parents[row])


def test_without_parents_it_is_flat() -> None:
    """Without parents there are no generations and no carriers."""
    world = forest([-1, -1])
    tree = hierarchy_of(world)
    assert tree.flat
    assert tree.slots.tolist() == [0, 0]


def test_a_ring_is_cut_and_named() -> None:
    """Rows in a cycle have no parent and are listed in `ring`; rows below the cycle keep their parents."""
    world = forest([1, 0, 1])
    tree = hierarchy_of(world)
    assert tree.parents.tolist() == [-1, -1, 1]
    assert sorted(tree.ring) == world.table(Transform).entities[:2].tolist()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30)), max_size=30))
def test_the_cached_hierarchy_equals_a_computed_one(steps: list[tuple[int, int]]) -> None:
    """After entities came, went, lost or got their Transform or a parent, the cached hierarchy is the computed one."""
    world = World([Transform])
    world.put(HierarchyCache())
    handles = [world.spawn(Transform) for _ in range(3)]
    for operation, number in steps:
        one, other = handles[number % len(handles)], handles[number * 7 % len(handles)]
        if operation <= 1 or not world.alive(one):
            handles.append(world.spawn(Transform) if number % 3 else world.spawn())
        elif operation == 2:
            world.despawn(one)
        elif operation == 3:
            world.remove(one, Transform)
        elif operation == 4:
            world.add(one, Transform(parent=other if number % 2 and other != one else 0))
        else:
            world.table(Transform).mark()
        cached, computed = hierarchy_of(world), compute_hierarchy(world, world.table(Transform))
        assert cached.parents.tolist() == computed.parents.tolist()
        assert cached.slots.tolist() == computed.slots.tolist()
        assert [rows.tolist() for rows in cached.generations] == [rows.tolist() for rows in computed.generations]


def test_it_is_kept_until_a_parent_changes() -> None:
    """The cached hierarchy survives moves, and is made again after a changed parent or a new entity."""
    world = forest([-1, 0, 0])
    world.put(HierarchyCache())
    table, kept = world.table(Transform), hierarchy_of(world)
    table.position = (5, 5)
    table.write_row("parent", 1, int(table.entities[0]))
    assert hierarchy_of(world) is kept
    table.write_row("parent", 2, 0)
    assert hierarchy_of(world).parents.tolist() == [-1, 0, -1]
    table.parent = np.array([0, 0, table.entities[1]], np.uint64)
    assert hierarchy_of(world).parents.tolist() == [-1, -1, 1]
    world.spawn(Transform)
    assert len(hierarchy_of(world).parents) == 4


@component
class Branch:
    """Another component whose entities form a tree."""

    parent: Entity = field(0, cascade=True)


def test_other_components_have_trees_of_their_own(caplog) -> None:
    """A component with a cascading field `parent` has a hierarchy, cached apart from that of the Transforms."""
    world = World([Transform, Branch])
    world.put(HierarchyCache())
    first, second = world.spawn(Transform, Branch), world.spawn(Transform)
    third = world.spawn(Transform(parent=first), Branch(parent=first))
    world.set(second, Transform(parent=third))
    assert hierarchy_of(world, Branch).parents.tolist() == [-1, 0]
    assert hierarchy_of(world).parents.tolist() == [-1, 2, 0]
    assert hierarchy_of(world, Branch) is hierarchy_of(world, Branch)
    world.set(first, Branch(parent=third))
    assert hierarchy_of(world, Branch).parents.tolist() == [-1, -1]
    assert "Branch.parent forms a cycle" in caplog.text
    assert hangs(Branch)
    assert not hangs(Disabled)
