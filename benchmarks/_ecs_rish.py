"""Rish's side of the benchmark `ecs`: worlds and systems of `rish_ecs` alone, without the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import Stage, Vec2, World, component, event, field, system
from rish_ecs.declarations import Column
from rish_jit import njit

from ._ecs_scene import COUNT, DT, FEW, places, shuffled
from ._task import Task


@component
class Position:
    """The position of an entity."""

    value: Vec2 = field((0, 0))


@component
class Velocity:
    """The velocity of an entity."""

    value: Vec2 = field((1, 0.5))


@component
class Health:
    """The hit points of an entity."""

    points: int = field(100, low=0)


@event
class Hit:
    """A hit."""

    target: int
    damage: float


@njit
def advance(position: Column, velocity: Column, dt: Any) -> None:
    """Move the entities of two flat columns with the same rows."""
    for i in range(len(position)):
        position[i] += velocity[i] * dt


@njit
def advance_rows(rows: Column, others: Column, position: Column, velocity: Column, dt: Any) -> None:
    """Move the entities of two flat columns with different rows."""
    for k in range(len(rows)):
        i, j = 2 * rows[k], 2 * others[k]
        position[i] += velocity[j] * dt
        position[i + 1] += velocity[j + 1] * dt


@system(Stage.STEP, reads=Velocity, writes=Position)
def drift(world: World, dt: float) -> None:
    """Move all entities: by slices if the tables are aligned, otherwise by rows."""
    query = world.query(Position, Velocity)
    step = np.float32(dt)
    if query.aligned:
        advance(query.flat(Position.value), query.flat(Velocity.value), step)
    else:
        position, velocity = world[Position].flat("value"), world[Velocity].flat("value")
        advance_rows(query.rows(Position), query.rows(Velocity), position, velocity, step)


def _world() -> World:
    return World([Position, Velocity, Health, Hit], seed=7, dt=DT)


def move_world() -> World:
    """Return a world of 100,000 entities in aligned tables."""
    world = _world()
    world.spawn_many(COUNT, Position(value=places()), Velocity, Health)
    return world


def _unaligned_world() -> World:
    """Return a world of as many entities with both components, in tables of different order."""
    world = _world()
    handles = world.spawn_many(COUNT, Position(value=places()))
    world.add(handles[shuffled()], Velocity())
    return world


def _ticking(world: World) -> Task:
    def tick() -> None:
        drift(world, DT)
        world.end_tick()

    return Task(tick)


def move() -> Task:
    """One tick with one system over aligned tables."""
    return _ticking(move_world())


def gather() -> Task:
    """One tick with one system over tables that are not aligned."""
    return _ticking(_unaligned_world())


def spawn_many() -> Task:
    """Spawn 100,000 entities with three components in a new world."""
    made: list[World] = []
    spots = places()

    def before() -> None:
        made[:] = [_world()]

    def run() -> None:
        made[0].spawn_many(COUNT, Position(value=spots), Velocity(), Health(points=50))

    return Task(run, before)


def requery() -> Task:
    """Query again after one spawn and get the slices."""
    world = move_world()

    def run() -> None:
        query = world.query(Position, Velocity)
        query.flat(Position.value)
        query.flat(Velocity.value)

    return Task(run, lambda: world.spawn(Position(), Velocity()))


def requery_rows() -> Task:
    """Query again after one spawn and get the rows of tables that are not aligned."""
    world = _unaligned_world()

    def run() -> None:
        query = world.query(Position, Velocity)
        query.rows(Position)
        query.rows(Velocity)

    return Task(run, lambda: world.spawn(Position(), Velocity()))


def query_unchanged() -> Task:
    """Query again after no change."""
    world = move_world()
    return Task(lambda: world.query(Position, Velocity))


def snapshot() -> Task:
    """Copy all state."""
    return Task(move_world().snapshot)


def restore() -> Task:
    """Restore a copy of all state."""
    world = move_world()
    kept = world.snapshot()
    return Task(lambda: world.restore(kept))


def hash_world() -> Task:
    """Hash all state."""
    return Task(move_world().hash)


def despawn_many() -> Task:
    """Despawn 10,000 of 100,000 entities, chosen at random."""
    world = move_world()
    doomed = [np.zeros(0, np.int64)]

    def before() -> None:
        if len(doomed[0]):
            world.spawn_many(FEW, Position(), Velocity(), Health())
        doomed[0] = world[Position].entities[shuffled()[:FEW]]

    return Task(lambda: world.despawn(doomed[0]), before)


def add_remove() -> Task:
    """Add a component to 10,000 entities and remove it again."""
    world = _world()
    handles = world.spawn_many(COUNT, Position(), Velocity())[shuffled()[:FEW]]

    def run() -> None:
        world.add(handles, Health())
        world.remove(handles, Health)

    return Task(run)


def spawn_one() -> Task:
    """Spawn a single entity with three components."""
    world = _world()
    return Task(lambda: world.spawn(Position(value=(1, 2)), Velocity(), Health()))


def despawn_one() -> Task:
    """Despawn a single entity of 100,000."""
    world = move_world()
    made = [0]

    def before() -> None:
        made[0] = world.spawn(Position(), Velocity(), Health())

    return Task(lambda: world.despawn(made[0]), before)


def get_set_one() -> Task:
    """Read and write one field of one entity."""
    world = move_world()
    handle = int(world[Health].entities[COUNT // 2])

    def run() -> None:
        health = world.get(handle, Health)
        health.points = health.points + 1 & 63

    return Task(run)


def events() -> Task:
    """Emit 1,000 events in one batch and read them as columns, through one complete tick."""
    world = _world()
    targets, damages = np.arange(1000, dtype=np.int32), np.ones(1000, np.float32)

    def run() -> None:
        world.emit(Hit, target=targets, damage=damages)
        world.events(Hit).damage.sum()
        world.end_tick()

    return Task(run)


def events_single() -> Task:
    """Emit 1,000 events one by one and read them one by one."""
    world = _world()

    def run() -> None:
        for target in range(1000):
            world.emit(Hit, target=target, damage=1.0)
        total = 0.0
        batch: Any = world.events(Hit)
        for hit in batch:
            total += hit.damage
        world.end_tick()

    return Task(run)
