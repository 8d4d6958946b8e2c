"""A person at the scene view of the editor when it shows space, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import find
from rish_editor.testing import LEFT, UIDriver
from rish_space3d import Transform3D, quaternions


class SpaceHands:
    """A person at the view of space, who knows where points of the world are in the window."""

    def __init__(self, driver: UIDriver, game: Any) -> None:
        self.driver, self.game, self.world = driver, game, game.world
        self.editor = driver.shell.editor
        self.panel = self.editor.panels["editor.scene"]
        self.editor.show("editor.scene")
        driver.step(3)
        assert self.panel.shown == "3d"

    @property
    def camera(self) -> Any:
        """The camera of the view."""
        return self.panel.views["3d"].camera

    def look(self, side: str, at: tuple[float, float, float] = (0.0, 0.0, 0.0), distance: float = 10.0) -> None:
        """Look along an axis at a point, see `SIDES`."""
        space = self.panel.views["3d"]
        space.camera = type(space.camera)(at, distance).side(side)
        self.driver.step(2)

    def at(self, *point: float) -> tuple[float, float]:
        """Return the point of the window at which a point of space is shown."""
        x, y = self.panel.views["3d"].scene.to_screen(np.array(point, np.float64)).tolist()
        return x, y

    def entity(self, name: str) -> int:
        """Return an entity by its name."""
        found = find(self.world, name)
        assert found is not None
        return found

    def select(self, *names: str) -> None:
        """Select entities by name, without a step of the history."""
        self.game.selection.set([self.entity(name) for name in names])
        self.driver.step(2)

    def selected(self) -> list[str]:
        """Return the names of the selected entities."""
        return [self.game.name_of(handle) for handle in self.game.selection.handles]

    def read(self, name: str, field: str) -> Any:
        """Return a field of the Transform3D of an entity."""
        return np.asarray(self.game.read(self.entity(name), Transform3D, field), np.float64)

    def axis(self, name: str, k: int = 0) -> Any:
        """Return where an axis of an entity points after its rotation."""
        return quaternions.turned(quaternions.normalized(self.read(name, "rotation")), np.eye(3)[k])

    def use(self, tool: str) -> None:
        """Choose a tool."""
        assert self.editor.run(f"tool.{tool}")
        self.driver.step(2)

    def drag(self, handle: str, *, to: tuple[float, float] | None = None, **options: Any) -> None:
        """Drag a handle, to a point of the window or `by` a way."""
        self.driver.drag(f"editor.scene/{handle}", to, **{"steps": 4, **options})

    def drag_from(
        self, start: tuple[float, float], to: tuple[float, float], button: int = LEFT, **options: Any
    ) -> None:
        """Drag from a point of the window to another one."""
        self.driver.drag(start, to, button=button, **{"steps": 4, **options})
