"""Converts the columns of colliders to pieces: rounded convex hulls in the frames of their bodies.

Boxes, circles and capsules are converted together with numpy. Polygons, chains and outlines are converted one by one,
each distinct form once, because they need checks: a chain becomes one piece per segment, an outline as many convex
pieces as it needs. An invalid shape is refused with a sentence, and gives no pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_core import RishError, UsageError, World
from rish_jit import Array, maths

from ..components.bodies import Collider, ColliderShape
from ..components.settings import PhysicsSettings
from ..components.tables import BOX, CHAIN
from ..components.units import scaled_of
from ..geometry.hull import chain_rows, convex_hull, turns_left
from .frames import sheared

MAX_POINTS = 8
"""The greatest number of points of a hull."""
_KINDS = list(ColliderShape)
_MIN_RATIO = 1e-6
"""A shape is degenerate if its smallest extent is less than this share of its largest extent."""


@dataclass
class Pieces:
    """n convex pieces of m colliders.

    owner: int (n,), the index of the collider. points: float64 (n, 8, 2), in the body's frame, relative to its
    position, counter-clockwise; for a CHAIN ghost, first, second, ghost. count: int (n,), number of points. radius:
    float64 (n,). flags: int (n,), BOX for a box that is not rotated, CHAIN. middle: float64 (n, 2), of a BOX its
    center. refused: a sentence for each collider that gave no piece, by its index.
    """

    owner: Array
    points: Array
    count: Array
    radius: Array
    flags: Array
    refused: dict[int, str]


def pieces_of(world: World, rows: Array, frames: Array) -> Pieces:
    """Return the pieces of colliders, in their order.

    rows: of the table Collider. frames: float64 (m, 6), from each collider's entity to the frame of its body.
    """
    table = world.table(Collider)
    kinds = table.shape[rows]
    refused = {
        int(k): "its scale and the scales of its parents shear it or give it zero size"
        for k in np.flatnonzero(_bent(table, rows, frames))
    }
    maximum = 2 * float(scaled_of(world[PhysicsSettings]).reach)
    for k in np.flatnonzero(~_sound(table, rows, frames, maximum)).tolist():
        refused.setdefault(k, f"one of its lengths is not finite, below 0, or above {maximum:g} units")
    for k in np.flatnonzero(_flat(table, rows)).tolist():
        refused.setdefault(k, "it has no area: its width, its height or its radius is 0")
    parts: list[tuple[Array, ...]] = []
    for number, make in _BATCHED.items():
        indices = np.array([k for k in np.flatnonzero(kinds == number).tolist() if k not in refused], np.int64)
        if len(indices):
            parts.append((indices, *make(table, rows[indices], frames[indices])))
    others = np.array([k for k in np.flatnonzero(~np.isin(kinds, list(_BATCHED))).tolist() if k not in refused], int)
    for alike in _alike(table, rows, frames, others):
        try:
            points, *values = _one(table, int(rows[alike[0]]), frames[alike[0]])
        except RishError as error:
            refused |= dict.fromkeys(alike, error.what)
            continue
        copies = len(alike)
        parts.append(
            (np.repeat(alike, len(points)), np.tile(points, (copies, 1, 1)), *(np.tile(v, copies) for v in values))
        )
    return _joined(parts, refused)


def _alike(table: Any, rows: Array, frames: Array, which: Array) -> list[list[int]]:
    """Group those of the colliders `which` (indices) that give the same pieces; return lists of indices."""
    if not len(which):
        return []
    names = ("shape", "closed", "radius", "offset", "rotation")
    numbers = [table.column(name)[rows[which]].astype(np.float64).reshape(len(which), -1) for name in names]
    keys = np.column_stack([*numbers, frames[which]])
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    for k, number in zip(which.tolist(), keys, strict=True):
        first, count = table.points.spans[rows[k]].tolist()
        groups.setdefault((number.tobytes(), table.points.items[first : first + count].tobytes()), []).append(k)
    return list(groups.values())


def _joined(parts: list[Any], refused: dict[int, str]) -> Pieces:
    if not parts:
        none = np.zeros(0, np.int64)
        return Pieces(none, np.zeros((0, MAX_POINTS, 2)), none, np.zeros(0), none, refused)
    owner, points, count, radius, flags = (np.concatenate([part[k] for part in parts]) for k in range(5))
    order = np.argsort(owner, kind="stable")
    return Pieces(owner[order], points[order], count[order], radius[order], flags[order], refused)


def _bent(table: Any, rows: Array, frames: Array) -> Array:
    """Return for each collider whether its frame is sheared, or stretches a rotated shape, bool: then it cannot be a
    shape. A circle may be stretched; its radius gets the greater scale.
    """
    angle = table.rotation[rows].astype(np.float64)
    turned = frames.copy()
    if angle.any():
        sin, cos = maths.sincos(angle)
        a, b, c, d = frames[:, :4].T
        turned[:, :4] = np.column_stack([a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin])
    round_ = table.shape[rows] == _KINDS.index(ColliderShape.CIRCLE)
    free = np.isin(table.shape[rows], [_KINDS.index(kind) for kind in _FROM_POINTS])
    flat = ~np.isfinite(frames).all(axis=1) | ~(_growth(frames) > 0)
    area = frames[:, 0] * frames[:, 3] - frames[:, 1] * frames[:, 2]
    return flat | (~round_ & ~free & sheared(turned)) | (area == 0)


def _sound(table: Any, rows: Array, frames: Array, maximum: float) -> Array:
    """Return for each collider whether its lengths are finite, not negative, and at most `maximum` units, bool. Points
    are checked later, shape by shape.
    """
    size, radius, offset = (table.column(name)[rows].astype(np.float64) for name in ("size", "radius", "offset"))
    reach = (size.sum(axis=1) + radius + np.abs(offset).sum(axis=1)) * _growth(frames)
    return (reach <= maximum) & (size >= 0).all(axis=1) & (radius >= 0) & np.isfinite(table.rotation[rows])


def _flat(table: Any, rows: Array) -> Array:
    """Return for each box, circle and capsule whether it has no area, bool."""
    kinds, size, radius = table.shape[rows], table.size[rows], table.radius[rows]
    minimum = np.where(kinds == _KINDS.index(ColliderShape.CIRCLE), size[:, 0], size.min(axis=1))
    has_points = table.points.spans[rows, 1] > 0
    return np.isin(kinds, list(_BATCHED)) & ~has_points & (radius == 0) & (minimum == 0)


_FROM_POINTS = (ColliderShape.POLYGON, ColliderShape.SEGMENT, ColliderShape.CHAIN, ColliderShape.OUTLINE)


def _growth(frames: Array) -> Array:
    """Return the greatest scale of each frame along its axes, float64; radii are multiplied by it."""
    a, b, c, d = frames[:, :4].T
    return maths.sqrt(np.maximum(a * a + b * b, c * c + d * d))


def _placed(table: Any, rows: Array, frames: Array, points: Array) -> Array:
    """Transform points (n, k, 2) by the offset and angle of each collider, then by its frame; float64 (n, k, 2)."""
    offset, angle = table.offset[rows].astype(np.float64), table.rotation[rows].astype(np.float64)
    x, y = points[..., 0], points[..., 1]
    if angle.any():
        sin, cos = (part[:, None] for part in maths.sincos(angle))
        x, y = cos * x - sin * y, sin * x + cos * y
    x, y = x + offset[:, :1], y + offset[:, 1:]
    a, b, c, d, tx, ty = (frames[:, k : k + 1] for k in range(6))
    return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1)


def _filled(points: Array) -> Array:
    """Return points (n, k, 2) padded with zeros to (n, 8, 2)."""
    filled = np.zeros((len(points), MAX_POINTS, 2))
    filled[:, : points.shape[1]] = points
    return filled


def _circles(table: Any, rows: Array, frames: Array) -> Any:
    radius = table.radius[rows].astype(np.float64)
    radius = np.where(radius > 0, radius, 0.5 * table.size[rows, 0]) * _growth(frames)
    points = _filled(_placed(table, rows, frames, np.zeros((len(rows), 1, 2))))
    count = np.ones(len(rows), np.int64)
    return points, count, radius, 0 * count


def _boxes(table: Any, rows: Array, frames: Array) -> Any:
    half = 0.5 * table.size[rows].astype(np.float64)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    points = _placed(table, rows, frames, corners * half[:, None, :])
    points = _counter_clockwise(points, frames)
    radius = table.radius[rows] * _growth(frames)
    straight = (frames[:, 1] == 0) & (frames[:, 2] == 0) & (table.rotation[rows] == 0) & (radius == 0)
    return _filled(points), np.full(len(rows), 4), radius, np.where(straight, BOX, 0)


def _counter_clockwise(points: Array, frames: Array) -> Array:
    """Reverse the order of points (n, k, 2) if the frame mirrors."""
    mirrored = frames[:, 0] * frames[:, 3] - frames[:, 1] * frames[:, 2] < 0
    points[mirrored] = points[mirrored][:, ::-1]
    return points


def _capsules(table: Any, rows: Array, frames: Array) -> Any:
    """Convert capsules to pieces. A capsule lies between its two points if it has any; otherwise it fills its size,
    along the longer side.
    """
    size = table.size[rows].astype(np.float64)
    minimum, maximum = size.min(axis=1), size.max(axis=1)
    own_radius = table.radius[rows].astype(np.float64)
    radius = np.where(own_radius > 0, own_radius, 0.5 * minimum)
    half = np.maximum(0.5 * maximum - radius, 0)
    lying = size[:, 0] > size[:, 1]
    ends = np.stack([np.where(lying, half, 0), np.where(lying, 0, half)], axis=-1)
    ends = np.stack([-ends, ends], axis=1)
    spans = table.points.spans[rows]
    for k in np.flatnonzero(spans[:, 1] == 2).tolist():
        ends[k] = table.points.items[spans[k, 0] : spans[k, 0] + 2]
    points = _placed(table, rows, frames, ends)
    apart = np.abs(points[:, 1] - points[:, 0]).max(axis=1)
    radius = radius * _growth(frames)
    count = np.where(apart > _MIN_RATIO * radius, 2, 1)
    points[count == 1, 0] = points[count == 1].mean(axis=1)
    points[count == 1, 1] = 0
    return _filled(points), count, radius, np.zeros(len(rows), np.int64)


_BATCHED: dict[int, Callable[[Any, Array, Array], Any]] = {
    _KINDS.index(ColliderShape.BOX): _boxes,
    _KINDS.index(ColliderShape.CIRCLE): _circles,
    _KINDS.index(ColliderShape.CAPSULE): _capsules,
}


def _one(table: Any, row: int, frame: Array) -> Any:
    """Return the pieces of one polygon, segment, chain or outline."""
    kind = _KINDS[int(table.shape[row])]
    [(points, radius)] = cores_of(table, np.array([row]), frame[None])
    if not len(points):
        raise UsageError(f"its shape {kind.value} needs `points`")
    hulls = hulls_of(kind, points, bool(table.closed[row]))
    stacked = np.concatenate([_filled(np.asarray(hull, np.float64)[None]) for hull in hulls])
    count = np.array([len(hull) for hull in hulls])
    return stacked, count, np.full(len(hulls), radius), np.full(len(hulls), CHAIN if kind is ColliderShape.CHAIN else 0)


def cores_of(table: Any, rows: Array, frames: Array) -> list[tuple[Array, float]]:
    """Return the points of colliders as their author gave them, float64 (k, 2), and the radius that rounds them.

    frames: float64 (n, 6); the points are transformed by them. A circle has one point, a capsule two, a box four.
    """
    cores: list[tuple[Array, float]] = [(np.zeros((0, 2)), 0.0)] * len(rows)
    kinds = table.shape[rows]
    for number, make in _BATCHED.items():
        indices = np.flatnonzero(kinds == number)
        if len(indices):
            points, count, radius, _ = make(table, rows[indices], frames[indices])
            for k, at in enumerate(indices.tolist()):
                cores[at] = points[k, : count[k]], float(radius[k])
    for at in np.flatnonzero(~np.isin(kinds, list(_BATCHED))).tolist():
        row, frame = rows[at : at + 1], frames[at : at + 1]
        points = table.points[int(rows[at])].astype(np.float64).reshape(1, -1, 2)
        points = _counter_clockwise(_placed(table, row, frame, points), frame)
        cores[at] = points[0], float(table.radius[rows[at]] * _growth(frame)[0])
    return cores


def hulls_of(kind: ColliderShape, points: Array, closed: bool) -> list[Array]:
    """Return the convex hulls of a shape given by its points (n, 2); for a chain, four points per segment.

    Raises UsageError if the points cannot be such a shape.
    """
    if kind is ColliderShape.CHAIN:
        return list(chain_rows(points, loop=closed)[:, :8].reshape(-1, 4, 2))
    from ..geometry.decompose import decompose, outline_of

    if kind is ColliderShape.OUTLINE:
        return decompose(points)
    if kind is ColliderShape.POLYGON:
        outline = outline_of(points)
        if not turns_left(outline):
            raise UsageError("its polygon is not convex", hint="Write `shape: outline`, which splits it into pieces")
        return [convex_hull(outline)]
    if len(points) != 2 or np.abs(points[1] - points[0]).max() <= _MIN_RATIO * np.abs(points).max():
        raise UsageError("its segment needs two different points")
    return [points]
