"""Converts lines into meshes: visible lines are cut into triangles once, and the triangles are cached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ...components.visible import Blend, ImageMode
from ...drawables.drawables import Drawables, Things
from ..strokes.mesh import Mesh, Meshes, bounds_of, in_view, pixel_levels, scale_of, state_of
from ..strokes.stroke import Style
from ..strokes.triangle_strips import Stroke, Texture, colors_of, strip_of, texels_of
from .line import Line

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_BLENDS = list(Blend)
_COVERING = (_BLENDS.index(Blend.ALPHA), _BLENDS.index(Blend.REPLACE))
_TILE = list(ImageMode).index(ImageMode.TILE)
_KEPT = 8192
_PLAIN = (
    "closed", "width", "width_end", "color", "joint", "miter_limit", "cap", "dash_offset", "image", "image_mode",
    "opacity", "blend",
)  # fmt: skip
_POOLED = ("points", "colors", "dashes")
"""Fields of variable length on which a mesh depends. `_PLAIN` lists those of fixed length."""


def extract_lines(scene: Extraction, seen: Seen) -> Sequence[Things]:
    """Return the drawables of all visible lines; the same objects as long as their content is the same."""
    table = scene.world.table(Line)
    spans = table.column("points")[seen.rows]
    drawn = (spans[:, 1] > 0) & (table.column("opacity")[seen.rows] > 0)
    seen, spans = seen.some(drawn), spans[drawn]
    if not len(seen.rows):
        return []
    low, high = bounds_of(table.pool_of("points").gather(spans).reshape(-1, 2), spans[:, 1].astype(np.int64))
    wide = np.maximum(table.column("width")[seen.rows], table.column("width_end")[seen.rows])
    reach = (wide * np.maximum(table.column("miter_limit")[seen.rows], 2) / 2)[:, None]
    seen = seen.some(in_view(scene, seen, low - reach, high + reach))
    if not len(seen.rows):
        return []
    levels = pixel_levels(scale_of(seen.matrix) * scene.density(seen.numbers))
    return scene.remembered("lines", Line, seen, lambda scene, seen: _extract(scene, seen, levels), levels.tobytes())


def _extract(scene: Extraction, seen: Seen, levels: Array) -> list[Drawables]:
    table, rows = scene.world.table(Line), seen.rows
    cache: dict[Any, tuple[Mesh, int]] = scene.cache.parts.setdefault("line meshes", {})
    if len(cache) > _KEPT:
        cache.clear()
    meshes: list[Mesh] = []
    pages = np.full(len(rows), -1, np.int64)
    images = np.where(table.column("image")[rows] > 0, scene.pictures.version, 0)  # they may have moved on their page
    for k, key in enumerate(_keys(table, rows, levels, images)):
        entry = cache.get(key)
        if entry is None:
            entry = cache[key] = _line_mesh(scene, table, int(rows[k]), int(levels[k]))
        mesh, pages[k] = entry
        meshes.append(mesh)
    some = np.array([len(mesh.indices) > 0 for mesh in meshes])
    filled = seen.some(some)
    batches = Meshes([mesh for mesh in meshes if len(mesh.indices)], filled.matrix)
    sampling = table.column("sampling")[filled.rows].astype(np.int64)
    state = state_of(table.column("blend")[filled.rows], 0, pages[some]) | np.where(pages[some] >= 0, sampling, 0) << 4
    return [Drawables(filled.numbers, table.column("z")[filled.rows], filled.matrix[:, 5], state, batches.batch)]


def _keys(table: Any, rows: Array, *more: Array) -> Iterator[Any]:
    """Yield a key for each line; two keys are equal only if the meshes are. more: int64 n, further parts of keys."""
    plain = [np.ascontiguousarray(table.column(name)[rows]) for name in _PLAIN]
    bytes_ = np.concatenate([column.view(np.uint8).reshape(len(rows), -1) for column in [*plain, *more]], axis=1)
    pooled = [(table.pool_of(name).items, table.column(name)[rows].tolist()) for name in _POOLED]
    for k in range(len(rows)):
        yield bytes_[k].tobytes(), *(items[at : at + n].tobytes() for items, spans in pooled for at, n in [spans[k]])


def _line_mesh(scene: Extraction, table: Any, row: int, level: int) -> tuple[Mesh, int]:
    """Return the mesh of a row of Line, and its page, -1 for none."""
    width, end = max(float(table.width[row]), 0.0), float(table.width_end[row])
    colors = table.read_row("colors", row)
    colors = (colors if len(colors) else np.ones((1, 4), np.float32)) * table.color[row]
    colors[:, 3] *= table.opacity[row]
    texture = _texture(scene, table, row)
    ratio = texture.place[2] / texture.place[3] if texture is not None and texture.tiled else 0.0
    solid = texture is None and bool((colors[:, 3] >= 1).all()) and int(table.blend[row]) in _COVERING
    style = Style(int(table.joint[row]), int(table.cap[row]), float(table.miter_limit[row]))
    stroke = Stroke(
        table.read_row("points", row).tobytes(), (width, end if end >= 0 else width), bool(table.closed[row]), style,
        level, not solid, table.read_row("dashes", row).tobytes(), float(table.dash_offset[row]), len(colors), ratio,
    )  # fmt: skip
    strip, length = strip_of(scene, stroke)
    rgba, uv = colors_of(strip, length, colors), None
    if texture is not None and len(strip.points):
        uv = texels_of(strip, length, texture, stroke.tile_length(length) if ratio and length > 0 else 0.0)
    return Mesh(strip.points, rgba, strip.indices, uv), texture.page if texture is not None else -1


def _texture(scene: Extraction, table: Any, row: int) -> Texture | None:
    path = scene.world.text(int(table.image[row]))
    if not path:
        return None
    frame, _, _ = scene.pictures.frame_of(scene.world, path)
    page, place = scene.pictures.atlas.place_of(frame)
    return Texture(page, place, int(table.image_mode[row]) == _TILE)
