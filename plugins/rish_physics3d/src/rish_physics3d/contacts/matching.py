"""Which contacts stay from one step to the next, and what begins and ends between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..components.events import ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D
from ..components.manifold import FIRST, MANIFOLD, POINT, SEPARATION

if TYPE_CHECKING:
    from rish_core import World

    from ..bodies.layout import Layout

TOUCHES, SENSOR_A, SENSOR_B = 1, 2, 4
"""The bits of the second number of `Contacts3D.info`: it touched in the last step, and which of both are sensors."""


def match(contacts: Any, layout: Layout, near: Array, child: Array) -> tuple[Array, Array]:
    """Update the contacts to these pairs of shapes; return the entities (k, 2) of removed ones that touched, and their
    bits. child: of each pair, see `Contacts3D`.
    """
    entities = layout.shape_entities[near]
    old = np.stack([contacts.a, contacts.b], axis=1)
    if len(old) == len(entities) and (old == entities).all() and np.array_equal(contacts.child, child):
        return old[:0], contacts.info[:0, 1]
    # Shapes are sorted by entity, so both lists are sorted alike.
    count = max(1, len(layout.shape_entities))
    at = np.searchsorted(layout.shape_entities, old)
    known = layout.shape_entities[np.minimum(at, count - 1)] == old if len(layout.shape_entities) else old != old
    each = 1 + max(int(child.max(initial=0)), int(contacts.child.max(initial=0)))
    keys = (near[:, 0].astype(np.int64) * count + near[:, 1]) * each + child
    old_keys = np.where(known.all(axis=1), (at[:, 0] * count + at[:, 1]) * each + contacts.child, -1)
    place = np.minimum(np.searchsorted(keys, old_keys), max(0, len(keys) - 1))
    stays = keys[place] == old_keys if len(keys) else np.zeros(len(old), np.bool_)
    manifold = np.zeros((len(near), MANIFOLD), np.float32)
    info = np.zeros((len(near), 2), contacts.info.dtype)
    manifold[place[stays]], info[place[stays]] = contacts.manifold[stays], contacts.info[stays]
    is_over = ~stays & (contacts.info[:, 1] != 0)
    ended, bits = old[is_over], contacts.info[is_over, 1].copy()
    contacts.resize(len(near))
    contacts.a[:], contacts.b[:], contacts.manifold[:], contacts.info[:] = *entities.T, manifold, info
    contacts.child[:] = child
    return ended, bits


def sensor_bits(layout: Layout, near: Array) -> Array:
    """Return which shapes of pairs are sensors, as bits."""
    return np.where(layout.sensors[near], [SENSOR_A, SENSOR_B], 0).sum(axis=1, dtype=np.int32)


def touching(contacts: Any, bits: Array) -> Array:
    """Return which contacts touch, bool. bits: of `sensor_bits`. A sensor touches what it overlaps."""
    points = contacts.info[:, 0]
    touches = points > 0
    rows = np.flatnonzero(bits)
    if len(rows):
        gaps = contacts.manifold[rows, FIRST + SEPARATION : FIRST + 4 * POINT : POINT]
        overlaps = (gaps <= 0) & (np.arange(4) < points[rows, None])
        touches[rows] = overlaps.any(axis=1)
    return touches


def emit(world: World, contacts: Any, bits: Array, removed: tuple[Array, Array], centers: Array, speeds: Array) -> None:
    """Emit the events of pairs that began or ceased to touch, ends first, and note which pairs touch.

    removed: of `match`. centers: float32 (n, 3), of the bodies of the first colliders. speeds: float32 (n,), of the
    approach, negative.
    """
    touches = touching(contacts, bits)
    before = contacts.info[:, 1] != 0
    pairs = np.stack([contacts.a, contacts.b], axis=1)
    ended, kinds = removed
    begins, ends = touches & ~before, before & ~touches
    if contacts.child.any():
        begins, ends, goes = _of_pairs(pairs, touches, before, ended)
        ended, kinds = ended[goes], kinds[goes]
    ended = np.concatenate([ended, pairs[ends]])
    if len(ended):
        marks = contacts.info[ends, 1]
        kinds = np.concatenate([kinds, np.where(marks != 0, marks, bits[ends] | TOUCHES)])
        plain = ended[kinds == TOUCHES]
        if len(plain):
            world.emit(ContactEnd3D, a=plain[:, 0], b=plain[:, 1])
        _visits(world, SensorEnd3D, ended, kinds)
    begun = np.flatnonzero(begins)
    if len(begun):
        plain = begun[bits[begun] == 0]
        if len(plain):
            manifold = contacts.manifold[plain]
            world.emit(
                ContactBegin3D, a=contacts.a[plain], b=contacts.b[plain], point=centers[plain] + manifold[:, 8:11],
                normal=manifold[:, :3], speed=np.maximum(-speeds[plain], 0),
            )  # fmt: skip
        _visits(world, SensorBegin3D, pairs[begun], bits[begun])
    contacts.info[:, 1] = np.where(touches, bits | TOUCHES, 0)


def _of_pairs(pairs: Array, touches: Array, before: Array, removed: Array) -> tuple[Array, Array, Array]:
    """Return at which rows pairs begin and cease to touch, and which removed rows are ends; each pair counts once.

    A pair with a mesh has several rows, which follow each other. pairs: (n, 2), entities of the rows. removed: (k, 2),
    those of rows that touched and are gone.
    """
    is_first = np.ones(len(pairs), np.bool_)
    is_first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    firsts, group = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    touched, was = np.zeros(len(firsts), np.bool_), np.zeros(len(firsts), np.bool_)
    touched[group[touches]] = was[group[before]] = True
    goes = np.ones(len(removed), np.bool_)
    goes[1:] = (removed[1:] != removed[:-1]).any(axis=1)
    numbers = {(a, b): k for k, (a, b) in enumerate(pairs[firsts].tolist())} if len(removed) else {}
    for k, (a, b) in enumerate(removed.tolist()):
        if (a, b) in numbers:
            was[numbers[a, b]], goes[k] = True, False
    begins, ends = np.zeros(len(pairs), np.bool_), np.zeros(len(pairs), np.bool_)
    rows = np.flatnonzero(touches & (touched & ~was)[group])
    begins[rows[np.unique(group[rows], return_index=True)[1]]] = True
    ends[firsts[was & ~touched]] = True
    return begins, ends, goes


def _visits(world: World, event: type, pairs: Array, bits: Array) -> None:
    """Emit an event for each sensor of pairs of entities (n, 2)."""
    first, second = pairs[(bits & SENSOR_A) != 0], pairs[(bits & SENSOR_B) != 0]
    visits = np.concatenate([first, second[:, ::-1]])
    if len(visits):
        world.emit(event, sensor=visits[:, 0], visitor=visits[:, 1])
