"""Picks shapes, lines and trails by their exact outline, not by the box around it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_frame import Hits, WorldMatrices

from ...components.visible import Shape, ShapeForm
from ...scene.extraction import Seen
from ...strokes.line import Line
from ...strokes.mesh import bounds_of, scale_of
from ...strokes.trail import Trail, TrailPlaces
from ..polygon_cut import rings_of
from ..sprites import quads
from .area import inside_rounded, near_path, touch_circle, touch_rings, touch_unit
from .scene import PickScene

Array = npt.NDArray[Any]
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
        reach = _reach(scene, seen.some(np.isin(np.arange(len(rows)), hollow)))
        deep = -inside_rounded(place[hollow], half[hollow], corner)
        touched[hollow] = (line > 0) & (deep <= np.maximum(line, reach))
    return touched


def _reach(scene: PickScene, seen: Seen) -> Array:
    """Return how far a line may be away, in units of the space of each thing."""
    away = np.where(scene.stack.screen[seen.numbers], scene.reach(True), scene.reach(False))
    return away / np.maximum(scale_of(seen.matrix), 1e-9)


def _touch_pointed(scene: PickScene, seen: Seen) -> Array:
    """Return bool n: which polygons and lines are touched."""
    table, touched = scene.world.table(Shape), np.zeros(len(seen.rows), np.bool_)
    spans, width = table.column("points")[seen.rows], table.column("outline_width")[seen.rows]
    line = table.column("shape")[seen.rows] == _LINE
    reach = np.maximum(_reach(scene, seen), np.where(line, np.maximum(width, 1), width) / 2)
    local = scene.into(seen.matrix, seen.numbers)
    filled, edged = table.column("color")[seen.rows, 3] > 0, table.column("outline")[seen.rows, 3] > 0
    for k in _in_box(table, "points", spans, local, reach):
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


def _in_box(table: Any, name: str, spans: Array, local: Array, reach: Array) -> list[int]:
    """Return the indices of those point lists whose box, widened by `reach`, meets the box of the region."""
    some = np.flatnonzero((spans[:, 1] > 0) & np.isfinite(local).all(axis=(1, 2)))
    if not len(some):
        return []
    points = table.pool_of(name).gather(spans[some]).reshape(-1, 2)
    low, high = bounds_of(points, spans[some, 1].astype(np.int64))
    first, last = local[some].min(axis=1), local[some].max(axis=1)
    wide = reach[some][:, None]
    return some[((first <= high + wide) & (last >= low - wide)).all(axis=1)].tolist()


def pick_lines(scene: PickScene) -> list[Hits]:
    """Return the lines that the region touches; gaps between dashes count as well."""
    seen = scene.visible(Line)
    table = scene.world.table(Line)
    seen = seen.some((table.column("opacity")[seen.rows] > 0) & (table.column("color")[seen.rows, 3] > 0))
    spans, reach = table.column("points")[seen.rows], _reach(scene, seen)
    first, last = table.column("width")[seen.rows], table.column("width_end")[seen.rows]
    last = np.where(last < 0, first, last)
    local, touched = scene.into(seen.matrix, seen.numbers), np.zeros(len(seen.rows), np.bool_)
    for k in _in_box(table, "points", spans, local, np.maximum(reach, np.maximum(first, last) / 2)):
        points = table.read_row("points", int(seen.rows[k]))
        if table.column("closed")[seen.rows[k]]:
            points = np.concatenate([points, points[:1]])
        touched[k] = near_path(points, np.maximum(_taper(points, first[k], last[k]) / 2, reach[k]), local[k])
    seen = seen.some(touched)
    return scene.hits(Line, seen.rows, seen.numbers, seen.matrix[:, 5])


def _taper(points: Array, first: float, last: float) -> Array:
    """Return the width at each point of a path, which changes evenly along it."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points.astype(np.float64), axis=0).T))])
    return first + (last - first) * along / max(along[-1], 1e-12)


def pick_trails(scene: PickScene) -> list[Hits]:
    """Return the trails that the region touches."""
    seen, table, places = scene.visible(Trail), scene.world.table(Trail), scene.world[TrailPlaces]
    entities = table.entities[seen.rows]
    own = scene.world[WorldMatrices].rows(scene.world.table(Transform).rows_of(entities))
    shift, known = seen.matrix[:, 4:] - own[:, 4:], {int(e): k for k, e in enumerate(places.entities.tolist())}
    touched, reach = np.zeros(len(seen.rows), np.bool_), _reach(scene, seen)
    for k, entity in enumerate(entities.tolist()):
        at = known.get(entity, -1)
        count = int(places.count[at]) if at >= 0 else 0
        fresh = places.now - places.time[at, :count] <= table.column("seconds")[seen.rows[k]]
        count = int(fresh.sum())
        if count < 2:
            continue
        points = places.place[at, :count] + shift[k]
        size = float(scale_of(seen.matrix[k : k + 1])[0])
        first, last = (float(table.column(name)[seen.rows[k]]) * size for name in ("width", "width_end"))
        half = np.maximum(_taper(points, first, last) / 2, reach[k] * size)
        region = scene.corners(bool(scene.stack.screen[seen.numbers[k]]))
        cuts = np.flatnonzero(places.broken[at, : count - 1]) + 1
        touched[k] = any(
            len(run) > 1 and near_path(run, wide, region)
            for run, wide in zip(np.split(points, cuts), np.split(half, cuts), strict=True)
        )
    seen = seen.some(touched)
    return scene.hits(Trail, seen.rows, seen.numbers, seen.matrix[:, 5])
