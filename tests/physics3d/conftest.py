"""A game with only space3d and physics3d, in strict mode, and a yard to add and inspect bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_physics3d import Body3D, Collider3D
from rish_physics3d.testing import LISTENER_3D
from rish_space3d import Transform3D


class Yard:
    """A game without gravity unless it is asked for, with functions to add and inspect bodies."""

    def __init__(self, app: App) -> None:
        self.app, self.world = app, app.world

    def put(self, x: float, y: float, z: float, *parts: Any, **place: Any) -> int:
        """Spawn an entity at a position."""
        return self.world.spawn(Transform3D(position=(x, y, z), **place), *parts)

    def box(self, x: float, y: float, z: float, size: Any = (1, 1, 1), *, body: Any = None, **more: Any) -> int:
        """Spawn a dynamic box. body: values of its Body3D; more: of its Collider3D, and the rotation."""
        place = {"rotation": more.pop("rotation")} if "rotation" in more else {}
        return self.put(x, y, z, Body3D(**(body or {})), Collider3D(size=size, **more), **place)

    def ball(self, x: float, y: float, z: float, radius: float = 0.5, *, body: Any = None, **more: Any) -> int:
        """Spawn a dynamic sphere."""
        return self.put(x, y, z, Body3D(**(body or {})), Collider3D(shape="sphere", radius=radius, **more))

    def ground(self, **more: Any) -> int:
        """Spawn a static box whose top is at y = 0."""
        return self.put(0, -1, 0, Collider3D(size=(200, 2, 200), **more))

    def run(self, ticks: int) -> None:
        """Advance the game."""
        for _ in range(ticks):
            self.app.tick()

    def position(self, entity: int) -> Any:
        """Return the position of an entity."""
        return np.array(self.world.get(entity, Transform3D).position, np.float64)

    def velocity(self, entity: int) -> Any:
        """Return the velocity of a body."""
        return np.array(self.world.get(entity, Body3D).velocity, np.float64)

    def spin(self, entity: int) -> Any:
        """Return the angular velocity of a body."""
        return np.array(self.world.get(entity, Body3D).angular_velocity, np.float64)


@pytest.fixture
def yard() -> Iterator[Callable[..., Yard]]:
    """A function that starts an empty game: `yard(gravity=-10, substeps=8)`. listens: whether all events are read."""
    apps: list[App] = []

    def start(gravity: float = 0.0, *, strict: bool = False, listens: bool = True, **settings: Any) -> Yard:
        lines = "".join(f"    {name}: {value}\n" for name, value in settings.items())
        text = (
            "rish: 1\nplugins: [space3d, physics3d]\nsettings:\n  physics3d:\n"
            f"    gravity: [0, {gravity}, 0]\n{lines}scenes:\n  main: []\n"
        )
        more = ["strict"] if strict else []
        extra = {"listener": LISTENER_3D} if listens else {}
        apps.append(App(parse_manifest(text), headless=True, policy="raise", more=more, extra=extra))
        return Yard(apps[-1])

    yield start
    for app in apps:
        app.close()
