"""The kernel of rectangles and circles: their matrices, sizes and colors on the screen.

The columns of the table, and the arrays with several numbers a box, are flat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ...components.visible import ShapeForm
from ...drawables.colors import rgba_word

_CIRCLE = list(ShapeForm).index(ShapeForm.CIRCLE)
_ZERO, _HALF, _TWO = np.float32(0), np.float32(0.5), np.float32(2)


@njit(borrows=True)
def write_boxes(rows: Array, seen: Any, columns: Any, views: Any, out: Any) -> int:
    """Write the arrays of the boxes that touch the visible area, one after the other; return how many do.

    rows: of the table, n. seen: the matrices, float32 (n, 6), and layers, int64 n. columns: of the table. views: the
    bounds of the camera's view and of the screen, x0 y0 x1 y1 each, float32, and which layers are in screen space.
    out: of each box its matrix, float32 6, and half its sides, float32 2; the radius of its corners and the width of
    its outline, float32; 1 for a circle, uint8; the colors at the top, at the bottom and of the outline, uint32; then
    layer, int64, z and height, float32, and blend mode, int64. All have room for n boxes.
    """
    matrix, numbers = seen
    form, radius, size, anchor, corner_radius, outline_width, color, color_end, outline, opacity, z, blend = columns
    bounds, screen = views
    placed, half, corner, line, kind, rgba, rgba2, edge, layer, depth, height, state = out
    count = 0
    for k in range(len(rows)):
        row, m, number = rows[k], 6 * k, numbers[k]
        circle = form[row] == _CIRCLE
        is_round = circle and radius[row] > _ZERO
        wide = _TWO * radius[row] if is_round else size[2 * row]
        high = _TWO * radius[row] if is_round else size[2 * row + 1]
        ax, ay, ux, uy = matrix[m] * wide, matrix[m + 1] * wide, matrix[m + 2] * high, matrix[m + 3] * high
        right, up = _HALF - anchor[2 * row], _HALF - anchor[2 * row + 1]
        x, y = matrix[m + 4] + ax * right + ux * up, matrix[m + 5] + ay * right + uy * up
        reach_x, reach_y = (abs(ax) + abs(ux)) * _HALF, (abs(ay) + abs(uy)) * _HALF
        v = 4 if screen[number] else 0
        if not (
            x + reach_x >= bounds[v] and y + reach_y >= bounds[v + 1]
            and x - reach_x <= bounds[v + 2] and y - reach_y <= bounds[v + 3]
        ):  # fmt: skip
            continue  # also an infinite box, and one whose numbers are NaN
        m = 6 * count
        placed[m], placed[m + 1], placed[m + 2], placed[m + 3], placed[m + 4], placed[m + 5] = ax, ay, ux, uy, x, y
        half[2 * count], half[2 * count + 1] = _length(ax, ay) * _HALF, _length(ux, uy) * _HALF
        m = 6 * k
        scale = min(_length(matrix[m], matrix[m + 1]), _length(matrix[m + 2], matrix[m + 3]))
        corner[count], line[count] = corner_radius[row] * scale, outline_width[row] * scale
        kind[count] = circle
        at = np.uint64(4 * row)
        rgba[count] = rgba_word(color, at, opacity[row])
        rgba2[count] = rgba_word(color_end, at, opacity[row]) if color_end[4 * row + 3] > _ZERO else rgba[count]
        edge[count] = rgba_word(outline, at, opacity[row])
        layer[count], depth[count], height[count], state[count] = number, z[row], matrix[m + 5], blend[row]
        count += 1
    return count


@njit(borrows=True, inline="always")
def _length(x: Any, y: Any) -> Any:
    """Return the length of a vector, rounded once; the same bits as `np.hypot` of float32."""
    return np.float32(np.sqrt(np.float64(x) * np.float64(x) + np.float64(y) * np.float64(y)))
