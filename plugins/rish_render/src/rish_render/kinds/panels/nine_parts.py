"""The nine parts of a nine-patch: their places in the panel and in the image, and their frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction


class Parts(NamedTuple):
    """The nine parts of n panels, line by line from the top left. All float64, n times 9.

    x, y, w, h: in units from the panel's top left corner, y down. u, v, uw, vh: in the image, texels.
    """

    x: Array
    y: Array
    w: Array
    h: Array
    u: Array
    v: Array
    uw: Array
    vh: Array


def parts_of(size: Array, border: Array, texels: Array, scale: Array) -> Parts:
    """Return the positions and sizes of the nine parts.

    size: (n, 2), units. border: (n, 4), texels. texels: (n, 2), of the images. If opposite borders together are wider
    than the image or the panel, both shrink by the same factor.
    """
    low, high = border[:, :2].astype(np.float64), border[:, 2:].astype(np.float64)
    fit = np.minimum(1.0, texels / np.maximum(low + high, 1e-9))
    low, high = np.floor(low * fit), np.floor(high * fit)
    near, far = low * scale[:, None], high * scale[:, None]
    shrink = np.minimum(1.0, size / np.maximum(near + far, 1e-9))
    near, far = near * shrink, far * shrink
    zero = np.zeros_like(near)
    place = np.stack([zero, near, size - far, size.astype(np.float64)], axis=2)
    cut = np.stack([zero, low, texels - high, texels.astype(np.float64)], axis=2)
    column, line = np.tile([0, 1, 2], 3), np.repeat([0, 1, 2], 3)
    wide, texel = np.maximum(np.diff(place, axis=2), 0), np.maximum(np.diff(cut, axis=2), 0)
    return Parts(
        place[:, 0, column], place[:, 1, line], wide[:, 0, column], wide[:, 1, line],
        cut[:, 0, column], cut[:, 1, line], texel[:, 0, column], texel[:, 1, line],
    )  # fmt: skip


def frame_of_part(scene: Extraction, whole: int, parts: Parts, i: int) -> int:
    """Return the frame of a part of an image; it is cut once and cached."""
    frames = scene.cache.parts.setdefault("panels", {})
    cut = tuple(int(column[i]) for column in (parts.u, parts.v, parts.uw, parts.vh))
    key = (scene.pictures.version, whole, cut)
    if key not in frames:
        page, (x, y, _, _) = scene.pictures.atlas.place_of(whole)
        frames[key] = scene.pictures.atlas.cut(page, (x + cut[0], y + cut[1], cut[2], cut[3]))
    return frames[key]
