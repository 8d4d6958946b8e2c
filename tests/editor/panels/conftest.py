"""Fixtures: an editor with a game whose entities are inspected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import named
from rish_editor.testing import UIDriver

INSPECTED = """rish: 1
game: {title: Inspected, size: [640, 360]}
plugins: [render]
layers: [back, world, ui]
prefabs:
  crate:
    Transform: {}
    Shape: {size: [40, 40], color: orange, opacity: 0.5}
    tags: [solid]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: hero, Transform: {position: [-100, 20]}, Sprite: {image: hero.png}, tags: [hero]}
    - {name: red, Transform: {position: [10, 1]}, Shape: {size: [60, 60], color: red}, tags: [box, first]}
    - {name: blue, Transform: {position: [20, 2]}, Shape: {size: [60, 60], color: blue}, tags: [box]}
    - {name: box, prefab: crate, at: [40, 0], Shape: {opacity: 0.25}}
    - {name: note, Transform: {}, Text: {text: Hi}}
    - {name: rope, Transform: {}, Line: {points: [[0, 0], [10, 20]]}}
"""


class Inspector:
    """A person at the inspector of an opened game."""

    def __init__(self, driver: UIDriver, game: Any) -> None:
        self.driver = driver
        self.game = game
        self.world = game.world

    def handle(self, name: str) -> int:
        """Return an entity by its name."""
        return named(self.world, name)

    def select(self, *names: str) -> list[int]:
        """Select entities as a step of the history; return them."""
        handles = [self.handle(name) for name in names]
        with self.game.edit("Select"):
            self.game.selection.set(handles)
        self.driver.step(2)
        return handles

    def search(self, text: str) -> None:
        """Show only properties that contain a text, so that they are in view."""
        self.driver.click("editor.inspector/search")
        self.driver.key("Ctrl+A")
        self.driver.key("Delete")
        self.driver.type(text)

    def at(self, name: str) -> str:
        """Return the mark of a widget of the inspector."""
        return f"editor.inspector/{name}"

    def enter(self, name: str, text: str) -> None:
        """Type into a field."""
        self.driver.enter(self.at(name), text)

    def read(self, name: str, cls: type, field: str) -> Any:
        """Return a field of an entity by its name."""
        return self.game.read(self.handle(name), cls, field)

    @property
    def steps(self) -> list[str]:
        """The names of the steps of the history, without those of the selection."""
        return [entry.name for entry in self.game.history.done if entry.name != "Select"]


@pytest.fixture
def inspector(tmp_path: Path, driver: UIDriver, open_text: Callable[..., Any]) -> Inspector:
    """An inspector; nothing is selected yet."""
    folder = tmp_path / "game"
    folder.mkdir()
    for name, color in (("hero.png", "red"), ("tree.png", "green")):
        Image.new("RGBA", (32, 16), color).save(folder / name)
    return Inspector(driver, open_text(INSPECTED))
