"""Provides the rig for tests of the solver, and the yard for tests of complete games."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, Collider, plugin
from rish_physics.components.tables import Bodies
from rish_physics.testing import LISTENER


def _load(name: str) -> ModuleType:
    """Import a file of this folder under the name `physics_NAME`."""
    full = f"physics_{name}"
    spec = importlib.util.spec_from_file_location(full, Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[full] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_rig, _hand = _load("rig"), _load("hand")


@pytest.fixture(scope="session")
def rig() -> ModuleType:
    """The module `rig.py`, for `rig.Rig("pyramid20")` and `rig.Scene()`; it is also `import physics_rig`."""
    return _rig


class Yard:
    """A game with physics only, with functions to add and inspect entities. One unit is a meter by default."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.world = app.world

    def put(self, x: float, y: float, *parts: Any, **place: Any) -> int:
        """Spawn an entity at a position."""
        return self.world.spawn(Transform(position=(x, y), **place), *parts)

    def box(
        self, x: float, y: float, w: float = 1, h: float = 1, *, angle: float = 0.0, body: Any = None, **form: Any
    ) -> int:
        """Spawn a dynamic box; body: values of its Body."""
        return self.put(x, y, Body(**(body or {})), Collider(size=(w, h), **form), rotation=angle)

    def ball(self, x: float, y: float, radius: float = 0.5, *, body: Any = None, **form: Any) -> int:
        """Spawn a dynamic circle."""
        return self.put(x, y, Body(**(body or {})), Collider(shape="circle", radius=radius, **form))

    def wall(self, x: float, y: float, w: float, h: float, *, angle: float = 0.0, **form: Any) -> int:
        """Spawn a static box."""
        return self.put(x, y, Collider(size=(w, h), **form), rotation=angle)

    def run(self, ticks: int = 1) -> None:
        """Run that many ticks."""
        for _ in range(ticks):
            self.app.tick()
            self.world.end_frame()

    def place(self, entity: int) -> list[float]:
        """Return the position of an entity."""
        return self.world.get(entity, Transform).position.tolist()

    def angle(self, entity: int) -> float:
        """Return the rotation of an entity."""
        return float(self.world.get(entity, Transform).rotation)

    def velocity(self, entity: int) -> list[float]:
        """Return the velocity of an entity."""
        return self.world.get(entity, Body).velocity.tolist()

    def slot(self, entity: int) -> int:
        """Return the row of an entity in `Bodies`."""
        return int(np.flatnonzero(self.world[Bodies].entity == entity)[0])


@pytest.fixture
def yard(rish_app: Any) -> Callable[..., Yard]:
    """Make a yard in which all events are emitted: `yard(gravity=(0, -10))`; values of `settings: physics:`."""

    def make(
        *, strict: bool = False, scenes: Any = None, prefabs: Any = None, backend: Any = None, **settings: Any
    ) -> Yard:
        given = {"units_per_meter": 1, "gravity": [0, -10], **settings}
        manifest: dict[str, Any] = {"settings": {"physics": given}}
        if scenes is not None:
            manifest["scenes"] = scenes
        if prefabs is not None:
            manifest["prefabs"] = prefabs
        return Yard(
            rish_app(manifest, plugins={"physics": plugin, "listener": LISTENER}, strict=strict, backend=backend)
        )

    return make
