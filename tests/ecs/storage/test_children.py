"""Despawned entities take their children along, however the parents came about."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs import Entity, Stage, World, component, field
from rish_ecs.snapshots.snapshot import Snapshot


@component
class Twig:
    """A component whose entities form a tree."""

    parent: Entity = field(0, cascade=True)


@component
class Rope:
    """Another one."""

    end: Entity = field(0, cascade=True)


@component
class Leaf:
    """A component without a parent."""

    size: float = 1.0


Model = dict[int, tuple[int, int]]
"""The parents of each entity by both fields, 0 for none."""


class Garden:
    """A World, and a model of its parents that is searched completely."""

    def __init__(self, seed: int) -> None:
        self.world, self.chance = World([Twig, Rope, Leaf]), random.Random(seed)
        self.model: Model = {}
        self.stored: tuple[Snapshot, Model] | None = None

    def some(self) -> int:
        """Return a living entity, or 0."""
        return self.chance.choice([0, *self.model])

    def spawn(self) -> None:
        """Spawn one entity below others."""
        twig, rope = self.some(), self.some()
        self.model[self.world.spawn(Twig(parent=twig), Rope(end=rope), Leaf)] = twig, rope

    def spawn_many(self) -> None:
        """Spawn many entities below others."""
        above = np.array([self.some() for _ in range(self.chance.choice([1, 3, 90]))])
        for handle, twig in zip(self.world.spawn_many(len(above), Twig(parent=above), Rope), above, strict=True):
            self.model[int(handle)] = int(twig), 0

    def move(self) -> None:
        """Give one entity another parent."""
        if self.model:
            handle, twig = self.chance.choice(list(self.model)), self.some()
            self.world.get(handle, Twig).parent = twig
            self.model[handle] = twig, self.model[handle][1]

    def move_all(self) -> None:
        """Write a complete column."""
        table = self.world[Rope]
        ends = [self.some() for _ in range(len(table))]
        table.end = np.array(ends, np.int64)
        for handle, end in zip(table.entities.tolist(), ends, strict=True):
            self.model[handle] = self.model[handle][0], end

    def despawn(self) -> None:
        """Despawn one entity or some."""
        chosen = self.chance.sample(list(self.model), min(len(self.model), self.chance.choice([1, 1, 1, 3])))
        if chosen:
            self.world.despawn(chosen if len(chosen) > 1 else chosen[0])
        gone = set(chosen)
        while gone:
            for handle in gone:
                del self.model[handle]
            gone = {handle for handle, above in self.model.items() if gone & set(above)}

    def store(self) -> None:
        """Take a snapshot."""
        self.stored = self.world.snapshot(), dict(self.model)

    def restore(self) -> None:
        """Go back to the snapshot."""
        if self.stored is not None:
            self.world.restore(self.stored[0])
            self.model = dict(self.stored[1])


STEPS = ["spawn", "spawn", "spawn_many", "move", "move", "move_all", "despawn", "despawn", "store", "restore"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(STEPS), min_size=5, max_size=60))
def test_children_go_with_their_parents(seed: int, steps: list[str]) -> None:
    """After any spawns, moves, despawns and restores, the same entities live as after a search of all parents."""
    garden = Garden(seed)
    for step in steps:
        getattr(garden, step)()
        table: Any = garden.world[Twig]
        assert set(table.entities.tolist()) == set(garden.model)
    for handle, (twig, rope) in garden.model.items():
        assert (garden.world.get(handle, Twig).parent, garden.world.get(handle, Rope).end) == (twig, rope)


@pytest.mark.parametrize("place", ["view", "set", "column"])
def test_a_write_in_a_stage_counts_before_its_end(place: str) -> None:
    """A parent that a system writes before or after it despawns that entity takes the child along."""
    world = World([Twig])
    above, below, other = world.spawn(Twig), world.spawn(Twig), world.spawn(Twig)
    world.despawn(world.spawn(Twig))
    world.stage = Stage.UPDATE
    world.despawn(above)
    if place == "view":
        world.get(below, Twig).parent = above
    elif place == "set":
        world.set(below, Twig(parent=above))
    else:
        world[Twig].parent[world[Twig].row_of(below)] = above
        world[Twig].mark()
    world.flush()
    assert world[Twig].entities.tolist() == [other]


def test_a_former_entity_of_the_slot_has_no_children() -> None:
    """An entity in the slot of a dead one does not take along those that still name the dead one."""
    world = World([Twig, Leaf])
    gone = world.spawn(Leaf)
    child = world.spawn(Twig)
    world.despawn(gone)
    world.set(child, Twig(parent=gone))
    heir = world.spawn(Leaf)
    assert heir & 0xFFFFFFFF == gone & 0xFFFFFFFF
    world.despawn(heir)
    assert world.alive(child)
