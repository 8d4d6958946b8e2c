"""Rolling resistance: what rolls stops, and rests on slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import Body3D, Collider3D
from rish_space3d import quaternions

Start = Callable[..., Any]
ROUND: dict[str, tuple[dict[str, Any], float]] = {
    "sphere": ({"shape": "sphere", "radius": 0.5}, 0.4),
    "capsule": (
        {"shape": "capsule", "radius": 0.5, "size": (0, 3, 0), "rotation": (0.5**0.5, 0.0, 0.0, 0.5**0.5)},
        # Of a cylinder of 2 m and a ball of radius 0.5: 1/2 and 2/5 of m r², by their volumes.
        (0.5 * 2 + 0.4 * 4 / 3 * 0.5) / (2 + 4 / 3 * 0.5),
    ),
}
"""Shapes that roll along x, with their moment of inertia over m r²."""


@pytest.mark.parametrize(("shape", "ground"), [("sphere", "plane"), ("sphere", "mesh"), ("capsule", "box")])
def test_what_rolls_stops_after_the_predicted_distance(yard: Start, shape: str, ground: str) -> None:
    """With a resistance c it decelerates at c g / (1 + I / m r²), so it rolls v² / 2 a far, and rests then."""
    game = yard(-10)
    surface: Any = {"friction": 1.0, "rolling_resistance": 0.1}
    if ground == "box":
        game.ground(**surface)
    elif ground == "plane":
        game.put(0, 0, 0, Collider3D(shape="plane", **surface))
    else:
        game.put(0, 0, 0, Collider3D(shape="heightfield", columns=9, cell=5, heights=[0.0] * 81, **surface))
    numbers, factor = ROUND[shape]
    speed, expected = 1.0, 1.0**2 / (2 * 0.1 * 10 / (1 + factor))
    body = {"velocity": (speed, 0, 0), "angular_velocity": (0, 0, -speed / 0.5)}
    ball = game.put(-2, 0.5, 0.3, Body3D(**body), Collider3D(friction=1.0, **numbers))
    game.run(130)
    assert game.position(ball)[0] + 2 == pytest.approx(expected, rel=0.03)
    assert not game.velocity(ball).any()


@pytest.mark.parametrize(("resistance", "rests"), [(0.22, True), (0.18, False)])
def test_a_ball_rests_on_a_slope_below_the_critical_angle(yard: Start, resistance: float, rests: bool) -> None:
    """On a slope of which the tangent is 0.2 a ball rests with a greater resistance, and rolls with a smaller one."""
    game = yard(-10)
    turn = quaternions.from_axis((0, 0, 1), np.arctan(0.2))
    game.put(0, 0, 0, Collider3D(size=(100, 2, 100), friction=1.0), rotation=turn.tolist())
    place = quaternions.turned(turn, (0, 1.5, 0))
    ball = game.ball(*place.tolist(), 0.5, friction=1.0, rolling_resistance=resistance)
    game.run(120)
    way = np.linalg.norm(game.position(ball) - place)
    # It accelerates at g (sin a - c cos a) / 1.4.
    free = 10 * (0.2 - resistance) / np.sqrt(1.04) / 1.4 * 2**2 / 2
    assert way == pytest.approx(0 if rests else free, abs=0.01)


def test_a_ball_that_spins_on_the_spot_stops(yard: Start) -> None:
    """Rolling resistance acts about the normal too: a spinning ball slows by c m g r / I, and one without spins on."""
    game = yard(-10)
    game.ground(friction=0.0)
    spin = {"angular_velocity": (0, 4, 0)}
    balls = [
        game.ball(x, 0.5, 0, 0.5, body=spin, friction=0.0, rolling_resistance=c) for x, c in ((-2, 0.0), (2, 0.05))
    ]
    game.run(30)
    assert game.spin(balls[0])[1] == pytest.approx(4, abs=1e-3)
    assert game.spin(balls[1])[1] == pytest.approx(4 - 0.05 * 10 / (0.4 * 0.5) * 0.5, abs=0.02)


def test_boxes_and_worlds_without_it_do_not_change(yard: Start) -> None:
    """Boxes have no radius, so they move with the same bits with and without a resistance."""
    places = []
    for resistance in (0.0, 0.5):
        game = yard(-10)
        game.ground(rolling_resistance=resistance)
        box = game.box(0, 1, 0, body={"velocity": (3, 0, 0), "angular_velocity": (1, 2, 3)})
        game.run(60)
        places.append(game.position(box).tolist())
    assert places[0] == places[1]


def test_two_balls_that_roll_on_each_other_keep_their_angular_momentum(yard: Start) -> None:
    """Rolling resistance between two free balls slows the difference of their spins, and keeps the sum."""
    game = yard()
    bodies = [{"velocity": (-x, 0, 0), "angular_velocity": (x, 0, 0)} for x in (-0.55, 0.55)]
    balls = [
        game.ball(-body["velocity"][0], 0, 0, 0.5, body=body, friction=0.0, rolling_resistance=1.0) for body in bodies
    ]
    game.run(20)
    spins = [game.spin(ball)[0] for ball in balls]
    assert spins[0] + spins[1] == pytest.approx(0, abs=1e-5)
    assert abs(spins[1] - spins[0]) < 1.0
