"""The gains of a sound in each channel: for sounds with a direction, and for sounds without a place.

The power, the sum of the squares of a sound's gains, is 1 in every direction.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from .layouts import ring
from .pseudo_angle import turn


def pan_gains(direction: Array, channels: int, spread: Array | float = 0.0) -> Array:
    """Return the gains of sounds in each channel of the output, float32 (n, channels), of constant power.

    direction: float64 (n, 3) in the listener's axes (right, front, up), of length 0..1, see `directions`. The
    horizontal part of the direction of a sound that is above, below or near is shorter than 1; the rest of its power is
    spread evenly over all loudspeakers. spread: (n,) or a number, 0..1: 1 spreads a sound completely. channels: 1..8 as
    in `LAYOUTS`; the channel for low frequencies gets 0.

    With two channels the gains are sqrt((1 ∓ x) / 2) for the direction's share x to the right: with the sine of the
    angle a as x, they are the cosine and the sine of π/4 + a/2, the usual law of constant power. A sound behind the
    listener is heard like one in front. With more channels it is played by the two loudspeakers beside it.
    """
    if channels == 1:
        return np.ones((len(direction), 1), np.float32)
    x, y = direction[:, 0] * (1.0 - spread), direction[:, 1] * (1.0 - spread)
    along = np.sqrt(x * x + y * y)
    if channels == 2:
        even = np.sqrt(0.5)
        gains = _left_and_right(x / np.maximum(along, 1e-300)) * along[:, None]
    else:
        table = ring(channels)
        even = table.even
        gap = np.searchsorted(table.bounds, turn(x, y), side="right")
        gains = x[:, None] * table.by_x[gap] + y[:, None] * table.by_y[gap]
        gains = np.maximum(gains, 0.0)
    gains += np.maximum(1.0 - along, 0.0)[:, None] * even
    return (gains / np.sqrt((gains * gains).sum(axis=1, keepdims=True))).astype(np.float32)


def _left_and_right(x: Array) -> Array:
    """Return the gains for x from -1, left, to 1, right: float64 (..., 2)."""
    return np.sqrt(np.maximum(0.5 + np.multiply.outer(x, (-0.5, 0.5)), 0.0))


def placed_gains(gains: Array, clip_channels: Array) -> Array:
    """Return the gains from the channels of clips to those of the output, float32 (n, 2, channels), as in a `Block`.

    gains: float32 (n, channels), of `pan_gains`. clip_channels: (n,), 1 or 2; a stereo clip has one place, at which its
    channels are added with half of their gain each.
    """
    share = np.where(np.reshape(clip_channels, (-1, 1)) == 2, (0.5, 0.5), (1.0, 0.0)).astype(np.float32)
    return share[:, :, None] * gains[:, None, :]


def balance_gains(pan: Array, clip_channels: Array, channels: int) -> Array:
    """Return the gains of sounds without a place, float32 (n, 2, channels), as in a `Block`.

    pan: float64 (n,), -1 left to 1 right. clip_channels: (n,), 1 or 2. A mono clip is panned between the front
    loudspeakers. Of a stereo clip each channel keeps its loudspeaker, and the one on the other side moves over with
    the pan, so nothing gets lost (as the StereoPannerNode of the Web Audio API does). Both with constant power:
    the law is that of `pan_gains` with x = p (3 - p²) / 2, which is sin(π p / 2) within 0.02 and needs no sine. With
    one channel of output, a mono clip has the gain 1 and each channel of a stereo clip 0.5.
    """
    stereo = np.reshape(clip_channels, (-1, 1)) == 2
    if channels == 1:
        return np.where(stereo, (0.5, 0.5), (1.0, 0.0)).astype(np.float32)[:, :, None]
    p = np.reshape(pan, (-1, 1))
    p = np.where(stereo, 2.0 * p + (-1.0, 1.0), p)
    p = np.minimum(np.maximum(p, -1.0), 1.0)
    gains = np.zeros((len(p), 2, channels), np.float32)
    gains[:, :, :2] = _left_and_right(0.5 * p * (3.0 - p * p))
    gains[:, 1] *= stereo
    return gains
