"""Images of textured lights: one size for all, and edits that show at once."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_assets import report_changes
from rish_core import Assets
from rish_frame.pictures import save_png
from rish_lighting.passes.cookies import Cookies
from rish_lighting.passes.kinds import COOKIE

LIT = """
- {Transform: {position: [80, 48]}, Shape: {size: [160, 96], color: "#ffffff"}}
- {Transform: {position: [80, 48]}, Light: {kind: textured, image: cookie.png, radius: 45, falloff: none}}
"""


def save(game: Any, color: tuple[int, int, int, int]) -> None:
    """Save the image of the light in one color while the game runs."""
    path = Path(game.folder).resolve() / "cookie.png"
    save_png(path, np.full((8, 6, 4), color, np.uint8))
    report_changes(game.world[Assets], [path])


def test_cookies_have_one_size_and_are_stacked_once(hall: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Images of any size are resized, a missing one is its placeholder, reported once, and no image is white."""
    game = hall(LIT)
    save(game, (255, 0, 0, 255))
    world, cookies = game.world, game.world[Cookies]
    with caplog.at_level(logging.WARNING):
        stack = cookies.stacked(world, ["cookie.png", "", "gone.png"])
        again = cookies.stacked(world, ["cookie.png", "", "gone.png"])
    assert again is stack
    assert stack.shape == (3, COOKIE, COOKIE, 4)
    assert (stack[0] == (255, 0, 0, 255)).all()
    assert (stack[1] == 255).all()
    assert sum("gone.png" in message for message in caplog.messages) == 1
    assert cookies.stacked(world, []).shape == (0, COOKIE, COOKIE, 4)


def test_an_edited_image_of_a_light_is_shown(hall: Any) -> None:
    """The next frame after an edit shows the new image, also if nothing else has changed."""
    game = hall(LIT)
    seen: list[np.ndarray] = []
    for color in ((255, 0, 0, 255), (0, 0, 255, 255)):
        save(game, color)
        game.app.draw()
        game.app.draw()
        seen.append(game.app.pixels()[48, 80].astype(int))
    assert seen[0][0] > seen[0][2]
    assert seen[1][2] > seen[1][0]
