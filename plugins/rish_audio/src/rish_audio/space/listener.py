"""The axes of the listener, and directions relative to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rish_jit import Array, maths

_Vector = tuple[float, float, float]


def listener_axes(angle: float, forward: Sequence[float] = (0, 1, 0), up: Sequence[float] = (0, 0, 1)) -> Array:
    """Return the axes of a listener, float64 (3, 3) with the rows right, forward and up, of length 1.

    angle: the rotation of its Transform; forward and up are turned by it around z. In 2D the right is +x of the world,
    the front +y (up on the screen) and the top +z, towards the viewer. Up is made perpendicular to forward; if both
    are parallel or one is zero, the listener has the orientation of 2D.
    """
    ahead, top = _unit(*map(float, forward)), _unit(*map(float, up))
    right = _unit(*_cross(ahead, top)) if ahead and top else None
    if ahead is None or right is None:
        ahead, right = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
    sine, cosine = maths.sincos(float(angle))
    return np.array(
        [(x * cosine - y * sine, x * sine + y * cosine, z) for x, y, z in (right, ahead, _cross(right, ahead))]
    )


def _cross(a: _Vector, b: _Vector) -> _Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(x: float, y: float, z: float) -> _Vector | None:
    """Return the vector with the length 1, or None for one that is too short to have a direction."""
    length = maths.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length) if length > 1e-9 else None


def to_listener(vectors: Array, axes: Array) -> Array:
    """Return vectors of the world along the listener's right, forward and up, float64 (n, 3).

    vectors: float64 (n, 3), for example positions minus that of the listener. axes: of `listener_axes`.
    """
    return vectors[:, 0:1] * axes[:, 0] + vectors[:, 1:2] * axes[:, 1] + vectors[:, 2:3] * axes[:, 2]


def directions(offset: Array, distance: Array, near: Array) -> Array:
    """Return the directions of sources for `pan_gains`, float64 (n, 3). Their length is 1 from the distance `near` on,
    and less inside.

    offset: float64 (n, 3), from the listener to the source, in the listener's axes. distance: (n,), its length. Within
    `near` (n,) the direction gets shorter, down to 0 at the position of the listener, so that a source that passes
    there does not jump.
    """
    return offset / np.maximum(np.maximum(distance, near), 1e-9)[:, None]
