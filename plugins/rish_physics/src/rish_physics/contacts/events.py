"""The events of a step, to be read after it; no user code is called during the step.

Every event names the entities of both colliders, `a` and `b`, and of their bodies, so that no look-up is needed. An
entity may no longer exist when an event is read: a contact also ends when one of its entities is despawned. Events are
written in the order of the solver's tables, which is the same in every run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import Entity, Vec2, event, field

from ..components.tables import BEGAN, CONTACT_EVENTS, HIT_EVENTS, POINT0, SENSOR, STAY_EVENTS, TOUCHING  # fmt: skip
from .event_kernels import sort_changes, write_contacts

if TYPE_CHECKING:
    from rish_core import World

    from ..components.links import Links
    from .state import State

Array = npt.NDArray[Any]

_A = "entity of a collider"
_B = "entity of the other collider"
_BODY = "entity of the body to which it belongs"
_NO_PLACES = (np.zeros(0, np.float32),) * 2


@event
class _Contact:
    """The entities of an event of two colliders that are not sensors."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)


@event
class _PlacedContact(_Contact):
    """Such an event with the place where they touch."""

    point: Vec2 = field(unit="units", doc="where, in the world")
    normal: Vec2 = field(doc="from a to b")


@event
class _Visit:
    """The entities of an event of a sensor."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it notices")
    sensor_body: Entity = field(doc=_BODY)
    visitor_body: Entity = field(doc=_BODY)


@event(script="on_contact_begin")
class ContactBegin(_PlacedContact):
    """Two colliders began to touch."""


@event(script="on_contact_stay")
class ContactStay(_PlacedContact):
    """Two colliders still touch; emitted if one of them has `stay_events`."""

    impulse: float = field(unit="kg·units/s", doc="with which they push each other apart in this tick")


@event(script="on_contact_end")
class ContactEnd(_Contact):
    """Two colliders no longer touch, or one of them was removed."""


@event(script="on_hit")
class Hit(_PlacedContact):
    """Two colliders met faster than `settings.physics.hit_speed`; emitted if one of them has `hit_events`."""

    speed: float = field(unit="units/s", doc="with which they approached each other")
    impulse: float = field(unit="kg·units/s", doc="the greatest with which they pushed each other in this tick")


@event(script="on_sensor_begin")
class SensorBegin(_Visit):
    """A shape began to overlap a sensor."""


@event(script="on_sensor_stay")
class SensorStay(_Visit):
    """A shape still overlaps a sensor that has `stay_events`."""


@event(script="on_sensor_end")
class SensorEnd(_Visit):
    """A shape no longer overlaps a sensor, or one of the two was removed."""

    visitor: Entity = field(doc="entity of the collider that it noticed")


@event(script="on_sleep")
class FellAsleep:
    """A body came to rest and fell asleep."""

    body: Entity = field(doc="its entity")


@event(script="on_wake")
class WokeUp:
    """A sleeping body woke up."""

    body: Entity = field(doc="its entity")


@event(script="on_joint_break")
class JointBroke:
    """A joint was removed: its load exceeded its limit, or one of its bodies was removed."""

    joint: Entity = field(doc="its entity")
    a: Entity = field(doc="entity of the first body")
    b: Entity = field(doc="entity of the second body")
    force: float = field(unit="kg·units/s²", doc="with which it held when it broke; 0 where a body went")
    torque: float = field(unit="kg·units²/s²", doc="likewise")


EVENTS = (
    ContactBegin, ContactStay, ContactEnd, Hit, SensorBegin, SensorStay, SensorEnd, FellAsleep, WokeUp, JointBroke,
)  # fmt: skip


def tell(state: State, links: Links) -> None:
    """Emit the events of this step."""
    if len(state.changed) or len(state.parted) or state.ended.used:
        _tell_changes(state)
    if len(state.active) and links.asks:
        _tell_lasting(state, links)
    if len(state.slept) or state.woken.used:
        _tell_sleep(state)


def _tell_changes(state: State) -> None:
    rows, contacts, n = state.changed, state.flats(state.contacts), len(state.changed)
    lists = state.scratch.take("events.lists", 4 * n, np.int32)
    flags = state.flats(state.shapes).flags
    counts = sort_changes(rows, contacts.pair, contacts.info, flags, lists)
    begun, over, entered, left = [lists[k * n : k * n + count] for k, count in enumerate(counts)]
    if len(begun):
        _emit(state, ContactBegin, begun)
    if len(over):
        _emit(state, ContactEnd, over)
    if len(entered):
        state.world.emit(SensorBegin, **_visits(_who(state, entered)))
    if len(left):
        state.world.emit(SensorEnd, **_visits(_who(state, left)))
    if len(state.parted) or state.ended.used:
        _tell_gone(state.world, np.concatenate([who_of(state, state.parted), _take_ended(state)]))


def keep_ended(state: State, pair: Array) -> None:
    """Store contacts that end between two steps, so that the next step emits their events. pair: as for `who_of`."""
    ended = state.ended
    rows = ended.resize(len(ended) + len(pair))
    for name, column in zip(ended.schema.fields, who_of(state, pair).T, strict=True):
        ended.column(name)[rows] = column


def _take_ended(state: State) -> Array:
    """Return the rows of `who_of` that `keep_ended` stored, and clear them."""
    ended = state.ended
    who = np.stack([ended.column(name).astype(np.int64) for name in ended.schema.fields], axis=1)
    ended.resize(0)
    return who


def _tell_gone(world: World, who: Array) -> None:
    """Emit the end of contacts that are no longer in a table. who: rows of `who_of`."""
    sensor = (who[:, 4] & SENSOR) != 0
    told = who[~sensor & ((who[:, 4] & CONTACT_EVENTS) != 0)]
    if len(told):
        world.emit(ContactEnd, **dict(zip(("a", "b", "body_a", "body_b"), told.T.copy(), strict=False)))
    if sensor.any():
        world.emit(SensorEnd, **_visits(who[sensor]))


def _emit(state: State, cls: type, rows: Array) -> tuple[Array, ...]:
    """Emit an event for each of these contacts, and write its entities, and point and normal if it has them; return the
    columns after these, which are not written yet.
    """
    contacts, shapes, bodies = state.flats(state.contacts), state.flats(state.shapes), state.flats(state.bodies)
    columns = state.world.emit_rows(cls, len(rows))
    write_contacts(
        rows, contacts.pair, contacts.info, contacts.manifold, shapes.entity, shapes.body, bodies.entity, bodies.pose,
        *columns[:4], *(columns[4:6] or _NO_PLACES),
    )  # fmt: skip
    return columns[6:]


def _tell_lasting(state: State, links: Links) -> None:
    """Emit the stay and hit events, for the colliders that request them."""
    rows = state.active
    rows = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
    pair = state.contacts.pair[rows]
    marks = state.shapes.flags[pair[:, 0]] | state.shapes.flags[pair[:, 1]]
    hits = rows[((marks & HIT_EVENTS) != 0) & ((marks & SENSOR) == 0)]
    if len(hits):
        _tell_hits(state, hits)
    lasting = rows[((marks & STAY_EVENTS) != 0) & ((state.contacts.info[rows, 1] & BEGAN) == 0)]
    who = _who(state, lasting)
    sensor = (who[:, 4] & SENSOR) != 0
    if (~sensor).any():
        some = lasting[~sensor]
        (impulse,) = _emit(state, ContactStay, some)
        impulse[:] = state.contacts.manifold[some][:, [POINT0 + 6, POINT0 + 14]].sum(axis=1)
    if sensor.any():
        state.world.emit(SensorStay, **_visits(who[sensor]))


def _tell_hits(state: State, rows: Array) -> None:
    cold = state.contacts.cold[rows]
    speed = cold[:, 3:5].max(axis=1)
    impulse = cold[:, 1:3].sum(axis=1)
    hit = (speed > state.scaled.hit_speed) & (impulse > 0)
    if hit.any():
        speeds, impulses = _emit(state, Hit, rows[hit])
        speeds[:], impulses[:] = speed[hit], impulse[hit]


def _tell_sleep(state: State) -> None:
    bodies = state.bodies
    for cls, slots in ((FellAsleep, state.slept), (WokeUp, state.woken.slot)):
        owners = bodies.entity[slots]
        owners = owners[owners != 0]
        if len(owners):
            state.world.emit(cls, body=owners)
    state.slept = state.slept[:0]
    state.woken.resize(0)


def who_of(state: State, pair: Array) -> Array:
    """Return int64 (n, 6): entities of both colliders, of both bodies, the flags of both shapes, whether a is the
    sensor.

    pair: (n, 2), slots of shapes. The flags of both shapes are combined with OR.
    """
    shapes, bodies = state.shapes, state.bodies
    who = np.empty((len(pair), 6), np.int64)
    who[:, :2] = shapes.entity[pair]
    who[:, 2:4] = bodies.entity[shapes.body[pair]]
    flags = shapes.flags[pair]
    who[:, 4] = flags[:, 0] | flags[:, 1]
    who[:, 5] = (flags[:, 0] & SENSOR) != 0
    return who


def _who(state: State, rows: Array) -> Array:
    """Return the rows of `who_of` for rows of contacts."""
    return who_of(state, state.contacts.pair[rows, :2])


def _visits(who: Array) -> dict[str, Array]:
    """Return the columns of a sensor event, with the sensor and the visitor in the right order."""
    first = who[:, 5] != 0
    names = (("sensor", 0, 1), ("visitor", 1, 0), ("sensor_body", 2, 3), ("visitor_body", 3, 2))
    return {name: np.where(first, who[:, one], who[:, other]) for name, one, other in names}
