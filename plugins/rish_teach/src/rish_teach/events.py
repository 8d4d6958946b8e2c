"""The events of a step: begin, continuation and end of contacts, and hits.

There is one event for each pair of colliders, even if several of their pieces touch.
"""

from __future__ import annotations

from typing import Any

from rish_core import World
from rish_physics import ContactBegin, ContactEnd, ContactStay, Hit, Scaled, SensorBegin, SensorEnd, SensorStay

from .contacts import Contact
from .tables import TeachTouching

Pair = tuple[int, int, bool]
"""Both colliders, and whether the first one is a sensor."""


def emit_events(world: World, contacts: list[Contact], scaled: Scaled) -> None:
    """Emit the events of this step, ends before begins, and store which colliders touch now. An end event is emitted
    only if the begin event was.
    """
    table = world[TeachTouching]
    columns = ("a", "b", "sensor", "body_a", "body_b", "told")
    rows = list(zip(*(table.column(name).tolist() for name in columns), strict=True))
    before = {(a, b, sensor): values for a, b, sensor, *values in rows}
    current: dict[Pair, list[Contact]] = {}
    for contact in contacts:
        current.setdefault((contact.a.collider, contact.b.collider, contact.manifold is None), []).append(contact)
    for (a, b, sensor), (body_a, body_b, reported) in before.items():
        if (a, b, sensor) not in current and sensor:
            world.emit(SensorEnd, sensor=a, visitor=b, sensor_body=body_a, visitor_body=body_b)
        elif (a, b, sensor) not in current and reported:
            world.emit(ContactEnd, a=a, b=b, body_a=body_a, body_b=body_b)
    for pair, parts in current.items():
        if pair[2]:
            _emit_sensor(world, parts[0], began=pair not in before)
        else:
            _emit_contact(world, parts, pair not in before, float(scaled.hit_speed))
    _store(table, current, {pair: bool(values[-1]) for pair, values in before.items()})


def _store(table: Any, current: dict[Pair, list[Contact]], reported: dict[Pair, bool]) -> None:
    """Store the pairs that touch now. reported: for pairs that touched before, whether an event was emitted when they
    began.
    """
    table.clear()
    rows = table.resize(len(current))
    for row, ((a, b, sensor), parts) in zip(range(rows.start, rows.stop), current.items(), strict=True):
        first, other = parts[0].a, parts[0].b
        table.a[row], table.b[row], table.sensor[row] = a, b, sensor
        table.body_a[row], table.body_b[row] = first.body_entity, other.body_entity
        table.told[row] = reported.get((a, b, sensor), first.contact_events or other.contact_events)


def _emit_sensor(world: World, contact: Contact, *, began: bool) -> None:
    sensor, visitor = contact.a, contact.b
    who = {
        "sensor": sensor.collider, "visitor": visitor.collider, "sensor_body": sensor.body_entity,
        "visitor_body": visitor.body_entity,
    }  # fmt: skip
    if began:
        world.emit(SensorBegin, **who)
    elif sensor.stay_events or visitor.stay_events:
        world.emit(SensorStay, **who)


def _emit_contact(world: World, parts: list[Contact], began: bool, hit_speed: float) -> None:
    a, b = parts[0].a, parts[0].b
    who: dict[str, Any] = {"a": a.collider, "b": b.collider, "body_a": a.body_entity, "body_b": b.body_entity}
    places = [place.place for part in parts if part.manifold is not None for place in part.manifold.points]
    points = [point for part in parts for point in part.points]
    where = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    fields = {**who, "point": where, "normal": points[0].normal}
    if began and (a.contact_events or b.contact_events):
        world.emit(ContactBegin, **fields)
    if not began and (a.stay_events or b.stay_events):
        world.emit(ContactStay, **fields, impulse=sum(point.push for point in points))
    speed, impulse = max(point.approach for point in points), sum(point.peak for point in points)
    if (a.hit_events or b.hit_events) and speed > hit_speed and impulse > 0:
        world.emit(Hit, **fields, speed=speed, impulse=impulse)
