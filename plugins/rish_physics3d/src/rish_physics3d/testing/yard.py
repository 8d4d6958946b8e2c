"""A game with only space3d and a provider of `rigid3d`, and functions to add and inspect bodies."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import App, parse_manifest
from rish_core.plugin import installed_plugins
from rish_space3d import Transform3D

from ..components.bodies import Body3D, Collider3D, ColliderShape3D
from .listener import LISTENER_3D

_SPACE = [each for each in installed_plugins() if each.name == "space3d"]
_MANIFEST = "rish: 1\nplugins: [space3d]\nsettings: {{physics3d: {{{settings}}}}}\nscenes: {{main: {scene}}}\n"


class ContractYard:
    """A headless game with gravity (0, -10, 0). settings: of `settings.physics3d`. scene: entries, as YAML.

    It is a context manager, which closes the game.
    """

    def __init__(self, plugin: Any, scene: str = "[]", **settings: Any) -> None:
        values = {"gravity": "[0, -10, 0]", **settings}
        text = ", ".join(f"{name}: {value}" for name, value in values.items())
        self.app = App(
            parse_manifest(_MANIFEST.format(settings=text, scene=scene)),
            headless=True, extra={"provider": plugin, "listener": LISTENER_3D}, installed=_SPACE, policy="raise",
        )  # fmt: skip
        self.world = self.app.world

    def __enter__(self) -> ContractYard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.app.close()

    def put(self, x: float, y: float, z: float, *parts: Any, **place: Any) -> int:
        """Spawn an entity at a position; return it. place: other fields of its Transform3D."""
        return self.world.spawn(Transform3D(position=(x, y, z), **place), *parts)

    def box(self, x: float, y: float, z: float, size: Any = (1, 1, 1), *, body: Any = None, **collider: Any) -> int:
        """Spawn a dynamic box. body: values of its Body3D. collider: of its Collider3D, and `turn`, its rotation."""
        place = {"rotation": collider.pop("turn")} if "turn" in collider else {}
        return self.put(x, y, z, Body3D(**(body or {})), Collider3D(size=size, **collider), **place)

    def ball(self, x: float, y: float, z: float, radius: float = 0.5, *, body: Any = None, **collider: Any) -> int:
        """Spawn a dynamic sphere."""
        shape = Collider3D(shape=ColliderShape3D.SPHERE, radius=radius, **collider)
        return self.put(x, y, z, Body3D(**(body or {})), shape)

    def ground(self, **collider: Any) -> int:
        """Spawn a wide static box whose upper side is at y = 0."""
        return self.put(0, -1, 0, Collider3D(size=(200, 2, 200), **collider))

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
        """Return the position of an entity, float64 (3,)."""
        return np.array(self.world.get(entity, Transform3D).position, np.float64)

    def rotation(self, entity: int) -> npt.NDArray[np.float64]:
        """Return the quaternion of an entity, float64 (4,)."""
        return np.array(self.world.get(entity, Transform3D).rotation, np.float64)

    def velocity(self, entity: int) -> npt.NDArray[np.float64]:
        """Return the velocity of a body, float64 (3,)."""
        return np.array(self.world.get(entity, Body3D).velocity, np.float64)

    def spin(self, entity: int) -> npt.NDArray[np.float64]:
        """Return the angular velocity of a body, float64 (3,)."""
        return np.array(self.world.get(entity, Body3D).angular_velocity, np.float64)
