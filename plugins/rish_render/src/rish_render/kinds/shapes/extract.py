"""Converts shapes to batches: rectangles and circles here; shapes that are given by points in `points`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.drawables import BLENDS, Drawables, Things, rgba_bytes
from ...drawables.quads import quads, reach_of

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_KINDS = list(ShapeForm)
_CIRCLE, _LINE = _KINDS.index(ShapeForm.CIRCLE), _KINDS.index(ShapeForm.LINE)


def is_pointed(scene: Extraction, seen: Seen) -> Array:
    """Return bool n: which shapes are given by points: polygons and lines, and all shapes with an image."""
    table = scene.world[Shape]
    return (table.shape[seen.rows] >= _LINE) | (table.image[seen.rows] > 0)


def extract_shapes(scene: Extraction) -> Sequence[Things]:
    """Return the drawables of rectangles and circles, then those of shapes that are given by points."""
    shapes = scene.visible(Shape)
    pointed = is_pointed(scene, shapes)
    things = scene.remembered("boxes", Shape, shapes.some(~pointed), extract_boxes)
    if pointed.any():
        from .points import extract_pointed

        return [*things, *scene.remembered("pointed", Shape, shapes.some(pointed), extract_pointed)]
    return things


def extract_boxes(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of rectangles and circles."""
    rows, matrix, numbers = seen
    table = scene.world[Shape]
    circle = table.shape[rows] == _CIRCLE
    radius = table.radius[rows]
    size = np.where((circle & (radius > 0))[:, None], 2 * radius[:, None], table.size[rows])
    quad = quads(matrix, size, table.anchor[rows])
    shown = scene.seen(quad[:, 4:], reach_of(quad), numbers)
    if not shown.all():
        rows, numbers, quad, matrix = rows[shown], numbers[shown], quad[shown], matrix[shown]
        circle = circle[shown]
    across, up = np.hypot(matrix[:, 0], matrix[:, 1]), np.hypot(matrix[:, 2], matrix[:, 3])
    half = np.stack([np.hypot(quad[:, 0], quad[:, 1]), np.hypot(quad[:, 2], quad[:, 3])], axis=1)
    scale = np.minimum(across, up)
    opacity = table.opacity[rows]
    fill = table.color[rows].copy()
    fade = table.color_end[rows].copy()
    fade = np.where(fade[:, 3:] > 0, fade, fill)
    arrays = {
        "matrix": quad,
        "half": half * np.float32(0.5),
        "corner": table.corner_radius[rows] * scale,
        "line": table.outline_width[rows] * scale,
        "kind": circle.astype(np.uint8),
        "rgba": rgba_bytes(fill, opacity),
        "rgba2": rgba_bytes(fade, opacity),
        "edge": rgba_bytes(table.outline[rows].copy(), opacity),
    }

    def make(some: Array | slice, state: int) -> Batch:
        cut = {name: np.ascontiguousarray(array[some]) for name, array in arrays.items()}
        return Batch("shapes", cut, blend=BLENDS[state], source="render")

    return [Drawables(numbers, table.z[rows], matrix[:, 5], table.blend[rows].astype(np.int64), make)]
