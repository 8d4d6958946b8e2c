"""Revolute joints, with limits, motors and springs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physics_rig import Rig, Scene, empty_world, t

from long_runs import long
from rish_physics.components.joint_kinds import HAS_LIMIT, HAS_MOTOR, HAS_SPRING, REVOLUTE
from rish_physics.contacts.state import State
from rish_physics.solver.joints.blocks import plans_of


def wheel(flags: int = 0, numbers: dict[int, float] | None = None, **given: Any) -> tuple[Rig, Any]:
    """Return a bar that is pinned to a static box at its left end, without gravity."""
    scene = Scene(collide=False)
    ground = scene.box(0, 0, 0.5, 0.5, t.STATIC)
    bar = scene.box(1, 0, 1, 0.1)
    scene.joints.append((ground, bar, 0, 0, -1, 0))
    rig = Rig(scene, **{"gravity": (0.0, 0.0), **given})
    joints = rig.world[t.Joints]
    joints.flags[:] |= flags
    for place, value in (numbers or {}).items():
        joints.numbers[0, place] = value
    return rig, joints


def angle_of(rig: Rig, body: int = 1) -> float:
    """Return the angle of a body, radians."""
    return math.atan2(*rig.poses()[body, [3, 2]])


def test_a_pendulum_swings_in_time() -> None:
    """From one radian the period is 2π sqrt(L / g) times 1.0663, as in the elliptic integral."""
    scene = Scene(collide=False)
    ground = scene.circle(0, 0, 0.5, t.STATIC)
    bob = scene.circle(2 * math.sin(1), -2 * math.cos(1), 0.01)
    scene.joints.append((ground, bob, 0, 0, -2 * math.sin(1), 2 * math.cos(1)))
    rig = Rig(scene, continuous=False)
    turns, before = [], 0.0
    for k in range(1200):
        rig.step()
        speed = float(rig.velocities()[1, 0])
        if before < 0 <= speed:
            turns.append((k + before / (before - speed)) / 60)
        before = speed
    period = float(np.diff(turns).mean())
    assert period == pytest.approx(2 * math.pi * math.sqrt(2 / 10) * 1.0663, rel=0.005)


def test_a_chain_holds_together() -> None:
    """In a swinging chain of twenty links no pin opens by more than a fiftieth of a link."""
    scene = Scene(collide=False)
    last = scene.box(0, 0, 0.5, 0.1, t.STATIC)
    for k in range(20):
        link = scene.box(k + 1, 0, 0.5, 0.1)
        scene.joints.append((last, link, 0.5, 0, -0.5, 0))
        last = link
    rig = Rig(scene)
    worst = 0.0
    for _ in range(240):
        rig.step()
        pose = rig.poses().astype(np.float64)
        ends = pose[:, :2] + 0.5 * pose[:, 2:]
        starts = pose[:, :2] - 0.5 * pose[:, 2:]
        worst = max(worst, float(np.hypot(*(ends[:-1] - starts[1:]).T).max()))
    assert worst < 0.02


def test_a_motor_reaches_its_speed() -> None:
    """A motor reaches its speed with no more than its torque: α = T / I about the pin."""
    rig, _ = wheel(HAS_MOTOR, {2: 3.0, 3: 1.0})
    inertia = 0.4 * (1 + 0.01) / 3 + 0.4
    rig.step(15)
    assert rig.velocities()[1, 2] == pytest.approx(1.0 / inertia * 0.25, rel=0.02)
    rig.step(120)
    assert rig.velocities()[1, 2] == pytest.approx(3, rel=1e-3)


@pytest.mark.parametrize("side", [-1, 1])
def test_limits_hold(side: int) -> None:
    """A bar falls to either limit, hardly exceeds it, and stays there."""
    rig, joints = wheel(HAS_LIMIT, {0: -0.5, 1: 0.75}, gravity=(0.0, 10.0 * side))
    limit, angles = (0.75 if side > 0 else -0.5), []
    for _ in range(240):
        rig.step()
        angles.append(angle_of(rig))
    assert max(abs(angle) for angle in angles) < abs(limit) + 0.03
    assert angles[-1] == pytest.approx(limit, abs=0.01)
    assert abs(rig.velocities()[1, 2]) < 0.001
    assert joints.impulses[0, 5 if side > 0 else 4] > 0


def test_a_spring_swings_with_its_frequency() -> None:
    """An undamped spring of 2 Hz has that frequency about its rest angle, determined by the inertia alone."""
    scene = Scene(collide=False)
    hub = scene.box(0, 0, 0.5, 0.5, t.STATIC)
    disc = scene.circle(0, 0, 1)
    scene.joints.append((hub, disc, 0, 0, 0, 0))
    rig = Rig(scene, gravity=(0.0, 0.0), substeps=16)
    joints = rig.world[t.Joints]
    joints.flags[:] |= HAS_SPRING
    joints.numbers[0, 4:7] = (2.0, 0.0, 0.5)
    crossings, before = [], 0.0
    for k in range(240):
        rig.step()
        now = angle_of(rig) - 0.5
        if before < 0 <= now:
            crossings.append((k + before / (before - now)) / 60)
        before = now
    assert np.diff(crossings).mean() == pytest.approx(0.5, rel=0.02)


def test_a_damped_spring_rests_at_its_angle() -> None:
    """A damped spring without a load rests exactly at its angle."""
    rig, _ = wheel(HAS_SPRING, {4: 3.0, 5: 1.0, 6: -0.4})
    rig.step(240)
    assert angle_of(rig) == pytest.approx(-0.4, abs=1e-3)


def test_the_load_is_what_it_bears() -> None:
    """The load of a pin that holds a level bar is its weight, and weight times arm as torque."""
    rig, joints = wheel(HAS_MOTOR, {2: 0.0, 3: 100.0}, gravity=(0.0, -10.0))
    rig.step(60)
    assert joints.load[0, 0] == pytest.approx(0, abs=0.02)
    assert joints.load[0, 1] == pytest.approx(4, rel=0.01)
    assert joints.load[0, 2] == pytest.approx(4, rel=0.01)


def test_momentum_is_kept() -> None:
    """A pinned pair that moves freely keeps its momentum and angular momentum."""
    scene = Scene(collide=False)
    a, b = scene.box(0, 0, 1, 0.2), scene.box(2, 0, 1, 0.2)
    scene.joints.append((a, b, 1, 0, -1, 0))
    rig = Rig(scene, gravity=(0.0, 0.0))
    bodies = rig.world[t.Bodies]
    bodies.state[1, :3], bodies.state[2, :3] = (1, 2, 0), (-0.5, -1, 3)

    def momenta() -> list[float]:
        state, pose = bodies.state[1:].astype(np.float64), bodies.pose[1:].astype(np.float64)
        m, i = 1 / state[:, 3], 1 / state[:, 7]
        spin = m * (pose[:, 0] * state[:, 1] - pose[:, 1] * state[:, 0]) + i * state[:, 2]
        return [float((m * state[:, 0]).sum()), float((m * state[:, 1]).sum()), float(spin.sum())]

    rig.step(5)  # the anchors' velocities agree from then on
    before = momenta()
    rig.step(300)
    np.testing.assert_allclose(momenta(), before, rtol=2e-3, atol=2e-3)


kinds = st.sampled_from([t.DYNAMIC | t.AWAKE, t.DYNAMIC | t.AWAKE, t.DYNAMIC, t.STATIC, t.KINEMATIC | t.AWAKE])
drawn_joints = st.integers(2, 10).flatmap(
    lambda n: st.tuples(
        st.lists(kinds, min_size=n, max_size=n),
        st.lists(
            st.tuples(st.integers(1, n), st.integers(1, n), st.sampled_from([0, HAS_MOTOR, HAS_LIMIT])).filter(
                lambda joint: joint[0] != joint[1]
            ),
            max_size=100,
        ),
    )
)


@settings(deadline=None, max_examples=long(100, 20))
@given(drawn_joints)
def test_blocks_are_valid(drawn: Any) -> None:
    """Each joint of a moving body is in one block, plain pins first, and no block has a moving body twice."""
    types, rows = drawn
    world = empty_world()
    world[t.Bodies].append(len(types), flags=np.array(types, np.int32) | t.USED | t.ENABLED)
    pair = np.array([row[:2] for row in rows], np.int32).reshape(-1, 2)
    flags = np.array([row[2] for row in rows], np.int32) | t.JOINT_USED
    if len(rows):
        world[t.Joints].append(len(rows), kind=REVOLUTE, pair=pair, flags=flags)
    state = State.of(world)
    state.refresh()
    moves = (world[t.Bodies].flags & (t.TYPE | t.AWAKE)) == (t.DYNAMIC | t.AWAKE)
    seen: list[int] = []
    for plan in plans_of(state):
        for block in range(plan.count):
            chosen = plan.order[8 * block : 8 * block + 8]
            chosen = chosen[chosen >= 0]
            assert ((flags[chosen] == t.JOINT_USED) == (block < plan.short)).all()
            moving = pair[chosen][moves[pair[chosen]]]
            assert len(set(moving.tolist())) == len(moving)
            seen += chosen.tolist()
    assert sorted(seen) == np.flatnonzero(moves[pair].any(1)).tolist()


def test_joints_sleep_and_wake_with_their_bodies() -> None:
    """The plans are made again when bodies fall asleep, and contain no joint whose bodies sleep."""
    rig, _ = wheel(gravity=(0.0, -10.0))
    rig.step()
    assert plans_of(rig.state)[0].count == 1
    rig.world[t.Bodies].flags[2] &= ~t.AWAKE
    rig.state.stale()
    assert plans_of(rig.state) == []
