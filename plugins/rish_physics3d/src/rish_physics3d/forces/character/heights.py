"""Crouching: the height of a character's box or capsule follows `Character3D.height`.

Its lower end stays where it is. A lower height is written at once. A higher one is written when nothing that stops the
character is in the way; until then the character stays low, and `Collider3D.size` says how high it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, poses_at, quaternions

from ...components.bodies import Collider3D, ColliderShape3D
from ...components.characters import Character3D
from ...queries.index import ShapeIndex
from ...queries.queries import find_hits
from .forms import Form, form_of, placed

if TYPE_CHECKING:
    from rish_core import World

_BOX, _CAPSULE = (list(ColliderShape3D).index(shape) for shape in (ColliderShape3D.BOX, ColliderShape3D.CAPSULE))
_NEAR = 1e-5
"""The difference of heights that counts as none, m."""


def fit_heights(world: World) -> None:
    """Write the heights of characters that should and can change."""
    table, colliders = world.table(Character3D), world.table(Collider3D)
    wanting = np.flatnonzero(table.height > 0)
    if not len(wanting):
        return
    rows = colliders.rows_of(table.entities[wanting])
    wanting, rows = wanting[rows >= 0], rows[rows >= 0]
    if not len(wanting):
        return
    fits = np.isin(colliders.shape[rows], (_BOX, _CAPSULE))
    least = np.where(colliders.shape[rows] == _CAPSULE, 2 * colliders.radius[rows], 0)
    wanted = np.maximum(table.height[wanting], least)
    change = wanted - colliders.size[rows, 1]
    for k in np.flatnonzero(fits & (np.abs(change) > _NEAR)).tolist():
        entity, row, more = int(table.entities[wanting[k]]), int(rows[k]), float(change[k])
        if more > 0 and not _has_room(world, entity, more / float(colliders.size[row, 1]), int(table.mask[wanting[k]])):
            continue
        colliders.size[row, 1] = wanted[k]
        colliders.offset[row] += _turned_up(colliders.rotation[row]) * (more / 2)
        colliders.mark(np.array([row]))


def _has_room(world: World, entity: int, share: float, mask: int) -> bool:
    """Return whether nothing is where the character would be if it were higher. share: of its height."""
    index = world[ShapeIndex]
    index.update(world)
    own = index.shapes_of(np.array([entity]))
    form = form_of(index.layout, int(own[0])) if index.layout is not None and own[0] >= 0 else None
    if form is None:
        return True
    place = poses_at(world, world.table(Transform3D).rows_of(np.array([entity])))[0]
    points = placed(index, own, _raised(form, share), place)
    asked = mask, False, entity
    hits = find_hits(world, index, "characters", points, form.radius, place, np.zeros((1, 3)), asked, (True, True))
    return not len(hits[0])


def _raised(form: Form, share: float) -> Array:
    """Return the points of a form that is higher by a share of its height; those of its lower half stay."""
    points = form.points.copy()
    high = points[:, 1] > 0
    points[high, 1] += share * 2 * (points[:, 1].max() + form.radius)
    return points


def _turned_up(rotation: Array) -> Array:
    """Return the y axis of a collider in the frame of its entity, float64 (3,)."""
    return quaternions.turned(quaternions.normalized(rotation.astype(np.float64)), np.array([0.0, 1.0, 0.0]))
