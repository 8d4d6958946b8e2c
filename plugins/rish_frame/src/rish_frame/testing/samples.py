"""Small things to draw, for tests of backends and of the code that makes frames.

`sample_page` is an image of 16x4 texels with four frames side by side, each 4x4: plain white, quarters (red,
green above blue, white), half transparent red, nothing. `picture_frame` is a Frame with a frame table for this page.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..frame.batches import Batch
from ..frame.frame import ADDITIVE, Frame
from ..frame.instances import pack_sprites

Color = tuple[int, int, int, int]

PAGE = 5
"""The number of the test page."""

WHITE, QUARTERS, MIRRORED_X, MIRRORED_Y, HALF_RED, GLOW, NOTHING, NO_PAGE = range(8)
"""Rows of the frame table: the module describes four of them. MIRRORED_X and MIRRORED_Y are the mirrored quarters, GLOW
is additive white, and the page of NO_PAGE is missing.
"""

RED: Color = (255, 0, 0, 255)
GREEN: Color = (0, 255, 0, 255)
BLUE: Color = (0, 0, 255, 255)
OPAQUE: Color = (255, 255, 255, 255)


def sample_page() -> npt.NDArray[np.uint8]:
    """Return the test page, uint8 (4, 16, 4), premultiplied."""
    page = np.zeros((4, 16, 4), np.uint8)
    page[:, 0:4] = OPAQUE
    page[:2, 4:6], page[:2, 6:8] = RED, GREEN
    page[2:, 4:6], page[2:, 6:8] = BLUE, OPAQUE
    page[:, 8:12] = (128, 0, 0, 128)
    return page


FRAMES = np.array(
    [
        [PAGE, 0, 0, 4, 4, 0],
        [PAGE, 4, 0, 8, 4, 0],
        [PAGE, 8, 0, 4, 4, 0],
        [PAGE, 4, 4, 8, 0, 0],
        [PAGE, 8, 0, 12, 4, 0],
        [PAGE, 0, 0, 4, 4, ADDITIVE],
        [PAGE, 12, 0, 16, 4, 0],
        [99, 0, 0, 4, 4, 0],
    ],
    np.float32,
)
"""The frame table of `picture_frame`."""


def picture_frame(size: tuple[int, int] = (64, 48)) -> Frame:
    """Return an empty frame with a black screen, one pixel per unit, and the frame table of the test page."""
    frame = Frame(size)
    frame.set_frames(FRAMES)
    return frame


def quad(
    x: float,
    y: float,
    w: float,
    h: float,
    rgba: Color = OPAQUE,
    frame: int = WHITE,
    turn: float = 0.0,
    **options: Any,
) -> Batch:
    """Return a batch of one sprite whose center is (x, y). turn: quarters of a turn, counter-clockwise."""
    origin: tuple[float, float] = options.get("origin", (0.0, 0.0))
    packed = pack_sprites(x, y, w, h, turn * np.pi / 2, frame, rgba, origin)
    return Batch("sprites", {"instances": packed}, **options)


def placed(x: float, y: float, w: float, h: float) -> list[float]:
    """Return the matrix a b c d tx ty of an upright rectangle around (x, y)."""
    return [w, 0, 0, h, x, y]


def wide(x: float, y: float, w: float, h: float, rgba: Color = OPAQUE, frame: int = WHITE, **options: Any) -> Batch:
    """Return a batch of one wide sprite."""
    return affine([placed(x, y, w, h)], rgba, frame, **options)


def affine(matrix: npt.ArrayLike, rgba: Color = OPAQUE, frame: int = WHITE, **options: Any) -> Batch:
    """Return a batch of wide sprites with these matrices, (n, 6)."""
    rows = np.asarray(matrix, np.float32).reshape(-1, 6)
    arrays = {
        "matrix": rows,
        "frame": np.full(len(rows), frame, np.uint16),
        "rgba": _colors(rgba, len(rows)),
    }
    return Batch("sprites_wide", arrays, **options)


def shape(
    x: float, y: float, w: float, h: float, rgba: Color = OPAQUE, *, kind: int = 0, corner: float = 0,
    line: float = 0, rgba2: Color | None = None, edge: Color = (0, 0, 0, 0), **options: Any,
) -> Batch:  # fmt: skip
    """Return a batch of one shape. kind: 0 box, 1 ellipse."""
    arrays = {
        "matrix": np.array([placed(x, y, w, h)], np.float32),
        "half": np.array([[w / 2, h / 2]], np.float32),
        "corner": np.array([corner], np.float32),
        "line": np.array([line], np.float32),
        "kind": np.array([kind], np.uint8),
        "rgba": _colors(rgba, 1),
        "rgba2": _colors(rgba2 if rgba2 is not None else rgba, 1),
        "edge": _colors(edge, 1),
    }
    return Batch("shapes", arrays, **options)


def line(x0: float, y0: float, x1: float, y1: float, width: float, rgba: Color = OPAQUE, **options: Any) -> Batch:
    """Return a batch of one line."""
    arrays = {
        "points": np.array([[x0, y0, x1, y1]], np.float32),
        "width": np.array([width], np.float32),
        "rgba": _colors(rgba, 1),
    }
    return Batch("lines", arrays, **options)


def triangles(corners: npt.ArrayLike, *colors: Color, **options: Any) -> Batch:
    """Return a batch of polygons with three corners each. corners: (n, 3, 2)."""
    points = np.asarray(corners, np.float32).reshape(-1, 2)
    n = len(points) // 3
    arrays = {
        "points": points,
        "starts": np.arange(0, len(points) + 1, 3, dtype=np.int32),
        "triangles": np.arange(len(points), dtype=np.int32).reshape(n, 3),
        "rgba": np.array(colors, np.uint8).reshape(n, 4),
    }
    return Batch("polygons", arrays, **options)


def mesh(positions: npt.ArrayLike, colors: npt.ArrayLike, indices: npt.ArrayLike, **options: Any) -> Batch:
    """Return a batch of triangles in space. positions: (m, 3), colors: (m, 4), indices: (k, 3)."""
    arrays = {
        "positions": np.asarray(positions, np.float32).reshape(-1, 3),
        "colors": np.asarray(colors, np.uint8).reshape(-1, 4),
        "indices": np.asarray(indices, np.int32).reshape(-1, 3),
    }
    return Batch("mesh", arrays, **options)


def flat_mesh(x: float, y: float, w: float, h: float, rgba: Color = OPAQUE, z: float = 0, **options: Any) -> Batch:
    """Return a mesh of one upright rectangle around (x, y)."""
    half_w, half_h = w / 2, h / 2
    corners = [(x + i * half_w, y + j * half_h, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return mesh(corners, [rgba] * 4, [(0, 1, 2), (0, 2, 3)], **options)


def tiles(
    cells: npt.ArrayLike, x: float, y: float, size: float | tuple[float, float], rgba: Color = OPAQUE, **options: Any
) -> Batch:
    """Return a batch of one upright grid. cells: (rows, columns), the top row first. x, y: its top left corner."""
    wide, high = size if isinstance(size, tuple) else (size, size)
    arrays = {
        "cells": np.atleast_2d(np.asarray(cells, np.uint32)),
        "grid": np.array([wide, 0, 0, -high, x, y], np.float32),
        "rgba": np.array(rgba, np.uint8),
    }
    return Batch("tiles", arrays, **options)


CUBE_COLORS: tuple[Color, ...] = (
    RED, (128, 0, 0, 255), GREEN, (0, 128, 0, 255), BLUE, (0, 0, 128, 255),
)  # fmt: skip
"""The colors of the faces +x -x +y -y +z -z."""


def cube(size: float = 1.0, **options: Any) -> Batch:
    """Return a mesh of a cube around the origin, with four corners for each face.

    The faces towards +z are drawn first, so that a camera there shows it correctly only with a depth test.
    """
    positions: list[tuple[float, ...]] = []
    for axis in range(3):
        for side in (1, -1):
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = [0.0, 0.0, 0.0]
                corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, u, v
                positions.append(tuple(value * size / 2 for value in corner))
    colors = np.repeat(np.array(CUBE_COLORS, np.uint8), 4, axis=0)
    faces = [4, 5, 0, 1, 2, 3]
    indices = [(4 * f + a, 4 * f + b, 4 * f + c) for f in faces for a, b, c in ((0, 1, 2), (0, 2, 3))]
    return mesh(positions, colors, indices, **options)


def _colors(rgba: Color, n: int) -> npt.NDArray[np.uint8]:
    return np.tile(np.array(rgba, np.uint8), (n, 1))


def sample_batches(x: float = 20, y: float = 20, size: float = 10, rgba: Color = OPAQUE) -> dict[str, Batch]:
    """Return one batch of each standard kind, by name, each a filled rectangle (a bar for lines) around (x, y)."""
    half = size / 2
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    polygon = Batch(
        "polygons",
        {
            "points": np.array(corners, np.float32),
            "starts": np.array([0, 4], np.int32),
            "triangles": np.array([(0, 1, 2), (0, 2, 3)], np.int32),
            "rgba": _colors(rgba, 1),
        },
    )
    return {
        "sprites": quad(x, y, size, size, rgba),
        "sprites_wide": wide(x, y, size, size, rgba),
        "shapes": shape(x, y, size, size, rgba),
        "tiles": tiles([[WHITE + 1]], x - half, y + half, size, rgba),
        "lines": line(x - half, y, x + half, y, size, rgba),
        "polygons": polygon,
        "mesh": flat_mesh(x, y, size, size, rgba),
    }


def empty_batches() -> dict[str, Batch]:
    """Return one empty batch of each standard kind."""
    empty: dict[str, Batch] = {}
    for name, batch in sample_batches().items():
        fixed = ("grid", "rgba") if name == "tiles" else ()
        arrays = {key: array.copy() if key in fixed else array[:0].copy() for key, array in batch.arrays.items()}
        if name == "polygons":
            arrays["starts"] = np.zeros(1, np.int32)
        empty[name] = Batch(name, arrays)
    return empty


def broken_batches(value: float) -> dict[str, Batch]:
    """Return one batch of each standard kind whose numbers are all `value`: NaN, infinite, or huge."""
    broken: dict[str, Batch] = {}
    for name, batch in sample_batches().items():
        for array in batch.arrays.values():
            if array.dtype.kind == "f":
                array[...] = value
        broken[name] = batch
    broken["sprites"] = quad(value, value, value, value)
    return broken
