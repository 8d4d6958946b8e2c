"""Extreme joints, motors and impulses: all numbers stay finite, and other bodies are not affected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import ContactStay, DistanceJoint, JointBroke, RevoluteJoint, WeldJoint, WheelJoint, explode
from rish_physics.components.tables import QUARANTINED, Bodies, Contacts, Joints

FAR = {"anchor_a": (0.5, 0.5), "anchor_b": (-0.5, 0.3)}
"""Anchors five sizes outside boxes of 0.1 m."""


def finite(world: Any) -> bool:
    """Return True if every number in the solver's tables is finite."""
    columns = [world[cls].column(name) for cls in (Bodies, Contacts, Joints) for name in world[cls].schema.fields]
    return all(np.isfinite(column).all() for column in columns if column.dtype.kind == "f")


def put_aside(world: Any) -> int:
    """Return the number of quarantined bodies."""
    return int(((world[Bodies].flags & QUARANTINED) != 0).sum())


@pytest.mark.parametrize(
    "joint",
    [
        WeldJoint(**FAR),
        RevoluteJoint(**FAR, limited=True, lower=1e3, upper=1e3),
        RevoluteJoint(**FAR, motor=True, motor_speed=-1e4, max_torque=1e8),
    ],
    ids=["weld", "limit", "motor"],
)
def test_a_joint_beyond_all_measure_hurts_nothing(yard: Callable[..., Any], joint: Any) -> None:
    """A joint with an extreme configuration does not affect other bodies, and all numbers stay finite."""
    scene = yard()
    scene.wall(0, -1, 100, 2)
    ball = scene.ball(-20, 0.6)
    joint.a, joint.b = scene.box(0, 5, 0.1, 0.1), scene.box(10, 5, 0.1, 0.1)
    scene.world.spawn(joint)
    scene.world.spawn(RevoluteJoint(a=scene.box(20, 5, 0.1, 0.1), b=scene.box(20.2, 5, 0.1, 0.1)))
    for _ in range(120):
        scene.run(1)
        assert finite(scene.world)
        assert not scene.world[Bodies].state[0].any()
    assert put_aside(scene.world) == 0
    assert scene.place(ball) == pytest.approx([-20, 0.5], abs=0.01)


def test_a_tick_in_which_bodies_are_set_aside_has_its_events(yard: Callable[..., Any]) -> None:
    """A tick in which bodies are quarantined still has its events."""
    scene = yard()
    scene.wall(7950, 0, 200, 1, stay_events=True)
    for x in (7988, 7989):
        scene.box(x, 1, body={"velocity": (390, 0)})
    resting = scene.box(7900, 1)
    reported = 0
    for _ in range(30):
        scene.run(1)
        reported += len(scene.world.events(ContactStay))
    assert put_aside(scene.world) == 2
    assert reported > 0
    assert scene.place(resting)[1] == pytest.approx(1, abs=0.01)


def test_a_joint_that_breaks_by_an_overflow_says_so_in_numbers(yard: Callable[..., Any]) -> None:
    """The event of a joint that breaks by an overflow has a finite force."""
    scene = yard()
    scene.wall(0, -1, 100, 2)
    a, b, c = scene.box(0, 5, 0.3, 0.3), scene.box(5, 5, 0.3, 0.3), scene.box(2, 2)
    scene.world.spawn(DistanceJoint(a=a, b=b, length=1, break_force=10))
    scene.world.spawn(WheelJoint(a=b, b=c, hertz=1000, damping=0))
    broken = []
    for _ in range(60):
        scene.run(1)
        assert finite(scene.world)
        broken += scene.world.events(JointBroke)
    assert len(broken) == 1
    assert np.isfinite(broken[0].force)


def test_loads_without_a_number_break_a_joint_and_are_forgotten(rig: Any) -> None:
    """A broken joint with infinite loads gets its impulses cleared; other joints keep theirs."""
    from rish_physics.sync.joints import clear_impulses

    scene = rig.Scene()
    for x in (0, 3, 6):
        scene.box(x, 0, 0.5, 0.5)
    scene.joints += [(0, 1, 1, 0, -1, 0), (1, 2, 1, 0, -1, 0)]
    joints = rig.Rig(scene).world[Joints]
    joints.impulses[:] = 2
    joints.load[:] = 3
    joints.load[0, :2] = np.inf, np.nan
    clear_impulses(joints, np.array([1]))
    assert (joints.impulses == [[0] * 8, [2] * 8]).all()
    assert np.isfinite(joints.load).all()
    assert joints.load[0, 0] > 1e38
    assert (joints.load[1] == 3).all()


def test_a_blow_at_the_limits_of_speed_and_spin_does_not_pass_a_floor(yard: Callable[..., Any]) -> None:
    """A resting capsule that is hit with extreme force does not pass through the floor."""
    scene = yard()
    scene.wall(0, -1, 1000, 2)
    capsule = scene.put(0, 0.8, *capsule_parts())
    scene.run(60)
    explode(scene.world, (0.05, 1.4), 2, 1e3)
    for _ in range(60):
        scene.run(1)
        assert scene.place(capsule)[1] > 0


def capsule_parts() -> tuple[Any, Any]:
    """Return a body with a capsule of 0.23 by 1.15 m."""
    from rish_physics import Body, Collider

    return Body(), Collider(shape="capsule", size=(0.23, 1.15))
