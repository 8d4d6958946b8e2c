"""Widgets in a display of character cells."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from rish_core import open_game
from rish_frame import NullBackend
from rish_ui import UiState

SCENE = """rish: 1
game: {title: Test, size: [640, 352]}
plugins: [ui]
scenes:
  main:
    - name: menu
      Screen: {}
      Layout: {gap: [0, 10], padding: [5, 7, 5, 7]}
      children:
        - {Label: {text: Name}}
        - {Button: {text: Play}}
        - {Slider: {}}
        - {Label: {text: Low}, Layout: {size: [0, 3], margin: [0, 20, 0, 0]}}
        - {Toggle: {text: Sound}}
"""


def test_whole_lines(tmp_path: Path) -> None:
    """In a terminal all widgets begin at a line and are whole lines high, so that no text covers another one."""
    (tmp_path / "game.yaml").write_text(SCENE, encoding="utf-8")
    with open_game(tmp_path, headless=True, backend=NullBackend(keep=0, cell=(8.0, 16.0))) as app:
        app.frame()
        nodes: list[Any] = app.world[UiState].tree.roots[0].nodes
        widgets = nodes[-5:]
        assert all(node.y % 16 == 0 and node.h % 16 == 0 and node.h > 0 for node in widgets)
        assert all(above.y + above.h <= below.y for above, below in pairwise(widgets))
