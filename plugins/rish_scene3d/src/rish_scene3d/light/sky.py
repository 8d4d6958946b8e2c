"""The sky of a scene: its picture, and its light on surfaces, computed again only when its inputs change.

A sky of three colors is a sum of three fixed skies, each times a color. So the slow part is computed once, and
colors may change in every frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ..models.materials import decoded
from .prefilter import MIN_ROWS, ambient_of, atlas_of, directions_of

Floats = npt.NDArray[np.float32]

ROWS = 256
"""Rows of the picture of a sky of three colors; it has one column."""
MAX_ROWS = 1024
"""The greatest number of rows to which a picture of the sky is reduced."""


@dataclass(frozen=True, eq=False)
class SkyLight:
    """The light of a sky: picture (h, w, 3), ambient (9, 3), and atlas; float32, linear, not turned."""

    picture: Floats
    ambient: Floats
    atlas: Floats


@cache
def _three() -> SkyLight:
    """Return the sky whose red is the share of the zenith, green that of the horizon, blue that of the ground."""
    height = directions_of(ROWS, 1)[0][:, 0, 1]
    above, below = np.clip(height, 0, 1), np.clip(-height, 0, 1)
    horizon = np.where(height >= 0, (1 - above) ** 2, (1 - below) ** 12)
    picture = np.stack([(height >= 0) * (1 - horizon), horizon, (height < 0) * (1 - horizon)], axis=-1)
    return _prepared(picture[:, None].astype(np.float32))


def _prepared(picture: Floats) -> SkyLight:
    return SkyLight(picture, ambient_of(picture), atlas_of(picture))


def sky_of_colors(zenith: npt.ArrayLike, horizon: npt.ArrayLike, ground: npt.ArrayLike) -> SkyLight:
    """Return the sky of three linear colors (3,); it changes smoothly, and fast around the horizon."""
    three, colors = _three(), np.stack([zenith, horizon, ground]).astype(np.float32)
    return SkyLight(three.picture @ colors, three.ambient @ colors, three.atlas @ colors)


def sky_of_picture(pixels: npt.NDArray[np.uint8]) -> SkyLight:
    """Return the sky of a picture all around, uint8 (h, w, 3 or 4), encoded as sRGB, top row first.

    The middle of the picture is -z. A picture of more than MAX_ROWS rows is reduced by whole factors. One of less than
    MIN_ROWS rows, or of other proportions than 2 to 1, is stretched first by whole factors.
    """
    high, wide = pixels.shape[:2]
    pixels = np.repeat(pixels, max(-(-MIN_ROWS // high), wide // (2 * high)), axis=0)
    pixels = np.repeat(pixels, -(-2 * len(pixels) // wide), axis=1)
    factor = -(-len(pixels) // MAX_ROWS)
    high, wide = len(pixels) // factor, pixels.shape[1] // factor
    light = np.zeros((high, wide, 3), np.float32)
    for row in range(factor):
        for column in range(factor):
            light += _DECODED[pixels[row : high * factor : factor, column : wide * factor : factor, :3]]
    return _prepared(light / np.float32(factor * factor))


@cache
def even_sky(light: float) -> SkyLight:
    """Return a sky that is equally bright all around."""
    color = np.full(3, light)
    return sky_of_colors(color, color, color)


_DECODED = decoded(np.arange(256) / 255)
