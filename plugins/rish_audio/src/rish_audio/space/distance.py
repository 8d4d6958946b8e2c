"""The gain by distance, and outside the cone of a source that has a direction.

The formulas are those of the OpenAL 1.1 specification, sections 3.4 (the clamped models) and 3.5 (cones).
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array, maths

from ..components.source import Rolloff

NONE, INVERSE, LINEAR, EXPONENTIAL = (
    list(Rolloff).index(model) for model in (Rolloff.NONE, Rolloff.INVERSE, Rolloff.LINEAR, Rolloff.EXPONENTIAL)
)
"""The numbers of these models in a column of `Rolloff`."""
FADE_SHARE = 0.1
"""The share of the greatest distance, before its end, over which a source fades to silence."""
_TINY = 1e-9


def lengths(vectors: Array) -> Array:
    """Return the length of each row. vectors: float64 (n, 3); returns float64 (n,)."""
    x, y, z = vectors.T
    return np.sqrt(x * x + y * y + z * z)


def distance_gain(
    distance: Array, min_distance: Array, max_distance: Array, rolloff_factor: Array, model: Array
) -> Array:
    """Return the gain at a distance, float64 (n,) in 0..1.

    model: uint8 (n,), NONE, INVERSE, LINEAR or EXPONENTIAL; the other arguments float64 (n,), not negative. Up to
    min_distance the gain is 1. INVERSE with factor 1 halves it with each doubling of the distance. OpenAL keeps the
    gain of max_distance beyond it; here every model except NONE fades to 0 in the last tenth before max_distance, but
    not within min_distance, so INVERSE is exact up to nine tenths of it.
    """
    near = np.maximum(min_distance, _TINY)
    far = np.maximum(np.minimum(max_distance, 1e30), near)
    within = np.minimum(np.maximum(distance, near), far)
    gain: Array = np.ones(len(distance))
    last = np.maximum(np.minimum(far * FADE_SHARE, far - near), _TINY)
    fade = np.minimum(np.maximum((far - distance) / last, 0.0), 1.0)
    kinds = set(model.tolist())
    for kind in kinds - {NONE}:
        faded = _attenuation(kind, within, near, far, rolloff_factor)
        faded = faded * fade
        gain = faded if len(kinds) == 1 else np.where(model == kind, faded, gain)
    return gain


def _attenuation(kind: int, distance: Array, near: Array, far: Array, factor: Array) -> Array:
    """Return the gain of one model; near <= distance <= far."""
    if kind == INVERSE:
        return near / (near + factor * (distance - near))
    if kind == LINEAR:
        share = (distance - near) / np.maximum(far - near, _TINY)
        return np.minimum(np.maximum(1.0 - factor * share, 0.0), 1.0)
    return maths.exp(-factor * maths.log(distance / near))


def cone_gain(direction: Array, forward: Array, inner: Array, outer: Array, outer_gain: Array) -> Array:
    """Return the gain of a source that has a direction, float64 (n,): 1 inside the inner cone, outer_gain outside the
    outer cone.

    direction: float64 (n, 3), from the source to the listener; forward: (n, 3), the direction of the source; both of
    any length. inner, outer: (n,), full angles of the cones. Between the cones the gain is linear in the angle. A
    source at the position of the listener, or with a direction of length 0, has the gain 1.
    """
    if not len(inner) or inner.min() >= maths.TAU:
        return np.ones(len(inner))
    a, b, c = direction.T
    x, y, z = forward.T
    along = a * x + b * y + c * z
    across = np.sqrt((b * z - c * y) ** 2 + (c * x - a * z) ** 2 + (a * y - b * x) ** 2)
    angle = 2.0 * maths.atan2(across, along)
    share = np.minimum(np.maximum((angle - inner) / np.maximum(outer - inner, _TINY), 0.0), 1.0)
    return 1.0 + share * (outer_gain - 1.0)
