"""Joints between moving bodies: momentum, chains, breaking, and what joins and leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import BallJoint3D, Body3D, DistanceJoint3D, HingeJoint3D, JointBroke3D, WeldJoint3D
from rish_space3d import Transform3D

Start = Callable[..., Any]


def test_joined_bodies_keep_their_momentum(yard: Start) -> None:
    """Two tumbling bodies on a ball joint keep linear and angular momentum; their anchors stay together."""
    game = yard()
    one = game.box(-1, 0, 0, (2, 0.6, 0.4), body={"angular_velocity": (1, 2, 3), "velocity": (0, 1, 0)})
    two = game.box(1, 0, 0, (2, 0.4, 0.8), body={"angular_velocity": (0, -2, 1)})
    game.world.spawn(BallJoint3D(a=one, b=two, anchor_a=(1, 0, 0), anchor_b=(-1, 0, 0)))
    sizes = {one: np.array([2, 0.6, 0.4]), two: np.array([2, 0.4, 0.8])}

    def momentum() -> tuple[Any, Any]:
        from rish_space3d import quaternions

        linear, angular = np.zeros(3), np.zeros(3)
        for body, size in sizes.items():
            mass = 1000 * size.prod()
            inertia = mass / 12 * ((size**2).sum() - size**2)
            turn = np.array(game.world.get(body, Transform3D).rotation, float)
            own = quaternions.turned(turn, inertia * quaternions.turned(quaternions.inverse(turn), game.spin(body)))
            linear += mass * game.velocity(body)
            angular += own + np.cross(game.position(body), mass * game.velocity(body))
        return linear, angular

    before = momentum()
    game.run(240)
    after = momentum()
    assert after[0] == pytest.approx(before[0], abs=0.1)
    assert after[1] == pytest.approx(before[1], rel=0.02, abs=10)


def test_a_chain_carries_a_heavy_ball(yard: Start) -> None:
    """A chain of ten links of 10 kg carries a ball of 1,000 kg without stretching by more than 3 %."""
    game = yard(-10)
    before, anchor = 0, (0.0, 0.0, 0.0)
    for k in range(10):
        link = game.box(0, -0.25 - 0.5 * k, 0, (0.2, 0.5, 0.1))
        game.world.spawn(BallJoint3D(a=before, b=link, anchor_a=anchor, anchor_b=(0, 0.25, 0)))
        before, anchor = link, (0, -0.25, 0)
    ball = game.ball(0, -5.5, 0, 0.5, density=1909.86)
    game.world.spawn(BallJoint3D(a=before, b=ball, anchor_a=anchor, anchor_b=(0, 0.5, 0)))
    game.run(240)
    assert game.position(ball) == pytest.approx((0, -5.5, 0), abs=0.165)
    assert np.abs(game.velocity(ball)).max() < 0.05


def test_an_overloaded_joint_breaks_and_tells(yard: Start) -> None:
    """A joint breaks when its load exceeds the limit, is despawned, and the event has the force; a stronger one
    holds.
    """
    game = yard(-10)
    weak, strong = game.box(0, 0, 0), game.box(3, 0, 0)
    joints = [
        game.world.spawn(WeldJoint3D(b=weak, break_force=9_000)),
        game.world.spawn(WeldJoint3D(b=strong, anchor_a=(3, 0, 0), break_force=11_000)),
    ]
    broke = []
    for _ in range(60):
        game.run(1)
        broke += list(game.world.events(JointBroke3D))
    assert [(each.joint, each.a, each.b) for each in broke] == [(joints[0], 0, weak)]
    assert 9_000 < broke[0].force < 11_000
    assert game.position(weak)[1] < -2
    assert game.position(strong)[1] == pytest.approx(0, abs=0.01)
    assert not game.world.alive(joints[0])


def test_a_long_beam_breaks_by_torque(yard: Start) -> None:
    """A weld breaks by the torque of a beam that it holds at one end."""
    game = yard(-10)
    beam = game.box(1, 0, 0, (2, 0.1, 0.1))
    game.world.spawn(WeldJoint3D(b=beam, anchor_b=(-1, 0, 0), break_torque=150))  # 20 kg · 10 m/s² · 1 m = 200 N·m
    game.run(60)
    assert game.position(beam)[1] < -2


def test_a_joint_goes_with_its_body(yard: Start) -> None:
    """Despawning a body despawns its joints and emits `JointBroke3D` without a force."""
    game = yard()
    one, two = game.box(0, 0, 0), game.box(2, 0, 0)
    joint = game.world.spawn(DistanceJoint3D(a=one, b=two))
    game.run(1)
    game.world.despawn(two)
    game.run(1)
    (broke,) = game.world.events(JointBroke3D)
    assert (broke.joint, broke.a, broke.b, broke.force) == (joint, one, two, 0)
    assert not game.world.alive(joint)


def test_joined_bodies_collide_only_if_they_shall(yard: Start) -> None:
    """Two boxes that overlap rest in each other while a joint connects them, unless it says that they collide."""
    for collide in (False, True):
        game = yard()
        one, two = game.box(0, 0, 0), game.box(0.6, 0, 0)
        joint = game.world.spawn(
            DistanceJoint3D(a=one, b=two, limited=True, lower=0.1, upper=9, collide_connected=collide)
        )
        game.run(30)
        apart = game.position(two)[0] - game.position(one)[0]
        assert (apart > 0.9) == collide
        game.world.despawn(joint)
        game.run(40)
        assert game.position(two)[0] - game.position(one)[0] > 0.9


def test_how_bodies_stand_is_written_once(yard: Start) -> None:
    """The first step writes the rotation between both bodies and the length; a given one stays and is driven to."""
    game = yard()
    turned = (0.0, np.sin(0.4), 0.0, np.cos(0.4))
    box = game.box(0, 0, 0, rotation=turned)
    joint = game.world.spawn(WeldJoint3D(b=box))
    rope = game.world.spawn(DistanceJoint3D(b=game.ball(0, 5, 0)))
    game.run(30)
    weld = game.world.get(joint, WeldJoint3D)
    assert weld.rotation_given
    assert np.array(weld.rotation) == pytest.approx(turned, abs=1e-6)
    assert game.world.get(rope, DistanceJoint3D).length == pytest.approx(5)
    given = game.box(9, 0, 0, rotation=turned)
    game.world.spawn(WeldJoint3D(b=given, anchor_a=(9, 0, 0), rotation_given=True))
    game.run(60)
    assert np.array(game.world.get(given, Transform3D).rotation) == pytest.approx((0, 0, 0, 1), abs=1e-3)


def test_a_restored_game_continues_with_the_same_bits(yard: Start) -> None:
    """Impulses of joints are state: from a snapshot a swinging chain continues with the same hashes."""
    game = yard(-10)
    before, anchor = 0, (0.0, 0.0, 0.0)
    for k in range(4):
        link = game.box(0.25 + 0.5 * k, 0, 0.1 * k, (0.5, 0.2, 0.1))
        game.world.spawn(HingeJoint3D(a=before, b=link, anchor_a=anchor, anchor_b=(-0.25, 0, 0), axis=(0, 0, 1)))
        before, anchor = link, (0.25, 0, 0)
    game.run(20)
    saved = game.world.snapshot()
    hashes = []
    for _ in range(2):
        game.world.restore(saved)
        game.run(15)
        hashes.append(game.world.hash())
        game.run(3)
    assert hashes[0] == hashes[1]


def test_a_kinematic_body_pulls_what_hangs_on_it(yard: Start) -> None:
    """A body on a joint follows a kinematic one, which is not moved by it."""
    game = yard()
    mover = game.box(0, 0, 0, body={"type": "kinematic", "velocity": (1, 0, 0)})
    load = game.box(0, -2, 0)
    game.world.spawn(BallJoint3D(a=mover, b=load, anchor_a=(0, -1, 0), anchor_b=(0, 1, 0)))
    game.run(60)
    assert game.position(mover) == pytest.approx((1, 0, 0), abs=1e-5)
    assert game.position(load)[0] > 0.2
    assert np.array(game.world.get(mover, Body3D).velocity) == pytest.approx((1, 0, 0))


def test_a_joint_keeps_its_impulses_while_its_bodies_sleep(yard: Start) -> None:
    """A lamp that hangs asleep holds by the same impulses when it wakes, although another body has moved meanwhile."""
    from rish_physics3d.components.tables import Joints3D

    game = yard(-10)
    game.ground()
    lamp = game.box(0, 5, 0)
    game.world.spawn(WeldJoint3D(b=lamp, anchor_a=(0, 6, 0), anchor_b=(0, 1, 0)))
    game.run(60)
    assert game.world.get(lamp, Body3D).asleep
    before = game.world[Joints3D].impulses.copy()
    assert np.abs(before).max() > 1
    game.ball(20, 3, 0)
    game.run(20)
    assert game.world.get(lamp, Body3D).asleep
    assert (game.world[Joints3D].impulses == before).all()
