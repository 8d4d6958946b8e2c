"""Queries for shapes in space: ray casts, shape casts and overlaps, as `rish_physics` has them in two dimensions.

Every query takes one or many points: for one point, (x, y, z), it returns one result; for many, (n, 3), arrays with all
results, thousands in one call. Results are for the places that the components have now. All queries take

    mask      the categories to test: category bits, or the name of a collision layer, or several names; all by default
    sensors   whether sensors are tested as well
    ignore    an entity that is not tested: a collider, or a body with all its colliders; for many points also an array

and their order depends only on the shapes. Hits name two entities: `entity` has the collider, `body` is the body it
belongs to. They are the same unless the collider is on a child; `body` is 0 if there is no body. All raise UsageError
for an invalid point, and UnknownName for a layer that does not exist.
"""

from __future__ import annotations

from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rish_core import World
from rish_jit import Array

from ..components.bodies import DYNAMIC, Body3D
from ..components.filters import mask_bits
from .answers import Overlaps3D, RayHit3D, RayHits3D
from .index import ShapeIndex
from .input import (
    ALL,
    UPRIGHT,
    Ignored,
    Mask,
    OnePoint,
    Point,
    Points,
    form_of,
    ignored_by,
    is_point,
    places_of,
    same_length,
    turned,
)


class Asked3D(TypedDict, total=False):
    """The options of every query; see the module."""

    mask: Mask
    sensors: bool
    ignore: Ignored


class CastAsked3D(Asked3D, total=False):
    """The options of casts. inside: whether a shape that contains the start is hit immediately."""

    inside: bool


class FormCastAsked3D(CastAsked3D, total=False):
    """The options of shape casts. radius: rounds the shape (a sphere is one point with a radius). rotation: x y z w."""

    radius: float
    rotation: Any


class FormAsked3D(Asked3D, total=False):
    """The options of shape overlaps. rotation: x y z w, for many places also one each."""

    radius: float
    rotation: Any


@overload
def ray_cast_3d(world: World, start: OnePoint, end: OnePoint, **asked: Unpack[CastAsked3D]) -> RayHit3D | None: ...
@overload
def ray_cast_3d(world: World, start: Points, end: Points, **asked: Unpack[CastAsked3D]) -> RayHits3D: ...
def ray_cast_3d(
    world: World, start: Any, end: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0,
    inside: bool = False,
) -> RayHit3D | RayHits3D | None:  # fmt: skip
    """Return the first hit between start and end: a `RayHit3D`, or None; for many rays `RayHits3D`, one row per ray.

    inside: whether a shape that contains the start is hit immediately; otherwise the ray passes through it.
    """
    hits = _cast(world, "ray_cast_3d", _RAY, 0.0, start, end, (mask, sensors, ignore), inside, every=False)
    return hits.row(0) if is_point(start) else hits


def ray_cast_all_3d(
    world: World, start: Point | Points, end: Point | Points, *, mask: Mask = ALL, sensors: bool = False,
    ignore: Ignored = 0, inside: bool = False,
) -> RayHits3D:  # fmt: skip
    """Return all hits between start and end, one for each collider, the nearest first; for many rays, ray by ray."""
    return _cast(world, "ray_cast_all_3d", _RAY, 0.0, start, end, (mask, sensors, ignore), inside, every=True)


@overload
def shape_cast_3d(
    world: World, points: Points, start: OnePoint, end: OnePoint, **asked: Unpack[FormCastAsked3D]
) -> RayHit3D | None: ...
@overload
def shape_cast_3d(
    world: World, points: Points, start: Points, end: Points, **asked: Unpack[FormCastAsked3D]
) -> RayHits3D: ...
def shape_cast_3d(
    world: World, points: Points, start: Any, end: Any, *, radius: float = 0.0, rotation: Any = UPRIGHT,
    mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0, inside: bool = True,
) -> RayHit3D | RayHits3D | None:  # fmt: skip
    """Return the first hit of a convex shape that is moved from start to end without rotation.

    points: 1 to 64 points of the shape, relative to start; radius: rounds it (a sphere is one point with a radius, a
    capsule two). rotation: of the shape, x y z w. inside: whether a shape that it overlaps at the start is hit
    immediately. The point of the hit is the position of the shape's origin at that time. For many starts and ends
    `RayHits3D`, one row each.
    """
    form = turned("shape_cast_3d", form_of("shape_cast_3d", points, radius), rotation, 1)
    hits = _cast(world, "shape_cast_3d", form, radius, start, end, (mask, sensors, ignore), inside, every=False)
    return hits.row(0) if is_point(start) else hits


def shape_cast_all_3d(
    world: World, points: Points, start: Point | Points, end: Point | Points, *, radius: float = 0.0,
    rotation: Any = UPRIGHT, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0, inside: bool = True,
) -> RayHits3D:  # fmt: skip
    """Return all hits of a convex shape that is moved from start to end, one for each collider, the nearest first."""
    form = turned("shape_cast_all_3d", form_of("shape_cast_all_3d", points, radius), rotation, 1)
    return _cast(world, "shape_cast_all_3d", form, radius, start, end, (mask, sensors, ignore), inside, every=True)


@overload
def overlap_point_3d(world: World, point: OnePoint, **asked: Unpack[Asked3D]) -> Array: ...
@overload
def overlap_point_3d(world: World, point: Points, **asked: Unpack[Asked3D]) -> Overlaps3D: ...
def overlap_point_3d(
    world: World, point: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps3D:
    """Return the entities whose shapes contain a point, int64; for many points `Overlaps3D`."""
    return _overlaps(world, "overlap_point_3d", _POINT, 0.0, point, (mask, sensors, ignore))


@overload
def overlap_sphere_3d(world: World, point: OnePoint, radius: float, **asked: Unpack[Asked3D]) -> Array: ...
@overload
def overlap_sphere_3d(world: World, point: Points, radius: float, **asked: Unpack[Asked3D]) -> Overlaps3D: ...
def overlap_sphere_3d(
    world: World, point: Any, radius: float, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps3D:
    """Return the entities whose shapes overlap a sphere, int64; for a sphere at many points `Overlaps3D`."""
    form = form_of("overlap_sphere_3d", _POINT, radius)
    return _overlaps(world, "overlap_sphere_3d", form, radius, point, (mask, sensors, ignore))


@overload
def overlap_box_3d(world: World, low: OnePoint, high: OnePoint, **asked: Unpack[Asked3D]) -> Array: ...
@overload
def overlap_box_3d(world: World, low: Points, high: Points, **asked: Unpack[Asked3D]) -> Overlaps3D: ...
def overlap_box_3d(
    world: World, low: Any, high: Any, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array | Overlaps3D:
    """Return the entities whose shapes overlap the axis-aligned box between two corners, int64; for many boxes
    `Overlaps3D`.
    """
    a, b = places_of("overlap_box_3d", "low", low), places_of("overlap_box_3d", "high", high)
    same_length("overlap_box_3d", a, b)
    corner, other = np.minimum(a, b), np.maximum(a, b)
    corners = ((other - corner) / 2)[:, None] * _CORNERS
    found = _overlap(world, "overlap_box_3d", corners, 0.0, (corner + other) / 2, (mask, sensors, ignore))
    return found.entity if is_point(low) else found


@overload
def overlap_shape_3d(world: World, points: Points, at: OnePoint, **asked: Unpack[FormAsked3D]) -> Array: ...
@overload
def overlap_shape_3d(world: World, points: Points, at: Points, **asked: Unpack[FormAsked3D]) -> Overlaps3D: ...
def overlap_shape_3d(
    world: World, points: Points, at: Any, *, radius: float = 0.0, rotation: Any = UPRIGHT, mask: Mask = ALL,
    sensors: bool = False, ignore: Ignored = 0,
) -> Array | Overlaps3D:  # fmt: skip
    """Return the entities whose shapes overlap a convex shape of 1 to 64 points relative to `at`, int64.

    radius: rounds it. rotation: x y z w. For one shape at many places `Overlaps3D`; then there may be a rotation for
    each place.
    """
    places = places_of("overlap_shape_3d", "at", at)
    form = turned("overlap_shape_3d", form_of("overlap_shape_3d", points, radius), rotation, len(places))
    return _overlaps(world, "overlap_shape_3d", form, radius, at, (mask, sensors, ignore))


@overload
def pick_body_3d(
    world: World, start: OnePoint, end: OnePoint, *, reach: float = ..., **asked: Unpack[Asked3D]
) -> int | None: ...
@overload
def pick_body_3d(
    world: World, start: Points, end: Points, *, reach: float = ..., **asked: Unpack[Asked3D]
) -> Array: ...
def pick_body_3d(
    world: World, start: Any, end: Any, *, reach: float = 0.0, mask: Mask = ALL, sensors: bool = False,
    ignore: Ignored = 0,
) -> int | Array | None:  # fmt: skip
    """Return the entity to grab along a ray, as from a camera through the pointer: the body, or a collider without one.

    It is the first one that the ray hits. If that is not dynamic, a dynamic body within `reach` of the ray up to there
    is preferred, the nearest to the start. None if there is none; for many rays int64, 0 for none.
    """
    first = _cast(world, "pick_body_3d", _RAY, 0.0, start, end, (mask, sensors, ignore), True, every=False)
    picked = np.where(first.body != 0, first.body, first.entity)
    if reach > 0 and len(picked):
        form = form_of("pick_body_3d", _POINT, reach)
        near = _cast(world, "pick_body_3d", form, reach, start, end, (mask, sensors, ignore), True, every=True)
        movable = (
            _dynamic(world, near.body)
            & (near.fraction <= first.fraction[near.ray])
            & ~_dynamic(world, picked)[near.ray]
        )
        rays, at = np.unique(near.ray[movable], return_index=True)
        picked[rays] = near.body[movable][at]
    return (int(picked[0]) or None) if is_point(start) else picked


def _dynamic(world: World, entities: Array) -> Array:
    """Return which entities are dynamic bodies, bool."""
    table = world.table(Body3D)
    rows = table.rows_of(entities)
    return (rows >= 0) & (table.type[rows] == DYNAMIC) if len(table) else rows >= 0


_RAY: Array = np.zeros((0, 3))
_POINT: Array = np.zeros((1, 3))
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
Asked = tuple[Mask, bool, Ignored]
"""The options of a query: mask, sensors and ignore."""


def _overlaps(world: World, call: str, form: Array, radius: float, where: Any, asked: Asked) -> Array | Overlaps3D:
    """Return the overlaps of a shape: the entities at one point, `Overlaps3D` at many."""
    found = _overlap(world, call, form, radius, where, asked)
    return found.entity if is_point(where) else found


def _overlap(world: World, call: str, form: Array, radius: float, where: Any, asked: Asked) -> Overlaps3D:
    places = places_of(call, "places", where)
    index = world[ShapeIndex]
    index.update(world)
    _, shapes, _, queries = find_hits(
        world, index, call, form, radius, places, np.zeros_like(places), asked, (True, True)
    )
    order = np.lexsort((shapes, queries))
    shapes, queries = shapes[order], queries[order]
    return Overlaps3D(queries, index.entities[shapes], index.bodies[shapes])


def _cast(
    world: World, call: str, form: Array, radius: float, start: Any, end: Any, asked: Asked, inside: bool, *,
    every: bool,
) -> RayHits3D:  # fmt: skip
    """Return the hits of rays, or of one shape on many paths."""
    starts, ends = places_of(call, "start", start), places_of(call, "end", end)
    same_length(call, starts, ends)
    ways = ends - starts
    index = world[ShapeIndex]
    index.update(world)
    shares, shapes, normals, rays = find_hits(
        world, index, call, form, radius, starts, ways, asked, (bool(inside), every)
    )  # fmt: skip
    if every:
        order = np.lexsort((shapes, shares, rays))
        shares, shapes, normals, rays = shares[order], shapes[order], normals[order], rays[order]
    entity = body = np.zeros(len(rays), np.int64)
    if len(index.entities):
        entity, body = (np.where(shapes >= 0, column[shapes], 0) for column in (index.entities, index.bodies))
    points = (starts[rays] + shares[:, None] * ways[rays]).astype(np.float32)
    return RayHits3D(rays, entity, body, points, normals.astype(np.float32), shares.astype(np.float32))


def find_hits(
    world: World, index: ShapeIndex, call: str, form: Array, radius: float, starts: Array, ways: Array, asked: Asked,
    modes: tuple[bool, bool],
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Run the kernel; return shares, shapes, normals (m, 3) and numbers of queries.

    form: (k, 3), one for all queries, or (n, k, 3). modes: whether the inside counts, and whether all hits are wanted.
    """
    from .kernels import cast

    mask, sensors, ignore = asked
    n, every = len(starts), modes[1]
    wanted = np.int32(mask_bits(world, mask)), bool(sensors), ignored_by(call, ignore, n)
    count = form.shape[-2]
    extents = np.zeros((n, 6))
    if count:
        low, high = form.min(axis=-2), form.max(axis=-2)
        extents[:, :3], extents[:, 3:] = (high - low) / 2 + radius, (high + low) / 2
    corners = np.ascontiguousarray(form).ravel(), count, 3 * count if form.ndim > 2 else 0, float(radius)
    flat = starts.ravel(), ways.ravel(), extents.ravel()
    room = max(64, 4 * n) if every else n
    while True:
        rays = np.zeros(room, np.int32) if every else np.arange(n, dtype=np.int32)
        hits = np.ones(room), np.full(room, -1, np.int32), np.zeros(3 * room), rays
        found = n
        if n and len(index.entities):
            shapes = index.nodes(), index.shapes, index.hulls, index.meshes
            found = int(cast(flat, corners, *shapes, wanted, *modes, hits, index.work))
        elif every:
            found = 0
        if not every or found <= room:
            end = found if every else n
            return hits[0][:end], hits[1][:end], hits[2].reshape(-1, 3)[:end], rays[:end]
        room = found
