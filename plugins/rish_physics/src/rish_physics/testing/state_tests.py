"""The contract's tests of events and state: each event once, snapshots, hashes, hostile numbers, capabilities."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from rish_core import Transform

from ..components.bodies import Body, BodyType, Collider
from ..components.joints import DistanceJoint
from ..contacts.events import ContactBegin, ContactEnd, ContactStay, Hit, SensorBegin, SensorEnd
from ..plugin.contract import CAPABILITIES
from .base import ContractTests


class StateTests(ContractTests):
    """Tests of events, of snapshots and hashes, and of reports."""

    def test_contacts_begin_and_end_once(self) -> None:
        """A box that lands, lies and is taken away emits one begin and one end, with both bodies and the place."""
        with self.yard() as yard:
            ground, box = yard.ground(), yard.box(0, 1)
            assert yard.count(0.1, ContactBegin, ContactEnd) == [0, 0]
            contacts: list[tuple[Any, ...]] = []
            for _ in range(60):
                yard.app.tick()
                events = yard.world.bus.of_frame(ContactBegin)
                contacts += zip(
                    events.a, events.b, events.body_a, events.body_b, events.point, events.normal, strict=True
                )
                assert not len(yard.world.bus.of_frame(ContactEnd))
                yard.world.end_frame()
            [(a, b, body_a, body_b, point, normal)] = contacts
            assert {int(a), int(b)} == {int(body_a), int(body_b)} == {ground, box}
            assert point == pytest.approx((0, 0), abs=0.1)
            assert abs(normal) == pytest.approx((0, 1), abs=1e-3)
            yard.world.set(box, Transform(position=(0, 50)))
            assert yard.count(0.1, ContactBegin, ContactEnd) == [0, 1]

    def test_a_despawned_body_ends_its_contacts(self) -> None:
        """The contacts of a body that is gone end with an event that still names it."""
        with self.yard() as yard:
            ground, box = yard.ground(), yard.box(0, 0.5)
            yard.run(0.2)
            yard.world.despawn(box)
            yard.app.tick()
            events = yard.world.bus.of_frame(ContactEnd)
            assert [{int(events.a[k]), int(events.b[k])} for k in range(len(events))] == [{ground, box}]

    def test_only_colliders_that_ask_emit_events(self) -> None:
        """Without `contact_events` no event is emitted; `stay_events` emit one in each tick, and `hit_events` one with
        the speed.
        """
        with self.yard() as yard:
            yard.ground(contact_events=False)
            yard.box(0, 0.5, contact_events=False)
            assert yard.count(0.5, ContactBegin, ContactStay, Hit) == [0, 0, 0]
        with self.yard(sleeping=False) as yard:
            yard.ground()
            yard.ball(0, 1.75, stay_events=True, hit_events=True)
            stays, hits, speeds = 0, 0, []
            for _ in range(60):
                yard.app.tick()
                stays += len(yard.world.bus.of_frame(ContactStay))
                events = yard.world.bus.of_frame(Hit)
                hits += len(events)
                speeds += events.speed.tolist()
                yard.world.end_frame()
            assert stays > 20
            assert hits == 1
            assert speeds[0] == pytest.approx(5, rel=0.1)

    def test_sensors_notice_and_do_not_push(self) -> None:
        """A body that falls through a sensor emits one begin and one end, and falls as if it were not there."""
        self.needs("sensors")
        with self.yard() as yard:
            gate = yard.put(0, -2, Collider(size=(4, 1), sensor=True))
            lift = yard.put(0, 5, Body(type=BodyType.KINEMATIC), Collider(size=(1, 1), sensor=True))
            body, other = yard.ball(0, 0), yard.ball(0.3, 5)
            visits: list[tuple[int, int]] = []
            for _ in range(60):
                yard.app.tick()
                events = yard.world.bus.of_frame(SensorBegin)
                visits += [*zip(events.sensor.tolist(), events.visitor.tolist(), strict=True)]
                yard.world.end_frame()
            assert sorted(visits) == sorted([(gate, body), (lift, other)])
            assert yard.place(body)[1] == pytest.approx(-5, abs=0.1)
        with self.yard() as yard:
            yard.put(0, -2, Collider(size=(4, 1), sensor=True))
            yard.ball(0, 0)
            assert yard.count(1.5, SensorBegin, SensorEnd, ContactBegin) == [1, 1, 0]

    def test_a_sensor_notices_all_but_static_bodies_about_a_static_one(self) -> None:
        """A sensor notices colliders of every type of body, also at rest, unless both bodies are static; of two sensors
        each notices the other.
        """
        self.needs("sensors")
        with self.yard() as yard:
            types: dict[tuple[int, int], tuple[str, str]] = {}
            kinds = {kind.value: kind for kind in BodyType}
            for row, zone in enumerate(kinds):
                for column, visitor in enumerate(kinds):
                    x, y = 10.0 * column, 10.0 * row
                    parts = Body(type=kinds[zone], gravity_scale=0), Collider(size=(4, 4), sensor=True, density=0)
                    sensor = yard.put(x, y, *parts)
                    body = yard.put(x, y, Body(type=kinds[visitor], gravity_scale=0), Collider(size=(1, 1)))
                    types[sensor, body] = zone, visitor
            lone = yard.put(50, 0, Body(type=BodyType.KINEMATIC), Collider(size=(1, 1), sensor=True))
            other = yard.put(50, 0, Collider(size=(1, 1), sensor=True))
            yard.app.tick()
            events = yard.world.bus.of_frame(SensorBegin)
            pairs = {*zip(events.sensor.tolist(), events.visitor.tolist(), strict=True)}
            assert pairs - {*types} == {(lone, other), (other, lone)}
            assert {types[pair] for pair in types.keys() - pairs} == {("static", "static")}

    def test_a_change_reports_only_what_changed(self) -> None:
        """A surface, a density or a size that is written, and a move within a zone, are no reason for a begin or an
        end; an end is reported if its begin was, whatever `contact_events` is by then.
        """
        self.needs("sensors")
        events = ContactBegin, ContactEnd, SensorBegin, SensorEnd
        with self.yard() as yard:
            yard.ground()
            yard.put(500, -0.5, Collider(size=(8, 1), contact_events=False))
            box, mute = yard.box(0, 0.5), yard.box(500, 0.5, contact_events=False)
            zone = yard.put(0, 0, Collider(size=(8, 8), sensor=True))
            assert yard.count(0.1, *events) == [1, 0, 1, 0]
            for change in (Collider(friction=0.1), Collider(density=3.0), Collider(restitution=0.5)):
                yard.world.set(box, change)
                assert yard.count(0.05, *events) == [0, 0, 0, 0], change
            yard.world.set(box, Body(mass=2.0))
            yard.world.set(zone, Transform(position=(0.5, 0)))
            yard.world.set(box, Transform(position=(0.5, 0.5)))
            assert yard.count(0.05, *events) == [0, 0, 0, 0]
            yard.world.set(box, Collider(contact_events=False))
            yard.world.set(mute, Collider(contact_events=True))
            assert yard.count(0.05, *events) == [0, 0, 0, 0]
            for k, body in enumerate((box, mute)):
                yard.world.set(body, Transform(position=(50 * k, 90)))
            assert yard.count(0.05, *events) == [0, 1, 0, 1]

    def test_a_restored_world_goes_on_with_the_same_bits(self) -> None:
        """A snapshot from the middle of a collapse continues bit for bit as the original, with the same events."""
        with self.yard() as yard:
            yard.ground()
            for k in range(5):
                yard.box(0.3 * (k % 2), 0.5 + 1.1 * k, hit_events=True)
            yard.ball(-4, 1, body={"velocity": (9, 0)}, density=4)
            yard.put(0.5, 6.2, Body(type=BodyType.KINEMATIC, velocity=(0.2, 0)), Collider(size=(3, 0.3)))
            yard.run(0.6)
            saved = yard.world.snapshot()
            first = yard.count(0.5, ContactBegin, ContactEnd), yard.world.hash()
            yard.world.restore(saved)
            assert (yard.count(0.5, ContactBegin, ContactEnd), yard.world.hash()) == first
            assert first[0][0] > 0

    def test_equal_games_have_equal_hashes(self) -> None:
        """Two games that do the same have the same bits."""
        hashes: list[str] = []
        for _ in range(2):
            with self.yard() as yard:
                yard.ground()
                for k in range(3):
                    yard.box(0.3 * k, 0.6 + 1.1 * k, angle=0.2 * k)
                yard.run(0.4)
                hashes.append(yard.world.hash())
        assert hashes[0] == hashes[1]

    def test_hostile_numbers_harm_only_their_own_body(self, caplog: pytest.LogCaptureFixture) -> None:
        """A body with a position, velocity, force or size that is not a number is reported; the other bodies keep
        moving.
        """
        with self.yard() as yard, caplog.at_level(logging.WARNING):
            yard.ground()
            well = yard.box(0, 0.5)
            lost, fast, flat = (yard.box(5 * k, 1) for k in (1, 2, 3))
            for cls, field, entity, value in (
                (Transform, "position", lost, (np.nan, 0)), (Body, "velocity", fast, (np.inf, 0)),
                (Collider, "size", flat, (np.inf, 1)),
            ):  # fmt: skip
                table = yard.world.table(cls)
                table.column(field)[table.row_of(entity)] = value
                table.mark()
            yard.run(0.5)
            assert yard.place(well) == pytest.approx((0, 0.5), abs=0.02)
            assert np.isfinite(yard.place(flat)).all()
            assert len(caplog.records) >= 2

    def test_the_vocabulary_belongs_to_the_namespace(self) -> None:
        """Components and the step have the full names `physics.Body` and `physics.step`, in any provider."""
        with self.yard() as yard:
            registry = yard.app.registry
            for name in ("Body", "Collider", "RevoluteJoint", "WindArea", "Character"):
                assert registry.component(f"physics.{name}").owner == "physics"
            assert registry.event("physics.Hit").cls is Hit
            assert registry.system("physics.step").name == "physics.step"
            assert "physics" in registry.settings

    def test_what_is_not_supported_is_said_with_its_place(self, caplog: pytest.LogCaptureFixture) -> None:
        """A joint in the manifest, or one that code spawns, is reported by a provider without `joints`, and works
        otherwise.
        """
        assert set(self.capabilities) <= CAPABILITIES.keys()
        scene = "[{name: b, Transform: {}, Body: {}, Collider: {}}, {DistanceJoint: {b: b, length: 5}}]"
        with caplog.at_level(logging.WARNING), self.yard(scene) as yard:
            messages = [record.getMessage() for record in caplog.records]
            joints = "joints" in self.capabilities
            assert any("scenes.main[1].DistanceJoint" in line and ":6:" in line for line in messages) is not joints
        caplog.clear()
        with caplog.at_level(logging.WARNING), self.yard() as yard:
            yard.world.spawn(DistanceJoint(b=yard.box(0, 0), length=5))
            yard.run(2 / 60)
            messages = [record.getMessage() for record in caplog.records]
            assert any("'joints'" in line for line in messages) is not joints
