"""Islands: which bodies fall asleep and wake together."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import World
from rish_physics.components import tables as t
from rish_physics.contacts import islands
from rish_physics.contacts.state import State

ON = t.USED | t.ENABLED


class Bunch:
    """Bodies without shapes, with contacts and joints between them."""

    def __init__(self, rig: ModuleType, kinds: list[int], **settings: Any) -> None:
        self.world: World = rig.empty_world(sleeping=True, **settings)
        kinds_ = np.array(kinds, np.int32)
        flags = kinds_ | ON | t.ALLOW_SLEEP | np.where(kinds_ != t.STATIC, t.AWAKE, 0)
        self.bodies = self.world[t.Bodies]
        self.bodies.append(len(kinds), flags=flags.astype(np.int32))
        self.bodies.rest[:, 0] = 10
        self.state.rested = 10.0

    @property
    def state(self) -> State:
        """The state of the World."""
        return State.of(self.world)

    def touch(self, a: int, b: int, flags: int = t.TOUCHING) -> None:
        """Add a contact between two bodies."""
        pair, info = np.array([[0, 0, a, b]], np.int32), np.array([[1, flags]], np.int32)
        self.world[t.Contacts].append(1, pair=pair, info=info)
        self.state.stale()

    def join(self, a: int, b: int, flags: int = t.JOINT_USED) -> None:
        """Add a joint between two bodies."""
        self.world[t.Joints].append(1, pair=np.array([[a, b]], np.int32), flags=flags)
        self.state.stale()

    def awake(self) -> list[int]:
        """Return the slots of the awake bodies."""
        return np.flatnonzero(self.bodies.flags & t.AWAKE).tolist()

    def sleep(self) -> list[int]:
        """Run the sleep stage; return the slots of the bodies that fell asleep."""
        before = self.awake()
        islands.put_to_sleep(self.state)
        self.state.refresh()
        return sorted(set(before) - set(self.awake()))

    def wake(self, *slots: int) -> list[int]:
        """Wake some bodies; return the slots of those that woke up."""
        before = self.awake()
        islands.wake(self.state, np.array(slots, np.int32))
        self.state.refresh()
        return sorted(set(self.awake()) - set(before))


@pytest.fixture
def bunch(rig: ModuleType) -> Any:
    """Provide a function that makes a `Bunch`."""
    return lambda kinds, **settings: Bunch(rig, kinds, **settings)


def plain_islands(n: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Return the connected sets of the numbers 1 to n, by walking along all edges."""
    near: dict[int, set[int]] = {k: set() for k in range(1, n + 1)}
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    found, seen = [], set[int]()
    for start in near:
        if start not in seen:
            island, todo = set[int](), [start]
            while todo:
                k = todo.pop()
                if k not in island:
                    island.add(k)
                    todo += near[k]
            seen |= island
            found.append(island)
    return found


@pytest.mark.slow
@settings(max_examples=long(60, 15), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), share=st.sampled_from([0.3, 0.8, 1.5]))
def test_an_island_sleeps_when_all_of_it_rests(rig: ModuleType, seed: int, n: int, share: float) -> None:
    """The sleeping islands of dynamic bodies equal those of a plain search along contacts and joints; each stores its
    lowest slot.
    """
    random = np.random.default_rng(seed)
    kinds = random.choice([t.STATIC, t.KINEMATIC, t.DYNAMIC], n, p=[0.1, 0.1, 0.8]).tolist()
    bunch = Bunch(rig, kinds)
    limit = float(bunch.state.scaled.sleep_time)
    bunch.bodies.rest[1:, 0] = np.where(random.random(n) < 0.15, limit * 0.9, limit * 2)
    bunch.bodies.flags[1:] &= ~np.where(random.random(n) < 0.05, t.ALLOW_SLEEP, 0)
    moving = (np.array(kinds) == t.KINEMATIC) & (random.random(n) < 0.5)
    bunch.bodies.state[1:][moving, 2] = 0.5
    edges, bound = [], set[int]()
    for a, b in random.integers(1, n + 1, (int(share * n), 2)).tolist():
        kind = random.choice(["touch", "joint", "near", "sensor", "free"], p=[0.5, 0.2, 0.1, 0.1, 0.1])
        if kind in ("joint", "free"):
            bunch.join(a, b, t.JOINT_USED if kind == "joint" else 0)
        else:
            bunch.touch(a, b, {"touch": t.TOUCHING, "near": 0, "sensor": t.TOUCHING | t.IS_SENSOR}[kind])
        if kind in ("touch", "joint"):
            both = [kinds[a - 1], kinds[b - 1]]
            if both == [t.DYNAMIC] * 2:
                edges.append((a, b))
            for one, other in ((a, b), (b, a)):
                if kinds[one - 1] == t.DYNAMIC and moving[other - 1]:
                    bound.add(one)
    expected = set[int]()
    for island in plain_islands(n, edges):
        rested = all(
            bunch.bodies.rest[s, 0] >= limit and bunch.bodies.flags[s] & t.ALLOW_SLEEP and not moving[s - 1]
            for s in island
        )
        if rested and not island & bound and all(kinds[s - 1] == t.DYNAMIC for s in island):
            expected |= island
    assert bunch.sleep() == sorted(expected)
    assert bunch.state.slept.tolist() == sorted(expected)
    assert not bunch.bodies.state[sorted(expected), :3].any()
    for island in plain_islands(n, edges):
        asleep = sorted(island & expected)
        assert all(bunch.bodies.island[s] == asleep[0] for s in asleep)
        if asleep:
            chosen = int(random.choice(asleep))
            assert bunch.wake(chosen) == asleep
            assert not bunch.bodies.rest[asleep, 0].any()


def test_a_floor_connects_no_bodies(bunch: Any) -> None:
    """Static and kinematic bodies do not connect islands: two boxes on one floor sleep separately, without them."""
    two = bunch([t.STATIC, t.DYNAMIC, t.DYNAMIC, t.KINEMATIC])
    for a, b in ((1, 2), (1, 3), (2, 4), (3, 4)):
        two.touch(a, b)
    two.bodies.rest[3, 0] = 0
    assert two.sleep() == [2]


def test_who_is_touched_wakes_with_its_island(bunch: Any) -> None:
    """A body that touches a sleeping heap wakes the complete heap, and no other body."""
    heap = bunch([t.DYNAMIC] * 5)
    heap.touch(1, 2)
    heap.touch(2, 3)
    heap.bodies.rest[4, 0] = 0
    assert heap.sleep() == [1, 2, 3, 5]
    heap.touch(3, 4, 0)
    islands.wake_touched(heap.state)
    assert heap.awake() == [4]
    heap.world[t.Contacts].info[2, 1] = t.TOUCHING
    heap.state.refresh()
    islands.wake_touched(heap.state)
    assert heap.awake() == [1, 2, 3, 4]
    assert heap.state.woken.slot.tolist() == [1, 2, 3]


def test_a_platform_wakes_what_it_touches_only_while_it_moves(bunch: Any) -> None:
    """A kinematic body wakes the bodies that it touches only while it moves."""
    two = bunch([t.DYNAMIC, t.KINEMATIC])
    two.touch(1, 2)
    two.bodies.rest[2, 0] = 0
    assert two.sleep() == [1]
    islands.wake_touched(two.state)
    assert two.awake() == [2]
    two.bodies.state[2, 1] = 0.01
    islands.wake_touched(two.state)
    assert two.awake() == [1, 2]


def test_a_joint_to_one_that_moves_wakes(bunch: Any) -> None:
    """A joint to a moving body wakes a sleeping one."""
    two = bunch([t.DYNAMIC, t.DYNAMIC])
    two.bodies.rest[2, 0] = 0
    assert two.sleep() == [1]
    two.join(1, 2)
    two.state.refresh()
    islands.wake_touched(two.state)
    assert two.awake() == [1, 2]


def test_a_sensor_wakes_no_body(bunch: Any) -> None:
    """A sensor wakes no body."""
    two = bunch([t.DYNAMIC, t.DYNAMIC])
    two.touch(1, 2, t.TOUCHING | t.IS_SENSOR)
    two.bodies.rest[2, 0] = 0
    assert two.sleep() == [1]
    islands.wake_touched(two.state)
    assert two.awake() == [2]


def test_a_body_that_was_put_to_sleep_by_hand_wakes_alone(bunch: Any) -> None:
    """A body that was put to sleep from outside belongs to no island and wakes alone."""
    three = bunch([t.DYNAMIC] * 3)
    three.bodies.flags[1:] &= ~t.AWAKE
    three.state.stale()
    assert three.wake(2) == [2]


def test_waking_one_that_is_awake_only_starts_its_rest_anew(bunch: Any) -> None:
    """Waking an awake body only resets its rest time, and static bodies are not woken."""
    two = bunch([t.DYNAMIC, t.STATIC])
    assert two.wake(1, 2) == []
    assert two.bodies.rest[1, 0] == 0
    assert two.sleep() == []
    assert not len(two.state.woken)


def test_no_body_sleeps_where_sleeping_is_off_or_too_early(bunch: Any, rig: ModuleType) -> None:
    """No body sleeps if sleeping is off, or before one has rested long enough."""
    early = bunch([t.DYNAMIC])
    early.state.rested = 0.1
    assert early.sleep() == []
    never = bunch([t.DYNAMIC])
    never.world[rig.PhysicsSettings].sleeping = False
    assert never.sleep() == []


def test_a_heap_falls_asleep_and_wakes_when_its_support_goes(rig: ModuleType) -> None:
    """All boxes of a pyramid sleep within two seconds, then do not move, and wake up when one is hit."""
    made = rig.Rig("pyramid20", sleeping=True)
    made.step(120)
    state = made.state
    assert len(state.awake) == 0
    before = made.poses()
    assert len(state.contacts) > 500
    made.step(10)
    assert np.array_equal(made.poses(), before)
    islands.wake(state, np.array([2]))
    made.world[t.Bodies].state[2, :2] = (0, 3)
    made.step(2)
    assert len(state.awake) == 210
