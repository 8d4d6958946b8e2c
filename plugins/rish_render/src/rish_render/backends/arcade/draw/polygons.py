"""Draws polygons of any shape by exact area coverage.

The first call draws the edges into a coverage texture. Each edge adds to the pixels of its rows, inside the polygon's
box, the part of the pixel that is to the right of the edge, with the sign of the edge's direction. The sum over all
edges of a polygon is the area that it covers. The second call fills each box with the polygon's color, weighted by the
coverage. The boxes are placed side by side in the coverage texture, so all polygons of a batch take two calls; if they
do not fit together, they are drawn in several rounds of two calls. The cost grows with the area of the boxes, not with
the number of corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_float
from typing import Any, cast

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ..device import Device
from ..programs import COVERS
from ..scene import PassContext
from .buffers import BOXES, EDGES, Rows, words
from .mesh import draw_triangles
from .painter import Painter

_MIN_WIDTH, _MAX_HEIGHT = 1024, 2048
_NOTHING = (c_float * 4)()


class PolygonsDrawer:
    """Draws batches of `polygons`; holds the coverage texture."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._covers: Any = None

    def __call__(self, painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
        """Draw batches one after another."""
        for batch in batches:
            if "uv" in batch.arrays:
                scene.numbers  # noqa: B018  raises for a camera with perspective
                draw_triangles(painter, scene, batch)
            else:
                self._draw(painter, scene, batch)

    def _draw(self, painter: Painter, scene: PassContext, batch: Batch) -> None:
        painter.plain_only(batch)
        clip, keep = scene.clip(batch), batch.static

        def rounds() -> Iterator[tuple[Rows, Rows, int]]:
            for edges, boxes, height in lay_out(scene, batch, clip, self._width(clip)):
                yield painter.upload(EDGES, [edges], keep=keep), painter.upload(BOXES, [boxes], keep=keep), height

        if keep:
            key = (scene.plane.tobytes(), clip, scene.canvas.size)
            parts = painter.cached(batch, key, lambda: list(rounds()))
        else:
            parts = rounds()
        for edges, boxes, height in parts:
            self._fill(painter, scene, batch, edges, boxes, height)

    def _width(self, clip: tuple[int, int, int, int]) -> int:
        return max(_MIN_WIDTH, 1 << (max(clip[2], 1) - 1).bit_length())

    def _fill(self, painter: Painter, scene: PassContext, batch: Batch, edges: Rows, boxes: Rows, height: int) -> None:
        covers = self._room(self._width(scene.clip(batch)), height)
        size = covers.size
        painter.device.clear(covers, (0, 0, size[0], height), [_NOTHING])
        painter.onto(covers, (0, 0, size[0], height), "sum")
        program = painter.programs.plain("cover")
        program.set(resolution=(float(size[0]), float(size[1])))
        painter.strips(edges, program)
        channels = painter.channels(scene)
        painter.onto(painter.framebuffer(scene, channels), scene.clip(batch), batch.blend)
        painter.device.texture(COVERS, covers.color_attachments[0])
        program = painter.programs.plain("polygons", len(channels))
        program.set(**painter.values(scene, batch))
        painter.strips(boxes, program)

    def _room(self, width: int, height: int) -> Any:
        """Return the framebuffer of the coverage texture, which has at least this size."""
        covers = self._covers
        if covers is None or covers.size[0] < width or covers.size[1] < height:
            old = covers.size if covers is not None else (0, 0)
            size = max(old[0], width), max(old[1], 1 << (height - 1).bit_length())
            ctx = self._device.ctx
            texture = ctx.texture(size, components=1, dtype="f4", filter=(ctx.NEAREST, ctx.NEAREST))
            self._covers = covers = self._device.framebuffer([texture])
        return covers


def lay_out(
    scene: PassContext, batch: Batch, clip: tuple[int, int, int, int], width: int
) -> list[tuple[Array, Array, int]]:
    """Return the visible polygons of a batch in rounds: those whose boxes fit into the coverage texture together.

    For each round: rows of edges and of boxes for the card, and the height of the used part of the coverage texture,
    whose width is given.
    """
    arrays = batch.arrays
    points, starts = arrays["points"].astype(np.float64), arrays["starts"]
    first, counts = starts[:-1], np.diff(starts)
    plane = scene.plane
    tall = scene.canvas.size[1]
    fine = cast("Array", np.isfinite(points).all(axis=1))
    pixels = np.where(fine[:, None], points, 0) @ plane[:, :2].T + plane[:, 2]
    pixels[:, 1] = tall - pixels[:, 1]
    pixels = pixels.astype(np.float32).astype(np.float64)
    some = np.flatnonzero(counts > 0)  # the points of these polygons are stored without gaps, as reduceat needs
    if not len(some):
        return []
    low, high = (ends.reduceat(pixels, first[some], axis=0) for ends in (np.minimum, np.maximum))
    x, y, w, h = clip
    low = np.maximum(np.floor(low), [x, tall - y - h])
    high = np.minimum(np.ceil(high), [x + w, tall - y])
    seen = (low < high).all(axis=1) & np.logical_and.reduceat(fine, first[some]) & (counts[some] >= 3)
    shown, low, sizes = some[seen], low[seen], (high - low)[seen]
    return [
        (*_round(batch, pixels, shown[a:b], low[a:b], sizes[a:b], places), height)
        for a, b, places, height in _shelves(sizes, width)
    ]


def _shelves(sizes: Array, width: int) -> list[tuple[int, int, Array, int]]:
    """Pack the boxes in their order onto shelves from left to right, and the shelves into rounds.

    Returns (first box, box after the last, places, height) for each round.
    """
    rounds: list[tuple[int, int, Array, int]] = []
    ends = np.concatenate([[0.0], np.cumsum(sizes[:, 0])])
    begin, top, places = 0, 0.0, []
    k = 0
    while k < len(sizes):
        stop = max(int(np.searchsorted(ends, ends[k] + width, "right")) - 1, k + 1)
        high = float(sizes[k:stop, 1].max())
        if k > begin and top + high > _MAX_HEIGHT:
            rounds.append((begin, k, np.concatenate(places), int(top)))
            begin, top, places = k, 0.0, []
        places.append(np.column_stack([ends[k:stop] - ends[k], np.full(stop - k, top)]))
        top += high
        k = stop
    if k > begin:
        rounds.append((begin, k, np.concatenate(places), int(top)))
    return rounds


def _round(batch: Batch, pixels: Array, shown: Array, low: Array, sizes: Array, places: Array) -> tuple[Array, Array]:
    """Return the rows for the polygons `shown`, whose boxes are at `places` in the coverage texture."""
    starts = batch.arrays["starts"]
    first, counts = starts[:-1][shown], np.diff(starts)[shown]
    owner = np.repeat(np.arange(len(shown)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    here = first[owner] + within
    there = first[owner] + (within + 1) % counts[owner]
    ends = np.concatenate([pixels[here] - low[owner], pixels[there] - low[owner]], axis=1)
    box = np.concatenate([places, sizes], axis=1)
    steep = ends[:, 1] != ends[:, 3]
    edges = np.concatenate([ends, box[owner]], axis=1)[steep].astype(np.float32)
    blank = np.zeros(len(shown), np.uint32)
    boxes = words(
        np.concatenate([low, sizes], axis=1).astype(np.float32),
        np.concatenate([places, np.zeros_like(places)], axis=1).astype(np.float32),
        batch.arrays["rgba"][shown], blank, blank, blank,
    )  # fmt: skip
    return np.ascontiguousarray(edges), boxes
