"""Properties that all kinds of joints share: determinism, restoring, breaking, refusals, and plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rish_physics
from rish_core import Snapshot, Transform
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
from rish_physics.components.tables import Joints

KINDS = (
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
)


def zoo(scene: Any) -> list[int]:
    """Add pairs of bodies, jointed to the world and to each other by joints of every kind; return the bodies.

    The boxes do not collide. There are eleven joints of some kind, so that blocks are not full.
    """
    form = Collider(size=(0.4, 0.8), mask=0)
    bodies = []
    for k in range(22):
        x = 1.5 * k
        a = scene.put(x, 0, Body(angular_velocity=0.4 * (k % 3)), form)
        b = scene.put(x + 0.2, -1.0, Body(velocity=(0.5, 0.1 * k)), form, rotation=0.1)
        hook, link = {"anchor_a": (x, 0.4), "anchor_b": (0, 0.4)}, {"anchor_a": (0, -0.4), "anchor_b": (0, 0.4)}
        first, second = [
            (RevoluteJoint(b=a, **hook), DistanceJoint(a=a, b=b, **link)),
            (RevoluteJoint(b=a, **hook, motor=True, motor_speed=1, max_torque=3), WeldJoint(a=a, b=b, **link)),
            (
                DistanceJoint(b=a, **hook, spring=True, hertz=3, length=0.3),
                PrismaticJoint(a=a, b=b, **link, axis=(0.1, 1)),
            ),
            (WeldJoint(b=a, **hook, angular_hertz=2), WheelJoint(a=a, b=b, **link, hertz=3)),
            (
                PrismaticJoint(b=a, **hook, limited=True, lower=-0.1, upper=0.2),
                WheelJoint(a=a, b=b, **link, motor=True, motor_speed=3, max_torque=1),
            ),
            (MotorJoint(b=a, offset=(x, 0.5), angle=0.3), MouseJoint(b=b, target=(x, -2), anchor_b=(0.1, 0))),
            (RevoluteJoint(b=a, **hook), GearJoint(a=a, b=b, ratio=-0.5)),
            (DistanceJoint(b=a, **hook, limited=True, upper=0.5), RatchetJoint(a=a, b=b, step=0.3)),
            (MouseJoint(b=a, target=(x, 1), max_force=20), DistanceJoint(a=a, b=b, **link, motor=True, max_force=2)),
        ][k % 9]
        scene.world.spawn(first)
        scene.world.spawn(second)
        bodies += [a, b]
    return bodies


def test_runs_are_equal_to_the_bit(yard: Callable[..., Any]):
    """Two runs with the same calls give the same hash."""
    hashes = set()
    for _ in range(2):
        scene = yard()
        zoo(scene)
        scene.run(40)
        hashes.add(scene.world.hash())
    assert len(hashes) == 1


def test_a_world_that_went_back_goes_on_to_the_same_hashes(yard: Callable[..., Any]):
    """A world restored in the middle of motion, from memory or a file, continues with the same hashes."""
    scene = yard()
    zoo(scene)
    scene.run(25)
    kept = scene.world.snapshot()
    hashes = []
    for _ in range(15):
        scene.run()
        hashes.append(scene.world.hash())
    scene.world.restore(kept)
    other = yard()
    other.world.restore(Snapshot.from_bytes(kept.to_bytes()))
    for expected in hashes:
        scene.run()
        other.run()
        assert scene.world.hash() == expected
        assert other.world.hash() == expected


PLAIN = """
import sys
sys.path[:0] = sys.argv[1].split("|")
from test_all_kinds import zoo
from rish_core import App, parse_manifest
from conftest import Yard
scene = Yard(App(parse_manifest(sys.argv[2]), headless=True))
bodies = zoo(scene)
scene.run(10)
print(repr([[*scene.place(body), scene.angle(body)] for body in bodies]))
"""


@pytest.mark.slow
def test_plain_python_agrees(yard: Callable[..., Any]):
    """Without numba the bodies are at the same places, to 1e-5, after ten ticks."""
    paths = f"{Path(__file__).parent}|{Path(__file__).parents[2]}"
    world = "{physics: {units_per_meter: 1, gravity: [0, -10]}}"
    game = f"rish: 1\nplugins: [physics]\nsettings: {world}\nscenes: {{main: []}}\n"
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, paths, game],
        env={**os.environ, "RISH_NO_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    plain = np.array(eval(done.stdout))
    scene = yard()
    bodies = zoo(scene)
    scene.run(10)
    places = np.array([[*scene.place(body), scene.angle(body)] for body in bodies])
    np.testing.assert_allclose(places, plain, atol=1e-5)


@pytest.mark.parametrize("cls", KINDS)
def test_a_joint_that_can_not_work_is_named(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, cls: Any):
    """A joint with equal bodies, with an entity without a body, or with NaN is logged and not created."""
    scene = yard()
    a, b, bare = scene.box(0, 0), scene.box(5, 0), scene.put(0, 0)
    scene.world.spawn(cls(a=a, b=a))
    scene.world.spawn(cls(a=a, b=bare))
    wrong = {"GearJoint": "ratio", "RatchetJoint": "step", "MotorJoint": "offset", "MouseJoint": "target"}.get(
        cls.__name__, "anchor_a"
    )
    bad = scene.world.spawn(cls(a=a, b=b))
    table = scene.world.table(cls)
    table.column(wrong)[table.rows_of(np.array([bad]))] = np.nan
    scene.run(3)
    assert len(scene.world[Joints]) == 0
    assert len(caplog.records) == 3
    for sentence in ("a and b are the same", "has no Body", f"its {wrong} is not a finite number"):
        assert sentence in caplog.text
    assert np.isfinite(scene.place(a)).all()


def test_an_axis_without_direction_is_named(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A joint with an axis of length zero is logged and not created."""
    scene = yard()
    b = scene.box(0, 0)
    scene.world.spawn(PrismaticJoint(b=b, axis=(0, 0)))
    scene.world.spawn(WheelJoint(b=b, axis=(0, 0)))
    scene.run(2)
    assert caplog.text.count("its axis has length 0") == 2
    assert len(scene.world[Joints]) == 0


@pytest.mark.parametrize(
    "joint",
    [
        DistanceJoint(length=1, break_force=25),
        PrismaticJoint(axis=(1, 0), break_force=25),
        WeldJoint(anchor_b=(0, 1), break_force=25),
        WheelJoint(axis=(1, 0), break_force=25),
        MotorJoint(offset=(0, -1), break_force=25),
        MouseJoint(target=(0, -1), break_force=25),
        RevoluteJoint(anchor_b=(0, 1), break_force=25),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_a_joint_breaks_beyond_the_force_that_it_bears(yard: Callable[..., Any], joint: Any):
    """A joint with a limit of 25 N carries 2 kg; 3 kg break it, with one event that contains the force."""
    for mass, holds in ((2, True), (3, False)):
        scene = yard()
        box = scene.box(0, 0 if isinstance(joint, PrismaticJoint | WheelJoint) else -1, body={"mass": mass})
        joint.b = box
        entity = scene.world.spawn(joint)
        broke = []
        for _ in range(60):
            scene.run()
            broke += [(event.joint, event.b, event.force) for event in scene.world.events(JointBroke)]
        assert scene.world.alive(entity) == holds
        assert len(broke) == (not holds)
        if broke:
            assert broke[0][:2] == (entity, box)
            assert 25 < broke[0][2] < 45


@pytest.mark.parametrize(
    "joint",
    [
        PrismaticJoint(axis=(0, 1), limited=True, upper=1, break_torque=6),
        WeldJoint(break_torque=6),
        MotorJoint(angular_hertz=8, break_torque=6),
        GearJoint(break_torque=6, ratio=-1),
        RatchetJoint(break_torque=6),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_a_joint_breaks_beyond_the_torque_that_it_bears(yard: Callable[..., Any], joint: Any):
    """A joint with a limit of 6 Nm resists a torque of 5 Nm and breaks at 8 Nm."""
    for torque, holds in ((5.0, True), (8.0, False)):
        scene = yard(gravity=[0, 0])
        box = scene.ball(0, 0, 1)
        joint.b = box
        entity = scene.world.spawn(joint)
        for _ in range(40):
            if scene.world.alive(entity):
                scene.world.get(box, Body).torque = -torque
            scene.run()
        assert scene.world.alive(entity) == holds


def test_a_body_that_goes_takes_joints_of_all_kinds_along(yard: Callable[..., Any]):
    """Despawning a body despawns its joints of all kinds, each with one event without a force."""
    scene = yard(gravity=[0, 0])
    a, b = scene.box(0, 0), scene.box(1, 0)
    joints = {scene.world.spawn(cls(a=a, b=b)) for cls in KINDS}
    scene.run(2)
    scene.world.despawn(b)
    scene.run()
    events = scene.world.events(JointBroke)
    assert {event.joint for event in events} == joints
    assert all(event.force == 0 and event.torque == 0 for event in events)
    assert not any(scene.world.alive(joint) for joint in joints)


def test_a_change_of_a_joint_wakes_what_it_holds(yard: Callable[..., Any]):
    """Enabling a motor wakes a sleeping wheel."""
    scene = yard(gravity=[0, 0])
    wheel = scene.ball(0, 0)
    joint = scene.world.spawn(WheelJoint(b=wheel, max_torque=10))
    scene.run(60)
    assert scene.world.get(wheel, Body).asleep
    scene.world.get(joint, WheelJoint).motor = True
    scene.world.get(joint, WheelJoint).motor_speed = 2
    scene.run(30)
    assert abs(scene.angle(wheel)) > 0.5


def test_extreme_numbers_give_no_nan(yard: Callable[..., Any]):
    """Masses from a gram to a thousand tonnes, fixed rotation, and huge frequencies and distances give no NaN."""
    scene = yard()
    light, heavy = {"mass": 1e-3, "fixed_rotation": True}, {"mass": 1e6}
    for k, cls in enumerate(KINDS):
        a = scene.put(40 * k, 0, Body(**light), Collider(size=(1, 1), mask=0))
        b = scene.put(40 * k + 30, 5, Body(**(heavy if k % 2 else light)), Collider(size=(1, 1), mask=0))
        joint = cls(a=a, b=b)
        for name in ("hertz", "angular_hertz"):
            if hasattr(joint, name):
                setattr(joint, name, 1000)
        scene.world.spawn(joint)
    scene.run(120)
    assert np.isfinite(scene.world.table(Transform).position).all()
    assert np.isfinite(scene.world[Joints].impulses).all()


def test_every_kind_is_public():
    """Every kind of joint is public and has a reader."""
    from rish_physics.components.joints import READERS

    assert set(READERS) == set(KINDS)
    assert all(getattr(rish_physics, cls.__name__) is cls for cls in KINDS)
