"""Ribbons: many short strips in one call, new in every frame, for trails.

A strip is a row of sections across the path with four corners each: the two edges, and a pixel further out two
transparent corners. At a sharp turn there are two sections at one place, one for each direction, so that the ribbon
bends and does not fold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_jit import Array, njit

_f32 = np.float32
_i64 = np.int64
_CAP = 4
"""The number of sections of the half circle at the front."""


@dataclass(frozen=True)
class Ribbons:
    """n ribbons, one after another. positions float32 (m, 3), colors uint8 (m, 4), indices int32 (k, 3).

    corners, triangles: int64 (n + 1), the start of each ribbon. bounds: float32 (n, 2) each, least and greatest x and
    y.
    """

    positions: Array
    colors: Array
    indices: Array
    corners: Array
    triangles: Array
    bounds: tuple[Array, Array]

    @property
    def sizes(self) -> Array:
        """The number of triangles of each ribbon, int64 n."""
        return np.diff(self.triangles)

    def arrays(self, which: Array) -> dict[str, Array]:
        """Return the arrays of a batch of some ribbons, by their numbers; fastest if these are consecutive."""
        if len(which) == which[-1] - which[0] + 1 and (np.diff(which) == 1).all():
            runs = [(int(which[0]), int(which[-1]) + 1)]
        else:
            runs = [(k, k + 1) for k in which.tolist()]
        corners, triangles = self.corners.tolist(), self.triangles.tolist()
        vertex = [slice(corners[a], corners[b]) for a, b in runs]
        first = np.cumsum([0, *(part.stop - part.start for part in vertex)]).tolist()
        indices = [
            self.indices[triangles[a] : triangles[b]] + np.int32(first[k] - corners[a]) for k, (a, b) in enumerate(runs)
        ]
        return {
            "positions": np.concatenate([self.positions[part] for part in vertex]),
            "colors": np.concatenate([self.colors[part] for part in vertex]),
            "indices": np.concatenate(indices),
        }


def make_ribbons(
    place: Array, age: Array, broken: Array, count: Array, length: Array, half: Array, colors: Array, pixel: Array
) -> Ribbons:
    """Make ribbons through the places of n entities, newest first, (n, p, 2).

    age: seconds, (n, p). broken: (n, p), whether a place is not connected to the next older one. count: n, the number
    of known places. length: seconds, n; older places are left out, and the end is interpolated at that age. half: (n,
    2), half the width at start and end. colors: (n, 2, 4), 0..1. pixel: n, the size of a pixel in units.
    """
    n, p = place.shape[:2]
    room = n * (2 * (p + 1) + _CAP) * 4
    positions, vertex_colors = np.zeros((room, 3), np.float32), np.zeros((room, 4), np.uint8)
    indices = np.empty((room // 4 * 6, 3), np.int32)
    corners, triangles = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    low, high = np.zeros((n, 2), np.float32), np.zeros((n, 2), np.float32)
    inputs = (place, age, length, half, colors, pixel)
    place, age, length, half, colors, pixel = (np.ascontiguousarray(array, np.float32) for array in inputs)
    fill_ribbons(
        place.reshape(-1), age, np.ascontiguousarray(broken), np.ascontiguousarray(count, np.int64), length, half,
        colors, pixel, positions.reshape(-1), vertex_colors, indices, corners, triangles, low, high,
    )  # fmt: skip
    used, faces = int(corners[-1]), int(triangles[-1])
    return Ribbons(positions[:used], vertex_colors[:used], indices[:faces], corners, triangles, (low, high))


@njit
def _section(
    positions: Any, vertex_colors: Any, at: Any, x: Any, y: Any, nx: Any, ny: Any, half: Any, bend: Any, part: Any,
    colors: Any, pixel: Any,
) -> None:  # fmt: skip
    """Write four corners across the path. n: the direction across, to the left. part: 0 at the start, 1 at the end.

    bend: curvature, one over the radius, above 0 to the left; the inner side stops before the circle's center.
    """
    low = max(half - _f32(0.5) * pixel, _f32(0))
    high = max(half, _f32(0.5) * pixel) + _f32(0.5) * pixel
    cover = min(_f32(1), _f32(2) * half / pixel)
    for k in range(4):
        side = _f32(1) if k < 2 else _f32(-1)
        reach = high if k == 0 or k == 3 else low
        if reach * bend * side > _f32(0.8):
            reach = _f32(0.8) / (bend * side)
        reach = reach * side
        positions[3 * (at + k)], positions[3 * (at + k) + 1] = x + nx * reach, y + ny * reach
        for c in range(4):
            value = colors[0, c] + part * (colors[1, c] - colors[0, c])
            if c == 3:
                value = value * cover if k == 1 or k == 2 else _f32(0)
            vertex_colors[at + k, c] = np.uint8(min(max(value, _f32(0)), _f32(1)) * _f32(255) + _f32(0.5))


@njit
def fill_ribbons(
    place: Any, age: Any, broken: Any, count: Any, length: Any, half: Any, colors: Any, pixel: Any,
    positions: Any, vertex_colors: Any, indices: Any, corners: Any, triangles: Any, low: Any, high: Any,
) -> None:  # fmt: skip
    """The kernel of `make_ribbons`; place and positions are flat."""
    at, face = _i64(0), _i64(0)
    p = age.shape[1]
    xs, ys, parts = np.empty(p + 1, np.float32), np.empty(p + 1, np.float32), np.empty(p + 1, np.float32)
    for i in range(count.shape[0]):
        k, last = _i64(0), min(count[i], _i64(p))
        low[i, 0], low[i, 1], high[i, 0], high[i, 1] = _f32(np.inf), _f32(np.inf), _f32(-np.inf), _f32(-np.inf)
        while k < last and age[i, k] <= length[i]:
            begin, n = k, _i64(0)
            while k < last:  # collect the places up to a break, without those at the same position
                x, y, part = place[2 * (i * p + k)], place[2 * (i * p + k) + 1], age[i, k] / length[i]
                over = part > _f32(1)
                if over and n > 0:
                    rest = (_f32(1) - parts[n - 1]) / (part - parts[n - 1])
                    x, y = xs[n - 1] + rest * (x - xs[n - 1]), ys[n - 1] + rest * (y - ys[n - 1])
                    part = _f32(1)
                apart = n == 0 or (abs(x - xs[n - 1]) + abs(y - ys[n - 1]) > _f32(0.05) * pixel[i])
                if (apart or over) and not (over and n == 0) and abs(x) < _f32(1e9) and abs(y) < _f32(1e9):
                    if not apart:
                        n -= 1
                    xs[n], ys[n], parts[n] = x, y, part
                    n += 1
                stop = over or broken[i, k]
                k = last if over else k + 1
                if stop:
                    break
            front, begin = begin == 0, at
            if front and n > 1:  # a half circle at the front, with half the width as its radius
                dx, dy = xs[0] - xs[1], ys[0] - ys[1]
                size = _f32(np.sqrt(dx * dx + dy * dy))
                dx, dy = dx / size, dy / size
                for c in range(_CAP):
                    turn = _f32(0.5 * np.pi) * _f32(c) / _f32(_CAP)
                    x, y = xs[0] + dx * half[i, 0] * np.cos(turn), ys[0] + dy * half[i, 0] * np.cos(turn)
                    wide = half[i, 0] * np.sin(turn)
                    _section(positions, vertex_colors, at, x, y, dy, -dx, wide, _f32(0), parts[0], colors[i], pixel[i])
                    at += 4
            for j in range(n if n > 1 else 0):
                ax, ay, bx, by = _f32(0), _f32(0), _f32(0), _f32(0)
                if j > 0:
                    ax, ay = xs[j] - xs[j - 1], ys[j] - ys[j - 1]
                if j + 1 < n:
                    bx, by = xs[j + 1] - xs[j], ys[j + 1] - ys[j]
                sa, sb = _f32(np.sqrt(ax * ax + ay * ay)), _f32(np.sqrt(bx * bx + by * by))
                ax, ay = (ax / sa, ay / sa) if sa > _f32(0) else (bx / sb, by / sb)
                bx, by = (bx / sb, by / sb) if sb > _f32(0) else (ax, ay)
                dot = ax * bx + ay * by
                wide = half[i, 0] + parts[j] * (half[i, 1] - half[i, 0])
                if dot < _f32(0.3):
                    _section(
                        positions,
                        vertex_colors,
                        at,
                        xs[j],
                        ys[j],
                        -ay,
                        ax,
                        wide,
                        _f32(0),
                        parts[j],
                        colors[i],
                        pixel[i],
                    )
                    _section(
                        positions,
                        vertex_colors,
                        at + 4,
                        xs[j],
                        ys[j],
                        -by,
                        bx,
                        wide,
                        _f32(0),
                        parts[j],
                        colors[i],
                        pixel[i],
                    )
                    at += 8
                else:
                    grow = _f32(1) / (_f32(1) + dot)  # of a miter: the sum of two unit normals over this
                    nx, ny = -(ay + by) * grow, (ax + bx) * grow
                    short = min(sa, sb) if j > 0 and j + 1 < n else max(sa, sb)
                    bend = _f32(2) * (ax * by - ay * bx) * grow / short
                    _section(
                        positions, vertex_colors, at, xs[j], ys[j], nx, ny, wide, bend, parts[j], colors[i], pixel[i]
                    )
                    at += 4
                low[i, 0], low[i, 1] = min(low[i, 0], xs[j] - wide), min(low[i, 1], ys[j] - wide)
                high[i, 0], high[i, 1] = max(high[i, 0], xs[j] + wide), max(high[i, 1], ys[j] + wide)
            for corner in range(begin, at - 4, 4):
                for side in range(3):
                    a = np.int32(corner + side)
                    indices[face, 0], indices[face, 1], indices[face, 2] = a, a + 1, a + 4
                    indices[face + 1, 0], indices[face + 1, 1], indices[face + 1, 2] = a + 1, a + 5, a + 4
                    face += 2
        corners[i + 1], triangles[i + 1] = at, face
