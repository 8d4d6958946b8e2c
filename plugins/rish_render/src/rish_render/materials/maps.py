"""Converts the maps of an image into the pixels of a target's attachments: surface direction and emission.

A target may have attachments besides its colour image, one for each channel. A sprite writes its map of that channel to
the attachment, with the coverage of its image, and black if it has no map, so that the sprites below do not show
through; see `rish_frame.frame.passes.Target`. So a map in the atlas has the same opacity as its image.

`emission` holds the map's colours. `normal` is stored so that black means "no direction": red and green hold x and y of
the direction, 0.5 for 0, and blue the part of the texel that has a direction; z follows, as directions have length 1.
All channels are premultiplied by blue, so that any average of texels can be divided by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
CHANNELS = ("normal", "emission")


def mapped(channel: str, own: Array, beside: Array, mirror: int = 0) -> npt.NDArray[np.uint8]:
    """Return the pixels that an image writes into a channel: uint8 (h, w, 4), premultiplied.

    own, beside: the image and its map, uint8 (h, w, 4), premultiplied. mirror: 1 to negate x of directions, 2 for y, 3
    for both.
    """
    cover = own[..., 3:].astype(np.float32) / 255
    colour = beside.astype(np.float32) / 255
    shown = _directions(colour, mirror) if channel == "normal" else colour[..., :3]
    return (np.concatenate([shown * cover, cover], axis=2) * 255 + 0.5).astype(np.uint8)


def _directions(colour: Array, mirror: int) -> Array:
    """Return x, y and weight of the directions in a normal map, float32 (h, w, 3), as the module describes."""
    weight = colour[..., 3:]
    direction = np.where(weight > 0, colour[..., :3] / np.maximum(weight, 1 / 255) * 2 - 1, 0)
    length = np.linalg.norm(direction, axis=2, keepdims=True)
    flat = direction[..., :2] / np.maximum(length, 1e-6)
    flat *= np.array([-1 if mirror & 1 else 1, -1 if mirror & 2 else 1], np.float32)
    return np.concatenate([flat * 0.5 + 0.5, np.ones_like(weight)], axis=2).astype(np.float32) * weight
