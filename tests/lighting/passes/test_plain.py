"""A plain frame shows the World without light, fog and effects, and the next one is lit as before."""

from __future__ import annotations

import numpy as np

from rish_frame import Frame

THINGS = """
- {Transform: {position: [80, 48]}, Shape: {size: [40, 40], color: "#ffffff"}}
- {Transform: {position: [60, 48]}, Light: {radius: 60}}
- {Ambient: {color: "#202040"}}
"""
DARK = "- {Transform: {position: [80, 48]}, Shape: {size: [40, 40], color: '#ffffff'}}"
POST = "{lighting: {post: [{vignette: {}}]}}"


def pixels(game) -> np.ndarray:
    """Draw the World as it is and return its image."""
    game.app.draw()
    return game.app.pixels().copy()


def test_a_plain_frame_is_neither_lit_nor_changed_by_effects(hall) -> None:
    """With `Frame.plain` the image equals that of a game without lights and effects; afterwards it is lit again."""
    game = hall(THINGS, settings=POST)
    lit = pixels(game)
    game.app.world[Frame].plain = True
    plain = [pixels(game) for _ in range(2)]
    assert not [name for name in game.app.world[Frame].passes if name.startswith("light.")]
    game.app.world[Frame].plain = False
    assert np.array_equal(pixels(game), lit)
    bare = pixels(hall(DARK))
    assert all(np.array_equal(each, bare) for each in plain)
    assert not np.array_equal(lit, bare)
