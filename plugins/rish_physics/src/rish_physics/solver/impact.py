"""The time at which a shape of a fast body first hits another shape, for continuous collision (`ccd`).

A shape that touches already at the start is tried again with a smaller core, the same shape at a smaller scale. Shapes
that are solid on one side may let it pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..components.tables import CHAIN, KINEMATIC, ONE_WAY, TYPE
from ..geometry.aabb import core_count, core_start
from ..geometry.toi import MOTION_SIZE, NEVER, time_of_impact, turned

_CORE_SCALES = 4
"""The number of scales that are tried: 1, 3/4, 1/2, 1/4."""
_WIDER, _FOUR_SLOPS = 1.001, 4.0
_0, _QUARTER, _1 = np.float32(0), np.float32(0.25), np.float32(1)


@njit(borrows=True, inline="always")
def approach(other: Any, w: Any, reach: Any, ways: Array, shapes: Any, bodies: Any, slop: Any, dt: Any) -> Any:
    """Return a time before which a fast body can't hit a shape, as a share of the motion: that at which the circles
    around both, about the centers of mass, begin to overlap; NEVER if they do not. reach: of the fast body.

    Without it, the benchmark `bullets` takes a quarter longer.
    """
    _, _, body, _, _, _, size, _, _ = shapes
    body_flags, pose, motion, _, _ = bodies
    j = np.int64(body[other])
    past = dt if body_flags[j] & TYPE == KINEMATIC else _0
    dx, dy = past * motion[8 * j], past * motion[8 * j + 1]
    x, y = np.float64(ways[w] - (pose[4 * j] - dx)), np.float64(ways[w + 1] - (pose[4 * j + 1] - dy))
    vx, vy = np.float64(ways[w + 4] - dx), np.float64(ways[w + 5] - dy)
    # |x + t v| = radius, with a radius that is larger by more than the tolerance of `impact`.
    radius = _WIDER * np.float64(reach + size[4 * other + 3]) + _FOUR_SLOPS * np.float64(slop)
    apart, closing = x * x + y * y - radius * radius, -(x * vx + y * vy)
    if apart <= 0.0:
        return 0.0
    square = vx * vx + vy * vy
    root = closing * closing - square * apart
    if closing <= 0.0 or root < 0.0:
        return np.float64(NEVER)
    return (closing - np.sqrt(root)) / square


@njit(borrows=True)
def impact(
    shape: Any, other: Any, w: Any, ways: Array, shapes: Any, bodies: Any, slop: Any, dt: Any, work: Array
) -> Any:
    """Return the time at which a shape of a fast body first hits another shape, as a share of the motion; NEVER if it
    does not.

    A shape that touches at the start is tried again with a smaller core, so that it does not penetrate further. work:
    float32, from 0 the two sweeps, from 16 room for `time_of_impact`, from 32 the core.
    """
    _, flags, body, _, _, hull, size, middle, _ = shapes
    body_flags, pose, motion, extent, _ = bodies
    i, j = np.int64(body[shape]), np.int64(body[other])
    # The motion of the other body over the step, which ended at its pose, with constant velocity.
    p, v, past = 4 * j, 8 * j, dt if body_flags[j] & TYPE == KINEMATIC else _0
    dx, dy, turn = past * motion[v], past * motion[v + 1], past * motion[v + 2]
    work[0], work[1] = pose[p] - dx, pose[p + 1] - dy
    work[2], work[3] = turned(pose[p + 2], pose[p + 3], -turn)
    work[4], work[5], work[6], work[7] = dx, dy, turn, extent[p + 2]
    for k in range(7):
        work[MOTION_SIZE + k] = ways[w + k]
    work[MOTION_SIZE + 7] = extent[4 * i + 2]
    cx, cy = middle[2 * shape], middle[2 * shape + 1]
    a, n = core_start(flags[other], other), core_count(flags[other])
    b, m = core_start(flags[shape], shape), core_count(flags[shape])
    if flags[other] & (CHAIN | ONE_WAY) and _lets_pass(shape, other, cx, cy, shapes, slop, work, extent[4 * i + 3]):
        return NEVER
    radius, radius_own = size[4 * other + 2], size[4 * shape + 2]
    tolerance = max(_QUARTER * slop, np.float32(1e-6) * extent[4 * i + 2])
    share = _1
    for _ in range(_CORE_SCALES):
        for k in range(0, 2 * m, 2):
            work[32 + k], work[33 + k] = cx + share * (hull[b + k] - cx), cy + share * (hull[b + k + 1] - cy)
        target = max(slop, radius + share * radius_own - slop)
        time = time_of_impact(hull, a, n, work, np.int64(32), m, work, target, tolerance, work, np.int64(16))
        if time > _0:
            return time
        share -= _QUARTER
    return NEVER


@njit(borrows=True)
def _lets_pass(shape: Any, other: Any, cx: Any, cy: Any, shapes: Any, slop: Any, work: Array, inner: Any) -> Any:
    """Return True if a shape that is solid on one side lets a fast shape through, because of the position from which
    it comes or its direction. cx, cy: its center. inner: the fast body's inner radius.
    """
    _, flags, _, _, _, hull, size, _, surface = shapes
    ac, as_, bc, bs = work[2], work[3], work[MOTION_SIZE + 2], work[MOTION_SIZE + 3]
    x, y = work[MOTION_SIZE] + bc * cx - bs * cy - work[0], work[MOTION_SIZE + 1] + bs * cx + bc * cy - work[1]
    x, y = ac * x + as_ * y, ac * y - as_ * x
    o = 32 * other
    dx, dy = work[MOTION_SIZE + 4] - work[4], work[MOTION_SIZE + 5] - work[5]
    dx, dy = ac * dx + as_ * dy, ac * dy - as_ * dx
    if flags[other] & CHAIN:
        nx, ny = hull[o + 18], hull[o + 19]
        # A body that slides along a chain would stop at each joint, because it meets the next segment there.
        if nx * (x - hull[o + 2]) + ny * (y - hull[o + 3]) < _0 or -(nx * dx + ny * dy) < _QUARTER * inner:
            return True
    if flags[other] & ONE_WAY:
        ux, uy = surface[8 * other + 6], surface[8 * other + 7]
        if ux * dx + uy * dy >= _0:
            return True
        a, n = core_start(flags[other], other), core_count(flags[other])
        b, m = core_start(flags[shape], shape), core_count(flags[shape])
        high = np.float32(-3e38)
        for k in range(a, a + 2 * n, 2):
            high = max(high, ux * hull[k] + uy * hull[k + 1])
        c, s = ac * bc + as_ * bs, ac * bs - as_ * bc
        low = np.float32(3e38)
        for k in range(b, b + 2 * m, 2):
            px, py = hull[k] - cx, hull[k + 1] - cy
            low = min(low, ux * (x + c * px - s * py) + uy * (y + s * px + c * py))
        return low - size[4 * shape + 2] - size[4 * other + 2] < high - np.float32(4) * slop
    return False
