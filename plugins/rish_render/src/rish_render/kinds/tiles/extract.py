"""Converts tile maps into drawables, layer by layer, in one of two forms.

Orthogonal tiles that fill their cells are drawn as blocks of the kind `tiles`, all others as strips of sprites. A layer
may use both, if its oversized tiles extend only upwards: then these are drawn after the rest, which looks the same.
Objects that show a tile, and images, are sprites too, in layers of their own between those of tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_ecs import Inputs, did_you_mean
from rish_ecs.declarations import distinct
from rish_frame import Batch, WorldMatrices
from rish_frame.frame import CELL_TRANSPOSED
from rish_jit import Array

from ...drawables.colors import rgba_bytes
from ...drawables.drawables import BLENDS, FILTERS, Drawables
from ...tiles.access import shift_of
from ...tiles.boards import Board, TileMaps
from ...tiles.component import TileMap
from ...tiles.model import TILE, Box, MapLayer, Matrix, PictureLayer
from ...tiles.spawning import spawned_kinds
from .blocks import Blocks
from .frames import frames_of
from .map_messages import tell_texts, tell_unknown_layers
from .placed_images import Pictures
from .uneven_tiles import Strips
from .windows import Window

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction
    from ...scene.stack import Stack

_KEPT = 16  # drawables that are cached per layer, enough for several cameras


@dataclass(eq=False)
class LayerArt:
    """The drawing data of one layer of a board.

    used: bool by tile, the tiles in its cells. revision: the layer's revision when `used` was computed. fills: whether
    blocks are needed. sticks_out: whether strips are needed.
    """

    blocks: Blocks
    strips: Strips
    used: Array
    revision: int = -1
    fills: bool = False
    sticks_out: bool = False
    cache: dict[Any, tuple[list[Any], Drawables]] = field(default_factory=dict[Any, tuple[list[Any], Drawables]])

    def show(self, used: Array, fills: Array, revision: int) -> None:
        """Draw these tiles: `fills` as blocks and the rest as strips. Existing blocks and strips are kept."""
        self.used, self.revision = used, revision
        self.blocks.wanted = fills
        self.strips.want(used & ~fills)
        self.fills, self.sticks_out = bool(fills.any()), bool((used & ~fills).any())


@dataclass(eq=False)
class LayerPlan:
    """The settings of one layer, combined from the component, the file and the game's layer.

    index: in the map's layers of tiles, -1 for pictures. number: of the game's layer. rgba: uint8 4. blend: index into
    BLENDS. shift: of its own space, before the entity's matrix. still: the part of the camera's motion that it does not
    follow, by axis. own: the part of that which is measured from `origin`, a point of the map's own space, and not from
    the world's. screen: whether the game's layer is in screen space. sorted: whether the game's layer is sorted by y.
    pictures: what is drawn if it has no tiles. art: its drawing data, cached.
    """

    index: int
    number: int
    z: float
    rgba: Array
    sampling: int
    blend: int
    shift: tuple[float, float]
    still: tuple[float, float]
    own: tuple[float, float]
    origin: tuple[float, float]
    screen: bool
    sorted: bool
    pictures: Pictures | None = None
    art: LayerArt | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """All settings as one tuple; plans with equal keys are drawn alike."""
        place = (self.shift, self.still, self.own, self.origin, self.screen, self.sorted)
        drawn = None if self.pictures is None else (id(self.pictures), self.pictures.hidden)
        return self.index, self.number, self.z, self.rgba.tobytes(), self.sampling, self.blend, drawn, *place


def extract_tiles(scene: Extraction) -> list[Drawables]:
    """Return the drawables of all visible maps, layer by layer in the order of the files."""
    world = scene.world
    query = world.query(TileMap, Transform)
    maps, poses = world[TileMaps], world[WorldMatrices]
    rows, places, entities = query.rows(TileMap).tolist(), query.rows(Transform).tolist(), query.entities.tolist()
    visible = world.table(TileMap).column("visible")
    drawables: list[Drawables] = []
    for row, place, entity in zip(rows, places, entities, strict=True):
        board = maps.board(world, entity) if visible[row] else None
        if board is None or not board.drawn:
            continue
        frames = frames_of(board.cache, board.map)
        frames.tick(world.time)
        frames.refresh(world, scene.pictures)
        pose = poses.one(place) or tuple(poses.rows(np.array([place], np.int32))[0].tolist())
        for plan in layer_plans(scene, board, row, entity):
            if scene.layers[plan.number] and plan.rgba[3]:
                drawables += _layer(scene, board, plan, layer_matrix(scene, pose, plan))
    return drawables


def layer_plans(scene: Extraction, board: Board, row: int, entity: int) -> list[LayerPlan]:
    """Return the plans of the visible layers of one map; the same list while nothing changes."""
    world, stack = scene.world, scene.stack
    last: _Plans = board.cache.pop("plans", None) or _Plans()
    if last.inputs.changed(world) or last.stack is not stack:
        column = world.table(TileMap).column("layer")
        number = int(stack.numbers(world, column[row : row + 1], np.array([entity]))[0])
        plans = _planned(scene, board, row, number)
        if [plan.key for plan in last.plans] != [plan.key for plan in plans]:
            last.plans = plans  # otherwise the same objects, so that data cached for them stays valid
        last.stack = stack
    board.cache["plans"] = last
    return last.plans


@dataclass(eq=False)
class _Plans:
    """The plans of a map's layers, and what they were made from."""

    inputs: Inputs = field(default_factory=lambda: Inputs((TileMap,)))
    stack: Stack | None = None
    plans: list[LayerPlan] = field(default_factory=list[LayerPlan])


def _planned(scene: Extraction, board: Board, row: int, number: int) -> list[LayerPlan]:
    """Return the plans of a map whose entity is on the game's layer `number`."""
    table, stack = scene.world.table(TileMap), scene.stack
    shown: tuple[str, ...] = table.read_row("shown", row)
    log = scene.world[TileMaps].log
    tell_unknown_layers(board, shown, log)
    dx, dy = shift_of(board, table.column("anchor")[row].tolist())
    z, tint = float(table.column("z")[row]), table.column("color")[row]
    opacity, sampling = float(table.column("opacity")[row]), int(table.column("sampling")[row])
    hidden = spawned_kinds(scene.world, board.map) if table.column("spawn")[row] else frozenset[str]()
    tell_texts(board, hidden, log)
    plans: list[LayerPlan] = []
    for layer, index in board.map.stack:
        if layer.name in shown if shown else layer.visible:
            rgba = rgba_bytes((tint * np.array(layer.tint, np.float32))[None], np.array([opacity * layer.opacity]))[0]
            here, depth = _number_of(scene, board, layer, number), z + _z_of(layer.properties)
            screen, (x, y) = bool(stack.screen[here]), stack.parallax[here].tolist()
            still = (0.0, 0.0) if screen else (1 - x * layer.parallax[0], 1 - y * layer.parallax[1])
            own = (0.0, 0.0) if screen else (1 - layer.parallax[0], 1 - layer.parallax[1])
            origin = (dx + layer.origin[0], dy + layer.origin[1])
            shift, sorted_ = (dx + layer.offset[0], dy + layer.offset[1]), bool(stack.y_sorted[here])
            plan = LayerPlan(index, here, depth, rgba, sampling, BLENDS.index(layer.blend), shift, still, own, origin,
                             screen, sorted_)  # fmt: skip
            if isinstance(layer, PictureLayer):
                plan.pictures = _pictures_of(scene, board, layer, hidden)
            plans.append(plan)
    return plans


def _pictures_of(scene: Extraction, board: Board, layer: PictureLayer, hidden: frozenset[str]) -> Pictures:
    """Return the pictures of a layer. hidden: the classes whose objects prefabs draw."""
    key = ("pictures", id(layer), hidden)
    pictures: Pictures | None = board.cache.get(key)
    if pictures is None:
        frames = frames_of(board.cache, board.map)
        frames.look_up(scene.world, scene.pictures, distinct(layer.cells & np.uint32(TILE)).astype(np.int64))
        pictures = board.cache[key] = Pictures(board, layer, frames, hidden)
    return pictures


def _z_of(properties: dict[str, Any]) -> float:
    z = properties.get("z", 0)
    return float(z) if isinstance(z, (int, float)) else 0.0


def _number_of(scene: Extraction, board: Board, layer: MapLayer, number: int) -> int:
    """Return the game's layer for a layer of the map: the one it names, the one of the same name, or the entity's."""
    names = scene.stack.names
    if number >= len(names):
        return number  # a group keeps all layers of the map together
    wished = layer.properties.get("layer", layer.name)
    if wished in names:
        return names.index(wished)
    if "layer" in layer.properties:
        key = f"{board.asset} {wished}"
        log = scene.world[TileMaps].log
        if key not in log:
            near = f"{wished!r}{did_you_mean(wished, names)}"
            log(f"{board.asset}: its layer {layer.name!r} names the layer {near}, which does not exist", key=key)
    return number


def layer_matrix(scene: Extraction, matrix: Matrix, plan: LayerPlan) -> Matrix:
    """Return the matrix from a layer's own space to the world, including the shift by its parallax."""
    a, b, c, d, tx, ty = matrix
    (x, y), (still_x, still_y), center = plan.shift, plan.still, scene.view.center
    (own_x, own_y), (x0, y0) = plan.own, plan.origin
    dx = still_x * center[0] - own_x * (tx + a * x0 + c * y0)
    dy = still_y * center[1] - own_y * (ty + b * x0 + d * y0)
    return a, b, c, d, tx + a * x + c * y + dx, ty + b * x + d * y + dy


def _layer(scene: Extraction, board: Board, plan: LayerPlan, matrix: Matrix) -> list[Drawables]:
    """Return the drawables of one layer: its blocks, and its strips."""
    box = _local_box((scene.flat if plan.screen else scene.view).bounds, matrix)
    if box is None:
        return []
    key = (plan.number, plan.z, plan.sampling, plan.blend)
    if plan.pictures is not None:
        window = plan.pictures.window(box, matrix, plan.rgba)
        drawn = plan.pictures.cache, ("pictures", *key), [window], lambda: _of_strips(window, plan.sorted, *key)
        return [_remember(*drawn)] if len(window) else []
    art = plan.art
    if art is None or art.revision != board.revisions[plan.index]:
        art = plan.art = _art_of(scene, board, plan.index, plan.sorted)
    drawables: list[Drawables] = []
    if art.fills:
        batches = art.blocks.batches(box, matrix, plan.rgba)
        if batches:
            drawables.append(_remember(art.cache, ("blocks", *key), batches, lambda: _of_blocks(batches, *key)))
    if art.sticks_out:
        window = art.strips.window(box, matrix, plan.rgba)
        if len(window):
            drawables.append(
                _remember(art.cache, ("strips", *key), [window], lambda: _of_strips(window, plan.sorted, *key))
            )
    return drawables


def _local_box(bounds: Box, matrix: Matrix) -> Box | None:
    """Return the box around the visible area in the matrix's source space; None if the matrix is singular."""
    a, b, c, d, tx, ty = matrix
    area = a * d - b * c
    if not area or not math.isfinite(area):
        return None
    x0, y0, x1, y1 = bounds[0] - tx, bounds[1] - ty, bounds[2] - tx, bounds[3] - ty
    if not b and not c and a > 0 and d > 0:
        return x0 / a, y0 / d, x1 / a, y1 / d
    across = [(d * x - c * y) / area for x in (x0, x1) for y in (y0, y1)]
    up = [(a * y - b * x) / area for x in (x0, x1) for y in (y0, y1)]
    return min(across), min(up), max(across), max(up)


def _art_of(scene: Extraction, board: Board, index: int, sorted_: bool) -> LayerArt:
    """Return the drawing data of a layer; recomputed when tiles appear in it that it did not contain before."""
    art: LayerArt | None = board.cache.get(("art", index, sorted_))
    frames = frames_of(board.cache, board.map)
    revision = board.revisions[index]
    if art is not None and art.revision == revision:
        return art
    used = board.used(index).copy()
    used[0] = False
    frames.look_up(scene.world, scene.pictures, np.flatnonzero(used))
    fills = used & _filling(board, index, used) & (not sorted_)
    if art is None or (art.used & used & (fills != art.blocks.wanted)).any():
        nothing = np.zeros(len(used), np.bool_)
        blocks, strips = Blocks(board, index, frames, nothing), Strips(board, index, frames, nothing)
        art = board.cache["art", index, sorted_] = LayerArt(blocks, strips, nothing)
    art.show(used, fills, revision)
    return art


def _filling(board: Board, index: int, used: Array) -> Array:
    """Return bool by tile: whether it is drawn as part of a block.

    A transposed tile does not fill its cell if the cell is no square.
    """
    map_, grid = board.map, board.map.grid
    size, offset = map_.tiles.size, map_.tiles.offset
    none = np.zeros(len(used), np.bool_)
    if grid.orientation != "orthogonal":
        return none
    w, h = np.float32(grid.width), np.float32(grid.height)
    width, height = np.where(size[:, 0] > 0, size[:, 0], w), np.where(size[:, 1] > 0, size[:, 1], h)
    fills = (width == w) & (height == h) & ~offset.any(axis=1) & (map_.tiles.cover == 1).all(axis=1)
    if w != h:
        cells, crossed = board.cells[index], np.zeros(len(used), np.bool_)
        crossed[distinct(cells[(cells & CELL_TRANSPOSED) != 0] & TILE)] = True
        fills &= ~crossed
        width = np.where(crossed, np.maximum(width, height), width)
    odd = used & ~fills
    upwards = (width <= w) & (offset[:, 0] >= 0) & (offset[:, 0] + width <= w) & (offset[:, 1] >= 0)
    if (odd & ~upwards).any() or not map_.down:
        return none
    return fills


def _remember(cache: dict[Any, Any], key: Any, parts: list[Any], make: Any) -> Drawables:
    """Return the cached drawables for the same parts, or make new ones."""
    stamp = (key, tuple(id(part) for part in parts))
    entry = cache.pop(stamp, None)
    if entry is None:
        entry = (parts, make())
    cache[stamp] = entry
    while len(cache) > _KEPT:
        del cache[next(iter(cache))]
    return entry[1]


def _of_blocks(batches: list[Batch], number: int, z: float, filter_: int, blend: int) -> Drawables:
    """Return one drawable per block; each is a batch of its own."""
    for batch in batches:
        batch.filter, batch.blend, batch.version = FILTERS[filter_], BLENDS[blend], 0
    count = len(batches)

    def make(rows: Array | slice, state: int) -> Batch:
        return batches[state]

    heights = np.full(count, np.inf, np.float32)
    return Drawables(np.full(count, number, np.int64), np.full(count, z, np.float32), heights, np.arange(count), make)


def _of_strips(window: Window, sorted_: bool, number: int, z: float, filter_: int, blend: int) -> Drawables:
    """Return one drawable per strip if the layer is sorted by y, otherwise one for all strips."""
    count = len(window.heights) if sorted_ else 1
    everything = slice(0, len(window.heights))

    def make(rows: Array | slice, state: int) -> Batch:
        return window.batch(rows if sorted_ else everything, FILTERS[filter_], BLENDS[blend])

    heights = window.heights if sorted_ else np.full(1, np.inf, np.float32)
    return Drawables(
        np.full(count, number, np.int64), np.full(count, z, np.float32), heights, np.zeros(count, np.int64), make
    )
