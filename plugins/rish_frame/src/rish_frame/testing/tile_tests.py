"""The contract's tests of tiles: the texel of the cell that each pixel shows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ..backend import Backend
from ..frame.kinds import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED
from .checks import ContractChecks, assert_color, assert_pixels, assert_rectangle, at, over
from .samples import BLUE, GREEN, HALF_RED, NO_PAGE, OPAQUE, QUARTERS, RED, WHITE, Color, quad, tiles  # fmt: skip

BLACK = (0, 0, 0, 255)
_QUARTERS = {(0, 0): RED, (1, 0): GREEN, (0, 1): BLUE, (1, 1): OPAQUE}
"""The colors of the frame QUARTERS by column and row, row 0 at the top."""


class TileTests(ContractChecks):
    """Tests of tiles; all need the capability `pixels` and the kind `tiles`."""

    def test_tiles_lie_in_their_cells(self, backend: Backend) -> None:
        """Row 0 is at the top, column 0 on the left; empty cells and cells with missing frames draw nothing."""
        cells = [[WHITE + 1, 0, QUARTERS + 1], [0, HALF_RED + 1, NO_PAGE + 1], [60_000, 0, WHITE + 1]]
        picture = self.show(backend, tiles(cells, 10, 34, 8))
        assert_rectangle(picture, 10, 26, 8, 8, OPAQUE, BLACK)
        assert_rectangle(picture, 18, 18, 8, 8, (128, 0, 0, 255), BLACK)
        assert_rectangle(picture, 26, 10, 8, 8, OPAQUE, BLACK)
        assert_pixels(picture, {(14, 14): BLACK, (30, 22): BLACK})
        for (column, line), color in _QUARTERS.items():
            assert_color(picture, 27 + 4 * column, 32 - 4 * line, color)

    def test_tiles_have_no_seams(self, backend: Backend) -> None:
        """Half transparent tiles cover every pixel exactly once, at any zoom and position of the camera."""
        batch = tiles(np.full((100, 100), WHITE + 1), -200, 200, 4, (255, 255, 255, 128))
        rng = np.random.default_rng(7)
        for _ in range(25):
            zoom, x, y = float(rng.uniform(0.4, 5)), float(rng.uniform(-60, 60)), float(rng.uniform(-60, 60))
            levels = self.show(backend, batch, **self.looking_at(x, y, zoom=zoom))[..., 0].astype(int)
            assert np.abs(levels - 128).max() <= 1, zoom

    @pytest.mark.parametrize("bits", range(8))
    def test_tiles_are_flipped_in_the_order_of_tiled(self, backend: Backend, bits: int) -> None:
        """Cells are transposed first, then mirrored, for all eight orientations of a square."""
        flags = [CELL_TRANSPOSED, CELL_MIRRORED_Y, CELL_MIRRORED_X]
        cell = (QUARTERS + 1) | sum(flag for bit, flag in enumerate(flags) if bits >> bit & 1)
        picture = self.show(backend, tiles([[cell]], 16, 24, 8))
        for (column, line), color in _QUARTERS.items():
            if bits & 1:
                column, line = line, column
            if bits & 2:
                line = 1 - line
            if bits & 4:
                column = 1 - column
            for x, y in ((0, 0), (3, 3)):
                assert_color(picture, 16 + 4 * column + x, 20 - 4 * line + y, color)

    def test_tiles_are_tinted_and_blended(self, backend: Backend) -> None:
        """All tiles of a batch have its straight tint and are blended over the pixels below."""
        ground, tint = (10, 60, 200, 255), (240, 100, 20, 128)
        below = quad(20, 20, 40, 40, ground)
        picture = self.show(backend, below, tiles([[WHITE + 1, 0, QUARTERS + 1]], 8, 24, 8, tint, layer=1))
        assert_pixels(picture, {(12, 20): over(ground, tint), (20, 20): ground})
        assert_color(picture, 26, 22, over(ground, (240, 0, 0, 128)))

    def test_a_grid_may_be_sheared(self, backend: Backend) -> None:
        """On an isometric map each pixel shows the cell that contains the pixel's center."""
        size = 4
        cells = np.random.default_rng(2).choice([0, WHITE + 1, HALF_RED + 1], (size, size)).astype(np.uint32)
        batch = tiles(cells, 0, 0, 1)
        batch.arrays["grid"] = np.array([7, -4, -7, -4, 32.3, 40.2], np.float32)
        picture = self.show(backend, batch)
        a, b, c, d, tx, ty = batch.arrays["grid"].astype(float)
        area = a * d - b * c
        colors: dict[int, Color] = {0: BLACK, WHITE + 1: OPAQUE, HALF_RED + 1: (128, 0, 0, 255)}
        for y in range(self.size[1]):
            for x in range(self.size[0]):
                dx, dy = x + 0.5 - tx, y + 0.5 - ty
                column, row = (d * dx - c * dy) / area, (a * dy - b * dx) / area
                if min(abs(column - round(column)), abs(row - round(row))) < 1e-3:
                    continue
                inside = 0 <= column < size and 0 <= row < size
                expected = colors[int(cells[math.floor(row), math.floor(column)])] if inside else BLACK
                assert_color(picture, x, y, expected)

    def test_tiles_turn_with_the_camera(self, backend: Backend) -> None:
        """With a camera turned by 90 degrees each pixel shows the right texel."""
        width, height = self.size
        picture = self.show(backend, tiles([[QUARTERS + 1]], -8, 8, 16), **self.looking_at(0, 0, rotation=np.pi / 2))
        x, y = width // 2, height // 2
        corners = {(x - 4, y + 4): BLUE, (x + 4, y + 4): RED, (x - 4, y - 4): OPAQUE, (x + 4, y - 4): GREEN}
        assert_pixels(picture, corners)

    def test_no_texel_of_a_neighbor_shines_into_a_tile(self, backend: Backend) -> None:
        """A magnified tile with linear filter mixes texels within its frame only; its edges keep their colors."""
        picture = self.show(backend, tiles([[QUARTERS + 1]], 8, 40, 32, filter="linear"))
        assert_pixels(picture, {(8, 39): RED, (39, 39): GREEN, (8, 8): BLUE, (39, 8): OPAQUE})
        red, green, _, _ = at(picture, 24, 34)
        assert red > 80
        assert green > 80

    def test_a_map_seen_from_afar_shows_one_texel_a_pixel(self, backend: Backend) -> None:
        """If cells are smaller than a pixel, each pixel shows the cell at its center, up to the end of the map."""
        cells = np.zeros((90, 90), np.uint32)
        cells[:, ::2] = WHITE + 1
        picture = self.show(backend, tiles(cells, 4.05, 40.05, 0.4))
        row = picture[self.size[1] - 1 - 20, :, 0]
        columns = np.floor((np.arange(len(row)) + 0.5 - 4.05) / 0.4)
        expected = np.where((columns >= 0) & (columns < 90) & (columns % 2 == 0), 255, 0)
        assert (row == expected).mean() > 0.98
