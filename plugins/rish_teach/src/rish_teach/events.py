"""The events of a step: what began to touch, still touches, no longer touches, and what hit hard.

Each pair of colliders is told once, however many pieces of them touch.
"""

from __future__ import annotations

from typing import Any

from rish_core import World
from rish_physics import ContactBegin, ContactEnd, ContactStay, Hit, Scaled, SensorBegin, SensorEnd, SensorStay

from .contacts import Contact
from .tables import TeachTouching

Pair = tuple[int, int, bool]
"""Both colliders, and whether the first one is a sensor."""


def tell(world: World, contacts: list[Contact], scaled: Scaled) -> None:
    """Emit the events of this step, ends before begins, and store which colliders touch now.

    The end of a contact is reported if its begin was.
    """
    table = world[TeachTouching]
    columns = ("a", "b", "sensor", "body_a", "body_b", "told")
    rows = list(zip(*(table.column(name).tolist() for name in columns), strict=True))
    before = {(a, b, sensor): rest for a, b, sensor, *rest in rows}
    now: dict[Pair, list[Contact]] = {}
    for contact in contacts:
        now.setdefault((contact.a.collider, contact.b.collider, contact.manifold is None), []).append(contact)
    for (a, b, sensor), (body_a, body_b, told) in before.items():
        if (a, b, sensor) not in now and sensor:
            world.emit(SensorEnd, sensor=a, visitor=b, sensor_body=body_a, visitor_body=body_b)
        elif (a, b, sensor) not in now and told:
            world.emit(ContactEnd, a=a, b=b, body_a=body_a, body_b=body_b)
    for pair, parts in now.items():
        if pair[2]:
            _tell_sensor(world, parts[0], began=pair not in before)
        else:
            _tell_contact(world, parts, pair not in before, float(scaled.hit_speed))
    _store(table, now, {pair: bool(rest[-1]) for pair, rest in before.items()})


def _store(table: Any, now: dict[Pair, list[Contact]], told: dict[Pair, bool]) -> None:
    """Store the pairs. told: of those that touched before, whether their begin was reported."""
    table.clear()
    rows = table.resize(len(now))
    for row, ((a, b, sensor), parts) in zip(range(rows.start, rows.stop), now.items(), strict=True):
        one, other = parts[0].a, parts[0].b
        table.a[row], table.b[row], table.sensor[row] = a, b, sensor
        table.body_a[row], table.body_b[row] = one.body_entity, other.body_entity
        table.told[row] = told.get((a, b, sensor), one.contact_events or other.contact_events)


def _tell_sensor(world: World, contact: Contact, *, began: bool) -> None:
    sensor, visitor = contact.a, contact.b
    who = {
        "sensor": sensor.collider, "visitor": visitor.collider, "sensor_body": sensor.body_entity,
        "visitor_body": visitor.body_entity,
    }  # fmt: skip
    if began:
        world.emit(SensorBegin, **who)
    elif sensor.stay_events or visitor.stay_events:
        world.emit(SensorStay, **who)


def _tell_contact(world: World, parts: list[Contact], began: bool, hit_speed: float) -> None:
    a, b = parts[0].a, parts[0].b
    who: dict[str, Any] = {"a": a.collider, "b": b.collider, "body_a": a.body_entity, "body_b": b.body_entity}
    places = [place.place for part in parts if part.manifold is not None for place in part.manifold.points]
    points = [point for part in parts for point in part.points]
    where = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    placed = {**who, "point": where, "normal": points[0].normal}
    if began and (a.contact_events or b.contact_events):
        world.emit(ContactBegin, **placed)
    if not began and (a.stay_events or b.stay_events):
        world.emit(ContactStay, **placed, impulse=sum(point.push for point in points))
    speed, impulse = max(point.approach for point in points), sum(point.peak for point in points)
    if (a.hit_events or b.hit_events) and speed > hit_speed and impulse > 0:
        world.emit(Hit, **placed, speed=speed, impulse=impulse)
