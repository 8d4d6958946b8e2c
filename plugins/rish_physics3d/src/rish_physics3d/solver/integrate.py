"""The motion of bodies: forces change velocities, velocities change displacements and rotations.

A body's frame is that of its principal axes, so its inertia is three numbers. Without torque its angular momentum
stays the same while the angular velocity changes: w' = -I⁻¹ (w x I w). That is integrated implicitly, by one step of
Newton's method in the body's frame (E. Catto, "Numerical methods", GDC 2015), since explicit steps of fast spinning
bodies gain energy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .soft import GRAVITY, H, MAX_SPEED, MAX_SPIN

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_half = np.float32(0.5)
_three = np.float32(3)
_s3, _s5 = np.float32(1 / 6), np.float32(1 / 120)
_c4 = np.float32(1 / 24)
_spare = np.float32(4)


@njit(borrows=True, inline="always")
def turn(qx: Any, qy: Any, qz: Any, qw: Any, x: Any, y: Any, z: Any) -> Any:
    """Return a vector rotated by a unit quaternion: v + 2 w (q x v) + 2 q x (q x v)."""
    a, b, c = _2 * (qy * z - qz * y), _2 * (qz * x - qx * z), _2 * (qx * y - qy * x)
    return x + qw * a + (qy * c - qz * b), y + qw * b + (qz * a - qx * c), z + qw * c + (qx * b - qy * a)


@njit(borrows=True)
def world_inertia(bodies: Any, pose: Any, mass: Any, out: Any) -> None:
    """Write the inverse inertia R diag(i) Rᵀ of bodies in world axes.

    pose: float32, 8 numbers a body: center x, y, z, unused, quaternion. mass: float32, 8 numbers a body: inertia about
    the three principal axes and unused, their inverses and the inverse mass. out: 8 numbers a body: xx, yy, zz, xy, xz,
    yz.
    """
    for k in range(len(bodies)):
        o = 8 * np.int64(bodies[k])
        i, j, l = mass[o + 4], mass[o + 5], mass[o + 6]
        qx, qy, qz, qw = pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7]
        ax, ay, az = _1 - _2 * (qy * qy + qz * qz), _2 * (qx * qy + qz * qw), _2 * (qx * qz - qy * qw)
        bx, by, bz = _2 * (qx * qy - qz * qw), _1 - _2 * (qx * qx + qz * qz), _2 * (qy * qz + qx * qw)
        cx, cy, cz = _2 * (qx * qz + qy * qw), _2 * (qy * qz - qx * qw), _1 - _2 * (qx * qx + qy * qy)
        out[o] = i * ax * ax + j * bx * bx + l * cx * cx
        out[o + 1] = i * ay * ay + j * by * by + l * cy * cy
        out[o + 2] = i * az * az + j * bz * bz + l * cz * cz
        out[o + 3] = i * ax * ay + j * bx * by + l * cx * cy
        out[o + 4] = i * ax * az + j * bx * bz + l * cx * cz
        out[o + 5] = i * ay * az + j * by * bz + l * cy * cz


@njit(borrows=True, inline="always")
def gyroscopic(x: Any, y: Any, z: Any, i: Any, j: Any, k: Any, h: Any) -> Any:
    """Return the angular velocity in the body's frame after h seconds without torque. i, j, k: principal inertia."""
    # f = h w x (I w), its Jacobian J = I + h ([w] I - [I w]), w -= J⁻¹ f.
    a, b, c = i * x, j * y, k * z
    fx, fy, fz = h * (y * c - z * b), h * (z * a - x * c), h * (x * b - y * a)
    m01, m02 = h * (c - z * j), h * (y * k - b)
    m10, m12 = h * (z * i - c), h * (a - x * k)
    m20, m21 = h * (b - y * i), h * (x * j - a)
    # Cramer's rule.
    ux, uy, uz = j * k - m12 * m21, m12 * m20 - m10 * k, m10 * m21 - j * m20
    det = i * ux + m01 * uy + m02 * uz
    if not det > _0:
        return x, y, z
    vx, vy, vz = m02 * m21 - m01 * k, i * k - m02 * m20, m01 * m20 - i * m21
    wx, wy, wz = m01 * m12 - m02 * j, m02 * m10 - i * m12, i * j - m01 * m10
    inverse = _1 / det
    return (
        x - inverse * (ux * fx + vx * fy + wx * fz),
        y - inverse * (uy * fx + vy * fy + wy * fz),
        z - inverse * (uz * fx + vz * fy + wz * fz),
    )


@njit(borrows=True)
def velocities(bodies: Any, dynamic: Any, linear: Any, angular: Any, pose: Any, mass: Any, drive: Any, inertia: Any,
               numbers: Any) -> None:  # fmt: skip
    """Integrate the velocities of bodies over one sub-step: gravity, forces, damping, gyroscopic torque.

    dynamic: bool, of each body. drive: float32, 8 numbers a body: force and gravity scale, torque and linear damping;
    angular damping is in `mass` at 3. inertia: see `world_inertia`.
    """
    h = numbers[H]
    gx, gy, gz = numbers[GRAVITY], numbers[GRAVITY + 1], numbers[GRAVITY + 2]
    for n in range(len(bodies)):
        o = 8 * np.int64(bodies[n])
        if not dynamic[bodies[n]]:
            continue
        inverse, scale = mass[o + 7], drive[o + 3]
        slow = _1 / (_1 + h * drive[o + 7])
        linear[o] = slow * (linear[o] + h * (scale * gx + inverse * drive[o]))
        linear[o + 1] = slow * (linear[o + 1] + h * (scale * gy + inverse * drive[o + 1]))
        linear[o + 2] = slow * (linear[o + 2] + h * (scale * gz + inverse * drive[o + 2]))
        wx, wy, wz = angular[o], angular[o + 1], angular[o + 2]
        tx, ty, tz = drive[o + 4], drive[o + 5], drive[o + 6]
        if tx != _0 or ty != _0 or tz != _0:
            xx, yy, zz = inertia[o], inertia[o + 1], inertia[o + 2]
            xy, xz, yz = inertia[o + 3], inertia[o + 4], inertia[o + 5]
            wx += h * (xx * tx + xy * ty + xz * tz)
            wy += h * (xy * tx + yy * ty + yz * tz)
            wz += h * (xz * tx + yz * ty + zz * tz)
        i, j, k = mass[o], mass[o + 1], mass[o + 2]
        if i != j or j != k:
            qx, qy, qz, qw = pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7]
            bx, by, bz = turn(-qx, -qy, -qz, qw, wx, wy, wz)
            bx, by, bz = gyroscopic(bx, by, bz, i, j, k, h)
            wx, wy, wz = turn(qx, qy, qz, qw, bx, by, bz)
        slow = _1 / (_1 + h * mass[o + 3])
        angular[o], angular[o + 1], angular[o + 2] = slow * wx, slow * wy, slow * wz


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


@njit(borrows=True)
def positions(bodies: Any, linear: Any, angular: Any, pose: Any, numbers: Any) -> None:
    """Integrate the displacements and rotations of bodies over one sub-step.

    A body moves and turns at most four times as fast as the limits of `numbers`: a constraint that overshoots could
    otherwise move it anywhere within one step.
    """
    h = numbers[H]
    fastest, widest = _spare * numbers[MAX_SPEED], _spare * numbers[MAX_SPIN]
    for n in range(len(bodies)):
        o = 8 * np.int64(bodies[n])
        vx, vy, vz = limited(linear[o], linear[o + 1], linear[o + 2], fastest)
        linear[o + 4] += h * vx
        linear[o + 5] += h * vy
        linear[o + 6] += h * vz
        wx, wy, wz = limited(angular[o], angular[o + 1], angular[o + 2], widest)
        x, y, z = h * wx, h * wy, h * wz
        angular[o + 4] += x
        angular[o + 5] += y
        angular[o + 6] += z
        pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7] = spun(
            pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7], x, y, z
        )
