"""Limits how deep a body is pressed into one that does not move.

Contacts are soft: a joint of a huge force, or a heavy body, presses a body into a wall, more in each step, until it is
on the other side. So after the sub-steps the displacement of a body is corrected where its overlap with a body that
stands still is too large: no more than a quarter of its inner radius, or than it was before the step. Only the position
and the velocity into the wall change, so other constraints give way instead: a joint is stretched, and a body is
pressed into a moving one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit
from rish_ecs.jit.simd import LANES, bits, gather4, load, maximum, minimum, select, splat, store

from .blocks import ARM_A, ARM_B, GAP, LEVER_A, LEVER_B, NORMAL_MASS, NORMAL_X, NORMAL_Y, POINT0, POINT1, SIZE
from .colour import ONE, STILL
from .contact import small_turn
from .pairs import read_pair

_zero, _quarter = np.float32(0), np.float32(0.25)
_SLOPS = np.float32(4)
"""An overlap of this many slops is always allowed."""
_PASSES = 2
"""In a corner, the correction of one wall may press the body into the other."""


@njit(borrows=True)
def limit_overlap(parts: Any, state: Any, extent: Any, blocks: Any, lanes: Any, slop: Any, work: Any) -> None:
    """Correct the displacements in `Bodies.state`. extent: of the bodies. work: float32 of 8."""
    zero, least = splat(_zero), splat(-_SLOPS * slop)
    for _ in range(_PASSES):
        corrected = False
        for block in range(parts[STILL], parts[2 * STILL]):
            o = block * SIZE
            two = not parts[STILL + ONE] <= block < parts[STILL + ONE + 1]
            a, b = read_pair(state, lanes, block)
            gap0, now0 = _gaps(blocks, o, o + POINT0, a, b)
            gap1, now1 = _gaps(blocks, o, o + (POINT1 if two else POINT0), a, b)
            # A wall is a body that has not moved in this step.
            moved = select(
                a[3] <= zero, a[4] * a[4] + a[5] * a[5] + a[6] * a[6], b[4] * b[4] + b[5] * b[5] + b[6] * b[6]
            )
            if not bits((minimum(now0, now1) < least) & (moved <= zero)):
                continue
            x = block * 2 * LANES
            inner = maximum(gather4(extent, 4, 0, lanes, x)[3], gather4(extent, 4, 0, lanes, x + LANES)[3])
            limit = minimum(least, -splat(_quarter) * inner)
            lack = maximum(minimum(gap0, limit) - now0, minimum(gap1, limit) - now1)
            store(work, 0, select(moved <= zero, lack, zero))
            for k in range(LANES):
                if work[k] > _zero:
                    body, sign = np.int64(lanes[x + LANES + k]), work[k]
                    if state[8 * body + 3] <= _zero:
                        body, sign = np.int64(lanes[x + k]), -work[k]
                    _push_out(state, 8 * body, sign, blocks[o + NORMAL_X + k], blocks[o + NORMAL_Y + k])
                    corrected = True
        if not corrected:
            break


@njit(borrows=True, forceinline=True)
def _gaps(blocks: Any, o: Any, q: Any, a: Any, b: Any) -> Any:
    """Return the separation of a point before the step and now; 0 for no point."""
    zero = splat(_zero)
    sine_a, fall_a = small_turn(a[6])
    sine_b, fall_b = small_turn(b[6])
    there = load(blocks, q + NORMAL_MASS) > zero
    gap = load(blocks, q + GAP)
    now = gap + ((b[4] - a[4]) * load(blocks, o + NORMAL_X) + (b[5] - a[5]) * load(blocks, o + NORMAL_Y))
    now = now + (fall_b * load(blocks, q + LEVER_B) + sine_b * load(blocks, q + ARM_B))
    now = now - (fall_a * load(blocks, q + LEVER_A) + sine_a * load(blocks, q + ARM_A))
    return select(there, gap, zero), select(there, now, zero)


@njit(borrows=True, forceinline=True)
def _push_out(state: Any, s: Any, way: Any, nx: Any, ny: Any) -> None:
    """Displace a body along a normal, and stop its velocity in the opposite direction."""
    state[s + 4] += way * nx
    state[s + 5] += way * ny
    speed = state[s] * nx + state[s + 1] * ny
    if (speed < _zero) == (way > _zero):
        state[s] -= speed * nx
        state[s + 1] -= speed * ny
