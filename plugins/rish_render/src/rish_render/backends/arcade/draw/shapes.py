"""Draws shapes, and lines, which are boxes whose corners are rounded by half the line's width."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ...shared import line_boxes
from ..scene import DrawCall, PassContext
from .buffers import SHAPES, Rows, words
from .painter import Painter, sane_origin

Origin = tuple[float, float]


def draw_shapes(painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
    """Draw batches of `shapes` that have one state, in one call."""
    _draw(painter, scene, batches, shape_rows)


def draw_lines(painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
    """Draw batches of `lines` that have one state, in one call."""
    _draw(painter, scene, batches, line_rows)


def _draw(
    painter: Painter, scene: PassContext, batches: Sequence[Batch], make: Callable[[Batch, Origin], Array]
) -> None:
    first = batches[0]
    painter.plain_only(first)
    scene.numbers  # noqa: B018

    def upload() -> tuple[Rows, Origin]:
        origin = sane_origin(first.arrays["matrix"][:, 4:] if first.kind == "shapes" else first.arrays["points"][:, :2])
        rows = [make(batch, origin) for batch in batches]
        return painter.upload(SHAPES, rows, keep=first.static), origin

    rows, origin = painter.cached(first, None, upload)
    painter.rows(rows, scene.order(first, lambda: _prepare(painter, scene, first)), scene, origin)


def _prepare(painter: Painter, scene: PassContext, batch: Batch) -> DrawCall:
    channels = painter.channels(scene)
    program = painter.programs.plain("shapes", len(channels))
    return DrawCall(
        program, painter.framebuffer(scene, channels), scene.clip(batch), batch.blend, (), painter.values(scene, batch)
    )


def shape_rows(batch: Batch, origin: Origin) -> Array:
    """Return shapes as uint32 (n, 16), with positions relative to the origin; see glsl/shapes.vert."""
    arrays = batch.arrays
    matrix, sizes = arrays["matrix"], np.column_stack([arrays["half"], arrays["corner"], arrays["line"]])
    near = (matrix[:, 4:].astype(np.float64) - origin).astype(np.float32)
    return _rows(matrix[:, :4], near, sizes, arrays["kind"], arrays["rgba"], arrays["rgba2"], arrays["edge"])


def line_rows(batch: Batch, origin: Origin) -> Array:
    """Return lines as rows of boxes, in the form of `shape_rows`."""
    points, width, rgba = (batch.arrays[name] for name in ("points", "width", "rgba"))
    points = points.astype(np.float64) - [*origin, *origin]
    width = width.astype(np.float64)
    with np.errstate(all="ignore"):
        sides, center, sizes = (part.astype(np.float32) for part in line_boxes(points, width))
    return _rows(sides, center, sizes, np.zeros(len(width), np.uint8), rgba, rgba, np.zeros_like(rgba))


def _rows(sides: Array, center: Array, sizes: Array, kind: Array, rgba: Array, rgba2: Array, edge: Array) -> Array:
    return words(sides, center, sizes, kind.astype(np.uint32), rgba, rgba2, edge, np.zeros((len(kind), 2), np.uint32))
