"""The events of a step. They are emitted at its end; no user code is called during the step.

Every event names the entities of both colliders, `a` and `b`, and of their bodies, so that no look-up is needed. An
entity may no longer exist when an event is read: a contact also ends when one of its entities is despawned. Events are
written in the order of the solver's tables, which is the same in every run.

A begin or end event is emitted once for each pair of colliders that began or stopped touching, even if they are cut
into pieces; so begins and ends of a pair alternate. The ends of a tick come before its begins. An end event is emitted
if the begin event was, even if `contact_events` has changed since. Stay events are emitted for sleeping bodies too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Entity, Vec2, event, field
from rish_jit import Array

from ..components.tables import BEGAN, ENDED, HIT_EVENTS, IS_SENSOR, PIECE, POINT0, POINT1, STAY_EVENTS, TOUCHING
from .changes import changes_of_pairs, groups_of
from .ended_contacts import BODY_A, BODY_B, QUIET, SENSOR_A, SENSOR_B, SENSORS, A, B, ended_pairs, pairs_of
from .event_kernels import list_hits, sort_changes, write_contacts

if TYPE_CHECKING:
    from rish_core import World

    from ..components.links import Links
    from .state import State


_A = "entity of a collider"
_B = "entity of the other collider"
_BODY = "entity of the body to which it belongs"
_NO_PLACES = (np.zeros(0, np.float32),) * 2
_NO_PAIRS = np.zeros((0, 7), np.int64)
_ENDS = (("a", "b"), ("body_a", "body_b"))
"""The columns of `Ended` for both ends of a contact."""


@event
class _Contact:
    """The fields of events of two colliders that are not sensors."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)


@event
class _PlacedContact(_Contact):
    """The fields of such events that have a contact point."""

    point: Vec2 = field(unit="units", doc="where, in the world")
    normal: Vec2 = field(doc="from a to b")


@event
class _Visit:
    """The fields of events of a sensor."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it notices")
    sensor_body: Entity = field(doc=_BODY)
    visitor_body: Entity = field(doc=_BODY)


@event(on_demand=True, script="on_contact_begin")
class ContactBegin(_PlacedContact):
    """Two colliders began to touch."""


@event(on_demand=True, script="on_contact_stay")
class ContactStay(_PlacedContact):
    """Two colliders still touch; emitted if one of them has `stay_events`."""

    impulse: float = field(unit="kg·units/s", doc="with which they push each other apart in this tick")


@event(on_demand=True, script="on_contact_end")
class ContactEnd(_Contact):
    """Two colliders no longer touch, or one of them was removed."""


@event(on_demand=True, script="on_hit")
class Hit(_PlacedContact):
    """Two colliders met faster than `settings.physics.hit_speed`; emitted if one of them has `hit_events`."""

    speed: float = field(unit="units/s", doc="with which they approached each other")
    impulse: float = field(unit="kg·units/s", doc="the greatest with which they pushed each other in this tick")


@event(on_demand=True, script="on_sensor_begin")
class SensorBegin(_Visit):
    """A shape began to overlap a sensor."""


@event(on_demand=True, script="on_sensor_stay")
class SensorStay(_Visit):
    """A shape still overlaps a sensor that has `stay_events`."""


@event(on_demand=True, script="on_sensor_end")
class SensorEnd(_Visit):
    """A shape no longer overlaps a sensor, or one of the two was removed."""

    visitor: Entity = field(doc="entity of the collider that it noticed")


@event(on_demand=True, script="on_sleep")
class FellAsleep:
    """A body came to rest and fell asleep."""

    body: Entity = field(doc="its entity")


@event(on_demand=True, script="on_wake")
class WokeUp:
    """A sleeping body woke up."""

    body: Entity = field(doc="its entity")


@event(on_demand=True, script="on_joint_break")
class JointBroke:
    """A joint was removed: its load exceeded its limit, or one of its bodies was removed."""

    joint: Entity = field(doc="its entity")
    a: Entity = field(doc="entity of the first body")
    b: Entity = field(doc="entity of the second body")
    force: float = field(unit="kg·units/s²", doc="with which it held when it broke; 0 where a body went")
    torque: float = field(unit="kg·units²/s²", doc="likewise")


EVENTS = (
    ContactEnd, ContactBegin, ContactStay, Hit, SensorEnd, SensorBegin, SensorStay, FellAsleep, WokeUp, JointBroke,
)  # fmt: skip
"""The events of a step, in the order in which scripts receive them: ends before begins."""


def requested_events(world: World, links: Links) -> int:
    """Return HIT_EVENTS and STAY_EVENTS, each if a collider requests it and the simulation reads such events."""
    requested = links.requested_events
    if requested & HIT_EVENTS and not world.is_read(Hit):
        requested &= ~HIT_EVENTS
    if requested & STAY_EVENTS and not (world.is_read(ContactStay) or world.is_read(SensorStay)):
        requested &= ~STAY_EVENTS
    return requested


def emit_events(state: State, links: Links) -> None:
    """Emit those events of this step that the simulation reads. All other state is the same whatever it reads."""
    requested = requested_events(state.world, links)
    if len(state.changed) or state.ended.used:
        _emit_changes(state)
    if requested & HIT_EVENTS and len(state.active):
        _emit_hits(state)
    if requested & STAY_EVENTS:
        _emit_stays(state)
    if len(state.changed):
        state.contacts.info[state.changed, 1] &= ~(BEGAN | ENDED)
    if len(state.slept) or state.woken.used:
        _emit_sleep(state)


def _emit_changes(state: State) -> None:
    """Emit what ended, then what began."""
    is_read = state.world.is_read
    rows, removed = state.changed, _NO_PAIRS
    lists, came, pieces = _sorted(state, rows)
    compared = pieces > 0
    if state.ended.used:
        compared = compared or bool((state.ended.flags & PIECE).any()) or (came > 0 and _may_touch_again(state))
        if compared or is_read(ContactEnd) or is_read(SensorEnd):
            removed = ended_pairs(state)
        state.ended.resize(0)
    if compared:
        rows, removed = changes_of_pairs(state, rows, removed)
        lists, _, _ = _sorted(state, rows)
    begun, over, entries, exits = lists
    ended, visits = _parted(removed) if len(removed) else (removed, removed)
    if len(over) and is_read(ContactEnd):
        _emit(state, ContactEnd, over)
    if len(ended) and is_read(ContactEnd):
        for k, column in enumerate(state.world.emit_rows(ContactEnd, len(ended))):
            column[:] = ended[:, k]
    if len(begun) and is_read(ContactBegin):
        _emit(state, ContactBegin, begun)
    if (len(exits) or len(visits)) and is_read(SensorEnd):
        state.world.emit(SensorEnd, **_visits(np.concatenate([pairs_of(state, exits), visits])))
    if len(entries) and is_read(SensorBegin):
        state.world.emit(SensorBegin, **_visits(pairs_of(state, entries)))


def _parted(removed: Array) -> tuple[Array, Array]:
    """Return the removed contacts whose begin was emitted, and the removed overlaps with sensors."""
    visits = removed[:, SENSORS] != 0
    return removed[~visits & (removed[:, QUIET] == 0)], removed[visits]


def _may_touch_again(state: State) -> bool:
    """Return True if both colliders of a contact that was removed before this step may exist: their entities do, or
    they are published edges.
    """
    ended, count = state.ended, state.removed_before
    if not count:
        return False
    colliders, bodies = (np.concatenate([ended.column(a)[:count], ended.column(b)[:count]]) for a, b in _ENDS)
    exist = state.world.alive(colliders) | (bodies == 0)
    return bool((exist[:count] & exist[count:]).any())


def _sorted(state: State, rows: Array) -> tuple[list[Array], int, int]:
    """Return the four lists of `sort_changes`, the number of contacts that began, and the number of contacts of
    pieces.
    """
    contacts, n = state.flats(state.contacts), len(rows)
    lists = state.scratch.take("events.lists", 4 * n, np.int32)
    *counts, came, pieces = sort_changes(rows, contacts.pair, contacts.info, state.flats(state.shapes).flags, lists)
    return [lists[k * n : k * n + count] for k, count in enumerate(counts)], came, pieces


def _emit(state: State, cls: type, rows: Array) -> tuple[Array, ...]:
    """Emit an event for each of these contacts. Writes the entities, and the point and normal if the event has them;
    returns its remaining columns, which the caller writes.
    """
    contacts, shapes, bodies = state.flats(state.contacts), state.flats(state.shapes), state.flats(state.bodies)
    columns = state.world.emit_rows(cls, len(rows))
    write_contacts(
        rows, contacts.pair, contacts.info, contacts.manifold, shapes.entity, shapes.body, bodies.entity, bodies.pose,
        *columns[:4], *(columns[4:6] or _NO_PLACES),
    )  # fmt: skip
    return columns[6:]


def _emit_hits(state: State) -> None:
    """Emit one `Hit` for each pair of colliders with `hit_events` that met fast enough: that of its fastest contact."""
    contacts, take, room = state.flats(state.contacts), state.scratch.take, len(state.active)
    rows, speed, impulse = take("events.hits", room, np.int32), take("events.speed", room), take("events.impulse", room)
    count, pieces = list_hits(
        state.active, contacts.pair, contacts.info, contacts.cold, state.flats(state.shapes).flags,
        np.float32(state.scaled.hit_speed), rows, speed, impulse,
    )  # fmt: skip
    if not count:
        return
    rows, speed, impulse = rows[:count], speed[:count], impulse[:count]
    if pieces:
        pairs = groups_of(pairs_of(state, rows))
        order = np.lexsort((-speed, pairs))
        first = order[np.append(True, pairs[order][1:] != pairs[order][:-1])]
        impulse = np.bincount(pairs, impulse)[pairs].astype(np.float32)
        first.sort()
        rows, speed, impulse = rows[first], speed[first], impulse[first]
    speeds, impulses = _emit(state, Hit, rows)
    speeds[:], impulses[:] = speed, impulse


def _emit_stays(state: State) -> None:
    """Emit an event for each pair of colliders with `stay_events` that touched before this step and still touches,
    also if both bodies sleep.
    """
    contacts = state.contacts
    rows = _that_stay(state)
    rows = rows[(contacts.info[rows, 1] & BEGAN) == 0]
    visits = (contacts.info[rows, 1] & IS_SENSOR) != 0
    touches = rows[~visits]
    if len(touches) and state.world.is_read(ContactStay):
        impulse = contacts.manifold[touches][:, [POINT0 + 6, POINT1 + 6]].sum(axis=1)
        pairs = _as_pairs(state, touches)
        if pairs is not None:
            impulse = np.bincount(pairs, impulse)[pairs]
            first = np.sort(np.unique(pairs, return_index=True)[1])
            touches, impulse = touches[first], impulse[first]
        (impulses,) = _emit(state, ContactStay, touches)
        impulses[:] = impulse
    visits = rows[visits]
    if len(visits) and state.world.is_read(SensorStay):
        pairs = _as_pairs(state, visits)
        if pairs is not None:
            visits = visits[np.sort(np.unique(pairs, return_index=True)[1])]
        state.world.emit(SensorStay, **_visits(pairs_of(state, visits)))


def _that_stay(state: State) -> Array:
    """Return the contacts that touch and have a shape with `stay_events`."""
    rows = np.flatnonzero(state.contacts.info[:, 1] & TOUCHING).astype(np.int32)
    pair = state.contacts.pair[rows]
    return rows[((state.shapes.flags[pair[:, 0]] | state.shapes.flags[pair[:, 1]]) & STAY_EVENTS) != 0]


def _as_pairs(state: State, rows: Array) -> Array | None:
    """Return a number for the pair of colliders of each contact; None if none of them is cut into pieces."""
    flags = state.shapes.flags[state.contacts.pair[rows, :2]]
    return groups_of(pairs_of(state, rows)) if (flags & PIECE).any() else None


def _emit_sleep(state: State) -> None:
    bodies = state.bodies
    for cls, slots in ((FellAsleep, state.slept), (WokeUp, state.woken.slot)):
        owners = bodies.entity[slots]
        owners = owners[owners != 0]
        if len(owners):
            state.world.emit(cls, body=owners)
    state.slept = state.slept[:0]
    state.woken.resize(0)


def _visits(pairs: Array) -> dict[str, Array]:
    """Return the columns of a sensor event. If both colliders are sensors, there is an event for each of them."""
    forward, back = pairs[(pairs[:, SENSORS] & SENSOR_A) != 0], pairs[(pairs[:, SENSORS] & SENSOR_B) != 0]
    names = (("sensor", A, B), ("visitor", B, A), ("sensor_body", BODY_A, BODY_B), ("visitor_body", BODY_B, BODY_A))
    return {name: np.concatenate([forward[:, one], back[:, other]]) for name, one, other in names}
