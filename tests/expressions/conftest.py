"""A small World with named entities, a resource and layers, for expressions."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any

import pytest

from rish_core import (
    Color,
    Entity,
    Group,
    Layers,
    Name,
    Persistent,
    Scenes,
    Str,
    Tags,
    Transform,
    Vec2,
    World,
    component,
    field,
    resource,
)
from rish_expressions import Variables


class Mood(Enum):
    """A mood."""

    CALM = 0
    ANGRY = 1


@component
class Health:
    """A component with one field of each kind."""

    now: float = field(10.0, low=0, high=100)
    level: int = 1
    alive: bool = True
    aim: Vec2 = field((1, 2))
    turn: float = field(0.0, angle=True)
    color: Color = field((1, 0, 0, 1), low=0, high=1)
    mood: Mood = Mood.CALM
    title: Str = field("", choices=("", "sir", "dame"))
    target: Entity = 0
    scores: list[float] = field()


@resource
class Score:
    """A resource."""

    points: int = field(3, low=0, high=1000)
    rate: float = 0.5
    marks: dict[str, Any] = dataclass_field(default_factory=lambda: {"a": 1, "b": "x"})


@resource(derived=True)
class Cache:
    """A resource that is no state."""

    filled: int = 0
    mood: Mood = Mood.CALM


@pytest.fixture
def world() -> World:
    """Return a World with the entities hero and 'old oak', two coins, and the variables score, rate, label, fast."""
    made = World([Health, Transform, Name, Tags, Group, Persistent], seed=3)
    made.put(Score())
    made.put(Cache())
    made.put(Scenes(current="main", names=("main",)))
    made.put(Layers(order=["world", "hud"], split=2))
    made.put(Variables(values={"score": 7, "rate": 1.5, "label": "hi", "fast": True}))
    made.spawn(Name(value="hero"), Health(now=4, scores=[5, 6]), Transform(position=(3, 4)))
    made.spawn(Name(value="old oak"), Health(now=90, mood=Mood.ANGRY))
    made.spawn_many(2, Tags(values=["coin"]), Transform)
    return made
