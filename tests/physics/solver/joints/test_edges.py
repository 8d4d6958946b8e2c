"""Every number that the schema of a joint accepts is honored, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_ecs import kind_of
from rish_physics import (
    Body,
    Collider,
    DistanceJoint,
    GearJoint,
    JointBroke,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
)
from rish_physics.components.joint_ranges import farthest, ranges_of
from rish_physics.components.joints import READERS
from rish_physics.components.tables import QUARANTINED, Bodies, Joints

GREATEST = float(np.finfo(np.float32).max)
FAR = farthest(8000.0)
"""The greatest distance of an anchor with the default settings, at 1 unit a meter."""
FULL: dict[str, Any] = {"limited": True, "lower": 0.2, "upper": 1.5, "motor": True, "motor_speed": 2.0, "spring": True}


def edges(cls: Any) -> Iterator[dict[str, Any]]:
    """Yield values for a joint, each with one field at an end of its range, at 0, or next to it."""
    ranges, fields = ranges_of(READERS[cls], kind_of(cls).fields, FAR), kind_of(cls).fields
    for full in ({}, FULL) if "limited" in fields else ({},):
        for name, spec in fields.items():
            low, high = -GREATEST, GREATEST
            if name in ranges:
                low, high = ranges[name].low, ranges[name].high
            default = np.asarray(spec.default)
            if name in ("a", "b") or default.dtype.kind == "b":
                continue
            for value in {low, high, 0.0, 1e-30, -1e-30, 1e-44, 1e30, -1e30}:
                if not low <= value <= high or (name == "ratio" and value == 0):
                    continue
                if default.shape == (2,) and name != "axis":
                    yield {**full, name: (value / 4, -value / 8)}
                elif default.shape == (2,):
                    yield {**full, name: (value, 1e-44 if value == 0 else value)}
                else:
                    given = {**full, name: value}
                    if given.get("limited") and name == "lower":
                        given["upper"] = max(value, 1.5)
                    elif given.get("limited") and name == "upper":
                        given["lower"] = min(value, 0.2)
                    yield given


@pytest.mark.parametrize("cls", READERS)
def test_numbers_at_the_ends_of_their_ranges_do_no_harm(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, cls: Any
) -> None:
    """Every joint with such a number is made, all numbers stay finite, no body is set aside, and others do not move."""
    scene = yard(gravity=[0, 0], sleeping=False)
    bystander, count = scene.box(-50, 0), 0
    for k, given in enumerate(edges(cls)):
        x, y = 20.0 * (k % 16), 20.0 * (k // 16)
        light, heavy = (1e-6, 1e6) if k % 2 else (1e6, 1e-6)
        form = Collider(size=(1, 1), mask=0)
        a, b = scene.put(x, y, Body(mass=light), form), scene.put(x + 1, y, Body(mass=heavy), form)
        scene.world.spawn(cls(a=a, b=b, **given))
        count += 1
    scene.run()
    assert len(scene.world[Joints]) == count, caplog.text
    for _ in range(12):
        scene.run()
        for table in (Bodies, Joints):
            for name in ("pose", "state", "impulses", "load"):
                if name in scene.world[table].schema.fields:
                    assert np.isfinite(scene.world[table].column(name)).all()
    assert not (scene.world[Bodies].flags & QUARANTINED).any()
    assert np.isfinite(scene.world.table(Transform).position).all()
    assert scene.place(bystander) == [-50, 0]


@pytest.mark.parametrize(
    ("cls", "field", "value", "sentence"),
    [
        (RevoluteJoint, "hertz", 2000.0, "its hertz is 2000, above 1000 Hz"),
        (RevoluteJoint, "max_torque", -5.0, "its max_torque is -5, below 0"),
        (RevoluteJoint, "lower", 1e6, "above 62831.9 rad: angles are exact only up to 10000 turns"),
        (RevoluteJoint, "lower", 2.0, "its lower limit is above the upper one"),
        (DistanceJoint, "upper", -1.0, "its upper is -1, below 0 units"),
        (DistanceJoint, "length", 1e30, "nothing is simulated that far away"),
        (PrismaticJoint, "anchor_b", (0, -1e30), "its anchor_b is -1e+30, below -16000 units"),
        (PrismaticJoint, "axis", (0, 0), "its axis has length 0"),
        (WheelJoint, "rest", -1e9, "its rest is -1e+09, below -16000 units"),
        (WeldJoint, "damping", np.nan, "its damping is not a finite number"),
        (WeldJoint, "break_force", -1.0, "its break_force is -1, below 0"),
        (MotorJoint, "max_force", -2.0, "its max_force is -2, below -1"),
        (MouseJoint, "target", (1e30, 0), "its target is 1e+30, above 16000 units"),
        (GearJoint, "ratio", 2e3, "its ratio is 2000, above 1000"),
        (RatchetJoint, "step", -1.0, "its step is -1, below 0 rad"),
    ],
)
def test_a_number_that_code_writes_is_refused_with_its_reason(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, cls: Any, field: str, value: Any, sentence: str
) -> None:
    """A joint that gets a wrong number in its column is ignored with one notice, and works again when it is mended."""
    scene = yard(gravity=[0, 0])
    given = {"limited": True, "upper": 1.0} if "limited" in kind_of(cls).fields else {}
    given |= {"spring": True} if "spring" in kind_of(cls).fields else {}
    joint = scene.world.spawn(cls(a=scene.box(0, 0), b=scene.box(1, 0), **given))
    scene.run()
    table = scene.world.table(cls)
    before = table.column(field)[0].copy()
    table.column(field)[0] = value
    table.mark()
    scene.run(3)
    assert scene.world[Joints].entity.tolist() in ([], [0])
    assert caplog.text.count(sentence) == 1
    table.column(field)[0] = before
    table.mark()
    scene.run()
    assert joint in scene.world[Joints].entity


def test_parts_can_be_switched_while_it_runs(yard: Callable[..., Any]) -> None:
    """Limits hold as soon as they are on and let go when they are off; joined bodies collide as soon as they may."""
    scene = yard(gravity=[0, 0], sleeping=False)
    slide = scene.box(0, 0, body={"velocity": (6.0, 0.0)})
    joint = scene.world.spawn(PrismaticJoint(b=slide, upper=0.5))
    scene.run(10)
    assert scene.place(slide)[0] == pytest.approx(1, abs=0.01)
    view = scene.world.get(joint, PrismaticJoint)
    view.limited = True
    scene.run(30)
    assert scene.place(slide)[0] == pytest.approx(0.5, abs=0.005)
    view.limited = False
    scene.world.get(slide, Body).velocity = (6.0, 0.0)
    scene.run(30)
    assert scene.place(slide)[0] == pytest.approx(3.5, abs=0.05)
    a, b = scene.box(0, 10, body={"mass": 1}), scene.box(0.6, 10, body={"mass": 1})
    hinge = scene.world.spawn(DistanceJoint(a=a, b=b, limited=True, upper=5))
    scene.run(10)
    assert scene.place(b)[0] == pytest.approx(0.6)
    scene.world.get(hinge, DistanceJoint).collide_connected = True
    scene.run(60)
    assert scene.place(b)[0] - scene.place(a)[0] > 0.98


@pytest.mark.parametrize("ratio", [-1000.0, -1e-3, 1e-3, 1000.0])
def test_gears_of_any_ratio_turn_together(yard: Callable[..., Any], ratio: float) -> None:
    """A torque on the slower wheel turns both by the ratio of a gear, up to a thousand."""
    scene = yard(gravity=[0, 0], sleeping=False)
    a, b = (scene.ball(x, 0, body={"inertia": inertia}) for x, inertia in ((0, 1.0), (3, 1.0)))
    scene.world.spawn(GearJoint(a=a, b=b, ratio=ratio))
    slow, gain = (a, abs(ratio)) if abs(ratio) > 1 else (b, 1 / abs(ratio))
    for _ in range(30):
        scene.world.get(slow, Body).torque = 1e5
        scene.run()
    spins = [float(scene.world.get(body, Body).angular_velocity) for body in (a, b)]
    assert spins[1] == pytest.approx(ratio * spins[0], rel=1e-3)
    assert max(map(abs, spins)) == pytest.approx(0.5 * 1e5 * gain / (1 + gain**2), rel=0.02)


def test_a_ratchet_of_any_step_holds(yard: Callable[..., Any]) -> None:
    """A tooth may be smaller than a float can tell from 0, or further away than a turn."""
    for step, held in ((1e-44, 7.0), (10.0, 0.0), (6.5, 6.5), (1e30, 0.0)):
        scene = yard(gravity=[0, 0], sleeping=False)
        wheel = scene.ball(0, 0, 1, body={"inertia": 1})
        drive = scene.world.spawn(RevoluteJoint(b=wheel, motor=True, motor_speed=7, max_torque=1e4))
        scene.world.spawn(RatchetJoint(b=wheel, step=step))
        scene.run(60)
        scene.world.get(drive, RevoluteJoint).motor_speed = -20.0
        scene.run(90)
        assert np.cos(scene.angle(wheel) - held) == pytest.approx(1, abs=1e-3)


def test_a_violated_limit_is_reached_again_without_a_rest_of_speed(yard: Callable[..., Any]) -> None:
    """Bodies that begin far outside their limits come back at no more than a tenth of the greatest speed, and rest."""
    scene = yard(gravity=[0, 0], sleeping=False, units_per_meter=64)
    box = scene.box(230, 0, 20, 20)
    scene.world.spawn(PrismaticJoint(b=box, limited=True, lower=-30, upper=30))
    wheel = scene.box(0, 500, 20, 20, angle=3.0)
    scene.world.spawn(RevoluteJoint(b=wheel, anchor_a=(0, 500), limited=True, lower=-0.5, upper=0.5))
    before = 230.0
    for _ in range(20):
        scene.run()
        assert before - scene.place(box)[0] <= 0.1 * 400 * 64 / 60 + 0.1
        before = scene.place(box)[0]
    assert before == pytest.approx(30, abs=0.32)
    assert scene.velocity(box) == pytest.approx([0, 0], abs=1e-3)
    assert scene.angle(wheel) == pytest.approx(0.5, abs=np.radians(0.5))
    assert abs(scene.world.get(wheel, Body).angular_velocity) < 1e-3


def test_a_joint_breaks_in_its_tick_also_while_its_bodies_sleep(yard: Callable[..., Any]) -> None:
    """A weight that is carried in its sleep falls in the tick in which the joint may bear less than it."""
    scene = yard()
    weight = scene.box(0, -1, body={"mass": 2})
    joint = scene.world.spawn(RevoluteJoint(b=weight, anchor_b=(0, 1), break_force=25))
    scene.run(60)
    assert scene.world.get(weight, Body).asleep
    scene.world.get(joint, RevoluteJoint).break_force = 15.0
    scene.run()
    (event,) = scene.world.events(JointBroke)
    assert (event.joint, event.force) == (joint, pytest.approx(20, rel=0.01))
    scene.run(30)
    assert scene.place(weight)[1] < -1.5


@pytest.mark.parametrize("ratio", [1.0, 100.0])
def test_a_rope_of_many_links_stays_quiet(yard: Callable[..., Any], ratio: float) -> None:
    """A rope of 20 limits that carries up to a hundred times the mass of a link gains no energy and does not jitter."""
    scene = yard(sleeping=False)
    links, last = list[int](), 0
    for k in range(20):
        mass = ratio if k == 19 else 1.0
        links.append(scene.ball(0, -0.16 * (k + 1), 0.06, body={"mass": mass}, mask=0))
        scene.world.spawn(DistanceJoint(a=last, b=links[-1], limited=True, upper=0.16))
        last = links[-1]
    masses = np.array([1.0] * 19 + [ratio])
    table, bodies = scene.world.table(Transform), scene.world.table(Body)
    start = float((masses * 10 * -0.16 * np.arange(1, 21)).sum())
    for _ in range(600):
        scene.run()
        speed = bodies.velocity[bodies.rows_of(np.array(links))].astype(np.float64)
        height = table.position[table.rows_of(np.array(links))][:, 1].astype(np.float64)
        assert float((masses * (10 * height + 0.5 * (speed**2).sum(axis=1))).sum()) <= start + 1e-3 * abs(start)
    assert np.abs(speed).max() < 0.15
