"""Restitution: after the sub-steps, points that met fast get their speed back, times a factor.

The points of a contact are solved together in several passes, so that a box that lands flat does not begin to spin, and
no energy is added.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES

from ..components.manifold import ANCHOR_A, ANCHOR_B, FIRST, MANIFOLD, POINT
from . import blocks as b

_0 = np.float32(0)
_PASSES = 8


@njit(borrows=True, inline="always")
def _component(array: Array, at: Any, k: Any) -> Any:
    return array[at + k * LANES]


@njit(borrows=True)
def approach(active: Array, contacts: Any, moves: Array, linear: Array, angular: Array, speeds: Array) -> None:
    """Write the speed along the normal of each of four points before the step, negative if the bodies approach."""
    pair, manifold, info = contacts
    for q in range(len(active)):
        c = np.int64(active[q])
        o = MANIFOLD * c
        i, j = 8 * np.int64(moves[pair[2 * c]]), 8 * np.int64(moves[pair[2 * c + 1]])
        nx, ny, nz = manifold[o], manifold[o + 1], manifold[o + 2]
        for p in range(info[2 * c]):
            m, n = o + FIRST + POINT * p + ANCHOR_A, o + FIRST + POINT * p + ANCHOR_B
            vx = linear[j] - linear[i] + (angular[j + 1] * manifold[n + 2] - angular[j + 2] * manifold[n + 1])
            vy = linear[j + 1] - linear[i + 1] + (angular[j + 2] * manifold[n] - angular[j] * manifold[n + 2])
            vz = linear[j + 2] - linear[i + 2] + (angular[j] * manifold[n + 1] - angular[j + 1] * manifold[n])
            vx -= angular[i + 1] * manifold[m + 2] - angular[i + 2] * manifold[m + 1]
            vy -= angular[i + 2] * manifold[m] - angular[i] * manifold[m + 2]
            vz -= angular[i] * manifold[m + 1] - angular[i + 1] * manifold[m]
            speeds[4 * c + p] = nx * vx + ny * vy + nz * vz


@njit(borrows=True)
def bounce(order: Array, count: Any, info: Array, restitution: Array, speeds: Array, threshold: Any, lanes: Array,
           linear: Array, angular: Array, out: Array) -> None:  # fmt: skip
    """Apply restitution to the contacts of `count` blocks. restitution: of each contact. speeds: see `approach`."""
    for s in range(count * LANES):
        c = np.int64(order[s])
        if c < 0 or restitution[c] == _0:
            continue
        block, lane = s // LANES, s % LANES
        o = block * b.SIZE + lane
        i, j = 8 * np.int64(lanes[2 * LANES * block + lane]), 8 * np.int64(lanes[2 * LANES * block + LANES + lane])
        nx, ny, nz = out[o], out[o + LANES], out[o + 2 * LANES]
        for _ in range(_PASSES):
            for p in range(info[2 * c]):
                q = o + b.FIRST + p * b.POINT
                before = speeds[4 * c + p]
                if before > -threshold or out[q + b.PEAK] == _0:
                    continue
                speed = (
                    nx * (linear[j] - linear[i])
                    + ny * (linear[j + 1] - linear[i + 1])
                    + nz * (linear[j + 2] - linear[i + 2])
                )
                for k in range(3):
                    speed += angular[j + k] * _component(out, q + b.ARM_B, k) - angular[i + k] * _component(
                        out, q + b.ARM_A, k
                    )
                old = out[q + b.IMPULSE]
                new = max(old - out[q + b.MASS] * (speed + restitution[c] * before), _0)
                step = new - old
                out[q + b.IMPULSE] = new
                if i > 0:
                    mass = linear[i + 3] * step
                    linear[i], linear[i + 1], linear[i + 2] = (
                        linear[i] - mass * nx,
                        linear[i + 1] - mass * ny,
                        linear[i + 2] - mass * nz,
                    )
                    for k in range(3):
                        angular[i + k] -= _component(out, q + b.TURN_A, k) * step
                if j > 0:
                    mass = linear[j + 3] * step
                    linear[j], linear[j + 1], linear[j + 2] = (
                        linear[j] + mass * nx,
                        linear[j + 1] + mass * ny,
                        linear[j + 2] + mass * nz,
                    )
                    for k in range(3):
                        angular[j + k] += _component(out, q + b.TURN_B, k) * step
