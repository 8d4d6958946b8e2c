"""Whole clips: all samples of a file, decoded at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import AssetError, Assets

from .decoder import Decoder
from .info import ClipInfo

Array = npt.NDArray[Any]

EDGE = 32
"""The frames at the beginning and the end of a clip that are faded if it does not begin or end at zero."""
OFF_ZERO = 0.003
"""The greatest absolute sample at which a clip may begin or end without a fade."""
_CHUNK = 65_536
_CHECKED = 2**24
"""The frames of a clip that are decoded by `check_sound`."""


def decode_whole(path: Path, info: ClipInfo) -> Array:
    """Return the samples of a file, float32 (frames, channels), at its own rate.

    Raises AssetError if the file is damaged, so that it has fewer frames than it says.
    """
    samples = np.empty((info.frames, info.channels), np.float32)
    decoder = Decoder(path, info)
    done = 0
    try:
        while done < info.frames:
            count = decoder.read(samples[done : done + _CHUNK])
            if count <= 0:
                raise AssetError(damaged(done, info.frames))
            done += count
    finally:
        decoder.close()
    return samples


def check_sound(assets: Assets, path: str) -> ClipInfo:
    """Return the information of an asset, after decoding it without keeping the samples.

    Of a clip of more than six minutes, only the beginning is decoded. Raises AssetError if the file is damaged.
    """
    info: ClipInfo = assets.read(path)
    samples = np.empty((_CHUNK, info.channels), np.float32)
    decoder = Decoder(assets.resolve(path), info)
    done = 0
    try:
        while done < min(info.frames, _CHECKED):
            count = decoder.read(samples[: info.frames - done])
            if count <= 0:
                raise AssetError(damaged(done, info.frames))
            done += count
    finally:
        decoder.close()
    return info


def damaged(done: int, frames: int) -> str:
    """Return the message of a file that ends before its end."""
    return f"only {done} of {frames} frames can be decoded: the file is damaged or cut off"


def fade_edges(samples: Array) -> Array:
    """Return the samples with linear fades of `EDGE` frames at the ends that are off zero; the same array if none is.

    So a clip that is played once never clicks. For a voice that repeats, a fade would be heard at each turn, so its
    samples stay as they are.
    """
    length = min(EDGE, len(samples) // 2)
    begins, ends = (bool(np.abs(samples[i]).max() > OFF_ZERO) if length else False for i in (0, -1))
    if not begins and not ends:
        return samples
    faded = samples.copy()
    if begins:
        faded[:length] *= edge_gains(length)[::-1]
    if ends:
        faded[-length:] *= edge_gains(length)
    return faded


def edge_gains(length: int) -> Array:
    """Return the factors of a fade to zero, float32 (length, 1); the last one is 0."""
    return np.arange(length - 1, -1, -1, dtype=np.float32)[:, None] / np.float32(length)
