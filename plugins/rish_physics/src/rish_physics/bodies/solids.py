"""Reads the columns that a solver needs into arrays: bodies with their masses, and the convex pieces of their
colliders.

A provider of the contract `physics2d` begins its step with `read_solids` and ends it with `write_poses`. Both use only
the columns of components, not the tables of this package's solver, so every provider reads the same bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_core import Transform, World
from rish_jit import Array, maths

from ..components.bodies import Body, BodyType, Collider
from ..components.layers import filters_of
from ..components.settings import PhysicsSettings
from ..components.tables import CHAIN
from ..components.units import scaled_of
from .active_bodies import find_participants
from .collider_pieces import pieces_of
from .frames import frames_below, frames_of, place_rows, poses_in, product, sizes_in, world_frames
from .masses import MassColumns, body_masses, densities_of, piece_masses

_DYNAMIC, _STATIC = list(BodyType).index(BodyType.DYNAMIC), list(BodyType).index(BodyType.STATIC)


@dataclass(frozen=True, eq=False)
class Solids:
    """n bodies and the m convex pieces of their colliders, as the columns describe them.

    Of bodies: entities: int64 (n,), with the bodies; a collider without a body is a static body of its own. rows: int
    (n,), of the table Body; -1 for such a collider. types: int (n,), the index in `BodyType`. poses: float64 (n, 3),
    position and angle in the world. centers: float64 (n, 2), the center of mass in the frame of the body.
    inverse_masses, inverse_inertias: float64 (n,), 1/kg and 1/(kg·units²); 0 for bodies that cannot be moved. sound:
    bool (n,), whether the pose is finite and within `PhysicsSettings.reach`; other bodies should be left out of a step.

    Of pieces: bodies: int (m,), the index of the body. colliders: int64 (m,), the entity with the collider.
    collider_rows: int (m,), of the table Collider. corners: m arrays float64 (k, 2), in the frame of the body, relative
    to its position, counter-clockwise: the center of a circle, the two ends of a capsule or segment, or 3 to 8 corners;
    a piece with `chain` is one segment of a chain, with the far ends of its neighbors: ghost, first, second, ghost;
    its solid side is on the left. radii: float64 (m,), units, by which the corners are rounded. chain: bool (m,).
    filters: int32 (m, 3), category, mask and group.

    refused: the reason for each collider that cannot be a shape, by its entity.
    """

    entities: Array
    rows: Array
    types: Array
    poses: Array
    centers: Array
    inverse_masses: Array
    inverse_inertias: Array
    sound: Array
    bodies: Array
    colliders: Array
    collider_rows: Array
    corners: list[Array]
    radii: Array
    chain: Array
    filters: Array
    refused: dict[int, str]


def read_solids(world: World) -> Solids:
    """Return the active bodies and colliders of a World.

    Bodies are in the order of their table, then colliders without a body. Nothing is cached: the time is proportional
    to the number of colliders.
    """
    participants = find_participants(world)
    table, forms = world.table(Body), world.table(Collider)
    rows = np.where(participants.implicit, -1, table.rows_of(participants.owners))
    poses = world_poses(world, participants.owners)
    types = np.full(len(rows), _STATIC)
    types[rows >= 0] = table.type[rows[rows >= 0]]
    order = np.argsort(participants.owners, kind="stable")
    holders = order[np.searchsorted(participants.owners[order], participants.holders)]
    collider_rows = forms.rows_of(participants.colliders)
    pieces = pieces_of(world, collider_rows, _frames(world, participants.colliders, participants.owners[holders]))
    density = densities_of(world, collider_rows)[pieces.owner]
    area, middle, inertia = piece_masses(pieces)
    bodies = holders[pieces.owner]
    inverse_masses, inverse_inertias, centers = body_masses(
        bodies, area * density, middle, inertia * density, _given(table, rows, types)
    )
    reach = float(scaled_of(world[PhysicsSettings]).reach)
    sound = np.logical_and(np.isfinite(poses).all(axis=1), (np.abs(poses[:, :2]) <= reach).all(axis=1))
    filters = np.column_stack([filters_of(world, collider_rows), forms.group[collider_rows]])
    return Solids(
        participants.owners, rows, types, poses, centers, inverse_masses, inverse_inertias,
        sound=sound,
        bodies=bodies,
        colliders=participants.colliders[pieces.owner],
        collider_rows=collider_rows[pieces.owner],
        corners=[points[:count] for points, count in zip(pieces.points, pieces.count.tolist(), strict=True)],
        radii=pieces.radius,
        chain=(pieces.flags & CHAIN) != 0,
        filters=filters[pieces.owner],
        refused={int(participants.colliders[k]): reason for k, reason in sorted(pieces.refused.items())},
    )  # fmt: skip


def world_poses(world: World, entities: Array) -> Array:
    """Return positions and angles in the world of entities with a Transform (int64), float64 (n, 3)."""
    return poses_in(world_frames(world, world.table(Transform).rows_of(entities)))[:, :3]


def world_centers(solids: Solids) -> Array:
    """Return the centers of mass of bodies in the world, float64 (n, 2)."""
    sin, cos = maths.sincos(solids.poses[:, 2])
    x, y = solids.centers.T
    return solids.poses[:, :2] + np.column_stack([cos * x - sin * y, sin * x + cos * y])


def _frames(world: World, colliders: Array, owners: Array) -> Array:
    """Return for each collider the matrix from the frame of its entity to that of its body, float64 (m, 6). The frame
    of a body has a position and an angle, but no scale.

    The matrices depend on scales, and on the poses of entities between the body and the collider, but not on the pose
    of the body.
    """
    places = world.table(Transform)
    rows = places.rows_of(owners)
    frames = frames_of(
        np.zeros((len(rows), 2)), np.ones(len(rows)), np.zeros(len(rows)), places.scale[rows].astype(np.float64)
    )
    hung = np.flatnonzero(places.parent[rows] != 0)
    if len(hung):
        frames[hung] = sizes_in(world_frames(world, rows[hung]))
    apart = np.flatnonzero(owners != colliders)
    if len(apart):
        below = frames_below(world, places.rows_of(colliders[apart]), rows[apart])
        frames[apart] = product(frames[apart], below)
    return frames


def _given(table: Any, rows: Array, types: Array) -> MassColumns:
    has_body = rows >= 0
    numbers = np.zeros((len(rows), 4))
    fixed, has_center = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    numbers[has_body] = np.column_stack(
        [table.mass[rows[has_body]], table.inertia[rows[has_body]], table.center_of_mass[rows[has_body]]]
    )
    fixed[has_body], has_center[has_body] = (
        table.fixed_rotation[rows[has_body]],
        table.center_of_mass_given[rows[has_body]],
    )
    return MassColumns(numbers, types == _DYNAMIC, fixed, has_center)


def write_poses(world: World, entities: Array, poses: Array) -> None:
    """Write positions and angles in the world to the Transforms of entities, relative to their parents.

    entities: int64 (n,). poses: float64 (n, 3), units and radians. The rows are marked as written.
    """
    places = world.table(Transform)
    rows = places.rows_of(entities)
    sin, cos = maths.sincos(poses[:, 2])
    place_rows(world, rows, poses[:, :2], np.column_stack([cos, sin]))
    places.mark(rows)
