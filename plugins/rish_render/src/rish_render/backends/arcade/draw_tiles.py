"""Drawing tiles: the grid as a texture of numbers, and one rectangle that looks them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch

from .gl import Device
from .painter import Painter
from .programs import CELLS, Program, Variant
from .scene import Scene, Unable

Array = npt.NDArray[Any]


@dataclass
class Cells:
    """Cells on the graphics card."""

    texture: Any


class TilesDrawer:
    """Draws `tiles`; a rectangle of four corners serves all of them."""

    def __init__(self, device: Device) -> None:
        self._rectangle = device.geometry([])

    def __call__(self, painter: Painter, scene: Scene, batches: Sequence[Batch]) -> None:
        """Draw batches one after another."""
        for batch in batches:
            self._draw(painter, scene, batch)

    def _draw(self, painter: Painter, scene: Scene, batch: Batch) -> None:
        painter.plain_only(batch)
        cells, tint = batch.arrays["cells"], batch.arrays["rgba"]
        box = _box(scene, batch)
        values = _to_cells(scene, batch.arrays["grid"], box) if box is not None else None
        if box is None or values is None:
            return
        if max(cells.shape) > painter.device.limit:
            raise Unable(f"a grid of {cells.shape[1]}x{cells.shape[0]} is too large for this graphics card")
        kept = painter.kept(batch, None, lambda: _upload(painter, cells))
        from_target = painter.bind_pictures(scene, batch)
        program: Program = painter.programs.picture(Variant("tiles", batch.filter == "linear", from_target))
        painter.bind_table(scene, batch)
        kept.texture.use(CELLS)
        width, height = scene.canvas.size
        alpha = int(tint[3])
        program.set(
            **values,
            box=box,
            resolution=(float(width), float(height)),
            tint=(*((int(part) * alpha * 2 + 255) // 510 / 255 for part in tint[:3]), alpha / 255),
            rish_frames=len(scene.frame.frames),
            rish_levels=scene.canvas.levels,
            keep_alpha=0.0 if batch.blend == "add" else 1.0,
        )
        painter.onto(scene.canvas.framebuffer(), scene.clip(batch), batch.blend)
        self._rectangle.render(program.native, vertices=4)
        painter.stats.draw_calls += 1


def _upload(painter: Painter, cells: Array) -> Cells:
    ctx = painter.device.ctx
    height, width = cells.shape
    texture = ctx.texture((width, height), components=1, dtype="u4", filter=(ctx.NEAREST, ctx.NEAREST))
    painter.stats.bytes_uploaded += painter.device.write_texture(texture, cells)
    return Cells(texture)


def _map(scene: Scene, grid: Array) -> Array:
    """float64 (2, 3): from column and row to pixels."""
    a, b, c, d, tx, ty = grid.astype(np.float64)
    plane = scene.plane
    sides = plane[:, :2] @ np.array([[a, c], [b, d]])
    place = plane[:, :2] @ np.array([tx, ty]) + plane[:, 2]
    return np.column_stack([sides, place])


def _box(scene: Scene, batch: Batch) -> tuple[float, float, float, float] | None:
    """x0 y0 x1 y1 in pixels that hold all of the grid that is seen; None where nothing is."""
    grid, cells = batch.arrays["grid"], batch.arrays["cells"]
    if not np.isfinite(grid).all():
        return None
    height, width = cells.shape
    there = _map(scene, grid)
    corners = there[:, :2] @ np.array([[0, width, 0, width], [0, 0, height, height]]) + there[:, 2:]
    x, y, w, h = scene.clip(batch)
    low = np.maximum(corners.min(axis=1) - 1, [x, y])
    high = np.minimum(corners.max(axis=1) + 1, [x + w, y + h])
    if not (low < high).all():
        return None
    return (*low.tolist(), *high.tolist())


def _to_cells(scene: Scene, grid: Array, box: tuple[float, float, float, float]) -> dict[str, Any] | None:
    """The uniforms that lead from pixels to cells, exact near the middle of the box; None for a grid without area."""
    there = _map(scene, grid)
    sides = there[:, :2]
    if abs(np.linalg.det(sides)) < 1e-12:
        return None
    back = np.linalg.inv(sides)
    origin = np.floor([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]) + 0.5
    at = back @ (origin - there[:, 2])
    base = np.floor(at)
    a, c, b, d = back.ravel().tolist()
    return {
        "origin": tuple(origin.tolist()),
        "to_cell": (a, b, c, d),
        "cell_shift": tuple((at - base).tolist()),
        "cell_base": tuple(int(part) for part in base),
    }
