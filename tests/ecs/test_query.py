"""Queries: exactly the requested entities, in an order that depends only on the state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Chars, Str, Vec2
from rish_ecs.declarations.component import Disabled, component, field
from rish_ecs.query import make_query
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, UnknownName, UsageError


@component
class A:
    """A component with numbers."""

    x: float = 1.0
    at: Vec2 = field((1, 2))


@component
class B:
    """A component with one number."""

    y: int = 5


@component
class C:
    """A component with texts."""

    name: Str = "c"
    label: Chars = "C"


@component
class D:
    """A component without fields."""


KINDS = (A, B, C, D)
_SETS = st.sets(st.sampled_from((*KINDS, Disabled)))


def _world() -> World:
    return World(KINDS)


def _brute(world: World, wanted: tuple[type, ...], without: tuple[type, ...], named: tuple[type, ...]) -> set[int]:
    everything = {int(handle) for cls in (*KINDS, Disabled) for handle in world[cls].entities}
    hidden = without if Disabled in (*wanted, *named) else (*without, Disabled)
    return {
        handle
        for handle in everything
        if all(world.has(handle, cls) for cls in wanted) and not any(world.has(handle, cls) for cls in hidden)
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(_SETS, max_size=25), st.data())
@pytest.mark.slow
def test_queries_equal_a_brute_force_search(kinds: list[set[type]], data: Any) -> None:
    """For random worlds and queries, with changes and a restore in between, a query finds the same as a loop."""
    world = _world()
    handles = [world.spawn(*sorted(parts, key=lambda cls: cls.__name__)) for parts in kinds]
    for _ in range(data.draw(st.integers(1, 4))):
        wanted = tuple(data.draw(st.lists(st.sampled_from((*KINDS, Disabled)), min_size=1, unique=True)))
        rest = [cls for cls in (*KINDS, Disabled) if cls not in wanted]
        without = tuple(data.draw(st.lists(st.sampled_from(rest), unique=True))) if rest else ()
        optional = tuple(cls for cls in rest if cls not in without and data.draw(st.booleans()))
        query = world.query(*wanted, without=without, optional=optional)
        named = (*without, *optional)
        assert set(query) == _brute(world, wanted, without, named)
        assert len(query) == len(set(query)) == len(list(query))
        _rows_are_right(world, query, wanted, optional)
        twin = _world()
        twin.restore(Snapshot.from_bytes(world.snapshot().to_bytes()))
        again = twin.query(*wanted, without=without, optional=optional)
        assert again.entities.tolist() == query.entities.tolist()
        assert again.aligned == query.aligned
        living = [handle for handle in handles if world.alive(handle)]
        if living:
            chosen = data.draw(st.sampled_from(living))
            cls = data.draw(st.sampled_from((*KINDS, Disabled)))
            change = data.draw(st.sampled_from([world.add, world.remove]))
            change(chosen, cls)
            world.despawn(data.draw(st.sampled_from(living)))


def _rows_are_right(world: World, query: Any, wanted: tuple[type, ...], optional: tuple[type, ...]) -> None:
    for cls in (*wanted, *optional):
        for handle, row in zip(query.entities.tolist(), query.rows(cls).tolist(), strict=True):
            if row >= 0:
                assert int(world[cls].entities[row]) == handle
            else:
                assert cls in optional
                assert not world.has(handle, cls)
    if query.aligned:
        for cls in wanted:
            assert np.array_equal(world[cls].entities, query.entities)


_STEPS = st.lists(
    st.tuples(st.integers(0, 6), st.sets(st.sampled_from(KINDS), min_size=1), st.integers(0, 1000)), max_size=40
)


@given(steps=_STEPS)
@settings(max_examples=150)
def test_a_query_that_follows_changes_equals_a_new_one(steps: list[tuple[int, set[type], int]]) -> None:
    """After any changes of structure, a query that was asked before gives the rows and the order of a new one."""
    world = _world()
    world.spawn_many(5, A, B)
    questions = ((A,), (A, B), (A, B, C), (B, C))
    for operation, chosen, number in steps:
        kinds = sorted(chosen, key=lambda cls: cls.__name__)
        handles = sorted({int(handle) for cls in KINDS for handle in world[cls].entities})
        one = handles[number % len(handles)] if handles else 0
        if operation <= 1 or not one:
            world.spawn(*kinds)
        elif operation == 2:
            world.despawn(one)
        elif operation == 3:
            world.add(one, *kinds)
        elif operation == 4:
            world.remove(one, *kinds)
        elif operation == 5:
            world[kinds[0]].mark()
        else:
            world.despawn(handles[: number % 3])
        _compare_with_new(world, questions)


def _compare_with_new(world: World, questions: tuple[tuple[type, ...], ...]) -> None:
    """Compare the queries of a world with new ones."""
    for wanted in questions:
        optional = tuple(cls for cls in (C, D) if cls not in wanted)
        query, new = world.query(*wanted, optional=optional), make_query(world, wanted, (), optional)
        new.refresh(world.membership)
        assert (query.aligned, query.entities.tolist()) == (new.aligned, new.entities.tolist())
        for cls in (*wanted, *optional):
            assert query.rows(cls).tolist() == world.table(cls).rows_of(query.entities).tolist()
        for cls in wanted:
            every = np.arange(len(world.table(cls))).tolist()
            assert query.complete(cls) <= (query.rows(cls).tolist() == every)
            assert query.complete(cls) == new.complete(cls)


def test_the_same_question_is_the_same_object() -> None:
    """The same query is the same object, and is computed again only if one of its tables changed."""
    world = _world()
    world.spawn_many(3, A, B)
    query = world.query(A, B)
    rows = query.rows(A)
    world.spawn(C)
    assert world.query(A, B) is query
    assert query.rows(A) is rows
    world.spawn(A, B)
    assert len(world.query(A, B).rows(A)) == 4


def test_aligned() -> None:
    """Tables that are filled together give slices; an entity in only one of them makes the query unaligned."""
    world = _world()
    world.spawn_many(5, A, B)
    assert world.query(A, B).aligned
    assert world.query(A, B).flat(A.at).tolist() == [1, 2] * 5
    stranger = world.spawn(B)
    assert not world.query(A, B).aligned
    assert world.query(B).aligned
    with pytest.raises(UsageError, match=r"A.at can't be a slice here.*Test query.aligned first"):
        world.query(A, B).flat(A.at)
    world.despawn(stranger)
    assert world.query(A, B).aligned


def test_disabled() -> None:
    """Disabled entities are left out unless the query names Disabled; others stay aligned."""
    world = _world()
    handles = world.spawn_many(4, A, B)
    other = world.spawn(C, Disabled)
    assert world.query(A, B).aligned
    assert len(world.query(C)) == 0
    assert list(world.query(C, optional=Disabled)) == [other]
    assert list(world.query(C, Disabled)) == [other]
    world.add(int(handles[1]), Disabled)
    assert list(world.query(A, B)) == [int(handle) for k, handle in enumerate(handles) if k != 1]
    assert not world.query(A, B).aligned


def test_the_order_is_that_of_the_smallest_table() -> None:
    """Rows have the order of the smallest required table."""
    world = _world()
    handles = world.spawn_many(6, A)
    world.add(int(handles[4]), B)
    world.add(int(handles[1]), B)
    assert list(world.query(A, B)) == [int(handles[4]), int(handles[1])]


def test_values_aligned_and_not() -> None:
    """`query[A.x]` is a view if aligned and a read-only copy otherwise; assignment works for both."""
    world = _world()
    handles = world.spawn_many(3, A, B, C)
    query = world.query(A, B)
    query[A.x][:] = 7
    assert world[A].x.tolist() == [7, 7, 7]
    query[A.x] += 1
    query[B.y] = np.array([1, 2, 3])
    assert world[A].x.tolist() == [8, 8, 8]
    lone = world.spawn(A(x=50))
    query = world.query(A, B)
    assert not query.aligned
    version = world[A].version
    query[A.x] = np.array([1, 2, 3])
    query[A.at] = (9, 9)
    with pytest.raises(ValueError, match="read-only"):
        query[A.x] *= 2
    query[A.x] = query[A.x] * 2
    assert world[A].version > version
    assert [world.get(int(handle), A).x for handle in handles] == [2, 4, 6]
    assert world.get(lone, A).x == 50
    assert query[A.at].tolist() == [[9, 9]] * 3
    assert query[B.y].tolist() == [1, 2, 3]
    names = world.query(A, C)
    names[C.name] = "all"
    names[C.label] = "long enough to move"
    assert list(names[C.label]) == ["long enough to move"] * 3
    assert world.get(int(handles[2]), C).name == "all"


@settings(max_examples=60)
@given(
    carried=st.lists(st.sets(st.sampled_from(KINDS)), min_size=1, max_size=12),
    optional=st.booleans(),
    step=st.floats(-8, 8, width=32),
)
def test_an_edit_writes_what_a_loop_over_entities_writes(carried: list[set[type]], optional: bool, step: float) -> None:
    """`edit` writes the same as a loop over entities; other entities and missing optional parts stay unchanged."""
    worlds = _world(), _world()
    handles = [[world.spawn(*({D} | kinds)) for kinds in carried] for world in worlds]
    for k, kinds in enumerate(carried):
        if A in kinds and k % 3 == 0:  # so that the tables have different orders
            for world, own in zip(worlds, handles, strict=True):
                world.remove(own[k], A)
                world.add(own[k], A(x=k))
    query = worlds[0].query(A, optional=B) if optional else worlds[0].query(A, B)
    with query.edit(A.at, B.y) as (at, number):
        at[:, 1] += np.float32(step)
        number *= 3
    other = worlds[1]
    for kinds, handle in zip(carried, handles[1], strict=True):
        if A in kinds and (optional or B in kinds):
            x, y = other.get(handle, A).at
            other.set(handle, A(at=(x, y + np.float32(step))))
            if B in kinds:
                other.set(handle, B(y=other.get(handle, B).y * 3))
    assert worlds[0].hash() == other.hash()


def test_an_edit_that_raises_writes_no_copy() -> None:
    """If an edit raises, gathered copies are not written; an edit of one field gives one array."""
    world = _world()
    handles = world.spawn_many(3, A, B)
    world.spawn(A)
    query = world.query(A, B)
    version = world[A].version

    def double_and_stop() -> None:
        with query.edit(A.x) as x:
            x *= 2
            raise InterruptedError

    with pytest.raises(InterruptedError):
        double_and_stop()
    assert [world.get(handle, A).x for handle in handles.tolist()] == [1, 1, 1]
    with query.edit(A.x) as x:
        x += 1
    assert [world.get(handle, A).x for handle in handles.tolist()] == [2, 2, 2]
    assert world[A].version > version


def test_optional_values() -> None:
    """For missing optional components fields read as their defaults, and writing skips them."""
    world = _world()
    world.spawn(A)
    with_b = world.spawn(A, B(y=8), C(name="x"))
    world.spawn(A)
    query = world.query(A, optional=(B, C))
    assert query.rows(B).tolist() == [-1, 0, -1]
    assert query[B.y].tolist() == [5, 8, 5]
    query[B.y] = np.array([1, 2, 3])
    assert world.get(with_b, B).y == 2
    query[C.label] = "one"
    assert [world.text(number) for number in query[C.name].tolist()] == ["c", "x", "c"]
    with pytest.raises(UsageError, match="is not there for all of these entities"):
        _ = query[C.label]
    world.remove(with_b, B)
    query = world.query(A, optional=(B, C))
    assert query[B.y].tolist() == [5, 5, 5]
    query[B.y] = 3


def test_handles_stay_while_the_world_changes() -> None:
    """A loop over `query.entities` can despawn entities."""
    world = _world()
    world.spawn_many(10, A)
    for handle in world.query(A).entities:
        world.despawn(int(handle))
    assert len(world.query(A)) == 0
    handles = world.spawn_many(4, A).tolist()
    kept = world.query(A).entities
    world.despawn(handles[0])
    world.spawn(A)
    assert kept.tolist() == handles


def test_bad_questions() -> None:
    """Invalid queries are refused with the correct form."""
    world = _world()
    world.spawn(A)

    @component
    class Bb:
        pass

    with pytest.raises(UsageError, match=r"names at least one component. Write world.query\(Transform\)"):
        world.query()
    with pytest.raises(UnknownName, match=r"no component Bb \(did you mean 'B'\?\)"):
        world.query(A, Bb)
    with pytest.raises(UsageError, match="wants A and excludes it"):
        world.query(A, without=A)
    query: Any = world.query(A)
    with pytest.raises(UnknownName, match=r"B is not part of this query. Choices: A"):
        query.rows(B)
    with pytest.raises(UsageError, match=r"indexed by a field, not by 'x'. Write query\[Body.velocity\]"):
        _ = query["x"]
    with pytest.raises(UsageError, match=r"A.x: 2 values for 1 rows"):
        query[A.x] = np.ones(2)
    with pytest.raises(DeclarationError, match=r"A.x: expected finite numbers"):
        query[A.x] = np.array([np.nan])


def test_classes_in_any_collection() -> None:
    """`without` and `optional` accept a class, a tuple, a list or a set."""
    world = _world()
    world.spawn(A)
    world.spawn(A, B)
    for without in (B, (B,), [B], {B}):
        assert len(world.query(A, without=without)) == 1


def test_more_than_64_components() -> None:
    """Queries work with more than 64 components."""
    many = [component(type(f"K{number}", (), {"__annotations__": {"x": float}, "x": 0.0})) for number in range(140)]
    world = World(many)
    handles = [world.spawn(many[k], many[(k + 70) % 140]) for k in range(140)]
    for k in range(140):
        assert list(world.query(many[k], many[(k + 70) % 140])) == sorted([handles[k], handles[(k + 70) % 140]])
        assert len(world.query(many[k], without=many[(k + 70) % 140])) == 0
    world.despawn(handles)
    assert all(len(world[cls]) == 0 for cls in many)
