"""Turns published edges into static ground, and publishes the edges of static bodies.

Every source that publishes `Edges` (a tile map, an occluder) blocks bodies too: its edges become chains of body 0, the
dummy body. Edges published by an entity with a Body, such as an Occluder beside its Collider, are left out. Where one
edge ends and another begins, each uses the far end of the other as its ghost point, so that bodies slide smoothly over
the joint. All edges have the default friction of a collider and do not bounce, whatever their `material` is: that is
for sounds and sparks. For ice or rubber, use a Collider of shape chain. Physics in turn publishes the outlines of its
static colliders under the source `physics`, for particles and light.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Edges, World, publish_edges
from rish_jit import Array

from ..bodies.assembly import box_shapes, list_moved
from ..bodies.outlines import outlines_of, placed
from ..bodies.registry import first_slot
from ..bodies.waking import disturb_shapes
from ..components.bodies import Body
from ..components.links import Links
from ..components.slots import SHAPE, give_slots, take_slots
from ..components.tables import CHAIN, CONTACT_EVENTS, PIECE, SENSOR, SHAPE_ENABLED, SHAPE_USED, STATIC, TYPE
from ..contacts.state import State
from ..geometry.hull import hull_rows

SOURCE = "physics"
GROUND_FRICTION = 0.6
"""The friction of edges of other plugins."""


def read_edges(state: State, links: Links) -> None:
    """Rebuild the chains from the edges of other sources, if these have changed."""
    world = state.world
    version = ground_version(world)
    if version == links.read.edges_version:
        return
    links.read.edges_version = version
    edges = world[Edges]
    rows = _ground(world, edges)
    columns = [edges.column(name)[rows] for name in ("x0", "y0", "x1", "y1", "owner", "mask")]
    ground = b"".join(column.tobytes() for column in columns)
    if ground == links.read.ground:
        return
    links.read.ground = ground
    first_slot(state)
    points, owner, mask = _valid(edges, rows)
    shapes = state.shapes
    existing = np.flatnonzero(((shapes.flags & SHAPE_USED) != 0) & (shapes.body == 0)).astype(np.int32)
    hull = hull_rows(points)
    if _is_up_to_date(state, existing, hull, owner, mask):
        return
    disturb_shapes(state, existing)
    give_slots(state.free, shapes, SHAPE, existing[::-1])
    list_moved(state, existing)
    if len(points):
        _make(state, points, hull, owner, mask)
    links.link(world)


def ground_chains(world: World) -> tuple[Array, Array, Array]:
    """Return the edges of other plugins that are ground, as segments of chains.

    Points float64 (n, 4, 2), units: the far end of the edge before, both ends, the far end of the edge after; the solid
    side is on the left. Owners int64 (n,), 0 for none. Categories int32 (n,). They have the friction `GROUND_FRICTION`
    and do not bounce. They change only with `ground_version(world)`.
    """
    edges = world[Edges]
    return _valid(edges, _ground(world, edges))


def _valid(edges: Any, rows: Array) -> tuple[Array, Array, Array]:
    """Return points, owners and categories of edges (rows), without edges that are not finite or have no length."""
    points = chains_of(np.column_stack([edges.column(name)[rows] for name in ("x0", "y0", "x1", "y1")]))
    sound = np.isfinite(points).all(axis=(1, 2)) & (points[:, 1] != points[:, 2]).any(axis=1)
    rows, points = rows[sound], points[sound]
    return points, edges.column("owner")[rows], edges.column("mask")[rows]


def ground_version(world: World) -> tuple[int, int]:
    """Return a value that changes whenever edges of other sources may have become ground, or are no longer ground."""
    return world[Edges].membership, world.tables[Body].membership


def _ground(world: World, edges: Any) -> Array:
    """Return the rows of edges that become ground: those of other sources whose owner has no Body.

    A crate whose Occluder casts a shadow has that outline beside its collider, and would collide with itself.
    """
    if not len(edges):
        return np.zeros(0, np.int64)
    foreign = edges.column("source") != world.intern(SOURCE)
    return np.flatnonzero(foreign & (world.table(Body).rows_of(edges.column("owner")) < 0))


def _is_up_to_date(state: State, existing: Array, hull: Array, owner: Array, mask: Array) -> bool:
    """Return True if the existing chain shapes are equal to these, as after a restore."""
    shapes = state.shapes
    return len(existing) == len(hull) and (
        np.array_equal(shapes.hull[existing], hull)
        and np.array_equal(shapes.entity[existing], owner)
        and np.array_equal(shapes.filter[existing, 0], mask)
    )


def _make(state: State, points: Array, hull: Array, owner: Array, mask: Array) -> None:
    slots = np.sort(take_slots(state.free, state.shapes, SHAPE, len(hull)))
    shapes = state.shapes
    shapes.entity[slots], shapes.body[slots], shapes.next[slots] = owner, 0, -1
    shapes.hull[slots] = hull
    shapes.flags[slots] = 4 | CHAIN | PIECE | SHAPE_USED | SHAPE_ENABLED | CONTACT_EVENTS
    shapes.middle[slots] = points[:, 1:3].mean(axis=1)
    shapes.size[slots, 3] = np.sqrt((points[:, 1:3] ** 2).sum(axis=2)).max(axis=1)
    shapes.surface[slots, :2] = GROUND_FRICTION, -1
    shapes.filter[slots, 0], shapes.filter[slots, 1] = mask, -1
    box_shapes(state, slots)


def chains_of(edges: Array) -> Array:
    """Return ghost, first, second, ghost of each edge (n, 4), float64 (n, 4, 2); the solid side is on its left.

    An edge's neighbor is the first one that begins where it ends. At an open end the ghost is the other end of the
    edge itself.
    """
    edge_rows = np.asarray(edges, np.float32).reshape(-1, 4)
    start, end = edge_rows[:, :2], edge_rows[:, 2:]
    points = np.stack([end, start, end, start], axis=1).astype(np.float64)
    if not len(edge_rows):
        return points
    starts, ends = _keys(start), _keys(end)
    order = np.argsort(starts, kind="stable")
    place = np.searchsorted(starts[order], ends)
    index = np.minimum(place, len(order) - 1)
    joined = starts[order][index] == ends
    following = order[index]
    points[joined, 3] = end[following[joined]]
    points[following[joined], 0] = start[joined]
    return points


def _keys(points: Array) -> Array:
    """Return a number for each position, uint64 (n,): equal positions have equal numbers, and -0 equals 0."""
    bits = (np.ascontiguousarray(points, np.float32) + np.float32(0)).view(np.uint32).astype(np.uint64)
    return (bits[:, 0] << np.uint64(32)) | bits[:, 1]


def write_edges(state: State, links: Links) -> None:
    """Publish the outlines of static bodies, if they have changed."""
    if links.statics == links.published:
        return
    links.published = links.statics
    world, shapes = state.world, state.shapes
    kind = state.bodies.flags[shapes.body] & TYPE
    still = ((shapes.flags & (SHAPE_USED | SENSOR)) == SHAPE_USED) & (shapes.body != 0) & (kind == STATIC)
    publish_sides(world, *_sides(state, np.flatnonzero(still)))
    links.read.edges_version = ground_version(world)  # the edges of other sources have not changed since they were read


def _sides(state: State, slots: Array) -> tuple[Array, Array, Array]:
    """Return sides (n, 4) with the solid on their left, their owners and categories."""
    shapes = state.shapes
    outlines = outlines_of(state, slots).astype(np.float32)
    chain = (shapes.flags[slots] & CHAIN) != 0
    sides = np.concatenate([outlines, np.roll(outlines, -1, axis=1)], axis=2)
    real = (sides[..., :2] != sides[..., 2:]).any(axis=2)
    if chain.any():
        real[chain] = False
        hull = shapes.hull[slots[chain]][:, 2:6].reshape(-1, 2, 2)
        ends = placed(hull, state.bodies.pose[shapes.body[slots[chain]]])
        sides[chain, 0], real[chain, 0] = ends.reshape(-1, 4), True
    which, _ = np.nonzero(real)
    return sides[real], shapes.entity[slots][which], shapes.filter[slots, 0][which]


def publish_sides(world: World, sides: Array, owner: Array, mask: Array) -> None:
    """Replace the published edges of physics. If they are equal to the current ones, nothing is written, so that
    readers do not read them again.

    sides: float32 (n, 4), x0, y0, x1, y1, units; the solid side is on the left. owner: int64 (n,), the colliders. mask:
    int32 (n,), their categories.
    """
    edges = world[Edges]
    rows = np.flatnonzero(edges.column("source") == world.intern(SOURCE)) if len(edges) else np.zeros(0, np.int64)
    columns = {"x0": sides[:, 0], "y0": sides[:, 1], "x1": sides[:, 2], "y1": sides[:, 3], "owner": owner, "mask": mask}
    same = len(rows) == len(sides) and all(np.array_equal(edges.column(k)[rows], v) for k, v in columns.items())
    if not same:
        publish_edges(world, SOURCE, **columns)
