"""Draws lines in space, and develops pictures in linear light."""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit

F = np.float32
ZERO, HALF, ONE = F(0), F(0.5), F(1)
STEPS = 1024
"""Steps of the table that encodes; see `encode_table`."""


def encode_table():
    """Return float32 (STEPS + 2): the encoded level, 0 to 255, of linear light, in equal steps of its square root.

    Over the square root the curve has no steep part.
    """
    light = (np.minimum(np.arange(STEPS + 2), STEPS) / STEPS) ** 2
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)
    return (encoded * 255).astype(np.float32)


@njit(borrows=True)
def develop_rows(box, shift, source, exposure, tone, table, out):
    """Draw a picture float32 (h, w, 4) over a box of `out`, uint8 (h, w, 4), tone mapped and encoded.

    shift: int64 (2): what to take from a column and a row of `out` for those of the source. tone: 1 for ACES.
    """
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            given, shown = source[y - shift[1], x - shift[0]], out[y, x]
            alpha = min(max(given[3], ZERO), ONE)
            rest = ONE - alpha
            for c in range(3):
                light = max(given[c] / alpha, ZERO) * exposure if alpha > ZERO else ZERO
                if tone == 1:
                    light = min(light, F(1e6)) * F(0.6)
                    light = light * (F(2.51) * light + F(0.03)) / (light * (F(2.43) * light + F(0.59)) + F(0.14))
                root = np.sqrt(min(light, ONE)) * F(STEPS)
                at = np.int64(root)
                level = table[at] + (table[at + 1] - table[at]) * (root - F(at))
                shown[c] = np.uint8(level * alpha + F(shown[c]) * rest + HALF)
            shown[3] = np.uint8(alpha * F(255) + F(shown[3]) * rest + HALF)


@njit(borrows=True)
def _along(value, slope, least, most, left, right):
    """Return the part of left..right in which value + slope·x is between two numbers."""
    if abs(slope) < F(1e-6):
        return (left, right) if least <= value <= most else (left, left)
    a, b = (least - value) / slope, (most - value) / slope
    low, high = min(a, b), max(a, b)
    low, high = min(max(low, F(left)), F(right)), min(max(high, F(left)), F(right))
    return np.int64(np.floor(low)), np.int64(np.ceil(high))


@njit(borrows=True)
def draw_lines(box, lines, colors, tested, depth, out):
    """Draw lines into a box of `out`, float32 (h, w, 4), blended, in order.

    lines: float32 (n, 7): x, y (pixels, row 0 on top) and depth of both ends, and the distance from the middle at which
    the coverage is 0. colors: float32 (n, 4), linear, straight. tested: only where nothing nearer is.
    """
    for k in range(lines.shape[0]):
        ax, ay, az = lines[k, 0], lines[k, 1], lines[k, 2]
        dx, dy, dz, covers = lines[k, 3] - ax, lines[k, 4] - ay, lines[k, 5] - az, lines[k, 6]
        length = np.sqrt(dx * dx + dy * dy)
        ux, uy = (dx / length, dy / length) if length > F(1e-6) else (ONE, ZERO)
        reach = covers + ONE
        top = max(np.int64(max(min(ay, ay + dy) - reach, F(box[1]))), box[1])
        bottom = min(np.int64(min(max(ay, ay + dy) + reach, F(box[3]))) + 1, box[3])
        for y in range(top, bottom):
            py = F(y) + HALF - ay
            across, along = -uy * (HALF - ax) + ux * py, ux * (HALF - ax) + uy * py
            left, right = _along(across, -uy, -covers, covers, box[0], box[2])
            left, right = _along(along, ux, -HALF, length + HALF, left, right)
            for x in range(left, right):
                away, part = across - uy * F(x), along + ux * F(x)
                if part < -HALF or part > length + HALF:
                    continue
                alpha = colors[k, 3] * min(max(covers - abs(away), ZERO), ONE)
                z = az + dz * min(max(part / max(length, F(1e-6)), ZERO), ONE)
                if alpha <= ZERO or (tested and not z < depth[y, x]):
                    continue
                shown, rest = out[y, x], ONE - alpha
                for c in range(3):
                    shown[c] = colors[k, c] * alpha + shown[c] * rest
                shown[3] = alpha + shown[3] * rest
