"""The uniforms for a grid of tiles lead each pixel to the cell that covers it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_render.backends.arcade.draw.tiles import placed

CLIP = (10, 20, 600, 400)
SHAPE = (300, 500)


def cell_of(values: dict[str, Any], x: float, y: float) -> tuple[float, float]:
    """Return the column and row of a point in pixels, by the formula of tiles.frag.glsl."""
    a, b, c, d = values["to_cell"]
    dx, dy = x - values["origin"][0], y - values["origin"][1]
    shift_x, shift_y, column, row = values["cell"]
    return a * dx + c * dy + shift_x + column, b * dx + d * dy + shift_y + row


@pytest.mark.parametrize("turn", [0.0, 0.4, 3.0])
def test_pixels_find_their_cells(turn: float) -> None:
    """The cell computed for a pixel covers that pixel, and the box contains all visible pixels of the grid."""
    random = np.random.default_rng(2)
    for _ in range(50):
        cos, sin = np.cos(turn), np.sin(turn)
        zoom, tile = np.exp(random.uniform(-2, 2)), random.uniform(4, 40)
        plane = np.array([[zoom, 0.1 * zoom, random.uniform(-900, 900)], [0, zoom, random.uniform(-900, 900)]])
        grid = np.array([tile * cos, tile * sin, tile * sin, -tile * cos, *random.uniform(-900, 900, 2)], np.float32)
        values = placed(tuple(plane.ravel().tolist()), grid, SHAPE, CLIP)
        a, b, c, d, tx, ty = grid.astype(np.float64)
        spots = random.uniform((0, 0), (SHAPE[1], SHAPE[0]), (200, 2))
        world = spots @ np.array([[a, b], [c, d]]) + (tx, ty)
        pixels = world @ plane[:, :2].T + plane[:, 2]
        seen = ((pixels >= CLIP[:2]) & (pixels < np.add(CLIP[:2], CLIP[2:]))).all(axis=1)
        if values is None:
            assert not seen.any()
            continue
        for spot, pixel in zip(spots[seen], pixels[seen], strict=True):
            assert np.allclose(cell_of(values, *pixel), spot, atol=1e-6)
            assert values["box"][0] <= pixel[0] <= values["box"][2]
            assert values["box"][1] <= pixel[1] <= values["box"][3]


def test_the_place_is_given_in_whole_cells_and_the_rest() -> None:
    """The place is split into whole cells and a rest, so that single precision suffices far from the map's origin."""
    grid = np.array([16, 0, 0, -16, 0, 200], np.float32)
    values = placed((1.0, 0.0, -90_000.25, 0.0, 1.0, 0.0), grid, (50, 9999), CLIP)
    assert values is not None
    x, y = values["origin"]
    column, row = (x + 90_000.25) / 16, (200 - y) / 16
    assert np.allclose(values["cell"], (column % 1, row % 1, column // 1, row // 1))


@pytest.mark.parametrize(
    "grid",
    [
        (16, 0, 0, -16, 5000, 0),
        (16, 0, 0, -16, 0, -5000),
        (0, 0, 0, -16, 0, 200),
        (16, 16, 8, 8, 0, 200),
        (np.nan, 0, 0, -16, 0, 200),
        (16, 0, 0, -16, np.inf, 200),
        (1e38, 0, 0, -1e38, 1e38, 3e38),
    ],
)
def test_what_is_out_of_sight_has_no_place(grid: tuple[float, ...]) -> None:
    """A grid off the screen, without area, or not finite gives None; a huge one gives None or finite values."""
    found = placed((1.0, 0.0, 0.0, 0.0, 1.0, 0.0), np.array(grid, np.float32), (40, 40), CLIP)
    assert found is None or all(np.isfinite(part).all() for part in found.values())
    if grid[0] != 1e38:
        assert found is None
