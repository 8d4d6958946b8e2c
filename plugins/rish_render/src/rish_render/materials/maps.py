"""Converts the maps of an image into the pixels of a target's attachments: surface direction and emission.

A target may have attachments besides its color image, one for each channel. A sprite writes its map of that channel to
the attachment, with the coverage of its image, and black if it has no map, so that the sprites below do not show
through; see `rish_frame.frame.passes.Target`. So a map in the atlas has the same opacity as its image.

`emission` holds the map's colors. `normal` is stored so that black means "no direction": red and green hold x and y of
the direction, 0.5 for 0, and blue the part of the texel that has a direction; z follows, as directions have length 1.
All channels are premultiplied by blue, so that any average of texels can be divided by it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_jit import Array

CHANNELS = ("normal", "emission")
_STRIP = 64
"""The number of rows that are converted together; their intermediate values fit into the processor's cache."""


def mapped(channel: str, own: Array, beside: Array) -> list[npt.NDArray[np.uint8]]:
    """Return the pixels that an image writes into a channel: uint8 (h, w, 4), premultiplied.

    own, beside: the image and its map, uint8 (h, w, 4), premultiplied. For `normal` there are four results: unchanged,
    with x of directions negated, with y, and with both. They are for the mirrored frames of the image, and have most
    of the work in common. For `emission` there is one.
    """
    tops = range(0, len(own), _STRIP)
    strips = [_mapped(channel, own[top : top + _STRIP], beside[top : top + _STRIP]) for top in tops]
    return [np.concatenate(parts) for parts in zip(*strips, strict=True)]


def _mapped(channel: str, own: Array, beside: Array) -> list[npt.NDArray[np.uint8]]:
    """Return the pixels for a few rows of an image."""
    cover = own[..., 3].astype(np.float32) / 255
    red, green, blue, weight = np.ascontiguousarray(np.moveaxis(beside, 2, 0)).astype(np.float32) / 255
    if channel != "normal":
        return [_picture([_written(plane, cover) for plane in (red, green, blue)], own)]
    x, y = _directions(red, green, blue, weight)
    xs, ys = ([_written((each * 0.5 + 0.5) * weight, cover) for each in (plane, -plane)] for plane in (x, y))
    solid = _written(weight, cover)
    return [_picture([xs[mirror & 1], ys[mirror >> 1], solid], own) for mirror in range(4)]


def _directions(red: Array, green: Array, blue: Array, weight: Array) -> tuple[Array, Array]:
    """Return x and y of the directions in a normal map, float32 (h, w). Arguments: its channels, 0 to 1."""
    scale = np.maximum(weight, 1 / 255)
    x, y, z = (np.where(weight > 0, plane / scale * 2 - 1, np.float32(0)) for plane in (red, green, blue))
    length = np.maximum(np.sqrt(x * x + y * y + z * z), 1e-6)
    return x / length, y / length


def _written(plane: Array, cover: Array) -> npt.NDArray[np.uint8]:
    """Return a channel, 0 to 1, where an image covers it."""
    return (plane * cover * 255 + 0.5).astype(np.uint8)


def _picture(planes: list[Array], own: Array) -> npt.NDArray[np.uint8]:
    """Return three channels and the image's own opacity as pixels."""
    return np.stack([*planes, own[..., 3]], axis=2)
