"""Turns published edges into static ground, and publishes the edges of static bodies.

Every source that publishes `Edges` (a tile map, an occluder) blocks bodies too: its edges become chains of body 0, the
dummy body. Edges published by an entity with a Body, such as an Occluder beside its Collider, are left out. Where one
edge ends and another begins, each uses the far end of the other as its ghost point, so that bodies slide smoothly over
the joint. All edges have the default friction of a collider and do not bounce, whatever their `material` is: that is
for sounds and sparks. For ice or rubber, use a Collider of shape chain. Physics in turn publishes the outlines of its
static colliders under the source `physics`, for particles and light.
"""

from __future__ import annotations

import numpy as np

from rish_core import Edges, World, publish_edges
from rish_jit import Array

from ..bodies.assembly import box_shapes, list_moved
from ..bodies.outlines import outlines_of, placed
from ..bodies.registry import first_slot
from ..bodies.waking import disturb_shapes
from ..components.ground import GROUND_FRICTION, SOURCE, ForeignEdges, GroundChains
from ..components.links import Links
from ..components.slots import SHAPE, give_slots, take_slots
from ..components.tables import CHAIN, CONTACT_EVENTS, PIECE, SENSOR, SHAPE_ENABLED, SHAPE_USED, STATIC, TYPE
from ..contacts.state import State
from ..geometry.hull import hull_rows


def read_edges(state: State, links: Links) -> None:
    """Rebuild the chains from the edges of other sources, if these have changed."""
    world = state.world
    former = links.read.ground
    if not links.read.edges.changed(world):
        return
    if former is not None and not len(former.points) and not world[ForeignEdges].columns:  # a body came or went
        return
    ground = world[GroundChains]
    if ground is former:
        return
    links.read.ground = ground
    first_slot(state)
    shapes = state.shapes
    existing = np.flatnonzero(((shapes.flags & SHAPE_USED) != 0) & (shapes.body == 0)).astype(np.int32)
    hull = hull_rows(ground.points)
    if _is_up_to_date(state, existing, hull, ground.owners, ground.categories):
        return
    disturb_shapes(state, existing)
    give_slots(state.free, shapes, SHAPE, existing[::-1])
    list_moved(state, existing)
    if len(ground.points):
        _make(state, ground.points, hull, ground.owners, ground.categories)
    links.link(world)


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


def write_edges(state: State, links: Links) -> None:
    """Publish the outlines of static bodies, if they have changed."""
    if not links.unpublished:
        return
    links.unpublished = False
    world, shapes = state.world, state.shapes
    kind = state.bodies.flags[shapes.body] & TYPE
    still = ((shapes.flags & (SHAPE_USED | SENSOR)) == SHAPE_USED) & (shapes.body != 0) & (kind == STATIC)
    publish_sides(world, *_sides(state, np.flatnonzero(still)))


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
