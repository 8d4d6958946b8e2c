"""Draws sprites: packed rows of 16 bytes unchanged, and wide sprites as floats relative to their median position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ..scene import PassContext
from .buffers import SPRITES, WIDE, Rows, words
from .painter import Painter, sane_origin


def draw_sprites(painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
    """Draw batches of `sprites` that have one state, in one call, but those on the device one by one."""
    scene.numbers  # noqa: B018  raises for a camera with perspective before anything is uploaded
    for uploaded, group in groupby(batches, lambda batch: painter.compute.rows(batch.arrays["instances"], SPRITES)):
        run = list(group)
        if uploaded is None:
            _draw(painter, scene, run[0], _uploaded(painter, run), "sprites", run[0].origin)
            continue
        for batch in run:
            _draw(painter, scene, batch, uploaded, "sprites", batch.origin)


def _uploaded(painter: Painter, batches: Sequence[Batch]) -> Rows:
    if batches[0].static:
        return painter.patched(SPRITES, batches[0], "instances")
    return painter.upload(SPRITES, [batch.arrays["instances"] for batch in batches], keep=False)


def draw_wide(painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
    """Draw batches of `sprites_wide` that have one state, in one call."""
    first = batches[0]
    scene.numbers  # noqa: B018
    keep = first.static

    def upload() -> tuple[Rows, tuple[float, float]]:
        names = ("matrix", "frame", "rgba")
        matrix, frame, rgba = (np.concatenate([batch.arrays[name] for batch in batches]) for name in names)
        origin = sane_origin(matrix[:, 4:])
        return painter.upload(WIDE, [wide_rows(matrix, frame, rgba, origin)], keep=keep), origin

    rows, origin = painter.cached(first, None, upload)
    _draw(painter, scene, first, rows, "wide", origin)


def wide_rows(matrix: Array, frame: Array, rgba: Array, origin: tuple[float, float]) -> Array:
    """Return wide sprites as uint32 (n, 8): matrix, with its position relative to the origin, frame, color."""
    near = (matrix[:, 4:].astype(np.float64) - origin).astype(np.float32)
    return words(matrix[:, :4], near, frame.astype(np.uint32), rgba)


def _draw(
    painter: Painter, scene: PassContext, batch: Batch, rows: Rows, kind: str, origin: tuple[float, float]
) -> None:
    order = scene.order(batch, lambda: painter.picture_call(scene, batch, kind))
    painter.rows(rows, order, scene, origin, batch.unit)
