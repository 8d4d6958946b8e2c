"""What each kind of joint locks, limits and drives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import (
    BallJoint3D,
    Body3D,
    Collider3D,
    ColliderShape3D,
    DistanceJoint3D,
    HingeJoint3D,
    MouseJoint3D,
    SliderJoint3D,
    WeldJoint3D,
    WheelJoint3D,
)
from rish_space3d import Transform3D, quaternions

Start = Callable[..., Any]
FAR = 200


def point_of(yard: Any, entity: int, local: Any) -> Any:
    """Return a point of an entity in the world."""
    place = yard.world.get(entity, Transform3D)
    return np.array(place.position, float) + quaternions.turned(np.array(place.rotation, float), np.array(local, float))


def axis_of(yard: Any, entity: int, local: Any) -> Any:
    """Return a direction of an entity in the world."""
    return quaternions.turned(np.array(yard.world.get(entity, Transform3D).rotation, float), np.array(local, float))


def angle_about(yard: Any, a: int, b: int, axis: Any) -> float:
    """Return the angle of b against a about an axis of a."""
    turns = [np.array(yard.world.get(each, Transform3D).rotation, float) for each in (a, b)]
    x, y, z, w = quaternions.product(quaternions.inverse(turns[0]), turns[1])
    return float((2 * math.atan2(np.dot([x, y, z], axis), w) + math.pi) % (2 * math.pi) - math.pi)


def test_a_pendulum_keeps_its_energy_and_period(yard: Start) -> None:
    """A rod on a hinge keeps its energy within 2 %, its anchor within .2 mm, and swings with the period of the
    physical pendulum.
    """
    game = yard(-9.81)
    rod = game.box(0.5 * math.sin(0.3), -0.5 * math.cos(0.3), 0, (0.1, 1, 0.1))
    game.world.get(rod, Transform3D).rotation = quaternions.from_axis((0, 0, 1), 0.3)
    game.world.spawn(HingeJoint3D(b=rod, anchor_b=(0, 0.5, 0), axis=(0, 0, 1)))
    mass, inertia = 10.0, 10 / 12 * 1.01 + 10 / 4
    heights, crossings, energies = [], [], []
    for tick in range(600):
        game.run(1)
        x, y, _ = game.position(rod)
        energies.append(0.5 * inertia * game.spin(rod)[2] ** 2 + mass * 9.81 * (y + 0.5))
        heights.append(x)
        if len(heights) > 1 and heights[-2] < 0 <= x:
            crossings.append(tick - x / (x - heights[-2]))
    assert max(energies) / min(energies) < 1.02
    assert np.abs(point_of(game, rod, (0, 0.5, 0))).max() < 2e-4
    exact = 2 * math.pi * math.sqrt(inertia / (mass * 9.81 * 0.5)) * (1 + 0.3**2 / 16 + 11 * 0.3**4 / 3072)
    assert np.diff(crossings).mean() / 60 == pytest.approx(exact, rel=2e-3)


def test_a_ball_on_a_rod_keeps_its_energy(yard: Start) -> None:
    """A ball on a massless rod swings through whole circles with its energy within 1 %."""
    game = yard(-10)
    ball = game.ball(2, 0, 0, 0.2, body={"velocity": (0, 11, 0)})
    game.world.spawn(DistanceJoint3D(b=ball))
    energies = []
    for _ in range(300):
        game.run(1)
        energies.append(0.5 * (game.velocity(ball) ** 2).sum() + 10 * game.position(ball)[1])
        assert np.linalg.norm(game.position(ball)) == pytest.approx(2, abs=4e-3)
    assert np.ptp(energies) < 0.01 * (0.5 * 121)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 0, 1), (1, 2, -2)])
def test_a_hinge_turns_about_its_axis_only(yard: Start, axis: Any) -> None:
    """A pushed body on a hinge keeps the hinge's axis, whatever its direction."""
    game = yard()
    base = game.box(0, 0, 0, body={"type": "static"})
    door = game.box(1, 0.5, 0.2, (1, 2, 0.1), body={"angular_velocity": (3, -2, 4), "velocity": (1, 1, 1)})
    game.world.spawn(HingeJoint3D(a=base, b=door, anchor_a=(0.5, 0.5, 0.2), anchor_b=(-0.5, 0, 0), axis=axis))
    for _ in range(60):
        game.run(1)
        assert np.cross(axis_of(game, door, axis), axis) == pytest.approx(np.zeros(3), abs=0.01)
        assert point_of(game, door, (-0.5, 0, 0)) == pytest.approx((0.5, 0.5, 0.2), abs=2e-3)
    assert np.linalg.norm(game.spin(door)) > 0.5


@pytest.mark.parametrize(("lower", "upper"), [(-0.5, 0.5), (-3.0, 3.0), (0.2, 6.0), (-6.0, -1.0), (0.0, 0.0)])
def test_a_hinge_stops_at_its_limits(yard: Start, lower: float, upper: float) -> None:
    """A motor turns a hinge to either limit and not further, over the whole range of limits."""
    for speed, limit in ((5.0, upper), (-5.0, lower)):
        game = yard()
        wheel = game.box(0, 0, 0, body={})
        game.world.spawn(
            HingeJoint3D(
                b=wheel, axis=(0, 0, 1), limited=True, lower=lower, upper=upper, motor=True, motor_speed=speed,
                max_torque=2000,
            )
        )  # fmt: skip
        game.run(150)
        _, _, z, w = np.array(game.world.get(wheel, Transform3D).rotation, float)
        assert math.remainder(2 * math.atan2(z, w) - limit, math.tau) == pytest.approx(0, abs=0.02)
        assert game.spin(wheel) == pytest.approx(np.zeros(3), abs=1e-3)


def test_limits_of_a_full_turn_are_refused(yard: Start, caplog: pytest.LogCaptureFixture) -> None:
    """Limits that an angle cannot tell apart, crossed limits, an axis of length 0 and a flat axle are named."""
    game = yard()
    wheel = game.box(0, 0, 0)
    wrong = {
        "a full turn apart": HingeJoint3D(b=wheel, limited=True, lower=-4, upper=4),
        "more than a full turn": HingeJoint3D(b=wheel, limited=True, lower=7, upper=8),
        "lower limit is above": SliderJoint3D(b=wheel, limited=True, lower=1, upper=0),
        "axis has length 0": HingeJoint3D(b=wheel, axis=(0, 0, 0)),
        "axle is along its axis": WheelJoint3D(b=wheel, axle=(0, 2, 0)),
        "cone is wider": BallJoint3D(b=wheel, cone_limited=True, cone=3.1),
        "anchor_b is more than": BallJoint3D(b=wheel, anchor_b=(1e9, 0, 0)),
        "same entity": BallJoint3D(a=wheel, b=wheel),
        "neither of its bodies is dynamic": BallJoint3D(a=game.box(5, 0, 0, body={"type": "static"})),
    }
    for joint in wrong.values():
        game.world.spawn(joint)
    game.run(2)
    for sentence in wrong:
        assert sentence in caplog.text
    assert game.position(wheel) == pytest.approx(np.zeros(3))


def test_a_motor_reaches_its_speed_with_limited_torque(yard: Start) -> None:
    """A motor accelerates by torque over inertia until it has its speed."""
    game = yard()
    wheel = game.box(0, 0, 0, density=6)
    game.world.spawn(HingeJoint3D(b=wheel, axis=(0, 1, 0), motor=True, motor_speed=3, max_torque=2))
    game.run(30)
    assert game.spin(wheel)[1] == pytest.approx(1.0, rel=0.02)  # 2 N·m / 1 kg·m² for .5 s
    game.run(120)
    assert game.spin(wheel)[1] == pytest.approx(3.0, rel=1e-3)


def test_a_spring_swings_with_its_frequency(yard: Start) -> None:
    """The spring of a slider swings with its frequency, and its damping ratio takes the amplitude away."""
    game = yard()
    block = game.box(1, 0, 0)
    game.world.spawn(SliderJoint3D(b=block, spring=True, hertz=1, damping=0.1))
    places = []
    for _ in range(120):
        game.run(1)
        places.append(game.position(block)[0])
    omega, zeta = 2 * math.pi, 0.1
    ringing = omega * math.sqrt(1 - zeta**2)
    t = np.arange(1, 121) / 60
    exact = np.exp(-zeta * omega * t) * (np.cos(ringing * t) + zeta * omega / ringing * np.sin(ringing * t))
    assert np.array(places) == pytest.approx(exact, abs=0.1)


def test_a_slider_slides_along_its_axis_and_does_not_turn(yard: Start) -> None:
    """A falling block on a sloping rail follows the rail between its limits."""
    game = yard(-10)
    block = game.box(0, 0, 0)
    game.world.spawn(SliderJoint3D(b=block, axis=(1, -1, 0), limited=True, lower=-1, upper=2))
    game.run(30)
    x, y, z = game.position(block)
    assert x == pytest.approx(0.5 * 5 * 0.25, rel=0.05)  # half of gravity along each axis
    assert (x + y, z) == pytest.approx((0, 0), abs=2e-3)
    game.run(120)
    assert np.linalg.norm(game.position(block)) == pytest.approx(2, abs=0.01)
    assert axis_of(game, block, (1, 0, 0)) == pytest.approx((1, 0, 0), abs=2e-3)


@pytest.mark.parametrize("cone", [0.3, 1.5, 2.9])
def test_a_ball_joint_stays_in_its_cone(yard: Start, cone: float) -> None:
    """The axis of a thrown arm comes to the cone's edge, in any direction, and not past it."""
    for k in range(4):
        game = yard()
        side = (math.cos(1.7 * k), 0.0, math.sin(1.7 * k))
        arm = game.box(0, 0.5, 0, (0.2, 1, 0.2), body={"angular_velocity": tuple(9 * part for part in side)})
        game.world.spawn(BallJoint3D(b=arm, anchor_b=(0, -0.5, 0), cone_limited=True, cone=cone))
        widest = 0.0
        for _ in range(90):
            game.run(1)
            widest = max(widest, math.acos(np.clip(axis_of(game, arm, (0, 1, 0))[1], -1, 1)))
        assert widest == pytest.approx(cone, abs=0.03)
        assert np.abs(point_of(game, arm, (0, -0.5, 0))).max() < 5e-3


def test_a_ball_joint_limits_its_twist_while_it_swings(yard: Start) -> None:
    """The twist about the arm stays between its limits, also where the arm has swung away."""
    for spin in (4.0, -4.0):
        game = yard()
        arm = game.box(0, 0.5, 0, (0.2, 1, 0.2), body={"angular_velocity": (1.0, spin, 0.0)})
        game.world.spawn(BallJoint3D(b=arm, anchor_b=(0, -0.5, 0), limited=True, lower=-0.4, upper=0.7))
        for _ in range(60):
            game.run(1)
            _, y, _, w = np.array(game.world.get(arm, Transform3D).rotation, float)
            twist = (2 * math.atan2(y, w) + math.pi) % (2 * math.pi) - math.pi
            assert -0.43 < twist < 0.73


def test_a_weld_holds_a_beam_rigidly_and_on_springs(yard: Start) -> None:
    """A stiff weld holds a beam horizontally; one with angular springs lets it hang down."""
    game = yard(-10)
    stiff, loose = game.box(0.5, 0, 0, (1, 0.1, 0.1)), game.box(0.5, 0, 3, (1, 0.1, 0.1))
    game.world.spawn(WeldJoint3D(b=stiff, anchor_b=(-0.5, 0, 0)))
    game.world.spawn(
        WeldJoint3D(b=loose, anchor_a=(0, 0, 3), anchor_b=(-0.5, 0, 0), angular_hertz=1, angular_damping=1)
    )
    game.run(180)
    assert game.position(stiff) == pytest.approx((0.5, 0, 0), abs=5e-3)
    assert game.position(loose)[1] < -0.1
    assert point_of(game, loose, (-0.5, 0, 0)) == pytest.approx((0, 0, 3), abs=5e-3)


def test_a_wheel_turns_slides_and_is_steered(yard: Start) -> None:
    """A wheel turns about its axle by its motor, the suspension carries the car, and steering turns the axle."""
    game = yard(-10)
    game.ground()
    car = game.box(0, 1, 0, (1.6, 0.4, 3), density=200)
    wheels = []
    for x, z in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        turned = tuple(quaternions.from_axis((0, 0, 1), math.pi / 2))
        wheel = game.put(
            x,
            0.6,
            z,
            Body3D(),
            Collider3D(shape=ColliderShape3D.SPHERE, radius=0.4, density=500, friction=1),
            rotation=turned,
        )
        front = z < 0
        game.world.spawn(
            WheelJoint3D(
                a=car, b=wheel, anchor_a=(x, -0.4, z), hertz=3, damping=0.7, motor=True, motor_speed=-10,
                max_torque=500, steering=0.2 if front else 0.0,
            )
        )  # fmt: skip
        wheels.append(wheel)
    game.run(120)
    assert 0.7 < game.position(car)[1] < 1.05
    assert game.position(car)[2] < -2  # driven forward, -z
    forward = axis_of(game, car, (0, 0, -1))
    assert forward[0] < -0.2  # steered to the left, counter-clockwise about y
    axle = axis_of(game, wheels[0], quaternions.turned(np.array(quaternions.inverse(turned)), np.array([1.0, 0, 0])))
    against = quaternions.turned(quaternions.inverse(np.array(game.world.get(car, Transform3D).rotation, float)), axle)
    assert against == pytest.approx((math.cos(0.2), 0, -math.sin(0.2)), abs=0.02)


def test_a_hand_pulls_a_point_to_its_target(yard: Start) -> None:
    """A mouse joint pulls a point to the target; with too little force it does not lift the body."""
    game = yard(-10)
    game.ground()
    free, heavy = game.box(0, 0.5, 0, density=10), game.box(3, 0.5, 0, density=10)
    game.world.spawn(MouseJoint3D(b=free, anchor_b=(0.5, 0.5, 0.5), target=(0, 3, 0), max_force=1000))
    game.world.spawn(MouseJoint3D(b=heavy, target=(3, 3, 0), max_force=50))
    game.run(240)
    assert point_of(game, free, (0.5, 0.5, 0.5)) == pytest.approx((0, 3, 0), abs=0.1)
    assert game.position(heavy)[1] == pytest.approx(0.5, abs=0.01)


def test_a_rope_is_slack_until_it_is_tight(yard: Start) -> None:
    """With limits a distance joint is a rope: the body falls freely, then hangs at the upper limit."""
    game = yard(-10)
    ball = game.ball(0, -0.5, 0, 0.2)
    game.world.spawn(DistanceJoint3D(b=ball, limited=True, lower=0, upper=2))
    game.run(20)
    assert game.velocity(ball)[1] == pytest.approx(-10 * 20 / 60, rel=0.01)
    game.run(200)
    assert game.position(ball) == pytest.approx((0, -2, 0), abs=0.01)
