"""Packing: converts sprites from their poses to sixteen bytes each, culled and sorted by group.

A sprite can be placed without a matrix if its base (the transform of its parents) keeps shapes: then angles add and
sizes multiply. Packed positions are relative to the middle of a `PackingArea`, a part of the world that is at least the
visible one. Sprites outside of it are left out. The indices of those that are too large, or whose base shears, are
returned. A few sprites are packed with numpy, many with a compiled kernel; the resulting bytes are the same.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rish_frame import INSTANCE
from rish_frame.frame import MAX_POSITION, MAX_SPRITE_SIZE, POSITION_SCALE
from rish_frame.poses import BASE, PER_TAU, TAU, Poses, quick_sincos_of
from rish_jit import Array

from ..drawables.former_batches import Move
from ..scene.view import View
from .order import PackingOrder

F32 = np.float32

_FINE = 0.5
"""The greatest unit of packed numbers in pixels, if the window allows it. A step is then a sixteenth of a pixel."""
_NONE = np.zeros(0, np.int32)


class PackingArea(NamedTuple):
    """The part of the world that is packed.

    origin: its middle, world units. reach: its half size along x and y. unit: of the packed numbers. density: pixels
    per unit. shift: added to every position, for parallax.
    """

    origin: tuple[float, float]
    reach: tuple[float, float]
    unit: float
    density: float
    shift: tuple[float, float] = (0.0, 0.0)

    def numbers(self) -> Array:
        """Return the area as arguments of the kernel, float32 8."""
        x, y = self.shift[0] - self.origin[0], self.shift[1] - self.origin[1]
        scale = POSITION_SCALE / self.unit
        far, large = (MAX_POSITION - 1) * self.unit, (MAX_SPRITE_SIZE - 1) / 2 * self.unit
        return np.array([x, y, *self.reach, scale, far, large, self.density], F32)

    def shows(self, view: View) -> bool:
        """Return True if everything that a view shows is in this area, and packed finely enough for it."""
        if not self.density / 2 <= view.resolution <= self.density * 2:
            return False
        (x, y), (ex, ey) = view.center, view.reach
        return abs(x - self.origin[0]) + ex <= self.reach[0] and abs(y - self.origin[1]) + ey <= self.reach[1]


def window_of(view: View, shift: tuple[float, float] = (0.0, 0.0), wider: float = 1.0) -> PackingArea:
    """Return the area for what a view shows. wider: how much larger it should be, as far as fine units allow.

    If the view is not turned, the middle is on a pixel corner, so that snapping sprites are as well.
    """
    density = view.resolution
    corner = (view.center[0] - view.reach[0], view.center[1] - view.reach[1])
    x, y = (c + math.floor(r * density + 0.5) / density for c, r in zip(corner, view.reach, strict=True))
    slack = max(abs(x - view.center[0]), abs(y - view.center[1]))
    across, up = (reach + slack for reach in view.reach)
    unit = 2.0 ** math.floor(math.log2(_FINE / density))
    need = max(across, up) / (0.95 * MAX_POSITION)
    while unit < need:
        unit *= 2
    more = max(1.0, min(wider, 0.95 * MAX_POSITION * unit / max(across, up)))
    return PackingArea((x, y), (across * more, up * more), unit, density, shift)


class Style(NamedTuple):
    """The look of n sprites, independent of their poses.

    sizes: float32 2n, width and height, units; 0 for sprites that are not drawn. frame: uint16 n. rgba: uint32 n, four
    bytes. key: uint32 n, the group of each, numbered in drawing order. shift:
    float32 2n, a half less the anchor; empty if all are 0. snaps: uint8 n, or empty. groups: how many sprites each
    group has, int64. order: the packing order of `key`.
    """

    sizes: Array
    frame: Array
    rgba: Array
    key: Array
    shift: Array
    snaps: Array
    groups: Array
    order: PackingOrder

    @property
    def size(self) -> Array:
        """`sizes` as float32 (n, 2)."""
        return self.sizes.reshape(-1, 2)


class Packed(NamedTuple):
    """The result of packing.

    instances: INSTANCE m, group after group, within a group in the order of the sprites. counts: int64, of each group.
    source: int32 m, the index of the sprite of each instance; empty if not requested. odd: int64, the sprites that are
    visible but do not fit. before: int64, for each of these how many packed sprites of its group come before it.
    moves: the sprites that are the same as in the last result, in ascending order; None if all may be others.
    """

    instances: Array
    counts: Array
    source: Array
    odd: Array
    before: Array
    moves: list[Move] | None = None


def plain_pack(
    poses: Poses, bases: Array, rows: Array, style: Style, window: Array, *, sources: bool = False
) -> Packed:
    """Pack with numpy: the reference of the kernel, with the same bytes."""
    with np.errstate(all="ignore"):
        x, y, angle, w, h = _read(poses, rows)
        base = bases[poses.slots[rows]] if len(bases) > 1 else np.broadcast_to(bases[0], (len(rows), BASE))
        mirror, size = np.copysign(F32(1), base[:, 5]), np.abs(base[:, 5])
        at = base[:, :2]
        if len(style.shift):
            at = at + _anchored(style, angle, w, h, base, mirror, size)
        if len(style.snaps):
            at = at + _snapped(style, (x, y, angle, w, h), base, at, mirror, size, window)
        cx, cy = _centers(x, y * mirror, base, at, window)
        sx = w * mirror
        wide, high = np.abs(sx) * size * style.size[:, 0], np.abs(h) * size * style.size[:, 1]
        r = (wide + high) * F32(0.5)
        part = (base[:, 4] + mirror * angle) * PER_TAU + np.where(h < 0, F32(0.5), F32(0))
        part = part - np.floor(part)
        ax, ay = np.abs(cx), np.abs(cy)
        seen = (ax - r <= window[2]) & (ay - r <= window[3]) & (wide * high > 0) & (part >= 0)
        fits = (np.where(ax > ay, ax, ay) <= window[5]) & (r <= window[6])
        flip = (sx < 0) ^ (h < 0)
        packed = np.flatnonzero(seen & fits)
        order = packed[np.argsort(style.key[packed], kind="stable")]
        out = np.empty(len(order), INSTANCE)
        fine, finer = window[4], window[4] + window[4]
        out["x"], out["y"] = _rounded(cx[order] * fine), _rounded(cy[order] * fine)
        out["w"], out["h"] = _rounded(wide[order] * finer), _rounded(high[order] * finer)
        out["rotation"] = _rounded(part[order] * F32(65536)) & 0xFFFF
        out["frame"] = style.frame[order] ^ flip[order]
        out["rgba"] = style.rgba[order].view(np.uint8).reshape(-1, 4)
    counts = np.bincount(style.key[order], minlength=len(style.groups)).astype(np.int64)
    odd = np.flatnonzero(seen & ~fits)
    place, first = style.key.astype(np.int64) * len(rows), style.key[odd].astype(np.int64) * len(rows)
    ranks = place[order] + order
    before = np.searchsorted(ranks, first + odd) - np.searchsorted(ranks, first)
    return Packed(out, counts, order.astype(np.int32) if sources else _NONE, odd, before)


def _rounded(values: Array) -> Array:
    return np.floor(values + F32(0.5)).astype(np.int32)


def _read(poses: Poses, rows: Array) -> tuple[Array, ...]:
    """Return x, y, angle and the two scales of each sprite, interpolated between two ticks."""
    back = poses.back
    place, last_place, scale, last_scale = (
        column.reshape(-1, 2)[rows] for column in (poses.position, poses.last_position, poses.scale, poses.last_scale)
    )
    rotation = poses.rotation[rows]
    turn = rotation - poses.last_rotation[rows]
    turn = turn - TAU * np.floor(turn * PER_TAU + F32(0.5))
    rotation = rotation - back * turn
    place = place - back * (place - last_place)
    scale = scale - back * (scale - last_scale)
    return place[:, 0], place[:, 1], rotation, scale[:, 0], scale[:, 1]


def _centers(x: Array, y: Array, base: Array, at: Array, window: Array) -> tuple[Array, Array]:
    a, b = base[:, 2], base[:, 3]
    return (a * x - b * y + at[:, 0]) + window[0], (b * x + a * y + at[:, 1]) + window[1]


def _anchored(style: Style, angle: Array, w: Array, h: Array, base: Array, mirror: Array, size: Array) -> Array:
    """Return the offset from each sprite's position to its center, float32 (n, 2)."""
    size = np.where(size < F32(np.inf), size, F32(0))
    sin, cos = quick_sincos_of(base[:, 4] + mirror * angle)
    shift = style.shift.reshape(-1, 2)
    dx, dy = mirror * w * size * style.size[:, 0] * shift[:, 0], h * size * style.size[:, 1] * shift[:, 1]
    return np.stack([cos * dx - sin * dy, sin * dx + cos * dy], axis=1)


def _snapped(
    style: Style, pose: tuple[Array, ...], base: Array, at: Array, mirror: Array, size: Array, window: Array
) -> Array:
    """Return the offset to the nearest pixel corner, float32 (n, 2), for sprites that snap and are not turned."""
    x, y, angle, w, h = pose
    density = window[7]
    quarters = (base[:, 4] + mirror * angle) * PER_TAU * F32(4)
    whole = np.floor(quarters + F32(0.5))
    straight = np.abs(quarters - whole) < F32(1e-3)
    lying = whole - F32(2) * np.floor(whole * F32(0.5)) != 0
    cx, cy = _centers(x, y * mirror, base, at, window)
    sw, sh = (np.abs(w) * size * style.size[:, 0] * F32(0.5), np.abs(h) * size * style.size[:, 1] * F32(0.5))
    dx = (cx - np.where(lying, sh, sw)) * density
    dy = (cy - np.where(lying, sw, sh)) * density
    chosen = (style.snaps != 0) & straight
    out = np.zeros((len(x), 2), F32)
    out[:, 0] = np.where(chosen, (np.floor(dx + F32(0.5)) - dx) / density, F32(0))
    out[:, 1] = np.where(chosen, (np.floor(dy + F32(0.5)) - dy) / density, F32(0))
    return out
