"""What glows lights a game, on either backend, as a setting."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Frame
from rish_lighting.gi.extract import Glow
from rish_lighting.gi.walls_kernels import rasterise

from ..conftest import BACKENDS

FLOOR = "- {at: [80, 48], Transform: {}, Shape: {size: [160, 96], fill: white}}"
WALL = "- {at: [100, 48], Transform: {}, Shape: {size: [8, 200], fill: white}, Occluder: {size: [8, 200]}}"
FIRE = "- {at: [50, 48], Transform: {}, Sprite: {image: ball.png, emission: glow.png}}"
DARK = "- {Ambient: {colour: black}}"
SCENE = "\n".join((FLOOR, WALL, FIRE, DARK))
SETTINGS = "{lighting: {gi: medium, emission: 8}}"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_glows_lights_the_floor_and_not_what_lies_behind_a_wall(hall, backend):
    """Warm light around an emission map, darkness on the other side; without the setting all is dark."""
    picture = hall(SCENE, backend, SETTINGS).app.backend.pixels().astype(int)
    near, far, behind = picture[48, 74], picture[10, 10], picture[48, 130]
    assert near[0] > far[0] > 20
    assert near[0] > near[2] + 20
    assert behind[:3].max() <= 3
    plain = hall(SCENE, backend).app.backend.pixels()
    assert plain[48, 74, :3].max() <= 1


def test_games_without_the_setting_have_none_of_its_passes(hall):
    """Off is the default."""
    assert not any(name.startswith("light.gi") for name in hall(SCENE).world[Frame].passes)


def test_walls_that_stay_are_not_drawn_again(hall):
    """The very grid of texels is kept, until a wall moves."""
    game = hall(SCENE, settings=SETTINGS)
    (kept,) = game.world[Glow].grids.values()
    game.app.run(frames=2)
    assert game.world[Glow].grids["light.gi.1"][1] is kept[1]


def test_an_outline_is_filled_and_a_line_is_not():
    """A box has an inside, also where only part of it is on the grid; a single edge is as thin as a texel."""
    box = np.array([[2, 2, 8, 2], [8, 2, 8, 6], [8, 6, 2, 6], [2, 6, 2, 2]], np.float64) - (5, 0, 5, 0)
    out = np.zeros((10, 12), np.uint8)
    rasterise(box.ravel(), np.ones(4, np.bool_), out)
    assert out[3:6, :3].all()
    assert not out[:, 4:].any()
    assert not out[:2].any()
    line = np.zeros((10, 12), np.uint8)
    rasterise(np.array([1.5, 1.5, 9.5, 8.5]), np.zeros(1, np.bool_), line)
    assert 12 <= line.sum() <= 20
    reached = np.argwhere(line)
    assert (np.abs(np.diff(reached, axis=0)).sum(axis=1) > 0).all()
