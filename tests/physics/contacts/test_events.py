"""The events of a step, emitted after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Stage, Transform, kind_of, system
from rish_physics import (
    Body,
    Collider,
    ContactBegin,
    ContactEnd,
    ContactStay,
    FellAsleep,
    Hit,
    SensorBegin,
    SensorEnd,
    SensorStay,
    WokeUp,
)
from rish_physics.contacts.events import EVENTS


def _watch(scene: Any, ticks: int, *kinds: type) -> list[tuple[int, str, Any]]:
    """Return every event of these kinds with its tick."""
    seen: list[tuple[int, str, Any]] = []
    for tick in range(ticks):
        scene.run()
        seen += [(tick, cls.__name__, event) for cls in kinds for event in scene.world.events(cls)]
    return seen


def test_every_event_has_a_script_mark():
    """Every event has the marker by which scripts find it."""
    for cls in EVENTS:
        assert kind_of(cls).marks["script"].startswith("on_")


def test_a_contact_begins_and_ends_once(yard: Callable[..., Any]):
    """A bouncing ball gives begin and end events in turn, with the place and the normal from a to b."""
    scene = yard()
    floor = scene.wall(0, -0.5, 20, 1)
    ball = scene.ball(2, 2, restitution=0.8)
    seen = _watch(scene, 130, ContactBegin, ContactEnd)
    assert [name for _, name, _ in seen[:4]] == ["ContactBegin", "ContactEnd", "ContactBegin", "ContactEnd"]
    first = seen[0][2]
    assert {first.a, first.b} == {floor, ball} == {first.body_a, first.body_b}
    assert first.point.tolist() == pytest.approx([2, 0], abs=0.05)
    assert first.normal.tolist() == pytest.approx([0, 1 if first.a == floor else -1], abs=1e-5)


def test_lasting_contacts_are_reported_on_request(yard: Callable[..., Any]):
    """`stay_events` gives an event per tick, with the impulse that supports the weight: m g dt."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 20, 1)
    scene.box(0, 0.5, 2, 1, stay_events=True)
    scene.box(5, 0.5)
    scene.run(60)
    events = [event for _, _, event in _watch(scene, 3, ContactStay)]
    assert len(events) == 3
    assert events[-1].impulse * 4 == pytest.approx(2 * 10 / 60, rel=0.05) or events[-1].impulse == pytest.approx(
        2 * 10 / 60, rel=0.05
    )


def test_hits_tell_how_hard(yard: Callable[..., Any]):
    """A hit has speed and impulse: a ball that falls 5 m hits with 10 m/s; a resting ball gives no hit."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    ball = scene.ball(0, 5.5, body={"mass": 3}, hit_events=True)
    scene.ball(5, 0.5, hit_events=True)
    events = [event for _, _, event in _watch(scene, 120, Hit)]
    assert len(events) == 1
    assert ball in (events[0].a, events[0].b)
    assert events[0].speed == pytest.approx(10, rel=0.03)
    assert events[0].impulse == pytest.approx(30, rel=0.1)


def test_sensors_report_what_is_in_them(yard: Callable[..., Any]):
    """A ball that falls through a sensor gives begin, stay and end events, and is not slowed down."""
    scene = yard()
    gate = scene.wall(0, 0, 4, 2, sensor=True, stay_events=True)
    ball = scene.ball(0, 3)
    seen = _watch(scene, 70, SensorBegin, SensorStay, SensorEnd)
    names = [name for _, name, _ in seen]
    assert names[0] == "SensorBegin"
    assert names[-1] == "SensorEnd"
    assert set(names[1:-1]) == {"SensorStay"}
    assert all((event.sensor, event.visitor) == (gate, ball) for _, _, event in seen)
    assert scene.velocity(ball)[1] == pytest.approx(-10 * 70 / 60, rel=1e-4)


def test_an_end_is_reported_when_one_of_the_two_goes(yard: Callable[..., Any]):
    """A contact ends with an event if one of its bodies is despawned, disabled, moved away or masked out."""
    scene = yard()
    floor = scene.wall(0, -0.5, 60, 1)
    boxes = [scene.box(4.0 * k, 0.5) for k in range(4)]
    scene.run(30)
    scene.world.despawn(boxes[0])
    scene.world.get(boxes[1], Collider).enabled = False
    scene.world.get(boxes[2], Transform).position = (50, 50)
    scene.world.get(boxes[3], Collider).mask = 0
    scene.run()
    events = list(scene.world.events(ContactEnd))
    assert {floor} | set(boxes) == {event.a for event in events} | {event.b for event in events}
    assert len(events) == 4


def test_sleep_and_waking_are_reported(yard: Callable[..., Any]):
    """Falling asleep and waking give one event each, with the body."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    box = scene.box(0, 0.5)
    seen = _watch(scene, 60, FellAsleep, WokeUp)
    assert [(name, event.body) for _, name, event in seen] == [("FellAsleep", box)]
    scene.world.get(box, Body).velocity = (1, 1)
    assert [(name, event.body) for _, name, event in _watch(scene, 3, WokeUp)] == [("WokeUp", box)]


@pytest.mark.slow
def test_spawning_and_despawning_while_reading_is_safe(rish_app: Any):
    """A system can despawn and spawn bodies while it reads contact events."""
    from types import SimpleNamespace

    from rish_physics import plugin

    @system(Stage.UPDATE, reads=ContactBegin, writes=(Body, Transform, Collider))
    def split(world: Any, dt: float) -> None:
        events = world.events(ContactBegin)
        for entity in np.unique([events.a, events.b]).tolist():
            if world.alive(entity) and world.has(entity, Body):
                world.despawn(entity)
                world.spawn(Transform(position=(0, 3)), Body(), Collider(shape="circle", radius=0.5))

    app = rish_app(
        {"settings": {"physics": {"units_per_meter": 1, "gravity": [0, -10]}}},
        plugins={"physics": plugin, "split": SimpleNamespace(rish_systems=lambda: [split])},
        strict=False,
    )
    app.world.spawn(Transform(position=(0, -0.5)), Collider(size=(20, 1)))
    for k in range(5):
        app.world.spawn(Transform(position=(0.1 * k, 1.0 + k)), Body(), Collider(shape="circle", radius=0.5))
    for _ in range(100):
        app.tick()
    assert len(app.world[Body]) == 5
    assert np.isfinite(app.world[Transform].position).all()
