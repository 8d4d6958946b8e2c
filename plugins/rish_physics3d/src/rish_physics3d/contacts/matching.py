"""Which contacts stay from one step to the next, and what begins and ends between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES, load, splat, store

from ..components.events import ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D
from ..components.manifold import FIRST, IMPULSE, MANIFOLD, POINT, ROLL, SEPARATION, SLIDE, TWIST

if TYPE_CHECKING:
    from rish_core import World

    from ..bodies.layout import Layout

_0 = np.float32(0)
TOUCHES, SENSOR_A, SENSOR_B = 1, 2, 4
"""The bits of the second number of `Contacts3D.info`: it touched in the last step, and which of both are sensors."""


@njit(borrows=True)
def find_rows(near: Array, child: Array, entities: Array, old: Any, source: Array, gone: Array) -> Any:
    """Find the row of each pair among the old ones, -1 for none; list the old rows that are gone, and return how many.

    near: int32, 2 shapes a pair. entities: of the shapes, sorted, so that both lists are sorted alike. old: the columns
    a, b and child.
    """
    a, b, part = old
    k, n, count = 0, 0, len(a)
    for q in range(len(child)):
        x, y, z = entities[near[2 * q]], entities[near[2 * q + 1]], child[q]
        while k < count and (a[k] < x or (a[k] == x and (b[k] < y or (b[k] == y and part[k] < z)))):
            gone[n] = k
            n, k = n + 1, k + 1
        source[q] = -1
        if k < count and a[k] == x and b[k] == y and part[k] == z:
            source[q] = k
            k += 1
    while k < count:
        gone[n] = k
        n, k = n + 1, k + 1
    return n


@njit(borrows=True)
def move_rows(source: Array, manifold: Array, info: Array) -> None:
    """Move each row of both columns from its source, which rise; clear the rows without one.

    A row that moves down overwrites none that is still needed if lower rows go first; up, if higher ones do.
    """
    count = len(source)
    for step in range(2 * count):
        up = step >= count
        q = 2 * count - 1 - step if up else step
        k = np.int64(source[q])
        if (k > q and not up) or (0 <= k < q and up):
            for c in range(0, MANIFOLD, LANES):
                store(manifold, MANIFOLD * q + c, load(manifold, MANIFOLD * k + c))
            info[2 * q], info[2 * q + 1] = info[2 * k], info[2 * k + 1]
    for q in range(count):
        if source[q] < 0:
            for c in range(0, MANIFOLD, LANES):
                store(manifold, MANIFOLD * q + c, splat(_0))
            info[2 * q] = info[2 * q + 1] = 0


def match(contacts: Any, layout: Layout, near: Array, child: Array) -> tuple[Array, Array]:
    """Update the contacts to these pairs of shapes; return the entities (k, 2) of removed ones that touched, and their
    bits. child: of each pair, see `Contacts3D`.
    """
    source, gone = np.empty(len(near), np.int32), np.empty(len(contacts), np.int32)
    old = contacts.flat("a"), contacts.flat("b"), contacts.flat("child")
    count = int(find_rows(near.ravel(), child, layout.shape_entities, old, source, gone))
    rows = gone[:count]
    rows = rows[contacts.info[rows, 1] != 0]
    ended, bits = _pairs(contacts, rows), contacts.info[rows, 1]
    if count or len(near) != len(contacts):
        before = len(contacts)
        contacts.resize(max(before, len(near)))
        move_rows(source, contacts.flat("manifold"), contacts.flat("info"))
        contacts.resize(len(near))
        contacts.a[:], contacts.b[:] = layout.shape_entities[near].T
        contacts.child[:] = child
    return ended, bits


def sensor_bits(layout: Layout, near: Array) -> Array:
    """Return which shapes of pairs are sensors, as bits."""
    if not layout.sensors.any():
        return np.zeros(len(near), np.int32)
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


@njit(borrows=True)
def list_contacts(pair: Array, bodies: Array, omitted: Array, rows: Array) -> Any:
    """List the contacts of some bodies (bool) that are not omitted; return how many.

    pair: int32, two bodies a contact. omitted: int32, 0 for those to list.
    """
    n = 0
    for c in range(len(omitted)):
        rows[n] = c
        n += 1 if omitted[c] == 0 and (bodies[pair[2 * c]] or bodies[pair[2 * c + 1]]) else 0
    return n


def forget_contact_impulses(contacts: Any, pair: Array, bodies: Array) -> None:
    """Set the impulses of contacts of these bodies to 0, and those that are not finite. pair: bodies, int32 (n, 2)."""
    manifold, count = contacts.manifold, contacts.info[:, 0]
    normal = FIRST + POINT * np.arange(4) + IMPULSE
    sound = np.isfinite(manifold[:, [TWIST, *range(SLIDE, SLIDE + 3), *normal]]).all(axis=1)
    lost = np.isin(pair, bodies).any(axis=1) | ~sound
    manifold[lost, TWIST : SLIDE + 3] = 0
    manifold[np.ix_(lost, normal)] = 0
    manifold[lost & (count <= 2), ROLL : ROLL + 3] = 0


def emit(
    world: World, contacts: Any, bits: Array, removed: tuple[Array, Array], first: Array, centers: Array, speeds: Array
) -> None:
    """Emit the events of pairs that began or ceased to touch, ends first, and note which pairs touch.

    Pairs are compared only if one of these events is read. removed: of `match`. first: the bodies of the first
    colliders. centers: float32 (b, 3), of all bodies. speeds: float32, of the approach, negative.
    """
    touches = touching(contacts, bits)
    marks = np.where(touches, bits | TOUCHES, 0)
    if not len(removed[0]) and np.array_equal(marks, contacts.info[:, 1]):
        return
    if any(map(world.is_read, (ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D))):
        _emit_changes(world, contacts, bits, touches, removed, first, centers, speeds)
    contacts.info[:, 1] = marks


def _emit_changes(
    world: World, contacts: Any, bits: Array, touches: Array, removed: tuple[Array, Array], first: Array,
    centers: Array, speeds: Array,
) -> None:  # fmt: skip
    """Emit the events of `emit`. touches: bool, which contacts touch."""
    before = contacts.info[:, 1] != 0
    ended, kinds = removed
    if contacts.child.any():
        pairs = np.stack([contacts.a, contacts.b], axis=1)
        begins, ends, goes = _of_pairs(pairs, touches, before, ended)
        begun, over = np.flatnonzero(begins), np.flatnonzero(ends)
        ended, kinds = ended[goes], kinds[goes]
    else:
        changed = np.flatnonzero(touches != before)
        begun, over = changed[touches[changed]], changed[before[changed]]
    if len(ended) or len(over):
        known = contacts.info[over, 1]
        kinds = np.concatenate([kinds, np.where(known != 0, known, bits[over] | TOUCHES)])
        ended = np.concatenate([ended, _pairs(contacts, over)])
        plain = ended[kinds == TOUCHES]
        if len(plain) and world.is_read(ContactEnd3D):
            a, b = world.emit_rows(ContactEnd3D, len(plain))
            a[:], b[:] = plain.T
        _visits(world, SensorEnd3D, ended, kinds)
    if len(begun):
        plain = begun[bits[begun] == 0]
        if len(plain) and world.is_read(ContactBegin3D):
            manifold = contacts.manifold[plain]
            a, b, point, normal, speed = world.emit_rows(ContactBegin3D, len(plain))
            a[:], b[:], speed[:] = contacts.a[plain], contacts.b[plain], np.maximum(-speeds[plain], 0)
            point[:] = (centers[first[plain]] + manifold[:, 8:11]).ravel()
            normal[:] = manifold[:, :3].ravel()
        _visits(world, SensorBegin3D, _pairs(contacts, begun), bits[begun])


def _pairs(contacts: Any, rows: Array) -> Array:
    """Return the entities of contacts, (n, 2)."""
    return np.stack([contacts.a[rows], contacts.b[rows]], axis=1)


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
    if not (bits & (SENSOR_A | SENSOR_B)).any():
        return
    first, second = pairs[(bits & SENSOR_A) != 0], pairs[(bits & SENSOR_B) != 0]
    visits = np.concatenate([first, second[:, ::-1]])
    world.emit(event, sensor=visits[:, 0], visitor=visits[:, 1])
