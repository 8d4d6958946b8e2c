"""Quaternions as arrays: rotations in space that can be multiplied and interpolated.

A quaternion is `x y z w` in the last axis of an array (..., 4), and `(0, 0, 0, 1)` turns nothing. The functions take
anything that broadcasts together, compute in float64, and give the same bits on every machine, so their results may be
stored as state. A rotation is right-handed: a positive angle around y turns z to x. `q` and `-q` are the same rotation.
Source: Shoemake, "Animating Rotation with Quaternion Curves", 1985.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_jit import Array, maths
from rish_jit import angles_of as to_angles
from rish_jit import quaternions_of as from_angles

_PARALLEL = 1e-12
"""Vectors are parallel if the square of their cross product is at most this, for unit vectors."""
_NEAR = 1e-6
"""Below this sine of the angle between two quaternions, slerp and nlerp give the same bits of float32."""

__all__ = [
    "from_angles",
    "from_axis",
    "from_matrix",
    "inverse",
    "look_rotation",
    "nlerp",
    "normalized",
    "product",
    "slerp",
    "to_angles",
    "to_matrix",
    "to_vector",
    "turned",
]


def product(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Return a · b, float64 (..., 4): the rotation that turns by b first and then by a."""
    ax, ay, az, aw = _parts(a)
    bx, by, bz, bw = _parts(b)
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    w = aw * bw - ax * bx - ay * by - az * bz
    return np.stack([x, y, z, w], axis=-1)


def inverse(q: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): the rotations backwards. The inverse of a quaternion of zeros is zeros."""
    quaternion = np.asarray(q, np.float64)
    square = dot(quaternion, quaternion)[..., None]
    return quaternion * [-1.0, -1.0, -1.0, 1.0] / np.where(square > 0, square, 1.0)


def normalized(q: npt.ArrayLike) -> Array:
    """Return float64 (..., k): quaternions or vectors of length 1; those of length 0 are unchanged."""
    values = np.asarray(q, np.float64)
    largest = np.max(np.abs(values), axis=-1, keepdims=True)
    safe = values / np.where(largest > 0, largest, 1.0)  # so that squares neither overflow nor vanish
    length = np.sqrt(dot(safe, safe))[..., None]
    return safe / np.where(length > 0, length, 1.0)


def turned(q: npt.ArrayLike, vectors: npt.ArrayLike) -> Array:
    """Return float64 (..., 3): the vectors (..., 3) turned by quaternions of length 1."""
    points, quaternion = np.asarray(vectors, np.float64), np.asarray(q, np.float64)
    axis = quaternion[..., :3]
    middle = _cross(axis, points) + quaternion[..., 3:] * points
    return points + 2.0 * _cross(axis, middle)


def from_axis(axis: npt.ArrayLike, angle: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): rotations around axes (..., 3) of any length but 0 by angles (...) in radians.

    An axis of length 0 gives the rotation that turns nothing.
    """
    direction = normalized(axis)
    turns: Array = np.asarray(angle, np.float64) * 0.5
    sine, cosine = (np.asarray(part)[..., None] for part in maths.sincos(turns))
    has_no_axis = np.all(direction == 0, axis=-1, keepdims=True)
    vector = direction * sine
    real = np.where(has_no_axis, 1.0, np.broadcast_to(cosine, (*vector.shape[:-1], 1)))
    return np.concatenate([vector, real], axis=-1)


def to_vector(q: npt.ArrayLike) -> Array:
    """Return float64 (..., 3): axes times angles of quaternions of length 1, at most half a turn.

    `from_axis(v, t * |v|)` is t times the rotation of such a vector v.
    """
    quaternion = np.asarray(q, np.float64)
    quaternion = np.where(quaternion[..., 3:] < 0, -quaternion, quaternion)
    axis = quaternion[..., :3]
    sine = np.sqrt(dot(axis, axis))
    angle = 2.0 * maths.atan2(sine, quaternion[..., 3])
    return axis * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0)[..., None]


def to_matrix(q: npt.ArrayLike) -> Array:
    """Return float64 (..., 3, 3): the matrices of quaternions of any length but 0; zeros give the identity."""
    x, y, z, w = _parts(q)
    square = x * x + y * y + z * z + w * w
    s = 2.0 / np.where(square > 0, square, np.inf)
    rows = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrices: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): the quaternions of rotation matrices (..., 3, 3), of length 1.

    The products of all pairs of components follow from the matrix; the row with the largest square is used, which loses
    no digits. Source: Shepperd, "Quaternion from Rotation Matrix", 1978.
    """
    m = np.asarray(matrices, np.float64)
    (a, b, c), (d, e, f), (g, h, i) = [[m[..., r, k] for k in range(3)] for r in range(3)]
    rows = [
        [1 + a - e - i, d + b, c + g, h - f],
        [d + b, 1 - a + e - i, f + h, c - g],
        [c + g, f + h, 1 - a - e + i, d - b],
        [h - f, c - g, d - b, 1 + a + e + i],
    ]
    products = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    largest = np.argmax(np.stack([rows[k][k] for k in range(4)], axis=-1), axis=-1)
    return normalized(np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :])


def look_rotation(forward: npt.ArrayLike, up: npt.ArrayLike = (0.0, 1.0, 0.0)) -> Array:
    """Return float64 (..., 4): rotations that turn -z to the direction `forward` (..., 3), and y towards up.

    So a camera or a lamp with this rotation looks along `forward`. If both are parallel, or up is 0, another direction
    takes the place of up. A `forward` of length 0 gives the rotation that turns nothing.
    """
    back = -normalized(forward)
    above = np.broadcast_to(normalized(up), back.shape)
    side = _cross(above, back)
    flat = dot(side, side)[..., None] <= _PARALLEL
    helper = np.where(np.abs(back[..., 2:]) < 0.9, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    right = normalized(np.where(flat, _cross(helper, back), side))
    rotations = from_matrix(np.stack([right, _cross(back, right), back], axis=-1))
    has_no_direction = np.all(back == 0, axis=-1, keepdims=True)
    return np.where(has_no_direction, [0.0, 0.0, 0.0, 1.0], rotations)


def nlerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): rotations from a (t = 0) to b (t = 1) on the short way, fast and nearly even.

    Quaternions of length 1 are mixed as vectors and scaled. The way is exactly that of `slerp`, but the speed differs:
    for a turn by 90° the angle is at most 1° off.
    """
    first, second, _ = _short_way(a, b)
    fraction = np.asarray(t, np.float64)[..., None]
    return normalized(first + fraction * (second - first))


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): rotations from a (t = 0) to b (t = 1) on the short way, with even speed.

    a, b: quaternions of length 1. Half a turn has two short ways; one of them is taken.
    """
    first, second, cosine = _short_way(a, b)
    fraction = np.asarray(t, np.float64)
    cosine = np.minimum(cosine, 1.0)
    sine = np.sqrt((1 - cosine) * (1 + cosine))
    angle = maths.atan2(sine, cosine)
    near = sine < _NEAR
    over = np.where(near, 1.0, sine)
    first_weight = np.where(near, 1 - fraction, maths.sin((1 - fraction) * angle) / over)
    second_weight = np.where(near, fraction, maths.sin(fraction * angle) / over)
    return normalized(first_weight[..., None] * first + second_weight[..., None] * second)


def dot(a: Array, b: Array) -> Array:
    """Return the dot products of the last axis, added in a fixed order."""
    total = a[..., 0] * b[..., 0]
    for k in range(1, a.shape[-1]):
        total = total + a[..., k] * b[..., k]
    return total


def _short_way(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Array, Array, Array]:
    """Return a, then b or -b, whichever is nearer to a, and their dot product."""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    cosine = dot(first, second)
    return first, np.where(cosine[..., None] < 0, -second, second), np.abs(cosine)


def _parts(q: npt.ArrayLike) -> tuple[Array, Array, Array, Array]:
    values = np.asarray(q, np.float64)
    return values[..., 0], values[..., 1], values[..., 2], values[..., 3]


def _cross(a: Array, b: Array) -> Array:
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)
