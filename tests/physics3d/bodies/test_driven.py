"""Kinematic bodies whose position is written are there at the end of the tick, and push and carry what they meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import Body3D, BodyType3D, Collider3D
from rish_physics3d.bodies.driven import forget_poses
from rish_space3d import Transform3D, quaternions

Start = Callable[..., Any]
DT = 1 / 60


def lift_and_load(yard: Start, **settings: Any) -> tuple[Any, int, int]:
    """Return a game with a kinematic platform whose top is at y = 0, and a box on it."""
    game = yard(-10, **settings)
    lift = game.box(0, -0.5, 0, (6, 1, 6), body={"type": BodyType3D.KINEMATIC}, friction=1.0)
    load = game.box(2, 0.5, 0, friction=1.0)
    game.run(2)
    return game, lift, load


def write(game: Any, entity: int, position: Any, rotation: Any = (0, 0, 0, 1)) -> None:
    """Write a pose."""
    place = game.world.get(entity, Transform3D)
    place.position, place.rotation = position, np.asarray(rotation, np.float64).tolist()


def test_a_platform_that_is_written_carries_its_load(yard: Start) -> None:
    """A platform whose position is written in each tick rises and moves aside with its load on it; it is exactly where
    it was written, and its own velocity stays as it is.
    """
    game, lift, load = lift_and_load(yard)
    for tick in range(1, 61):
        place = np.float32([0.02 * tick, -0.5 + 0.01 * tick, 0])
        write(game, lift, place.tolist())
        game.run(1)
        assert game.position(lift).tolist() == place.tolist()
    assert not game.velocity(lift).any()
    assert game.position(load) == pytest.approx([2 + 0.02 * 60, 0.5 + 0.01 * 60, 0], abs=0.06)
    assert game.velocity(load) == pytest.approx([0.02 / DT, 0.01 / DT, 0], abs=0.02)
    game.run(60)
    assert game.velocity(load) == pytest.approx([0, 0, 0], abs=1e-3)


def test_a_platform_that_is_turned_carries_its_load_around(yard: Start) -> None:
    """What stands on a platform that is turned by its quaternion goes around with it, and turns as fast."""
    game, lift, load = lift_and_load(yard)
    for tick in range(1, 91):
        angle = 0.4 * (tick * DT) ** 2
        write(game, lift, (0, -0.5, 0), quaternions.from_axis((0, 1, 0), angle))
        game.run(1)
    assert game.position(load) == pytest.approx([2 * np.cos(angle), 0.5, -2 * np.sin(angle)], abs=0.05)
    assert game.spin(load) == pytest.approx([0, 0.8 * 90 * DT, 0], abs=0.05)


def test_a_body_about_a_point_that_is_not_its_center_pushes_with_the_speed_there(yard: Start) -> None:
    """A flail whose collider is away from its entity hits a ball with its angular velocity times the distance."""
    game = yard()
    flail = game.put(0, 0, 0, Body3D(type=BodyType3D.KINEMATIC), Collider3D(size=(1, 1, 1), offset=(3, 0, 0)))
    ball = game.ball(3, 0, -1.05, 0.5, restitution=1.0)
    for tick in range(1, 10):
        write(game, flail, (0, 0, 0), quaternions.from_axis((0, 1, 0), 2.0 * tick * DT))
        game.run(1)
    assert game.velocity(ball)[2] == pytest.approx(-12, rel=0.03)  # twice 2 rad/s * 3 m


@pytest.mark.parametrize("kind", ["far", "forgotten"])
def test_a_jump_does_not_push(yard: Start, kind: str) -> None:
    """A position beyond what `max_speed` reaches in a tick, and a forgotten pose, push nothing and carry nothing."""
    game, lift, load = lift_and_load(yard, max_speed=50)
    way = 1.0 if kind == "far" else 0.3
    if kind == "forgotten":
        forget_poses(game.world, np.array([lift]))
    write(game, lift, (way, -0.5, 0))
    game.run(1)
    assert game.position(lift)[0] == pytest.approx(way)
    game.run(10)
    assert game.velocity(load) == pytest.approx([0, 0, 0], abs=1e-3)
    assert game.position(load)[0] == pytest.approx(2, abs=1e-3)
    write(game, lift, (way + 0.2, -0.5, 0))
    game.run(1)
    assert game.velocity(load)[0] > 0.1


def test_the_own_velocity_goes_on_after_a_written_position(yard: Start) -> None:
    """In the tick of a written position that alone counts; after it the body moves at its velocity again."""
    game = yard()
    lift = game.box(0, 0, 0, body={"type": BodyType3D.KINEMATIC, "velocity": (3, 0, 0)})
    game.run(2)
    write(game, lift, (1, 1, 1))
    game.run(1)
    assert game.position(lift).tolist() == [1, 1, 1]
    game.run(1)
    assert game.position(lift) == pytest.approx([1 + 3 * DT, 1, 1], abs=1e-5)
    assert game.velocity(lift).tolist() == [3, 0, 0]


def test_a_body_below_a_parent_that_moves_carries_its_load(yard: Start) -> None:
    """A kinematic body at a socket of an entity that is moved and turned carries what stands on it."""
    game = yard(-10)
    crane = game.put(0, 5, 0)
    lift = game.put(
        2, -5.5, 0, Body3D(type=BodyType3D.KINEMATIC), Collider3D(size=(3, 1, 3), friction=1.0), parent=crane
    )
    load = game.box(2, 0.5, 0, friction=1.0)
    game.run(2)
    for tick in range(1, 61):
        write(game, crane, (0, 5 + 0.01 * tick, 0), quaternions.from_axis((0, 1, 0), 0.5 * tick * DT))
        game.run(1)
    assert game.position(lift) == pytest.approx([2, -5.5, 0])
    assert game.position(load) == pytest.approx([2 * np.cos(0.5), 1.1, -2 * np.sin(0.5)], abs=0.06)


def test_a_written_platform_wakes_its_load_and_lets_it_sleep(yard: Start) -> None:
    """A load sleeps on a platform that stands, wakes in the tick in which it is moved, and sleeps again."""
    game, lift, load = lift_and_load(yard)
    game.run(60)
    assert game.world.get(load, Body3D).asleep
    write(game, lift, (0, -0.5, 0), (0, 0, 0, -1))
    game.run(1)
    write(game, lift, (0, -0.498, 0))
    game.run(1)
    assert not game.world.get(load, Body3D).asleep
    assert game.velocity(load)[1] == pytest.approx(0.002 / DT, abs=0.02)
    game.run(60)
    assert game.world.get(load, Body3D).asleep


def test_a_restored_game_drives_alike(yard: Start) -> None:
    """From a snapshot between two written positions the next ones give the same bits."""
    game, lift, _ = lift_and_load(yard)
    write(game, lift, (0.1, -0.5, 0))
    game.run(1)
    saved, hashes = game.world.snapshot(), []
    for _ in range(2):
        game.world.restore(saved)
        write(game, lift, (0.2, -0.45, 0), (0, 0.02, 0, 1))
        game.run(3)
        hashes.append(game.world.hash())
        write(game, lift, (1, 1, 1))
        game.run(1)
    assert hashes[0] == hashes[1]
