"""Kernels of fog: they rasterize polygons to squares, soften the squares, and draw the fog."""

from __future__ import annotations

import numpy as np

from rish_jit import njit

from ..drawers.software.composite_kernels import decoded, encoded
from ..post.kernels import spot

F = np.float32


@njit
def fill(points, starts, out):
    """Set the squares whose middle is inside any of the polygons.

    points: float64 (k, 2), in squares from the corner of the grid. starts: int64 (m + 1). out: uint8 (h, w).
    Even-odd rule: an edge of a polygon flips all squares on its right in each row that it crosses; squares that are
    flipped an odd number of times are inside.
    """
    high, wide = out.shape
    turned = np.zeros((high, wide + 1), np.uint8)
    for k in range(starts.size - 1):
        first, last = starts[k], starts[k + 1]
        low, top = high, -1
        for p in range(first, last):
            q = p + 1 if p + 1 < last else first
            x0, y0, x1, y1 = points[p, 0], points[p, 1], points[q, 0], points[q, 1]
            if y0 == y1:
                continue
            begin = max(int(np.ceil(max(min(y0, y1) - 0.5, -1.0))), 0)
            end = min(int(np.ceil(min(max(y0, y1) - 0.5, high + 1.0))), high)
            for row in range(begin, end):
                x = x0 + (row + 0.5 - y0) * ((x1 - x0) / (y1 - y0))
                column = int(np.ceil(min(max(x - 0.5, 0.0), float(wide))))
                turned[row, column] ^= 1
            low, top = min(low, begin), max(top, end)
        for row in range(low, top):
            inside = np.uint8(0)
            for column in range(wide):
                inside ^= turned[row, column]
                out[row, column] |= inside
            for column in range(wide + 1):
                turned[row, column] = 0


@njit
def goal(explored, visible, solid, margin, soft, out):
    """Compute the target clearness of each square from `explored` and from `visible`.

    The visible area is grown by `margin` squares into walls, then blurred `soft` times. explored, visible, solid: uint8
    (h, w). out: float32 (h, w, 2).
    """
    high, wide = explored.shape
    for layer in range(2):
        squares = explored if layer == 0 else visible
        plane = np.empty((high, wide), np.float32)
        for y in range(high):
            for x in range(wide):
                plane[y, x] = F(1) if squares[y, x] else F(0)
        for k in range(margin):
            plane = _grown(plane, solid, k % 2 == 0)
        for _ in range(soft):
            plane = _blurred(plane)
        out[:, :, layer] = plane


@njit
def _grown(plane, solid, corners):
    """Return the squares, where each solid square gets the value of its clearest neighbor.

    corners: whether diagonal neighbors count; alternating calls with and without grow an octagon.
    """
    high, wide = plane.shape
    across, result = np.empty_like(plane), np.empty_like(plane)
    for y in range(high):
        for x in range(wide):
            across[y, x] = max(plane[y, x], plane[y, max(x - 1, 0)], plane[y, min(x + 1, wide - 1)])
    for y in range(high):
        for x in range(wide):
            beside = across if corners else plane
            clear = max(across[y, x], beside[max(y - 1, 0), x], beside[min(y + 1, high - 1), x])
            result[y, x] = clear if solid[y, x] else plane[y, x]
    return result


@njit
def _blurred(plane):
    """Return the squares blurred with the weights 1, 2, 1 in both directions."""
    high, wide = plane.shape
    across, result = np.empty_like(plane), np.empty_like(plane)
    for y in range(high):
        for x in range(wide):
            beside = plane[y, max(x - 1, 0)] + plane[y, min(x + 1, wide - 1)]
            across[y, x] = plane[y, x] * F(0.5) + beside * F(0.25)
    for y in range(high):
        for x in range(wide):
            beside = across[max(y - 1, 0), x] + across[min(y + 1, high - 1), x]
            result[y, x] = across[y, x] * F(0.5) + beside * F(0.25)
    return result


@njit
def approach(current, target, share):
    """Move each value of `current`, float32 n, towards `target` by a share; return True if any has moved."""
    moving = False
    for i in range(current.size):
        difference = target[i] - current[i]
        if difference != F(0):
            current[i] = target[i] if abs(difference) < F(0.004) else current[i] + difference * share
            moving = True
    return moving


@njit
def veil_encoded(out, squares, at, numbers, clip, decode_table, encode_table):
    """Draw fog onto an encoded image, uint8 (h, w, 4), premultiplied, top row first; see `veil_linear`."""
    shares, color = np.empty(2, np.float32), np.empty(3, np.float32)
    for row in range(clip[1], clip[3]):
        for column in range(clip[0], clip[2]):
            _share(squares, at, column, out.shape[0] - 1 - row, shares)
            if shares[0] >= F(1):
                continue
            for c in range(3):
                color[c] = decoded(F(out[row, column, c]), decode_table)
            _lay_fog(color, F(out[row, column, 3]) / F(255), shares, numbers)
            for c in range(3):
                out[row, column, c] = np.uint8(encoded(color[c], encode_table) + F(0.5))


@njit
def veil_linear(out, squares, at, numbers, clip):
    """Draw fog onto an image in linear light, float32 (h, w, 4), premultiplied, top row first.

    squares: float32 (H, W, 2), the bottom row first. at: float32 6, the matrix from pixels, y up, to squares by rows,
    then the position of pixel (0, 0). numbers: float32 8: the fog's linear color, its opacity, dim, saturation. clip:
    int64 4, x0 y0 x1 y1, row 0 on top.
    """
    shares = np.empty(2, np.float32)
    for row in range(clip[1], clip[3]):
        for column in range(clip[0], clip[2]):
            _share(squares, at, column, out.shape[0] - 1 - row, shares)
            if shares[0] < F(1):
                _lay_fog(out[row, column, :3], out[row, column, 3], shares, numbers)


@njit
def _share(squares, at, column, line, shares):
    """Compute the two values of a pixel, its visibility now and whether it was ever visible, 0..1: bilinear between
    squares, then smoothstep; 0 outside the grid.
    """
    high, wide = squares.shape[0], squares.shape[1]
    x, y = F(column) + F(0.5), F(line) + F(0.5)
    u, v = at[0] * x + at[1] * y + at[4], at[2] * x + at[3] * y + at[5]
    if not (u >= F(0) and v >= F(0) and u <= F(wide) and v <= F(high)):
        shares[0] = shares[1] = F(0)
        return
    (x0, x1, s), (y0, y1, t) = spot(u, wide), spot(v, high)
    for layer in range(2):
        below = squares[y0, x0, layer] + (squares[y0, x1, layer] - squares[y0, x0, layer]) * s
        above = squares[y1, x0, layer] + (squares[y1, x1, layer] - squares[y1, x0, layer]) * s
        mixed = below + (above - below) * t
        shares[layer] = mixed * mixed * (F(3) - F(2) * mixed)


@njit
def _lay_fog(color, alpha, shares, numbers):
    """Blend fog over a premultiplied linear color."""
    visible, ever = shares[0], max(shares[0], shares[1])
    gray = F(0.2126) * color[0] + F(0.7152) * color[1] + F(0.0722) * color[2]
    dim, full = numbers[4] * (F(1) - visible), numbers[5]
    hidden = (F(1) - ever) * numbers[3]
    for c in range(3):
        explored = gray + (color[c] - gray) * full
        color[c] = (color[c] * visible + explored * dim) * (F(1) - hidden) + numbers[c] * alpha * hidden
