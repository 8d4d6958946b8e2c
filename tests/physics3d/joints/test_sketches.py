"""Sketches of joints, for tools."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import UsageError
from rish_physics3d import (
    BallJoint3D,
    Body3D,
    DistanceJoint3D,
    HingeJoint3D,
    SliderJoint3D,
    WheelJoint3D,
    joint_sketches_3d,
    move_anchor_3d,
)
from rish_physics3d.components.joints import READERS
from rish_space3d import Transform3D, quaternions

Start = Callable[..., Any]


def test_every_kind_has_a_sketch(yard: Start) -> None:
    """Joints of all kinds are sketched between their anchors, before the first step; dead ones are left out."""
    game = yard()
    one, two, gone = game.box(1, 0, 0), game.box(3, 0, 0), game.box(9, 0, 0)
    joints = {cls: game.world.spawn(cls(a=one, b=two, anchor_b=(-1, 0, 0))) for cls in READERS}
    game.world.spawn(HingeJoint3D(a=one, b=gone))
    game.world.despawn(gone)
    sketches = joint_sketches_3d(game.world)
    assert [(each.cls, each.joint, each.a, each.b) for each in sketches] == [
        (cls, joint, one, two) for cls, joint in joints.items()
    ]
    assert all(each.anchors == pytest.approx(np.array([[1, 0, 0], [2, 0, 0]])) for each in sketches)
    assert len(joint_sketches_3d(game.world, joints[DistanceJoint3D])) == 1


def test_the_angle_of_a_hinge_is_that_of_the_solver(yard: Start) -> None:
    """A motor turns a hinge by a known angle against its limits; the sketch says how far."""
    game = yard()
    a, b = game.box(0, 0, 0, body={"type": "static"}), game.box(2, 0, 0)
    joint = HingeJoint3D(
        a=a, b=b, axis=(0, 1, 0), anchor_a=(1, 0, 0), anchor_b=(-1, 0, 0), limited=True, lower=-0.2, upper=0.5,
        motor=True, motor_speed=1.0, max_torque=3000,
    )  # fmt: skip
    game.world.spawn(joint)
    game.run(60)
    [sketch] = joint_sketches_3d(game.world)
    assert sketch.position == pytest.approx(0.5, abs=0.01)
    assert (sketch.lower, sketch.upper) == (pytest.approx(-0.2), pytest.approx(0.5))
    assert sketch.axes[0, 0] == pytest.approx([0, 1, 0])
    place = game.position(b) - (1, 0, 0)
    assert math.atan2(-place[2], place[0]) == pytest.approx(0.5, abs=0.01)


def test_positions_and_axes_follow_a_turned_body(yard: Start) -> None:
    """The axis of a slider turns with a, and the position is measured along it; a wheel has its axle third."""
    game = yard()
    turn = quaternions.from_matrix(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], float))
    a = game.put(0, 0, 0, Body3D(), rotation=turn)
    b = game.box(0, 3, 0)
    game.world.spawn(SliderJoint3D(a=a, b=b, axis=(2, 0, 0)))
    game.world.spawn(WheelJoint3D(a=a, b=b, axis=(1, 0, 0), axle=(0, 0, 1)))
    game.world.spawn(BallJoint3D(a=a, b=b, axis=(1, 0, 0), cone_limited=True, cone=0.7))
    ball, slider, wheel = joint_sketches_3d(game.world)
    assert slider.axes[0, 0] == pytest.approx([0, 1, 0])
    assert slider.position == pytest.approx(3)
    assert wheel.axes[0, 2] == pytest.approx([0, 0, 1])
    assert ball.cone == pytest.approx(0.7)
    assert (ball.lower, ball.upper) == (None, None)


def test_an_anchor_is_moved_on_a_turned_body(yard: Start) -> None:
    """The point that was asked for is where the anchor is then, whatever the pose of the body."""
    game = yard()
    body = game.box(1, 2, 3, rotation=quaternions.normalized(np.array([0.1, 0.4, -0.2, 0.9])))
    joint = game.world.spawn(BallJoint3D(b=body))
    move_anchor_3d(game.world, joint, BallJoint3D, 1, (4, 5, 6))
    move_anchor_3d(game.world, joint, BallJoint3D, 0, (7, 8, 9))
    [sketch] = joint_sketches_3d(game.world, joint)
    assert sketch.anchors == pytest.approx(np.array([[7, 8, 9], [4, 5, 6]]), abs=1e-5)
    with pytest.raises(UsageError, match="three numbers"):
        move_anchor_3d(game.world, joint, BallJoint3D, 0, (1, 2))
    with pytest.raises(UsageError, match="no joint"):
        move_anchor_3d(game.world, joint, Transform3D, 0, (1, 2, 3))
