"""Fixtures: a game in space, and a person at its view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_editor.testing import UIDriver
from space_hands import SpaceHands

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, space3d]
scenes:
  main:
    - {name: left, Transform3D: {position: [-2, 0, 0]}}
    - {name: right, Transform3D: {position: [2, 0, 0], rotation: [0, 90, 0]}}
    - {name: child, parent: right, Transform3D: {position: [0, 1, 0]}}
"""


@pytest.fixture
def hands(driver: UIDriver, open_text: Callable[..., Any]) -> Callable[..., SpaceHands]:
    """A function that opens a game in space and returns a person at its view, who looks along -z at the origin."""

    def make(text: str = GAME) -> SpaceHands:
        made = SpaceHands(driver, open_text(text))
        made.look("front")
        return made

    return make
