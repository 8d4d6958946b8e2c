"""Drawn boxes: the box around what each of some entities draws, for tools that outline, frame or stretch entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Transform, world_matrices
from rish_frame import WorldMatrices

from ..animation.sheet import SpriteSheet, sheet_regions
from ..components.visible import Camera, Shape, ShapeForm, Sprite, Text
from ..materials.material_images import CAMERA, Pictures
from ..scene.camera import target_size
from ..scene.extraction import RenderCache
from ..scene.layer_stack import stack_of
from ..strokes.line import Line
from ..strokes.mesh import bounds_of
from ..text.cache import TextCache
from ..tiles.access import shift_of
from ..tiles.boards import TileMaps
from ..tiles.component import TileMap
from .nine_patch import NinePatch

if TYPE_CHECKING:
    from rish_ecs import World

    from ..scene.view import View

Array = npt.NDArray[Any]
_FORMS = list(ShapeForm)
_CIRCLE, _LINE = _FORMS.index(ShapeForm.CIRCLE), _FORMS.index(ShapeForm.LINE)


class DrawnBoxes(NamedTuple):
    """The boxes of n entities.

    local: float64 (n, 4), least x, least y, greatest x, greatest y in the space of each entity; NaN where it draws
    nothing. matrix: float64 (n, 6), from that space to the world, as it is drawn: between two ticks, and with the
    parallax of the entity's layer. screen: bool n, whether it is on a layer in screen space; its matrix then gives
    logical pixels of the screen, y up.
    """

    local: Array
    matrix: Array
    screen: Array

    @property
    def drawn(self) -> Array:
        """bool n: which entities draw something."""
        return np.isfinite(self.local[:, 0])

    @property
    def corners(self) -> Array:
        """float64 (n, 4, 2): the corners of the boxes, counter-clockwise from the lower left one."""
        x, y = self.local[:, [0, 2, 2, 0]], self.local[:, [1, 1, 3, 3]]
        a, b, c, d, tx, ty = (self.matrix[:, k, None] for k in range(6))
        return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1)


def drawn_boxes(world: World, entities: npt.ArrayLike, view: View | None = None) -> DrawnBoxes:
    """Return the boxes around what entities draw with sprites, shapes, lines, panels, texts and tile maps.

    entities: int n; those without a Transform have the matrix of the world. view: where the camera is that sees them;
    it matters to layers with parallax. Invisible components count as well. The result must not become state.
    """
    handles = np.asarray(entities, np.int64).reshape(-1)
    local = np.full((len(handles), 4), np.nan)
    screen, parallax = np.zeros(len(handles), np.bool_), np.ones((len(handles), 2))
    matrix = _matrices(world, handles)
    cache = world[RenderCache]
    stack = stack_of(world, cache.told)
    layered = np.zeros(len(handles), np.bool_)
    for kind, measure in _MEASURES.items():
        table = world.tables.get(kind)
        if table is None or not len(table):
            continue
        rows = table.rows_of(handles)
        found = np.flatnonzero(rows >= 0)
        if not len(found):
            continue
        box = measure(world, rows[found])
        local[found, :2] = np.fmin(local[found, :2], box[:, :2])
        local[found, 2:] = np.fmax(local[found, 2:], box[:, 2:])
        first = found[~layered[found]]
        numbers = stack.numbers(world, table.column("layer")[rows[first]], handles[first])
        screen[first], parallax[first] = stack.screen[numbers], stack.parallax[numbers]
        layered[first] = True
    if view is not None:
        matrix[:, 4:] += np.where(screen[:, None], 0.0, (1 - parallax) * np.array(view.center))
    return DrawnBoxes(local, matrix, screen)


def _matrices(world: World, handles: Array) -> Array:
    """Return the matrices of entities as they are drawn; those that were added since the last frame as they are."""
    places = world.table(Transform).rows_of(handles)
    matrix = np.tile(np.array([1.0, 0, 0, 1, 0, 0]), (len(handles), 1))
    there = places >= 0
    if there.any():
        known: WorldMatrices = world[WorldMatrices]
        rows = places[there]
        matrix[there] = known.rows(rows) if known.knows(rows) else world_matrices(world)[rows]
    return matrix


def _anchored(size: Array, anchor: Array) -> Array:
    """Return boxes (n, 4) of a size (n, 2) with a point, as a fraction of the size, at 0."""
    low = -anchor.astype(np.float64) * size
    return np.concatenate([low, low + size], axis=1)


def _of_sprites(world: World, rows: Array) -> Array:
    table = world.table(Sprite)
    size = table.column("size")[rows].astype(np.float64)
    if (size <= 0).any():
        size = np.where(size > 0, size, _texels(world, rows))
    repeat = np.maximum(table.column("repeat")[rows], 1)
    return _anchored(size * repeat, table.column("anchor")[rows])


def _texels(world: World, rows: Array) -> Array:
    """Return the size of the picture, or the part of one, that sprites show, float64 (n, 2)."""
    table, pictures = world.table(Sprite), world[Pictures]
    images, which = np.unique(table.column("image")[rows], return_inverse=True)
    whole = np.array([_picture_size(world, pictures, world.text(int(image))) for image in images], np.float64)[which]
    region = table.column("region")[rows].astype(np.float64)
    sheets = world.tables.get(SpriteSheet)
    if sheets is not None and len(sheets):
        cells = sheets.rows_of(table.entities[rows])
        some = np.flatnonzero(cells >= 0)
        if len(some):
            frames = table.column("frame")[rows[some]]
            region[some] = sheet_regions(world, cells[some], whole[some].astype(np.float32), frames)
    return np.where((region[:, 2:3] > 0) & (region[:, 3:4] > 0), np.minimum(region[:, 2:], whole), whole)


def _picture_size(world: World, pictures: Pictures, path: str) -> tuple[int, int]:
    if not path.startswith(CAMERA):
        return pictures.picture(world, path).size
    table, number = world.table(Camera), world.texts.find(path.removeprefix(CAMERA))
    cameras = np.flatnonzero(table.column("target") == number) if number > 0 else []
    return target_size(table, int(cameras[0])) if len(cameras) else pictures.picture(world, path).size


def _of_shapes(world: World, rows: Array) -> Array:
    table = world.table(Shape)
    form, radius = table.column("shape")[rows], table.column("radius")[rows]
    round_ = (form == _CIRCLE) & (radius > 0)
    size = np.where(round_[:, None], 2.0 * radius[:, None], table.column("size")[rows].astype(np.float64))
    box = _anchored(size, table.column("anchor")[rows])
    pointed = np.flatnonzero(form >= _LINE)
    if len(pointed):
        width = table.column("outline_width")[rows[pointed]] * (table.column("outline")[rows[pointed], 3] > 0)
        width = np.where(form[pointed] == _LINE, np.maximum(table.column("outline_width")[rows[pointed]], 1), width)
        box[pointed] = _of_points(table, rows[pointed], width)
    return box


def _of_lines(world: World, rows: Array) -> Array:
    table = world.table(Line)
    return _of_points(table, rows, np.maximum(table.column("width")[rows], table.column("width_end")[rows]))


def _of_points(table: Any, rows: Array, width: Array) -> Array:
    """Return the boxes around lists of points, widened by half a width; NaN for empty lists."""
    spans = table.column("points")[rows]
    box = np.full((len(rows), 4), np.nan)
    some = np.flatnonzero(spans[:, 1] > 0)
    if len(some):
        points = table.pool_of("points").gather(spans[some]).reshape(-1, 2)
        low, high = bounds_of(points, spans[some, 1].astype(np.int64))
        half = width[some, None] / 2
        box[some] = np.concatenate([low - half, high + half], axis=1)
    return box


def _of_panels(world: World, rows: Array) -> Array:
    table = world.table(NinePatch)
    return _anchored(table.column("size")[rows].astype(np.float64), table.column("anchor")[rows])


def _of_texts(world: World, rows: Array) -> Array:
    """Return the boxes of blocks of text; an empty text has none."""
    table = world.table(Text)
    cache = TextCache.of(world, world[RenderCache], world[Pictures])
    size = np.full((len(rows), 2), np.nan)
    for k, row in enumerate(rows.tolist()):
        words = table.read_row("text", row).encode()
        if words:
            layout = cache.layout_of(world, row, words).layout
            size[k] = layout.width, layout.height
    return _anchored(size * table.column("size")[rows][:, None], table.column("anchor")[rows])


def _of_maps(world: World, rows: Array) -> Array:
    table = world.table(TileMap)
    box = np.full((len(rows), 4), np.nan)
    for k, row in enumerate(rows.tolist()):
        board = world[TileMaps].board(world, int(table.entities[row]))
        if board.map.grid.columns and board.map.grid.rows:
            dx, dy = shift_of(board, table.column("anchor")[row].tolist())
            box[k] = np.add(board.map.grid.box, (dx, dy, dx, dy))
    return box


_MEASURES: dict[type, Callable[[World, Array], Array]] = {
    Sprite: _of_sprites,
    Shape: _of_shapes,
    Text: _of_texts,
    NinePatch: _of_panels,
    Line: _of_lines,
    TileMap: _of_maps,
}
