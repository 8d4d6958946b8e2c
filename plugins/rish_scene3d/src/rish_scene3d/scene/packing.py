"""Places instances in the world and finds those in a volume of view: kernels, and the same in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import Ready, njit
from rish_space3d import product

Array = npt.NDArray[Any]
WORDS = 8
"""The number of int64 in an instance of 64 bytes."""
MANY = 1024
"""The number of instances from which the compiled kernels are worth their loading time."""


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
    if READY.serve(len(which), MANY):
        place_rows(
            which, row, offset, ball.reshape(-1), world.reshape(-1), offsets.reshape(-1), out.reshape(-1),
            spheres.reshape(-1), turned,
        )  # fmt: skip
        return
    made = world[row[which]]
    turned[which] = mirrors(made)
    moved = offset[which] > 0
    if moved.any():
        made[moved] = product(made[moved], offsets[offset[which[moved]]])
    balls = ball[which]
    out[which, :12] = made.reshape(-1, 12)
    spheres[which, :3] = (made[:, :, :3] @ balls[:, :3, None])[:, :, 0] + made[:, :, 3]
    spheres[which, 3] = np.sqrt((made[:, :, :3] ** 2).sum(axis=1).max(axis=1)) * balls[:, 3]


def mirrors(matrices: Array) -> Array:
    """Return bool (n,): whether matrices (n, 3, 4) mirror."""
    (a, b, c), (d, e, f), (g, h, i) = (matrices[:, row, :3].T for row in range(3))
    turned: Array = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0
    return turned


def inside(spheres: Array, bits: Array, planes: Array, shown: int, first: int, last: int) -> Array:
    """Return int32: the instances from first to last whose spheres touch a volume and that have a bit of `shown`.

    spheres: (n, 4). bits: int32 (n,). planes: float32 (6, 4), see `rish_space3d.frustum_planes`.
    """
    some = spheres[first:last]
    away = some[:, :3] @ planes[:, :3].T + planes[:, 3]
    seen = (away >= -some[:, 3:]).all(axis=1) & ((bits[first:last] & np.int32(shown)) != 0)
    return (np.flatnonzero(seen) + first).astype(np.int32)


class Seen:
    """The instances that a volume of view shows: copies in one buffer, which the next frame writes again.

    which: int32, of the list. rows: int64 (n, WORDS), the bytes of instances. version: rises when they are others.
    """

    def __init__(self) -> None:
        self._which: Array = np.zeros(0, np.int32)
        self._rows: Array = np.zeros((0, WORDS), np.int64)
        self.count = self.version = 0

    @property
    def which(self) -> Array:
        """The numbers of the instances in the list, rising."""
        return self._which[: self.count]

    @property
    def rows(self) -> Array:
        """The bytes of the instances."""
        return self._rows[: self.count]

    def take(self, spheres: Array, bits: Array, planes: Array, shown: int, rows: Array, last: int) -> None:
        """Copy those of the first `last` instances that touch a volume and have a bit of `shown`.

        rows: int64 (n, WORDS), the bytes of all instances. Others: see `inside`.
        """
        if len(self._which) < last:
            self._which, self._rows, self.count = np.empty(last, np.int32), np.empty((last, WORDS), np.int64), -1
        if READY.serve(last, MANY):
            count, changed = copy_inside(
                spheres.reshape(-1), bits, planes.reshape(-1), np.int32(shown), rows.reshape(-1), self._which,
                self._rows.reshape(-1), last,
            )  # fmt: skip
        else:
            which = inside(spheres, bits, planes, shown, 0, last)
            new, count = rows[which], len(which)
            changed = count != self.count or not np.array_equal(new, self.rows)
            self._which[:count], self._rows[:count] = which, new
        self.version += bool(changed or count != self.count)
        self.count = count


@njit
def place_rows(
    which: Array, row: Array, offset: Array, ball: Array, world: Array, offsets: Array, out: Array, spheres: Array,
    turned: Array,
) -> None:  # fmt: skip
    """Write matrices and spheres as `place` does; all tables are flat."""
    for k in range(len(which)):
        i = which[k]
        a, b, o, s = 12 * row[i], 12 * offset[i], 16 * i, 4 * i
        x, y, z = ball[s], ball[s + 1], ball[s + 2]
        turned[i] = (
            world[a] * (world[a + 5] * world[a + 10] - world[a + 6] * world[a + 9])
            - world[a + 1] * (world[a + 4] * world[a + 10] - world[a + 6] * world[a + 8])
            + world[a + 2] * (world[a + 4] * world[a + 9] - world[a + 5] * world[a + 8])
        ) < 0
        long0, long1, long2 = np.float32(0), np.float32(0), np.float32(0)
        for r in range(3):
            m0, m1, m2, m3 = world[a + 4 * r], world[a + 4 * r + 1], world[a + 4 * r + 2], world[a + 4 * r + 3]
            if b > 0:
                n0 = m0 * offsets[b] + m1 * offsets[b + 4] + m2 * offsets[b + 8]
                n1 = m0 * offsets[b + 1] + m1 * offsets[b + 5] + m2 * offsets[b + 9]
                n2 = m0 * offsets[b + 2] + m1 * offsets[b + 6] + m2 * offsets[b + 10]
                m3 = m0 * offsets[b + 3] + m1 * offsets[b + 7] + m2 * offsets[b + 11] + m3
                m0, m1, m2 = n0, n1, n2
            out[o + 4 * r], out[o + 4 * r + 1], out[o + 4 * r + 2], out[o + 4 * r + 3] = m0, m1, m2, m3
            spheres[s + r] = m0 * x + m1 * y + m2 * z + m3
            long0, long1, long2 = long0 + m0 * m0, long1 + m1 * m1, long2 + m2 * m2
        spheres[s + 3] = np.sqrt(max(long0, long1, long2)) * ball[s + 3]


@njit
def copy_inside(
    spheres: Array, bits: Array, planes: Array, shown: Any, rows: Array, which: Array, out: Array, last: int
) -> tuple[int, bool]:
    """Write the instances as `copy_seen` does; return their number, and whether that changed anything."""
    count, changed = 0, False
    for i in range(last):
        s = 4 * i
        x, y, z, r = spheres[s], spheres[s + 1], spheres[s + 2], spheres[s + 3]
        seen = (bits[i] & shown) != 0
        for p in range(0, 24, 4):
            seen &= planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] >= -r
        if seen:
            a, b = WORDS * i, WORDS * count
            if not changed:
                for k in range(WORDS):
                    changed |= out[b + k] != rows[a + k]
            for k in range(WORDS):
                out[b + k] = rows[a + k]
            which[count] = i
            count += 1
    return count, changed


def _warm_up() -> None:
    one, flat = np.zeros(1, np.int32), np.ones(16, np.float32)
    place_rows(one, one, one, flat, flat, flat, flat.copy(), flat.copy(), np.zeros(1, np.uint8))
    words = np.zeros(WORDS, np.int64)
    copy_inside(flat, one, np.zeros(24, np.float32), np.int32(1), words, one.copy(), words.copy(), 1)


READY = Ready(_warm_up)
"""Whether the kernels can be called."""
