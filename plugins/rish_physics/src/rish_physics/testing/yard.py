"""A game with only a provider of `physics2d`, for tests. One unit is a meter."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import App, Transform, parse_manifest

from ..components.bodies import Body, Collider, ColliderShape
from .listener import LISTENER

_MANIFEST = """
rish: 1
game: {{title: Yard, seed: 1}}
plugins: []
settings: {{physics: {settings}}}
scenes: {{main: {scene}}}
"""


class ContractYard:
    """A game without a window, with functions to add and inspect bodies.

    plugin: the module of the provider. scene: the entries of its only scene, as YAML in one line. settings: values of
    `settings: physics:`.
    """

    def __init__(self, plugin: Any, scene: str = "[]", **settings: Any) -> None:
        values = {"units_per_meter": 1, "gravity": [0, -10], **settings}
        text = "{" + ", ".join(f"{name}: {_yaml(value)}" for name, value in values.items()) + "}"
        manifest = parse_manifest(_MANIFEST.format(settings=text, scene=scene))
        self.app = App(
            manifest, headless=True, extra={"provider": plugin, "listener": LISTENER}, installed=[], policy="raise"
        )
        self.world = self.app.world

    def __enter__(self) -> ContractYard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.app.close()

    def put(self, x: float, y: float, *parts: Any, angle: float = 0.0) -> int:
        """Spawn an entity at a position (units), turned by an angle in radians; return it."""
        return self.world.spawn(Transform(position=(x, y), rotation=angle), *parts)

    def ground(self, **collider: Any) -> int:
        """Spawn a wide static box whose upper side is at y = 0."""
        return self.put(0, -1, Collider(size=(200, 2), **collider))

    def box(self, x: float, y: float, size: Any = (1, 1), angle: float = 0.0, body: Any = None, **collider: Any) -> int:
        """Spawn a dynamic box. body: values of its Body."""
        return self.put(x, y, Body(**(body or {})), Collider(size=size, **collider), angle=angle)

    def ball(self, x: float, y: float, radius: float = 0.5, body: Any = None, **collider: Any) -> int:
        """Spawn a dynamic circle. body: values of its Body."""
        return self.put(x, y, Body(**(body or {})), Collider(shape=ColliderShape.CIRCLE, radius=radius, **collider))

    def run(self, seconds: float) -> None:
        """Advance the game."""
        for _ in range(round(seconds / self.world.dt)):
            self.app.tick()
            self.world.end_frame()

    def count(self, seconds: float, *events: type) -> list[int]:
        """Advance the game; return how many events of each class were emitted."""
        counts = [0] * len(events)
        for _ in range(round(seconds / self.world.dt)):
            self.app.tick()
            for k, cls in enumerate(events):
                counts[k] += len(self.world.bus.of_frame(cls))
            self.world.end_frame()
        return counts

    def place(self, entity: int) -> npt.NDArray[np.float64]:
        """Return the position of an entity, float64 (2,)."""
        return np.array(self.world.get(entity, Transform).position, np.float64)

    def angle(self, entity: int) -> float:
        """Return the rotation of an entity, radians."""
        return float(self.world.get(entity, Transform).rotation)

    def velocity(self, entity: int) -> npt.NDArray[np.float64]:
        """Return the velocity of an entity, float64 (2,)."""
        return np.array(self.world.get(entity, Body).velocity, np.float64)

    def spin(self, entity: int) -> float:
        """Return the angular velocity of an entity, rad/s."""
        return float(self.world.get(entity, Body).angular_velocity)


def _yaml(value: Any) -> str:
    """Return a value of the settings as YAML: numbers, texts, lists and mappings."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_yaml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
