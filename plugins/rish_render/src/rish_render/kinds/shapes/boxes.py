"""Boxes around shapes, for tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.quads import anchored_boxes
from ..strokes.mesh import boxes_of_points

if TYPE_CHECKING:
    from rish_ecs import World

_FORMS = list(ShapeForm)
_CIRCLE, _LINE = _FORMS.index(ShapeForm.CIRCLE), _FORMS.index(ShapeForm.LINE)


def boxes_of_shapes(world: World, rows: Array) -> Array:
    """Return the boxes around shapes with their outlines, float64 (n, 4); see `DrawableKind.boxes`."""
    table = world.table(Shape)
    form, radius = table.column("shape")[rows], table.column("radius")[rows]
    round_ = (form == _CIRCLE) & (radius > 0)
    size = np.where(round_[:, None], 2.0 * radius[:, None], table.column("size")[rows].astype(np.float64))
    box = anchored_boxes(size, table.column("anchor")[rows])
    pointed = np.flatnonzero(form >= _LINE)
    if len(pointed):
        width = table.column("outline_width")[rows[pointed]] * (table.column("outline")[rows[pointed], 3] > 0)
        width = np.where(form[pointed] == _LINE, np.maximum(table.column("outline_width")[rows[pointed]], 1), width)
        box[pointed] = boxes_of_points(table, rows[pointed], width)
    return box
