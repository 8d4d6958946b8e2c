"""Shapes to batches: boxes and ellipses as they are, polygons cut into triangles, outlines and lines as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch

from .components import Shape, ShapeKind
from .drawables import BLENDS, Drawables, rgba_bytes
from .extract_sprites import quads, reach_of
from .polygon_cut import cut_polygon

if TYPE_CHECKING:
    from .extract import Scene, Seen

Array = npt.NDArray[Any]

_KINDS = list(ShapeKind)
_CIRCLE, _LINE = _KINDS.index(ShapeKind.CIRCLE), _KINDS.index(ShapeKind.LINE)


def is_pointed(scene: Scene, seen: Seen) -> Array:
    """bool n: which shapes are given by points, polygons and lines."""
    return scene.world[Shape].kind[seen.rows] >= _LINE


def extract_boxes(scene: Scene, seen: Seen) -> list[Drawables]:
    """The drawables of rectangles and circles."""
    rows, matrix, numbers = seen
    table = scene.world[Shape]
    circle = table.kind[rows] == _CIRCLE
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
    fill = table.fill[rows].copy()
    fade = table.fill2[rows].copy()
    fade = np.where(fade[:, 3:] > 0, fade, fill)
    arrays = {
        "matrix": quad,
        "half": half * np.float32(0.5),
        "corner": table.corner[rows] * scale,
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


def extract_pointed(scene: Scene, seen: Seen) -> list[Drawables]:
    """The drawables of polygons, then of lines and outlines; their points lie in a pool."""
    rows, matrix, numbers = seen
    table = scene.world[Shape]
    spans = table.points.spans[rows]
    local = scene.world.table(Shape).pool_of("points").gather(spans).reshape(-1, 2)
    lengths = spans[:, 1].astype(np.int64)
    owner = np.repeat(np.arange(len(rows)), lengths)
    m = matrix[owner]
    points = np.empty((len(local), 2), np.float32)
    points[:, 0] = m[:, 0] * local[:, 0] + m[:, 2] * local[:, 1] + m[:, 4]
    points[:, 1] = m[:, 1] * local[:, 0] + m[:, 3] * local[:, 1] + m[:, 5]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    scale = np.sqrt(np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]))
    width = table.outline_width[rows]
    is_line = table.kind[rows] == _LINE
    width = np.where(is_line & (width <= 0), np.float32(1), width) * scale
    opacity = table.opacity[rows]
    fill = rgba_bytes(table.fill[rows].copy(), opacity)
    edge = rgba_bytes(table.outline[rows].copy(), opacity)
    stroke = np.where((is_line & (edge[:, 3] == 0))[:, None], fill, edge)
    z, blend, height = table.z[rows], table.blend[rows].astype(np.int64), matrix[:, 5]
    filled = np.flatnonzero(~is_line & (fill[:, 3] > 0) & (lengths >= 3))
    drawn = np.flatnonzero((stroke[:, 3] > 0) & (width > 0) & (lengths >= 2))
    found: list[Drawables] = []
    if len(filled):
        polygons = _Polygons(scene, points, local, starts, filled, fill)
        found.append(Drawables(numbers[filled], z[filled], height[filled], blend[filled], polygons.batch))
    if len(drawn):
        lines = _Lines(points, starts, drawn, ~is_line, width, stroke)
        who = lines.owner
        found.append(Drawables(numbers[who], z[who], height[who], blend[who], lines.batch))
    return found


class _Polygons:
    """Filled polygons; their triangles are kept as long as their points are the same."""

    def __init__(self, scene: Scene, points: Array, local: Array, starts: Array, which: Array, fill: Array) -> None:
        known: dict[bytes, Array] = scene.cache.parts.setdefault("triangles", {})
        if len(known) > 4096:
            known.clear()
        self.points = [points[starts[i] : starts[i + 1]] for i in which]
        self.triangles: list[Array] = []
        for i in which:
            key = local[starts[i] : starts[i + 1]].tobytes()
            if key not in known:
                known[key] = cut_polygon(local[starts[i] : starts[i + 1]])
            self.triangles.append(known[key])
        self.rgba = fill[which]

    def batch(self, some: Array | slice, state: int) -> Batch:
        """The batch of some polygons."""
        chosen = np.arange(len(self.points))[some]
        starts = np.concatenate([[0], np.cumsum([len(self.points[i]) for i in chosen])]).astype(np.int32)
        triangles = [self.triangles[i] + starts[k] for k, i in enumerate(chosen)]
        arrays = {
            "points": np.ascontiguousarray(np.concatenate([self.points[i] for i in chosen])),
            "starts": starts,
            "triangles": np.ascontiguousarray(np.concatenate(triangles)).astype(np.int32),
            "rgba": np.ascontiguousarray(self.rgba[some]),
        }
        return Batch("polygons", arrays, blend=BLENDS[state], source="render")


class _Lines:
    """The pieces of lines and outlines. owner: the shape that each piece belongs to."""

    def __init__(self, points: Array, starts: Array, which: Array, closed: Array, width: Array, stroke: Array) -> None:
        ends = [self._pieces(int(starts[i]), int(starts[i + 1]), bool(closed[i])) for i in which]
        self.owner = np.repeat(which, [len(piece) for piece in ends])
        pairs = np.concatenate(ends)
        self.points = np.concatenate([points[pairs[:, 0]], points[pairs[:, 1]]], axis=1).astype(np.float32)
        self.width, self.rgba = width[self.owner].astype(np.float32), stroke[self.owner]

    @staticmethod
    def _pieces(first: int, last: int, closed: bool) -> Array:
        """int64 (k, 2): the two points of each piece of a line."""
        at = np.arange(first, last)
        following = np.roll(at, -1)
        pairs = np.stack([at, following], axis=1)
        return pairs if closed and last - first > 2 else pairs[:-1]

    def batch(self, some: Array | slice, state: int) -> Batch:
        """The batch of some pieces."""
        arrays = {
            "points": np.ascontiguousarray(self.points[some]),
            "width": np.ascontiguousarray(self.width[some]),
            "rgba": np.ascontiguousarray(self.rgba[some]),
        }
        return Batch("lines", arrays, blend=BLENDS[state], source="render")
