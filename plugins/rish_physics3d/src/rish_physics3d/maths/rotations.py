"""Vectors and quaternions of single numbers, for kernels. Quaternions are x, y, z, w."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

_1, _2 = np.float32(1), np.float32(2)
_0, _half, _4 = np.float32(0), np.float32(0.5), np.float32(4)
_eighth, _quarter_pi = np.float32(0.41421356237), np.float32(0.78539816340)
_a1, _a2 = np.float32(-3.33329491539e-1), np.float32(1.99777106478e-1)
_a3, _a4 = np.float32(-1.38776856032e-1), np.float32(8.05374449538e-2)
_three = np.float32(3)
_s3, _s5 = np.float32(1 / 6), np.float32(1 / 120)
_c4 = np.float32(1 / 24)


@njit(borrows=True, inline="always")
def turn(qx: Any, qy: Any, qz: Any, qw: Any, x: Any, y: Any, z: Any) -> Any:
    """Return a vector rotated by a unit quaternion: v + 2 w (q x v) + 2 q x (q x v)."""
    a, b, c = _2 * (qy * z - qz * y), _2 * (qz * x - qx * z), _2 * (qx * y - qy * x)
    return x + qw * a + (qy * c - qz * b), y + qw * b + (qz * a - qx * c), z + qw * c + (qx * b - qy * a)


@njit(borrows=True)
def angle_of(y: Any, x: Any) -> Any:
    """Return the angle of the direction (x, y), float32, with an error below 3e-7.

    The quotient of the smaller and the larger is brought below tan(π / 8) by the addition theorem; then a polynomial
    (S. Moshier, Cephes, 1992).
    """
    a, b = abs(y), abs(x)
    low, high = min(a, b), max(a, b)
    if not high > _0:
        return _0
    t, start = low / high, _0
    if t > _eighth:
        t, start = (t - _1) / (t + _1), _quarter_pi
    z = t * t
    angle = start + ((((_a4 * z + _a3) * z + _a2) * z + _a1) * z * t + t)
    if a > b:
        angle = _2 * _quarter_pi - angle
    if x < _0:
        angle = _4 * _quarter_pi - angle
    return -angle if y < _0 else angle


@njit(borrows=True, inline="always")
def limited(x: Any, y: Any, z: Any, limit: Any) -> Any:
    """Return a vector that is not longer than the limit, without overflow."""
    size = max(abs(x), abs(y), abs(z))
    if not size * size * _three > limit * limit:
        return x, y, z
    a, b, c = x / size, y / size, z / size
    length = size * np.sqrt(a * a + b * b + c * c)
    if not length > limit:
        return x, y, z
    scale = limit / length
    return x * scale, y * scale, z * scale


@njit(borrows=True, inline="always")
def spun(qx: Any, qy: Any, qz: Any, qw: Any, x: Any, y: Any, z: Any) -> Any:
    """Return a quaternion rotated by a rotation vector of at most a quarter turn, normalized."""
    # exp(v / 2) = (v sin(|v|/2) / |v|, cos(|v|/2)), both by their series.
    s = (x * x + y * y + z * z) * _half * _half
    f = _half * (_1 - s * _s3 + s * s * _s5)
    w = _1 - s * _half + s * s * _c4
    x, y, z = f * x, f * y, f * z
    a = w * qx + x * qw + (y * qz - z * qy)
    b = w * qy + y * qw + (z * qx - x * qz)
    c = w * qz + z * qw + (x * qy - y * qx)
    d = w * qw - (x * qx + y * qy + z * qz)
    inverse = _1 / np.sqrt(a * a + b * b + c * c + d * d)
    return a * inverse, b * inverse, c * inverse, d * inverse
