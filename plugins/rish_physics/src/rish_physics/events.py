"""What happened in a step, as events that are read after it: nobody is called from within.

Every event names the entities of both colliders, `a` and `b`, and of the bodies to which they belong, so that nothing
has to be looked up. An entity may be gone by the time an event is read: a contact also ends when one of the two is
despawned. Events are written in the order of the solver's tables, which is the same in every run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.ecs.columns import Entity, Vec2
from rish_core.ecs.component import event, field

from .tables import (
    BEGAN,
    ENDED,
    POINT0,
    SENSOR,
    TELL_CONTACTS,
    TELL_HITS,
    TELL_STAY,
    TOUCHING,
)  # fmt: skip

if TYPE_CHECKING:
    from .links import Links
    from .state import State

Array = npt.NDArray[Any]

_A = "entity of a collider"
_B = "entity of the other collider"
_BODY = "entity of the body to which it belongs"


@event(script="on_contact_begin")
class ContactBegin:
    """Two colliders have come to touch."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)
    point: Vec2 = field(unit="units", doc="where, in the world")
    normal: Vec2 = field(doc="from a to b")


@event(script="on_contact_stay")
class ContactStay:
    """Two colliders go on touching; told where one of them `tells_stay`."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)
    point: Vec2 = field(unit="units", doc="where, in the world")
    normal: Vec2 = field(doc="from a to b")
    impulse: float = field(unit="kg·units/s", doc="with which they push each other apart in this tick")


@event(script="on_contact_end")
class ContactEnd:
    """Two colliders touch no more, or one of them is gone."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)


@event(script="on_hit")
class Hit:
    """Two colliders have met faster than `settings.physics.hit_speed`; told where one of them `tells_hits`."""

    a: Entity = field(doc=_A)
    b: Entity = field(doc=_B)
    body_a: Entity = field(doc=_BODY)
    body_b: Entity = field(doc=_BODY)
    point: Vec2 = field(unit="units", doc="where, in the world")
    normal: Vec2 = field(doc="from a to b")
    speed: float = field(unit="units/s", doc="with which they approached each other")
    impulse: float = field(unit="kg·units/s", doc="the greatest with which they pushed each other in this tick")


@event(script="on_sensor_begin")
class SensorBegin:
    """Something has come into a sensor."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it notices")
    sensor_body: Entity = field(doc=_BODY)
    visitor_body: Entity = field(doc=_BODY)


@event(script="on_sensor_stay")
class SensorStay:
    """Something is still in a sensor that `tells_stay`."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it notices")
    sensor_body: Entity = field(doc=_BODY)
    visitor_body: Entity = field(doc=_BODY)


@event(script="on_sensor_end")
class SensorEnd:
    """Something has left a sensor, or one of the two is gone."""

    sensor: Entity = field(doc="entity of the sensor")
    visitor: Entity = field(doc="entity of the collider that it noticed")
    sensor_body: Entity = field(doc=_BODY)
    visitor_body: Entity = field(doc=_BODY)


@event(script="on_sleep")
class FellAsleep:
    """A body has come to rest, and costs nothing from now on."""

    body: Entity = field(doc="its entity")


@event(script="on_wake")
class WokeUp:
    """A body that slept moves again."""

    body: Entity = field(doc="its entity")


@event(script="on_joint_break")
class JointBroke:
    """A joint is gone: it was loaded beyond what it bears, or one of its bodies is gone."""

    joint: Entity = field(doc="its entity")
    a: Entity = field(doc="entity of the first body")
    b: Entity = field(doc="entity of the second body")
    force: float = field(unit="kg·units/s²", doc="with which it held when it broke; 0 where a body went")
    torque: float = field(unit="kg·units²/s²", doc="likewise")


EVENTS = (
    ContactBegin, ContactStay, ContactEnd, Hit, SensorBegin, SensorStay, SensorEnd, FellAsleep, WokeUp, JointBroke,
)  # fmt: skip


def tell(state: State, links: Links) -> None:
    """Emit what happened in this step."""
    if len(state.changed) or len(state.parted) or links.ended:
        _tell_changes(state, links)
    if len(state.active) and links.asks:
        _tell_lasting(state, links)
    if len(state.slept) or len(state.woken):
        _tell_sleep(state)


def _tell_changes(state: State, links: Links) -> None:
    rows = state.changed
    if len(state.quarantined):  # whose contacts are gone, so that others have moved to their rows
        rows = np.flatnonzero(state.contacts.info[:, 1] & (BEGAN | ENDED))
    flags = state.contacts.info[rows, 1]
    _tell_begin(state, rows[(flags & BEGAN) != 0])
    ended = state.contacts.pair[rows[(flags & ENDED) != 0], :2]
    gone = np.concatenate([who_of(state, ended), who_of(state, state.parted), *links.ended])
    links.ended = []
    sensor = (gone[:, 4] & SENSOR) != 0
    told = gone[~sensor & ((gone[:, 4] & TELL_CONTACTS) != 0)]
    if len(told):
        state.world.emit(ContactEnd, **_pairs(told))
    if sensor.any():
        state.world.emit(SensorEnd, **_visits(gone[sensor]))


def _tell_begin(state: State, rows: Array) -> None:
    who = _who(state, rows)
    sensor = (who[:, 4] & SENSOR) != 0
    told = np.flatnonzero(~sensor & ((who[:, 4] & TELL_CONTACTS) != 0))
    if len(told):
        point, normal = _where(state, rows[told])
        state.world.emit(ContactBegin, **_pairs(who[told]), point=point, normal=normal)
    if sensor.any():
        state.world.emit(SensorBegin, **_visits(who[sensor]))


def _tell_lasting(state: State, links: Links) -> None:
    """Contacts that go on, and hits, of colliders that ask for them."""
    rows = state.active
    rows = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
    pair = state.contacts.pair[rows]
    marks = state.shapes.flags[pair[:, 0]] | state.shapes.flags[pair[:, 1]]
    hits = rows[((marks & TELL_HITS) != 0) & ((marks & SENSOR) == 0)]
    if len(hits):
        _tell_hits(state, hits)
    lasting = rows[((marks & TELL_STAY) != 0) & ((state.contacts.info[rows, 1] & BEGAN) == 0)]
    who = _who(state, lasting)
    sensor = (who[:, 4] & SENSOR) != 0
    if (~sensor).any():
        some = lasting[~sensor]
        point, normal = _where(state, some)
        impulse = state.contacts.manifold[some][:, [POINT0 + 6, POINT0 + 14]].sum(axis=1)
        state.world.emit(ContactStay, **_pairs(who[~sensor]), point=point, normal=normal, impulse=impulse)
    if sensor.any():
        state.world.emit(SensorStay, **_visits(who[sensor]))


def _tell_hits(state: State, rows: Array) -> None:
    cold = state.contacts.cold[rows]
    speed = cold[:, 3:5].max(axis=1)
    impulse = cold[:, 1:3].sum(axis=1)
    hit = (speed > state.scaled.hit_speed) & (impulse > 0)
    if hit.any():
        point, normal = _where(state, rows[hit])
        state.world.emit(
            Hit, **_pairs(_who(state, rows[hit])), point=point, normal=normal, speed=speed[hit],
            impulse=impulse[hit],
        )  # fmt: skip


def _tell_sleep(state: State) -> None:
    bodies = state.bodies
    for cls, slots in ((FellAsleep, state.slept), (WokeUp, state.woken)):
        owners = bodies.entity[slots]
        owners = owners[owners != 0]
        if len(owners):
            state.world.emit(cls, body=owners)
    state.slept = state.woken = slots[:0]


def who_of(state: State, pair: Array) -> Array:
    """int64 (n, 6): entities of both colliders and both bodies, the flags of either shape, whether a is the sensor.

    pair: (n, 2), slots of shapes.
    """
    shapes, bodies = state.shapes, state.bodies
    flags = shapes.flags[pair].astype(np.int64)
    owners = bodies.entity[shapes.body[pair]]
    sensor = (flags[:, :1] & SENSOR) != 0
    return np.concatenate([shapes.entity[pair], owners, flags[:, :1] | flags[:, 1:], sensor], axis=1)


def _who(state: State, rows: Array) -> Array:
    """The same for rows of contacts."""
    return who_of(state, state.contacts.pair[rows, :2])


def _pairs(who: Array) -> dict[str, Array]:
    names = ("a", "b", "body_a", "body_b")
    return {name: who[:, k].copy() for k, name in enumerate(names)}


def _visits(who: Array) -> dict[str, Array]:
    """The sensor first."""
    first = who[:, 5] != 0
    names = (("sensor", 0, 1), ("visitor", 1, 0), ("sensor_body", 2, 3), ("visitor_body", 3, 2))
    return {name: np.where(first, who[:, one], who[:, other]) for name, one, other in names}


def _where(state: State, rows: Array) -> tuple[Array, Array]:
    """float32 (n, 2) each: the middle of the points of contact, and the normal from a to b."""
    contacts, bodies = state.contacts, state.bodies
    manifold = contacts.manifold[rows]
    two = contacts.info[rows, 0] > 1
    centre = bodies.pose[contacts.pair[rows, 2], :2]
    first = manifold[:, POINT0 : POINT0 + 2]
    middle = np.where(two[:, None], np.float32(0.5) * (first + manifold[:, POINT0 + 8 : POINT0 + 10]), first)
    return centre + middle, manifold[:, :2]
