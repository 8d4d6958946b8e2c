"""Assembles bodies: makes their shapes, and computes mass, inertia and center of mass.

If anything changes in one collider of a body, all shapes of that body are rebuilt, because the center of mass moves and
hulls are stored relative to it. Everything is computed for many bodies together, in float64, and rounded at the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rish_core import Transform, World
from rish_ecs.declarations import distinct
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array

from ..components.bodies import Collider
from ..components.layers import filters_of
from ..components.links import Links
from ..components.slots import SHAPE, give_slots, take_slots
from ..components.tables import (  # fmt: skip
    BALL,
    BOX,
    CENTER_GIVEN,
    CHAIN,
    COLD,
    CONTACT_EVENTS,
    DYNAMIC,
    FIXED_ROTATION,
    HAS_PARENT,
    HIT_EVENTS,
    MOVED,
    ONE_WAY,
    PIECE,
    SENSOR,
    SHAPE_ENABLED,
    SHAPE_USED,
    STAY_EVENTS,
    TYPE,
    USED,
)
from ..contacts import rows as contacts
from ..contacts.state import State
from ..geometry.aabb import fit_boxes
from ..geometry.hull import hull_rows
from .collider_pieces import Pieces, pieces_of
from .fingerprints import fingerprints_of
from .frames import frames_below, frames_of, product, sizes_in, world_frames
from .masses import MassColumns, body_masses, densities_of, piece_masses

_MAX_LINKED = 8
"""The number of bodies up to which their lists of shapes are followed; for more bodies, all shapes are searched."""
_FLAGS = {
    "contact_events": CONTACT_EVENTS, "hit_events": HIT_EVENTS, "stay_events": STAY_EVENTS, "sensor": SENSOR
}  # fmt: skip


class Forms(NamedTuple):
    """The colliders of some bodies.

    rows: of the table Collider. holders: the slot of each collider's body. frames: (m, 6), to the frames of those
    bodies. filters: category and mask, (m, 2). fingerprints: (m, 2).
    """

    rows: Array
    holders: Array
    frames: Array
    filters: Array
    fingerprints: Array


def forms_of(world: World, state: State, colliders: Array, holders: Array) -> Forms:
    """Read the columns of colliders. colliders: int64 handles. holders: int32, for each collider the slot of its
    body.
    """
    rows = world.table(Collider).rows_of(colliders)
    frames = _frames(world, state, colliders, holders)
    filters = filters_of(world, rows)
    return Forms(rows, holders, frames, filters, fingerprints_of(world, rows, frames, filters))


def _frames(world: World, state: State, colliders: Array, holders: Array) -> Array:
    """Return for each collider the matrix from the frame of its entity to that of its body, float64 (m, 6). The frame
    of a body has a position and an angle, but no scale.

    The matrices depend on scales, and on the poses of entities between the body and the collider, but not on the pose
    of the body.
    """
    bodies, places = state.bodies, world.table(Transform)
    zero, one = np.zeros(len(holders)), np.ones(len(holders))
    frames = frames_of(np.zeros((len(holders), 2)), one, zero, bodies.seen[holders, 6:].astype(np.float64))
    owners = bodies.entity[holders]
    hung = np.flatnonzero((bodies.flags[holders] & HAS_PARENT) != 0)
    if len(hung):
        frames[hung] = sizes_in(world_frames(world, places.rows_of(owners[hung])))
    apart = np.flatnonzero(owners != colliders)
    if len(apart):
        below = frames_below(world, places.rows_of(colliders[apart]), places.rows_of(owners[apart]))
        frames[apart] = product(frames[apart], below)
    return frames


def assemble(state: State, forms: Forms, slots: Array) -> dict[int, str]:
    """Rebuild the shapes of bodies and compute their masses. forms: all colliders of these bodies. slots: int32, the
    bodies.

    Returns an error sentence for each collider that cannot be a shape, by its index in `forms`.
    """
    world = state.world
    drop_shapes(state, slots)
    pieces = pieces_of(world, forms.rows, forms.frames)
    density = densities_of(world, forms.rows)[pieces.owner]
    area, middle, inertia = piece_masses(pieces)
    weigh(state, slots, forms.holders[pieces.owner], area * density, middle, inertia * density)
    if len(pieces.owner):
        _make_shapes(state, forms, pieces, middle, density)
    _measure(state, slots)
    return pieces.refused


def drop_shapes(state: State, slots: Array, rows: Array | None = None) -> None:
    """Remove all shapes of these bodies, with their contacts. rows: the contacts of these bodies, if they are known."""
    shape_slots = shapes_of(state, slots)
    state.bodies.first_shape[slots] = -1
    if len(shape_slots):
        contacts.remove(state, contacts.rows_of_slots(state, shape_slots, 0) if rows is None else rows)
        give_slots(state.free, state.shapes, SHAPE, shape_slots[::-1])
        list_moved(state, shape_slots)


def shapes_of(state: State, slots: Array) -> Array:
    """Return the shapes of some bodies, int32, ascending."""
    shapes = state.shapes
    if len(slots) <= _MAX_LINKED:
        shape_slots: list[int] = []
        used = slots[(state.bodies.flags[slots] & USED) != 0]
        for shape in state.bodies.first_shape[used].tolist():
            while shape >= 0:
                shape_slots.append(shape)
                shape = int(shapes.next[shape])
        return np.array(sorted(shape_slots), np.int32)
    mark = np.zeros(len(state.bodies), np.bool_)
    mark[slots] = True
    return np.flatnonzero(mark[shapes.body] & (shapes.entity != 0)).astype(np.int32)


def list_moved(state: State, shapes: Array) -> None:
    """Add these shapes to those that the broad phase updates in its next step."""
    moved = np.concatenate([state.moved, shapes]) if len(state.moved) else shapes
    state.moved = distinct(moved.astype(np.int32, copy=False)) if moved.size > 1 else moved.astype(np.int32)


def weigh(state: State, slots: Array, holders: Array, mass: Array, middle: Array, inertia: Array) -> None:
    """Set mass, inertia and center of mass of bodies from their n pieces, unless the columns give them. slots: int32,
    the bodies. holders: int32 (n,), the body of each piece. mass, middle, inertia: float64, of the pieces.
    """
    bodies = state.bodies
    flags = bodies.flags[slots]
    columns = MassColumns(
        bodies.given[slots].astype(np.float64), (flags & TYPE) == DYNAMIC, (flags & FIXED_ROTATION) != 0,
        (flags & CENTER_GIVEN) != 0,
    )  # fmt: skip
    index = np.zeros(len(bodies), np.int64)
    index[slots] = np.arange(len(slots))
    inverse_mass, inverse_inertia, center = body_masses(index[holders], mass, middle, inertia, columns)
    bodies.state[slots, 3], bodies.state[slots, 7] = inverse_mass, inverse_inertia
    bodies.extent[slots, :2] = center
    cos, sin = bodies.pose[slots, 2].astype(np.float64), bodies.pose[slots, 3].astype(np.float64)
    place = bodies.seen[slots, :2].astype(np.float64)
    bodies.pose[slots, 0] = place[:, 0] + cos * center[:, 0] - sin * center[:, 1]
    bodies.pose[slots, 1] = place[:, 1] + sin * center[:, 0] + cos * center[:, 1]


def _make_shapes(state: State, forms: Forms, pieces: Pieces, middle: Array, density: Array) -> None:
    """Write the rows of `Shapes` for pieces, and link them to their bodies in order."""
    world, bodies = state.world, state.bodies
    table, rows = world.table(Collider), forms.rows[pieces.owner]
    holders = forms.holders[pieces.owner]
    slots = take_slots(state.free, state.shapes, SHAPE, len(rows))
    shapes = state.shapes
    center = bodies.extent[holders, :2].astype(np.float64)
    used = np.arange(pieces.points.shape[1]) < pieces.count[:, None]
    points = np.where(used[..., None], pieces.points - center[:, None], 0.0)
    shapes.entity[slots] = table.entities[rows]
    shapes.body[slots] = holders
    for number in distinct(pieces.count).tolist():
        indices = np.flatnonzero(pieces.count == number)
        shapes.hull[slots[indices]] = hull_rows(points[indices, :number])
    shapes.middle[slots] = middle - center
    _sizes(shapes, slots, points, used, pieces)
    several = np.bincount(pieces.owner)[pieces.owner] > 1
    shapes.flags[slots] = (
        pieces.count | SHAPE_USED | SHAPE_ENABLED | MOVED | _kinds(pieces, points) | _marks(table, rows)
        | np.where(several, PIECE, 0)
    )  # fmt: skip
    _surfaces(shapes, slots, table, rows, density, forms.frames[pieces.owner])
    shapes.filter[slots, :2] = forms.filters[pieces.owner]
    shapes.filter[slots, 2] = table.group[rows]
    shapes.known[slots] = forms.fingerprints[pieces.owner]
    _link(state, slots, holders)
    box_shapes(state, slots)


def _sizes(shapes: Any, slots: Array, points: Array, used: Array, pieces: Pieces) -> None:
    """Write half width and height, radius, and the greatest distance from the center of mass."""
    far = np.sqrt(np.where(used, (points**2).sum(axis=2), 0).max(axis=1))
    box = (pieces.flags & BOX) != 0
    shapes.size[slots, :2] = np.where(box[:, None], np.abs(points[:, 2]), 0)
    shapes.size[slots, 2] = pieces.radius
    shapes.size[slots, 3] = far + pieces.radius


def _kinds(pieces: Pieces, points: Array) -> Array:
    """Return for each piece the flag BOX, BALL or CHAIN, or 0, int (n,). Kernels have faster code for boxes and
    balls.
    """
    is_centered = (points[:, 0] == -points[:, 2]).all(axis=1)
    box = ((pieces.flags & BOX) != 0) & is_centered
    ball = (pieces.count == 1) & (points[:, 0] == 0).all(axis=1)
    return np.where(box, BOX, 0) | np.where(ball, BALL, 0) | (pieces.flags & CHAIN)


def _marks(table: Any, rows: Array) -> Array:
    """Return for each collider the shape flags that follow from its columns, int (m,)."""
    one_way = table.one_way[rows].any(axis=1)
    cold = (table.restitution[rows] != 0) | (table.rolling_resistance[rows] != 0) | (table.surface_speed[rows] != 0)
    cold |= table.dynamic_friction[rows] >= 0
    return np.where(one_way, ONE_WAY, 0) | np.where(cold, COLD, 0) | flags_given(table, rows, _FLAGS)


def flags_given(table: Any, rows: Array, flags: dict[str, int]) -> Array:
    """Return for each row the sum of the flags whose bool column is True, int (n,). flags: flag by column name."""
    bits = np.zeros(len(rows), np.int64)
    for name, flag in flags.items():
        bits |= np.where(table.column(name)[rows], flag, 0)
    return bits


def _surfaces(shapes: Any, slots: Array, table: Any, rows: Array, density: Array, frames: Array) -> None:
    names = ("friction", "dynamic_friction", "restitution", "rolling_resistance", "surface_speed")
    for k, name in enumerate(names):
        shapes.surface[slots, k] = table.column(name)[rows]
    shapes.surface[slots, 5] = density
    way = table.one_way[rows].astype(np.float64)
    x = frames[:, 0] * way[:, 0] + frames[:, 2] * way[:, 1]
    y = frames[:, 1] * way[:, 0] + frames[:, 3] * way[:, 1]
    length = np.sqrt(x * x + y * y)
    for k, part in ((6, x), (7, y)):
        shapes.surface[slots, k] = np.divide(part, length, out=np.zeros_like(part), where=length > 0)


def _link(state: State, slots: Array, holders: Array) -> None:
    """Store the shapes of each body as a linked list: `first_shape` of the body, `next` of each shape."""
    order = np.argsort(holders, kind="stable")
    slots, holders = slots[order], holders[order]
    following = np.append(slots[1:], np.int32(-1))
    last = np.append(holders[1:] != holders[:-1], True)
    first = np.append(True, holders[1:] != holders[:-1])
    state.shapes.next[slots] = np.where(last, -1, following)
    state.bodies.first_shape[holders[first]] = slots[first]


def box_shapes(state: State, slots: Array) -> None:
    """Write new world boxes for shapes, with a margin if their bodies move, and mark them for the broad phase."""
    shapes, bodies, scaled = state.flats(state.shapes), state.flats(state.bodies), state.scaled
    fit_boxes(
        np.asarray(slots, np.int32), shapes.body, shapes.flags, shapes.size, shapes.hull, bodies.pose, bodies.flags,
        scaled.speculative, scaled.margin, shapes.tight, shapes.fat,
    )  # fmt: skip
    list_moved(state, slots)


def _measure(state: State, slots: Array) -> None:
    """Write to `extent` the greatest distance of a point of each body's shapes from its center, and their smallest
    inner radius.
    """
    bodies, shapes = state.bodies, state.shapes
    room = len(bodies)
    mark = np.zeros(room, np.bool_)
    mark[slots] = True
    used = np.flatnonzero(mark[shapes.body] & ((shapes.flags & SHAPE_USED) != 0))
    far, minimum = np.zeros(room, np.float32), np.full(room, np.inf, np.float32)
    np.maximum.at(far, shapes.body[used], shapes.size[used, 3])
    np.minimum.at(minimum, shapes.body[used], _inner_radii(shapes, used))
    bodies.extent[slots, 2] = far[slots]
    bodies.extent[slots, 3] = np.where(np.isfinite(minimum[slots]), minimum[slots], 0)


def _inner_radii(shapes: Any, slots: Array) -> Array:
    """Return the distance from the centroid of each shape to its nearest side, float32."""
    hull, flags = shapes.hull[slots], shapes.flags[slots]
    points, normals = hull[:, :16].reshape(-1, 8, 2), hull[:, 16:].reshape(-1, 8, 2)
    gap = ((points - shapes.middle[slots][:, None]) * normals).sum(axis=2)
    count = np.where((flags & CHAIN) != 0, 0, flags & 15)
    real = np.arange(8) < np.where(count > 2, count, 0)[:, None]
    inner = np.where(real, gap, np.inf).min(axis=1)
    return (np.where(np.isfinite(inner), inner, 0) + shapes.size[slots, 2]).astype(np.float32)


def first_shapes(state: State, links: Links, colliders: Array) -> Array:
    """Return the first shape of each of these colliders, int32; -1 if it has none."""
    first = links.shape_of[colliders & INDEX_MASK]
    return np.where((first >= 0) & (state.shapes.entity.take(first, mode="clip") == colliders), first, -1)


def first_fingerprints(state: State, links: Links, colliders: Array) -> Array:
    """Return the fingerprints with which shapes of these colliders were made, int32 (m, 2); zeros if they have no
    shape.
    """
    fingerprints = np.zeros((len(colliders), 2), np.int32)
    if len(state.shapes):
        first = first_shapes(state, links, colliders)
        fingerprints[first >= 0] = state.shapes.known[first[first >= 0]]
    return fingerprints
