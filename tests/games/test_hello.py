"""The tutorial's game: short, without Python, with its text on the screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rish_core import open_game
from rish_render import Text

HELLO = Path(__file__).parents[2] / "games" / "hello"


def test_it_is_one_short_file() -> None:
    """The complete game is a manifest of at most 20 lines."""
    assert [path.name for path in HELLO.iterdir() if path.name != "__pycache__"] == ["game.yaml"]
    assert len((HELLO / "game.yaml").read_text(encoding="utf-8").splitlines()) <= 20


def test_its_words_stand_bright_in_the_middle() -> None:
    """The text is where the manifest puts it, and there are white pixels."""
    with open_game(HELLO, headless=True, pixels=True, policy="raise") as app:
        app.frame()
        world = app.world
        assert [world.get(entity, Text).text for entity in world.query(Text)] == ["Hello, Rish"]
        picture = app.pixels()
    middle = picture[110:190, 150:490, :3]
    assert int((middle.min(axis=2) > 240).sum()) > 500
    assert not np.array_equal(picture[0, 0], picture[-1, 320])
