"""Fixtures: a game with the components that have inspectors of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_editor.testing import UIDriver

from ..panels.conftest import Inspector

GAME = """rish: 1
game: {title: Inspectors, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: second, Transform: {position: [300, 200]}, Camera: {height: 100, primary: false}}
    - {name: walker, Transform: {}, Sprite: {image: sheet.png}, SpriteSheet: {cell: [16, 16]},
       Animation: {frames: 0-3}}
    - {name: plain, Transform: {}, Sprite: {image: sheet.png}}
    - {name: panel, Transform: {}, NinePatch: {image: sheet.png, border: [4, 4, 4, 4]}}
    - {name: top, Transform: {position: [10, 20], scale: [2, 4]}}
    - {name: below, Transform: {position: [5, 0]}, parent: top}
    - {name: ground, Transform: {}, TileMap: {map: ground.map.yaml}}
    - {name: box, Transform: {}, Shape: {}}
"""
MAP = """map: {cell: [8, 8]}
tiles: {"#": {image: sheet.png}}
layers:
  - name: floor
    rows: ["##", "##", "##"]
"""


@pytest.fixture
def inspector(tmp_path: Path, driver: UIDriver, open_text: Callable[..., Any]) -> Inspector:
    """An inspector of a game with a sheet of 4x2 cells; nothing is selected yet."""
    folder = tmp_path / "game"
    folder.mkdir()
    Image.new("RGBA", (64, 32), "red").save(folder / "sheet.png")
    (folder / "ground.map.yaml").write_text(MAP, encoding="utf-8")
    return Inspector(driver, open_text(GAME))
