"""What a picture's maps write beside it: where its surface faces, and where it glows by itself.

A target may have attachments besides its picture, each for a channel. Onto such an attachment a thing writes its map of
that channel, as far as it covers the picture, and black where it has none, so that what lies below does not show
through it; see `rish_frame.frame.passes.Target`. A map is therefore laid into the atlas as opaque as its own picture.

`emission` is the map's colours. `normal` is brought into a form in which black means nothing: red and green hold x
and y of the direction, 0.5 for 0, and blue how much of the texel has one; z follows, as directions have the length 1.
All of it is premultiplied by blue, so that any mean of texels can be divided by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
CHANNELS = ("normal", "emission")


def mapped(channel: str, own: Array, beside: Array, mirror: int = 0) -> npt.NDArray[np.uint8]:
    """The pixels that a picture writes into a channel: uint8 (h, w, 4), premultiplied.

    own, beside: the picture and its map, uint8 (h, w, 4), premultiplied. mirror: 1 where x of directions is turned
    round, 2 for y, 3 for both.
    """
    cover = own[..., 3:].astype(np.float32) / 255
    colour = beside.astype(np.float32) / 255
    shown = _directions(colour, mirror) if channel == "normal" else colour[..., :3]
    return (np.concatenate([shown * cover, cover], axis=2) * 255 + 0.5).astype(np.uint8)


def _directions(colour: Array, mirror: int) -> Array:
    """x, y and weight of the directions in a normal map, float32 (h, w, 3); see the module."""
    weight = colour[..., 3:]
    direction = np.where(weight > 0, colour[..., :3] / np.maximum(weight, 1 / 255) * 2 - 1, 0)
    length = np.linalg.norm(direction, axis=2, keepdims=True)
    flat = direction[..., :2] / np.maximum(length, 1e-6)
    flat *= np.array([-1 if mirror & 1 else 1, -1 if mirror & 2 else 1], np.float32)
    return np.concatenate([flat * 0.5 + 0.5, np.ones_like(weight)], axis=2).astype(np.float32) * weight
