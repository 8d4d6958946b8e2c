"""The hash: equal for equal state in every process, different for any difference in state."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import component, event, field, table
from rish_ecs.declarations.resource import resource
from rish_ecs.snapshots.hashing import Hasher
from rish_ecs.world import World
from rish_jit.errors import DeclarationError


@component
class Body:
    """A component with fields of several types."""

    mass: float = 1.0
    at: Vec2 = field((0, 0))
    name: Str = "x"
    note: Chars = "n"
    words: list[Str] = field(("a",))
    target: Entity = 0
    force: float = field(0.0, transient=True)
    shown: float = field(0.0, view=True)


@event
class Hit:
    """An event."""

    name: Str = ""


@table
class Contacts:
    """A table whose rows are not entities."""

    depth: float = 0.0


@resource
class Score:
    """A resource that contains a dict."""

    points: dict[str, Any]


@resource(view=True)
class Shake:
    """A view resource, which is not hashed."""

    strength: float = 0.0


def _world() -> World:
    world = World([Body, Hit, Contacts], seed=1)
    world.spawn_many(3, Body(mass=np.arange(3)))
    world.put(Score({"a": 1, "b": 2}))
    world.put(Shake())
    return world


def test_form() -> None:
    """A hash has 32 hex digits, and each part has its own."""
    world = _world()
    assert re.fullmatch("[0-9a-f]{32}", world.hash())
    assert {"entities", "time", "cursors", "Body.mass", "Body.name", "Body:entities", "Score:resource"} <= set(
        world.hashes()
    )
    assert not {"Body.force", "Body.shown", "Shake:resource"} & set(world.hashes())


def _despawn_and_spawn(world: World) -> None:
    handle = world.spawn()
    world.despawn(handle)


CHANGES: dict[str, Any] = {
    "value": lambda world: world[Body].mass.__setitem__(1, 9),
    "vector": lambda world: world[Body].at.__setitem__((2, 1), 1),
    "text": lambda world: setattr(world.get(world.query(Body).entities[0], Body), "name", "y"),
    "pooled": lambda world: world[Body].note.__setitem__(0, "m"),
    "words": lambda world: world[Body].words.__setitem__(0, ("b",)),
    "sign of zero": lambda world: world[Body].mass.__setitem__(0, -0.0),
    "entity": lambda world: world.spawn(),
    "generation": _despawn_and_spawn,
    "removal": lambda world: world.remove(int(world.query(Body).entities[0]), Body),
    "event": lambda world: world.emit(Hit, name="a"),
    "row": lambda world: world[Contacts].append(1),
    "tick": lambda world: world.end_tick(),
    "resource": lambda world: world[Score].points.__setitem__("a", 2),
    "random": lambda world: world.random("a").uniform(),
    "cursor": lambda world: world.added(Body),
    "log": lambda world: world.removed(Body),
    "new resource": lambda world: world.drop(Score),
}


@pytest.mark.parametrize("what", CHANGES)
def test_differences_that_count(what: str) -> None:
    """Every change of state changes the hash."""
    world = _world()
    before = world.hash()
    CHANGES[what](world)
    assert world.hash() != before


NOTHING: dict[str, Any] = {
    "transient": lambda world: world[Body].force.__setitem__(0, 9),
    "view field": lambda world: world[Body].shown.__setitem__(0, 9),
    "view resource": lambda world: setattr(world[Shake], "strength", 9),
    "interned": lambda world: world.intern("never seen"),
    "rewritten": lambda world: world[Body].note.__setitem__(0, "n"),
    "grown": lambda world: world.tables[Body].resize(3),
    "asked": lambda world: world.query(Body).rows(Body),
    "dict order": lambda world: setattr(world[Score], "points", {"b": 2, "a": 1}),
    "pool order": lambda world: [world[Body].note.__setitem__(row, "n" * 9) or world[Body].note.__setitem__(row, "n")
                                 for row in (2, 0, 1)],
}  # fmt: skip


@pytest.mark.parametrize("what", NOTHING)
def test_differences_that_do_not_count(what: str) -> None:
    """View and transient data, and the way in which a state was reached, do not change the hash."""
    world = _world()
    before = world.hash()
    NOTHING[what](world)
    assert world.hash() == before


def test_text_counts_as_text() -> None:
    """Worlds that numbered their texts in different orders have the same hash."""
    one, two = World([Body]), World([Body])
    for text in ("q", "r", "s"):
        two.intern(text)
    for world, order in ((one, ("r", "q")), (two, ("r", "q"))):
        for text in order:
            world.spawn(Body(name=text, words=[text, "s"]))
    assert one.hash() == two.hash()
    assert one.tables[Body].column("name").tolist() != two.tables[Body].column("name").tolist()


def test_what_is_no_plain_value_is_named() -> None:
    """A resource with a value that is not plain is refused by name when hashing and saving."""
    world = _world()
    world[Score].points["a"] = {1, 2}
    for use in (world.hash, world.snapshot):
        with pytest.raises(DeclarationError, match=r"^Score.*: a resource holds set, which is no plain value"):
            use()


_PROGRAM = """
import numpy as np
from enum import Enum
from rish_ecs.declarations.columns import Chars, Str
from rish_ecs.declarations.component import component, event, field
from rish_ecs.snapshots.hashing import Hasher
from rish_ecs.declarations.resource import resource
from rish_ecs.world import World

class Tint(Enum):
    RED = 1
    BLUE = 2

@component
class Body:
    name: Str = "x"
    note: Chars = ""
    words: list[Str] = field()
    tint: Tint = Tint.BLUE

@event
class Hit:
    name: Str = ""

@resource
class Score:
    points: dict[object, object] = None

world = World([Body, Hit], seed=3)
names = {f"name {k}" for k in range(50)}
for name in names:
    world.intern(name)
for name in sorted(names):
    world.spawn(Body(name=name, note=name * 2, words=[name, "b"]))
world.put(Score({key: len(key) for key in {"a", "bb", "ccc"}} | {Tint.RED: 1, Tint.BLUE: 2, (1, "x"): 3}))
for _ in range(5):
    world.running = "r"
    world.emit(Hit, name="n")
    world.added(Body); world.removed(Body); world.events(Hit)
    world.despawn(world.query(Body).entities[::7])
    world.random("r").uniform(size=4)
    world.end_tick()
print(world.hash())
"""


@pytest.mark.slow
def test_every_process_agrees(tmp_path: Path) -> None:
    """Processes with different hash seeds print the same hash."""
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM)
    found = {
        subprocess.run(
            [sys.executable, str(program)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(found) == 1


def _steps(world: World, dice: np.random.Generator) -> dict[str, Any]:
    """Return random operations on a world."""
    handles = world.query(Body).entities

    def some() -> int:
        return int(handles[dice.integers(len(handles))]) if len(handles) else world.spawn(Body())

    def note() -> None:
        setattr(world.get(some(), Body), "note", "n" * int(dice.integers(60)))  # noqa: B010

    return {
        "spawn": lambda: world.spawn_many(int(dice.integers(1, 40)), Body(note="long enough for a pool to grow")),
        "bare": world.spawn,
        "despawn": lambda: world.despawn(some()),
        "remove": lambda: world.remove(some(), Body),
        "write": lambda: world[Body].mass.__setitem__(0, dice.random()) if len(world[Body]) else None,
        "note": note,
        "words": lambda: setattr(world.get(some(), Body), "words", ("a", "b")[: int(dice.integers(3))]),
        "event": lambda: world.emit(Hit, name=str(dice.integers(9))),
        "row": lambda: world[Contacts].append(int(dice.integers(1, 90))),
        "no rows": lambda: world[Contacts].clear(),
        "tick": world.end_tick,
        "point": lambda: world[Score].points.__setitem__("a", int(dice.integers(9))),
        "points": lambda: setattr(world[Score], "points", {"a": np.arange(dice.integers(1, 4)), "b": [1, "x"]}),
        "another": lambda: world.put(Score({"c": 1})),
        "asked": lambda: world.added(Body),
        "back": lambda: world.restore(world.snapshot()),
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_is_remembered_hides_nothing(seed: int) -> None:
    """After any operations the cached hash equals that of a new world in the same state, in total and for each part."""
    world, dice = _world(), np.random.default_rng(seed)
    kept = world.snapshot()
    for step in range(90):
        steps = _steps(world, dice)
        steps[str(dice.choice(list(steps)))]()
        if step == 60:
            world.restore(kept)
        known, twin = world.hash(), _world()
        twin.restore(world.snapshot())
        assert known == Hasher(twin).total()
        assert world.hashes() == Hasher(twin).parts() == Hasher(world).parts()


# Kinds for drawing only


@component(view=True)
class Glow:
    """A component for drawing only."""

    strength: float = 1.0


@component(view=True)
class Marked:
    """A component for drawing only, without fields."""


@event(view=True)
class Flashed:
    """An event for drawing only."""

    strength: float = 1.0


def _glowing() -> World:
    return World([Body, Hit, Contacts, Glow, Marked, Flashed], seed=1)


def _play(world: World, *, glows: bool) -> None:
    """Change the structure in many ways, with components, events and readers for drawing between, or without."""
    bodies = world.spawn_many(5, Body)
    if glows:
        world.add(bodies[:3], Glow(strength=np.arange(3)), Marked)
        world.emit(Flashed, strength=3)
    world.spawn(Body, *([Glow] if glows else []))
    for reader in ("a", "b"):
        world.running = reader
        world.added(Body)
        world.removed(Body)
        world.events(Hit)
        for cls in (Glow, Marked) if glows else ():
            world.added(cls)
            world.removed(cls)
            world.events(Flashed)
    if glows:
        world.remove(bodies[:2], Glow)
        world.set(bodies[2], Glow(strength=7))
    world.despawn(bodies[2:4])
    world.spawn_many(2, Body)
    world.emit(Hit, name="a")


def test_kinds_for_drawing_leave_no_trace() -> None:
    """Rows, structure changes, events and readers of kinds for drawing only change no part of the hash."""
    plain, glowing, without = _glowing(), _glowing(), World([Body, Hit, Contacts], seed=1)
    for world in (plain, glowing, without):
        _play(world, glows=world is glowing)
    assert plain.hashes() == glowing.hashes() == without.hashes()
    assert plain.hash() == glowing.hash() == without.hash()
    for world in (plain, glowing, without):
        world.end_tick()
    assert plain.hash() == glowing.hash() == without.hash()


def test_a_kind_changes_its_flag_when_it_is_declared_again() -> None:
    """After a reload that takes `view` away, the rows are hashed."""
    world = _glowing()
    world.spawn(Glow)
    before = world.hashes().keys()

    @component
    class Glow2:
        """The class without its flag."""

        strength: float = 1.0

    Glow2.__kind__.name = "Glow"  # pyright: ignore[reportFunctionMemberAccess, reportAttributeAccessIssue]
    world.redeclare([Body, Hit, Contacts, Glow2, Marked, Flashed])
    assert world.hashes().keys() - before == {"Glow:entities", "Glow.strength"}


def test_added_components_for_drawing_are_detected() -> None:
    """`added` and `removed` work for components for drawing as for others, also after a restore."""
    world = _glowing()
    handles = world.spawn_many(3, Glow)
    world.running = "reader"
    assert world.added(Glow).tolist() == handles.tolist()
    world.removed(Glow)
    more = world.spawn_many(2, Body)
    snapshot = world.snapshot()
    for _ in range(2):
        world.add(more, Glow)
        world.remove(handles[:1], Glow)
        assert sorted(world.added(Glow).tolist()) == more.tolist()
        assert world.removed(Glow).tolist() == handles[:1].tolist()
        assert not len(world.added(Glow))
        world.restore(snapshot)


def test_a_kind_for_drawing_cannot_despawn() -> None:
    """A class for drawing only has no field that despawns its entity."""
    with pytest.raises(DeclarationError, match="can't despawn entities"):

        @component(view=True)
        class Wrong:  # pyright: ignore[reportUnusedClass]
            owner: Entity = field(0, cascade=True)
