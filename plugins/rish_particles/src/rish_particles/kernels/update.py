"""The compiled step of one pool: forces, movement, age, and removal of the dead without gaps.

A pool is processed in blocks that fit the processor's nearest cache. Each block is processed by several short loops
over few arrays, because a compiler vectorizes those but not one long loop over ten columns. Dead particles are removed
in the same pass: runs of living ones are moved down over the dead, in their order, so that older particles are always
drawn before younger ones and nothing flickers. The tests have the same step in plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

BLOCK = 512
"""The number of particles that are processed together."""
SCRATCH = 4 * BLOCK
"""The size of the scratch that `update` needs: share of life, movement along x and y, factor of speed."""
FLOW = 64
"""Width and height of the field of turbulence."""
VORTEX, ATTRACTOR = 8, 6
"""The row lengths of a vortex: x, y, turn x, y, r, strength, 1 if literal, unused; f = strength/(1 + |d|²·r), and of an
attractor: x, y, strength·dt, 1/radius or 0, swallow², unused."""
(
    DT, DECAY, ADD_X, ADD_Y, GAIN, SPEED, SPEED_WAY, SPIN, SPIN_WAY, TURBULENCE, PER_SCALE, DRIFT_X, DRIFT_Y,
) = range(13)  # fmt: skip
"""Indices of the numbers for `update`: seconds; v becomes v·decay + add; growth of the spin, 1/s; for the curves of
speed and spin the start and the change; the others are for turbulence."""
NUMBERS = 13
STRAIGHT_SPEED, STRAIGHT_SPIN = 1, 2
"""Bits: the curve of speed or spin is a straight line over the life, so that no table is needed."""


@njit(borrows=True)
def update(
    n: int, pool: Any, curves: Any, numbers: Array, vortices: Array, fields: Any, working: Any, died: Array
) -> tuple[Any, Any]:
    """Advance the n particles of a pool by a tick; return the number that is alive and the number that died.

    pool: the columns and the extras of its `Span`. curves: speed and spin over life, and which of them are straight.
    numbers: see DT to DRIFT_Y. fields: the attractors and the field of turbulence. working: scratch, and room for the
    runs of living particles. died: float32 5·k, written: x, y, velocity and color (bits) of each particle that died;
    or empty.
    """
    columns, extras = pool
    x, y, vx, vy, age, life, angle, spin, size, rgba = columns
    first, last, last_size, pick = extras
    speeds, spins, straight = curves
    attractors, flow = fields
    scratch, runs = working
    one, steps = np.float32(1), np.float32(128)
    dt, decay, add_x, add_y, gain = numbers[DT], numbers[DECAY], numbers[ADD_X], numbers[ADD_Y], numbers[GAIN]
    strength, per_scale = numbers[TURBULENCE], numbers[PER_SCALE]
    drift_x, drift_y = numbers[DRIFT_X], numbers[DRIFT_Y]
    t_at, mx, my, factor = np.uint64(0), np.uint64(BLOCK), np.uint64(2 * BLOCK), np.uint64(3 * BLOCK)
    first_row, end, block, alive = np.uint64(0), np.uint64(n), np.uint64(BLOCK), np.uint64(0)
    dead = 0
    while first_row < end:
        m = min(block, end - first_row)
        # Age, and the share of life t = age / life.
        for i in range(m):
            a = age[first_row + i] + dt
            age[first_row + i] = a
            scratch[t_at + i] = a / life[first_row + i]
        # The factor of speed over life: a line, or a table of 128 steps.
        if straight & STRAIGHT_SPEED:
            begin, way = numbers[SPEED], numbers[SPEED_WAY]
            for i in range(m):
                t = scratch[t_at + i]
                scratch[factor + i] = begin + way * (t if t < one else one)
        else:
            for i in range(m):
                t = scratch[t_at + i]
                p = (t if t < one else one) * steps
                k = np.int32(p)
                at = np.uint64(k) + np.uint64(k)
                scratch[factor + i] = speeds[at] + speeds[at + np.uint64(1)] * (p - np.float32(k))
        # Variations: each particle's own factor, from first to last.
        if len(first) > 0:
            for i in range(m):
                t = scratch[t_at + i]
                scratch[factor + i] *= first[first_row + i] + (last[first_row + i] - first[first_row + i]) * t
        # Forces: turbulence, attractors, then v = v · decay + add (drag, gravity and wind).
        if strength != np.float32(0):
            stir(first_row, m, x, y, vx, flow[: FLOW * FLOW], strength, per_scale, drift_x, drift_y)
            stir(first_row, m, x, y, vy, flow[FLOW * FLOW :], strength, per_scale, drift_x, drift_y)
        for k in range(len(attractors) // ATTRACTOR):
            pull(first_row, m, x, y, vx, vy, attractors[ATTRACTOR * k : ATTRACTOR * k + ATTRACTOR], scratch)
        for i in range(m):
            v = vx[first_row + i] * decay + add_x
            vx[first_row + i] = v
            scratch[mx + i] = v * scratch[factor + i] * dt
        for i in range(m):
            v = vy[first_row + i] * decay + add_y
            vy[first_row + i] = v
            scratch[my + i] = v * scratch[factor + i] * dt
        # Particles that stick to something do not move.
        if len(pick) > 0:
            for i in range(m):
                if pick[first_row + i] < 0:
                    vx[first_row + i] = vy[first_row + i] = scratch[mx + i] = scratch[my + i] = np.float32(0)
        # Vortices change the movement of this tick.
        for k in range(len(vortices) // VORTEX):
            whirl(first_row, m, x, y, vx, vy, vortices[VORTEX * k : VORTEX * k + VORTEX], dt, scratch)
        for i in range(m):
            x[first_row + i] += scratch[mx + i]
        for i in range(m):
            y[first_row + i] += scratch[my + i]
        # The angle: spin times its curve over life, plus growth with age.
        if straight & STRAIGHT_SPIN and numbers[SPIN_WAY] == np.float32(0) and gain == np.float32(0):
            turned = numbers[SPIN] * dt
            for i in range(m):
                angle[first_row + i] += spin[first_row + i] * turned
        else:
            for i in range(m):
                t = scratch[t_at + i]
                p = (t if t < one else one) * steps
                k = np.int32(p)
                at = np.uint64(k) + np.uint64(k)
                turned = spins[at] + spins[at + np.uint64(1)] * (p - np.float32(k)) + gain * age[first_row + i]
                angle[first_row + i] += spin[first_row + i] * turned * dt
        # Removal of the dead. Without dead ones in this block and without a gap before it, nothing is moved.
        living = np.int32(0)
        for i in range(m):
            living += np.int32(1) if scratch[t_at + i] < one else np.int32(0)
        if alive == first_row and np.uint64(living) == m:
            alive += m
            first_row += m
            continue
        # Runs of living particles between the dead, and a record of each particle that died.
        count, start, parts = np.uint64(0), np.uint64(0), 0
        for i in range(m):
            if not scratch[t_at + i] < one:
                if np.uint64(i) > start:
                    runs[2 * parts], runs[2 * parts + 1] = start, np.uint64(i) - start
                    count += np.uint64(i) - start
                    parts += 1
                start = np.uint64(i) + np.uint64(1)
                if len(died) > 0:
                    out = 5 * dead
                    died[out], died[out + 1] = x[first_row + i], y[first_row + i]
                    died[out + 2] = vx[first_row + i] * scratch[factor + i]
                    died[out + 3] = vy[first_row + i] * scratch[factor + i]
                    died.view(np.int32)[out + 4] = rgba[first_row + i]
                dead += 1
        if m > start:
            runs[2 * parts], runs[2 * parts + 1] = start, m - start
            count += m - start
            parts += 1
        for column in (x, y, vx, vy, age, life, angle, spin, size, rgba.view(np.float32)):
            shift(column, scratch, runs, parts, first_row, m, alive)
        if len(first) > 0:
            for column in (first, last, last_size, pick.view(np.float32)):
                shift(column, scratch, runs, parts, first_row, m, alive)
        alive += count
        first_row += m
    return np.int64(alive), dead


@njit(borrows=True)
def shift(column: Array, scratch: Array, runs: Array, parts: int, start: Any, m: Any, alive: Any) -> None:
    """Move the runs of living particles of a block down, one after another, so that the first one begins at row
    `alive`.
    """
    for i in range(m):
        scratch[i] = column[start + i]
    for r in range(parts):
        begin, count = runs[2 * r], runs[2 * r + 1]
        for i in range(count):
            column[alive + i] = scratch[begin + i]
        alive += count


@njit(borrows=True)
def whirl(start: Any, m: Any, x: Array, y: Array, vx: Array, vy: Array, vortex: Array, dt: Any, scratch: Array) -> None:
    """Apply one vortex to the movements of a block: way += (w·dt - way)·f, or way += (w - v)·f if it is literal."""
    mx, my, factor, one = np.uint64(BLOCK), np.uint64(2 * BLOCK), np.uint64(3 * BLOCK), np.float32(1)
    cx, cy, tx, ty, r, strength, literal = (
        vortex[0], vortex[1], vortex[2], vortex[3], vortex[4], vortex[5], vortex[6],
    )  # fmt: skip
    if literal != np.float32(0):
        for i in range(m):
            dx, dy = x[start + i] - cx, y[start + i] - cy
            f = strength / (one + (dx * dx + dy * dy) * r)
            wx, wy = -dy * tx, dx * ty
            scratch[mx + i] += (wx - vx[start + i] * scratch[factor + i]) * f
            scratch[my + i] += (wy - vy[start + i] * scratch[factor + i]) * f
        return
    tx, ty = tx * dt, ty * dt
    for i in range(m):
        dx, dy = x[start + i] - cx, y[start + i] - cy
        f = strength / (one + (dx * dx + dy * dy) * r)
        scratch[mx + i] += (-dy * tx - scratch[mx + i]) * f
        scratch[my + i] += (dx * ty - scratch[my + i]) * f


@njit(borrows=True)
def pull(start: Any, m: Any, x: Array, y: Array, vx: Array, vy: Array, attractor: Array, scratch: Array) -> None:
    """Apply one attractor to a block: v += d/|d|·strength·max(1 - |d|/radius, 0); particles within `swallow` die."""
    one, nothing = np.float32(1), np.float32(0)
    cx, cy, strength, per_radius, near = attractor[0], attractor[1], attractor[2], attractor[3], attractor[4]
    for i in range(m):
        dx, dy = cx - x[start + i], cy - y[start + i]
        square = dx * dx + dy * dy
        length = np.float32(np.sqrt(square))
        fade = one - length * per_radius
        fade = fade if fade > nothing else nothing
        force = strength * fade / (length if length > np.float32(1e-3) else np.float32(1e-3))
        vx[start + i] += dx * force
        vy[start + i] += dy * force
        if square < near:
            scratch[i] = one


@njit(borrows=True)
def stir(
    start: Any, m: Any, x: Array, y: Array, v: Array, field: Array, strength: Any, per_scale: Any, dx: Any, dy: Any
) -> None:
    """Add the turbulence at each particle of a block (bilinear interpolation in a repeating field of FLOW² values)."""
    mask = np.int32(FLOW - 1)
    for i in range(m):
        u, w = x[start + i] * per_scale + dx, y[start + i] * per_scale + dy
        fu, fw = np.float32(np.floor(u)), np.float32(np.floor(w))
        u, w = u - fu, w - fw
        c0, r0 = np.int32(fu) & mask, np.int32(fw) & mask
        c1, r1 = (c0 + np.int32(1)) & mask, (r0 + np.int32(1)) & mask
        a = field[r0 * np.int32(FLOW) + c0] + (field[r0 * np.int32(FLOW) + c1] - field[r0 * np.int32(FLOW) + c0]) * u
        b = field[r1 * np.int32(FLOW) + c0] + (field[r1 * np.int32(FLOW) + c1] - field[r1 * np.int32(FLOW) + c0]) * u
        v[start + i] += (a + (b - a) * w) * strength
