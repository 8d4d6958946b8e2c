"""Entities: handles are unique, and stale handles are always distinguished from living ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs.storage.entities import ALIVE, FREE, NONE, RESERVED, Entities, as_handles, describe
from rish_jit.errors import UsageError


def test_handles() -> None:
    """A handle is a slot and a generation; freed slots are reused last-in first-out with a new generation."""
    entities = Entities(capacity=1)
    first, second = entities.take(), entities.take()
    assert (describe(first), describe(second), len(entities)) == ("0v1", "1v1", 2)
    entities.release(np.array([first]))
    entities.release(np.array([second]))
    again = entities.take_many(3)
    assert [describe(handle) for handle in again.tolist()] == ["1v2", "0v2", "2v1"]
    assert entities.status(first) == FREE
    assert entities.status_many(np.array([first, int(again[0]), NONE])).tolist() == [FREE, ALIVE, FREE]


@pytest.mark.parametrize("handle", [0, -1, 5, 1 << 32 | 9, 2 << 32, 2**63, -(2**63)])
def test_what_was_never_given(handle: int) -> None:
    """Handles that were never assigned count as free, with an error that says so."""
    entities = Entities()
    entities.take()
    assert entities.status(handle) == FREE
    assert str(entities.stale(handle)).startswith("entity ")
    if abs(handle) < 2**63:
        assert entities.status_many(np.array([handle])).tolist() == [FREE]


def test_errors_say_what_became_of_the_slot() -> None:
    """The error for a stale handle says whether its slot is free or which handle it has now."""
    entities = Entities()
    assert "entity 0 is no entity. find() gives None where no entity has the name; named()" in str(entities.stale(0))
    assert "5v1 was never given out by this world" in str(entities.stale(1 << 32 | 5))
    old = entities.take()
    entities.release(np.array([old]))
    assert "entity 0v1 is gone; its slot is free" in str(entities.stale(old))
    entities.take()
    assert "entity 0v1 is gone; its slot now holds 0v2" in str(entities.stale(old))


def test_reserved() -> None:
    """A reserved slot is neither free nor alive."""
    entities = Entities()
    handle = entities.take(RESERVED)
    assert entities.status(handle) == RESERVED


def test_worn_out_slots_are_retired() -> None:
    """A slot that has used all generations is not used again, so that no handle repeats."""
    entities = Entities()
    entities.take()
    entities.generation[0] = 2**31 - 1
    last = int(entities.generation[0]) << 32
    assert entities.status(last) == ALIVE
    entities.release(np.array([last]))
    assert entities.status(last) == FREE
    assert describe(entities.take()) == "1v1"
    assert len(entities) == 2


@given(st.lists(st.integers(-4, 6), max_size=30))
def test_no_handle_is_given_twice(steps: list[int]) -> None:
    """For any sequence of taking and releasing, every handle is new, and exactly the taken ones are alive."""
    entities = Entities(capacity=2)
    given: set[int] = set()
    alive: list[int] = []
    for step in steps:
        if step > 0:
            taken = entities.take_many(step).tolist() if step > 1 else [entities.take()]
            assert not given & set(taken)
            given.update(taken)
            alive.extend(taken)
        elif step and alive:
            gone = np.array([alive.pop(0) for _ in range(min(-step, len(alive)))])
            entities.release(gone)
    everything = np.array(sorted(given), np.int64)
    assert set(everything[entities.status_many(everything) == ALIVE].tolist()) == set(alive)
    assert len(entities) == len(alive)


@given(st.lists(st.integers(-3, 4), max_size=12), st.lists(st.integers(-3, 4), max_size=12))
def test_capture_and_restore(before: list[int], after: list[int]) -> None:
    """After a restore the same operations give the same handles as after the capture."""

    def run(entities: Entities, steps: list[int]) -> list[int]:
        out: list[int] = []
        for step in steps:
            if step > 0:
                out += entities.take_many(step).tolist()
            living = np.flatnonzero(entities.state[: entities.used])
            if step < 0 and len(living):
                entities.release((entities.generation[living] << 32 | living)[:-step])
        return out

    entities = Entities(capacity=1)
    run(entities, before)
    captured = entities.capture()
    expected = run(entities, after)
    entities.restore(captured)
    assert run(entities, after) == expected
    other = Entities(capacity=1)
    other.take_many(20)
    other.restore(captured)
    assert run(other, after) == expected


@pytest.mark.parametrize("which", [1.5, "abc", [1.5], [[1, 2]], np.ones(2), None, [1 << 70], {1}, [[1], [1, 2]]])
def test_what_is_no_handle(which: Any) -> None:
    """Values that are not integers in a row raise UsageError."""
    with pytest.raises(UsageError, match="expected a handle, or an array of handles"):
        as_handles(which)


def test_arrays_of_handles() -> None:
    """Lists, tuples and integer arrays are accepted, also empty ones, and copied."""
    source = np.array([1, 2], np.int64)
    assert as_handles(source) is not source
    assert as_handles((1, 2)).tolist() == as_handles(np.array([1, 2], np.int32)).tolist() == [1, 2]
    assert as_handles([]).dtype == np.int64


def test_signatures_are_written_anew() -> None:
    """`set_signatures` writes one bit per table, in as many words as requested, over all old bits."""
    entities = Entities()
    handles = np.array([entities.take() for _ in range(3)])
    entities.signature[:] = 7
    entities.set_signatures(2, [handles[:1], *[handles[:0]] * 63, handles])
    assert entities.words == 2
    assert entities.signature[:, :3].tolist() == [[1, 0, 0], [1, 1, 1]]
    entities.take_many(200)
    assert entities.signature.shape[0] == 2
