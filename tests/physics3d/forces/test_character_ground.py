"""What characters stand on: moving and turning platforms, terrain, bodies, each other; and random courses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import LONG
from rish_physics3d import Body3D, Character3D, Collider3D
from rish_physics3d.bodies.driven import forget_poses
from rish_space3d import Transform3D, quaternions

DT = 1 / 60


@pytest.mark.parametrize("how", ["velocity", "transform", "parent", "dynamic"])
def test_a_platform_carries_it_however_it_is_moved(course: Callable[..., Any], how: str) -> None:
    """It keeps its place on a platform that moves in all directions, and can walk on it; the gap below stays."""
    game, way = course(), np.array([1.5, 0.8, -0.6])
    body = {"velocity": Body3D(type="kinematic", velocity=way), "dynamic": Body3D(gravity_scale=0, velocity=way)}
    platform = game.solid((0, -0.5, 0), (6, 1, 6), *([body[how]] if how in body else []))
    parent = game.world.spawn(Transform3D())
    if how == "parent":
        game.world.get(platform, Transform3D).parent = parent
    still, walker = game.walker(1, 0.001, 1), game.walker(-1, 0.001, -1)
    if how in ("transform", "parent"):
        game.go(1, {})  # it lands
    for tick in range(30):
        if how in ("transform", "parent"):
            target = platform if how == "transform" else parent
            start = np.array([0, -0.5 if how == "transform" else 0, 0])
            game.world.get(target, Transform3D).position = start + way * DT * (tick + 1)
        game.go(1, {still: (0, 0), walker: (0, 0.5)})
        assert game.it(still).grounded
    assert game.feet(still) == pytest.approx(way / 2 + [1, 0, 1], abs=3e-3)
    assert game.feet(walker) == pytest.approx(way / 2 + [-1, 0, -0.75], abs=5e-3)


@pytest.mark.parametrize("how", ["velocity", "transform"])
def test_a_turning_platform_carries_it_round(course: Callable[..., Any], how: str) -> None:
    """At 2 m from the axis of a platform that turns at 1 rad/s it moves at 2 m/s, within 1 %, and stays at 2 m."""
    game = course()
    body = [Body3D(type="kinematic", angular_velocity=(0, 1, 0))] if how == "velocity" else []
    platform = game.solid((0, -0.5, 0), (6, 1, 6), *body)
    me = game.walker(2, 0.001, 0)
    if how == "transform":
        game.go(1, {})  # it lands
    for tick in range(45):
        if how == "transform":
            turn = quaternions.from_axis((0, 1, 0), (tick + 1) * DT)
            game.world.get(platform, Transform3D).rotation = turn
        game.go(1, {me: (0, 0)})
    x, y, z = game.feet(me)
    assert np.arctan2(-z, x) == pytest.approx(0.75, rel=0.01)
    assert np.hypot(x, z) == pytest.approx(2, abs=5e-3)
    assert y == pytest.approx(0, abs=3e-3)


def test_walls_that_come_push_it_and_the_game_may_place_it_elsewhere(course: Callable[..., Any]) -> None:
    """A kinematic wall pushes it along; a position that the game writes is where it goes on, off its platform."""
    game = course()
    game.solid((0, -1, 0), (40, 2, 40))
    game.solid((-2, 1, 0), (1, 2, 6), Body3D(type="kinematic", velocity=(2, 0, 0)))
    me = game.walker(0, 0.001, 0)
    game.go(48, {me: (0, 0)})
    assert game.feet(me)[0] == pytest.approx(0.4, abs=0.01)
    assert not game.overlaps(me)
    lift = game.solid((10, -0.4, 0), (4, 1, 4), Body3D(type="kinematic", velocity=(0, 1, 0)))
    game.world.get(me, Transform3D).position = (10, 1.05, 0)
    game.go(10, {me: (0, 0)})
    assert game.it(me).ground == lift
    game.world.get(me, Transform3D).position = (0, 0.95, 10)
    game.go(20, {me: (0, 0)})
    assert game.feet(me) == pytest.approx([0, 0, 10], abs=3e-3)


def test_a_platform_that_is_teleported_carries_nobody(course: Callable[..., Any]) -> None:
    """A character whose platform jumps away from under it falls where it was."""
    game = course()
    platform = game.solid((0, -0.5, 0), (3, 1, 3), Body3D(type="kinematic"))
    me = game.walker(0, 0.001, 0)
    game.go(2, {me: (0, 0)})
    assert game.it(me).grounded
    game.world.get(platform, Transform3D).position = (4, -0.5, 0)
    forget_poses(game.world, np.array([platform]))
    game.go(10, {me: (0, 0)})
    assert not game.it(me).grounded
    assert game.feet(me)[0] == 0


def test_characters_stand_on_each_other_on_a_lift(course: Callable[..., Any]) -> None:
    """A tower of three characters is carried up by a lift, and the two above go with the lowest when it walks."""
    game = course()
    game.solid((0, -0.5, 0), (9, 1, 9), Body3D(type="kinematic", velocity=(0, 1, 0)))
    box = {"size": (0.6, 1.8, 0.6)}
    tower = [game.walker(0, 0.001 + 1.801 * k, 0, Collider3D(**box)) for k in range(3)]
    game.go(5, dict.fromkeys(tower, (0, 0)))
    game.go(30, {tower[0]: (1, 0), tower[1]: (0, 0), tower[2]: (0, 0)})
    height = 35 * DT
    for k, each in enumerate(tower):
        assert game.it(each).grounded
        assert game.feet(each) == pytest.approx([0.5, height + 1.801 * k, 0], abs=0.03)


def hills(count: int, cell: float) -> Any:
    """Return the heights of hills of up to 40 degrees, (count, count)."""
    x, z = np.meshgrid(np.arange(count) * cell, np.arange(count) * cell)
    return 0.8 * np.sin(0.8 * x) * np.cos(0.7 * z)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["heightfield", "mesh"])
def test_it_walks_over_terrain(course: Callable[..., Any], kind: str) -> None:
    """On hills of a heightfield or a mesh characters keep their speed and the ground in all directions."""
    game, count, cell = course(), 23, 0.5
    heights = hills(count, cell)
    if kind == "heightfield":
        form = {"heights": heights.ravel().tolist(), "columns": count, "cell": cell}
    else:
        axis = (np.arange(count) - (count - 1) / 2) * cell
        points = [(axis[i], heights[j, i], axis[j]) for j in range(count) for i in range(count)]
        corners = [(j * count + i, j * count + i + 1) for j in range(count - 1) for i in range(count - 1)]
        triangles = [n for a, b in corners for n in (a, a + count, b, b, a + count, b + count)]
        form = {"points": points, "triangles": triangles}
    game.world.spawn(Transform3D(), Collider3D(shape=kind, **form))
    ways = {}
    for heading in np.radians([0, 80, 150, 260]).tolist():
        ways[game.walker(0, 0.3, 0, mask=1)] = (3 * np.cos(heading), 3 * np.sin(heading))
    for me in ways:
        game.world.get(me, Collider3D).category = 2
    game.go(30, dict.fromkeys(ways, (0, 0)))
    before = {me: game.feet(me) for me in ways}
    for _ in range(30):
        game.go(1, ways)
        assert all(game.it(me).grounded for me in ways)
    for me, (x, z) in ways.items():
        assert (game.feet(me) - before[me])[[0, 2]] == pytest.approx([x * 30 * DT, z * 30 * DT], rel=0.02, abs=0.05)
        assert not game.overlaps(me, 5e-3)


def random_course(game: Any, seed: int) -> list[int]:
    """Add a floor, boxes that are turned in all ways, a moving one, and four characters."""
    stream = np.random.default_rng(seed)
    game.solid((0, -1, 0), (60, 2, 60))
    for _ in range(60):
        at = np.append(stream.uniform(-6, 6, 2), stream.uniform(0, 1.2))[[0, 2, 1]]
        game.solid(at, stream.uniform(0.3, 2, 3), axis=stream.normal(size=3), turn=stream.uniform(0, 3))
    for _ in range(3):
        body = Body3D(type="kinematic", angular_velocity=(0, 0.7, 0))
        game.solid(np.append(stream.uniform(-6, 6, 2), 0.2)[[0, 2, 1]], (2.5, 0.4, 0.5), body)
    starts = stream.uniform(-5, 5, (4, 2)).tolist()
    return [game.walker(x, 3.5 + k, z, step_height=0.3) for k, (x, z) in enumerate(starts)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 41) if LONG else [1])
def test_random_walks_never_enter_what_stands(course: Callable[..., Any], seed: int) -> None:
    """Characters that walk and jump at random through a course never overlap what is static by 3 mm."""
    game = course()
    walkers = random_course(game, seed)
    stream, ways = np.random.default_rng(seed + 10), {}
    moving = set(game.world.query(Body3D).entities.tolist())
    for tick in range(400 if LONG else 80):
        if tick % 20 == 0:
            ways = {me: stream.uniform(-5, 5, 2).tolist() for me in walkers}
            for me in walkers:
                if game.it(me).grounded and stream.uniform() < 0.5:
                    game.it(me).velocity = (0, 5, 0)
        game.go(1, ways)
        if tick > 30 and tick % 8 == 0:
            for me in walkers:
                assert not set(game.overlaps(me, 3e-3)) - moving, tick


def test_it_continues_with_the_same_bits_after_a_restore(course: Callable[..., Any]) -> None:
    """A World that is restored, and one that has run on, are equal to the bit after more walking."""
    game = course()
    walkers = random_course(game, 5)
    game.solid((0, 5, 0), (1, 1, 1), Body3D())
    ways = {me: (3.0, 1.0 - k) for k, me in enumerate(walkers)}
    game.go(25, ways)
    snapshot = game.world.snapshot()

    def run() -> Any:
        game.go(15, ways)
        table = game.world.table(Character3D)
        columns = [table.velocity, table.normal, table.air_time, game.world.table(Transform3D).position]
        return [column.copy() for column in columns]

    first = run()
    game.world.restore(snapshot)
    assert all((a == b).all() for a, b in zip(first, run(), strict=True))
