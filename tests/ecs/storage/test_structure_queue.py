"""Changes of structure within a stage: reserved handles, a queue in call order, and refusals in frame stages."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs.declarations.columns import Asset, Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import Disabled, component, event, field
from rish_ecs.declarations.system import TICK_STAGES, Stage
from rish_ecs.world import World
from rish_jit.errors import NotYet, RishError, StaleEntity, UnknownName, UsageError


@component
class Place:
    """A position and a parent."""

    at: Vec2 = field((0, 0))
    parent: Entity = field(0, cascade=True)


@component
class Body:
    """A component with many types of fields."""

    mass: float = field(1.0, low=0)
    label: Chars = "body"
    kind: Str = "thing"
    image: Asset = ""
    seen: int = field(0, view=True)


@component
class Owner:
    """A component that refers to an owner and is despawned with it."""

    who: Entity = field(0, cascade=True)


@event
class Ping:
    """An event without fields."""


def _world() -> World:
    return World([Place, Body, Owner, Ping])


def _end(world: World) -> None:
    world.flush()
    world.stage = None


@pytest.mark.parametrize("stage", TICK_STAGES)
def test_reserved_entities(stage: Stage) -> None:
    """A handle that is spawned in a stage can be stored and used as a reference, but not read before the stage ends."""
    world = _world()
    world.stage = stage
    handle = world.spawn(Body(mass=4))
    many = world.spawn_many(2, Place(parent=handle))
    assert not world.alive(handle)
    for read in (
        lambda: world.get(handle, Body),
        lambda: world.has(handle, Body),
        lambda: world.components_of(int(many[0])),
        lambda: world.entity(handle)[Body].mass,
    ):
        with pytest.raises(NotYet, match=rf"exists after {stage.name}. Pass its values to spawn"):
            read()
    assert len(world.query(Body)) == 0
    assert world.pending
    _end(world)
    assert not world.pending
    assert world.get(handle, Body).mass == 4
    assert world[Place].parent.tolist() == [handle, handle]


def test_call_order() -> None:
    """Queued changes are applied in the order of the calls."""
    world = _world()
    old = world.spawn(Body(mass=1))
    world.stage = Stage.FORCES
    new = world.spawn(Body(mass=1))
    world.set(new, Body(mass=2))
    world.add(new, Place(at=(1, 1)))
    world.set(new, Place(at=(2, 2)))
    world.remove(new, Body)
    world.add(new, Body(label="again"))
    world.remove(old, Body)
    world.add(old, Body(mass=8))
    assert world.get(old, Body).mass == 1
    _end(world)
    assert world.get(new, Place).at.tolist() == [2, 2]
    assert (world.get(new, Body).mass, world.get(new, Body).label) == (1, "again")
    assert world.get(old, Body).mass == 8


def test_setting_the_living_happens_at_once() -> None:
    """Fields of existing entities are written immediately, also within a stage."""
    world = _world()
    handle = world.spawn(Body)
    world.stage = Stage.STEP
    world.set(handle, Body(mass=2))
    world.get(handle, Body).mass += 1
    assert world.get(handle, Body).mass == 3
    assert not world.pending


def test_a_part_may_be_changed_after_it_was_given() -> None:
    """A queued change keeps the values of the time of the call."""
    world = _world()
    world.stage = Stage.UPDATE
    part = Body(mass=1)
    masses = np.ones(2, np.float32)
    many = Body(mass=masses)
    first = world.spawn(part)
    part.mass = 2
    second = world.spawn(part)
    pair = world.spawn_many(2, many)
    masses[:] = 50
    many.mass[:] = 60  # pyright: ignore[reportIndexIssue]
    pair[:] = 0
    _end(world)
    assert world[Body].mass.tolist() == [1, 2, 1, 1]
    assert world[Body].entities[:2].tolist() == [first, second]


def test_despawning_twice_is_fine() -> None:
    """An entity can be despawned twice in a stage, with its children; later changes to it are dropped."""
    world = _world()
    enemy = world.spawn(Place)
    child = world.spawn(Place(parent=enemy))
    kept = world.spawn(Place)
    world.stage = Stage.POST
    world.despawn(enemy)
    world.despawn([enemy, child])
    world.add([enemy, kept], Body(mass=np.array([1, 2])))
    world.set(child, Place(at=(1, 1)))
    world.remove(enemy, Place)
    world.despawn(child)
    assert world.alive(enemy)
    _end(world)
    assert world.alive([enemy, child, kept]).tolist() == [False, False, True]
    assert world.get(kept, Body).mass == 2


def test_spawn_and_despawn_in_one_stage() -> None:
    """An entity that is spawned and despawned in the same stage never exists."""
    world = _world()
    world.stage = Stage.UPDATE
    handle = world.spawn(Place, Body)
    child = world.spawn(Place(parent=handle))
    world.despawn(handle)
    world.add(handle, Owner)
    _end(world)
    assert world.alive([handle, child]).tolist() == [False, False]
    assert len(world.entities) == len(world[Owner]) == 0
    with pytest.raises(StaleEntity):
        world.get(handle, Body)


def test_frame_stages_refuse() -> None:
    """In frame stages changes of hashed state are refused; view fields may be written."""
    world = _world()
    handle = world.spawn(Body)
    before = world.hash()
    for stage in Stage:
        if stage in TICK_STAGES:
            continue
        world.stage, world.running = stage, "render.draw"
        for refused in (
            lambda: world.spawn(Body),
            lambda: world.spawn_many(2, Body),
            lambda: world.despawn(handle),
            lambda: world.add(handle, Place),
            lambda: world.remove(handle, Body),
            lambda: world.set(handle, Body(mass=2)),
            lambda: setattr(world.get(handle, Body), "mass", 2),
            lambda: world.emit(Ping),
            lambda: world.random("sparks"),
        ):
            with pytest.raises(UsageError, match=f"render.draw: .* in {stage.name}: only TICK stages may change"):
                refused()
        world.set(handle, Body(seen=int(stage)))
        world.get(handle, Body).seen += 1
        assert world.get(handle, Body).seen == stage + 1
    world.stage = None
    assert world.hash() == before
    assert not world.pending


def test_a_mistake_in_the_queue_spares_the_rest() -> None:
    """A queued `set` of a missing component is reported, and all other changes are applied."""
    world = _world()
    world.stage = Stage.UPDATE
    first = world.spawn(Place)
    world.set(first, Body(mass=2))
    second = world.spawn(Body(mass=3))
    with pytest.raises(UnknownName, match="entity 0v1 has no Body"):
        world.flush()
    world.stage = None
    assert world.alive([first, second]).tolist() == [True, True]
    assert not world.pending


def test_what_a_stage_left_comes_first() -> None:
    """A change outside of a stage first applies the queue of the stage."""
    world = _world()
    world.stage = Stage.UPDATE
    handle = world.spawn(Place)
    world.stage = None
    world.despawn(handle)
    assert not world.alive(handle)
    assert not world.pending
    assert len(world[Place]) == 0
    world.stage = Stage.UPDATE
    handle = world.spawn(Place)
    world.stage = None
    world.set(handle, Place(at=(1, 2)))
    assert world.get(handle, Place).at.tolist() == [1, 2]


def test_snapshot_with_a_queue() -> None:
    """A transient snapshot within a stage contains the queue; it cannot be converted to bytes."""
    world = _world()
    world.stage = Stage.UPDATE
    handle = world.spawn(Body(mass=5, label="x"))
    saved = world.snapshot(transient=True)
    _end(world)
    after = world.hash()
    world.restore(saved)
    assert world.pending
    assert not world.alive(handle)
    world.flush()
    assert world.hash() == after
    assert world.get(handle, Body).label == "x"
    with pytest.raises(RishError, match=r"within a stage can't be saved. Take it at the tick border"):
        saved.to_bytes()


def test_disabled_is_known_everywhere() -> None:
    """Every world has the component `Disabled`."""
    world = World()
    handle = world.spawn(Disabled)
    assert world.has(handle, Disabled)
