"""Trees of entities: the parents of all components together."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs import Entity, World, component, field
from rish_ecs.storage import compute_hierarchy, generations_of, links_of, parents_of


@component
class Twig:
    """A component whose entities form a tree."""

    parent: Entity = field(0, cascade=True)


@component
class Root:
    """Another one, declared later."""

    depth: int = 0
    parent: Entity = field(0, cascade=True)


@component
class Friend:
    """A component with a parent that does not cascade, so it hangs nothing."""

    parent: Entity = 0


CHOICE = st.tuples(st.sampled_from(["", "twig", "root", "both"]), st.integers(-1, 9), st.integers(-1, 9))


@settings(max_examples=80, deadline=None)
@given(st.lists(CHOICE, min_size=1, max_size=10))
def test_the_first_component_with_a_parent_counts(choices: list[tuple[str, int, int]]) -> None:
    """Links and parents are those of the component that was declared first, and only of living parents."""
    world = World([Twig, Root, Friend])
    kinds = {"": [Friend], "twig": [Twig], "root": [Root], "both": [Root, Twig]}
    handles = [world.spawn(*kinds[kind]) for kind, _, _ in choices]
    expected: dict[int, int] = {}
    for handle, (kind, first, second) in zip(handles, choices, strict=True):
        one, two = (handles[k] if 0 <= k < len(handles) else 0 for k in (first, second))
        if kind in ("twig", "both"):
            world.set(handle, Twig(parent=one))
        if kind in ("root", "both"):
            world.set(handle, Root(parent=two))
        found = {"": 0, "twig": one, "root": two, "both": one or two}[kind]
        if found:
            expected[handle] = found
    links = links_of(world)
    assert dict(zip(links.children.tolist(), links.parents.tolist(), strict=True)) == expected
    assert len(links.children) == len(links.added) == len(expected)
    assert parents_of(world, np.array(handles)).tolist() == [expected.get(handle, 0) for handle in handles]


def test_dead_parents_are_none() -> None:
    """A handle that no longer lives is no parent, and components without a cascading parent form no tree."""
    world = World([Twig, Root, Friend])
    gone = world.spawn(Friend)
    child = world.spawn(Friend(parent=gone), Twig)
    world.despawn(gone)
    world.set(child, Twig(parent=gone))
    assert [table.schema.cls for table in world.trees] == [Twig, Root]
    assert parents_of(world, np.array([child])).tolist() == [0]
    assert [each.tolist() for each in links_of(world)] == [[], [], []]
    world.redeclare([Twig])
    assert [table.schema.cls for table in world.trees] == [Twig]


def test_generations_are_cut_at_rings() -> None:
    """Rows below a root come by depth; rows in a ring get no parent, and those below the ring count from there."""
    parents = np.array([-1, 0, 1, 4, 3, 4])
    generations, ring = generations_of(parents)
    assert [sorted(rank.tolist()) for rank in generations] == [[1, 5], [2]]
    assert sorted(ring.tolist()) == [3, 4]
    assert parents.tolist() == [-1, 0, 1, -1, -1, 4]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-1, 19), max_size=20), st.booleans())
def test_generations_are_those_of_a_walk_to_the_root(links: list[int], chain: bool) -> None:
    """The depth of each row is the number of steps to a row without a parent, after cycles are cut."""
    parents = np.array([link if link < len(links) else -1 for link in links], np.int64)
    if chain:
        parents = np.arange(-1, len(links) - 1)
    cut = [row for row in range(len(parents)) if row in walk(parents, row)]
    generations, ring = generations_of(parents)
    assert sorted(ring.tolist()) == cut
    assert (parents[ring] == -1).all()
    depths = [len(walk(parents, row)) for row in range(len(parents))]
    expected = [[row for row, depth in enumerate(depths) if depth == k] for k in range(1, max(depths, default=0) + 1)]
    assert [rank.tolist() for rank in generations] == expected


def walk(parents: np.ndarray, row: int) -> list[int]:
    """Return the rows above a row, up to the first one that repeats."""
    above: list[int] = []
    while (row := int(parents[row])) >= 0 and row not in above:
        above.append(row)
    return above


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(-1, 30), min_size=1, max_size=30), st.sets(st.integers(0, 29), min_size=1))
def test_rows_below_others_are_those_with_one_of_them_above(links: list[int], chosen: set[int]) -> None:
    """`below` returns the given rows, and every row from which a walk over the parents reaches one of them."""
    world = World([Twig])
    handles = world.spawn_many(len(links), Twig)
    table = world.table(Twig)
    table.parent = np.array([handles[link] if -1 < link < k else 0 for k, link in enumerate(links)])
    hierarchy, rows = compute_hierarchy(world, table), sorted(row for row in chosen if row < len(links))

    def is_below(row: int) -> bool:
        return row in rows or (hierarchy.parents[row] >= 0 and is_below(int(hierarchy.parents[row])))

    below = hierarchy.below(np.array(rows, np.int64))
    assert below is not None
    assert below.tolist() == [row for row in range(len(links)) if is_below(row)]
