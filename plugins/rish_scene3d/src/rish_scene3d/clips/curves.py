"""Exact values of the channels of a glTF file, at any times, with the same bits on every machine."""

from __future__ import annotations

import numpy as np

from rish_animation import TIME_TOLERANCE
from rish_gltf import Channel
from rish_jit import Array
from rish_space3d import quaternions


def values_at(channel: Channel, times: Array) -> Array:
    """Return the values of a channel, float64 (n, c), at times (n,) in seconds; outside of the keys the nearest one.

    Rotations have length 1. Source: the glTF 2.0 specification, appendix C.
    """
    keys, values = channel.times.astype(np.float64), channel.values.astype(np.float64)
    last = len(keys) - 1
    key_values = values[:, 1] if channel.interpolation == "cubic" else values
    turns = channel.path == "rotation"
    if channel.interpolation == "step" or last == 0:
        values_there = key_values[np.clip(np.searchsorted(keys, times + TIME_TOLERANCE, side="right") - 1, 0, last)]
        return quaternions.normalized(values_there) if turns else values_there
    k = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, last - 1)
    span = keys[k + 1] - keys[k]
    u = np.clip((times - keys[k]) / span, 0.0, 1.0)
    if channel.interpolation == "cubic":
        values_there = _cubic(values, k, span, u)
        return quaternions.normalized(values_there) if turns else values_there
    if turns:
        return quaternions.slerp(quaternions.normalized(key_values[k]), quaternions.normalized(key_values[k + 1]), u)
    return key_values[k] + (key_values[k + 1] - key_values[k]) * u[:, None]


def _cubic(values: Array, k: Array, span: Array, u: Array) -> Array:
    """Return values of Hermite splines; their keys have a tangent before, a value, a tangent after."""
    u, h = u[:, None], span[:, None]
    uu, uuu = u * u, u * u * u
    cubic = (2.0 * uuu - 3.0 * uu + 1.0) * values[k, 1] + (3.0 * uu - 2.0 * uuu) * values[k + 1, 1]
    return cubic + h * ((uuu - 2.0 * uu + u) * values[k, 2] + (uuu - uu) * values[k + 1, 0])
