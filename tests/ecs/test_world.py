"""The World: lookups, resources, time and the end of the tick."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Chars, Str, Vec2
from rish_ecs.declarations.component import component, event, field, table
from rish_ecs.declarations.resource import resource
from rish_ecs.declarations.system import Stage
from rish_ecs.random import RandomStreams
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, UnknownName, UsageError


@component
class Body:
    """A component with a transient field."""

    mass: float = 1.0
    force: Vec2 = field((0, 0), transient=True)
    note: Chars = ""


@event
class Hit:
    """An event without fields."""


@table
class Contacts:
    """A table whose rows are not entities."""

    depth: float = 0.5
    fresh: bool = field(True, transient=True)


@resource
class Score:
    """A resource with points."""

    points: int = 0


@resource(derived=True)
class Cache:
    """A derived resource."""

    made: int = 0

    def rebuild(self, world: World) -> None:
        """Count the calls."""
        self.made += 1


def _world(**options: Any) -> World:
    return World([Body, Hit, Contacts], **options)


def test_looking_up() -> None:
    """`world[...]` returns a component's table, a table's columns, or a resource."""
    world = _world()
    world.put(Score(points=3))
    assert world[Body] is world.tables[Body]
    assert world[Contacts] is world.columns[Contacts]
    assert world[Score].points == 3
    assert Body in world
    assert Score in world
    assert Cache not in world
    assert world.kind("Body") is Body
    assert world.kind("Hit") is Hit
    assert world.kind("physics.Body") is None
    assert world.resource("Score") is world[Score]
    assert world.resource("physics.Score") is None
    world.drop(Score)
    assert world.resource("Score") is None


def test_text_in_place_of_a_class_is_explained() -> None:
    """Text in place of a class is refused with the correct form."""
    world = World([Body])
    handle = world.spawn(Body())
    for ask in (lambda: world.get(handle, "Body"), lambda: world.query("body"), lambda: world["Body"]):
        with pytest.raises(UsageError, match=r"expected a class, not '[Bb]ody'. Import Body and write"):
            ask()


def test_unknown() -> None:
    """Unknown classes are refused with the nearest name or the solution."""
    world = _world()

    @component
    class Bodi:
        pass

    with pytest.raises(UnknownName, match=r"no component Bodi \(did you mean 'Body'\?\)"):
        _ = world[Bodi]
    with pytest.raises(UnknownName, match=r"holds no resource Score. Put one first: world.put\(Score\(...\)\)"):
        _ = world[Score]
    with pytest.raises(UnknownName, match="rish_components"):
        world.spawn(Bodi)
    with pytest.raises(DeclarationError, match="int is no component, event or table"):
        World([int])
    with pytest.raises(DeclarationError, match=r"int is no resource. Mark the class with @resource"):
        world.put(5)


def test_two_of_one_name() -> None:
    """Two classes with the same full name are refused."""
    first = component(type("Same", (), {}))
    second = component(type("Same", (), {}))
    with pytest.raises(DeclarationError, match="two classes are called Same"):
        World([first, second])
    second.__kind__.owner = "other"  # pyright: ignore[reportAttributeAccessIssue]
    assert World([first, second]).kind("other.Same") is second


def test_resources_are_replaced() -> None:
    """A world has one resource per class; a reloaded class replaces its former version."""
    world = _world()
    world.put(Score(points=1))
    world.put(Score(points=2))
    assert world[Score].points == 2

    def again() -> type:
        @resource
        class Fresh:
            x: int = 0

        return Fresh

    old, new = again(), again()
    world.put(old())
    world.put(new())
    assert old not in world
    assert new in world
    stranger = resource(type("Score", (), {"__module__": "elsewhere"}))
    with pytest.raises(DeclarationError, match="another resource called Score"):
        world.put(stranger())
    world.drop(Score)
    world.drop(Score)
    assert Score not in world


def test_time() -> None:
    """Time is counted in ticks of equal length."""
    world = _world(dt=0.25, seed=5)
    for _ in range(8):
        world.end_tick()
    assert (world.tick, world.time, world.seed) == (8, 2.0, 5)


def test_transient_fields() -> None:
    """Transient fields are reset to their defaults at the end of the tick."""
    world = _world()
    world.spawn(Body(mass=2, force=(5, 5)))
    world[Contacts].append(2, fresh=False, depth=3)
    world.end_tick()
    assert world[Body].force.tolist() == [[0, 0]]
    assert world[Body].mass.tolist() == [2]
    assert world[Contacts].fresh.tolist() == [True, True]
    assert world[Contacts].depth.tolist() == [3, 3]


def test_pools_are_squeezed_between_ticks() -> None:
    """Texts that change every tick do not make the pool grow without limit."""
    world = _world()
    handle = world.spawn(Body)
    for tick in range(3000):
        world.get(handle, Body).note = f"tick {tick}" * (1 + tick % 2)
        world.end_tick()
    assert world.get(handle, Body).note == "tick 2999" * 2
    assert len(world[Body].pool_of("note").items) < 10_000


def test_texts() -> None:
    """`intern` and `text` convert between texts and numbers; unknown numbers are refused."""
    world = _world()
    number = world.intern("hello")
    assert world.text(number) == "hello"
    for unknown in (number + 1, -1):
        with pytest.raises(UnknownName, match="is not the number of a text"):
            world.text(unknown)


def test_random_streams() -> None:
    """Random streams are part of the state, by name, and are restored."""
    world = _world(seed=7)
    saved = world.snapshot()
    first = world.random("a").uniform(size=3)
    world.random("b").uniform(size=9)
    world.restore(saved)
    assert np.array_equal(world.random("a").uniform(size=3), first)
    assert world[RandomStreams].seed == 7


def test_border() -> None:
    """Deferred work runs in order; work that it defers waits for the next time; an error loses nothing."""
    world = _world()
    done: list[str] = []
    world.defer(lambda world: done.append("one"))
    world.defer(lambda world: world.defer(lambda world: done.append("later")))
    world.defer(lambda world: done.append("two"))
    world.run_deferred()
    assert done == ["one", "two"]
    world.run_deferred()
    assert done == ["one", "two", "later"]

    def fail(world: World) -> None:
        raise ValueError("no")

    world.defer(fail)
    world.defer(lambda world: done.append("after"))
    with pytest.raises(ValueError, match="no"):
        world.run_deferred()
    world.run_deferred()
    assert done[-1] == "after"


def test_derived_resources_are_rebuilt() -> None:
    """A derived resource is not in hash and snapshot, and is rebuilt after a restore."""
    world = _world()
    before = world.hash()
    world.put(Cache(made=10))
    assert world.hash() == before
    world.restore(world.snapshot())
    assert world[Cache].made == 11


@pytest.mark.parametrize("which", [1.0, "x", [1.5], None, [[1]], {}])
def test_what_is_no_handle(which: Any) -> None:
    """Functions that take handles refuse other values with UsageError."""
    world = _world()
    for use in (
        world.despawn,
        world.alive,
        lambda which: world.add(which, Body),
        lambda which: world.remove(which, Body),
    ):
        with pytest.raises(UsageError, match="expected a handle, or an array of handles"):
            use(which)


def test_empty_arrays_of_handles() -> None:
    """Empty arrays of handles are accepted everywhere."""
    world = _world()
    empty = np.zeros(0, np.int64)
    before = world.hash()
    world.despawn(empty)
    world.add([], Body)
    world.remove(empty, Body)
    world.set([], Body(mass=1))
    assert world.alive(empty).tolist() == []
    assert world.hash() == before


def test_text_columns_take_numbers() -> None:
    """A `Str` column can be filled with the numbers of known texts."""

    @component
    class Named:
        name: Str = "x"

    world = World([Named])
    number = world.intern("bob")
    handles = world.spawn_many(2, Named(name=np.array([number, 0])))
    assert [world.get(int(handle), Named).name for handle in handles] == ["bob", ""]


def test_a_stage_is_named_in_refusals() -> None:
    """A refused call names the system and the stage."""
    world = _world()
    world.stage, world.running = Stage.LATE, "camera.follow"
    with pytest.raises(UsageError, match=r"^camera.follow: spawning in LATE: only TICK stages"):
        world.spawn(Body)


def test_a_private_world_has_no_effect_on_its_origin():
    """A private World has the same classes and step, no rows, and copies of the resources that were named."""
    world = World([Body, Hit, Contacts], dt=0.25)
    world.put(Score(3))
    world.spawn(Body())
    before, own = world.hash(), world.private(Score)
    assert (own.dt, own[Score].points, len(own.query(Body).entities)) == (0.25, 3, 0)
    own[Score].points = 9
    own.spawn(Body())
    own.emit(Hit)
    assert world.hash() == before
