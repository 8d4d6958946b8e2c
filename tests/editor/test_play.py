"""Playing in the editor: the game runs on a copy, and stopping brings the edited state back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_editor.testing import UIDriver

GAME = """rish: 1
game: {title: Ball, size: [640, 360]}
plugins: [render, physics]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: ball, at: [0, 100], Shape: {shape: circle, radius: 20}, Body: {}, Collider: {radius: 20}}
"""


def test_play_moves_the_ball_and_stop_brings_the_first_hash_back(
    driver: UIDriver, open_text: Callable[..., Any]
) -> None:
    """Play moves the ball; Stop restores the state from before, and it is no step of the history."""
    game = open_text(GAME)
    before = game.world.hash()
    driver.click("toolbar/play.start")
    driver.step(30)
    assert game.world.tick > 20
    assert game.world.hash() != before
    driver.click("toolbar/play.stop")
    assert game.world.hash() == before
    assert not game.history.done
    assert not game.dirty
