"""Converts shapes of points to batches: polygons, shapes with an image, outlines and lines.

A plain polygon is drawn by exact coverage from its contour. One with an image is a mesh, cut where the image starts
again. Outlines and lines with corners are strokes, cut so that overlapping parts are not drawn twice; straight lines
become `lines`. Everything is computed in the shape's own space, cached, and transformed when a batch is made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ...components.visible import Blend, Shape, ShapeForm
from ...drawables.colors import rgba_bytes
from ...drawables.drawables import BLENDS, Drawables, Things
from ..strokes.mesh import Mesh, Meshes, bounds_of, in_view, pixel_levels, pixel_of, scale_of, state_of
from ..strokes.stroke import Style
from ..strokes.triangle_strips import Stroke, colors_of, strip_of
from .polygon_cut import contour_of, cut_polygon, fill_softly, repeat_cells, rings_of
from .row_parts import Outline, RowParts, ShapeParts

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_KINDS = list(ShapeForm)
_CIRCLE, _LINE = _KINDS.index(ShapeForm.CIRCLE), _KINDS.index(ShapeForm.LINE)
_SOLID = (list(Blend).index(Blend.ALPHA), list(Blend).index(Blend.REPLACE))
_ROUND, _SHARP = Style(1, 1), Style(0, 0)
_KEPT = 4096


_NONE = Outline([], ())


def extract_pointed(scene: Extraction, seen: Seen) -> Sequence[Things]:
    """Return the drawables of polygons, images, outlines and lines; the same objects as long as nothing changed."""
    table = scene.world.table(Shape)
    spans = table.column("points")[seen.rows]
    boxed = table.column("shape")[seen.rows] < _LINE
    seen = seen.some((boxed | (spans[:, 1] > 1)) & (table.column("opacity")[seen.rows] > 0))
    seen = seen.some(_in_view(scene, table, seen)) if len(seen.rows) else seen
    if not len(seen.rows):
        return []
    levels = pixel_levels(scale_of(seen.matrix) * scene.density(seen.numbers))
    return scene.remembered(
        "points", Shape, seen, lambda scene, seen: _Extraction(scene, table, seen, levels).drawables(), levels.tobytes()
    )


def _in_view(scene: Extraction, table: Any, seen: Seen) -> Array:
    """Return bool n: whether each box, with room for an outline, touches the visible area."""
    spans = table.column("points")[seen.rows]
    boxed = table.column("shape")[seen.rows] < _LINE
    low, high = np.zeros((2, len(spans), 2), np.float32)
    if not boxed.all():
        points = table.pool_of("points").gather(spans[~boxed]).reshape(-1, 2)
        low[~boxed], high[~boxed] = bounds_of(points, spans[~boxed, 1].astype(np.int64))
    size = _size_of(table, seen.rows)
    anchor = table.column("anchor")[seen.rows]
    low[boxed], high[boxed] = (-size * anchor)[boxed], (size * (1 - anchor))[boxed]
    reach = 2 * np.maximum(table.column("outline_width")[seen.rows], 1)[:, None]
    return in_view(scene, seen, low - reach, high + reach)


def _size_of(table: Any, rows: Array) -> Array:
    """Return the sizes of rectangles and circles, float32 (n, 2)."""
    radius = table.column("radius")[rows][:, None]
    return np.where(
        (table.column("shape")[rows] == _CIRCLE)[:, None] & (radius > 0), 2 * radius, table.column("size")[rows]
    )


class _Extraction:
    """The extraction of some rows of Shape."""

    def __init__(self, scene: Extraction, table: Any, seen: Seen, levels: Array) -> None:
        self.scene, self.table, self.seen, self.levels = scene, table, seen, levels
        rows, opacity = seen.rows, table.column("opacity")[seen.rows]
        self.form = table.column("shape")[rows]
        self.fill = rgba_bytes(table.column("color")[rows].copy(), opacity)
        self.edge = rgba_bytes(table.column("outline")[rows].copy(), opacity)
        self.width = table.column("outline_width")[rows]
        self.image = table.column("image")[rows]
        self.z, self.blend = table.column("z")[rows], table.column("blend")[rows].astype(np.int64)
        self.spans = table.column("points")[rows]
        self.straight = (self.form == _LINE) & (self.spans[:, 1] == 2)
        self.parts: list[RowParts] = scene.cache.parts.setdefault(f"{scene.view.name} shape parts", ShapeParts()).of(
            scene, seen, levels
        )
        self.outlines = [self._outline(k, straight) for k, straight in enumerate(self.straight.tolist())]

    def drawables(self) -> list[Drawables]:
        """Return the fills first, then the outlines and lines, which are drawn over them."""
        line = self.form == _LINE
        whole = np.array([len(outline.rings) > 0 for outline in self.outlines])
        filled = whole & ~line & (self.fill[:, 3] > 0)
        stroke = np.where((line & (self.edge[:, 3] == 0))[:, None], self.fill, self.edge)
        width = np.where(line & (self.width <= 0), np.float32(1), self.width)
        drawn = (stroke[:, 3] > 0) & (width > 0)
        kinds = (
            (filled & (self.image == 0), self._polygons),
            (filled & (self.image > 0), self._pictures),
            (drawn & self.straight, lambda which: self._straight(which, width, stroke)),
            (drawn & whole & ~self.straight, lambda which: self._strokes(which, width, stroke)),
        )
        drawables = [make(np.flatnonzero(chosen)) for chosen, make in kinds if chosen.any()]
        return [kind for kind in drawables if kind is not None]

    def _outline(self, k: int, straight: bool) -> Outline:
        """Return the rings of a shape; none for a straight line, which is drawn without them."""
        parts = self.parts[k]
        if parts.outline is None:
            parts.outline = _NONE if straight else self._rings(k)
        return parts.outline

    def _rings(self, k: int) -> Outline:
        """Return the rings of a shape: its own, or those of a rectangle or an ellipse that has an image."""
        table, row = self.table, int(self.seen.rows[k])
        if self.form[k] >= _LINE:
            points, holes = table.read_row("points", row), table.read_row("holes", row)
            key = (int(self.form[k]), points.tobytes(), holes.tobytes())
            if self.form[k] == _LINE:
                return Outline([points], key)
            points = points if np.isfinite(points).all() else points[:0]
            return Outline(_kept(self.scene, "rings", key, lambda: rings_of(points, holes.tolist())), key)
        return self._box(k, 0.0)

    def _box(self, k: int, inset: float) -> Outline:
        """Return the ring of a rectangle or an ellipse, moved inwards by `inset` units."""
        table, row = self.table, int(self.seen.rows[k])
        w, h = (float(v) for v in _size_of(table, self.seen.rows[k : k + 1])[0])
        x, y = (float(v) for v in table.column("anchor")[row])
        middle = (0.5 - x) * w, (0.5 - y) * h
        half = max(0.5 * w - inset, 0.0), max(0.5 * h - inset, 0.0)
        corner = min(max(float(table.column("corner_radius")[row]) - inset, 0.0), *half)
        corners = half if self.form[k] == _CIRCLE else (corner, corner)
        key = (middle, half, corners, int(self.levels[k]))
        pixel = pixel_of(int(self.levels[k]))
        return Outline(_kept(self.scene, "rings", key, lambda: [_rounded(middle, half, corners, pixel)]), key)

    def _drawables(self, which: Array, state: Array, make: Any) -> Drawables:
        matrix = self.seen.matrix
        return Drawables(self.seen.numbers[which], self.z[which], matrix[which, 5], state, make)

    def _polygons(self, which: Array) -> Drawables:
        parts = [self._polygon(k) for k in which.tolist()]

        def make(some: Array | slice, state: int) -> Batch:
            chosen = np.arange(len(which))[some]
            starts = np.cumsum([0, *(len(parts[i][0]) for i in chosen)]).astype(np.int32)
            matrix = np.repeat(self.seen.matrix[which[chosen]], np.diff(starts), axis=0)
            arrays = {
                "points": _placed(matrix, np.concatenate([parts[i][0] for i in chosen])),
                "starts": starts,
                "triangles": np.concatenate([parts[i][1] + starts[n] for n, i in enumerate(chosen)]).astype(np.int32),
                "rgba": np.ascontiguousarray(self.fill[which[chosen]]),
            }
            return Batch("polygons", arrays, blend=BLENDS[state], source="render")

        return self._drawables(which, self.blend[which], make)

    def _polygon(self, k: int) -> tuple[Array, Array]:
        """Return the contour of a shape, and its triangles."""
        parts, outline = self.parts[k], self.outlines[k]
        if parts.polygon is None:
            parts.polygon = polygon = _kept(self.scene, "triangles", outline.key, lambda: _cut(outline))
            return polygon
        return parts.polygon

    def _pictures(self, which: Array) -> Drawables:
        pictures = [self._picture(k) for k in which.tolist()]
        pages = np.array([page for _, page in pictures], np.int64)
        sampling = self.table.column("sampling")[self.seen.rows[which]].astype(np.int64)
        meshes = Meshes([mesh for mesh, _ in pictures], self.seen.matrix[which])
        return self._drawables(which, state_of(self.blend[which], 0, pages) | sampling << 4, meshes.batch)

    def _picture(self, k: int) -> tuple[Mesh, int]:
        """Return the mesh of a shape covered with copies of its image, and the page of the image."""
        parts = self.parts[k]
        if parts.picture is None:
            parts.picture = self._covered(k)
        return parts.picture

    def _covered(self, k: int) -> tuple[Mesh, int]:
        table, row, pictures = self.table, int(self.seen.rows[k]), self.scene.pictures
        frame, w, h = pictures.frame_of(self.scene.world, self.scene.world.text(int(self.image[k])))
        page, (x, y, _, _) = pictures.atlas.place_of(frame)
        scale, offset = table.column("image_scale")[row], table.column("image_offset")[row]
        lie = np.nan_to_num(
            [*np.clip(scale, 0.001, 1e6), *offset, table.column("image_rotation")[row]], nan=1, posinf=1
        )
        outline = self.outlines[k]
        if self.form[k] < _LINE and self.edge[k, 3] == 255:  # the fill must not show outside of the outline
            outline = self._box(k, 0.5 * float(self.width[k]))
        key = (outline.key, tuple(lie.tolist()), w, h, int(self.levels[k]))
        corners, triangles = _kept(self.scene, "pictures", key, lambda: _covered(outline, *key[1:]))
        margin = 0.02  # texels, so that no neighbor on the page is sampled
        texels = np.array([x, y]) + margin + corners[:, 3:] * (np.array([w, h]) - 2 * margin)
        rgba = np.repeat(self.fill[k : k + 1], len(corners), axis=0)
        rgba[:, 3] = np.floor(rgba[:, 3] * corners[:, 2] + 0.5)
        return Mesh(corners[:, :2].astype(np.float32), rgba, triangles, texels.astype(np.float32)), page

    def _straight(self, which: Array, width: Array, stroke: Array) -> Drawables:
        local = self.table.pool_of("points").gather(self.spans[which]).reshape(-1, 2)
        ends = _placed(np.repeat(self.seen.matrix[which], 2, axis=0), local).reshape(-1, 4)
        wide = (width * scale_of(self.seen.matrix)).astype(np.float32)

        def make(some: Array | slice, state: int) -> Batch:
            chosen = which[some]
            arrays = {
                "points": np.ascontiguousarray(ends[some]),
                "width": wide[chosen],
                "rgba": np.ascontiguousarray(stroke[chosen]),
            }
            return Batch("lines", arrays, blend=BLENDS[state], source="render")

        return self._drawables(which, self.blend[which], make)

    def _strokes(self, which: Array, width: Array, stroke: Array) -> Drawables | None:
        strokes = [self._stroke(k, float(width[k]), stroke[k]) for k in which.tolist()]
        some = np.array([len(mesh.indices) > 0 for mesh in strokes], np.bool_)
        if not some.any():
            return None
        which = which[some]
        meshes = Meshes([mesh for mesh in strokes if len(mesh.indices)], self.seen.matrix[which])
        return self._drawables(which, state_of(self.blend[which]), meshes.batch)

    def _stroke(self, k: int, width: float, rgba: Array) -> Mesh:
        """Return the mesh of a line or an outline; half of a polygon's outline is inside, all of a rectangle's or an
        ellipse's.
        """
        parts = self.parts[k]
        if parts.stroke is None:
            parts.stroke = self._strip(k, width, rgba)
        return parts.stroke

    def _strip(self, k: int, width: float, rgba: Array) -> Mesh:
        line = self.form[k] == _LINE
        apart = bool(rgba[3] < 255) or int(self.blend[k]) not in _SOLID
        color = rgba[None].astype(np.float32) / 255
        meshes: list[Mesh] = []
        outline = self._box(k, 0.5 * width) if self.form[k] < _LINE else self.outlines[k]
        for ring in outline.rings:
            points = np.ascontiguousarray(ring, np.float32).tobytes()
            style = _ROUND if line else _SHARP
            strip, length = strip_of(
                self.scene, Stroke(points, (width, width), not line, style, int(self.levels[k]), apart)
            )
            meshes.append(Mesh(strip.points, colors_of(strip, length, color), strip.indices))
        return meshes[0] if len(meshes) == 1 else _joined(meshes)


def _placed(matrix: Array, local: Array) -> Array:
    """Transform points (m, 2) by a matrix (m, 6) each; returns float32 (m, 2)."""
    x = matrix[:, 0] * local[:, 0] + matrix[:, 2] * local[:, 1] + matrix[:, 4]
    y = matrix[:, 1] * local[:, 0] + matrix[:, 3] * local[:, 1] + matrix[:, 5]
    return np.stack([x, y], axis=1).astype(np.float32)


def _kept(scene: Extraction, name: str, key: Any, make: Any) -> Any:
    """Return the result of `make` for a key, cached from frame to frame."""
    cache: dict[Any, Any] = scene.cache.parts.setdefault(name, {})
    if key not in cache:
        if len(cache) >= _KEPT:
            cache.clear()
        cache[key] = make()
    return cache[key]


def _cut(outline: Outline) -> tuple[Array, Array]:
    """Return the contour of a polygon, and its triangles as indices of the contour."""
    rings = outline.rings
    ends = np.cumsum([len(ring) for ring in rings])
    triangles = cut_polygon(np.concatenate(rings), ends[:-1].tolist())
    # In the contour, a bridge adds a point before each hole, and one after it.
    first = [0, *(end + 2 * k + 1 for k, end in enumerate(ends[:-1].tolist()))]
    at = [np.arange(len(ring)) + start for ring, start in zip(rings, first, strict=True)]
    return contour_of(rings), np.concatenate(at)[triangles].astype(np.int32)


def _covered(outline: Outline, lie: Any, w: int, h: int, level: int) -> tuple[Array, Array]:
    """Return corners (m, 5), x y cover u v, and triangles of a shape covered with copies of an image of w by h texels.

    lie: scale x and y, offset x and y, rotation.
    """
    points, cover, triangles = fill_softly(outline.rings, pixel_of(level))
    x, y = points[:, 0] - lie[2], points[:, 1] - lie[3]
    cos, sin = math.cos(lie[4]), math.sin(lie[4])
    along, up = (cos * x + sin * y) / (lie[0] * w), (cos * y - sin * x) / (lie[1] * h)
    return repeat_cells(np.stack([points[:, 0], points[:, 1], cover, along, -up], axis=1), triangles)


def _rounded(middle: Any, half: Any, corners: Any, pixel: float) -> Array:
    """Return a rectangle whose corners are quarters of ellipses with these half axes, float32 (n, 2)."""
    (w, h), (rx, ry) = half, corners
    if rx <= 0 or ry <= 0:
        ring = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
    else:
        step = 2 * math.acos(max(1 - 0.1 * pixel / max(rx, ry), 0.5))
        turns = np.linspace(0, math.pi / 2, min(max(math.ceil(math.pi / 2 / step), 2), 128) + 1)
        quarter = np.stack([w - rx + rx * np.cos(turns), h - ry + ry * np.sin(turns)], axis=1)
        sides = [quarter, quarter[::-1] * (-1, 1), -quarter, quarter[::-1] * (1, -1)]
        ring = np.concatenate(sides)
    return (ring + middle).astype(np.float32)


def _joined(meshes: Sequence[Mesh]) -> Mesh:
    first = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.rgba for mesh in meshes]),
        np.concatenate([mesh.indices + np.int32(first[k]) for k, mesh in enumerate(meshes)]),
    )
