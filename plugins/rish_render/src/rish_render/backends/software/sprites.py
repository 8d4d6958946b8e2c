"""Prepares the kernel calls of the kinds that are cut from images: sprites, wide sprites, tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rish_frame import Batch
from rish_frame.frame import POSITION_SCALE, SIZE_SCALE
from rish_jit import Array

from ..shared import LEAVES_CHANNELS, Unable
from . import placing
from .bitmaps import NONE, Bitmaps
from .kernels import sprites, tiles
from .kernels.blend import MODES, REPLACE, pack_colors
from .pages import Cuts, Place, covering, cut_table
from .scene import KernelCall, PassContext, into_pixels
from .surfaces import DEPTH

_ALL = np.uint32(0xFFFFFFFF)
_NO_ALPHA = np.uint32(0x00FFFFFF)
_BAND_PIXELS = 1 << 16
_FEW = 64
_PART = 1 << 14
_FLAT = 1e-30
_NS_SPRITE = 120.0


class Source(NamedTuple):
    """The frame table and the texels for one attachment.

    name: of the channel. paged: the images are on pages, not on another target.
    """

    attachment: int
    cuts: Cuts
    texels: Array
    name: str
    paged: bool


def draw_sprites(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `sprites` batch, one for the image and one for each channel."""
    unit = batch.unit / POSITION_SCALE
    plane, origin = scene.plane, batch.origin
    corner = plane[:, 0] * origin[0] + plane[:, 1] * origin[1] + plane[:, 2]
    steps = np.array([*(plane[:, 0] * unit), *(plane[:, 1] * unit), *corner], np.float64)
    return [_sprites(scene, batch, source, steps) for source in sources(scene, batch)]


def _sprites(scene: PassContext, batch: Batch, source: Source, steps: Array) -> KernelCall:
    """Return the kernel call for one source of images. steps: float64 (6), from the batch's fixed point to pixels."""
    words = batch.arrays["instances"].view(np.uint32)
    turn, scale, style, bitmaps = 0, 0.0, -1, NONE
    if scene.bitmaps is not None and source.paged and MODES[batch.blend] < REPLACE:
        turn, scale, style = _likeness(scene.plane, batch)
        if style >= 0:
            bitmaps = scene.bitmaps.setdefault(source.name, Bitmaps())
            bitmaps.follow(source.cuts, scene.pages)
    sheet = _Sheet(scene, batch, source, bitmaps)
    scale *= batch.unit / SIZE_SCALE
    missing = np.empty(batch.count if style >= 0 else 0, np.uint64)

    def place(first: int, last: int) -> int:
        return placing.place_instances(
            words, first, last, (steps, placing.CIRCLE, sheet.clip), source.cuts.masks, (style, turn, scale),
            (bitmaps.slots, bitmaps.table, bitmaps.used, bitmaps.now, missing),
            (sheet.shift, sheet.counts(first)), sheet.columns, int(source.attachment > 0),
        )  # fmt: skip

    counts = sheet.place(place)
    if any(counts.values()):
        gone = np.concatenate([missing[first : first + counts[first]] for first in sorted(counts)])
        if bitmaps.make(gone, source.cuts, source.texels):
            sheet.place(place)
    return sheet.order()


def _likeness(plane: Array, batch: Batch) -> tuple[int, float, int]:
    """Return the camera's turn (1/65536), its scale, and the style of bitmaps.

    The style is -1 if the camera's map is no similarity, that is, if it does more than turn, scale and shift.
    """
    a, b, c, d = plane[0, 0], plane[1, 0], plane[0, 1], plane[1, 1]
    scale = float(np.hypot(a, b))
    if not np.isfinite(plane).all() or abs(d + a) + abs(c - b) > 1e-4 * scale:
        return 0, 0.0, -1
    turn = round(float(np.arctan2(-b, a)) / (2 * np.pi) * 65536) & 0xFFFF
    return turn, scale, int(batch.filter == "linear") | (2 if batch.blend == "add" else 0)


def draw_sprites_wide(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `sprites_wide` batch."""
    return [_sprites_wide(scene, batch, source) for source in sources(scene, batch)]


def _sprites_wide(scene: PassContext, batch: Batch, source: Source) -> KernelCall:
    arrays, steps = batch.arrays, np.ascontiguousarray(scene.plane.T.reshape(-1))
    columns = arrays["matrix"], arrays["frame"], arrays["rgba"].view(np.uint32).reshape(-1)
    sheet = _Sheet(scene, batch, source, NONE)

    def place(first: int, last: int) -> int:
        placing.place_matrices(
            columns, first, last, steps, sheet.clip, source.cuts.masks, (sheet.shift, sheet.counts(first)),
            sheet.columns, int(source.attachment > 0),
        )  # fmt: skip
        return 0

    sheet.place(place)
    return sheet.order()


class _Sheet:
    """The sprites of a batch on a target: rows, records, matrices, tints; see `sprites.draw_sprites`.

    They are computed in parts of a fixed number of sprites, by all threads.
    """

    def __init__(self, scene: PassContext, batch: Batch, source: Source, bitmaps: Bitmaps) -> None:
        self.scene, self.batch, self.source, self.bitmaps = scene, batch, source, bitmaps
        self.clip = scene.clip(batch)
        n = batch.count
        self.rows: Array = np.empty((n, 2), np.int32)
        self.records: Array = np.empty((n, 4), np.int32)
        self.matrices: Array = np.empty((n, 6), np.float32)
        self.tints: Array = np.empty(n, np.uint32)
        self.columns = self.rows, self.records, self.matrices, self.tints
        self._parts = [(first, min(first + _PART, n)) for first in range(0, n, _PART)]
        width, height = scene.surface.size
        self.shift = (band_rows(width) if n > _FEW else max(height, 1)).bit_length() - (n > _FEW)
        self._counts: Array = np.zeros((len(self._parts), -(-height >> self.shift) + 1), np.int64)

    def counts(self, first: int) -> Array:
        """Clear and return the row of counts, int64 (bands + 1), of the part that begins at `first`; see
        `placing.band_starts`.
        """
        row = self._counts[first // _PART]
        row[:] = 0
        return row

    def place(self, work: Callable[[int, int], int]) -> dict[int, int]:
        """Place all parts; returns the result of `work` for each, by its first sprite."""
        results: dict[int, int] = {}

        def note(first: int, last: int) -> None:
            results[first] = work(first, last)

        self.scene.workers.run(self._parts, note)
        return results

    def order(self) -> KernelCall:
        """Return the kernel call that draws the sprites, with the list of each band."""
        batch, source, cuts, bitmaps = self.batch, self.source, self.source.cuts, self.bitmaps
        starts, listed = self._listed()
        arguments = (
            self.clip, (1 << self.shift, starts, listed), self.columns,
            (cuts.rects, cuts.places, cuts.masks, source.texels, cuts.blank),
            (bitmaps.table, bitmaps.lines, bitmaps.pool),
            (keeps(batch), MODES[batch.blend], int(batch.filter == "linear")),
        )  # fmt: skip
        return KernelCall(sprites.draw_sprites, source.attachment, arguments, batch.count * _NS_SPRITE)

    def _listed(self) -> tuple[Array, Array]:
        """Return where the list of each band begins, and the lists."""
        starts, cursors = placing.band_starts(self._counts)
        listed = np.empty(4 * int(starts[-1]), np.int32)
        sheet = self.rows, self.records, self.tints

        def enter(first: int, last: int) -> None:
            placing.list_bands(*sheet, first, last, self.shift, cursors[first // _PART], listed)

        self.scene.workers.run(self._parts, enter)
        return starts, listed


def band_rows(width: int) -> int:
    """Return how many rows of a target of this width fit the cache, as a power of two."""
    return 1 << max(_BAND_PIXELS // max(width, 1), 8).bit_length() - 1


def keeps(batch: Batch) -> Any:
    """Return the bits of an image's pixels that count, uint32: all but alpha for the mode `add`."""
    return _NO_ALPHA if batch.blend == "add" else _ALL


def draw_tiles(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `tiles` batch."""
    arrays = batch.arrays
    cells = arrays["cells"]
    if not cells.size or not np.isfinite(arrays["grid"]).all():
        return []
    grid = into_pixels(arrays["grid"][None].astype(np.float64), scene.plane)[0]
    area = grid[0] * grid[3] - grid[1] * grid[2]
    if not _FLAT < abs(area) < 1 / _FLAT:
        return []
    a, b, c, d = grid[3] / area, -grid[1] / area, -grid[2] / area, grid[0] / area
    inverse = np.array([a, b, c, d, -(a * grid[4] + c * grid[5]), -(b * grid[4] + d * grid[5])], np.float64)
    tint = pack_colors(arrays["rgba"][None])[0]
    tints = tint, np.uint32(int(tint >> 24) * 0x01010101)
    clip = _clip_around(cells.shape, grid, scene.clip(batch))
    orders: list[KernelCall] = []
    for source in sources(scene, batch):
        cuts = source.cuts
        linear = int(batch.filter == "linear") * (1 if scene.bitmaps is None else 2)
        arguments = (
            clip, cells, inverse, (cuts.rects, cuts.places, cuts.masks, source.texels), cuts.sheet,
            tints[source.attachment > 0], keeps(batch), MODES[batch.blend], linear,
        )  # fmt: skip
        x0, y0, x1, y1 = clip.tolist()
        effort = float(max(x1 - x0, 0) * max(y1 - y0, 0))
        orders.append(KernelCall(tiles.draw_tiles, source.attachment, arguments, effort, (y0, y1)))
    return orders


def _clip_around(shape: tuple[int, ...], grid: Array, clip: Array) -> Array:
    """Return the part of a clip that a grid of cells can touch, with a margin of a pixel, as int64 (4).

    shape: rows and columns. grid: float64 (6), from column and row to pixels.
    """
    a, b, c, d, tx, ty = grid.tolist()
    rows, columns = shape
    xs = [tx + a * column + c * row for column in (0, columns) for row in (0, rows)]
    ys = [ty + b * column + d * row for column in (0, columns) for row in (0, rows)]
    box = np.array([min(xs) - 1, min(ys) - 1, max(xs) + 2, max(ys) + 2])
    return np.clip(box, clip[[0, 1, 0, 1]], clip[[2, 3, 2, 3]]).astype(np.int64)


def sources(scene: PassContext, batch: Batch) -> list[Source]:
    """Return the source of images for each attachment that the batch is drawn onto."""
    picture_of(scene)
    frame, pages, covers = scene.frame, scene.pages, batch.blend not in LEAVES_CHANNELS
    table, version, beside = frame.frames, frame.frames_version, channels_of(scene)
    if not isinstance(batch.texture, str):
        targets = [Source(0, pages.cuts(table, version), pages.texels, "", True)]
        for number, name in beside:
            cuts = pages.channel(table, frame.channels[name], version, name, covers=covers)
            targets.append(Source(number, cuts, pages.texels, name + "+" * covers, True))
        return targets
    place, texels, blank = input_picture(scene, batch.texture)
    places = np.tile(np.array(place, np.int64), (len(table), 1))
    cuts = cut_table(table, places, np.ones(len(table), np.bool_), blank)
    black = covering(cuts, replace(cuts, masks=np.zeros_like(cuts.masks)), covers=covers)
    targets = [Source(number, black, texels, name, False) for number, name in beside]
    return [Source(0, cuts, texels, "", False), *targets]


def channels_of(scene: PassContext) -> list[tuple[int, str]]:
    """Return the attachments that are written besides the first, each with the name of its channel."""
    names = scene.surface.target.channels
    return [
        (number, names[number])
        for number, color in enumerate(scene.surface.colors)
        if number and color.ndim == 2 and number < len(names) and names[number] in scene.frame.channels
    ]


def picture_of(scene: PassContext) -> int:
    """Return the number of the main attachment, 0. Raises Unable if it has a float format."""
    if scene.surface.colors[0].ndim != 2:
        raise Unable("only drawers can draw onto a target with a float format")
    return 0


def input_picture(scene: PassContext, name: str) -> tuple[Place, Array, int]:
    """Return an input of the pass as texels: its place, the array, and the index of a transparent texel."""
    if name not in scene.inputs:
        raise Unable(f"'{name}' is not an input of the pass")
    surface, number = scene.inputs[name]
    color = surface.colors[number]
    if number == DEPTH or color.ndim != 2:
        raise Unable(f"'{name}' has a float format, which only drawers can read")
    width, height = surface.size
    return Place(0, color.shape[1], width, height), color.reshape(-1), width
