"""Weld joints: two bodies connected rigidly or with springs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics import WeldJoint
from rish_physics.components.tables import Joints


def test_a_cantilever_holds(yard: Callable[..., Any]):
    """Four boxes welded in a row bend by less than 2 % of their length; the first joint carries all."""
    scene = yard(sleeping=False)
    last = 0
    for k in range(4):
        box = scene.box(k + 0.5, 0, 1, 0.2)
        scene.world.spawn(WeldJoint(a=last, b=box, anchor_a=(0.5, 0) if last else (0, 0), anchor_b=(-0.5, 0)))
        last = box
    scene.run(240)
    assert abs(scene.place(last)[1]) < 0.08
    load = scene.world[Joints].load[0]
    assert load[:3] == pytest.approx([0, 8, 16], rel=0.02, abs=0.1)


def test_the_angle_is_kept(yard: Callable[..., Any]):
    """b keeps its `angle` relative to a while both move and rotate."""
    scene = yard(gravity=[0, 0], sleeping=False)
    a = scene.box(0, 0, body={"angular_velocity": 2.0})
    b = scene.box(1 + np.cos(0.7), np.sin(0.7), angle=0.7)
    scene.world.spawn(WeldJoint(a=a, b=b, anchor_a=(1, 0), anchor_b=(-1, 0), angle=0.7))
    scene.run(120)
    turned = scene.angle(b) - scene.angle(a)
    assert np.angle(np.exp(1j * (turned - 0.7))) == pytest.approx(0, abs=2e-3)


def test_an_angular_spring_swings_with_its_frequency(yard: Callable[..., Any]):
    """An undamped angular spring of 1 Hz has that frequency about its angle."""
    scene = yard(gravity=[0, 0], sleeping=False, substeps=16)
    disc = scene.ball(0, 0, 1, body={"angular_velocity": 1.0})
    scene.world.spawn(WeldJoint(b=disc, angular_hertz=1, angular_damping=0))
    angles = []
    for _ in range(180):
        scene.run()
        angles.append(scene.angle(disc))
    now = np.array(angles)
    rises = np.flatnonzero((now[:-1] < 0) & (now[1:] >= 0))
    assert np.diff(rises + now[rises] / (now[rises] - now[rises + 1])).mean() / 60 == pytest.approx(1, rel=0.01)
    assert now.max() == pytest.approx(1 / (2 * np.pi), rel=0.06)


def test_a_linear_spring_sags_under_a_weight(yard: Callable[..., Any]):
    """A linear spring sags by g / (2π f)², and the angle stays rigid."""
    scene = yard(substeps=8)
    box = scene.box(0, 0)
    scene.world.spawn(WeldJoint(b=box, hertz=1.5, damping=0.7))
    scene.run(240)
    assert scene.place(box) == pytest.approx([0, -10 / (3 * np.pi) ** 2], abs=2e-3)
    assert abs(scene.angle(box)) < 1e-4
