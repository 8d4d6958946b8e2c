"""Joints as components: their constraints, breaking and removal, and a pendulum compared with its elliptic integral."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import DeclarationError, Transform
from rish_physics import Body, Collider, DistanceJoint, GearJoint, JointBroke, PrismaticJoint, RevoluteJoint
from rish_physics.components.tables import Bodies, Joints


def _pendulum(scene: Any, degrees: float) -> int:
    """Spawn a bob of 0.1 m on a massless rod of 2 m, deflected from the lowest place; return it."""
    angle = np.radians(degrees)
    x, y = float(2 * np.sin(angle)), float(-2 * np.cos(angle))
    bob = scene.ball(x, y, 0.1, body={"inertia": 1e-6})
    scene.world.get(bob, Transform).rotation = float(angle)
    scene.world.spawn(RevoluteJoint(a=0, b=bob, anchor_a=(0, 0), anchor_b=(0, 2)))
    return bob


@pytest.mark.slow
def test_a_pendulum_swings_as_the_elliptic_integral_says(yard: Callable[..., Any]):
    """Over 60 s from 57 degrees the period is right within 0.5 %, and the energy within 2 % at every moment."""
    scene = yard(sleeping=False)
    bob = _pendulum(scene, 57)
    start = -20 * np.cos(np.radians(57))
    times, worst, before = [], 0.0, scene.place(bob)[0]
    for tick in range(3600):
        scene.run()
        x, y = scene.place(bob)
        if before < 0 <= x:
            times.append((tick + before / (before - x)) / 60)
        before = x
        vx, vy = scene.velocity(bob)
        worst = max(worst, abs(10 * y + 0.5 * (vx * vx + vy * vy) - start))
    period = (times[-1] - times[0]) / (len(times) - 1)
    assert len(times) == 20
    assert period == pytest.approx(2 * np.pi * np.sqrt(2 / 10) / _agm(1, np.cos(np.radians(57) / 2)), rel=5e-3)
    assert worst < 0.02 * abs(start)


def _agm(a: float, b: float) -> float:
    """Return the arithmetic-geometric mean, to which Gauss reduced the elliptic integral."""
    for _ in range(40):
        a, b = (a + b) / 2, (a * b) ** 0.5
    return a


def test_a_pin_holds_two_bodies_at_their_anchors(yard: Callable[..., Any]):
    """Anchors are relative to the bodies' positions, whatever their centers of mass are."""
    scene = yard()
    a = scene.put(0, 0, Body(type="static"), Collider(size=(1, 1)))
    b = scene.box(3, 0, 2, 1, offset=(0.5, 0))
    scene.world.spawn(RevoluteJoint(a=a, b=b, anchor_a=(1, 0), anchor_b=(-2, 0)))
    for _ in range(60):
        scene.run()
        x, y = scene.place(b)
        turn = scene.angle(b)
        assert [x - 2 * np.cos(turn), y - 2 * np.sin(turn)] == pytest.approx([1, 0], abs=0.02)


def test_despawning_a_body_takes_its_joints_along(yard: Callable[..., Any]):
    """Despawning a body despawns its joints with an event, and the body at the other end falls."""
    scene = yard()
    a = scene.put(0, 0, Body(type="static"), Collider(size=(1, 1)))
    b = scene.box(0, -1)
    joint = scene.world.spawn(RevoluteJoint(a=a, b=b, anchor_b=(0, 1)))
    scene.run(10)
    assert len(scene.world[Joints]) == 1
    scene.world.despawn(a)
    scene.run()
    (event,) = scene.world.events(JointBroke)
    assert (event.joint, event.a, event.b) == (joint, a, b)
    assert not scene.world.alive(joint)
    scene.run(30)
    assert scene.place(b)[1] < -1.5


def test_a_joint_breaks_beyond_what_it_bears(yard: Callable[..., Any]):
    """A weight of 2 kg breaks a joint with a limit of 15 N, and not one with a limit of 30 N."""
    for bears, holds in ((30, True), (15, False)):
        scene = yard()
        weight = scene.box(0, -1, body={"mass": 2})
        joint = scene.world.spawn(RevoluteJoint(b=weight, anchor_b=(0, 1), break_force=bears))
        scene.run(60)
        assert scene.world.alive(joint) == holds


def test_joined_bodies_collide_only_on_request(yard: Callable[..., Any]):
    """Jointed bodies do not collide unless `collide_connected` is set."""
    for collide in (False, True):
        scene = yard(gravity=[0, 0])
        a, b = scene.box(0, 0), scene.box(0.5, 0)
        scene.world.spawn(RevoluteJoint(a=a, b=b, anchor_a=(0.25, 0), anchor_b=(-0.25, 0), collide_connected=collide))
        scene.run(30)
        moved = abs(scene.angle(b)) + abs(scene.place(b)[0] - 0.5) + abs(scene.place(a)[0])
        assert (moved > 1e-3) == collide


def _anchor_of_no_number(world: Any, joint: int) -> None:
    table = world[RevoluteJoint]
    table.anchor_a[table.row_of(joint)] = (np.nan, 0)
    table.mark()


def test_a_joint_that_can_not_work_is_named(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """Each invalid joint is logged once and not created, and the bodies move without it.

    Invalid are: equal bodies, the world at both ends, an entity without a body, swapped limits, an axis without
    direction, a ratio of 0, and NaN in a column.
    """
    scene = yard()
    world = scene.world
    a, b, bare = scene.box(0, 0), scene.box(5, 0), scene.put(0, 0)
    world.spawn(RevoluteJoint(a=a, b=a))
    world.spawn(RevoluteJoint())
    world.spawn(RevoluteJoint(a=a, b=bare))
    world.spawn(RevoluteJoint(a=a, b=b, limited=True, lower=1, upper=-1))
    world.spawn(DistanceJoint(a=a, b=b, length=3, limited=True, lower=5, upper=2))
    world.spawn(PrismaticJoint(a=a, b=b, axis=(0, 0)))
    world.spawn(GearJoint(a=a, b=b, ratio=0))
    _anchor_of_no_number(world, world.spawn(RevoluteJoint(a=a, b=b)))
    scene.run(3)
    assert len(caplog.records) == 8
    for sentence in (
        "a and b are the same",
        "has no Body",
        "above the upper",
        "axis has length 0",
        "ratio is 0",
        "is not a finite number",
    ):
        assert sentence in caplog.text
    assert not (world[Joints].flags & 1).any()
    assert scene.place(a) == pytest.approx([0, scene.place(b)[1]], abs=1e-6)


def test_a_joint_can_not_be_spawned_with_what_is_no_number(yard: Callable[..., Any]):
    """Spawning a joint with NaN raises an error with the field's name, and spawns nothing."""
    scene = yard()
    count = len(scene.world[RevoluteJoint])
    with pytest.raises(DeclarationError, match="anchor_a"):
        scene.world.spawn(RevoluteJoint(a=scene.box(0, 0), anchor_a=(np.nan, 0)))
    assert len(scene.world[RevoluteJoint]) == count


def test_a_joint_of_two_that_can_not_move_says_so_and_waits(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A joint between two static bodies is logged and does nothing, until one of them becomes dynamic."""
    scene = yard()
    post, plank = (scene.put(x, 0, Body(type="static"), Collider(size=(1, 1))) for x in (0, 3))
    scene.world.spawn(RevoluteJoint(a=post, b=plank, anchor_a=(3, 0)))
    scene.run(5)
    assert caplog.text.count("neither of its bodies is dynamic") == 1
    assert np.isfinite(scene.world[Bodies].state).all()
    scene.world.get(plank, Body).type = "dynamic"
    scene.run(60)
    assert scene.place(plank) == pytest.approx([3, 0], abs=0.01)
