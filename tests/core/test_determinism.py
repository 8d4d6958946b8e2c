"""The same game with the same ticks gives the same state, however it is run, saved, loaded, drawn or compiled.

The game uses every feature that could break determinism: random streams, a compiled kernel, spawning and despawning
with children, events, texts, lists, change detection, input from code, and systems outside of ticks.

Run as a program, `python test_determinism.py TICKS`, it prints the hash of every tick, so that processes
can be compared.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import field as dataclass_field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import (
    App,
    Chars,
    Each,
    Entity,
    Input,
    Scenes,
    Snapshot,
    Stage,
    Str,
    Transform,
    Vec2,
    component,
    event,
    field,
    parse_manifest,
    resource,
    system,
    world_matrices,
)
from rish_ecs.random import random_uniform
from rish_jit import maths, njit

MANIFEST = """
rish: 1
game: {title: Bugs, seed: 11}
plugins: [bugs]
input: {hop: [SPACE]}
prefabs:
  bug: {Transform: {}, Bug: {mood: calm}, tags: [alive]}
scenes:
  main:
    - {prefab: bug, count: 30, at: {random: [-100, -100, 100, 100]}}
    - {name: nest, Transform: {rotation: 30}, children: [{prefab: bug}, {prefab: bug, at: [3, 4]}]}
  second:
    - {prefab: bug, count: 12, at: {grid: [4, 3], step: [10, 10]}}
"""
TICKS = 230
"""How long the game is played; in the middle it goes to another scene."""
SECOND = 150
"""The tick at which it does so."""
MOODS = ("calm", "angry", "sleepy", "lost")


@component
class Bug:
    """A component with fields of many types."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    push: Vec2 = field((0, 0), transient=True)
    age: int = 0
    mood: Str = ""
    path: list[float]
    says: Chars = ""
    friend: Entity = 0
    glow: float = field(0.0, view=True)


@event
class Bite:
    """An event of two entities."""

    who: Entity
    depth: float = 0.0


@resource
class Tally:
    """Counters, and a list that depends on the order of events."""

    bites: int = 0
    born: int = 0
    gone: int = 0
    depth: float = 0.0
    last: list[str] = dataclass_field(default_factory=list[str])


@njit
def steer(velocity: Any, push: Any, age: Any, key: int, tick: int) -> None:
    """Push each row in a direction that depends only on the stream's key, the tick and the row."""
    for k in range(len(age)):
        angle = maths.TAU * random_uniform(key, tick * 4096 + k)
        push[k, 0] += np.float32(maths.cos(angle) * 4.0)
        push[k, 1] += np.float32(maths.sin(angle) * 4.0)
        velocity[k, 0] = velocity[k, 0] * np.float32(0.98) + push[k, 0]
        velocity[k, 1] = velocity[k, 1] * np.float32(0.98) + push[k, 1]
        age[k] += 1


@system(Stage.INPUT, writes=Input)
def play(world: Any, dt: float) -> None:
    """Tap "hop" regularly, like an autopilot."""
    if world.tick % 17 == 3:
        world[Input].tap("hop")


@system(Stage.FORCES, writes=(Bug,))
def crawl(world: Any, dt: float) -> None:
    """Push all bugs with the compiled kernel."""
    bugs = world[Bug]
    steer(bugs.velocity, bugs.push, bugs.age, world.random("crawl").key, world.tick)


@system(Stage.STEP, reads=Bug, writes=Transform)
def move(world: Any, dt: float) -> None:
    """Move by velocity, and by a random offset on a hop."""
    q = world.query(Transform, Bug)
    q[Transform.position] = q[Transform.position] + q[Bug.velocity] * np.float32(dt)
    q[Transform.rotation] = q[Transform.rotation] + np.float32(dt)
    if world[Input].pressed("hop"):
        jitter = world.random("hop").uniform(-1, 1, (len(q), 2)).astype(np.float32)
        q[Transform.position] = q[Transform.position] + jitter


@system(Stage.POST, reads=(Transform, Bug), writes=(Bug, Bite))
def bite(world: Any, dt: float) -> None:
    """Emit a bite for each bug near the origin of the world, by its world pose."""
    matrix = world_matrices(world)
    near = np.flatnonzero(np.abs(matrix[:, 4:]).sum(axis=1) < 60)
    handles = world[Transform].entities[near]
    handles = handles[world[Bug].rows_of(handles) >= 0]
    if len(handles):
        world.emit(Bite, who=handles, depth=matrix[near[: len(handles)], 0])
        world.set(handles, Bug(friend=int(handles[0]), mood=MOODS[world.tick % 4]))


@system(Stage.UPDATE, reads=(Bug, Bite), writes=Tally)
def breed(world: Any, dt: float) -> None:
    """Despawn old bugs, and spawn new ones, some of them as children of others."""
    bugs, stream, tally = world[Bug], world.random("breed"), world[Tally]
    if len(bugs) < 60 and world.tick % 3 == 0:
        count = int(stream.integers(1, 5))
        places = stream.uniform(-80, 80, (count, 2))
        words = Each(f"born in {world.tick}, {k}" for k in range(count))
        parent = int(bugs.entities[int(stream.integers(0, len(bugs)))]) if len(bugs) else 0
        fresh = world.spawn_many(count, Transform(position=places), Bug(says=words, path=[0.0, world.tick]))
        if parent:
            world.set(fresh[:1], Transform(parent=parent))
    old = bugs.entities[bugs.age > stream.integers(80, 140, len(bugs))]
    world.despawn(old[:5])
    tally.born += len(world.added(Bug))
    tally.gone += len(world.removed(Bug))


@system(Stage.UPDATE, reads=Bite, writes=(Tally, Bug))
def remember(world: Any, dt: float) -> None:
    """Write the events into lists and texts."""
    bites, tally = world.events(Bite), world[Tally]
    tally.bites += len(bites)
    tally.depth += float(bites.depth.sum()) if len(bites) else 0.0
    for one in list(bites)[:2]:
        if world.alive(one.who):
            world.set(one.who, Bug(path=[float(one.depth), world.time], says=f"bitten {tally.bites}"))
            tally.last = [*tally.last[-3:], world.get(one.who, Bug).mood]


@system(Stage.LATE, reads=(Bite, Transform), writes=Bug)
def shine(world: Any, dt: float) -> None:
    """Write a view column from anything; nothing that is hashed may depend on it."""
    world.added(Bug), world.removed(Bug)
    world[Bug].glow[:] = world.alpha + len(world.events(Bite)) + float(world_matrices(world).sum() % 7)


BUGS = SimpleNamespace(
    rish_components=lambda: [Bug],
    rish_events=lambda: [Bite],
    rish_resources=lambda: [Tally],
    rish_systems=lambda: [play, crawl, move, bite, breed, remember, shine],
)


def make(*, headless: bool = True, seed: int | None = None, **options: Any) -> App:
    """Return the game, headless by default."""
    options = {"extra": {"bugs": BUGS}, "policy": "raise", **options}
    return App(parse_manifest(MANIFEST), headless=headless, seed=seed, installed=[], **options)


def tick_hashes(app: App, ticks: int) -> list[str]:
    """Return the hash after each of the next ticks."""
    hashes: list[str] = []
    for _ in range(ticks):
        if app.world.tick == SECOND:
            app.world[Scenes].go("second")
        app.frame()
        hashes.append(app.world.hash())
    return hashes


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[App, Snapshot, list[str]]]:
    """Run the game for some ticks; provide the app, a snapshot of its beginning, and the hash after each tick."""
    with make() as app:
        start = app.world.snapshot()
        hashes = tick_hashes(app, TICKS)
        tally = app.world[Tally]
        assert min(tally.bites, tally.born, tally.gone) > 50, "the game must do something"
        yield app, start, hashes


@pytest.fixture(scope="module")
def expected(played: tuple[App, Snapshot, list[str]]) -> list[str]:
    """The hash after each of the first ticks."""
    return played[2]


# In one process


@pytest.mark.slow
def test_every_tick_differs(expected: list[str]) -> None:
    """Every tick has a different hash, so that comparing hashes is meaningful."""
    assert len(set(expected)) == TICKS


def test_another_seed_is_another_game(expected: list[str]) -> None:
    """Another seed gives different hashes from the first tick on."""
    with make(seed=12) as app:
        assert not set(tick_hashes(app, 20)) & set(expected)


@pytest.mark.slow
def test_a_restored_world_goes_the_same_way_again(played: tuple[App, Snapshot, list[str]]) -> None:
    """After a restore all ticks have the same hashes again."""
    app, start, hashes = played
    app.world.restore(start)
    assert app.world.tick == 0
    assert tick_hashes(app, TICKS) == hashes


def test_a_snapshot_can_be_used_again_and_again(expected: list[str]) -> None:
    """A snapshot can be restored several times, and running on does not change it."""
    with make() as app:
        tick_hashes(app, 50)
        saved = app.world.snapshot()
        data = saved.to_bytes()
        for ticks in (7, 31, 3):
            app.world.restore(saved)
            assert tick_hashes(app, ticks) == expected[50 : 50 + ticks]
        assert saved.to_bytes() == data


@pytest.mark.slow
def test_a_game_that_is_saved_and_loaded_at_every_tick_notices_nothing(expected: list[str]) -> None:
    """A game that is saved and loaded into a new App at each of 40 ticks has the same hashes."""
    app = make()
    for tick in range(40):
        app.frame()
        assert app.world.hash() == expected[tick]
        data = app.world.snapshot().to_bytes()
        app.close()
        app = make()
        app.world.restore(Snapshot.from_bytes(data))
        assert app.world.hash() == expected[tick]
        assert app.world.snapshot().to_bytes() == data
    app.close()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["short", "long", "mixed", "stalls"])
def test_the_length_of_frames_does_not_matter(how: str, expected: list[str]) -> None:
    """With frames of any length, with no tick or several, each tick has the hash of the headless run."""
    chance = random.Random(how)
    draws: dict[str, Callable[[], float]] = {
        "short": lambda: chance.uniform(0.0, 0.02),
        "long": lambda: chance.uniform(0.03, 0.09),
        "mixed": lambda: chance.choice([0.0, 1 / 240, 1 / 60, 1 / 30, 1 / 7]),
        "stalls": lambda: chance.choice([0.016, 0.016, 3.0, -1.0, float("nan")]),
    }
    with make(headless=False) as app:
        seen = 0
        while app.world.tick < 90:
            app.frame(seconds=draws[how](), draw=chance.random() < 0.8)
            if app.world.tick:
                assert app.world.hash() == expected[app.world.tick - 1]
            seen += 1
        assert seen > 20


def test_what_is_not_drawn_counts_all_the_same(expected: list[str]) -> None:
    """Without drawing the hashes are the same."""
    with make() as app:
        for tick in range(100):
            app.frame(draw=False)
            assert app.world.hash() == expected[tick]


def test_looking_changes_nothing(expected: list[str]) -> None:
    """Snapshots, hashes and queries between the ticks do not change the state."""
    with make() as app:
        for tick in range(60):
            app.world.snapshot()
            app.world.hashes()
            len(app.world.query(Bug, Transform))
            app.frame()
            assert app.world.hash() == expected[tick]


# In other processes


def run_alone(ticks: int, **environment: str) -> list[str]:
    """Return the hashes that a separate process prints."""
    done = subprocess.run(
        [sys.executable, __file__, str(ticks)],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_the_seed_of_pythons_hashes_does_not_matter(expected: list[str]) -> None:
    """Another PYTHONHASHSEED gives the same hash in every tick: nothing depends on the order of a set."""
    seed = "42" if os.environ.get("PYTHONHASHSEED") != "42" else "43"
    assert run_alone(SECOND, PYTHONHASHSEED=seed) == expected[:SECOND]


@pytest.mark.slow
def test_the_compiler_does_not_matter(expected: list[str]) -> None:
    """In plain Python the kernels give the same bits."""
    assert run_alone(60, RISH_NO_JIT="1") == expected[:60]


if __name__ == "__main__":
    with make() as alone:
        print("\n".join(tick_hashes(alone, int(sys.argv[1]))))
