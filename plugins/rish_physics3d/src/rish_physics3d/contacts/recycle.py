"""Contacts that hardly moved keep their points: only the separations are computed again, eight contacts at a time.

That costs a small part of a collision test, and stacks become more stable, because their points do not move. A pair
that was apart is skipped until it has moved that far. E. Catto uses the same in Box2D 3.2 and Box3D.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, bits, gather, load, maximum, minimum, pick, select, splat, sqrt, store

from ..components.manifold import BASE, BETWEEN, FIRST, MANIFOLD, NORMAL, POINT, SEPARATION, TURN_A, TURN_B
from ..maths.lanes import cross, dot, minus, plus, scaled
from ..maths.rotations import turn

_0, _1, _2 = np.float32(0), np.float32(1), np.float32(2)
_COS_TURN = np.float32(0.99985)
"""The cosine of half the rotation, two degrees, from which on a manifold is computed again: its anchors do not turn, so
friction on a turning platform has that error in its direction."""
_ON_MESH = np.float32(0.02)
"""The share of the distance within which a contact with a triangle is kept: behind a ridge it would be a bump."""


@njit(borrows=True, forceinline=True)
def turned(q: Any, v: Any) -> Any:
    """Return a vector rotated by a unit quaternion."""
    u = (q[0], q[1], q[2])
    t = scaled(cross(u, v), splat(_2))
    return plus(v, plus(scaled(t, q[3]), cross(u, t)))


@njit(borrows=True, forceinline=True)
def since(a: Any, b: Any) -> Any:
    """Return the rotation from b to a: the quaternion a conj(b)."""
    return (
        b[3] * a[0] - a[3] * b[0] - (a[1] * b[2] - a[2] * b[1]),
        b[3] * a[1] - a[3] * b[1] - (a[2] * b[0] - a[0] * b[2]),
        b[3] * a[2] - a[3] * b[2] - (a[0] * b[1] - a[1] * b[0]),
        a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
    )


@njit(borrows=True)
def note_poses(manifold: Array, o: Any, pose: Array, a: Any, b: Any, x: Any, y: Any, z: Any) -> None:
    """Write what `recycle` compares later: the relative position in the frame of A's body, and both rotations."""
    i, j, m = 8 * a + 4, 8 * b + 4, o + BETWEEN
    manifold[m], manifold[m + 1], manifold[m + 2] = turn(-pose[i], -pose[i + 1], -pose[i + 2], pose[i + 3], x, y, z)
    for k in range(4):
        manifold[o + TURN_A + k], manifold[o + TURN_B + k] = pose[i + k], pose[j + k]


@njit(borrows=True)
def recycle(active: Any, contacts: Any, pose: Any, size: Any, limit: Any, reuse: Any, work: Any, others: Any) -> Any:
    """Update the separations of contacts that hardly moved; list the others, and return how many these are.

    contacts: pair, ends, child, manifold and info. pose: of the bodies. size: of the shapes; the last of its four
    numbers is the greatest distance of a point from the body's center. limit: the distance of speculative contacts.
    reuse: how far a pair with points may move, m. work: int32 and float32 memory. others: int32, receives contacts.
    """
    pair, ends, child, manifold, info = contacts
    who, what = work
    n, n_rest = len(active), 0
    for s in range(0, n, LANES):
        for k in range(LANES):
            c = np.int64(active[min(s + k, n - 1)])
            who[k] = c
            who[LANES + k], who[2 * LANES + k] = pair[2 * c], pair[2 * c + 1]
            who[3 * LANES + k], who[4 * LANES + k] = ends[2 * c], ends[2 * c + 1]
            what[k] = np.float32(info[2 * c])
            what[LANES + k] = reuse if child[c] == 0 else _ON_MESH * reuse
        points = load(what, 0)
        a, b = gather(pose, 8, 0, who, LANES), gather(pose, 8, 0, who, 2 * LANES)
        head = gather(manifold, MANIFOLD, NORMAL, who, 0)
        old = gather(manifold, MANIFOLD, BETWEEN, who, 0)
        tail = gather(manifold, MANIFOLD, TURN_B, who, 0)
        d = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        turn_a = since((a[4], a[5], a[6], a[7]), (old[4], old[5], old[6], old[7]))
        turn_b = since((b[4], b[5], b[6], b[7]), (tail[0], tail[1], tail[2], tail[3]))
        # The relative motion in A's frame, and twice the sine of half the relative rotation.
        moved = minus(turned((-a[4], -a[5], -a[6], a[7]), d), (old[0], old[1], old[2]))
        relative = since(turn_b, turn_a)
        turned_by = sqrt(dot((relative[0], relative[1], relative[2]), (relative[0], relative[1], relative[2])))
        small = minimum(pick(size, 4, 3, who, 3 * LANES), pick(size, 4, 3, who, 4 * LANES))
        room = select(points > splat(_0), load(what, LANES), head[7] - splat(limit)) - splat(_2) * small * turned_by
        cos_a, cos_b = maximum(turn_a[3], -turn_a[3]), maximum(turn_b[3], -turn_b[3])
        kept = (
            (cos_a > splat(_COS_TURN))
            & (cos_b > splat(_COS_TURN))
            & (room > splat(_0))
            & (dot(moved, moved) < room * room)
        )
        chosen = bits(kept)
        normal = (head[0], head[1], head[2])
        for p in range(4):
            in_use = kept & (points > splat(np.float32(p)))
            if bits(in_use):
                row = gather(manifold, MANIFOLD, FIRST + POINT * p, who, 0)
                base = pick(manifold, MANIFOLD, BASE + p, who, 0)
                way = plus(d, minus(turned(turn_b, (row[4], row[5], row[6])), turned(turn_a, (row[0], row[1], row[2]))))
                store(what, LANES, select(in_use, base + dot(normal, way), row[3]))
                for k in range(LANES):
                    manifold[MANIFOLD * np.int64(who[k]) + FIRST + POINT * p + SEPARATION] = what[LANES + k]
        for k in range(LANES):
            if s + k < n:
                others[n_rest] = who[k]
                n_rest += 1 - (chosen >> k & 1)
    return n_rest
