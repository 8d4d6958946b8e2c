"""Picks shapes by their exact outline, not by the box around it."""

from __future__ import annotations

import numpy as np

from rish_frame import Hits
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.extraction import Seen
from ...drawables.pick_scene import PickScene
from ...drawables.quads import quads
from ...drawables.touching import inside_rounded, near_path, touch_circle, touch_rings, touch_unit
from ..strokes.picking import in_box, reach_of_paths
from .polygon_cut import rings_of

_KINDS = list(ShapeForm)
_CIRCLE, _LINE = _KINDS.index(ShapeForm.CIRCLE), _KINDS.index(ShapeForm.LINE)


def pick_shapes(scene: PickScene) -> list[Hits]:
    """Return the shapes that the region touches; a hollow one only at its outline, if the region is a point."""
    seen = scene.visible(Shape)
    table = scene.world.table(Shape)
    seen = seen.some(table.column("opacity")[seen.rows] > 0)
    pointed = table.column("shape")[seen.rows] >= _LINE
    boxes, others = seen.some(~pointed), seen.some(pointed)
    touched = np.zeros(len(seen.rows), np.bool_)
    touched[~pointed] = _touch_boxes(scene, boxes)
    touched[pointed] = _touch_pointed(scene, others)
    seen = seen.some(touched)
    return scene.hits(Shape, seen.rows, seen.numbers, seen.matrix[:, 5])


def _touch_boxes(scene: PickScene, seen: Seen) -> Array:
    """Return bool n: which rectangles and circles are touched."""
    table, rows = scene.world.table(Shape), seen.rows
    circle, radius = table.column("shape")[rows] == _CIRCLE, table.column("radius")[rows]
    size = np.where((circle & (radius > 0))[:, None], 2 * radius[:, None], table.column("size")[rows])
    quad = quads(seen.matrix, size, table.column("anchor")[rows])
    local = scene.into(quad, seen.numbers)
    touched = touch_unit(local)
    chosen = np.flatnonzero(touched & circle)
    touched[chosen] &= touch_circle(local[chosen])
    if not scene.region.is_point:
        return touched
    chosen = np.flatnonzero(touched & ~circle)
    place, half = local[:, 0] * size, size / 2
    corner = table.column("corner_radius")[rows]
    touched[chosen] &= inside_rounded(place[chosen], half[chosen], corner[chosen]) <= 0
    hollow = np.flatnonzero(touched & (table.column("color")[rows, 3] <= 0))
    if len(hollow):
        line = table.column("outline_width")[rows][hollow] * (table.column("outline")[rows, 3][hollow] > 0)
        corner = np.where(circle[hollow], half[hollow].min(axis=1), corner[hollow])
        reach = reach_of_paths(scene, seen.some(np.isin(np.arange(len(rows)), hollow)))
        deep = -inside_rounded(place[hollow], half[hollow], corner)
        touched[hollow] = (line > 0) & (deep <= np.maximum(line, reach))
    return touched


def _touch_pointed(scene: PickScene, seen: Seen) -> Array:
    """Return bool n: which polygons and lines are touched."""
    table, touched = scene.world.table(Shape), np.zeros(len(seen.rows), np.bool_)
    spans, width = table.column("points")[seen.rows], table.column("outline_width")[seen.rows]
    line = table.column("shape")[seen.rows] == _LINE
    reach = np.maximum(reach_of_paths(scene, seen), np.where(line, np.maximum(width, 1), width) / 2)
    local = scene.into(seen.matrix, seen.numbers)
    filled, edged = table.column("color")[seen.rows, 3] > 0, table.column("outline")[seen.rows, 3] > 0
    for k in in_box(table, "points", spans, local, reach):
        row = int(seen.rows[k])
        points = table.read_row("points", row)
        if line[k]:
            touched[k] = (filled[k] or edged[k]) and near_path(points, reach[k], local[k])
            continue
        rings = rings_of(points, table.read_row("holes", row).tolist())
        touched[k] = (filled[k] and touch_rings(rings, local[k])) or (
            edged[k] and width[k] > 0
            and any(near_path(np.concatenate([ring, ring[:1]]), reach[k], local[k]) for ring in rings)
        )  # fmt: skip
    return touched
