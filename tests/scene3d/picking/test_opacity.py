"""Maps that cut surfaces out: rays pass through them, beside a plain reference point by point."""

from __future__ import annotations

import math

import numpy as np
import pytest

from picked_things import Drawn, at, mesh_of, model_of
from rish_scene3d import layout
from rish_scene3d.models.materials import plain_row
from rish_scene3d.models.model import Piece
from rish_scene3d.models.model_library import Library
from rish_scene3d.models.pages import put_picture
from rish_scene3d.picking.casting import cast
from rish_scene3d.picking.opacity import map_opacities

F32 = np.float32
MASK = layout.MASKED | layout.DOUBLE_SIDED


def _picture(seed: int = 1, side: int = 8) -> np.ndarray:
    pixels = np.zeros((side, side, 4), np.uint8)
    pixels[..., 3] = np.random.default_rng(seed).integers(0, 256, (side, side))
    return pixels


def _row(page: int, uv_wrap: int = 0, matrix: tuple[float, ...] = (1, 0, 0, 0, 1, 0), **columns: float) -> np.ndarray:
    row = plain_row()
    row[layout.MAPS], row[layout.MAPS + 1] = page, uv_wrap
    row[layout.MAPS + 2 : layout.MAPS + 8] = matrix
    for name, value in columns.items():
        row[getattr(layout, name)] = value
    return row


def _wrap(pixel: int, side: int, wrap: int) -> int:
    if wrap == layout.WRAP_CLAMP:
        return min(max(pixel, 0), side - 1)
    if wrap == layout.WRAP_REPEAT:
        return pixel % side
    turned = pixel % (2 * side)
    return turned if turned < side else 2 * side - 1 - turned


def _slow(pixels: np.ndarray, row: np.ndarray, u: float, v: float) -> float:
    """Return the opacity of the map of a material at one point."""
    a, b, c, d, e, f = (float(x) for x in row[layout.MAPS + 2 : layout.MAPS + 8])
    side, code = len(pixels), int(row[layout.MAPS + 1])
    x, y = (a * u + b * v + c) * side - 0.5, (d * u + e * v + f) * side - 0.5
    total = 0.0
    for i in (0, 1):
        for j in (0, 1):
            px, py = _wrap(math.floor(x) + i, side, code & 3), _wrap(math.floor(y) + j, side, code >> 4)
            share = abs(1 - i - (x - math.floor(x))) * abs(1 - j - (y - math.floor(y)))
            total += share * pixels[py, px, 3] / 255
    return total


@pytest.mark.parametrize("wraps", [(u, v) for u in range(3) for v in range(3)])
def test_maps_are_read_as_drawers_read_them(wraps: tuple[int, int]) -> None:
    """Opacities are mixed from four pixels, with each way to repeat a picture, and turned texture coordinates."""
    library, pixels = Library(), _picture()
    page = put_picture(library, pixels, encoded=True)
    row = _row(page, wraps[0] + 16 * wraps[1], (1.5, 0.25, 0.1, -0.5, 2, -0.3))
    uv = np.random.default_rng(2).uniform(-2, 3, (40, 2))
    found = map_opacities(library, np.tile(row, (40, 1)), uv)
    assert found == pytest.approx([_slow(pixels, row, *point) for point in uv.tolist()])


def test_rays_pass_where_a_mask_cuts_out() -> None:
    """Rays hit a leaf where the product of its opacities reaches the cutoff, and elsewhere what is behind it."""
    library, pixels = Library(), _picture()
    page = put_picture(library, pixels, encoded=True)
    uv = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], F32)
    colors = np.array([[1, 1, 1, 1], [1, 1, 1, 0.5], [1, 1, 1, 1], [1, 1, 1, 1]], F32)
    square = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
    leaf = mesh_of(square, [[0, 1, 2], [0, 2, 3]], uv0=uv, uv1=uv[::-1].copy(), colors=colors)
    wall = mesh_of(np.array(square) * 3, [[0, 1, 2], [0, 2, 3]])
    material = _row(page, 4, CUTOFF=0.3)
    material[layout.BASE + 3] = 0.9
    shown = [(model_of(Piece(0, -1, 1, MASK)), [at(0, 0, 0)]), (model_of(Piece(1, -1, 0)), [at(0, 0, -2)])]
    things = Drawn([leaf, wall], shown, materials=[material], library=library).things
    points = np.random.default_rng(3).uniform(-1, 1, (400, 2))
    origins = np.column_stack([points, np.full(400, 3.0)])
    found = cast(things, origins, np.tile([0.0, 0, -1], (400, 1)), np.full(400, np.inf))
    expected = []
    for x, y in points.tolist():
        corner = _barycentric(x, y)
        u, v = (sum(w * leaf.uv1[k][c] for k, w in corner) for c in range(2))  # type: ignore[index]
        vertex = sum(w * colors[k][3] for k, w in corner)
        expected.append(1 if 0.9 * vertex * _slow(pixels, material, u, v) >= np.float32(0.3) else 2)
    assert found.entities.tolist() == expected
    assert {1, 2} == set(expected)


def _barycentric(x: float, y: float) -> list[tuple[int, float]]:
    """Return the corners of the square's triangle at a point, and their weights."""
    u, v = (x + 1) / 2, (y + 1) / 2
    return [(0, 1 - u), (1, u - v), (2, v)] if v <= u else [(0, 1 - v), (2, u), (3, v - u)]


def test_what_blends_is_hit_unless_it_is_faint() -> None:
    """A pane of little opacity is hit, one with next to none is not; a solid one is hit whatever its map says."""
    library, pixels = Library(), np.zeros((2, 2, 4), np.uint8)
    pages = []
    for alpha in (0, 2, 30):
        pixels[..., 3] = alpha
        pages.append(put_picture(library, pixels.copy(), encoded=True))
    uv = np.array([[0, 1], [1, 1], [1, 0]], F32)
    mesh = mesh_of([[-1, -1, 0], [1, -1, 0], [1, 1, 0]], [[0, 1, 2]], uv0=uv)
    kinds = [(layout.BLENDED, 1), (layout.BLENDED, 2), (layout.BLENDED, 3), (0, 1)]
    shown = [(model_of(Piece(0, -1, row, flags)), [at(3 * k, 0, 0)]) for k, (flags, row) in enumerate(kinds)]
    things = Drawn([mesh], shown, materials=[_row(page) for page in pages], library=library).things
    origins = np.array([[3 * k + 0.5, -0.5, 1.0] for k in range(4)])
    found = cast(things, origins, np.tile([0.0, 0, -1], (4, 1)), np.full(4, np.inf))
    assert found.entities.tolist() == [-1, -1, 3, 4]
