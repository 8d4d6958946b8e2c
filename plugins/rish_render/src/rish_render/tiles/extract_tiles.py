"""Tile maps to drawables: which layers show where, and by which of two ways.

Orthogonal tiles that fill their cells are blocks of the kind `tiles`; all others are strips of sprites. A layer may
hold both, as long as what sticks out sticks out upwards only: then it is drawn after the rest, which looks the same.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.common.transform import Transform, WorldMatrices
from rish_core.errors import did_you_mean
from rish_core.frame.batches import Batch

from ..drawables import FILTERS, Drawables, rgba_bytes
from .access import shift_of
from .blocks import Blocks
from .boards import Board, TileMaps
from .component import TileMap
from .frames import frames_of
from .model import Array, Box, Matrix
from .strips import Strips

if TYPE_CHECKING:
    from ..extract import Scene

_log = logging.getLogger("rish.tiles")
_KEPT = 16  # drawables that are kept a layer, for several cameras


@dataclass(eq=False)
class LayerArt:
    """How one layer of a board is drawn.

    used: bool by tile, what its cells hold. revision: of the layer, when that was found. fills, sticks_out: whether
    blocks and strips are needed.
    """

    blocks: Blocks
    strips: Strips
    used: Array
    revision: int = -1
    fills: bool = False
    sticks_out: bool = False
    made: dict[Any, tuple[list[Any], Drawables]] = field(default_factory=dict[Any, tuple[list[Any], Drawables]])

    def show(self, used: Array, fills: Array, revision: int) -> None:
        """Draw these tiles, some as blocks and the rest as strips; what is drawn already stays as it is."""
        self.used, self.revision = used, revision
        self.blocks.wanted = fills
        self.strips.want(used & ~fills)
        self.fills, self.sticks_out = bool(fills.any()), bool((used & ~fills).any())


@dataclass(eq=False)
class LayerPlan:
    """What the component and the file say of one layer.

    number: of the game's layer. rgba: uint8 4. shift: of its own space, before the entity's matrix.
    """

    index: int
    number: int
    z: float
    rgba: Array
    sampling: int
    shift: tuple[float, float]
    parallax: tuple[float, float]

    @property
    def said(self) -> tuple[Any, ...]:
        """All of it, to compare."""
        return self.index, self.number, self.z, self.rgba.tobytes(), self.sampling, self.shift, self.parallax


def extract_tiles(scene: Scene) -> list[Drawables]:
    """The drawables of all maps that are seen, layer by layer in the order of the files."""
    world = scene.world
    query = world.query(TileMap, Transform)
    if not len(query):
        return []
    table, maps = world.table(TileMap), world[TileMaps]
    rows, places = query.rows(TileMap), query.rows(Transform)
    entities, matrices = query.entities, world[WorldMatrices].rows(places)
    found: list[Drawables] = []
    for index in np.flatnonzero(table.column("visible")[rows]).tolist():
        entity = int(entities[index])
        board = maps.board(world, entity)
        if not board.cells:
            continue
        frames_of(board.kept, board.map).tick(world.time)
        a, b, c, d, tx, ty = matrices[index].tolist()
        for plan in _plans(scene, board, int(rows[index]), entity):
            if scene.layers[plan.number] and plan.rgba[3]:
                found += _layer(scene, board, plan, _placed(scene, (a, b, c, d, tx, ty), plan))
    return found


def _plans(scene: Scene, board: Board, row: int, entity: int) -> list[LayerPlan]:
    """What is to be drawn of one map; the same list while nothing is said anew."""
    world, stack = scene.world, scene.stack
    table = world.table(TileMap)
    number = int(stack.numbers(world, table.column("layer")[row : row + 1], np.array([entity]))[0])
    stamp = (table.version, table.membership, stack.names, number)
    known = board.kept.get("plans")
    if known is not None and known[0] == stamp:
        return known[1]
    shown: tuple[str, ...] = table.read_row("shown", row)
    dx, dy = shift_of(board, table.column("anchor")[row].tolist())
    z, tint = float(table.column("z")[row]), table.column("tint")[row]
    opacity, sampling = float(table.column("opacity")[row]), int(table.column("sampling")[row])
    plans: list[LayerPlan] = []
    for index, layer in enumerate(board.map.layers):
        if layer.name in shown if shown else layer.visible:
            rgba = rgba_bytes((tint * np.array(layer.tint, np.float32))[None], np.array([opacity * layer.opacity]))[0]
            here, depth = _number_of(scene, board, index, number), z + _z_of(layer.properties)
            shift = (dx + layer.offset[0], dy + layer.offset[1])
            plans.append(LayerPlan(index, here, depth, rgba, sampling, shift, layer.parallax))
    if known is not None and [plan.said for plan in known[1]] == [plan.said for plan in plans]:
        plans = known[1]  # the same objects, so that what was made of them stays
    board.kept["plans"] = (stamp, plans)
    return plans


def _z_of(properties: dict[str, Any]) -> float:
    z = properties.get("z", 0)
    return float(z) if isinstance(z, (int, float)) else 0.0


def _number_of(scene: Scene, board: Board, index: int, number: int) -> int:
    """The layer of the game that a layer of the map is drawn on: one it names, or is named like, or the entity's."""
    names = scene.stack.names
    if number >= len(names):
        return number  # a group keeps all of the map together
    layer = board.map.layers[index]
    wished = layer.properties.get("layer", layer.name)
    if wished in names:
        return names.index(wished)
    if "layer" in layer.properties:
        key = f"{board.asset} {wished}"
        if key not in scene.cache.told:
            scene.cache.told.add(key)
            near = did_you_mean(wished, names)
            _log.warning("%s: its layer %r asks for %r%s; no layer is called so", board.asset, layer.name, wished, near)
    return number


def _placed(scene: Scene, matrix: Matrix, plan: LayerPlan) -> Matrix:
    """From a layer's own space to the world, moved as far as it does not follow the camera."""
    a, b, c, d, tx, ty = matrix
    x, y = plan.shift
    tx, ty = tx + a * x + c * y, ty + b * x + d * y
    stack = scene.stack
    if not stack.screen[plan.number]:
        follow_x, follow_y = stack.parallax[plan.number].tolist()
        tx += (1 - follow_x * plan.parallax[0]) * scene.view.centre[0]
        ty += (1 - follow_y * plan.parallax[1]) * scene.view.centre[1]
    return a, b, c, d, tx, ty


def _layer(scene: Scene, board: Board, plan: LayerPlan, matrix: Matrix) -> list[Drawables]:
    """The drawables of one layer: what fills its cells, and what sticks out of them."""
    stack = scene.stack
    sorted_ = bool(stack.y_sorted[plan.number])
    box = _local_box((scene.flat if stack.screen[plan.number] else scene.view).bounds, matrix)
    if box is None:
        return []
    art = _art_of(scene, board, plan.index, sorted_)
    key = (plan.number, plan.z, plan.sampling)
    found: list[Drawables] = []
    if art.fills:
        batches = art.blocks.batches(box, matrix, plan.rgba)
        if batches:
            found.append(_remember(art, ("blocks", *key), batches, lambda: _of_blocks(batches, *key)))
    if art.sticks_out:
        window = art.strips.window(box, matrix, plan.rgba)
        if len(window):
            found.append(_remember(art, ("strips", *key), [window], lambda: _of_strips(window, sorted_, *key)))
    return found


def _local_box(bounds: Box, matrix: Matrix) -> Box | None:
    """The box around what is seen, in the space that a matrix leads from; None where the matrix is flat."""
    a, b, c, d, tx, ty = matrix
    area = a * d - b * c
    if not area or not math.isfinite(area):
        return None
    xs = [bounds[0] - tx, bounds[2] - tx]
    ys = [bounds[1] - ty, bounds[3] - ty]
    across = [(d * x - c * y) / area for x in xs for y in ys]
    up = [(a * y - b * x) / area for x in xs for y in ys]
    return min(across), min(up), max(across), max(up)


def _art_of(scene: Scene, board: Board, index: int, sorted_: bool) -> LayerArt:
    """How a layer is drawn; worked out anew when tiles appear in it that were not there before."""
    art: LayerArt | None = board.kept.get(("art", index, sorted_))
    frames = frames_of(board.kept, board.map)
    revision = board.revisions[index]
    if art is not None and art.revision == revision:
        frames.refresh(scene.world, scene.pictures)
        return art
    used = board.used(index).copy()
    used[0] = False
    frames.look_up(scene.world, scene.pictures, np.flatnonzero(used))
    fills = used & _filling(board, used) & (not sorted_)
    if art is None or (art.used & used & (fills != art.blocks.wanted)).any():
        nothing = np.zeros(len(used), np.bool_)
        blocks, strips = Blocks(board, index, frames, nothing), Strips(board, index, frames, nothing)
        art = board.kept["art", index, sorted_] = LayerArt(blocks, strips, nothing)
    art.show(used, fills, revision)
    return art


def _filling(board: Board, used: Array) -> Array:
    """bool by tile: whether it is drawn as part of a block."""
    map_, grid = board.map, board.map.grid
    size, offset = map_.tiles.size, map_.tiles.offset
    none = np.zeros(len(used), np.bool_)
    if grid.orientation != "orthogonal":
        return none
    w, h = np.float32(grid.width), np.float32(grid.height)
    width, height = np.where(size[:, 0] > 0, size[:, 0], w), np.where(size[:, 1] > 0, size[:, 1], h)
    fills = (width == w) & (height == h) & ~offset.any(axis=1)
    odd = used & ~fills
    upwards = (width <= w) & (offset[:, 0] >= 0) & (offset[:, 0] + width <= w) & (offset[:, 1] >= 0)
    if (odd & ~upwards).any() or not map_.down:
        return none
    return fills


def _remember(art: LayerArt, key: Any, parts: list[Any], make: Any) -> Drawables:
    """What was made of the same parts before, else something new."""
    stamp = (key, tuple(id(part) for part in parts))
    known = art.made.pop(stamp, None)
    if known is None:
        known = (parts, make())
    art.made[stamp] = known
    while len(art.made) > _KEPT:
        del art.made[next(iter(art.made))]
    return known[1]


def _of_blocks(batches: list[Batch], number: int, z: float, filter_: int) -> Drawables:
    """One thing a block; each is a batch of its own."""
    for batch in batches:
        batch.filter, batch.version = FILTERS[filter_], 0
    count = len(batches)

    def make(rows: Array | slice, state: int) -> Batch:
        return batches[state]

    heights = np.full(count, np.inf, np.float32)
    return Drawables(np.full(count, number, np.int64), np.full(count, z, np.float32), heights, np.arange(count), make)


def _of_strips(window: Any, sorted_: bool, number: int, z: float, filter_: int) -> Drawables:
    """One thing a strip where a layer is sorted by y, else one for all."""
    count = len(window.heights) if sorted_ else 1
    everything = slice(0, len(window.heights))

    def make(rows: Array | slice, state: int) -> Batch:
        return window.batch(rows if sorted_ else everything, FILTERS[filter_])

    heights = window.heights if sorted_ else np.full(1, np.inf, np.float32)
    return Drawables(
        np.full(count, number, np.int64), np.full(count, z, np.float32), heights, np.zeros(count, np.int64), make
    )
