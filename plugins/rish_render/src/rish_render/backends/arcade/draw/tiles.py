"""Draws tiles: the grid of cells is a texture of integers, and one rectangle whose shader looks the cells up.

The few numbers that place a grid are computed as Python floats: for so few, numpy takes ten times as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rish_frame import Batch
from rish_jit import Array

from ...shared import Unable
from ..device import Clip, Device
from ..programs import CELLS
from ..scene import DrawCall, PassContext
from .painter import Painter

Numbers = tuple[float, float, float, float, float, float]
_FLAT = 1e-12
"""The least area of a cell that is drawn, in square pixels."""


class TilesDrawer:
    """Draws batches of `tiles`; all of them share one rectangle of four corners."""

    def __init__(self, device: Device) -> None:
        self._rectangle = device.geometry([])
        self._asked: tuple[Any, ...] = ()
        self._found: dict[str, Any] | None = None

    def __call__(self, painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
        """Draw batches one after another."""
        for batch in batches:
            self._draw(painter, scene, batch)

    def _draw(self, painter: Painter, scene: PassContext, batch: Batch) -> None:
        painter.plain_only(batch)
        order = scene.order(batch, lambda: painter.picture_call(scene, batch, "tiles"))
        values = self._values(scene.numbers, order, batch)
        if values is None:
            return
        cells: Any = painter.cached(batch, None, lambda: _upload(painter, batch))
        device, program = painter.device, order.program
        for unit, texture in order.textures:
            device.texture(unit, texture)
        device.texture(CELLS, cells)
        program.use(values)
        painter.onto(order.framebuffer, order.clip, order.blend)
        device.strips(program.native, self._rectangle, 1)
        painter.stats.draw_calls += 1

    def _values(self, numbers: Numbers, order: DrawCall, batch: Batch) -> dict[str, Any] | None:
        """Return all uniforms; None if the grid is not visible. Layers that share a grid get the same object."""
        arrays = batch.arrays
        shape, tint = arrays["cells"].shape, arrays["rgba"].tolist()
        asked = (order.values, numbers, arrays["grid"].tolist(), shape, order.clip, tint)
        if asked != self._asked:
            place = placed(numbers, arrays["grid"], shape, order.clip)
            self._asked = asked
            self._found = None if place is None else {**order.values, **place, "tint": _premultiplied(tint)}
        return self._found


def _upload(painter: Painter, batch: Batch) -> Any:
    """Return a texture with the cells of the batch. Raises Unable if the grid is larger than the card allows."""
    cells, ctx = batch.arrays["cells"], painter.device.ctx
    height, width = cells.shape
    if max(width, height) > painter.device.limit:
        raise Unable(f"a grid of {width}x{height} is too large for this graphics card")
    texture = ctx.texture((width, height), components=1, dtype="u4", filter=(ctx.NEAREST, ctx.NEAREST))
    painter.stats.bytes_uploaded += painter.device.write_texture(texture, cells)
    return texture


def _premultiplied(rgba: Sequence[int]) -> tuple[float, float, float, float]:
    """Return a color multiplied by its opacity, rounded to 8 bits, as floats 0..1."""
    red, green, blue, alpha = ((part * rgba[3] * 2 + 255) // 510 / 255 for part in (*rgba[:3], 255))
    return red, green, blue, alpha


def placed(numbers: Numbers, grid: Array, shape: tuple[int, int], clip: Clip) -> dict[str, Any] | None:
    """Return the uniforms that place a grid and map a pixel to a cell; None if the grid is not visible.

    numbers: a c tx, b d ty, from the pass's plane to pixels. grid: float32 6, from column and row to the plane. shape:
    rows and columns. The inverse map is expressed relative to the middle of the visible part, as whole cells and a
    fraction, so that it is exact there.
    """
    a, b, c, d, tx, ty = grid.tolist()
    if not math.isfinite(a + b + c + d + tx + ty):
        return None
    p, q, px, r, s, py = numbers
    a, b, c, d = p * a + q * b, r * a + s * b, p * c + q * d, r * c + s * d
    x, y = p * tx + q * ty + px, r * tx + s * ty + py
    area = a * d - b * c
    if not _FLAT <= abs(area) < math.inf:
        return None
    height, width = shape
    left, down = x + min(0.0, a * width) + min(0.0, c * height), y + min(0.0, b * width) + min(0.0, d * height)
    right, up = x + max(0.0, a * width) + max(0.0, c * height), y + max(0.0, b * width) + max(0.0, d * height)
    low = max(left - 1, clip[0]), max(down - 1, clip[1])
    high = min(right + 1, clip[0] + clip[2]), min(up + 1, clip[1] + clip[3])
    if not (low[0] < high[0] and low[1] < high[1]):
        return None
    middle = math.floor((low[0] + high[0]) / 2) + 0.5, math.floor((low[1] + high[1]) / 2) + 0.5
    across, rise = middle[0] - x, middle[1] - y
    column, row = (d * across - c * rise) / area, (a * rise - b * across) / area
    whole = math.floor(column), math.floor(row)
    return {
        "box": (*low, *high),
        "origin": middle,
        "to_cell": (d / area, -b / area, -c / area, a / area),
        "cell": (column - whole[0], row - whole[1], *whole),
    }
