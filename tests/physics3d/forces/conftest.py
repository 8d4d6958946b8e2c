"""Characters in a yard, with gravity as a game has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_physics3d import Body3D, Character3D, Collider3D, overlap_shape_3d
from rish_space3d import Transform3D, quaternions

DT = 1 / 60
HEIGHT, RADIUS = 1.8, 0.3


class Course:
    """A game with characters, which walk with `go`."""

    def __init__(self, app: App) -> None:
        self.app, self.world = app, app.world

    def solid(self, at: Any, size: Any = (1, 1, 1), *parts: Any, axis: Any = (0, 1, 0), turn: float = 0.0) -> int:
        """Spawn a box, static unless a Body3D is among its parts. turn: about the axis, radians."""
        pose = Transform3D(position=at, rotation=quaternions.from_axis(axis, turn))
        return self.world.spawn(pose, Collider3D(size=size), *parts)

    def walker(self, x: float, y: float, z: float, collider: Any = None, **values: Any) -> int:
        """Spawn a character whose feet are at a place, a capsule unless a collider is given."""
        form = collider or Collider3D(shape="capsule", size=(1, HEIGHT, 1), radius=RADIUS)
        pose = Transform3D(position=(x, y + HEIGHT / 2, z))
        return self.world.spawn(pose, Body3D(type="kinematic"), form, Character3D(**values))

    def go(self, ticks: int, ways: dict[int, Any]) -> None:
        """Advance the game; characters walk with these velocities (x, z), and gravity acts on them."""
        for _ in range(ticks):
            for entity, (x, z) in ways.items():
                me = self.world.get(entity, Character3D)
                me.velocity = (x, float(me.velocity[1]) - 10 * DT, z)
            self.app.tick()

    def feet(self, entity: int) -> Any:
        """Return where the feet of a character are."""
        return self.place(entity) - (0, HEIGHT / 2, 0)

    def place(self, entity: int) -> Any:
        """Return the position of an entity."""
        return np.array(self.world.get(entity, Transform3D).position, np.float64)

    def it(self, entity: int) -> Any:
        """Return the Character3D of an entity."""
        return self.world.get(entity, Character3D)

    def overlaps(self, entity: int, depth: float = 2e-3) -> list[int]:
        """Return what a character's capsule overlaps by more than a depth, m."""
        half = HEIGHT / 2 - RADIUS
        points, at = [(0, -half, 0), (0, half, 0)], tuple(self.place(entity).tolist())
        return overlap_shape_3d(self.world, points, at, radius=RADIUS - depth, ignore=entity).tolist()


@pytest.fixture
def course() -> Iterator[Callable[..., Course]]:
    """A function that starts an empty game."""
    apps: list[App] = []

    def start(scene: str = "[]") -> Course:
        text = f"rish: 1\nplugins: [space3d, physics3d]\nscenes:\n  main: {scene}\n"
        text += "settings: {physics3d: {gravity: [0, -10, 0]}}\n"
        apps.append(App(parse_manifest(text), headless=True, policy="raise"))
        return Course(apps[-1])

    yield start
    for app in apps:
        app.close()
