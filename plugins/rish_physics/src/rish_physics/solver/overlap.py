"""Limits how deep a body is pressed into one that does not move.

Contacts are soft: a joint of a huge force, or a heavy body, presses a body into a wall, more in each step, until it is
on the other side. So after the sub-steps the displacement of a body is corrected where its overlap with a body that
stands still is too large: no more than a quarter of its inner radius, or than it was before the step. Other constraints
give way instead: a joint is stretched, and a body is pressed into a moving one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, bits, gather4, load, maximum, minimum, select, splat, store

from .blocks import ARM_A, ARM_B, GAP, LEVER_A, LEVER_B, NORMAL_MASS, NORMAL_X, NORMAL_Y, POINT0, POINT1, SIZE
from .color import ONE, STILL
from .contact import small_turn
from .finalize import turned
from .pairs import read_pair

_zero, _one, _quarter, _half = np.float32(0), np.float32(1), np.float32(0.25), np.float32(0.5)
_ALLOWED_SLOPS = np.float32(4)
"""An overlap of this many slops is always allowed."""
_PASSES = 2
"""In a corner, the correction of one wall may press the body into the other."""


@njit(borrows=True)
def limit_overlap(parts: Any, state: Any, extent: Any, blocks: Any, lanes: Any, slop: Any, work: Any) -> None:
    """Correct the displacements in `Bodies.state`. extent: of the bodies. work: float32 of 8."""
    zero, least = splat(_zero), splat(-_ALLOWED_SLOPS * slop)
    for _ in range(_PASSES):
        corrected = False
        for block in range(parts[STILL], parts[2 * STILL]):
            o = block * SIZE
            two = not parts[STILL + ONE] <= block < parts[STILL + ONE + 1]
            a, b = read_pair(state, lanes, block)
            gap = minimum(_gap(blocks, o, POINT0, a, b), _gap(blocks, o, POINT1 if two else POINT0, a, b))
            # A wall is a body that has not moved in this step.
            moved = select(
                a[3] <= zero, a[4] * a[4] + a[5] * a[5] + a[6] * a[6], b[4] * b[4] + b[5] * b[5] + b[6] * b[6]
            )
            deep = (gap < least) & (moved <= zero)
            if not bits(deep):
                continue
            x = block * 2 * LANES
            inner = maximum(gather4(extent, 4, 0, lanes, x)[3], gather4(extent, 4, 0, lanes, x + LANES)[3])
            store(work, 0, select(deep, minimum(least, -splat(_quarter) * inner), zero))
            for k in range(LANES):
                if work[k] < _zero:
                    corrected |= _push_out(state, lanes, x + k, blocks, o + k, two, work[k])
        if not corrected:
            break


@njit(borrows=True, forceinline=True)
def _gap(blocks: Any, o: Any, point: Any, a: Any, b: Any) -> Any:
    """Return a lower bound of the current separation of a point; 0 for lanes without the point.

    The rise of a point by the cosine of a rotation is left out, because a round shape then touches with another point.
    """
    q = o + point
    sine_a, fall_a = small_turn(a[6])
    sine_b, fall_b = small_turn(b[6])
    gap = load(blocks, q + GAP)
    gap = gap + ((b[4] - a[4]) * load(blocks, o + NORMAL_X) + (b[5] - a[5]) * load(blocks, o + NORMAL_Y))
    zero = splat(_zero)
    gap = gap + (minimum(fall_b * load(blocks, q + LEVER_B), zero) + sine_b * load(blocks, q + ARM_B))
    gap = gap + (minimum(-fall_a * load(blocks, q + LEVER_A), zero) - sine_a * load(blocks, q + ARM_A))
    return select(load(blocks, q + NORMAL_MASS) > zero, gap, zero)


@njit(borrows=True)
def _push_out(state: Any, lanes: Any, x: Any, blocks: Any, o: Any, two: bool, limit: Any) -> bool:
    """Move the movable body of one lane along the normal until no point is below its limit; return True if it was
    moved.

    limit: the least allowed separation, below 0. A point that was deeper at the start of the step may stay as deep.
    """
    body, sign, arms, levers = np.int64(lanes[x + LANES]), _one, ARM_B, LEVER_B
    if state[8 * body + 3] <= _zero:
        body, sign, arms, levers = np.int64(lanes[x]), -_one, ARM_A, LEVER_A
    s = 8 * body
    nx, ny = sign * blocks[o + NORMAL_X], sign * blocks[o + NORMAL_Y]
    # After a large turn other corners are the deepest ones, so the turn of a body that is pressed is undone.
    whirls = abs(state[s + 6]) > _half
    cosine, sine = turned(_one, _zero, _zero if whirls else state[s + 6])
    lack = _zero
    for p in range(2 if two else 1):
        q = o + (POINT1 if p else POINT0)
        if blocks[q + NORMAL_MASS] > _zero:
            # In the frame of tangent and normal the arm is (r x n, -r x t); it is rotated with the body.
            u, v, gap = sign * blocks[q + arms], -sign * blocks[q + levers], blocks[q + GAP]
            gap_now = gap + (state[s + 4] * nx + state[s + 5] * ny) + u * sine + min(v * (cosine - _one), _zero)
            lack = max(lack, min(gap, limit) - gap_now)
    state[s + 4] += lack * nx
    state[s + 5] += lack * ny
    speed = min(state[s] * nx + state[s + 1] * ny, _zero)
    if lack > _zero:
        state[s] -= speed * nx
        state[s + 1] -= speed * ny
        if whirls:
            state[s + 6], state[s + 2] = _zero, _zero
    return bool(lack > _zero)
