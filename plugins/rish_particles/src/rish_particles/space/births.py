"""New particles in space, from orders."""

from __future__ import annotations

import math

import numpy as np

from rish_ecs.random import Stream
from rish_jit import Array, maths

from ..births.births import Orders, drawn_counts
from ..files.preset_library import Page, PresetLibrary
from ..pools.pools import Store
from ..preset import Child, EmitterShape, Preset, Span
from .emitters import AXES, ORDER, PLACE, SIZE, VELOCITY, WAY

F32 = np.float32
_DRAWN = 16
"""The numbers of the preset's stream that a particle uses."""
LIFE, SIZE_OF, SPEED, CONE, AROUND, SHAPE_U, SHAPE_V, SHAPE_W, ANGLE, SPIN, TINT, END_SPEED, END_SIZE, PICK = range(14)
"""What each of them is for."""


class SpaceOrders(Orders):
    """The requests of one step for particles in space: lists of float32 (k, ORDER) and int32 (k, 3)."""

    def _spawn(self, store: Store, row: int, page: Page, parts: list[tuple[Array, Array]], dt: float) -> None:
        pools, preset = store.pools, page.preset
        orders, wholes = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        live, counts = int(pools.live[row]), wholes[:, 0].astype(np.int64)
        total = int(counts.sum())
        number = min(total, int(pools.capacity[row]) - live)
        pools.dropped[row] += total - number
        key, counter = store.draw(preset.name, total * _DRAWN)
        if not number:
            return
        which = np.repeat(np.arange(len(counts)), counts)[:number]
        drawn = Stream(key, counter).uniform(size=(number, _DRAWN)).astype(F32)
        first = np.repeat(np.cumsum(counts) - counts, counts)[:number]
        step = F32(dt * preset.time_scale) / counts[which].astype(F32)
        turn = (counts[which] - (np.arange(number) - first)).astype(F32) - F32(0.5)
        ages = np.where(wholes[which, 2] != 0, turn * step, F32(0))
        self._fill(store, row, page, orders[which], wholes[which, 1], drawn, ages, dt * preset.time_scale)
        pools.live[row] = live + number
        if preset.on_birth is not None:
            points = self.points(store, row, slice(live, live + number))
            self.space_children(store, row, preset.on_birth, points, store.span(row).columns[9][live : live + number])

    def _fill(
        self, store: Store, row: int, page: Page, orders: Array, tints: Array, drawn: Array, ages: Array, dt: float
    ) -> None:  # fmt: skip
        """Write new particles behind the live ones of a pool. orders: (n, ORDER), one for each."""
        preset, span, live = page.preset, store.span(row), int(store.pools.live[row])
        rows, size = slice(live, live + len(ages)), orders[:, SIZE]
        axes = orders[:, AXES].reshape(-1, 3, 3)
        spot, outward = _spots(preset.shape, drawn)
        speed = _spread(preset.speed, drawn[:, SPEED])
        if preset.varied:
            first, last, last_size, pick = (column[rows] for column in span.extras)
            end = _spread(preset.end_speed or preset.speed, drawn[:, END_SPEED])
            rests = speed == 0
            first[:], last[:] = ~rests, np.where(rests, F32(1), end / np.where(rests, F32(1), speed))
            speed = np.where(rests, end, speed)
            last_size[:] = -1 if preset.end_size is None else _spread(preset.end_size, drawn[:, END_SIZE]) * size
            pick[:] = (drawn[:, PICK] * F32(2**30)).astype(np.int32)
        way = _directions(preset, drawn, outward) * speed[:, None]
        velocity = np.einsum("nrc,nc->nr", axes, way) + orders[:, VELOCITY]
        at = np.array((*preset.at, 0.0)[:3], F32)
        per_tick = F32(1 / dt) if dt > 0 else F32(0)
        place = np.einsum("nrc,nc->nr", axes, spot + at) + orders[:, PLACE]
        place += (velocity - orders[:, WAY] * per_tick) * ages[:, None]
        values = (
            place[:, 0], place[:, 1], velocity[:, 0], velocity[:, 1], ages, _spread(preset.life, drawn[:, LIFE]),
            _spread(preset.angle, drawn[:, ANGLE]), _spread(preset.spin, drawn[:, SPIN]),
            _spread(preset.size, drawn[:, SIZE_OF]) * size, _tinted(page, tints, drawn[:, TINT]),
            place[:, 2], velocity[:, 2],
        )  # fmt: skip
        for column, value in zip(span.columns, values, strict=True):
            column[rows] = value

    def points(self, store: Store, row: int, which: Array | slice) -> Array:
        """Return the places and velocities of particles of a pool in the world, float64 (n, 6)."""
        x, y, vx, vy, *_, z, vz = store.span(row).columns
        points = np.column_stack([column[which] for column in (x, y, z, vx, vy, vz)]).astype(np.float64)
        page = store.page(row)
        if page is not None and page.preset.local:
            matrix = store.pools.matrix[row].reshape(3, 4).astype(np.float64)
            points[:, :3] = points[:, :3] @ matrix[:, :3].T + matrix[:, 3]
            points[:, 3:] = points[:, 3:] @ matrix[:, :3].T
        return points

    def space_children(self, store: Store, row: int, child: Child, points: Array, tints: Array) -> None:
        """Request the children of particles of a pool at points (n, 6), place and velocity in the world."""
        page = self.world[PresetLibrary].page(self.world, child.preset)
        if page is None or not len(points):
            return
        scale = float(store.pools.z[row])
        target = store.find(page, self.world.text(int(store.pools.layer[row])), scale, 0)
        stream = Stream(*store.draw(f"{child.preset} counts", 2 * len(points)))
        counts = drawn_counts(stream, child.count, len(points))
        if child.chance < 1:
            counts = np.where(stream.uniform(size=len(points)) < child.chance, counts, 0)
        orders = np.zeros((len(points), ORDER))
        orders[:, PLACE], orders[:, VELOCITY] = points[:, :3], points[:, 3:] * child.inherit
        orders[:, AXES], orders[:, SIZE] = np.eye(3).reshape(-1) * scale, scale
        if page.preset.alone:
            store.pools.center[target] = points[-1, :3]
        self.add(store, target, orders, counts, tints if child.tint else -1)


def _spread(span: Span, share: Array) -> Array:
    return F32(span[0]) + F32(span[1] - span[0]) * share


def _spots(shape: EmitterShape, drawn: Array) -> tuple[Array, Array]:
    """Return places in a shape, float32 (n, 3), and the directions outward, (n, 3).

    A circle is a ball, a ring the room between two balls; polygons and images are points.
    """
    u, v, w = drawn[:, SHAPE_U], drawn[:, SHAPE_V], drawn[:, SHAPE_W]
    outward = _on_ball(v, w)
    if shape.kind in ("circle", "ring"):
        inner, outer = (F32(radius) for radius in shape.radius)
        cubed = inner**3 + u * (outer**3 - inner**3)
        radius = maths.pow(cubed.astype(np.float64), 1 / 3).astype(F32)
        return outward * radius[:, None], outward
    size = np.zeros(3, F32)
    if shape.kind in ("line", "box"):
        given = (*shape.size, shape.size[0])[:3] if shape.kind == "box" else (shape.size[0], 0, 0)
        size = np.array(given, F32)
    return (np.stack([u, v, w], axis=1) - F32(0.5)) * size, outward


def _on_ball(v: Array, w: Array) -> Array:
    """Return points that are evenly spread on a ball of radius 1, float32 (n, 3)."""
    up = F32(2) * v - F32(1)
    across = np.sqrt(np.maximum(F32(1) - up * up, F32(0)))
    sin, cos = (part.astype(F32) for part in maths.sincos(w.astype(np.float64) * maths.TAU))
    return np.stack([across * cos, up, across * sin], axis=1)


def _directions(preset: Preset, drawn: Array, outward: Array) -> Array:
    """Return directions of length 1 in the emitter's space, float32 (n, 3).

    They are evenly spread in a cone. Its axis lies in the plane of x and y, in the middle of the span of directions, or
    outward; half its angle is half the span.
    """
    low, high = preset.direction
    middle, half = (low + high) / 2, min((high - low) / 2, math.pi)
    sin, cos = maths.sincos(middle)
    axis = np.broadcast_to(np.array([cos, sin, 0], F32), outward.shape)
    if preset.shape.outward and preset.shape.kind in ("circle", "ring"):
        axis = outward if cos >= 0 else -outward
    along = F32(1) - drawn[:, CONE] * F32(1 - maths.cos(half))
    across = np.sqrt(np.maximum(F32(1) - along * along, F32(0)))
    # Two directions across the axis. Source: Duff et al., "Building an Orthonormal Basis, Revisited", 2017.
    x, y, z = axis.T
    sign = np.where(z < 0, F32(-1), F32(1))
    a = F32(-1) / (sign + z)
    b = x * y * a
    right = np.stack([F32(1) + sign * x * x * a, sign * b, -sign * x], axis=1)
    up = np.stack([b, sign + y * y * a, -y], axis=1)
    turn_sin, turn_cos = (part.astype(F32) for part in maths.sincos(drawn[:, AROUND].astype(np.float64) * maths.TAU))
    return (
        axis * along[:, None] + right * (across * turn_cos)[:, None] + up * (across * turn_sin)[:, None]
    )  # fmt: skip


def _tinted(page: Page, tints: Array, share: Array) -> Array:
    """Return the initial colors, int32 (n,): one of the preset's, or a blend of the first two, times those of the
    orders."""
    colors = page.tints.view(np.uint8).reshape(-1, 4)
    if page.preset.blended and len(colors) > 1:
        first, other = colors[0].astype(F32), colors[1].astype(F32)
        chosen = (first + (other - first) * share[:, None] + F32(0.5)).astype(np.uint8)
    else:
        chosen = colors[np.minimum((share * F32(len(colors))).astype(np.int64), len(colors) - 1)]
    return times(chosen, np.ascontiguousarray(tints).view(np.uint8).reshape(-1, 4)).view(np.int32).reshape(-1)


def times(first: Array, other: Array) -> Array:
    """Return two colors multiplied, uint8 (n, 4), rounded half up."""
    return ((first.astype(np.uint16) * other + np.uint16(127)) // np.uint16(255)).astype(np.uint8)
