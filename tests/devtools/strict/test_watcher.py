"""Strict mode finds deliberate faults, names the system, and lets correct systems pass."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
import pytest

from rish_core.loop import BoundSystem, Schedule
from rish_devtools.strict import StrictError
from rish_devtools.strict.watcher import Strict
from rish_ecs import Chars, Stage, Vec2, World, component, event, field, resource, system


@component
class Body:
    """A body that moves."""

    position: Vec2 = field((0, 0))
    force: Vec2 = field((0, 0), transient=True)
    glow: float = field(0.0, view=True)


@component
class Note:
    """A component with a text."""

    text: Chars = field("")


@event
class Bump:
    """A collision."""

    force: float = 0.0


@resource
class Score:
    """A counter."""

    points: int = 0
    cache: Any = None


@resource(derived=True)
class Scratch:
    """A resource that every system may write."""

    numbers: list[int] = dataclass_field(default_factory=list[int])


def strict_world(*functions: Callable[..., None], rows: int = 3, **options: Any) -> tuple[World, Schedule]:
    """Return a world with some bodies, and a schedule whose systems are watched."""
    world = World([Body, Note, Bump])
    world.put(Score())
    world.put(Scratch())
    world.spawn_many(rows, Body(), Note(text="hello"))
    schedule = Schedule([BoundSystem.of("game", fn.__system__) for fn in functions])  # type: ignore[attr-defined]
    schedule.watcher = Strict(world, schedule, **options)
    return world, schedule


def run(world: World, schedule: Schedule, ticks: int = 3) -> None:
    """Run some ticks."""
    for _ in range(ticks):
        schedule.tick(world, world.dt)
        schedule.run(Stage.LATE, world, world.dt)
        world.end_tick()
        world.end_frame()


def test_honest_systems_pass_and_come_to_the_same() -> None:
    """Correct systems pass and have the same result as without strict mode.

    They have declared writes, structure changes, events, random numbers and scratch data.
    """

    @system(Stage.FORCES, writes=(Body, Score))
    def push(world: World, dt: float) -> None:
        world[Body].force[:] += 1
        world[Body].position[:] += world[Body].force * dt
        world[Score].points += int(world.random("push").integers(0, 10))
        world[Scratch].numbers.append(1)

    @system(Stage.UPDATE, writes=(Bump, Note))
    def bump(world: World, dt: float) -> None:
        world.spawn(Body(position=(1, world.tick)), Note(text="n" * world.tick))
        if world.tick % 2:
            world.despawn(int(world[Body].entities[0]))
            world.emit(Bump, force=float(world.tick))
        world[Note].text[0] = f"tick {world.tick}"

    @system(Stage.UPDATE, reads=Bump, writes=Score)
    def listen(world: World, dt: float) -> None:
        world[Score].points += len(world.events(Bump)) + len(world.added(Body))
        world.defer(lambda world: world.spawn(Body))

    @system(Stage.LATE, writes=Body)
    def glow(world: World, dt: float) -> None:
        world[Body].glow[:] += 0.5

    world, schedule = strict_world(push, bump, listen, glow)
    plain, loose = strict_world(push, bump, listen, glow)
    loose.watcher = None
    for _ in range(8):
        world.run_deferred()
        plain.run_deferred()
        run(world, schedule, 1)
        run(plain, loose, 1)
        assert world.hash() == plain.hash()
    assert len(world[Body]) == len(plain[Body]) > 8


def caught(*functions: Callable[..., None], says: str, **options: Any) -> None:
    """Assert that strict mode reports the systems, with this text."""
    world, schedule = strict_world(*functions, **options)
    with pytest.raises(StrictError, match=says):
        run(world, schedule)


@system(Stage.PRE, writes=Body)
def honest(world: World, dt: float) -> None:
    """Write only the declared components."""
    world[Body].position[:] += 1


def writer(write: Callable[[World], Any], stage: Stage = Stage.UPDATE) -> Callable[..., None]:
    """Return a system that declares a write of bodies and does something else as well."""

    @system(stage, writes=Body, name="sneak")
    def sneak(world: World, dt: float) -> None:
        write(world)

    return sneak


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda world: world[Note].text.__setitem__(1, "changed"), "Note"),
        (lambda world: world[Score].__setattr__("points", 3), "Score"),
        (lambda world: world.emit(Bump, force=1.0), "Bump"),
        (lambda world: world.set(int(world[Body].entities[0]), Note(text="set")), "Note"),
    ],
)
def test_an_undeclared_write_is_caught(write: Callable[[World], Any], what: str) -> None:
    """An undeclared write of a table, resource or event is reported.

    The message has the system, the written class, the place in the code and the declaration to add.
    """
    says = (
        rf"test_watcher\.py:\d+: system 'game\.sneak' wrote {what}, which it does not declare\. "
        rf"Declare it: @system\(Stage\.UPDATE, writes=\(Body, {what}\)\)"
    )
    caught(honest, writer(write), says=says)


def test_a_number_that_is_none_is_found_where_it_was_written() -> None:
    """A NaN is reported in the tick in which it was written, with component, field, entity and system."""

    @system(Stage.UPDATE, writes=Body)
    def divide(world: World, dt: float) -> None:
        with np.errstate(invalid="ignore"):
            world[Body].position[1] = np.zeros(2, np.float32) / np.float32(0)

    with pytest.raises(
        StrictError, match=r"test_watcher\.py:\d+: system 'game\.divide' wrote NaN into Body\.position of entity 1v1"
    ):
        run(*strict_world(divide))


def test_transient_and_view_fields_count_as_writes() -> None:
    """Writes of transient and view fields have to be declared as well, although they are not hashed."""

    @system(Stage.FORCES)
    def push(world: World, dt: float) -> None:
        world[Body].force[:] += 1

    @system(Stage.LATE)
    def glow(world: World, dt: float) -> None:
        world[Body].glow[:] += 1

    caught(honest, push, says=r"'game\.push' wrote Body")
    caught(honest, glow, says=r"'game\.glow' wrote Body")


def test_structure_changes_are_no_write() -> None:
    """Changes at the end of a stage are not attributed to the next system."""

    @system(Stage.PRE)
    def spawn(world: World, dt: float) -> None:
        world.spawn(Body(), Note(text="new"))

    @system(Stage.FORCES)
    def look(world: World, dt: float) -> None:
        pass

    run(*strict_world(spawn, look))


GROWS = 64
"""The number of rows that fill a new table. One more row replaces its columns."""


@system(Stage.PRE)
def grow(world: World, dt: float) -> None:
    """Spawn more bodies than there is room for."""
    world.spawn_many(GROWS, Body())


_kept: dict[str, Any] = {}


@system(Stage.INPUT, writes=Body)
def keeper(world: World, dt: float) -> None:
    """Keep a column from the first call on."""
    column = _kept.setdefault("position", world[Body].position)
    column[0] += 1


def test_a_kept_column_is_caught_when_it_is_outgrown() -> None:
    """A system that keeps a column replaced by growth is reported, with the name that holds it."""
    try:
        caught(
            keeper,
            grow,
            says=r"test_watcher\.py:\d+: system 'game\.keeper' keeps a column of Body\.position "
            r"that growth has replaced, in global '_kept'.*Fetch world\[Body\]\.position each time",
        )
    finally:
        _kept.clear()


def test_a_kept_column_that_is_never_outgrown_passes() -> None:
    """A kept column is no fault as long as it is the current one."""
    try:
        run(*strict_world(keeper, replay=False))
    finally:
        _kept.clear()


class _Vault:
    """Hides a column from the search."""

    def __init__(self) -> None:
        self.views = iter(())

    def take(self, world: World) -> None:
        view = world[Body].position
        self.views = itertools.repeat(view)


def test_a_write_into_an_outgrown_column_is_caught() -> None:
    """A write into an outdated column is reported with its system, even if the search can't find the column."""
    vault = _Vault()

    @system(Stage.INPUT, name="write")
    def write(world: World, dt: float) -> None:
        if world.tick == 0:
            vault.take(world)
        else:
            next(vault.views)[0] += 1  # type: ignore[call-overload]

    caught(
        write,
        grow,
        honest,
        says=r"system 'game\.write' wrote into a column of Body\.position that growth",
        replay=False,
    )


def test_a_resource_that_keeps_a_column_is_caught() -> None:
    """A resource that keeps a column is reported."""

    @system(Stage.INPUT, writes=Score)
    def keep(world: World, dt: float) -> None:
        if world[Score].cache is None:
            world[Score].cache = world[Body].glow

    caught(keep, grow, says=r"resource 'Score' keeps a column of Body\.glow .*cache", replay=False)


def test_a_column_kept_by_a_test_is_no_fault_of_a_system() -> None:
    """A column kept outside systems and resources, as in a variable here, is not attributed to them."""
    world, schedule = strict_world(grow, honest)
    column = world[Body].position
    run(world, schedule)
    assert len(column) == 3


_calls = {"count": 0}


def test_a_counter_outside_the_world_is_caught() -> None:
    """A system that counts its calls in a global is reported, with the data that differs."""

    @system(Stage.UPDATE, writes=Score)
    def count(world: World, dt: float) -> None:
        _calls["count"] += 1
        world[Score].points = _calls["count"]

    caught(
        honest,
        count,
        says=r"test_watcher\.py:\d+: system 'game\.count' gives different results for Score "
        r"when it runs twice.*hides state.*@resource",
    )


def test_chance_from_elsewhere_is_caught() -> None:
    """Random numbers of Python and numpy are reported as hidden state, also if they only decide a spawn."""

    @system(Stage.UPDATE, writes=Body)
    def shake(world: World, dt: float) -> None:
        world[Body].position[:] += np.random.random((3, 2)).astype(np.float32)

    @system(Stage.UPDATE)
    def scatter(world: World, dt: float) -> None:
        world.spawn(Body(position=(random.random(), 0)))

    caught(shake, says=r"'game\.shake' gives different results for Body")
    caught(scatter, says=r"'game\.scatter' gives different results for what it spawns, adds or removes")


def test_a_flag_outside_the_world_is_caught() -> None:
    """A "first time" flag in a closure is reported in the first tick."""
    done: list[bool] = []

    @system(Stage.PRE)
    def begin(world: World, dt: float) -> None:
        if not done:
            done.append(True)
            world.spawn(Body)

    caught(begin, says=r"'game\.begin' gives different results for what it spawns")


def test_hidden_state_for_the_eye_is_allowed() -> None:
    """View fields may differ between two runs of a tick, since they are never hashed."""
    count = itertools.count()

    @system(Stage.UPDATE, writes=Body)
    def twinkle(world: World, dt: float) -> None:
        world[Body].glow[:] = next(count)

    run(*strict_world(twinkle))


def test_failures_are_reported_as_failures() -> None:
    """A system that raises is reported by the schedule as without strict mode; the others are still watched."""

    @system(Stage.PRE, writes=Body)
    def broken(world: World, dt: float) -> None:
        world[Body].position[:] = 7
        raise ValueError("broken")

    world, schedule = strict_world(broken, honest)
    failures: list[str] = []
    schedule.on_error = lambda bound, failure: failures.append(bound.name) or "disable"  # type: ignore[func-returns-value]
    run(world, schedule)
    assert failures == ["game.broken"]
    assert schedule.disabled == ("game.broken",)


def test_close_takes_the_watcher_off() -> None:
    """After `close` nothing is checked, and tables call no callback when they grow."""
    world, schedule = strict_world(writer(lambda world: world[Score].__setattr__("points", 3)))
    assert isinstance(schedule.watcher, Strict)
    schedule.watcher.close()
    run(world, schedule)
    assert schedule.watcher is None
    assert world[Body].on_grow == []


def test_a_system_that_writes_the_world_may_write_anything() -> None:
    """`writes=World` covers every table; in a frame stage hashed state still must not be written."""

    @system(Stage.UPDATE, writes=World)
    def anything(world: World, dt: float) -> None:
        world[Body].force[:] += 1
        world[Score].points += 1
        world.emit(Bump, force=1.0)

    @system(Stage.LATE, writes=World)
    def eye(world: World, dt: float) -> None:
        world[Body].glow[:] += 1

    @system(Stage.LATE, writes=World)
    def bad(world: World, dt: float) -> None:
        world[Body].position[:] += 1

    run(*strict_world(anything, eye))
    caught(honest, bad, says=r"'game\.bad' of stage LATE wrote hashed state of Body")
