"""Records: a snapshot and the records since are the state of the World, whatever was changed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from rish_ecs import Snapshot, SnapshotError, World
from rish_ecs.snapshots import Recorder, bring_up_to_date
from windy_world import Gust, Kite, Marks, Sky, windy


def change(rng: random.Random, world: World) -> None:
    """Change anything that a World has."""
    every = world.table(Kite).entities.tolist()
    kind = rng.randint(0, 8)
    if kind == 0:
        world.spawn(Kite(name=f"n{rng.randint(0, 99)}", tail=[rng.randint(0, 9)] * rng.randint(0, 3)))
    elif kind == 1:
        world.spawn_many(rng.randint(0, 20), Kite(at=(1, 2), note="n" * rng.randint(0, 2)))
    elif kind == 2:
        world.despawn(rng.sample(every, min(len(every), rng.randint(0, 9))))
    elif kind == 3 and every:
        world.set(rng.sample(every, 1), Kite(at=(rng.random(), 1.0), note=f"note {rng.random()}", tail=[1, 2]))
    elif kind == 4:
        world[Marks].clear() if rng.random() < 0.3 else world[Marks].append(1, depth=rng.random(), who="them")
    elif kind == 5:
        world.emit(Gust, force=rng.random(), name=f"g{rng.randint(0, 9)}")
    elif kind == 6 and Sky in world:
        world[Sky].seen = {"a": rng.random(), "b": (1, [None])}
    elif kind == 7:
        world.drop(Sky) if Sky in world else world.put(Sky(heard={(rng.randint(0, 9), "x"): "y"}))
    elif every:
        world.despawn(every)


@pytest.mark.parametrize("seed", range(6))
def test_a_snapshot_and_its_records_are_the_state(seed: int) -> None:
    """After each record the snapshot has the bytes of a new one, and restores to the same hash."""
    rng, world = random.Random(seed), windy()
    recorder, snapshot = Recorder(world), world.snapshot()
    for _ in range(60):
        for _ in range(rng.randint(0, 3)):
            change(rng, world)
        world.flush()
        bring_up_to_date(snapshot, recorder.record())
        assert same(snapshot, world)
    other = windy()
    other.restore(snapshot)
    assert other.hash() == world.hash()


def same(snapshot: Snapshot, world: World) -> bool:
    """Whether a snapshot has what a new one has; the order of tables and resources does not count."""
    one, other = (
        replace(each, tables=sorted_by_name(each.tables), columns=sorted_by_name(each.columns),
                resources=sorted_by_name(each.resources))
        for each in (snapshot, world.snapshot())
    )  # fmt: skip
    return one.to_bytes() == other.to_bytes()


def sorted_by_name(parts: dict[str, Any]) -> dict[str, Any]:
    """Return parts in the order of their names."""
    return dict(sorted(parts.items()))


def test_a_record_of_one_change_is_small() -> None:
    """The size of a record depends on what has changed, and not on the World."""
    world = windy()
    handles = world.spawn_many(10_000, Kite())
    recorder = Recorder(world)
    world.set(handles[:1], Kite(at=(5, 5)))
    assert len(recorder.record()) < 3000


def test_damaged_records_are_refused() -> None:
    """A record that is cut, or that is of another snapshot, raises SnapshotError."""
    world = windy()
    empty = world.snapshot()
    world.spawn_many(5, Kite())
    recorder = Recorder(world)
    world.despawn(world.table(Kite).entities[:3].tolist())
    record = recorder.record()
    with pytest.raises(SnapshotError):
        bring_up_to_date(world.snapshot(), record[:-1])
    with pytest.raises(SnapshotError):
        bring_up_to_date(empty, record)
