"""Questions to the world of shapes: what does a ray hit, what lies here, what can this be moved to.

Every question has a form for one and one for many (`ray_cast`, `ray_casts`): arrays in, arrays out, thousands in one
call. Answers are for the shapes as the last step left them. All of them take

    mask      what is looked at: category bits, or the name of a collision layer, or several names; all by default
    sensors   whether sensors are looked at as well
    ignore    an entity that is not looked at: a collider, or a body with all its colliders; for many, also one each

and answer in an order that depends on nothing but the shapes. Hits name two entities: `entity` carries the collider,
`body` the body it belongs to. They are the same unless the collider is on a child; `body` is 0 where there is no body.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError, World, maths

from .broad.tree import DEPTH
from .query_answers import Overlaps, RayHit, RayHits, hits_of, overlaps_of_shapes
from .query_input import (
    ALL,
    Ignored,
    Mask,
    Point,
    Points,
    form_of,
    ignored_by,
    mask_bits,
    places_of,
    same_length,
    turned,
)
from .scratch import Scratch
from .settings import Settings
from .state import State
from .tables import DYNAMIC, TYPE
from .units import scaled_of

Array = npt.NDArray[Any]


def ray_cast(
    world: World, start: Point, end: Point, *, mask: Mask = ALL, sensors: bool = False, ignore: int = 0,
    inside: bool = False,
) -> RayHit | None:  # fmt: skip
    """The first thing on the way from start to end; None if there is none.

    inside: whether a shape that holds the start is hit at once; else the ray goes through it unharmed.
    """
    hits = ray_casts(world, [start], [end], mask=mask, sensors=sensors, ignore=ignore, inside=inside)
    return hits.row(0)


def ray_casts(
    world: World, starts: Points, ends: Points, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0,
    inside: bool = False,
) -> RayHits:  # fmt: skip
    """The first thing on the way of each ray, (n, 2) each: one row a ray. Raises UsageError for what are no points."""
    return _cast(world, "ray_casts", starts, ends, _RAY, 0.0, mask, sensors, ignore, inside, every=False)


def ray_cast_all(
    world: World, start: Point, end: Point, *, mask: Mask = ALL, sensors: bool = False, ignore: int = 0,
    inside: bool = False,
) -> RayHits:  # fmt: skip
    """All things on the way from start to end, the first one first."""
    return ray_casts_all(world, [start], [end], mask=mask, sensors=sensors, ignore=ignore, inside=inside)


def ray_casts_all(
    world: World, starts: Points, ends: Points, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0,
    inside: bool = False,
) -> RayHits:  # fmt: skip
    """All things on the way of each ray: one row a hit, ray by ray, the first one first."""
    return _cast(world, "ray_casts_all", starts, ends, _RAY, 0.0, mask, sensors, ignore, inside, every=True)


def shape_cast(
    world: World, points: Points, start: Point, end: Point, *, radius: float = 0.0, angle: float = 0.0,
    mask: Mask = ALL, sensors: bool = False, ignore: int = 0, inside: bool = True,
) -> RayHit | None:  # fmt: skip
    """The first thing that a form meets when it is moved from start to end without turning.

    points: 1 to 8 corners of the form, relative to start; radius: by which it is rounded (a circle is one point with a
    radius). angle: by which it is turned, radians. inside: whether what it overlaps at the start is hit at once. The
    point of the hit is where the form's origin is then.
    """
    hits = shape_casts(
        world, points, [start], [end], radius=radius, angle=angle, mask=mask, sensors=sensors, ignore=ignore,
        inside=inside,
    )  # fmt: skip
    return hits.row(0)


def shape_casts(
    world: World, points: Points, starts: Points, ends: Points, *, radius: float = 0.0, angle: float = 0.0,
    mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0, inside: bool = True,
) -> RayHits:  # fmt: skip
    """The same for one form on many ways, (n, 2) each: one row a way."""
    form = turned("shape_casts", form_of("shape_casts", points, radius), angle)
    return _cast(world, "shape_casts", starts, ends, form, float(radius), mask, sensors, ignore, inside, every=False)


def overlap_point(
    world: World, point: Point, *, mask: Mask = ALL, sensors: bool = False, ignore: int = 0
) -> Array:
    """int64: the entities whose shapes hold a point."""
    return overlap_points(world, [point], mask=mask, sensors=sensors, ignore=ignore).entity


def overlap_points(
    world: World, points: Points, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Overlaps:
    """What holds each of many points (n, 2)."""
    return overlap_circles(world, points, 0.0, mask=mask, sensors=sensors, ignore=ignore)


def overlap_circle(
    world: World, point: Point, radius: float, *, mask: Mask = ALL, sensors: bool = False, ignore: int = 0
) -> Array:
    """int64: the entities whose shapes overlap a circle."""
    return overlap_circles(world, [point], radius, mask=mask, sensors=sensors, ignore=ignore).entity


def overlap_circles(
    world: World, points: Points, radius: float, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Overlaps:
    """What overlaps a circle at each of many places (n, 2)."""
    return overlap_shapes(world, _POINT, points, radius=radius, mask=mask, sensors=sensors, ignore=ignore)


def overlap_box(
    world: World, low: Point, high: Point, *, mask: Mask = ALL, sensors: bool = False, ignore: int = 0
) -> Array:
    """int64: the entities whose shapes overlap the upright box between two corners."""
    return overlap_boxes(world, [low], [high], mask=mask, sensors=sensors, ignore=ignore).entity


def overlap_boxes(
    world: World, lows: Points, highs: Points, *, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Overlaps:
    """What overlaps each of many upright boxes, given by opposite corners (n, 2)."""
    a, b = places_of("overlap_boxes", "lows", lows), places_of("overlap_boxes", "highs", highs)
    same_length("overlap_boxes", a, b)
    low, high = np.minimum(a, b), np.maximum(a, b)
    middle, half = (low + high) / 2, (high - low) / 2
    corners = half[:, None] * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    found = _overlap(world, "overlap_boxes", corners, 0.0, middle, 0.0, mask, sensors, ignore)
    return overlaps_of_shapes(state_of(world), *found)


def overlap_shape(
    world: World, points: Points, at: Point, *, radius: float = 0.0, angle: float = 0.0, mask: Mask = ALL,
    sensors: bool = False, ignore: int = 0,
) -> Array:  # fmt: skip
    """int64: the entities whose shapes overlap a form: 1 to 8 corners relative to `at`, rounded by a radius, turned."""
    found = overlap_shapes(world, points, [at], radius=radius, angles=angle, mask=mask, sensors=sensors, ignore=ignore)
    return found.entity


def overlap_shapes(
    world: World, points: Points, places: Points, *, radius: float = 0.0, angles: float | Array = 0.0,
    mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0,
) -> Overlaps:  # fmt: skip
    """What overlaps one form at each of many places (n, 2). angles: one, or one a place, radians."""
    form = form_of("overlap_shapes", points, radius)
    found = _overlap(world, "overlap_shapes", form, radius, places, angles, mask, sensors, ignore)
    return overlaps_of_shapes(state_of(world), *found)


def pick(
    world: World, point: Point, *, reach: float = 0.0, mask: Mask = ALL, sensors: bool = False, ignore: int = 0
) -> int:
    """The entity to grab at a point, or within `reach` of it: one that moves rather than one that stands, and of several the
    newest; 0 if there is none.
    """
    return int(picks(world, [point], reach=reach, mask=mask, sensors=sensors, ignore=ignore)[0])


def picks(
    world: World, points: Points, *, reach: float = 0.0, mask: Mask = ALL, sensors: bool = False, ignore: Ignored = 0
) -> Array:
    """int64: the same for each of many points (n, 2)."""
    state = state_of(world)
    queries, shapes = _overlap(world, "picks", form_of("picks", _POINT, reach), reach, points, 0.0, mask, sensors, ignore)
    found = np.zeros(len(places_of("picks", "points", points)), np.int64)
    dynamic = (state.bodies.flags[state.shapes.body[shapes]] & TYPE) == DYNAMIC
    order = np.lexsort((shapes, dynamic, queries))
    found[queries[order]] = state.shapes.entity[shapes[order]]  # the last one written stays
    return found


_RAY: Array = np.zeros((0, 2), np.float32)
_POINT: Array = np.zeros((1, 2), np.float32)


def state_of(world: World) -> State:
    """The solver's state of a World, made if there is none yet."""
    return world[Scratch].state or State.of(world, scaled_of(world[Settings]))


def _columns(state: State) -> tuple[Array, ...]:
    """What the kernels read of shapes and bodies."""
    shapes, bodies = state.shapes, state.bodies
    return (
        *(shapes.flat(name) for name in ("flags", "body", "filter", "entity", "hull", "size")),
        *(bodies.flat(name) for name in ("pose", "flags", "entity")),
    )


def _cast(
    world: World, call: str, starts: Points, ends: Points, form: Array, radius: float, mask: Mask, sensors: bool,
    ignore: Ignored, inside: bool, *, every: bool,
) -> RayHits:  # fmt: skip
    from . import query_kernels

    origin, target = places_of(call, "starts", starts), places_of(call, "ends", ends)
    same_length(call, origin, target)
    state = state_of(world)
    n = len(origin)
    ways = target - origin
    extent = np.zeros(4)
    if len(form):
        low, high = form.min(axis=0).astype(np.float64), form.max(axis=0).astype(np.float64)
        extent[:] = *((high - low) / 2 + radius), *((low + high) / 2)
    working = np.zeros(DEPTH, np.int32), np.zeros(DEPTH), np.zeros(32, np.float32)
    tolerance = np.float64(state.scaled.slop) * 0.02
    bits, ignored, room = mask_bits(world, mask), ignored_by(call, ignore, n), max(64, 4 * n) if every else n
    while True:
        shares, shapes, normals = np.ones(room), np.full(room, -1, np.int32), np.zeros(2 * room)
        rays = np.zeros(room, np.int32) if every else np.arange(n, dtype=np.int32)
        count = 0
        for tree, held, value in state.index.trees(state):
            count = query_kernels.cast(
                origin.ravel(), ways.ravel(), form.ravel(), len(form), np.float64(radius), extent, tolerance,
                tree.items, tree.links, tree.boxes, tree.leaves, held, value, *_columns(state), bits, sensors, inside,
                ignored, every, shares, shapes, normals, rays, *working, count,
            )  # fmt: skip
        if not every:
            return hits_of(state, origin, ways, rays, shapes, shares, normals.reshape(-1, 2))
        if count <= room:
            order = np.lexsort((shapes[:count], shares[:count], rays[:count]))
            found = (array[:count][order] for array in (rays, shapes, shares, normals.reshape(-1, 2)))
            return hits_of(state, origin, ways, *found)
        room = count


def _overlap(
    world: World, call: str, form: Array, radius: float, places: Points, angles: float | Array, mask: Mask, sensors: bool,
    ignore: Ignored,
) -> tuple[Array, Array]:  # fmt: skip
    """(queries, shapes): int32, which form overlaps which shape, ordered by both.

    form: (k, 2), one for all places, or (n, k, 2), one each.
    """
    from . import query_kernels

    state, where = state_of(world), places_of(call, "places", places)
    n = len(where)
    turn = np.asarray(angles, np.float64)
    if turn.ndim > 1 or (turn.ndim == 1 and len(turn) != n) or not np.isfinite(turn).all():
        raise UsageError(f"{call}: angles should be one number, or one for each of {n} places", hint="Give radians")
    poses = np.zeros((n, 4))
    poses[:, :2] = where
    poses[:, 3], poses[:, 2] = maths.sincos(turn)
    corners = np.asarray(form, np.float32)
    stride = 2 * corners.shape[1] if corners.ndim > 2 else 0
    bits, ignored, room = mask_bits(world, mask), ignored_by(call, ignore, n), max(64, 4 * n)
    while True:
        shapes, queries = np.zeros(room, np.int32), np.zeros(room, np.int32)
        count = 0
        for tree, held, value in state.index.trees(state):
            count = query_kernels.find_overlaps(
                poses.ravel(), corners.ravel(), corners.shape[-2], stride, np.float64(radius), tree.items, tree.links, tree.boxes,
                tree.leaves, held, value, *_columns(state), bits, sensors, ignored, shapes, queries,
                np.zeros(DEPTH, np.int32), np.zeros(32, np.float32), count,
            )  # fmt: skip
        if count <= room:
            order = np.lexsort((shapes[:count], queries[:count]))
            return queries[:count][order], shapes[:count][order]
        room = count
