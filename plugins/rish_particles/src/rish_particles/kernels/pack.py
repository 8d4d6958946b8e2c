"""The compiled kernel from particles to sprite instances: culls, colors and packs in one pass, sixteen bytes each.

All values here are only for drawing: size and color over life are computed only for drawn particles, and positions are
interpolated between two ticks, `p - velocity·back`. The layout is that of `rish_frame.frame.instances`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, maths, njit

from .spawn import times

PER_TURN = np.float32(65536 / (2 * np.pi))
(
    BACK, STRETCH, WIDE, HIGH, X0, Y0, X1, Y1, ORIGIN_X, ORIGIN_Y, SCALE, A, B, C, D, TX, TY, ROTATION, GROWTH,
) = range(19)  # fmt: skip
"""Indices of the numbers for `pack`: seconds before the last tick; seconds of stretch; width and height of an image
whose longer side is 1; the visible box; the origin and the scale of the instances; the matrix of a local pool, its
rotation and its scale."""
NUMBERS = 19


@njit(borrows=True)
def pack(
    n: int, pool: Any, curves: Any, cells_of: Any, aligned: bool, order: Array, step: int, numbers: Array, out: Array
) -> int:
    """Pack the visible particles among n particles into `out`, uint64 2·k, in their order; return their number.

    pool: the columns and the extras of its `Span`. curves: speed, size and color over life. cells_of: int32, the frame
    of each cell, and how they play: above 0 cells a second, below 0 all once, 0 random. aligned: whether they point in
    the direction of their velocity. order: int32, the rows to draw, or empty for all, forwards (step 1) or backwards
    (-1).
    """
    columns, extras = pool
    x, y, vx, vy, age, life, angle, _, size, rgba = columns
    first, last, last_size, pick = extras
    speeds, sizes, colors = curves
    frames, play = cells_of
    one, half, steps = np.float32(1), np.float32(0.5), np.float32(128)
    low, high, maximum = np.float32(-32768), np.float32(32767), np.float32(65535)
    back, stretch, wide, tall = numbers[BACK], numbers[STRETCH], numbers[WIDE], numbers[HIGH]
    a, b, c, d, tx, ty = numbers[A], numbers[B], numbers[C], numbers[D], numbers[TX], numbers[TY]
    scale = numbers[SCALE]
    cells, varied = len(frames), len(first) > 0
    count = 0
    for k in range(n):
        i = np.int64(order[k]) if len(order) > 0 else np.int64(k if step > 0 else n - 1 - k)
        # Share of life, and its position in the curves (128 steps, interpolated).
        t = age[i] / life[i]
        t = t if t < one else one
        p = t * steps
        at = np.int64(p)
        part = p - np.float32(at)
        u, v = vx[i], vy[i]
        factor = speeds[2 * at] + speeds[2 * at + 1] * part
        extent = size[i]
        if varied:
            factor *= first[i] + (last[i] - first[i]) * t
            if last_size[i] >= np.float32(0):
                extent += (last_size[i] - extent) * t
        u, v = u * factor, v * factor
        # The position between two ticks: p - v · back, then the matrix of a local pool.
        before = back if back < age[i] else age[i]
        px, py = x[i] - u * before, y[i] - v * before
        px, py = a * px + c * py + tx, b * px + d * py + ty
        # Size over life, and the angle; aligned particles are rotated and stretched along their velocity.
        extent *= (sizes[2 * at] + sizes[2 * at + 1] * part) * numbers[GROWTH]
        w, h = extent * wide, extent * tall
        turn = angle[i] + numbers[ROTATION]
        if aligned:
            u, v = a * u + c * v, b * u + d * v
            turn = np.float32(maths.atan2(np.float64(v), np.float64(u))) + angle[i]
            w += np.float32(np.sqrt(u * u + v * v)) * stretch
        # Culling by the bounding square, and by the range of 16 bits.
        reach = (w + h) * half
        visible = (px + reach >= numbers[X0]) & (px - reach <= numbers[X1]) & (py + reach >= numbers[Y0])
        visible &= (
            (py - reach <= numbers[Y1]) & (w > np.float32(0)) & (h > np.float32(0)) & (turn - turn == np.float32(0))
        )
        fx, fy = np.floor((px - numbers[ORIGIN_X]) * scale + half), np.floor((py - numbers[ORIGIN_Y]) * scale + half)
        visible &= (fx >= low) & (fx <= high) & (fy >= low) & (fy <= high)
        # Color over life times the particle's own; transparent ones are skipped.
        color = colors[np.int64(t * np.float32(256) + half)]
        if rgba[i] != np.int32(-1):
            color = times(color, rgba[i])
        if not visible or (np.uint32(color) >> np.uint32(24)) == np.uint32(0):
            continue
        fw, fh = np.floor(w * (scale + scale) + half), np.floor(h * (scale + scale) + half)
        fw, fh = fw if fw < maximum else maximum, fh if fh < maximum else maximum
        # The cell of a flipbook: by age, by share of life, or by chance.
        cell = np.int64(0)
        if cells > 1:
            if play > np.float32(0):
                cell = np.int64(age[i] * play) % cells
            elif play < np.float32(0):
                cell = min(np.int64(t * np.float32(cells)), cells - 1)
            else:
                cell = np.int64(pick[i] & np.int32(0x7FFFFFFF)) % cells
        # The 16 bytes: x y w h, then rotation, frame and color.
        low_x = np.uint64(np.int64(fx)) & np.uint64(0xFFFF)
        low_y = np.uint64(np.int64(fy)) & np.uint64(0xFFFF)
        lower = low_x | low_y << np.uint64(16)
        lower |= np.uint64(np.int64(fw)) << np.uint64(32) | np.uint64(np.int64(fh)) << np.uint64(48)
        turned = np.uint64(np.int64(np.floor(turn * PER_TURN + half)) & np.int64(0xFFFF))
        out[2 * count] = lower
        out[2 * count + 1] = (
            turned | np.uint64(frames[cell]) << np.uint64(16) | np.uint64(np.uint32(color)) << np.uint64(32)
        )
        count += 1
    return count
