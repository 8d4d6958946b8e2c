"""esper's side of the benchmark `ecs`: one object for each component, as in its manual."""

from __future__ import annotations

from collections.abc import Callable

import esper

from ._ecs_scene import COUNT, DT, FEW, places, shuffled
from ._task import Task


class Position:
    """The position of an entity."""

    __slots__ = ("x", "y")

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


class Velocity:
    """The velocity of an entity."""

    __slots__ = ("x", "y")

    def __init__(self, x: float = 1.0, y: float = 0.5) -> None:
        self.x, self.y = x, y


class Health:
    """The hit points of an entity."""

    __slots__ = ("points",)

    def __init__(self, points: int = 100) -> None:
        self.points = points


class Move(esper.Processor):
    """Moves all entities."""

    def process(self, dt: float) -> None:
        for _, (position, velocity) in esper.get_components(Position, Velocity):
            position.x += velocity.x * dt
            position.y += velocity.y * dt


def _start() -> None:
    """Start with an empty world."""
    if "empty" in esper.list_worlds():
        esper.switch_world("default")
        esper.delete_world("empty")
    esper.switch_world("empty")


def _fill(count: int = COUNT) -> list[int]:
    return [esper.create_entity(Position(x, y), Velocity(), Health()) for x, y in places()[:count].tolist()]


def _full_world() -> list[int]:
    _start()
    return _fill()


def _task(run: Callable[[], object], before: Callable[[], object] | None = None) -> Task:
    return Task(run, before, after=_start)


def move() -> Task:
    """Move all entities with one processor."""
    _full_world()
    esper.add_processor(Move())
    return _task(lambda: esper.process(DT))


def spawn_many() -> Task:
    """Spawn 100,000 entities with three components in a new world."""
    spots = places().tolist()

    def run() -> None:
        for x, y in spots:
            esper.create_entity(Position(x, y), Velocity(), Health(50))

    return _task(run, _start)


def requery() -> Task:
    """Query again after one spawn."""
    _full_world()
    return _task(
        lambda: esper.get_components(Position, Velocity),
        lambda: esper.create_entity(Position(0, 0), Velocity()),
    )


def despawn_many() -> Task:
    """Despawn 10,000 of 100,000 entities, chosen at random."""
    alive = _full_world()
    chosen = sorted(shuffled()[:FEW].tolist(), reverse=True)
    doomed: list[int] = []

    def before() -> None:
        if doomed:
            alive.extend(_fill(FEW))
        doomed.clear()
        for place in chosen:
            doomed.append(alive[place])
            alive[place] = alive[-1]
            alive.pop()

    def run() -> None:
        for entity in doomed:
            esper.delete_entity(entity, immediate=True)

    return _task(run, before)


def add_remove() -> Task:
    """Add a component to 10,000 entities and remove it again."""
    _start()
    entities = [esper.create_entity(Position(0, 0), Velocity()) for _ in range(COUNT)]
    chosen = [entities[i] for i in shuffled()[:FEW].tolist()]

    def run() -> None:
        for entity in chosen:
            esper.add_component(entity, Health())
        for entity in chosen:
            esper.remove_component(entity, Health)

    return _task(run)


def spawn_one() -> Task:
    """Spawn a single entity with three components."""
    _start()
    return _task(lambda: esper.create_entity(Position(1, 2), Velocity(), Health()))


def despawn_one() -> Task:
    """Despawn a single entity of 100,000."""
    _full_world()
    made = [0]

    def before() -> None:
        made[0] = esper.create_entity(Position(0, 0), Velocity(), Health())

    return _task(lambda: esper.delete_entity(made[0], immediate=True), before)


def get_set_one() -> Task:
    """Read and write one attribute of one entity."""
    entity = _full_world()[COUNT // 2]

    def run() -> None:
        health = esper.component_for_entity(entity, Health)
        health.points = health.points + 1 & 63

    return _task(run)


def events() -> Task:
    """Dispatch 1,000 events to one handler."""
    total = [0.0]

    def handle(_target: int, damage: float) -> None:
        total[0] += damage

    esper.set_handler("hit", handle)

    def run() -> None:
        for target in range(1000):
            esper.dispatch_event("hit", target, 1.0)

    run.handler = handle  # type: ignore[attr-defined]
    return _task(run)
