"""`--strict` in an App: each deliberate fault is named, and a correct game passes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import (
    App,
    Chars,
    Edges,
    Input,
    Layer,
    Layers,
    Scenes,
    Session,
    Stage,
    Str,
    Transform,
    Vec2,
    WindowEvent,
    component,
    event,
    field,
    publish_edges,
    resource,
    system,
    teleport,
    world_matrices,
)
from rish_devtools.strict import StrictError
from rish_frame import NullBackend

MakeApp = Callable[..., App]


@component
class Body:
    """A body that moves and ages."""

    velocity: Vec2 = field((1, 0))
    age: int = 0
    name: Str = ""
    says: Chars = ""
    glow: float = field(0.0, view=True)


@event
class Birthday:
    """A body became older."""

    age: int = 0


@resource
class Score:
    """A counter of points."""

    points: int = 0


GAME = {
    "scenes": {
        "main": [{"Transform": {}, "Body": {}, "count": 20}, {"Persistent": {}, "Transform": {}}],
        "next": [{"Transform": {}, "Body": {}, "count": 3}],
    }
}


def plugin(*systems: Any, **hooks: Any) -> SimpleNamespace:
    """Return a plugin in memory that declares all of the above."""
    return SimpleNamespace(
        rish_components=lambda: [Body], rish_events=lambda: [Birthday], rish_resources=lambda: [Score],
        rish_systems=lambda: list(systems), **{f"rish_{name}": function for name, function in hooks.items()},
    )  # fmt: skip


# A correct game


@system(Stage.INPUT, writes=Input)
def autopilot(world: Any, dt: float) -> None:
    """Press a key in some ticks."""
    if world.tick % 20 == 5:
        world[Input].tap("SPACE")


@system(Stage.STEP, reads=Body, writes=Transform)
def move(world: Any, dt: float) -> None:
    """Move the bodies by their velocity and a random step."""
    q = world.query(Transform, Body)
    chance = world.random("move").uniform(-1, 1, (len(q), 2)).astype(np.float32)
    q[Transform.position] = q[Transform.position] + q[Body.velocity] * np.float32(dt) + chance


@system(Stage.UPDATE, writes=(Body, Birthday, Score, Transform))
def live(world: Any, dt: float) -> None:
    """Age bodies, despawn old ones, spawn new ones, and emit events."""
    bodies = world[Body]
    bodies.age += 1
    world.emit(Birthday, age=bodies.age)
    old = bodies.entities[bodies.age > 60]
    world.despawn(old)
    if world.tick % 2 == 0:
        world.spawn(Transform(position=(world.tick, 0)), Body(name=f"b{world.tick % 9}", says="x" * (world.tick % 7)))
    if len(bodies) and world[Input].pressed("SPACE"):
        teleport(world, int(bodies.entities[0]), (0, 0))
        world.set(int(bodies.entities[0]), Body(says="hop"))
    world[Score].points += len(world.events(Birthday)) + len(world.added(Body)) + len(world.removed(Body))


@system(Stage.POST, reads=Transform, writes=Edges)
def fence(world: Any, dt: float) -> None:
    """Publish edges at the places of all things."""
    at = world_matrices(world)
    publish_edges(world, "fence", x0=at[:, 4], y0=at[:, 5], x1=at[:, 4] + 1, y1=at[:, 5])


@system(Stage.UPDATE, writes=(Scenes, Layers), layer="world")
def turn(world: Any, dt: float) -> None:
    """Change the scene, and show and hide a layer."""
    if world.tick % 50 == 49:
        world[Scenes].go("next" if world[Scenes].current == "main" else "main")
    world[Layers].show("hud", world.tick % 10 < 5)


@system(Stage.LATE, writes=Body)
def shine(world: Any, dt: float) -> None:
    """Write a view field."""
    world[Body].glow[:] = world.alpha


@pytest.mark.slow
@pytest.mark.parametrize("frames", long([60, 300], [60]))
def test_a_clean_game_runs_strict(frames: int, rish_app: MakeApp) -> None:
    """A correct game runs in strict mode, with the same state as without it."""
    hashes: list[str] = []
    for strict in (True, False):
        app = rish_app(GAME, plugins={"honest": plugin(autopilot, move, live, fence, turn, shine)}, strict=strict)
        app.run(frames=frames)
        assert app.world[Score].points > 500
        hashes.append(app.world.hash())
    assert hashes[0] == hashes[1]


# Deliberate faults


def fails(rish_app: MakeApp, bad: Any, match: str, **hooks: Any) -> None:
    """Assert that strict mode finds the fault within 100 frames, and that nothing fails without strict mode."""
    everyone = plugin(autopilot, bad, move, live, **hooks)
    app = rish_app(GAME, plugins={"game2": everyone})
    with pytest.raises(StrictError, match=match) as caught:
        app.run(frames=100)
    if "resource" not in match and "tick" not in match:
        assert "test_app.py:" in str(caught.value)
    rish_app(GAME, plugins={"game2": plugin(bad, **hooks)}, strict=False).run(frames=20)


def test_an_undeclared_component_is_named(rish_app: MakeApp) -> None:
    """An undeclared write to a component is reported with the system and the declaration to add."""

    @system(Stage.FORCES, reads=Body)
    def sly(world: Any, dt: float) -> None:
        world[Body].velocity[:] += 1

    fails(rish_app, sly, r"system 'game2.sly' wrote Body, which it does not declare.*writes=\(Body,\)")


def test_an_undeclared_resource_is_named(rish_app: MakeApp) -> None:
    """An undeclared write to a resource is reported."""

    @system(Stage.POST)
    def sly(world: Any, dt: float) -> None:
        world[Session].exit_code += 1

    fails(rish_app, sly, "system 'game2.sly' wrote Session")


def test_an_undeclared_event_is_named(rish_app: MakeApp) -> None:
    """An undeclared event is reported: emitting counts as a write."""

    @system(Stage.POST)
    def sly(world: Any, dt: float) -> None:
        world.emit(Birthday, age=3)

    fails(rish_app, sly, "system 'game2.sly' wrote Birthday")


def test_a_frame_system_that_writes_state_is_named(rish_app: MakeApp) -> None:
    """A frame system that writes state is reported."""

    @system(Stage.EXTRACT)
    def sly(world: Any, dt: float) -> None:
        world[Transform].position[:] += 1

    fails(rish_app, sly, "system 'game2.sly' wrote Transform")


def test_a_kept_column_is_named(rish_app: MakeApp) -> None:
    """A system that keeps a column is reported as soon as growth has replaced the column."""
    kept: dict[str, Any] = {}

    @system(Stage.PRE, writes=Body)
    def hoarder(world: Any, dt: float) -> None:
        kept.setdefault("age", world[Body].age)
        world.spawn_many(10, Body)

    fails(
        rish_app,
        hoarder,
        r"system 'game2.hoarder' keeps a column of Body.age that growth has replaced, in closure 'kept'",
    )


def test_a_column_kept_in_a_resource_is_named(rish_app: MakeApp) -> None:
    """A resource that keeps a replaced column is reported, whichever system stored it."""

    @resource(derived=True)
    class Cache:
        """A cache that keeps a column instead of getting it each time."""

        age: Any = None

        def rebuild(self, world: Any) -> None:
            """Do nothing."""

    @system(Stage.PRE, writes=Body)
    def hoarder(world: Any, dt: float) -> None:
        cache = world[Cache]
        cache.age = world[Body].age if cache.age is None else cache.age
        world.spawn_many(10, Body)

    everyone = plugin(hoarder)
    everyone.rish_resources = lambda: [Score, Cache]
    app = rish_app(GAME, plugins={"game2": everyone})
    with pytest.raises(StrictError, match=r"resource 'Cache' keeps a column of Body.age"):
        app.run(frames=100)


def counter() -> Callable[[], int]:
    """Return a function with hidden state."""
    return itertools.count().__next__


def test_hidden_state_is_named(rish_app: MakeApp) -> None:
    """Hidden state outside the World is reported: a counter, a random generator, a dict."""
    count, dice, seen = counter(), random.Random(3), dict[str, float]()

    @system(Stage.STEP, writes=Body)
    def counts(world: Any, dt: float) -> None:
        world[Body].age[:] = count()

    @system(Stage.STEP, writes=Body)
    def rolls(world: Any, dt: float) -> None:
        world[Body].velocity[:] = dice.random()

    @system(Stage.STEP, writes=Body)
    def recalls(world: Any, dt: float) -> None:
        world[Body].velocity[:] = seen.get("last", 0.0)
        seen["last"] = seen.get("last", 0.0) + 1

    for bad in (counts, rolls, recalls):
        name = bad.__system__.name
        fails(rish_app, bad, rf"system 'game2.{name}' gives different results for Body when it runs twice")


def test_hidden_state_in_what_is_spawned_is_named(rish_app: MakeApp) -> None:
    """Hidden state in the values of spawned entities is reported."""
    count = counter()

    @system(Stage.STEP)
    def breeds(world: Any, dt: float) -> None:
        world.spawn(Body(age=count()))

    fails(rish_app, breeds, "system 'game2.breeds' gives different results for what it spawns")


def test_a_layer_that_writes_at_an_event_does_not_confuse_it(rish_app: MakeApp) -> None:
    """Writes of a layer's event handler, which runs between ticks, are not attributed to a system."""

    def handle(world: Any, event: WindowEvent) -> bool:
        world[Score].points += 1
        return True

    top = Layer("top", overlay=True, on_event=handle)
    key = WindowEvent("key", "SPACE", down=True)
    app = rish_app(GAME, plugins={"game2": plugin(move, layers=lambda: [top])}, backend=NullBackend(events=[key] * 5))
    app.run(frames=5)
    assert app.world[Score].points == 5


def test_a_frame_system_that_writes_hashed_state_is_named(rish_app: MakeApp) -> None:
    """A frame system that writes hashed state is reported, even if it declares the write."""

    @system(Stage.LATE, writes=Body)
    def sly(world: Any, dt: float) -> None:
        world[Body].age += 1

    fails(rish_app, sly, "system 'game2.sly' of stage LATE wrote hashed state of Body")


def test_a_view_system_that_writes_hashed_state_is_named(rish_app: MakeApp) -> None:
    """A view system of a tick that writes hashed state is reported."""

    @system(Stage.UPDATE, writes=Body, view=True)
    def sly(world: Any, dt: float) -> None:
        world[Body].age += 1

    fails(rish_app, sly, "system 'game2.sly' of stage UPDATE wrote hashed state of Body")


def test_an_event_for_drawing_needs_no_declaration(rish_app: MakeApp) -> None:
    """A system may emit an event for drawing without naming its class, which an absent plugin would not provide."""

    @event(view=True)
    class Played:
        volume: float = 1.0

    @system(Stage.POST)
    def ring(world: Any, dt: float) -> None:
        found = world.kind("sound.Played")
        if found is not None:
            world.emit(found, volume=0.5)

    sound = SimpleNamespace(rish_events=lambda: [Played])
    rish_app(GAME, plugins={"sound": sound, "game2": plugin(ring)}).run(3)
    rish_app(GAME, plugins={"game2": plugin(ring)}).run(3)
