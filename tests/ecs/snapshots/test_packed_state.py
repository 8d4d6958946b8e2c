"""Flat states: a state as few arrays is the same as a snapshot."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs import DeclarationError, World
from rish_ecs.snapshots import FlatReader, unflattened
from windy_world import Gust, Kite, Marks, Sky, windy


def change(world: World, step: int) -> None:
    """Change rows, lengths, texts, resources, readers or nothing, by the number of the step."""
    chosen = world.query(Kite).entities
    if step % 5 == 0:
        world.spawn_many(step % 4 + 1, Kite(name=f"k{step}", note="la" * step, tail=[step] * (step % 3), pull=step))
    elif step % 5 == 1:
        world[Kite].at += np.float32(0.25)
        world[Kite].last_at[:] = step
        world.emit(Gust, force=step, name="north")
    elif step % 5 == 2:
        world.despawn(int(chosen[step % len(chosen)]))
        world[Marks].append(step, depth=step, who="them")
    elif step % 5 == 3:
        world.running = "somebody"
        world.added(Kite)
        world.events(Gust)
        world.running = ""
        world[Sky].seen = (step, world[Sky].seen)
    world.random("wind").uniform()
    world.end_tick()


def test_a_flat_state_is_the_snapshot() -> None:
    """After each of many steps, the flat state of one reader gives the snapshot, byte for byte."""
    world = windy()
    reader = FlatReader(world)
    for step in range(60):
        change(world, step)
        made = unflattened(reader.read(), world.texts.texts)
        assert made.to_bytes() == world.snapshot().to_bytes()


def test_a_flat_state_is_restored_later() -> None:
    """A flat state is a copy: it restores its own moment after the world, and its texts, have changed."""
    world = windy()
    for step in range(30):
        change(world, step)
    state, before = FlatReader(world).read(), world.hashes()
    for step in range(30, 60):
        change(world, step)
    world.restore(unflattened(state, world.texts.texts))
    assert world.hashes() == before


def test_derived_fields_are_in_no_snapshot() -> None:
    """A derived field has its default after a restore and is not hashed; within a tick it is captured."""
    world = windy()
    kite = world.spawn(Kite(last_at=(8, 9)))
    before = world.hash()
    plain, whole = world.snapshot(), world.snapshot(transient=True)
    world.set(kite, Kite(last_at=(5, 5)))
    assert world.hash() == before
    assert "last_at" not in plain.tables["Kite"].fields
    world.restore(whole)
    assert world.get(kite, Kite).last_at.tolist() == [8, 9]
    world.restore(plain)
    assert world.get(kite, Kite).last_at.tolist() == [3, 4]


def test_a_value_that_is_not_plain_is_named() -> None:
    """A resource with another value is refused with its name and field, by flat states and snapshots."""
    world = windy()
    world[Sky].seen = [object()]
    for take in (world.snapshot, FlatReader(world).read):
        with pytest.raises(DeclarationError, match=r"Sky\.seen: a resource holds object, which is no plain value"):
            take()
