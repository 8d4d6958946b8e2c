"""The time of impact of two moving hulls, by conservative advancement.

At a given time the hulls are separated by a distance along a direction. The speed at which they can approach along that
direction is at most the relative speed of the bodies along it plus the speeds of their furthest points due to rotation.
They cannot meet before the distance is covered at that speed, so time can be advanced by that interval; then the
distance is measured again (Mirtich and Canny, 1995). The result is never too late, for any rotation: if the maximum
number of rounds is reached, the result is before the impact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, maths, njit

from .distance import distance

MOTION_SIZE = 8
"""The size of a motion: pose x, y, cosine, sine at time 0; movement x, y and rotation (radians) until time 1; and the
greatest distance of the hull's points from the center. Two motions are stored one after the other.
"""
NEVER = np.float32(2)
"""The time of an impact that does not happen before time 1."""
_MAX_ITERATIONS = 64
_0, _1 = np.float32(0), np.float32(1)


@njit(borrows=True)
def turned(c: Any, s: Any, turn: Any) -> Any:
    """Return (cosine, sine) of an orientation rotated by an angle in radians."""
    if turn == _0:
        return c, s
    sin, cos = maths.sincos(np.float64(turn))
    x, y = np.float32(cos), np.float32(sin)
    return c * x - s * y, s * x + c * y


@njit(borrows=True)
def time_of_impact(
    a: Array, i: Any, n: Any, b: Array, j: Any, m: Any, sweep: Array, target: Any, tolerance: Any, moved: Array,
    room: Any,
) -> Any:  # fmt: skip
    """Return the time, 0 to 1, at which the distance of the cores is at most target + tolerance; NEVER if that never
    happens.

    a, i, n and b, j, m: hulls, each in the frame of its body. sweep: `MOTION_SIZE` numbers for each body. moved:
    float32, room for 16 numbers, starting at index `room`. Returns 0 if they are that near at the start.
    """
    time = _0
    for _ in range(_MAX_ITERATIONS):
        # Pose of b in the frame of a at this time.
        ac, as_ = turned(sweep[2], sweep[3], time * sweep[6])
        bc, bs = turned(sweep[10], sweep[11], time * sweep[14])
        x = (sweep[8] - sweep[0]) + time * (sweep[12] - sweep[4])
        y = (sweep[9] - sweep[1]) + time * (sweep[13] - sweep[5])
        c, s = ac * bc + as_ * bs, ac * bs - as_ * bc
        x, y = ac * x + as_ * y, ac * y - as_ * x
        for k in range(0, 2 * m, 2):
            px, py = b[j + k], b[j + k + 1]
            moved[room + k] = c * px - s * py + x
            moved[room + k + 1] = s * px + c * py + y
        gap, px, py, qx, qy = distance(a, i, n, moved, room, m)
        if gap <= target + tolerance:
            return time
        nx, ny = (qx - px) / gap, (qy - py) / gap
        vx, vy = sweep[12] - sweep[4], sweep[13] - sweep[5]
        # Upper bound of the approach speed: -n · v_rel + |w_a| r_a + |w_b| r_b.
        speed = -(nx * (ac * vx + as_ * vy) + ny * (ac * vy - as_ * vx))
        speed += abs(sweep[6]) * sweep[7] + abs(sweep[14]) * sweep[15]
        if speed <= _0 or gap - target >= speed * (_1 - time):
            return NEVER
        time += (gap - target) / speed
    return time
