"""Current contacts: what bodies touch, and what sensors overlap.

Events report contacts that begin and end; these functions return the contacts that the last step found. Both accept one
entity or many. Results are in the order of the entities, and for each in the order of the contacts. An entity means its
own collider, or, if it is a body, all of its colliders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_dynamics import SensorOverlaps, Touches, find_sides, same_touches
from rish_jit import Array
from rish_space3d import Transform3D, poses_at, quaternions

from ..bodies.layout import Layout
from ..components.manifold import ANCHOR_A, FIRST, IMPULSE, NORMAL, POINT, SEPARATION
from ..components.tables import Contacts3D
from ..contacts.matching import SENSOR_A, SENSOR_B, TOUCHES

if TYPE_CHECKING:
    from rish_core import World


def contacts_of_3d(world: World, entities: int | Array) -> Touches:
    """Return the touching contacts of one entity, or of each of many (int64).

    Triangles of a mesh that touch with the same normal are one row: their points and impulses are added up. So a box on
    flat ground of many triangles has one row.
    """
    contacts: Any = world[Contacts3D]
    who, rows, sides = _find(world, entities, contacts.info[:, 1] == TOUCHES)
    manifold, count = contacts.manifold[rows], contacts.info[rows, 0]
    points = manifold[:, FIRST : FIRST + 4 * POINT].reshape(-1, 4, POINT)
    there_are = np.arange(4) < count[:, None]
    arms = (points[:, :, ANCHOR_A : ANCHOR_A + 3] * there_are[..., None]).sum(axis=1)
    place = _centers(world, contacts.a[rows]) * count[:, None] + arms
    normal = manifold[:, NORMAL : NORMAL + 3] * np.where(sides == 0, 1, -1).astype(np.float32)[:, None]
    into = same_touches(who, normal) if contacts.child[rows].any() else np.arange(len(rows))
    firsts = np.flatnonzero(into == np.arange(len(into)))
    point, number, impulse = np.zeros((len(into), 3)), np.zeros(len(into), np.int32), np.zeros(len(into))
    np.add.at(point, into, place)
    np.add.at(number, into, count)
    np.add.at(impulse, into, (points[:, :, IMPULSE] * there_are).sum(axis=1))
    separation = np.full(len(into), np.inf, np.float32)
    np.minimum.at(separation, into, np.where(there_are, points[:, :, SEPARATION], np.inf).min(axis=1, initial=np.inf))
    return Touches(
        *(column[firsts] for column in who),
        normal=normal[firsts],
        point=(point[firsts] / np.maximum(number[firsts], 1)[:, None]).astype(np.float32),
        points=number[firsts],
        separation=separation[firsts],
        impulse=impulse[firsts].astype(np.float32),
    )


def overlaps_of_3d(world: World, sensors: int | Array) -> SensorOverlaps:
    """Return the colliders that one sensor overlaps, or each of many sensors (int64); nothing for other entities."""
    contacts: Any = world[Contacts3D]
    bits = contacts.info[:, 1]
    who, rows, sides = _find(world, sensors, (bits & (SENSOR_A | SENSOR_B)) != 0)
    holds = (bits[rows] & np.where(sides == 0, SENSOR_A, SENSOR_B)) != 0
    _, firsts = np.unique(np.stack([column[holds] for column in who[:3]]), axis=1, return_index=True)
    return SensorOverlaps(*(column[holds][np.sort(firsts)] for column in who))


def _find(world: World, entities: int | Array, wanted: Array) -> tuple[tuple[Array, ...], Array, Array]:
    """Return (query, entity, other, body, other_body) of wanted contacts (bool) of the entities, their rows, and the
    sides on which the entities are. Contacts of colliders that are gone are left out.
    """
    layout, contacts = world[Layout], world[Contacts3D]
    pair: Any = np.stack([contacts.column("a"), contacts.column("b")], axis=1)
    shapes = np.searchsorted(layout.shape_entities, pair).clip(max=max(0, len(layout.shape_entities) - 1))
    if len(layout.shape_entities):
        rows = np.flatnonzero(wanted & (layout.shape_entities[shapes] == pair).all(axis=1))
    else:
        rows = np.zeros(0, np.int64)
    pair, owners = pair[rows], layout.form[shapes[rows], 1] if len(rows) else np.zeros((0, 2), np.int64)
    bodies = np.where(layout.rows[owners] >= 0, layout.entities[owners], 0)
    query, at, sides = find_sides(entities, pair, bodies)
    who = query, pair[at, sides], pair[at, 1 - sides], bodies[at, sides], bodies[at, 1 - sides]
    return who, rows[at], sides


def _centers(world: World, colliders: Array) -> Array:
    """Return the centers of mass of the bodies of colliders in the world, float64 (n, 3)."""
    layout = world[Layout]
    owners = layout.form[np.searchsorted(layout.shape_entities, colliders), 1]
    position, rotation, _ = poses_at(world, world.table(Transform3D).rows_of(layout.entities[owners]))
    return position + quaternions.turned(rotation, layout.frames[owners, :3])
