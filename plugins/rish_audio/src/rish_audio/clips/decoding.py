"""Decodes whole clips: all samples of a file together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from rish_core import AssetError, Assets
from rish_jit import Array

from .decoder import Decoder
from .info import ClipInfo
from .sample_file import SampleFile

EDGE = 32
"""The frames at the beginning and the end of a clip that are faded if it does not begin or end at zero."""
MAX_EDGE = 0.003
"""The greatest absolute sample at which a clip may begin or end without a fade."""
_CHUNK = 65_536
_MAX_CHECKED = 2**24
"""The greatest number of frames that `check_sound` decodes."""


def decode_whole(path: Path | SampleFile, info: ClipInfo) -> Array:
    """Return the samples of a file, float32 (frames, channels), at its own rate.

    Raises AssetError if the file is damaged, so that it has fewer frames than it says.
    """
    samples = np.empty((info.frames, info.channels), np.float32)
    _decode(path, info, info.frames, lambda decoded: samples[decoded : decoded + _CHUNK])
    return samples


def check_sound(assets: Assets, path: str) -> ClipInfo:
    """Return the information of an asset, after decoding it without keeping the samples.

    Of a clip longer than about six minutes, only the beginning is decoded. Raises AssetError if the file is damaged.
    """
    info: ClipInfo = assets.read(path)
    samples = np.empty((_CHUNK, info.channels), np.float32)
    frames = min(info.frames, _MAX_CHECKED)
    _decode(assets.resolve(path), info, frames, lambda decoded: samples[: info.frames - decoded])
    return info


def _decode(path: Path | SampleFile, info: ClipInfo, frames: int, buffer: Callable[[int], Array]) -> None:
    """Decode at least the first `frames` frames of a file.

    The frames after the first n are written into `buffer(n)`, float32 (frames, channels). Raises AssetError if the
    file has fewer than `frames`.
    """
    decoder = Decoder(path, info)
    decoded = 0
    try:
        while decoded < frames:
            count = decoder.read(buffer(decoded))
            if count <= 0:
                raise AssetError(damaged(decoded, info.frames))
            decoded += count
    finally:
        decoder.close()


def damaged(decoded: int, frames: int) -> str:
    """Return the error message for a file with fewer frames than its header says."""
    return f"only {decoded} of {frames} frames can be decoded: the file is damaged or cut off"


def loud_edges(samples: Array) -> tuple[bool, bool]:
    """Return whether samples begin, and whether they end, so far from zero that a fade is needed."""
    if len(samples) < 2:
        return False, False
    begins, ends = (bool(np.abs(samples[i]).max() > MAX_EDGE) for i in (0, -1))
    return begins, ends


def fade_edges(samples: Array) -> Array:
    """Return the samples with a linear fade of `EDGE` frames at each end that is not near zero. If both ends are near
    zero, it is the same array.

    So a clip that is played once never clicks. The samples of a voice that repeats are not changed, because a fade
    would be heard in each repetition.
    """
    length = min(EDGE, len(samples) // 2)
    begins, ends = loud_edges(samples)
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
