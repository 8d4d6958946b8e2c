"""Speed, and its effect on the pitch (Doppler effect)."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

MIN_RATE, MAX_RATE = 0.25, 4.0
"""The limits of the Doppler effect: two octaves."""
_MAX_SHARE = 0.99
"""The limit of speeds in the formula, as a share of the speed of sound."""


def velocity(position: Array, before: Array, seconds: float, limit: float) -> Array:
    """Return the velocity between two ticks, float64 (n, 3), in units/s.

    position, before: float64 (n, 3), now and one tick (`seconds`) before. A row that moved faster than `limit` units/s
    was teleported, and gets the velocity 0; so does a new one, whose `before` is NaN.
    """
    displacement = position - before
    x, y, z = displacement.T
    flown = x * x + y * y + z * z <= (limit * seconds) ** 2
    return np.where(flown[:, None], displacement / seconds, 0.0)


def doppler(
    offset: Array, distance: Array, source: Array, listener: Array, speed_of_sound: float, factor: Array | float = 1.0
) -> Array:
    """Return the factor of the pitch for moving sources and a moving listener, float64 (n,) in 1/4..4.

    offset: float64 (n, 3), from the listener to the source; distance: (n,), its length. source: (n, 3) and listener:
    (3,), velocities in the axes of `offset`, in units/s. speed_of_sound: units/s, greater than 0. factor: strength; 0
    switches the effect off. The formula is that of OpenAL 1.1, section 3.5.2, (c - f vl) / (c - f vs), where vl and vs
    are the velocities along the line from the source to the listener. Speeds are limited to just below that of sound,
    so nothing is divided by zero, and a source and a listener that fly together at any speed keep the pitch.
    """
    x, y, z = offset.T
    a, b, c = source.T
    u, v, w = listener.tolist()
    share = -np.asarray(factor) / (speed_of_sound * np.maximum(distance, 1e-9))
    listener_share = np.minimum((x * u + y * v + z * w) * share, _MAX_SHARE)
    sent = np.minimum((x * a + y * b + z * c) * share, _MAX_SHARE)
    return np.minimum(np.maximum((1.0 - listener_share) / (1.0 - sent), MIN_RATE), MAX_RATE)
