"""Fills the solver's blocks from the manifolds, eight contacts at a time, and writes the impulses back."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, gather, gather4, load, maximum, pick, select, splat, sqrt, store

from ..components.manifold import ANCHOR_A, FIRST, IMPULSE, MANIFOLD, POINT, SLIDE, TWIST
from ..components.manifold import NORMAL as M_NORMAL
from ..maths.lanes import cross, dot, plus, scaled, store3
from . import blocks as b
from .color import PARTS, points_of

_0 = np.float32(0)
_1 = np.float32(1)
_tiny = np.float32(1e-30)


@njit(borrows=True, forceinline=True)
def symmetric(m: Any, v: Any) -> Any:
    """Return the symmetric matrix xx, yy, zz, xy, xz, yz times v."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[4] * v[2],
        m[3] * v[0] + m[1] * v[1] + m[5] * v[2],
        m[4] * v[0] + m[5] * v[1] + m[2] * v[2],
    )


@njit(borrows=True, forceinline=True)
def tangent_of(n: Any) -> Any:
    """Return a unit vector perpendicular to n: n x the axis of its smallest component, normalized."""
    zero, one = splat(_0), splat(_1)
    x, y, z = maximum(n[0], -n[0]), maximum(n[1], -n[1]), maximum(n[2], -n[2])
    is_x = (x <= y) & (x <= z)
    # Of the other two the smaller one is y or z.
    is_y = y <= z
    axis = (
        select(is_x, one, zero),
        select(is_x, zero, select(is_y, one, zero)),
        select(is_x, zero, select(is_y, zero, one)),
    )
    t = cross(n, axis)
    return scaled(t, one / sqrt(maximum(dot(t, t), splat(_tiny))))


@njit(borrows=True)
def prepare(
    order: Any, parts: Any, pair: Any, info: Any, manifold: Any, friction: Any, moves: Any, linear: Any, inertia: Any,
    share: Any, work: Any, lanes: Any, out: Any,
) -> None:  # fmt: skip
    """Fill the blocks.

    order: int32, the contact of each lane, -1 for none. parts: see `color`. friction: float32, of each contact. moves:
    int32, the row of each body in `linear`, 0 for bodies without velocity. inertia: float32, 8 numbers a body: its
    inverse inertia in world axes, xx, yy, zz, xy, xz, yz. share: factor of the last impulses (warm starting). work:
    int32 of 8 and float32 of 8. lanes: int32, the rows of A, then of B, for each block. out: see `blocks`.
    """
    zero, one = splat(_0), splat(_1)
    warm = splat(share)
    rows, points = work
    for part in range(PARTS):
        for block in range(parts[part], parts[part + 1]):
            s, at, o = block * LANES, block * 2 * LANES, block * b.SIZE
            for k in range(LANES):
                c = np.int64(order[s + k])
                if c < 0:
                    rows[k], points[k], lanes[at + k], lanes[at + LANES + k] = 0, _0, 0, 0
                    out[o + b.FRICTION + k] = _0
                else:
                    rows[k], points[k] = c, np.float32(info[2 * c])
                    lanes[at + k], lanes[at + LANES + k] = moves[pair[2 * c]], moves[pair[2 * c + 1]]
                    out[o + b.FRICTION + k] = friction[c]
            present = load(points, 0)
            mass = pick(linear, 8, 3, lanes, at) + pick(linear, 8, 3, lanes, at + LANES)
            i_a, i_b = gather(inertia, 8, 0, lanes, at), gather(inertia, 8, 0, lanes, at + LANES)
            for k in range(6):
                store(out, o + b.INERTIA_A + k * LANES, i_a[k])
                store(out, o + b.INERTIA_B + k * LANES, i_b[k])
            head = gather(manifold, MANIFOLD, M_NORMAL, rows, 0)
            used = present > zero
            normal = select(used, head[0], zero), select(used, head[1], zero), select(used, head[2], zero)
            tangent = tangent_of(normal)
            other = cross(normal, tangent)
            store3(out, o + b.NORMAL, normal)
            store3(out, o + b.TANGENT, tangent)
            # Points.
            center_a, center_b = (zero, zero, zero), (zero, zero, zero)
            for p in range(points_of(part)):
                point = gather(manifold, MANIFOLD, FIRST + p * POINT + ANCHOR_A, rows, 0)
                q = o + b.FIRST + p * b.POINT
                exists = present > splat(np.float32(p))
                anchor_a, anchor_b = (point[0], point[1], point[2]), (point[4], point[5], point[6])
                arm_a, arm_b = cross(anchor_a, normal), cross(anchor_b, normal)
                turn_a, turn_b = symmetric(i_a, arm_a), symmetric(i_b, arm_b)
                stiff = mass + dot(arm_a, turn_a) + dot(arm_b, turn_b)
                store3(out, q + b.ARM_A, arm_a)
                store3(out, q + b.ARM_B, arm_b)
                store3(out, q + b.TURN_A, turn_a)
                store3(out, q + b.TURN_B, turn_b)
                store(out, q + b.GAP, point[3])
                store(out, q + b.MASS, select(exists & (stiff > zero), one / stiff, zero))
                store(out, q + b.IMPULSE, select(exists, point[7] * warm, zero))
                store(out, q + b.PEAK, zero)
                part_of = select(exists, one, zero)
                center_a = plus(center_a, scaled(anchor_a, part_of))
                center_b = plus(center_b, scaled(anchor_b, part_of))
            mean = one / maximum(present, one)
            center_a, center_b = scaled(center_a, mean), scaled(center_b, mean)
            store3(out, o + b.CENTER_A, center_a)
            store3(out, o + b.CENTER_B, center_b)
            for p in range(points_of(part)):
                point = gather4(manifold, MANIFOLD, FIRST + p * POINT + ANCHOR_A, rows, 0)
                x, y, z = point[0] - center_a[0], point[1] - center_a[1], point[2] - center_a[2]
                store(out, o + b.FIRST + p * b.POINT + b.LEVER, sqrt(x * x + y * y + z * z))
            # Friction: k = m + (r x t) · I⁻¹ (r x t) of both bodies, a 2 x 2 matrix for the two tangents.
            sa, ta, sb, tb = (
                cross(center_a, tangent),
                cross(center_a, other),
                cross(center_b, tangent),
                cross(center_b, other),
            )
            isa, isb, ita, itb = symmetric(i_a, sa), symmetric(i_b, sb), symmetric(i_a, ta), symmetric(i_b, tb)
            k11 = mass + dot(sa, isa) + dot(sb, isb)
            k22 = mass + dot(ta, ita) + dot(tb, itb)
            k12 = dot(sa, ita) + dot(sb, itb)
            det = k11 * k22 - k12 * k12
            scale = select(det > zero, one / det, zero)
            store3(out, o + b.SLIDE_MASS, (k22 * scale, k11 * scale, -k12 * scale))
            spin = dot(normal, symmetric(i_a, normal)) + dot(normal, symmetric(i_b, normal))
            store(out, o + b.TWIST_MASS, select(spin > zero, one / spin, zero))
            kept = gather4(manifold, MANIFOLD, SLIDE, rows, 0)
            store(
                out,
                o + b.SLIDE,
                select(used, (kept[0] * tangent[0] + kept[1] * tangent[1] + kept[2] * tangent[2]) * warm, zero),
            )
            store(out, o + b.SLIDE + LANES, select(used, dot((kept[0], kept[1], kept[2]), other) * warm, zero))
            store(out, o + b.TWIST, select(used, pick(manifold, MANIFOLD, TWIST, rows, 0) * warm, zero))


@njit(borrows=True)
def remember(order: Any, blocks: int, info: Any, manifold: Any, out: Any) -> None:
    """Write the impulses of `blocks` blocks back into the manifolds."""
    for s in range(blocks * LANES):
        c = np.int64(order[s])
        if c < 0:
            continue
        o = (s // LANES) * b.SIZE + s % LANES
        m = c * MANIFOLD
        nx, ny, nz = out[o + b.NORMAL], out[o + b.NORMAL + LANES], out[o + b.NORMAL + 2 * LANES]
        tx, ty, tz = out[o + b.TANGENT], out[o + b.TANGENT + LANES], out[o + b.TANGENT + 2 * LANES]
        u, v = out[o + b.SLIDE], out[o + b.SLIDE + LANES]
        manifold[m + SLIDE] = u * tx + v * (ny * tz - nz * ty)
        manifold[m + SLIDE + 1] = u * ty + v * (nz * tx - nx * tz)
        manifold[m + SLIDE + 2] = u * tz + v * (nx * ty - ny * tx)
        manifold[m + TWIST] = out[o + b.TWIST]
        for p in range(info[2 * c]):
            manifold[m + FIRST + p * POINT + IMPULSE] = out[o + b.FIRST + p * b.POINT + b.IMPULSE]
