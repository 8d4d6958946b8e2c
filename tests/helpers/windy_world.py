"""A world with all kinds of state, for tests of snapshots."""

from __future__ import annotations

from dataclasses import field as value
from typing import Any

import numpy as np

from rish_ecs import Chars, Entity, Str, Vec2, World, component, event, field, resource, table


@component
class Kite:
    """A component with fixed and variable columns, and fields that snapshots leave out."""

    at: Vec2 = field((0, 0))
    name: Str = "k"
    note: Chars = ""
    tail: list[int] = field()
    parent: Entity = field(0, cascade=True)
    pull: float = field(1.0, transient=True)
    last_at: Vec2 = field((3, 4), derived=True)


@event
class Gust:
    """An event with a field that is kept although it is transient."""

    force: float = field(0.0, transient=True)
    name: Str = ""


@table
class Marks:
    """A table whose rows are not entities."""

    depth: float = 0.0
    who: Str = ""


@resource
class Sky:
    """A resource with plain values."""

    seen: Any = None
    heard: dict[tuple[int, str], Any] = value(default_factory=dict)


def windy() -> World:
    """Return a world with all kinds of state."""
    world = World([Kite, Gust, Marks], seed=4)
    world.put(Sky(seen=[1, None, {"a": 2.5}], heard={(1, "b"): np.arange(3)}))
    return world
