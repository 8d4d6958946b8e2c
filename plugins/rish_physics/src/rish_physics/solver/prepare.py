"""Fills the solver's blocks from the manifolds, eight contacts at a time, and writes the impulses back."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, gather, load, select, splat, sqrt, store

from ..components.tables import AWAKE, DYNAMIC, MANIFOLD, QUARANTINED, STATIC, TYPE
from ..components.tables import POINT0 as FIRST_POINT
from ..components.tables import POINT1 as SECOND_POINT
from .blocks import (
    ARM_A,
    ARM_B,
    FRICTION,
    GAP,
    LEVER_A,
    LEVER_B,
    NORMAL,
    NORMAL_MASS,
    NORMAL_X,
    NORMAL_Y,
    POINT0,
    POINT1,
    SIZE,
    TANGENT,
    TANGENT_MASS,
)
from .color import ONE, PARTS, STILL
from .pairs import read_pair

GEOMETRIC, AVERAGE, MIN, MAX, MULTIPLY = range(5)
"""The rules to combine the frictions of two surfaces; numbers of `settings.FrictionMix`."""
_zero = np.float32(0)
_one = np.float32(1)
_half = np.float32(0.5)


@njit(borrows=True)
def prepare(
    order: Any, parts: Any, pair: Any, info: Any, manifold: Any, flags: Any, state: Any, surface: Any, mix: int,
    share: Any, work: Any, lanes: Any, out: Any,
) -> None:  # fmt: skip
    """Fill the blocks; in blocks with one point, the second point is not written.

    order: int32, the contact of each lane, -1 for none. parts: see `color`. mix: see above. share: float32, factor of
    the last step's impulses for warm starting. work: int32 of 8 and float32 of 8, working memory of one block. lanes,
    out: see `blocks`.
    """
    zero = splat(_zero)
    one = splat(_one)
    scale = splat(share)
    rows, points = work
    for block in range(parts[PARTS]):
        s = block * LANES
        x = block * 2 * LANES
        o = block * SIZE
        single = parts[ONE] <= block < parts[ONE + 1] or parts[STILL + ONE] <= block < parts[STILL + ONE + 1]
        # Lane by lane: contact row, bodies (0 if fixed), and friction.
        for k in range(LANES):
            c = np.int64(order[s + k])
            if c < 0:
                rows[k] = 0
                points[k] = _zero
                lanes[x + k] = 0
                lanes[x + LANES + k] = 0
                out[o + FRICTION + k] = _zero
                continue
            rows[k] = c
            points[k] = np.float32(info[2 * c])
            f = surface[8 * np.int64(pair[4 * c])]
            g = surface[8 * np.int64(pair[4 * c + 1])]
            a = np.int64(pair[4 * c + 2])
            b = np.int64(pair[4 * c + 3])
            lanes[x + k] = a if takes_part(flags[a]) else 0
            lanes[x + LANES + k] = b if takes_part(flags[b]) else 0
            out[o + FRICTION + k] = f * g if mix == GEOMETRIC else mixed(f, g, mix)
        if mix == GEOMETRIC:
            store(out, o + FRICTION, sqrt(load(out, o + FRICTION)))
        # All eight lanes: inverse masses and the normal.
        row_a, row_b = read_pair(state, lanes, block)
        mass = row_a[3] + row_b[3]
        turn_a = row_a[7]
        turn_b = row_b[7]
        head = gather(manifold, MANIFOLD, 0, rows, 0)
        nx = head[0]
        ny = head[1]
        store(out, o + NORMAL_X, nx)
        store(out, o + NORMAL_Y, ny)
        present = load(points, 0)
        for p in range(1 if single else 2):
            point = gather(manifold, MANIFOLD, SECOND_POINT if p else FIRST_POINT, rows, 0)
            q = o + (POINT1 if p else POINT0)
            exists = present > (one if p else zero)
            # Arms r x n and levers r x t of the anchors, see `blocks`.
            arm_a = point[0] * ny - point[1] * nx
            arm_b = point[2] * ny - point[3] * nx
            lever_a = -(point[0] * nx + point[1] * ny)
            lever_b = -(point[2] * nx + point[3] * ny)
            # Effective masses: 1 / (1/m_a + 1/m_b + arm_a²/I_a + arm_b²/I_b), likewise along the tangent.
            along = mass + turn_a * arm_a * arm_a + turn_b * arm_b * arm_b
            across = mass + turn_a * lever_a * lever_a + turn_b * lever_b * lever_b
            store(out, q + ARM_A, select(exists, arm_a, zero))
            store(out, q + LEVER_A, select(exists, lever_a, zero))
            store(out, q + ARM_B, select(exists, arm_b, zero))
            store(out, q + LEVER_B, select(exists, lever_b, zero))
            store(out, q + NORMAL_MASS, select(exists & (along > zero), one / along, zero))
            store(out, q + TANGENT_MASS, select(exists & (across > zero), one / across, zero))
            store(out, q + GAP, select(exists, point[4], zero))
            store(out, q + NORMAL, select(exists, point[6] * scale, zero))
            store(out, q + TANGENT, select(exists, point[7] * scale, zero))


@njit(borrows=True)
def bring_together(order: Any, blocks: int, pair: Any, pose: Any, state: Any, lanes: Any, out: Any) -> None:
    """Adjust the arms of both bodies so that they end at the same point; see `contact.common_place` for the reason.

    The points of a recycled manifold do not, since the bodies have moved and turned.
    """
    for s in range(blocks * LANES):
        c = np.int64(order[s])
        if c < 0:
            continue
        block, k = s // LANES, s % LANES
        o = block * SIZE + k
        a, b = 4 * np.int64(pair[4 * c + 2]), 4 * np.int64(pair[4 * c + 3])
        dx, dy = pose[b] - pose[a], pose[b + 1] - pose[a + 1]
        nx, ny = out[o + NORMAL_X], out[o + NORMAL_Y]
        u, v = 8 * np.int64(lanes[block * 2 * LANES + k]), 8 * np.int64(lanes[block * 2 * LANES + LANES + k])
        mass, turn_a, turn_b = state[u + 3] + state[v + 3], state[u + 7], state[v + 7]
        if turn_a + turn_b == _zero:
            continue
        # The correction is divided so that the body with the greater inertia gets most of it.
        share = turn_b / (turn_a + turn_b)
        for q in (o + POINT0, o + POINT1):
            across = (dx * ny - dy * nx) - (out[q + ARM_A] - out[q + ARM_B])
            along = (dx * nx + dy * ny) + (out[q + LEVER_A] - out[q + LEVER_B])
            out[q + ARM_A] += share * across
            out[q + ARM_B] -= across - share * across
            out[q + LEVER_A] -= share * along
            out[q + LEVER_B] += along - share * along
            if out[q + NORMAL_MASS] > _zero:
                arm_a, arm_b, lever_a, lever_b = out[q + ARM_A], out[q + ARM_B], out[q + LEVER_A], out[q + LEVER_B]
                out[q + NORMAL_MASS] = _one / (mass + turn_a * arm_a * arm_a + turn_b * arm_b * arm_b)
                out[q + TANGENT_MASS] = _one / (mass + turn_a * lever_a * lever_a + turn_b * lever_b * lever_b)


@njit(borrows=True, inline="always")
def mixed(f: Any, g: Any, mix: int) -> Any:
    """Combine two friction coefficients."""
    if mix == GEOMETRIC:
        return np.sqrt(f * g)
    if mix == AVERAGE:
        return (f + g) * _half
    if mix == MIN:
        return min(f, g)
    return max(f, g) if mix == MAX else f * g


@njit(borrows=True, inline="always")
def takes_part(flags: int) -> bool:
    """Return True if the velocity of a body is used: a kinematic body, or an awake dynamic one."""
    return flags & TYPE != STATIC and (flags & TYPE != DYNAMIC or flags & (AWAKE | QUARANTINED) == AWAKE)


@njit(borrows=True)
def remember(order: Any, blocks: int, info: Any, manifold: Any, out: Any) -> None:
    """Write the impulses of `blocks` blocks back into the manifolds."""
    for s in range(blocks * LANES):
        c = np.int64(order[s])
        if c >= 0:
            o = (s // LANES) * SIZE + s % LANES
            m = c * MANIFOLD
            manifold[m + FIRST_POINT + 6] = out[o + POINT0 + NORMAL]
            manifold[m + FIRST_POINT + 7] = out[o + POINT0 + TANGENT]
            if info[2 * c] > 1:
                manifold[m + SECOND_POINT + 6] = out[o + POINT1 + NORMAL]
                manifold[m + SECOND_POINT + 7] = out[o + POINT1 + TANGENT]
