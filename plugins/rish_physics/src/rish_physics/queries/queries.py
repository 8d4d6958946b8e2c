"""Queries for shapes: ray casts, shape casts, overlap tests and picking.

Every query takes one or many points: for one point, (x, y), it returns one result; for many, (n, 2), arrays with all
results, thousands in one call. Results are for the shapes as the last step left them. All queries take

    mask      the categories to test: category bits, or the name of a collision layer, or several names; all by default
    sensors   whether sensors are tested as well
    ignore    an entity that is not tested: a collider, or a body with all its colliders; for many points also an array

and their order depends only on the shapes. Hits name two entities: `entity` has the collider, `body` is the body it
belongs to. They are the same unless the collider is on a child; `body` is 0 if there is no body. A collider counts as
one shape, also if it was cut into convex pieces: a ray that begins inside an outline does not hit it before it has left
it. All raise UsageError for an invalid point, and UnknownName for a layer that does not exist.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from rish_core import UsageError, World
from rish_jit import Array, maths

from ..broad.bvh8 import wide_of
from ..broad.index import Trees
from ..components.scratch import scratch_of
from ..components.tables import DYNAMIC, TYPE
from ..contacts.state import State
from .answers import Overlaps, RayHit, RayHits, hits_of, overlaps_of_shapes
from .input import (
    ALL,
    Ignored,
    Mask,
    OnePoint,
    Point,
    Points,
    form_of,
    ignored_by,
    is_point,
    many,
    mask_bits,
    place_of,
    places_of,
    same_length,
    turned,
)


class Asked(TypedDict, total=False):
    """The options of every query; see the module."""

    mask: Mask
    sensors: bool
    ignore: Ignored


class CastAsked(Asked, total=False):
    """The options of casts. inside: whether a shape that contains the start is hit immediately."""

    inside: bool


class FormAsked(TypedDict, total=False):
    """A cast or tested shape. radius: rounds it (a circle is one point with a radius). angle: its rotation, radians."""

    radius: float
    angle: float


class FormCastAsked(FormAsked, CastAsked, total=False):
    """The options of shape casts."""


class FormOverlapAsked(Asked, total=False):
    """The options of shape overlaps. angle: for many, also one each, radians."""

    radius: float
    angle: float | Array


@overload
def ray_cast(world: World, start: OnePoint, end: OnePoint, **asked: Unpack[CastAsked]) -> RayHit | None: ...
@overload
def ray_cast(world: World, start: Points, end: Points, **asked: Unpack[CastAsked]) -> RayHits: ...
def ray_cast(
    world: World, start: Any, end: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0,
    inside: bool = False,
) -> RayHit | RayHits | None:  # fmt: skip
    """Return the first hit between start and end: a `RayHit`, or None; for many rays `RayHits`, one row per ray.

    inside: whether a shape that contains the start is hit immediately; otherwise the ray passes through it.
    """
    if is_point(start):
        return _cast_one(world, "ray_cast", start, end, _RAY, 0.0, mask, sensors, ignore, inside)
    return _cast(world, "ray_cast", start, end, _RAY, 0.0, mask, sensors, ignore, inside, every=False)


def ray_cast_all(
    world: World, start: Point | Points, end: Point | Points, *, mask: Mask = ALL, sensors: bool = False,
    ignore: Ignored = 0, inside: bool = False,
) -> RayHits:  # fmt: skip
    """Return all hits between start and end, the nearest first; for many rays, ray by ray.

    There is one row for each time that a ray enters a collider; it may enter an outline or a chain several times.
    """
    return _cast(
        world, "ray_cast_all", many(start), many(end), _RAY, 0.0, mask, sensors, ignore, inside, every=True
    )  # fmt: skip


@overload
def shape_cast(
    world: World, points: Points, start: OnePoint, end: OnePoint, **asked: Unpack[FormCastAsked]
) -> RayHit | None: ...
@overload
def shape_cast(world: World, points: Points, start: Points, end: Points, **asked: Unpack[FormCastAsked]) -> RayHits: ...
def shape_cast(
    world: World, points: Points, start: Any, end: Any, *, radius: float = 0.0, angle: float = 0.0,
    mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0, inside: bool = True,
) -> RayHit | RayHits | None:  # fmt: skip
    """Return the first hit of a shape that is moved from start to end without rotation.

    points: 1 to 8 corners of the shape, relative to start; radius: rounds it (a circle is one point with a radius).
    angle: its rotation, radians. inside: whether a shape that it overlaps at the start is hit immediately. The point of
    the hit is the position of the shape's origin at that time. For many starts and ends `RayHits`, one row each.
    """
    form = turned("shape_cast", form_of("shape_cast", points, radius), angle)
    if is_point(start):
        return _cast_one(world, "shape_cast", start, end, form, float(radius), mask, sensors, ignore, inside)
    return _cast(world, "shape_cast", start, end, form, float(radius), mask, sensors, ignore, inside, every=False)


def shape_cast_all(
    world: World, points: Points, start: Point | Points, end: Point | Points, *, radius: float = 0.0,
    angle: float = 0.0, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0, inside: bool = True,
) -> RayHits:  # fmt: skip
    """Return all hits of a shape that is moved from start to end without rotation, the nearest first.

    There is one row for each time that it begins to overlap a collider.
    """
    form = turned("shape_cast_all", form_of("shape_cast_all", points, radius), angle)
    return _cast(
        world, "shape_cast_all", many(start), many(end), form, float(radius), mask, sensors, ignore, inside, every=True
    )  # fmt: skip


@overload
def overlap_point(world: World, point: OnePoint, **asked: Unpack[Asked]) -> Array: ...
@overload
def overlap_point(world: World, point: Points, **asked: Unpack[Asked]) -> Overlaps: ...
def overlap_point(
    world: World, point: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps:
    """Return the entities whose shapes contain a point, int64; for many points `Overlaps`."""
    return _overlaps(world, "overlap_point", _POINT, point, 0.0, 0.0, mask, sensors, ignore)


@overload
def overlap_circle(world: World, point: OnePoint, radius: float, **asked: Unpack[Asked]) -> Array: ...
@overload
def overlap_circle(world: World, point: Points, radius: float, **asked: Unpack[Asked]) -> Overlaps: ...
def overlap_circle(
    world: World, point: Any, radius: float, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps:
    """Return the entities whose shapes overlap a circle, int64; for a circle at many points `Overlaps`."""
    form = form_of("overlap_circle", _POINT, radius)
    return _overlaps(world, "overlap_circle", form, point, radius, 0.0, mask, sensors, ignore)


@overload
def overlap_box(world: World, low: OnePoint, high: OnePoint, **asked: Unpack[Asked]) -> Array: ...
@overload
def overlap_box(world: World, low: Points, high: Points, **asked: Unpack[Asked]) -> Overlaps: ...
def overlap_box(
    world: World, low: Any, high: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps:
    """Return the entities whose shapes overlap the axis-aligned box between two corners, int64; for many boxes
    `Overlaps`.
    """
    a, b = places_of("overlap_box", "low", many(low)), places_of("overlap_box", "high", many(high))
    same_length("overlap_box", a, b)
    corner, other = np.minimum(a, b), np.maximum(a, b)
    middle, half = (corner + other) / 2, (other - corner) / 2
    corners = half[:, None] * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    overlaps = _overlap(world, "overlap_box", corners, 0.0, middle, 0.0, mask, sensors, ignore)
    answer = overlaps_of_shapes(state_of(world), *overlaps)
    return answer.entity if is_point(low) else answer


@overload
def overlap_shape(world: World, points: Points, at: OnePoint, **asked: Unpack[FormOverlapAsked]) -> Array: ...
@overload
def overlap_shape(world: World, points: Points, at: Points, **asked: Unpack[FormOverlapAsked]) -> Overlaps: ...
def overlap_shape(
    world: World, points: Points, at: Any, *, radius: float = 0.0, angle: float | Array = 0.0, mask: Mask = ALL,
    sensors: bool = False, ignore: Ignored = 0,
) -> Array | Overlaps:  # fmt: skip
    """Return the entities whose shapes overlap a shape of 1 to 8 corners relative to `at`, rounded and rotated,
    int64.

    angle: radians. For one shape at many places `Overlaps`; then there may be an angle for each place.
    """
    form = form_of("overlap_shape", points, radius)
    return _overlaps(world, "overlap_shape", form, at, radius, angle, mask, sensors, ignore)


@overload
def pick(world: World, point: OnePoint, *, reach: float = ..., **asked: Unpack[Asked]) -> int | None: ...
@overload
def pick(world: World, point: Points, *, reach: float = ..., **asked: Unpack[Asked]) -> Array: ...
def pick(
    world: World, point: Any, *, reach: float = 0.0, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> int | Array | None:
    """Return the entity to grab at a point, or within `reach` of it: the body, or a collider without one.

    Dynamic bodies are preferred, then the highest shape slot; None if there is none. For many points int64, 0 for none.
    """
    state, points = state_of(world), places_of("pick", "point", many(point))
    queries, shapes = _overlap(world, "pick", form_of("pick", _POINT, reach), reach, points, 0.0, mask, sensors, ignore)
    picked = np.zeros(len(points), np.int64)
    dynamic = (state.bodies.flags[state.shapes.body[shapes]] & TYPE) == DYNAMIC
    order = np.lexsort((shapes, dynamic, queries))
    body = state.bodies.entity[state.shapes.body[shapes]]
    picked[queries[order]] = np.where(body != 0, body, state.shapes.entity[shapes])[order]  # the last write remains
    return (int(picked[0]) or None) if is_point(point) else picked


def shapes_at(world: World, points: Points, at: Point, radius: float, mask: Mask, ignore: int) -> Array:
    """Return the slots of the shapes that a shape overlaps at a place, int32, ascending, without sensors."""
    return _overlap(world, "shapes_at", np.asarray(points), radius, [at], 0.0, mask, False, ignore)[1]


def shapes_hit(
    world: World, points: Array, start: Array, end: Array, radius: float, mask: int, ignore: int
) -> tuple[Array, Array, Array]:
    """Return (shapes, shares, normals) of all hits of a shape that is moved from start to end, the nearest first.

    points: float32 (n, 2), counter-clockwise, relative to start. shapes: int32 slots. shares: float64, of the path.
    normals: float64 (n, 2), (0, 0) for a shape that it overlaps at the start. Sensors are left out.
    """
    state = state_of(world)
    trees, filters = state.index.trees(state.moved), (mask_bits(world, mask), False, np.array([ignore]))
    rays = np.asarray(start, np.float64), np.asarray(end, np.float64) - start
    room = 16
    while True:
        hits = np.ones(room), np.full(room, -1, np.int32), np.zeros(2 * room), np.zeros(room, np.int32)
        count = _run(state, trees, rays, points, radius, filters, True, hits, every=True)
        if count <= room:
            shares, shapes, normals = hits[0][:count], hits[1][:count], hits[2].reshape(-1, 2)[:count]
            order = np.lexsort((shapes, shares))
            return shapes[order], shares[order], normals[order]
        room = count


Wanted: TypeAlias = "tuple[Any, bool, Array]"
"""The filters of a query: the mask, whether sensors count, and the entities to ignore."""
Hits: TypeAlias = "tuple[Array, Array, Array, Array]"
"""The fractions of the ray's length, shapes, normals and ray numbers, one row per hit."""
_RAY: Array = np.zeros((0, 2), np.float32)
_POINT: Array = np.zeros((1, 2), np.float32)
_NO_EXTENT: Array = np.zeros(4)
_TOLERANCE = 0.05
"""The share of the slop within which a swept shape counts as touching."""


def state_of(world: World) -> State:
    """Return the solver's state of a World, created if there is none yet. Raises as `State.of`."""
    scratch = scratch_of(world)
    return (scratch.state if scratch is not None else None) or State.of(world)


def _overlaps(
    world: World, call: str, form: Array, where: Any, radius: float, angle: float | Array, mask: Mask, sensors: bool,
    ignore: Ignored,
) -> Array | Overlaps:  # fmt: skip
    """Return the overlaps of a shape: the entities at one point, `Overlaps` at many."""
    overlaps = _overlap(world, call, form, radius, many(where), angle, mask, sensors, ignore)
    answer = overlaps_of_shapes(state_of(world), *overlaps)
    return answer.entity if is_point(where) else answer


def _cast_one(
    world: World, call: str, start: Point, end: Point, form: Array, radius: float, mask: Mask, sensors: bool,
    ignore: Any, inside: bool,
) -> RayHit | None:  # fmt: skip
    """Return the nearest hit of one ray or shape; avoids array results and is five times faster than `_cast` with one
    row.
    """
    (x, y), (u, v) = place_of(call, "start", start), place_of(call, "end", end)
    state = state_of(world)
    trees, (shares, shapes, normal, _) = state.index.trees(state.moved), _HITS
    _START[:] = x, y
    _WAY[:] = u - x, v - y
    _IGNORED[0], shares[0], shapes[0] = ignore, 1.0, -1
    _run(state, trees, (_START, _WAY), form, radius, (mask_bits(world, mask), sensors, _IGNORED), inside, _HITS)
    shape, share = int(shapes[0]), float(shares[0])
    if shape < 0:
        return None
    entity, body = state.shapes.entity[shape], state.bodies.entity[state.shapes.body[shape]]
    point = np.array((x + share * (u - x), y + share * (v - y)), np.float32)
    return RayHit(int(entity), int(body), point, normal.astype(np.float32), share)


# The arrays for one ray, reused in each call of `_cast_one`.
_START, _WAY, _IGNORED = np.zeros(2), np.zeros(2), np.zeros(1, np.int64)
_HITS: Hits = np.zeros(1), np.zeros(1, np.int32), np.zeros(2), np.zeros(1, np.int32)


def _cast(
    world: World, call: str, starts: Points, ends: Points, form: Array, radius: float, mask: Mask, sensors: bool,
    ignore: Ignored, inside: bool, *, every: bool,
) -> RayHits:  # fmt: skip
    """Return the hits of many rays, or of one shape on many paths."""
    origin, target = places_of(call, "start", starts), places_of(call, "end", ends)
    same_length(call, origin, target)
    state = state_of(world)
    n, ways = len(origin), target - origin
    trees, filters = state.index.trees(state.moved), (mask_bits(world, mask), sensors, ignored_by(call, ignore, n))
    room = max(64, 4 * n) if every else n
    while True:
        shares, shapes, normals = np.ones(room), np.full(room, -1, np.int32), np.zeros(2 * room)
        rays = np.zeros(room, np.int32) if every else np.arange(n, dtype=np.int32)
        hits = shares, shapes, normals, rays
        count = _run(state, trees, (origin.ravel(), ways.ravel()), form, radius, filters, inside, hits, every=every)
        if not every:
            return hits_of(state, origin, ways, rays, shapes, shares, normals.reshape(-1, 2))
        if count <= room:
            order = np.lexsort((shapes[:count], shares[:count], rays[:count]))
            columns = (array[:count][order] for array in (rays, shapes, shares, normals.reshape(-1, 2)))
            return hits_of(state, origin, ways, *columns)
        room = count


def _run(
    state: State, trees: Trees, rays: tuple[Array, Array], form: Array, radius: float, filters: Wanted, inside: bool,
    hits: Hits, *, every: bool = False,
) -> int:  # fmt: skip
    """Run the kernel on all trees; return the number of hits if `every`. rays: their starts and displacements."""
    from . import kernels as query_kernels

    extent = _NO_EXTENT
    if len(form):
        low, high = form.min(axis=0).astype(np.float64), form.max(axis=0).astype(np.float64)
        extent = np.array((*((high - low) / 2 + radius), *((low + high) / 2)))
    tolerance, count, index = np.float64(state.scaled.slop) * _TOLERANCE, 0, state.index
    cast = form.ravel(), len(form), np.float64(radius), extent
    for tree, kinds, value in trees:
        wide = wide_of(tree)
        count = query_kernels.cast(
            rays, cast, tolerance, (wide.boxes, wide.kids, kinds, value), index.asked, filters, inside, every, hits,
            count, index.working,
        )  # fmt: skip
    return count


def _overlap(
    world: World, call: str, form: Array, radius: float, places: Points, angles: float | Array, mask: Mask,
    sensors: bool, ignore: Ignored,
) -> tuple[Array, Array]:  # fmt: skip
    """Return (queries, shapes), int32: which query overlaps which shape, ordered by both.

    form: (k, 2), one for all places, or (n, k, 2), one each.
    """
    from . import kernels as query_kernels

    state, where = state_of(world), places_of(call, "places", places)
    n = len(where)
    turn = np.asarray(angles, np.float64)
    if turn.ndim > 1 or (turn.ndim == 1 and len(turn) != n) or not np.isfinite(turn).all():
        raise UsageError(f"{call}: `angle` must be one number, or one for each of the {n} places", hint="Give radians")
    poses = np.zeros((n, 4))
    poses[:, :2] = where
    poses[:, 3], poses[:, 2] = maths.sincos(turn)
    corners = np.asarray(form, np.float32)
    stride = 2 * corners.shape[1] if corners.ndim > 2 else 0
    filters, room = (mask_bits(world, mask), sensors, ignored_by(call, ignore, n)), max(64, 4 * n)
    shape = corners.ravel(), corners.shape[-2], stride, np.float64(radius)
    trees, index = state.index.trees(state.moved), state.index
    while True:
        shapes, queries = np.zeros(room, np.int32), np.zeros(room, np.int32)
        count = 0
        for tree, kinds, value in trees:
            count = query_kernels.find_overlaps(
                poses.ravel(), shape, (tree.items, tree.links, tree.boxes, tree.leaves, kinds, value), index.asked,
                filters, (queries, shapes), count, index.working,
            )  # fmt: skip
        if count <= room:
            order = np.lexsort((shapes[:count], queries[:count]))
            return queries[:count][order], shapes[:count][order]
        room = count
