"""Tiles compared with a plain loop over pixels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_frame import Batch
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED

pytestmark = pytest.mark.skipif(not rish_jit.available(), reason="takes minutes where kernels run as plain Python")
SIZE = (48, 32)
FLAGS = (0, CELL_TRANSPOSED, CELL_MIRRORED_X, CELL_MIRRORED_Y | CELL_TRANSPOSED, CELL_MIRRORED_X | CELL_MIRRORED_Y)


def grid_of(cells, grid, tint=(255, 255, 255, 255), **options):
    """Return a batch of tiles."""
    arrays = {
        "cells": np.ascontiguousarray(cells, dtype=np.uint32),
        "grid": np.array(grid, np.float32),
        "rgba": np.array(tint, np.uint8),
    }
    return Batch("tiles", arrays, **options)


def some_cells(rng, rows, columns):
    """Return random cells: frames of the table, holes, mirrored frames, and invalid frames."""
    frames = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 900], (rows, columns))
    return (frames | np.where(frames > 0, rng.choice(FLAGS, (rows, columns)), 0)).astype(np.uint32)


def looked_up(kit, batch, ground, sure):
    """Compute every pixel independently: the cell below its center, the texel in it, tinted and blended.

    sure: bool (h, w), set to False where a center is so near to a border that the result depends on rounding.
    """
    height, width = ground.shape[:2]
    a, b, c, d, tx, ty = batch.arrays["grid"].astype(float)
    cells, picture, out = batch.arrays["cells"], kit.page().astype(float), ground.astype(float)
    tint = batch.arrays["rgba"].astype(float) / 255
    area = a * d - b * c
    for y in range(height):
        for x in range(width):
            dx, dy = x + 0.5 - tx, height - y - 0.5 - ty
            column, row = (d * dx - c * dy) / area, (a * dy - b * dx) / area
            sure[y, x] = min(abs(column - round(column)), abs(row - round(row))) > 1e-4
            if not (0 <= column < cells.shape[1] and 0 <= row < cells.shape[0]):
                continue
            cell = int(cells[math.floor(row), math.floor(column)])
            frame = (cell & 0xFFFFFF) - 1
            if not 0 <= frame < 6:
                continue
            _, u0, v0, u1, v1, additive = kit.TABLE[frame]
            s, t = column % 1, row % 1
            s, t = (1 - s if cell & CELL_MIRRORED_X else s), (1 - t if cell & CELL_MIRRORED_Y else t)
            s, t = (t, s) if cell & CELL_TRANSPOSED else (s, t)
            u, v = u0 + s * (u1 - u0), v0 + t * (v1 - v0)
            sure[y, x] &= min(abs(u - round(u)), abs(v - round(v))) > 1e-3
            u, v = min(max(int(u), min(u0, u1)), max(u0, u1) - 1), min(max(int(v), min(v0, v1)), max(v0, v1) - 1)
            source = picture[v, u] * np.append(tint[:3] * tint[3], tint[3])
            if additive or batch.blend == "add":
                source[3] = 0
                sure[y, x] &= batch.blend != "multiply"  # an additive texel cannot be a factor
            out[y, x] = kit.blended(out[y, x], source, batch.blend)
    return out


@given(seed=st.integers(0, 2**31), quality=st.sampled_from(["exact", "fast"]), blend=st.sampled_from(
    ["alpha", "alpha", "add", "multiply", "screen", "replace", "mask", "erase"]
))  # fmt: skip
@settings(max_examples=long(60, 15), deadline=None)
@pytest.mark.slow
def test_any_grid_shows_what_a_plain_loop_finds(kit, seed, quality, blend):
    """Grids that are upright, rotated, magnified, tiny, tinted or off the screen equal a plain loop over pixels."""
    rng = np.random.default_rng(seed)
    shape = rng.choice(["own", "upright", "tiny", "any"])
    size = {"own": 16, "upright": rng.uniform(2.5, 40), "tiny": rng.uniform(0.3, 2), "any": rng.uniform(1, 30)}[shape]
    grid = [size, 0, 0, -size, rng.uniform(-30, 50), rng.uniform(0, 60)]
    if shape == "any":
        grid[:4] = rng.uniform(-size, size, 4)
        if abs(grid[0] * grid[3] - grid[1] * grid[2]) < 1:
            grid[:4] = [size, 1, 0, size]
    if shape == "upright":
        grid[0], grid[3] = grid[0] * rng.choice([1, -1]), grid[3] * rng.choice([1, -1, 0.7])
    rows, columns = rng.integers(1, 9, 2) * (8 if shape == "tiny" else 1)
    tint = (255, 255, 255, 255) if rng.random() < 0.5 else tuple(rng.integers(0, 256, 4).tolist())
    batch = grid_of(some_cells(rng, rows, columns), grid, tint, blend=blend)
    stage = kit.Stage(SIZE, quality)
    color = (40, 90, 160, 255)
    stage.frame.set_clear(tuple(value / 255 for value in color))
    sure = np.ones(SIZE[::-1], np.bool_)
    expected = looked_up(kit, batch, np.broadcast_to(np.array(color), (*SIZE[::-1], 4)), sure)
    found = stage.draw(batch).astype(float)
    assert not stage.stats.skipped
    assert np.abs(found - expected)[..., :3][sure].max(initial=0) <= 2


@pytest.mark.parametrize("frame", [1, 4])
def test_filtering_mixes_four_texels_of_one_frame(kit, frame):
    """Magnified by 8, a filtered tile is within two levels of the formula and uses no texel beyond its frame."""
    stage = kit.Stage((160, 160))
    found = stage.draw(grid_of([[frame]], [128, 0, 0, -128, 16, 144], filter="linear"))[16:144, 16:144].astype(float)
    _, u0, v0, u1, v1, _ = kit.TABLE[frame - 1]
    lines = np.arange(v0, v1) if v1 > v0 else np.arange(v0 - 1, v1 - 1, -1)
    columns = np.arange(u0, u1) if u1 > u0 else np.arange(u0 - 1, u1 - 1, -1)
    picture = kit.page()[lines[:, None], columns[None]].astype(float)
    y, x = (np.arange(128) + 0.5) * len(lines) / 128 - 0.5, (np.arange(128) + 0.5) * len(columns) / 128 - 0.5
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    down, across = (y - top)[:, None, None], (x - left)[None, :, None]

    def taps(i, j):
        return picture[np.clip(top + i, 0, len(lines) - 1)][:, np.clip(left + j, 0, len(columns) - 1)]

    mixed = (taps(0, 0) * (1 - across) + taps(0, 1) * across) * (1 - down) + (
        taps(1, 0) * (1 - across) + taps(1, 1) * across
    ) * down
    assert np.abs(found - mixed)[..., :3].max() <= 4


def test_filtered_tiles_at_their_own_size_are_sharp_when_fast(kit):
    """Between pixels "exact" filters and "fast" does not; on whole pixels both show the exact texels."""
    cells = [[1, 2], [2, 1]]
    here = grid_of(cells, [16, 0, 0, -16, 8, 40], filter="linear")
    there = grid_of(cells, [16, 0, 0, -16, 8.3, 40.2], filter="linear")
    sharp = kit.Stage(SIZE).draw(grid_of(cells, [16, 0, 0, -16, 8, 40]))
    for quality in ("exact", "fast"):
        assert (kit.Stage(SIZE, quality).draw(here) == sharp).all()
    moved = grid_of(cells, [16, 0, 0, -16, 8.3, 40.2])
    assert (kit.Stage(SIZE, "fast").draw(there) == kit.Stage(SIZE).draw(moved)).all()
    assert not (kit.Stage(SIZE).draw(there) == kit.Stage(SIZE).draw(moved)).all()


@pytest.mark.parametrize(
    "grid",
    [(0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 0, 0), (1e-30, 0, 0, 1e-30, 0, 0), (1e30, 0, 0, -1e30, 0, 0),
     (1, 0, 0, -1, 1e30, 0), (1e-5, 0, 0, -1e-5, 24, 16), (np.nan, 0, 0, 1, 0, 0)],
)  # fmt: skip
def test_impossible_grids_do_no_harm(kit, grid):
    """Degenerate, NaN and huge grids raise no error and return an image of the same size."""
    stage = kit.Stage(SIZE)
    ground = stage.draw(kit.crowd(5))
    picture = stage.draw(grid_of([[1, 2], [0, 3]], grid), kit.crowd(5, layer=1))
    assert picture.shape == ground.shape
