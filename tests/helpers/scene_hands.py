"""A person at the scene view of the editor, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Transform, find
from rish_editor.testing import UIDriver


class SceneHands:
    """A person at the scene view, who knows where things of the world are in the window."""

    def __init__(self, driver: UIDriver, game: Any) -> None:
        self.driver, self.game, self.world = driver, game, game.world
        self.editor = driver.shell.editor
        self.panel = self.editor.panels["editor.scene"]
        self.editor.show("editor.scene")
        camera = self.panel.views["2d"].camera
        camera.x, camera.y, camera.density = 0.0, 0.0, 1.0
        driver.step()
        x, y = self.at(0.0, 0.0)  # units lie on whole pixels, to which pointers are rounded
        camera.x, camera.y = x % 1.0, -(y % 1.0)
        driver.step()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the window at which a point of the world is shown."""
        return self.panel.views["2d"].scene.to_screen((x, y))

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

    def pose(self, name: str) -> tuple[Any, float, Any]:
        """Return position, rotation in degrees, and scale of an entity."""
        read = [self.game.read(self.entity(name), Transform, field) for field in ("position", "rotation", "scale")]
        return read[0], float(np.degrees(read[1])), read[2]

    def use(self, tool: str) -> None:
        """Choose a tool."""
        assert self.editor.run(f"tool.{tool}")
        self.driver.step(2)

    def drag(self, handle: str, by: tuple[float, float], **options: Any) -> None:
        """Drag a handle by a way in units of the world, y up; one unit is one pixel."""
        self.driver.drag(f"editor.scene/{handle}", by=(by[0], -by[1]), **{"steps": 3, **options})
