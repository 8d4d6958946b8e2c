"""Sensors notice what overlaps them and push nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Disabled
from rish_physics3d import Body3D, BodyType3D, Collider3D, ContactBegin3D, SensorBegin3D, SensorEnd3D


def visits(game: Any, ticks: int, event: type = SensorBegin3D) -> list[tuple[int, int]]:
    """Run a game; return the sensors and visitors of all events."""
    pairs: list[tuple[int, int]] = []
    for _ in range(ticks):
        game.app.tick()
        events = game.world.bus.of_frame(event)
        pairs += [*zip(events.sensor.tolist(), events.visitor.tolist(), strict=True)]
        game.world.end_frame()
    return pairs


def test_sensors_notice_and_do_not_push(yard: Callable[..., Any]) -> None:
    """A body that falls through a sensor emits one begin and one end, and falls as if it were not there."""
    game = yard(gravity=-10)
    gate = game.put(0, -2, 0, Collider3D(size=(4, 1, 4), sensor=True))
    body = game.ball(0, 0, 0)
    assert visits(game, 60) == [(gate, body)]
    assert game.position(body)[1] == pytest.approx(-5, abs=0.1)
    game = yard(gravity=-10)
    gate = game.put(0, -2, 0, Collider3D(size=(4, 1, 4), sensor=True))
    body = game.ball(0, 0, 0)
    assert visits(game, 60, SensorEnd3D) == [(gate, body)]
    assert not game.world.bus.of_frame(ContactBegin3D)


def test_a_sensor_begins_when_shapes_overlap(yard: Callable[..., Any]) -> None:
    """A shape that is near a sensor, at the distance at which contacts begin, is not noticed before it overlaps."""
    game = yard()
    zone = game.put(0, 0, 0, Collider3D(sensor=True))
    ball = game.ball(0, 1.01, 0, body={"velocity": (0, -0.12, 0)})
    assert visits(game, 4) == []
    assert visits(game, 4) == [(zone, ball)]


def test_a_sensor_notices_all_but_static_bodies_about_a_static_one(yard: Callable[..., Any]) -> None:
    """A sensor notices colliders of every type of body, unless both are static; of two sensors each notices the
    other.
    """
    game = yard()
    types: dict[tuple[int, int], tuple[str, str]] = {}
    for row, zone in enumerate(BodyType3D):
        for column, visitor in enumerate(BodyType3D):
            x, y = 10.0 * column, 10.0 * row
            sensor = game.put(x, y, 0, Body3D(type=zone), Collider3D(size=(4, 4, 4), sensor=True))
            body = game.put(x, y, 0, Body3D(type=visitor), Collider3D())
            types[sensor, body] = zone.value, visitor.value
    lone = game.put(50, 0, 0, Body3D(type=BodyType3D.KINEMATIC), Collider3D(sensor=True))
    other = game.put(50, 0, 0, Collider3D(sensor=True))
    pairs = {*visits(game, 1)}
    assert pairs - {*types} == {(lone, other), (other, lone)}
    assert {types[pair] for pair in types.keys() - pairs} == {("static", "static")}


def test_a_visit_ends_when_one_of_both_is_gone(yard: Callable[..., Any]) -> None:
    """A despawned visitor and a disabled sensor end the visit, once."""
    game = yard()
    zone = game.put(0, 0, 0, Collider3D(size=(4, 4, 4), sensor=True))
    first, second = game.ball(-1, 0, 0), game.ball(1, 0, 0)
    game.run(1)
    game.world.despawn(first)
    assert visits(game, 2, SensorEnd3D) == [(zone, first)]
    game.world.add(zone, Disabled())
    assert visits(game, 2, SensorEnd3D) == [(zone, second)]


def test_a_sensor_has_no_mass(yard: Callable[..., Any]) -> None:
    """A sensor on a body leaves its center of mass where it was: the body does not turn."""
    game = yard(gravity=-10)
    game.ground()
    box = game.box(0, 0.5, 0)
    game.put(3, 0, 0, Collider3D(size=(1, 1, 1), sensor=True), parent=box)
    game.run(60)
    assert game.position(box) == pytest.approx([0, 0.5, 0], abs=0.01)
