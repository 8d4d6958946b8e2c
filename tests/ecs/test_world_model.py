"""The World compared with a model of dicts under random operations."""

from __future__ import annotations

import copy
import random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from long_runs import long
from rish_ecs.declarations.columns import Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import Disabled, Each, component, field
from rish_ecs.declarations.system import TICK_STAGES
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import NotYet, StaleEntity, UnknownName


@component
class A:
    """A component with numbers."""

    x: float = 1.0
    at: Vec2 = field((1, 2))


@component
class B:
    """A component with texts and a list."""

    name: Str = "b"
    note: Chars = "note"
    items: list[int] = field((7,))


@component
class C:
    """A component with a parent."""

    parent: Entity = field(0, cascade=True)


KINDS: tuple[type, ...] = (A, B, C, Disabled)
DEFAULTS: dict[type, dict[str, Any]] = {
    A: {"x": 1.0, "at": (1.0, 2.0)},
    B: {"name": "b", "note": "note", "items": (7,)},
    C: {"parent": 0},
    Disabled: {},
}
Model = dict[int, dict[type, dict[str, Any]]]

_WORDS = st.sampled_from(["", "a", "bb", "ccc", "größe"])
_NUMBERS = st.integers(-1000, 1000).map(float)
_GIVEN = st.fixed_dictionaries(
    {},
    optional={
        A: st.fixed_dictionaries({}, optional={"x": _NUMBERS, "at": st.tuples(_NUMBERS, _NUMBERS)}),
        B: st.fixed_dictionaries(
            {},
            optional={
                "name": _WORDS,
                "note": _WORDS,
                "items": st.lists(st.integers(-9, 9), max_size=4).map(tuple),
            },
        ),
        Disabled: st.just({}),
    },
)


def _parts(given: dict[type, dict[str, Any]]) -> list[Any]:
    return [cls(**values) for cls, values in given.items()]


def _whole(given: dict[type, dict[str, Any]]) -> dict[type, dict[str, Any]]:
    return {cls: {**DEFAULTS[cls], **values} for cls, values in given.items()}


def _read(world: World, handle: int, cls: type) -> dict[str, Any]:
    view = world.get(handle, cls)
    read: dict[str, Any] = {name: getattr(view, name) for name in DEFAULTS[cls]}
    return {n: tuple(value.tolist()) if isinstance(value, np.ndarray) else value for n, value in read.items()}


class WorldMachine(RuleBasedStateMachine):
    """Runs every operation, immediate and queued, with snapshots and restores in between."""

    handles = Bundle("handles")
    snapshots = Bundle("snapshots")

    @initialize()
    def begin(self) -> None:
        """Start with an empty world and an empty model."""
        self.world = World(KINDS)
        self.model: Model = {}
        self.queue: list[Any] = []
        self.reserved: set[int] = set()
        self.ever: set[int] = set()

    def _do(self, change: Any) -> None:
        """Change the model immediately, or when the stage ends."""
        if self.world.stage is None:
            change()
        else:
            self.queue.append(change)

    def _alive(self, handle: int) -> bool:
        return handle in self.model or handle in self.reserved

    @rule(target=handles, given=_GIVEN)
    def spawn(self, given: Any) -> int:
        """Spawn one entity."""
        handle = self.world.spawn(*_parts(given))
        self._born([handle], given, {})
        return handle

    @rule(target=handles, given=_GIVEN, count=st.integers(0, 6), xs=st.lists(_NUMBERS, min_size=6, max_size=6))
    def spawn_many(self, given: Any, count: int, xs: list[float]) -> Any:
        """Spawn many entities, each with its own number and note."""
        given = {**given, A: {"at": (3.0, 4.0)}}
        given.pop(B, None)
        parts = [part for part in _parts(given) if type(part) is not A]
        parts += [A(x=np.array(xs[:count]), at=(3, 4)), B(note=Each([f"n{x}" for x in xs[:count]]))]
        made = self.world.spawn_many(count, *parts).tolist()
        own = {handle: {A: {"x": x}, B: {"note": f"n{x}"}} for handle, x in zip(made, xs[:count], strict=True)}
        self._born(made, given, own)
        return multiple(*made)

    def _born(self, made: list[int], given: Any, own: Any) -> None:
        assert not self.ever & set(made) or self.restored
        self.ever |= set(made)
        if self.world.stage is not None:
            self.reserved |= set(made)

        def change() -> None:
            for handle in made:
                if self.world.stage is not None:
                    self.reserved.discard(handle)
                whole = _whole(given)
                for cls, values in own.get(handle, {}).items():
                    whole[cls] = {**DEFAULTS[cls], **given.get(cls, {}), **values}
                self.model[handle] = whole

        self._do(change)

    restored = False

    @rule(target=handles, parent=handles)
    def spawn_child(self, parent: int) -> int:
        """Spawn an entity that is despawned with its parent."""
        handle = self.world.spawn(C(parent=parent))
        self._born([handle], {C: {"parent": parent}}, {})
        return handle

    @rule(chosen=st.lists(handles, min_size=1, max_size=4))
    def despawn(self, chosen: list[int]) -> None:
        """Despawn one or several entities with their children; a stale handle refuses the call."""
        if not all(self._alive(handle) for handle in chosen):
            with pytest.raises(StaleEntity):
                self.world.despawn(chosen)
            return
        self.world.despawn(chosen if len(chosen) > 1 else chosen[0])
        self._do(lambda: self._bury({handle for handle in chosen if handle in self.model}))

    def _bury(self, gone: set[int]) -> None:
        while gone:
            for handle in gone:
                del self.model[handle]
            gone = {handle for handle, carried in self.model.items() if C in carried and carried[C]["parent"] in gone}

    @rule(chosen=st.lists(handles, min_size=1, max_size=3), given=_GIVEN)
    def add(self, chosen: list[int], given: Any) -> None:
        """Add components to one or several entities; existing ones are replaced."""
        if not all(self._alive(handle) for handle in chosen):
            with pytest.raises(StaleEntity):
                self.world.add(chosen, *_parts(given))
            return
        self.world.add(chosen, *_parts(given))

        def change() -> None:
            for handle in chosen:
                if handle in self.model:
                    self.model[handle].update(_whole(given))

        self._do(change)

    @rule(chosen=st.lists(handles, min_size=1, max_size=3), kinds=st.sets(st.sampled_from(KINDS)))
    def remove(self, chosen: list[int], kinds: set[type]) -> None:
        """Remove components from one or several entities."""
        if not all(self._alive(handle) for handle in chosen):
            with pytest.raises(StaleEntity):
                self.world.remove(chosen, *kinds)
            return
        self.world.remove(chosen, *sorted(kinds, key=KINDS.index))

        def change() -> None:
            for handle in chosen:
                for cls in kinds:
                    self.model.get(handle, {}).pop(cls, None)

        self._do(change)

    @rule(handle=handles, given=_GIVEN)
    def set(self, handle: int, given: Any) -> None:
        """Set the given fields, all or none."""
        carried = self.model.get(handle)
        if carried is None:
            if not self._alive(handle):
                with pytest.raises(StaleEntity):
                    self.world.set(handle, *_parts(given))
            return
        if not given.keys() <= carried.keys():
            with pytest.raises(UnknownName):
                self.world.set(handle, *_parts(given))
            return
        self.world.set(handle, *_parts(given))
        for cls, values in given.items():
            carried[cls].update(values)

    @rule(handle=handles, cls=st.sampled_from((A, B, C)))
    def get(self, handle: int, cls: type) -> None:
        """Read one component: the values equal the model's, or the right error is raised."""
        if handle in self.model and cls in self.model[handle]:
            assert _read(self.world, handle, cls) == self.model[handle][cls]
            return
        expected = UnknownName if handle in self.model else NotYet if handle in self.reserved else StaleEntity
        with pytest.raises(expected):
            self.world.get(handle, cls)

    @precondition(lambda self: self.world.stage is None)
    @rule(stage=st.sampled_from(TICK_STAGES))
    def begin_stage(self, stage: Any) -> None:
        """Begin a stage, in which changes of structure are queued."""
        self.world.stage = stage

    @precondition(lambda self: self.world.stage is not None)
    @rule()
    def end_stage(self) -> None:
        """End the stage, which applies the queue."""
        for change in self.queue:
            change()
        self.queue = []
        self.reserved.clear()
        self.world.flush()
        self.world.stage = None

    @precondition(lambda self: self.world.stage is None)
    @rule()
    def end_tick(self) -> None:
        """End a tick."""
        self.world.end_tick()

    @precondition(lambda self: self.world.stage is None)
    @rule(target=snapshots, as_bytes=st.booleans())
    def snapshot(self, as_bytes: bool) -> Any:
        """Take a snapshot, as an object or as bytes."""
        taken = self.world.snapshot()
        return (taken.to_bytes() if as_bytes else taken), self.world.hash(), copy.deepcopy(self.model)

    @precondition(lambda self: self.world.stage is None)
    @rule(taken=snapshots, elsewhere=st.booleans())
    def restore(self, taken: Any, elsewhere: bool) -> None:
        """Restore a snapshot, in this world or in a new one."""
        snapshot, expected, model = taken
        if elsewhere:
            self.world = World(reversed(KINDS))
            self.world.intern("ccc")
        self.world.restore(Snapshot.from_bytes(snapshot) if isinstance(snapshot, bytes) else snapshot)
        assert self.world.hash() == expected
        self.model, self.restored = copy.deepcopy(model), True

    @rule(handle=consumes(handles))
    def forget(self, handle: int) -> None:
        """Drop a handle from the bundle."""

    @invariant()
    def agree(self) -> None:
        """World and model have the same entities, components and query results."""
        if not hasattr(self, "world"):
            return
        world, model = self.world, self.model
        assert len(world.entities) == len(model) + len(self.reserved)
        assert all(world.alive(handle) for handle in model)
        for cls in KINDS:
            expected = {handle for handle, carried in model.items() if cls in carried}
            assert set(world[cls].entities.tolist()) == expected
            assert len(world[cls]) == len(expected)
        for wanted, without in (((A,), ()), ((A, B), ()), ((B,), (C,)), ((A, B, C), ())):
            expected = {
                handle
                for handle, carried in model.items()
                if all(cls in carried for cls in wanted) and not any(cls in carried for cls in (*without, Disabled))
            }
            assert set(world.query(*wanted, without=without)) == expected

    def teardown(self) -> None:
        """Compare every value at the end."""
        if hasattr(self, "world"):
            for handle, carried in self.model.items():
                for cls in carried:
                    assert _read(self.world, handle, cls) == carried[cls]


TestWorldMachine = WorldMachine.TestCase
TestWorldMachine.settings = settings(max_examples=long(60, 20), stateful_step_count=40, deadline=None)


@pytest.mark.slow
@pytest.mark.parametrize("count", [long(1_000_000, 15_000)])
def test_random_operations(count: int) -> None:
    """Many random operations, single and in bulk, agree with a dict, and stale handles always raise."""
    world, chance = World([A, C]), random.Random(count)
    model: dict[int, float | None] = {}
    living: list[int] = []
    dead: list[int] = []
    done = 0
    while done < count:
        done += 1
        what = chance.random()
        if what < 0.25 or not living:
            number = float(chance.randrange(1 << 20))
            handle = world.spawn(A(x=number))
            model[handle] = number
            living.append(handle)
        elif what < 0.5:
            handle = _taken(living, chance)
            world.despawn(handle)
            del model[handle]
            dead.append(handle)
        elif what < 0.6:
            handle = chance.choice(living)
            number = float(chance.randrange(1 << 20))
            world.add(handle, A(x=number))
            model[handle] = number
        elif what < 0.68:
            handle = chance.choice(living)
            world.remove(handle, A)
            model[handle] = None
        elif what < 0.95:
            handle = chance.choice(living)
            expected = model[handle]
            assert world.has(handle, A) == (expected is not None)
            if expected is not None:
                assert world.get(handle, A).x == expected
        elif what < 0.998:
            _stale(world, dead, chance)
        else:
            done += _in_bulk(world, model, living, dead, chance)
    table = world[A]
    assert dict(zip(table.entities.tolist(), table.x.tolist(), strict=True)) == {
        handle: number for handle, number in model.items() if number is not None
    }
    assert world.alive(living).all()
    assert not world.alive(dead).any()
    assert len(world.entities) == len(living) == len(model)


def _taken(living: list[int], chance: random.Random) -> int:
    """Remove a random handle from the list and return it."""
    at = chance.randrange(len(living))
    living[at], living[-1] = living[-1], living[at]
    return living.pop()


def _stale(world: World, dead: list[int], chance: random.Random) -> None:
    if dead:
        handle = chance.choice(dead)
        assert not world.alive(handle)
        assert world[A].row_of(handle) == -1
        with pytest.raises(StaleEntity):
            world.get(handle, A)


def _in_bulk(world: World, model: Any, living: list[int], dead: list[int], chance: random.Random) -> int:
    """Spawn or despawn a few dozen entities together; return their number."""
    size = chance.randrange(1, 60)
    if chance.random() < 0.5:
        numbers = [float(chance.randrange(1 << 20)) for _ in range(size)]
        made = world.spawn_many(size, A(x=np.array(numbers))).tolist()
        model.update(zip(made, numbers, strict=True))
        living.extend(made)
        return size
    gone = [_taken(living, chance) for _ in range(min(size, len(living)))]
    world.despawn(gone)
    for handle in gone:
        del model[handle]
    dead.extend(gone)
    return len(gone)
