"""A small game with everything that a recording must contain: columns, text, events, random numbers, scenes, input."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import (
    Chars,
    Input,
    InputRecord,
    Scenes,
    Stage,
    Str,
    Transform,
    Vec2,
    WindowEvent,
    component,
    event,
    resource,
    system,
)


@component
class Bird:
    """A bird that flies about."""

    speed: Vec2 = (0, 0)
    name: Str = "bird"
    song: Chars = ""
    path: list[float] = ()


@event
class Sang:
    """A bird sang."""

    name: Str = ""


@resource
class Sky:
    """The history of the birds' songs."""

    songs: int = 0
    heard: Any = None


def make_plugin(break_at: int = -1, drift_at: int = -1) -> SimpleNamespace:
    """Return the game's plugin. break_at: the tick in which it raises. drift_at: a tick in which it differs."""

    @system(Stage.STEP, reads=Input, writes=(Bird, Transform, Sang, Sky, Scenes))
    def fly(world: Any, dt: float) -> None:
        if world.tick == break_at:
            raise ValueError("a wing broke")
        keys, stream = world[Input], world.random("wind")
        if keys.pressed("flock"):
            count = int(stream.integers(1, 5))
            world.spawn_many(count, Transform(position=stream.uniform(0, 100, (count, 2))), Bird(name=f"b{world.tick}"))
        if keys.pressed("leave"):
            world[Scenes].go("barn" if world[Scenes].current == "main" else "main")
        query = world.query(Bird, Transform)
        if len(query):
            push = stream.normal(0, 1, (len(query), 2)).astype(np.float32)
            query[Bird.speed] = query[Bird.speed] * np.float32(0.9) + push + np.float32(keys.axis("left", "right"))
            query[Transform.position] = query[Transform.position] + query[Bird.speed] * np.float32(dt)
            first = int(query.entities[0])
            if world.tick % 7 == 0:
                world.set(first, Bird(song="la" * (world.tick % 5), path=[float(world.tick)] * (world.tick % 3)))
                world.emit(Sang, name=world.get(first, Bird).name)
            if world.tick % 31 == 30:
                world.despawn(int(query.entities[-1]))
        sky = world[Sky]
        sky.songs += len(world.events(Sang)) + (1 if world.tick == drift_at else 0)
        sky.heard = {"tick": world.tick, "birds": len(query)}

    return SimpleNamespace(
        rish_components=lambda: [Bird],
        rish_events=lambda: [Sang],
        rish_resources=lambda: [Sky],
        rish_systems=lambda: [fly],
    )


GAME: dict[str, Any] = {
    "game": {"title": "Birds", "seed": 4},
    "input": {"left": ["LEFT"], "right": ["RIGHT"], "flock": ["SPACE"], "leave": ["ENTER"], "rewind": ["R"]},
    "scenes": {
        "main": [{"Transform": {}, "Bird": {"name": "first"}}, {"name": "hero", "Transform": {}, "Persistent": {}}],
        "barn": [{"Transform": {}, "Bird": {"name": "owl"}}],
    },
}


def key(name: str, down: bool = True) -> WindowEvent:
    """Return the event of a key that is pressed or released."""
    return WindowEvent("key", name, down=down)


def inputs(tick: int) -> InputRecord:
    """Return a person's input in a tick: a little of everything, the same each time."""
    events: list[WindowEvent] = []
    if tick % 20 == 3:
        events.append(key("SPACE"))
    if tick % 20 == 6:
        events.append(key("SPACE", False))
    if tick % 45 == 10:
        events += [key("RIGHT"), WindowEvent("mouse_move", x=tick % 64, y=2.5)]
    if tick % 45 == 30:
        events.append(key("RIGHT", False))
    if tick % 130 == 100:
        events += [key("ENTER"), key("ENTER", False)]
    return InputRecord(tuple(events))


def play(app: Any, until: int) -> dict[int, str]:
    """Play up to a tick; return the hash after each tick."""
    hashes: dict[int, str] = {}
    while app.world.tick < until:
        app.tick(inputs(app.world.tick))
        hashes[app.world.tick] = app.world.hash()
    return hashes
