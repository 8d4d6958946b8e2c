"""Places instances in the world and finds those in a view volume: kernels, and the same in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, Ready, njit
from rish_jit.simd import (
    LANES,
    bits,
    gather4,
    load,
    maximum,
    put4,
    splat,
    sqrt,
    store,
    store_first,
)
from rish_space3d import product

from .sorted_rows import SortedRows

WORDS = 8
"""The number of int64 in an instance of 64 bytes."""
MIN_KERNEL_INSTANCES = 1024
"""The smallest number of instances for which compiled kernels save more time than they take to load."""


def place(
    which: Array, row: Array, offset: Array, ball: Array, world: Array, offsets: Array, out: Array, spheres: Array,
    turned: Array,
) -> None:  # fmt: skip
    """Write the matrices and the bounding spheres of some instances.

    which: int32 (k,), the instances. row, offset: int32 (n,), the rows of their matrices in `world`, and of their
    node's matrices in `offsets`, both (m, 3, 4); offset 0 is the identity. ball: (n, 4), middle and radius in the node.
    out: float32 (n, 16), the first 12 columns are written. spheres: (n, 4), in the world. turned: uint8 (n,), 1 where
    the matrix in `world` mirrors.
    """
    if READY.serve(len(which), MIN_KERNEL_INSTANCES):
        place_rows(
            which, row, offset, ball.reshape(-1), world.reshape(-1), offsets.reshape(-1), out.reshape(-1),
            spheres.reshape(-1), turned,
        )  # fmt: skip
        return
    matrices = world[row[which]]
    turned[which] = mirrors(matrices)
    has_offset = offset[which] > 0
    if has_offset.any():
        matrices[has_offset] = product(matrices[has_offset], offsets[offset[which[has_offset]]])
    balls = ball[which]
    out[which, :12] = matrices.reshape(-1, 12)
    spheres[which, :3] = (matrices[:, :, :3] @ balls[:, :3, None])[:, :, 0] + matrices[:, :, 3]
    spheres[which, 3] = np.sqrt((matrices[:, :, :3] ** 2).sum(axis=1).max(axis=1)) * balls[:, 3]


def mirrors(matrices: Array) -> Array:
    """Return which matrices (n, 3, 4) mirror, bool (n,)."""
    (a, b, c), (d, e, f), (g, h, i) = (matrices[:, row, :3].T for row in range(3))
    turned: Array = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0
    return turned


def inside(spheres: Array, bits: Array, planes: Array, shown: int) -> Array:
    """Return which instances touch a volume and have a bit of `shown`, bool (n,).

    spheres: (n, 4). bits: int32 (n,). planes: float32 (6, 4), see `rish_space3d.frustum_planes`.
    """
    distances = spheres[:, :3] @ planes[:, :3].T + planes[:, 3]
    touches: Array = (distances >= -spheres[:, 3:]).all(axis=1) & ((bits & np.int32(shown)) != 0)
    return touches


def take_inside(
    seen: SortedRows, spheres: Array, bits: Array, planes: Array, shown: int, rows: Array, order: SortedRows, last: int
) -> bool:
    """Copy the instances that touch a volume and have a bit of `shown`; return whether the copies changed.

    seen: the keys of the instances, and their bytes, int64 (WORDS each). rows: int64 (n, WORDS), the bytes of all.
    order: the keys and numbers of all instances, of which the first `last` are looked at. Others: see `inside`.
    """
    before = seen.count
    keys, out = seen.room(last)
    if READY.serve(last, MIN_KERNEL_INSTANCES):
        count, has_changed = copy_inside(
            spheres.reshape(-1), bits, planes.reshape(-1), np.int32(shown), rows.reshape(-1), order.values, order.keys,
            keys, out, last,
        )  # fmt: skip
        seen.count = int(count)
        return bool(has_changed) or count != before
    which = order.values[:last]
    places = np.flatnonzero(inside(spheres[which], bits[which], planes, shown))
    new = rows[which[places]].reshape(-1)
    has_changed = len(places) != before or not np.array_equal(new, seen.values)
    seen.fill(order.keys[places], new)
    return has_changed


@njit
def place_rows(
    which: Array, row: Array, offset: Array, ball: Array, world: Array, offsets: Array, out: Array, spheres: Array,
    turned: Array,
) -> None:  # fmt: skip
    """Write matrices and spheres as `place` does, of eight instances at a time; all tables are flat."""
    local, around = np.empty(13 * LANES, np.float32), np.empty(5 * LANES, np.float32)
    items, rows, shifts = np.empty(LANES, np.int32), np.empty(LANES, np.int32), np.empty(LANES, np.int32)
    for first in range(0, len(which), LANES):
        count, moved = min(LANES, len(which) - first), False
        for k in range(LANES):
            i = which[first + min(k, count - 1)]
            items[k], rows[k], shifts[k] = i, row[i], offset[i]
            moved |= offset[i] > 0
        a, b, c, d = gather4(world, 12, 0, rows, 0)
        e, f, g, h = gather4(world, 12, 4, rows, 0)
        p, q, r, s = gather4(world, 12, 8, rows, 0)
        mirrored = bits(splat(np.float32(0)) > a * (f * r - g * q) - b * (e * r - g * p) + c * (e * q - f * p))
        if moved:
            x0, y0, z0, w0 = gather4(offsets, 12, 0, shifts, 0)
            x1, y1, z1, w1 = gather4(offsets, 12, 4, shifts, 0)
            x2, y2, z2, w2 = gather4(offsets, 12, 8, shifts, 0)
            d, h = a * w0 + b * w1 + c * w2 + d, e * w0 + f * w1 + g * w2 + h
            s = p * w0 + q * w1 + r * w2 + s
            a, b, c = a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2, a * z0 + b * z1 + c * z2
            e, f, g = e * x0 + f * x1 + g * x2, e * y0 + f * y1 + g * y2, e * z0 + f * z1 + g * z2
            p, q, r = p * x0 + q * x1 + r * x2, p * y0 + q * y1 + r * y2, p * z0 + q * z1 + r * z2
        put4(local, 12, 0, a, b, c, d)
        put4(local, 12, 4, e, f, g, h)
        put4(local, 12, 8, p, q, r, s)
        x, y, z, reach = gather4(ball, 4, 0, items, 0)
        longest = maximum(maximum(a * a + e * e + p * p, b * b + f * f + q * q), c * c + g * g + r * r)
        d, h, s = a * x + b * y + c * z + d, e * x + f * y + g * z + h, p * x + q * y + r * z + s
        put4(around, 4, 0, d, h, s, sqrt(longest) * reach)
        for k in range(count):
            i = items[k]
            store(out, 16 * i, load(local, 12 * k))
            store_first(out, 16 * i + 8, load(local, 12 * k + 8))
            store_first(spheres, 4 * i, load(around, 4 * k))
            turned[i] = mirrored >> k & 1


@njit
def copy_inside(
    spheres: Array, bits: Array, planes: Array, shown: Any, rows: Array, order: Array, keys: Array, out_keys: Array,
    out: Array, last: int,
) -> tuple[int, bool]:  # fmt: skip
    """Write the instances as `take_inside` does; return their number, and whether the copies changed."""
    count, changed = 0, False
    for k in range(last):
        i = order[k]
        s = 4 * i
        x, y, z, r = spheres[s], spheres[s + 1], spheres[s + 2], spheres[s + 3]
        seen = (bits[i] & shown) != 0
        for p in range(0, 24, 4):
            seen &= planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] >= -r
        if seen:
            a, b = WORDS * i, WORDS * count
            if not changed:
                for w in range(WORDS):
                    changed |= out[b + w] != rows[a + w]
            for w in range(WORDS):
                out[b + w] = rows[a + w]
            out_keys[count] = keys[k]
            count += 1
    return count, changed


def _warm_up() -> None:
    rows, flat = np.zeros(1, np.int32), np.ones(16, np.float32)
    place_rows(rows, rows, rows, flat, flat, flat, flat.copy(), flat.copy(), np.zeros(1, np.uint8))
    words, keys = np.zeros(WORDS, np.int64), np.zeros(1, np.int64)
    copy_inside(flat, rows, np.zeros(24, np.float32), np.int32(1), words, rows, keys, keys.copy(), words.copy(), 1)


READY = Ready(_warm_up)
"""Whether the kernels can be called."""
