"""Events: every reader gets each event exactly once, wherever it is in the schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import Each, event, field
from rish_ecs.declarations.system import Stage
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, UnknownName, UsageError


@event
class Hit:
    """An event with many types of fields."""

    a: Entity = 0
    impulse: float = field(0.0, low=0)
    at: Vec2 = field((0, 0))
    what: Str = "thud"
    text: Chars = ""
    path: list[Vec2] = field()


@event
class Gone:
    """An event whose fields have the names of arguments."""

    count: int = 0
    self: int = 0
    cls: int = 0


def _world() -> World:
    return World([Hit, Gone])


def _impulses(batch: Any) -> list[float]:
    return batch.impulse.tolist()


def test_one_event() -> None:
    """One call emits one event, with the given values and defaults."""
    world = _world()
    world.emit(Hit, a=5, impulse=2, at=(1, 2), what="clang", text="héllo", path=[(1, 2), (3, 4)])
    world.emit(Hit)
    batch = world.events(Hit)
    assert len(batch) == 2
    first, second = batch
    assert (first.a, first.impulse, first.what, first.text) == (5, 2.0, "clang", "héllo")
    assert (first.at.tolist(), first.path.tolist()) == ([1, 2], [[1, 2], [3, 4]])
    assert (second.what, second.text, second.path.tolist()) == ("thud", "", [])
    assert batch.at.tolist() == [[1, 2], [0, 0]]
    assert list(batch.text) == ["héllo", ""]
    assert [world.text(number) for number in batch.what.tolist()] == ["clang", "thud"]
    assert repr(batch) == "<2 events Hit>"
    assert "impulse=2.0" in repr(first)


def test_many_events() -> None:
    """Arrays or `Each` emit one event per item; single values apply to all of them."""
    world = _world()
    world.emit(Hit, what="bang", impulse=np.arange(3), a=7)
    world.emit(Hit, text=Each(["x", "yy"]), at=(3, 3))
    world.emit(Hit, impulse=np.zeros(0))
    world.emit(Hit, path=np.ones((4, 2)))
    batch = world.events(Hit)
    assert len(batch) == 6
    assert _impulses(batch) == [0, 1, 2, 0, 0, 0]
    assert batch.a.tolist() == [7, 7, 7, 0, 0, 0]
    assert list(batch.text) == ["", "", "", "x", "yy", ""]
    assert batch.path[5].shape == (4, 2)
    assert [row.text for row in batch] == ["", "", "", "x", "yy", ""]


def test_rows_for_the_caller_to_fill() -> None:
    """`emit_rows` returns the flat columns of new events for the caller to fill, in the order of the fields."""
    world = _world()
    world.emit(Gone, count=1)
    count, own, cls = world.emit_rows(Gone, 3)
    count[:], own[:], cls[:] = (7, 8, 9), 5, 6
    world.emit(Gone, count=2)
    batch = world.events(Gone)
    assert batch.count.tolist() == [1, 7, 8, 9, 2]
    assert batch.self.tolist() == [0, 5, 5, 5, 0]
    world.stage, world.running = Stage.DRAW, "draw"
    with pytest.raises(UsageError, match="only TICK stages may change"):
        world.emit_rows(Gone, 1)


def test_fields_of_any_name() -> None:
    """Fields can have the names of arguments of the kernel's own functions."""
    world = _world()
    world.emit(Gone, count=5, self=6, cls=7)
    (row,) = world.events(Gone)
    assert (row.count, row.self, row.cls) == (5, 6, 7)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"impulse": -1}, DeclarationError, "Hit.impulse: -1 is below the least value, 0"),
        ({"impulse": np.array([1, np.nan])}, DeclarationError, "Hit.impulse: expected finite numbers"),
        ({"impulse": np.ones(2), "a": np.array([1, 2, 3])}, UsageError, "Hit.a: 3 values for 2 rows"),
        ({"impuls": 1}, UnknownName, r"Hit has no field 'impuls' \(did you mean 'impulse'\?\)"),
        ({"impulse": np.ones(2), "b": 1}, UnknownName, "no field 'b'"),
        ({"text": 5}, DeclarationError, "Hit.text: expected text, got 5"),
        ({"what": np.array([99])}, UsageError, "99 is not the number of a text"),
    ],
)
def test_wrong_values_emit_nothing(values: dict[str, Any], error: type[Exception], message: str) -> None:
    """A wrong value is refused, and no part of the event is stored."""
    world = _world()
    world.emit(Hit, impulse=1)
    with pytest.raises(error, match=message):
        world.emit(Hit, **values)
    assert _impulses(world.events(Hit)) == [1]


def test_unknown_events() -> None:
    """An unknown event is refused with the nearest name."""
    world = _world()

    @event
    class Hitt:
        pass

    for use in (world.emit, world.events):
        with pytest.raises(UnknownName, match=r"no event Hitt \(did you mean 'Hit'\?\)"):
            use(Hitt)
    with pytest.raises(UnknownName, match=r"Hit is an event. Read it with world.events\(Hit\)"):
        _ = world[Hit]
    with pytest.raises(UnknownName, match=r"no field 'impuls' \(did you mean 'impulse'\?\)"):
        _ = world.events(Hit).impuls


def _tick(world: World, systems: list[tuple[str, Any]]) -> None:
    for number, (name, run) in enumerate(systems):
        world.stage, world.running = Stage(1 + number % 6), name
        run(world)
    world.stage, world.running = None, ""
    world.end_tick()


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=8), st.integers(0, 7))
def test_exactly_once_for_every_reader(emitted: list[list[int]], restored_at: int) -> None:
    """Readers before, between and after the emitters each get every event once and in order, over many ticks.

    A restore from bytes in the middle changes nothing.
    """
    world = _world()
    seen: dict[str, list[float]] = {name: [] for name in ("first", "middle", "last")}
    sent: list[float] = []

    def emitter(counts: list[int], which: int) -> Any:
        def emit(world: World) -> None:
            values = [len(sent) + k for k in range(counts[which])]
            sent.extend(values)
            world.emit(Hit, impulse=np.array(values, float), text=Each([f"#{value}" for value in values]))

        return emit

    def reader(name: str) -> Any:
        def read(world: World) -> None:
            batch = world.events(Hit)
            seen[name] += _impulses(batch)
            assert [row.text for row in batch] == [f"#{int(value)}" for value in batch.impulse]

        return read

    for tick, counts in enumerate([*emitted, [0, 0, 0]]):
        systems = [("first", reader("first")), ("e0", emitter(counts, 0)), ("middle", reader("middle"))]
        systems += [("e1", emitter(counts, 1)), ("e2", emitter(counts, 2)), ("last", reader("last"))]
        _tick(world, systems)
        if tick == restored_at:
            other = World([Gone, Hit], seed=3)
            other.intern("something else")
            other.restore(Snapshot.from_bytes(world.snapshot().to_bytes()))
            assert other.hash() == world.hash()
            world = other
    assert seen == dict.fromkeys(seen, sent)


def test_life() -> None:
    """An event of tick t can be read until the end of tick t+1."""
    world = _world()
    world.emit(Hit, impulse=1)
    world.end_tick()
    world.emit(Hit, impulse=2)
    world.running = "late"
    assert _impulses(world.events(Hit)) == [1, 2]
    world.end_tick()
    world.running = "later"
    assert _impulses(world.events(Hit)) == [2]
    world.end_tick()
    world.running = "too late"
    assert _impulses(world.events(Hit)) == []
    assert world.queues[Hit].end == 2


def test_own_events_are_read_once() -> None:
    """A system that emits while it reads gets its own events at the next call."""
    world = _world()
    world.running = "echo"
    world.emit(Hit, impulse=1)
    for expected in ([1], [2], [3]):
        batch = world.events(Hit)
        for row in batch:
            world.emit(Hit, impulse=row.impulse + 1)
        assert _impulses(batch) == expected
        world.end_tick()


def test_frame_systems_see_the_whole_frame() -> None:
    """Frame systems get all events of the frame's ticks at each call, until the frame ends."""
    world = _world()
    for tick in range(3):
        world.emit(Hit, impulse=tick, text=f"tick {tick}")
        world.end_tick()
    world.stage = Stage.EXTRACT
    for name in ("sound", "sparks", "sound"):
        world.running = name
        batch = world.events(Hit)
        assert _impulses(batch) == [0, 1, 2]
        assert list(batch.text) == ["tick 0", "tick 1", "tick 2"]
    with pytest.raises(UsageError, match="sound: emitting in EXTRACT: only TICK stages may change"):
        world.emit(Hit)
    world.end_frame()
    assert len(world.events(Hit)) == 0


def test_frame_reading_is_no_state() -> None:
    """Calls of frame systems do not change the hash."""
    hashes: list[str] = []
    for frames in (0, 1, 3):
        world = _world()
        for tick in range(4):
            world.emit(Hit, impulse=tick)
            world.end_tick()
            for _ in range(frames):
                world.stage, world.running = Stage.DRAW, "draw"
                world.events(Hit)
                world.stage, world.running = None, ""
            world.end_frame()
        hashes.append(world.hash())
    assert len(set(hashes)) == 1


def test_unread_events_are_state() -> None:
    """Unread events and the readers' cursors are in the hash and in the snapshot."""
    world = _world()
    empty = world.hash()
    world.emit(Hit, impulse=3, text="x", what="y", path=[(1, 2)])
    unread = world.hash()
    saved = world.snapshot().to_bytes()
    world.running = "r"
    world.events(Hit)
    read = world.hash()
    assert len({empty, unread, read}) == 3
    world.restore(Snapshot.from_bytes(saved))
    assert world.hash() == unread
    assert [row.text for row in world.events(Hit)] == ["x"]
    assert world.hash() == read


def test_batches_keep() -> None:
    """A batch that was read keeps its rows while the queue continues."""
    world = _world()
    world.emit(Hit, impulse=1, text="a")
    batch = world.events(Hit)
    for _ in range(3):
        world.emit(Hit, impulse=np.ones(50), text="b")
        world.end_tick()
    assert (_impulses(batch), list(batch.text)) == ([1], ["a"])


def test_events_count_as_changed_in_all_rows() -> None:
    """The columns of events do not record rows: whoever asks for their changes gets all rows."""
    world = _world()
    world.emit(Gone)
    columns = world.queues[Gone].columns
    version = columns.version
    for count in (1, 100):
        world.emit(Gone, count=np.zeros(count, np.int32))
        columns.mark(0)
        assert columns.changes(version).all
        version = columns.version
    assert not columns.changes(version)
