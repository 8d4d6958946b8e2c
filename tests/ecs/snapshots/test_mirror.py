"""Mirrors: what has changed is found by versions, and is what a comparison of all rows finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ecs import World
from rish_ecs.snapshots import Delta, Mirror, TableState, capture_rows
from rish_ecs.snapshots.deltas import ADDED, HANDLES, Patch, Ragged, Values, field_of, patch_of
from windy_world import Kite, Marks, windy


def _change(random: np.random.Generator, world: World) -> None:
    """Do one random change of the rows of the World."""
    kites = world.table(Kite)
    some = random.permutation(kites.entities)[: int(random.integers(0, 4))]
    kind = int(random.integers(0, 9))
    if kind == 0:
        world.spawn(Kite(note="n" * int(random.integers(0, 3))))
    elif kind == 1:
        world.spawn_many(int(random.integers(0, 90)), Kite(tail=[1, 2]))
    elif kind == 2:
        world.despawn(some)
    elif kind == 3:
        world.set(some, Kite(at=(float(random.integers(0, 2)), 1), note="a" * int(random.integers(0, 2))))
    elif kind == 4:
        kites.name = "all"
    elif kind == 5:
        world.end_tick()
    elif kind == 6:
        world[Marks].append(int(random.integers(0, 3)), depth=float(random.random()))
        world[Marks].keep_rows(np.arange(len(world[Marks])) % 7 != 3)
    elif kind == 7 and len(some):
        rows = kites.rows_of(some)
        kites.at[rows] += random.integers(0, 2, (len(rows), 2))
        kites.mark(rows)
    elif len(kites):
        kites.last_at[int(random.integers(len(kites)))] = random.random(2)  # a derived field is not marked


def _captured(world: World) -> dict[str, TableState]:
    tables = [*world.tables.values(), *world.columns.values()]
    return {table.schema.key: capture_rows(table, False) for table in tables}


def _all_patches(before: dict[str, TableState], now: dict[str, TableState]) -> dict[tuple[str, str], Any]:
    """Return the differing columns of all tables, by a comparison of all rows."""
    patches: dict[tuple[str, str], Any] = {}
    for key, state in now.items():
        for name in (*state.fields, *((HANDLES, ADDED) if state.handles is not None else ())):
            patch = patch_of(field_of(before[key], name), field_of(state, name))
            if patch is not None:
                patches[key, name] = _plain(patch)
    return patches


def _found(delta: Delta) -> dict[tuple[str, str], Any]:
    return {(key, name): _plain(p) for key, table in delta.tables.items() for name, p in table.patches.items()}


def _plain(patch: Patch) -> Any:
    return patch.rows.tolist(), [[_bytes(values) for values in side] for side in patch.sides]


def _bytes(values: Values) -> Any:
    return [part.tobytes() for part in (values if isinstance(values, Ragged) else (values,))]


@pytest.mark.parametrize("seed", range(4))
def test_only_changed_rows_are_compared_with_the_same_result(seed: int) -> None:
    """After any changes, undone ones and restores too, the delta is what a comparison of all rows finds."""
    random, world = np.random.default_rng(seed), windy()
    world.spawn_many(20, Kite())
    mirror, before, snapshot = Mirror(world), _captured(world), world.snapshot()
    for step in range(120):
        for _ in range(int(random.integers(0, 4))):
            _change(random, world)
        if step % 17 == 16:
            world.restore(snapshot)
        now, delta = _captured(world), mirror.difference()
        assert _found(delta) == _all_patches(before, now)
        if random.random() < 0.3:
            mirror.apply(delta, forward=False)
            assert not _all_patches(before, _captured(world))
            assert not mirror.difference()
            now = before
        before = now


def test_a_row_whose_write_is_not_marked_is_not_compared() -> None:
    """A table whose version is that of the last look is not read again, so its writers must mark rows."""
    world = windy()
    world.spawn_many(3, Kite())
    mirror, kites = Mirror(world), world.table(Kite)
    kites.at[1] = 9
    assert not mirror.difference()
    kites.mark(1)
    (patch,) = mirror.difference().tables[kites.schema.key].patches.values()
    assert patch.rows.tolist() == [1]
