"""Rolling resistance: an angular impulse against the difference of the angular velocities of two bodies, about all
axes, of at most the normal impulse times a length.

Only blocks with a contact that resists are worked on, so other worlds have no cost. Such a contact is one of a sphere
or capsule and has at most two points, so its impulse of the last step is stored in place of the fourth point.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, gather4, load, maximum, scatter, select, splat, sqrt

from ..components import manifold as m
from ..maths.lanes import dot, load3, minus, plus, scaled, store3
from . import blocks as b
from .color import ONE
from .contact import turned_by

LENGTH, MASS, IMPULSE = 0, LANES, 7 * LANES
"""The numbers of a block: the length, the inverse of the sum of both inverse inertias, 6 numbers, the impulse, 3."""
SIZE = 10 * LANES
_zero, _one, _tiny = np.float32(0), np.float32(1), np.float32(1e-30)


class Rolls(NamedTuple):
    """The blocks with rolling resistance. blocks: int32 (k,), their numbers. counts: int32 (k,), the points that their
    contacts may have. numbers: float32 (k, SIZE), see `LENGTH`.
    """

    blocks: Array
    counts: Array
    numbers: Array


def prepare_rolls(
    order: Array, parts: Array, info: Array, manifold: Array, lengths: Array, blocks: Array, share: Any
) -> Rolls | None:
    """Return the blocks with rolling resistance, filled; None if there is none.

    order, parts: see `solver.color`. info, manifold: (c, 2) and (c, `MANIFOLD`) of the contacts. lengths: float32, of
    each contact, m. blocks: as `prepare` filled them. share: of the impulses of the last step (warm starting).
    """
    lanes = order[: int(parts[-1]) * LANES].reshape(-1, LANES)
    contacts = np.maximum(lanes, 0)
    length = np.where(lanes >= 0, lengths[contacts], _zero)
    which = np.flatnonzero(length.any(axis=1)).astype(np.int32)
    if not len(which):
        return None
    contacts, length = contacts[which], length[which]
    one = ((which >= parts[ONE]) & (which < parts[ONE + 1])) | (which >= parts[ONE + 2])
    numbers = np.zeros((len(which), SIZE // LANES, LANES), np.float32)
    rows = blocks[: int(parts[-1]) * b.SIZE].reshape(-1, b.SIZE // LANES, LANES)[which]
    first, second = b.INERTIA_A // LANES, b.INERTIA_B // LANES
    numbers[:, 0] = length
    numbers[:, 1:7] = _inverse(rows[:, first : first + 6] + rows[:, second : second + 6])
    impulse = manifold[contacts, m.ROLL : m.ROLL + 3] * np.float32(share)
    pressed = np.zeros_like(length)
    for p in range(2):
        stored = manifold[contacts, m.FIRST + p * m.POINT + m.IMPULSE] * np.float32(share)
        pressed += np.where(info[contacts, 0] > p, stored, _zero)
    size = np.sqrt((impulse * impulse).sum(axis=2))
    fit = np.minimum(length * pressed / np.maximum(size, _tiny), _one)
    numbers[:, 7:10] = (impulse * fit[:, :, None]).transpose(0, 2, 1)
    return Rolls(which, np.where(one, 1, b.POINTS).astype(np.int32), numbers.reshape(-1, SIZE))


def _inverse(matrix: Array) -> Array:
    """Return the inverses of symmetric matrices (k, 6, 8), xx, yy, zz, xy, xz, yz; 0 for those without one."""
    xx, yy, zz, xy, xz, yz = matrix.astype(np.float64).transpose(1, 0, 2)
    a, d, e = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * a + xy * d + xz * e
    scale = np.where(det > 0, 1 / np.where(det > 0, det, 1), 0)
    parts = a, xx * zz - xz * xz, xx * yy - xy * xy, d, e, xy * xz - xx * yz
    return np.stack([scale * part for part in parts], axis=1).astype(np.float32)


def remember_rolls(rolls: Rolls, order: Array, manifold: Array) -> None:
    """Store the impulses in the manifolds."""
    contacts = order[: len(order) // LANES * LANES].reshape(-1, LANES)[rolls.blocks]
    numbers = rolls.numbers.reshape(len(contacts), SIZE // LANES, LANES)
    chosen = (contacts >= 0) & (numbers[:, 0] > 0)
    manifold[contacts[chosen], m.ROLL : m.ROLL + 3] = numbers[:, 7:10].transpose(0, 2, 1)[chosen]


@njit(borrows=True)
def roll(which: Any, counts: Any, angular: Any, blocks: Any, lanes: Any, numbers: Any, warm: bool) -> None:
    """Do one pass over the blocks of `which`, see `Rolls`. warm: only apply the accumulated impulses."""
    for k in range(len(which)):
        block = np.int64(which[k])
        o, e, at = block * b.SIZE, k * SIZE, 2 * LANES * block
        c, d = gather4(angular, 8, 0, lanes, at), gather4(angular, 8, 0, lanes, at + LANES)
        change = load3(numbers, e + IMPULSE)
        if not warm:
            pressed = splat(_zero)
            for p in range(counts[k]):
                pressed = pressed + load(blocks, o + b.FIRST + p * b.POINT + b.IMPULSE)
            before = change
            free = minus(before, turned_by(numbers, e + MASS, (d[0] - c[0], d[1] - c[1], d[2] - c[2])))
            limit, size = load(numbers, e + LENGTH) * pressed, sqrt(dot(free, free))
            after = scaled(free, select(size > limit, limit / maximum(size, splat(_tiny)), splat(_one)))
            store3(numbers, e + IMPULSE, after)
            change = minus(after, before)
        w_a = minus((c[0], c[1], c[2]), turned_by(blocks, o + b.INERTIA_A, change))
        w_b = plus((d[0], d[1], d[2]), turned_by(blocks, o + b.INERTIA_B, change))
        scatter(angular, lanes, at, w_a[0], w_a[1], w_a[2], c[3])
        scatter(angular, lanes, at + LANES, w_b[0], w_b[1], w_b[2], d[3])
