"""Shapes: the convex pieces of colliders, and the ground of other plugins, in the world."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from rish_core import World, derived
from rish_jit import Array, maths
from rish_physics import (
    GROUND_FRICTION,
    Collider,
    GroundChains,
    Solids,
    collider_outlines,
    publish_sides,
)

from .manifold import Hull, Pair, normal_of
from .tables import TeachGround


@dataclass(slots=True)
class Shape:
    """One convex shape in this step.

    body: the index of its body. collider, piece: the entity, and the number of the piece within it. body_entity: 0 for
    ground of other plugins. filters: category, mask, group.
    """

    hull: Hull
    body: int
    collider: int
    body_entity: int
    piece: int
    filters: tuple[int, int, int]
    friction: float
    restitution: float = 0.0
    sensor: bool = False
    contact_events: bool = True
    stay_events: bool = False
    hit_events: bool = False


_COLUMNS = ("friction", "restitution", "sensor", "contact_events", "stay_events", "hit_events")


def make_shapes(world: World, solids: Solids) -> list[Shape]:
    """Return the shapes of all bodies, and the ground, which belongs to the last body."""
    forms = world.table(Collider)
    counts = [len(corners) for corners in solids.corners]
    body = np.repeat(solids.bodies, counts)
    sin, cos = maths.sincos(solids.poses[:, 2])
    x, y = np.concatenate([*solids.corners, np.zeros((0, 2))]).T
    c, s, place = cos[body], sin[body], solids.poses[body, :2]
    corners = list(zip((place[:, 0] + c * x - s * y).tolist(), (place[:, 1] + s * x + c * y).tolist(), strict=True))
    columns = zip(*(forms.column(name)[solids.collider_rows].tolist() for name in _COLUMNS), strict=True)
    rows = zip(
        counts, solids.bodies.tolist(), solids.colliders.tolist(), solids.radii.tolist(), solids.chain.tolist(),
        solids.filters.tolist(), columns, strict=True,
    )  # fmt: skip
    shapes: list[Shape] = []
    first, pieces = 0, Counter[int]()
    for count, index, collider, radius, chain, filters, material in rows:
        points, first = corners[first : first + count], first + count
        if solids.sound[index]:
            hull = chain_hull(points) if chain else Hull.of(points, radius)
            entity = int(solids.entities[index])
            shapes.append(Shape(hull, index, collider, entity, pieces[collider], (*filters,), *material))
        pieces[collider] += 1
    return shapes + _ground(world, len(solids.entities))


@derived(reads=GroundChains)
class TeachHulls:
    """The hull, the owner and the category of each edge of the ground."""

    hulls: list[tuple[Hull, int, int]] = []

    def compute(self, world: World) -> None:
        """Compute the hulls."""
        ground = world[GroundChains]
        columns = (ground.points.tolist(), ground.owners.tolist(), ground.categories.tolist())
        self.hulls = [
            (chain_hull([(x, y) for x, y in corners]), owner, mask)
            for corners, owner, mask in zip(*columns, strict=True)
        ]


def chain_hull(points: list[Pair], radius: float = 0.0) -> Hull:
    """Return the hull of a segment of a chain, given as ghost, first, second, ghost."""
    before, first, second, after = points
    return Hull(
        [first, second], [normal_of(first, second), normal_of(second, first)], radius,
        (normal_of(before, first), normal_of(second, after)),
    )  # fmt: skip


def _ground(world: World, body: int) -> list[Shape]:
    """Return the edges of other plugins as shapes."""
    return [
        Shape(hull, body, owner, 0, piece, (mask, -1, 0), GROUND_FRICTION)
        for piece, (hull, owner, mask) in enumerate(world[TeachHulls].hulls)
    ]


def boxes_of(shapes: list[Shape], margin: float) -> tuple[Array, Array]:
    """Return the corners of the boxes around shapes, float64 (n, 2) each, grown by a margin (units)."""
    low, high = np.zeros((len(shapes), 2)), np.zeros((len(shapes), 2))
    for k, shape in enumerate(shapes):
        xs, ys = zip(*shape.hull.corners, strict=True)
        extent = shape.hull.radius + margin
        low[k], high[k] = (min(xs) - extent, min(ys) - extent), (max(xs) + extent, max(ys) + extent)
    return low, high


def publish_outlines(world: World, solids: Solids) -> None:
    """Publish the outlines of static colliders as `Edges`, for particles and light, if they have changed."""
    ground, forms = world[TeachGround], world.table(Collider)
    still = (solids.types[solids.bodies] == 0) & ~forms.sensor[solids.collider_rows]
    colliders, where = np.unique(solids.colliders[still], return_index=True)
    key = (solids.poses[solids.bodies[still]].tobytes(), colliders.tobytes())
    if not ground.colliders.changed(world) and ground.published == key:
        return
    ground.published = key
    lines = collider_outlines(world, colliders)
    sides = [np.column_stack([line[:-1], line[1:]]) for line in lines]
    counts = [len(part) for part in sides]
    categories = solids.filters[still][where, 0]
    all_sides = np.concatenate([*sides, np.zeros((0, 4), np.float32)])
    publish_sides(world, all_sides, np.repeat(colliders, counts), np.repeat(categories, counts))
