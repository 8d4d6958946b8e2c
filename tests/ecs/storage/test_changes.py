"""Change detection: the components added and removed since a system's last call."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.component import component
from rish_ecs.declarations.system import Stage
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import UnknownName


@component
class A:
    """A component with one number."""

    x: float = 0.0


@component
class B:
    """A component without fields."""


def _world() -> World:
    return World([A, B])


def _as(world: World, name: str, stage: Stage | None = None) -> World:
    world.running, world.stage = name, stage
    return world


def test_added() -> None:
    """`added` returns rows added since the reader's last call, and all rows at its first call."""
    world = _world()
    first = world.spawn(A)
    assert _as(world, "one").added(A).tolist() == [first]
    assert world.added(A).tolist() == []
    second = world.spawn(A, B)
    world.add(first, A(x=5))
    assert world.added(A).tolist() == [second]
    assert _as(world, "two").added(A).tolist() == [first, second]
    world.remove(first, A)
    world.add(first, A)
    assert _as(world, "one").added(A).tolist() == [first]
    assert _as(world, "one").added(B).tolist() == [second]


def test_removed() -> None:
    """`removed` returns rows removed since the reader's last call; the first call starts the log."""
    world = _world()
    gone, *handles = world.spawn_many(4, A, B).tolist()
    world.despawn(gone)
    assert _as(world, "one").removed(A).tolist() == []
    world.remove(handles[0], A)
    world.despawn(handles[1:])
    world.remove(handles[0], A)
    assert world.removed(A).tolist() == handles
    assert world.removed(A).tolist() == []
    assert _as(world, "two").removed(A).tolist() == []


def test_repetitions_are_removed_once() -> None:
    """A handle that is given twice is reported once."""
    world = _world()
    handle = world.spawn(A)
    world.removed(A)
    world.remove([handle, handle], A)
    assert world.removed(A).tolist() == [handle]


def test_removal_in_bulk_keeps_the_times() -> None:
    """Rows that move into holes keep their time of addition."""
    world = _world()
    old = world.spawn_many(6, A)
    _as(world, "one").added(A)
    new = world.spawn_many(3, A)
    world.despawn(old[:4])
    assert set(world.added(A).tolist()) == set(new.tolist())


def test_unknown_component() -> None:
    """An unknown component is refused by name."""
    for ask in (_world().added, _world().removed):
        with pytest.raises(UnknownName, match="no component int"):
            ask(int)


def test_the_log_is_trimmed() -> None:
    """Removals are dropped from the log only when every reader has read them."""
    world = _world()
    for name in ("one", "two"):
        _as(world, name).removed(A)
    for _ in range(5):
        world.despawn(world.spawn_many(10, A))
        _as(world, "one").removed(A)
        world.end_tick()
    assert len(world.changes.tick.logs["A"]) == 50
    assert len(_as(world, "two").removed(A)) == 50
    world.end_tick()
    assert world.changes.tick.logs["A"] == []
    world.despawn(world.spawn(A))
    assert len(_as(world, "one").removed(A)) == len(_as(world, "two").removed(A)) == 1


def test_frame_readers_are_no_state() -> None:
    """Calls of frame systems, at any frame rate, change neither the hash nor the snapshot."""
    hashes: list[list[str]] = []
    for every in (1, 2, 100):
        world, found = _world(), list[str]()
        for tick in range(6):
            handles = world.spawn_many(3, A)
            world.despawn(handles[:1])
            if tick % every == 0:
                _as(world, "render", Stage.EXTRACT)
                world.added(A)
                world.removed(A)
                _as(world, "")
            world.end_tick()
            found.append(world.hash())
            assert not world.snapshot().changes["cursors"]
        hashes.append(found)
    assert hashes[0] == hashes[1] == hashes[2]


def test_frame_readers_see_everything_once() -> None:
    """A frame system that reads every few ticks gets all changes in between, once."""
    world = _world()
    render = _as(world, "render", Stage.EXTRACT)
    render.removed(A)
    came, went = set[int](), set[int]()
    _as(world, "")
    for _ in range(3):
        handles = world.spawn_many(4, A)
        world.despawn(handles[2:])
        went |= set(handles[2:].tolist())
        came |= set(handles[:2].tolist())
        world.end_tick()
    _as(world, "render", Stage.EXTRACT)
    assert set(world.added(A).tolist()) == came
    assert set(world.removed(A).tolist()) == went
    assert len(world.added(A)) == len(world.removed(A)) == 0


def test_frame_readers_start_anew_after_a_restore() -> None:
    """After a restore all rows are new for a frame system."""
    world = _world()
    handles = world.spawn_many(3, A)
    saved = world.snapshot()
    _as(world, "render", Stage.EXTRACT).added(A)
    _as(world, "").restore(saved)
    assert _as(world, "render", Stage.EXTRACT).added(A).tolist() == handles.tolist()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["spawn", "despawn", "add", "remove", "one", "two"]), st.integers(0, 5))))
@pytest.mark.slow
def test_readers_follow_a_model_through_snapshots(steps: list[tuple[str, int]]) -> None:
    """Readers get what a plain record predicts, also in a world restored from bytes after every step."""
    world = _world()
    record: dict[str, dict[str, set[int]]] = {name: {"added": set(), "removed": set()} for name in ("one", "two")}
    for name in record:
        _as(world, name).added(A)
        world.removed(A)
    _as(world, "")
    handles: list[int] = []
    for what, number in steps:
        target = handles[number % len(handles)] if handles else 0
        alive = bool(target) and world.alive(target)
        carries = alive and world.has(target, A)
        if what == "spawn" or (what == "add" and alive and not carries):
            if what == "spawn":
                target = world.spawn(A)
                handles.append(target)
            else:
                world.add(target, A)
            for seen in record.values():
                seen["added"].add(target)
        elif what in ("despawn", "remove") and alive:
            if what == "despawn":
                world.despawn(target)
            else:
                world.remove(target, A)
            for seen in record.values():
                seen["added"].discard(target)
                if carries:
                    seen["removed"].add(target)
        elif what in record:
            _as(world, what)
            assert set(world.added(A).tolist()) == record[what]["added"]
            assert set(world.removed(A).tolist()) == record[what]["removed"]
            record[what] = {"added": set(), "removed": set()}
            _as(world, "")
        twin = _world()
        twin.restore(Snapshot.from_bytes(world.snapshot().to_bytes()))
        assert twin.hash() == world.hash()
        world = twin


def test_arrays() -> None:
    """`added` and `removed` return int64 handles."""
    world = _world()
    assert world.added(A).dtype == world.removed(A).dtype == np.int64


def test_readers_that_are_no_more_are_forgotten() -> None:
    """Forgotten readers no longer hold back the log, and other readers are unaffected."""
    world = _world()
    for name in ("gone", "stays"):
        _as(world, name, Stage.UPDATE).removed(A)
    world.stage = None
    entities = world.spawn_many(3, A())
    world.despawn(entities[0])
    _as(world, "stays", Stage.UPDATE).removed(A)
    world.stage = None
    world.changes.forget(["gone"])
    world.changes.trim()
    assert world.changes.tick.logs == {"A": []}
    world.despawn(entities[1])
    assert _as(world, "stays", Stage.UPDATE).removed(A).tolist() == [int(entities[1])]
    world.changes.forget(keys=["A"])
    assert (world.changes.tick.logs, world.changes.tick.cursors) == ({}, {})
