"""Fast bodies do not pass through thin ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_physics3d import Body3D, BodyType3D, Collider3D, ContactBegin3D
from rish_physics3d.geometry import hull_of
from rish_space3d import Transform3D, quaternions

Start = Callable[..., Any]
SHEET = 0.001
"""The thickness of the walls, m."""


def quad(a: Any, b: Any, c: Any, d: Any) -> dict[str, Any]:
    """Return a mesh of two triangles, counter-clockwise from a to d."""
    return {"shape": "mesh", "points": [a, b, c, d], "triangles": [0, 1, 2, 0, 2, 3]}


SHEETS: dict[str, dict[str, Any]] = {
    "box": {"size": (10, SHEET, 10)},
    "hull": {
        "shape": "hull",
        "points": [(x, y, z) for x in (-5, 5) for y in (-SHEET / 2, SHEET / 2) for z in (-5, 5)],
    },
    "plane": {"shape": "plane"},
    "mesh": quad((-5, 0, -5), (-5, 0, 5), (5, 0, 5), (5, 0, -5)),
    "heightfield": {"shape": "heightfield", "columns": 5, "cell": 2.5, "heights": [0.0] * 25},
}
_TIP = np.array([(0, 0.06, 0), (0.05, -0.05, 0), (-0.05, -0.05, 0.04), (-0.02, -0.05, -0.06)])
SHOTS: dict[str, dict[str, Any]] = {
    "sphere": {"shape": "sphere", "radius": 0.05},
    "box": {"size": (0.1, 0.06, 0.04)},
    "capsule": {"shape": "capsule", "radius": 0.02, "size": (0, 0.2, 0)},
    "hull": {"shape": "hull", "points": (_TIP - hull_of(_TIP).center).tolist()},
}


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_bullet_passes_a_thin_sheet(yard: Start, sheet: str) -> None:
    """Spheres, boxes, capsules and hulls of 5 cm at 500 m/s, spinning or not, stay in front of what is 1 mm thick."""
    game = yard(max_speed=1000)
    game.put(0, 0, 0, Collider3D(**SHEETS[sheet]))
    shots = []
    for k, shape in enumerate(SHOTS.values()):
        for spin in (0, 40):
            x, z = 0.7 * k - 1.3, 0.0 if sheet == "capsule" else 0.5 + 0.11 * spin
            body = Body3D(velocity=(0, -500, 0), angular_velocity=(spin, 0, spin))
            shots.append(game.put(x, 3.1 + 0.7 * (spin > 0) + 0.31 * k, z, body, Collider3D(restitution=0.3, **shape)))
    for _ in range(12):
        game.run(1)
        assert min(game.position(shot)[1] for shot in shots) > -0.03
    assert max(game.velocity(shot)[1] for shot in shots) < 200


def test_it_can_be_switched_off(yard: Start) -> None:
    """Without `continuous` a fast body passes a thin wall."""
    game = yard(continuous="false")
    game.put(0, 0, 0, Collider3D(**SHEETS["box"]))
    shot = game.ball(0, 3.1, 0, 0.05, body={"velocity": (0, -300, 0)})
    game.run(2)
    assert game.position(shot)[1] < -1


def test_sensors_do_not_stop(yard: Start) -> None:
    """A fast body passes a sensor, and a fast sensor passes walls."""
    game = yard()
    game.put(0, 0, 0, Collider3D(sensor=True, **SHEETS["box"]))
    game.put(0, -2, 0, Collider3D(**SHEETS["box"]))
    shot = game.ball(0, 1, 0, 0.05, body={"velocity": (0, -100, 0)})
    ghost = game.put(2, 1, 0, Body3D(velocity=(0, -100, 0), mass=1), Collider3D(sensor=True))
    game.run(4)
    assert -2 < game.position(shot)[1] < -1.9
    assert game.position(ghost)[1] < -5


def test_filters_and_joints_let_pass(yard: Start) -> None:
    """A fast body passes what it does not collide with: by a group, or because a joint connects both."""
    from rish_physics3d import DistanceJoint3D

    game = yard()
    wall = game.put(0, 0, 0, Collider3D(group=-1, **SHEETS["box"]))
    shots = [
        game.ball(x, 3.1, 0, 0.05, body={"velocity": (0, -200, 0)}, group=group)
        for x, group in ((0, -1), (1, 0), (2, 0))
    ]
    game.world.spawn(DistanceJoint3D(a=wall, b=shots[1], length=5, limited=True, lower=0, upper=100, spring=True))
    game.run(3)
    assert game.position(shots[0])[1] < -1
    assert game.position(shots[1])[1] < -0.5
    assert game.position(shots[2])[1] > 0


@pytest.mark.parametrize("bullet", [True, False])
def test_only_bullets_hit_thin_plates_that_float(yard: Start, bullet: bool) -> None:
    """A bullet gives its momentum to a thin plate that floats freely; another body as fast passes it."""
    game = yard(max_speed=1000)
    plate = game.box(0, 0, 0, (2, 0.01, 2), density=500)
    shot = game.ball(0, 3.1, 0, 0.05, body={"velocity": (0, -500, 0), "bullet": bullet}, density=1000)
    game.run(6)
    if not bullet:
        assert game.position(shot)[1] < game.position(plate)[1] - 1
        assert game.velocity(plate).tolist() == [0, 0, 0]
        return
    masses = 500 * 2 * 0.01 * 2, 1000 * 4 / 3 * np.pi * 0.05**3
    assert game.position(shot)[1] > game.position(plate)[1]
    assert game.velocity(plate)[1] < -5
    momentum = masses[0] * game.velocity(plate)[1] + masses[1] * game.velocity(shot)[1]
    assert momentum == pytest.approx(-500 * masses[1], rel=1e-3)


def test_bullets_hit_each_other(yard: Start) -> None:
    """Two bullets that fly at each other meet in the middle."""
    game = yard()
    a = game.ball(-3, 0, 0, 0.05, body={"velocity": (350, 0, 0), "bullet": True})
    b = game.ball(3, 0, 0, 0.05, body={"velocity": (-350, 0, 0), "bullet": True})
    for _ in range(5):
        game.run(1)
        assert game.position(a)[0] < game.position(b)[0]
    assert game.velocity(a)[0] == pytest.approx(0, abs=1)


def test_the_tip_of_a_spinning_rod_does_not_pass_a_wall(yard: Start) -> None:
    """A rod of 4 m at 60 rad/s, whose tip has 120 m/s, strikes a thin wall beside it, and never lies across it."""
    game = yard()
    game.put(1.2, 0, 0, Collider3D(size=(SHEET, 4, 8)))
    rod = game.box(0, 0, 0, (0.1, 0.1, 4), body={"angular_velocity": (0, 60, 0)})
    for _ in range(30):
        game.run(1)
        axis = quaternions.turned(game.world.get(rod, Transform3D).rotation, (0, 0, 1))
        x = game.position(rod)[0]
        assert max(x + 2 * axis[0], x - 2 * axis[0]) < 1.2 + 0.1
    assert abs(game.spin(rod)[1]) < 59


def test_no_end_of_a_spinning_rod_gets_through_a_plate(yard: Start) -> None:
    """Rods at rest on a thin plate that begin to spin at 150 rad/s reach the middle of it with neither end."""
    game, rng, rods = yard(), np.random.default_rng(1), []
    for k in range(long(400, 30)):
        game.put(3 * k, 0, 0, Collider3D(size=(2, 0.02, 2)))
        turn, spin = quaternions.normalized(rng.normal(size=4)), rng.normal(size=3)
        below = 0.0305 + abs(quaternions.turned(turn, (0, 0.08, 0))[1])
        spin *= 150 / np.linalg.norm(spin)
        body = Body3D(velocity=(0, float(rng.uniform(5, 20)), 0), angular_velocity=spin.tolist())
        rods.append(game.put(3 * k, -below, 0, body, Collider3D(**SHOTS["capsule"]), rotation=turn.tolist()))
    places = game.world.table(Transform3D)
    rows = places.rows_of(np.array(rods))
    for _ in range(6):
        game.run(1)
        reach = abs(quaternions.turned(places.rotation[rows].astype(np.float64), (0, 0.08, 0))[:, 1])
        assert (places.position[rows, 1] + reach).max() < 0


def test_a_moving_wall_takes_along_what_it_meets(yard: Start) -> None:
    """A ball that meets a thin kinematic wall, moved by its velocity or its position, is never behind it."""
    for written in (False, True):
        game = yard()
        velocity = (0, 0, 0) if written else (40, 0, 0)
        wall = game.box(0, 0, 0, (0.02, 4, 4), body={"type": BodyType3D.KINEMATIC, "velocity": velocity})
        ball = game.ball(8, 0.3, 0, 0.1, body={"velocity": (-150, 0, 0)})
        game.run(1)
        for tick in range(30):
            if written:
                game.world.get(wall, Transform3D).position = (40 / 60 * (tick + 1), 0, 0)
            game.run(1)
            assert game.position(ball)[0] > game.position(wall)[0]


@pytest.mark.parametrize("asleep", [False, True])
def test_a_fast_wall_runs_nothing_over(yard: Start, asleep: bool) -> None:
    """Balls and boxes at rest, awake or asleep, are before a thin kinematic wall at 200 m/s, and move with it."""
    game = yard()
    wall = game.box(0, 0, 0, (0.02, 4, 4), body={"type": BodyType3D.KINEMATIC, "velocity": (200, 0, 0)})
    rest = {"asleep": asleep}
    ball, box = game.ball(1.9, 0.8, 0, 0.1, body=rest), game.box(4.2, -0.6, 0.3, (0.2, 0.2, 0.2), body=rest)
    for _ in range(6):
        game.run(1)
        assert game.position(ball)[0] > game.position(wall)[0]
        assert game.position(box)[0] > game.position(wall)[0]
    assert not game.world.get(ball, Body3D).asleep
    assert game.velocity(ball)[0] == pytest.approx(200, rel=0.05)


def test_a_fast_body_bounces_with_its_speed_and_tells(yard: Start) -> None:
    """A ball at 200 m/s bounces off a thin floor with restitution times its speed; the contact tells the speed."""
    game = yard(-10)
    game.put(0, 0, 0, Collider3D(**SHEETS["box"]))
    ball = game.ball(0, 7, 0, 0.1, body={"velocity": (0, -200, 0)}, restitution=0.5)
    speeds = []
    for _ in range(4):
        game.run(1)
        speeds += [event.speed for event in game.world.events(ContactBegin3D)]
    assert game.velocity(ball)[1] == pytest.approx(100, rel=0.01)
    assert speeds == [pytest.approx(200, rel=0.01)]


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["boxes", "mesh"])
def test_what_rolls_and_slides_fast_is_not_stopped(yard: Start, ground: str) -> None:
    """A ball and a box at 30 m/s on a floor of many parts lose no more speed than friction takes."""
    game = yard(-10)
    if ground == "boxes":
        for k in range(10):
            game.put(2.5 + 5 * k, -1, 0, Collider3D(size=(5, 2, 20), friction=0.0))
    else:
        game.put(20, 0, 0, Collider3D(shape="heightfield", columns=21, cell=2.5, heights=[0.0] * 21 * 9, friction=0.0))
    ball = game.ball(1, 0.3, 0, 0.3, body={"velocity": (30, 0, 0)}, friction=0.0)
    box = game.box(1, 0.2, 3, (0.4, 0.4, 0.4), body={"velocity": (30, 0, 0)}, friction=0.0)
    game.run(40)
    for body in (ball, box):
        assert game.velocity(body)[0] == pytest.approx(30, rel=0.01)
        assert game.position(body)[1] < 0.32
    assert game.position(ball)[0] == pytest.approx(21, abs=1)


def room(game: Any, x: float, kind: str) -> None:
    """Spawn a closed room of half size 2 with walls of one kind, whose centers are at x."""
    ends = [(-2, -2), (2, -2), (2, 2), (-2, 2)]
    for axis in range(3):
        for side in (-2.0, 2.0):
            place, size = np.zeros(3), np.full(3, 4.02)
            place[axis], size[axis] = side, 0.02
            if kind == "boxes":
                game.put(x + place[0], place[1], place[2], Collider3D(size=size.tolist(), restitution=0.5))
                continue
            corners = np.insert(np.array(ends, float), axis, side, axis=1)
            if (np.cross(corners[1] - corners[0], corners[2] - corners[0])[axis] > 0) == (side > 0):
                corners = corners[::-1]  # the front is inside
            game.put(x, 0, 0, Collider3D(restitution=0.5, **quad(*corners.tolist())))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["boxes", "mesh"])
def test_shots_stay_in_their_rooms(yard: Start, kind: str) -> None:
    """All shapes at up to 400 m/s, which spin, stay in closed rooms of thin walls, and gain no energy."""
    count = long(200, 6)
    for seed in range(long(5, 1)):
        rng, game = np.random.default_rng(seed), yard()
        shots, shapes = [], list(SHOTS.values())
        for k in range(count):
            room(game, 8 * k, kind)
            velocity = rng.normal(size=3)
            velocity *= rng.uniform(0.2, 1) * 400 / np.linalg.norm(velocity)
            body = Body3D(
                velocity=velocity.tolist(), angular_velocity=rng.uniform(-30, 30, 3).tolist(), bullet=bool(k % 2)
            )
            place = rng.uniform(-1, 1, 3)
            turn = rng.normal(size=4).tolist()
            shots.append(
                game.put(8 * k + place[0], place[1], place[2], body, Collider3D(**shapes[k % 4]), rotation=turn)
            )
        places, table = game.world.table(Transform3D), game.world.table(Body3D)
        rows, own = places.rows_of(np.array(shots)), table.rows_of(np.array(shots))
        middles = 8.0 * np.arange(count)
        before = np.linalg.norm(table.velocity[own], axis=1)
        for _ in range(40):
            game.run(1)
            away = places.position[rows].astype(np.float64)
            away[:, 0] -= middles
            assert (np.abs(away).max(axis=1) < 2.02).all(), (seed, np.flatnonzero(np.abs(away).max(axis=1) >= 2.02))
            assert (np.linalg.norm(table.velocity[own], axis=1) < before + 20).all(), seed  # of rotation: 0.1 m * 188/s
