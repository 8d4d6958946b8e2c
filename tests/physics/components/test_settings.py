"""Settings that can be changed while a game runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Layers, Transform
from rish_physics import Body
from rish_physics.components.settings import PhysicsSettings


@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_time_goes_slower_or_faster(yard: Callable[..., Any], speed: float) -> None:
    """With a time scale, a thrown ball is at the place where it would be after that many times the ticks.

    Its velocity is not scaled.
    """
    scene, plain = yard(substeps=8), yard(substeps=8)
    scene.world[PhysicsSettings].time_scale = speed
    balls = [one.ball(0, 0, body={"velocity": (3, 4)}) for one in (scene, plain)]
    scene.run(40)
    plain.run(round(40 * speed))
    assert scene.place(balls[0]) == pytest.approx(plain.place(balls[1]), abs=0.02)
    assert scene.velocity(balls[0]) == pytest.approx(plain.velocity(balls[1]), abs=1e-4)


def test_nothing_moves_while_time_stands_still(yard: Callable[..., Any]) -> None:
    """With a time scale of 0 poses and velocities stay, and afterwards everything continues as without the pause."""
    scene, plain = yard(), yard()
    balls = [one.ball(0, 5, body={"velocity": (1, 0)}) for one in (scene, plain)]
    for one in (scene, plain):
        one.wall(0, -0.5, 20, 1)
        one.run(30)
    place, velocity = scene.place(balls[0]), scene.velocity(balls[0])
    scene.world[PhysicsSettings].time_scale = 0.0
    scene.run(25)
    assert scene.place(balls[0]) == place
    assert scene.velocity(balls[0]) == velocity
    scene.world[PhysicsSettings].time_scale = 1.0
    for one in (scene, plain):
        one.run(60)
    assert scene.place(balls[0]) == plain.place(balls[1])
    assert scene.velocity(balls[0]) == plain.velocity(balls[1])


def test_nothing_moves_while_the_game_is_paused(yard: Callable[..., Any]) -> None:
    """While the whole game is paused bodies stay, and afterwards they go on as without the pause."""
    scene, plain = yard(), yard()
    balls = [one.ball(0, 5, body={"velocity": (1, 0)}) for one in (scene, plain)]
    scene.run(10)
    layers = scene.world[Layers]
    layers.pause_all()
    place = scene.place(balls[0])
    scene.run(25)
    assert scene.place(balls[0]) == place
    layers.pause_all(False)
    scene.run(10)
    plain.run(20)
    assert scene.place(balls[0]) == plain.place(balls[1])


def test_what_is_written_while_time_stands_still_counts_when_it_goes_on(yard: Callable[..., Any]) -> None:
    """Changes made while time is stopped (a moved, a pushed and a new body) apply when it continues."""
    scene = yard(gravity=[0, 0])
    moved, pushed = scene.box(0, 0), scene.box(5, 0)
    scene.run()
    scene.world[PhysicsSettings].time_scale = 0.0
    scene.run(2)
    scene.world.get(moved, Transform).position = (0, 3)
    scene.world.get(pushed, Body).velocity = (1, 0)
    made = scene.box(-5, 0, body={"velocity": (0, 1)})
    scene.run(2)
    scene.world[PhysicsSettings].time_scale = 1.0
    scene.run(60)
    assert scene.place(moved) == [0, 3]
    assert scene.place(pushed) == pytest.approx([6, 0], abs=1e-3)
    assert scene.place(made) == pytest.approx([-5, 1], abs=1e-3)


def test_a_kinematic_body_is_at_its_target_in_slow_motion_too(yard: Callable[..., Any]) -> None:
    """In slow motion a kinematic body reaches its target in the same tick; its velocity is higher."""
    scene = yard(gravity=[0, 0])
    scene.world[PhysicsSettings].time_scale = 0.25
    plate = scene.put(0, 0, Body(type="kinematic"))
    scene.run(2)
    for k in range(5):
        target = np.float32(0.03 * (k + 1))
        scene.world.get(plate, Transform).position = (target, 0)
        scene.run()
        assert scene.place(plate) == [target, 0]


def test_gravity_may_be_written_in_place(yard: Callable[..., Any]) -> None:
    """Changing an element of gravity in place updates the kernels' settings."""
    scene = yard(gravity=[0, 0])
    ball = scene.ball(0, 0)
    scene.run(5)
    assert scene.velocity(ball) == [0, 0]
    scene.world[PhysicsSettings].gravity[1] = -12
    scene.run(10)
    assert scene.velocity(ball)[1] == pytest.approx(-2)
