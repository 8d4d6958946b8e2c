"""A character in space: slopes, steps, walls, corners, ceilings, crouching and pushing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import Body3D, Character3D, Collider3D
from rish_space3d import Transform3D, quaternions

HEADINGS = np.radians([0, 50, 90, 200, 290])


def slope(game: Any, at: Any, heading: float, degrees: float, size: float = 12) -> None:
    """Add a slope through a place that rises in the direction of a heading."""
    tilt = np.radians(degrees)
    turn = quaternions.product(quaternions.from_axis((0, 1, 0), -heading), quaternions.from_axis((0, 0, 1), tilt))
    down = quaternions.turned(turn, np.array([0.0, -0.5, 0]))
    game.world.spawn(
        Transform3D(position=np.array(at, np.float64) + down, rotation=turn), Collider3D(size=(size, 1, size))
    )


def test_it_falls_lands_and_counts_the_time_since_it_stood(course: Callable[..., Any]) -> None:
    """A character falls, lands a millimeter above the ground without velocity, and `air_time` is 0 while it stands."""
    game = course()
    floor = game.solid((0, -1, 0), (40, 2, 40))
    me = game.walker(0, 1, 0)
    game.go(12, {me: (0, 0)})
    assert game.it(me).air_time == pytest.approx(0.2)
    assert not game.it(me).grounded
    game.go(30, {me: (0, 0)})
    it = game.it(me)
    assert it.grounded
    assert it.ground == floor
    assert it.air_time == 0
    assert game.feet(me) == pytest.approx([0, 0, 0], abs=2e-3)
    assert it.velocity.tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    it.velocity = (0, 5, 0)
    game.app.tick()
    assert game.it(me).air_time == pytest.approx(1 / 60)
    assert not game.it(me).grounded


@pytest.mark.parametrize("degrees", [20, 49])
def test_slopes_up_to_the_steepest_neither_slow_it_nor_let_it_slide(course: Callable[..., Any], degrees: float) -> None:
    """Up, down and across, in every direction, it keeps its horizontal speed and its ground; standing, it stays."""
    game = course()
    walkers = {}
    for k, heading in enumerate(HEADINGS.tolist()):
        slope(game, (40 * k, 0, 0), heading, degrees)
        c, s = np.cos(heading), np.sin(heading)
        walkers[game.walker(40 * k, 0.3, 0)] = np.array([[c, s], [-c, -s], [-s, c], [0, 0]])
    game.go(20, dict.fromkeys(walkers, (0, 0)))
    for leg in range(4):
        before = {me: game.feet(me) for me in walkers}
        for _ in range(10):
            game.go(1, {me: 2.4 * ways[leg] for me, ways in walkers.items()})
            assert all(game.it(me).grounded for me in walkers)
        for me, ways in walkers.items():
            moved = (game.feet(me) - before[me])[[0, 2]]
            assert moved == pytest.approx(0.4 * ways[leg], abs=1e-3 if leg == 3 else 4e-3)


def test_steeper_slopes_stop_it_and_let_it_slide_down(course: Callable[..., Any]) -> None:
    """It does not walk up a slope of 60 degrees from the ground, and does not stand where it falls on one."""
    game = course()
    game.solid((0, -1, 0), (40, 2, 40))
    slope(game, (5, 0, 0), 0.0, 60)
    slope(game, (100, 0, 0), 0.7, 60)
    me, falling = game.walker(2, 0.1, 0), game.walker(100, 1, 0)
    game.go(70, {me: (4, 1), falling: (0, 0)})
    assert game.feet(me)[1] == pytest.approx(0, abs=2e-3)
    assert 3.5 < game.feet(me)[0] < 5
    assert game.feet(me)[2] == pytest.approx(70 / 60, abs=0.05)  # it slides along the wall
    assert game.it(me).on_wall
    assert not game.it(falling).grounded
    assert game.feet(falling)[1] < 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["capsule", "box"])
def test_it_climbs_steps_and_walks_down_them(course: Callable[..., Any], form: str) -> None:
    """It walks up and down stairs in any direction without leaving the ground, and rests on the edge of a step; higher
    steps than `step_height` stop it.
    """
    game = course()
    game.solid((0, -1, 0), (300, 2, 300))
    walkers: dict[int, Any] = {}
    low = {}
    for k, heading in enumerate(HEADINGS[[1, 3]].tolist()):
        c, s = np.cos(heading), np.sin(heading)
        for step in range(3):
            at = 1.5 + 0.4 * step + 2
            middle = (30 * k + at * c, 0.125 * (step + 1), at * s)
            game.solid(middle, (4, 0.25 * (step + 1), 4), turn=-heading)
        collider = Collider3D(size=(0.6, 1.8, 0.6)) if form == "box" else None
        walkers[game.walker(30 * k, 0.05, 0, collider, step_height=0.3)] = np.array([c, s])
        low[game.walker(30 * k - 0.2 * s, 0.05, 0.2 * c, None, step_height=0.2)] = np.array([c, s])
    for me in low:
        game.it(me).mask = 1
    for entity in (*walkers, *low):
        game.world.get(entity, Collider3D).category = 2
        game.it(entity).mask = 1
    game.go(5, dict.fromkeys((*walkers, *low), (0, 0)))
    for tick in range(50):
        speed = 0 if 28 <= tick < 36 else 3.6
        before = [game.feet(me) for me in walkers]
        game.go(1, {me: speed * way for me, way in {**walkers, **low}.items()})
        assert all(game.it(me).grounded for me in walkers), tick
        if 30 < tick < 36:
            assert [game.feet(me) for me in walkers] == [pytest.approx(at, abs=1e-4) for at in before]
    assert [game.feet(me)[1] for me in walkers] == [pytest.approx(0.75, abs=3e-3)] * 2
    assert [game.feet(me)[1] for me in low] == [pytest.approx(0, abs=3e-3)] * 2
    for _ in range(42):
        game.go(1, {me: -3.6 * way for me, way in walkers.items()})
        assert all(game.it(me).grounded for me in walkers)
    assert [game.feet(me)[1] for me in walkers] == [pytest.approx(0, abs=3e-3)] * 2


@pytest.mark.parametrize("degrees", [40, 150])
def test_corners_stop_it_without_a_tremble(course: Callable[..., Any], degrees: float) -> None:
    """It slides along two walls into their corner and stays there exactly, without overlap."""
    game = course()
    game.solid((0, -1, 0), (100, 2, 100))
    half = np.radians(degrees) / 2
    for sign in (-1, 1):  # the corner is at x = 4; its walls open toward -x
        way = np.array([-np.cos(half), 0, sign * np.sin(half)])
        out = np.array([np.sin(half), 0, sign * np.cos(half)])
        game.solid(np.array([4, 1, 0]) + 6 * way + 0.5 * out, (12, 4, 1), turn=sign * half)
    me = game.walker(2.8, 0.02, 0.05)
    game.go(60, {me: (3, 0.4)})
    there = game.place(me)
    assert there[0] > 2.9
    game.go(6, {me: (3, 0.4)})
    assert game.place(me) == pytest.approx(there, abs=1e-6)
    assert game.it(me).on_wall
    assert not game.overlaps(me)


def test_ceilings_stop_it(course: Callable[..., Any]) -> None:
    """A jump ends at a ceiling, which takes its velocity upwards; a slope below a ceiling leads until both touch it."""
    game = course()
    game.solid((0, -1, 0), (40, 2, 40))
    game.solid((0, 3, 0), (40, 1.2, 40))
    slope(game, (3, 0, 0), 0.0, 30)
    me, walker = game.walker(0, 0.02, 3), game.walker(2.2, 0.02, 0)
    game.go(2, {me: (0, 0), walker: (0, 0)})
    game.it(me).velocity = (0, 6, 0)
    highest, touched = 0.0, False
    for _ in range(45):
        game.go(1, {me: (0, 0), walker: (3, 0)})
        highest = max(highest, game.feet(me)[1])
        touched |= game.it(me).on_ceiling
    assert touched
    assert highest == pytest.approx(0.6, abs=5e-3)
    assert not game.overlaps(walker)
    assert game.feet(walker)[1] == pytest.approx(0.6, abs=0.02)


def test_it_crouches_and_stands_up_where_there_is_room(course: Callable[..., Any]) -> None:
    """A lower `height` lowers its top at once; it gets up again when nothing is above it. Its feet stay."""
    game = course()
    game.solid((0, -1, 0), (40, 2, 40))
    game.solid((2, 1.7, 0), (1, 1, 10))  # a bar 1.2 m above the ground
    me = game.walker(0, 0.02, 0)
    game.go(5, {me: (0, 0)})
    game.go(60, {me: (2, 0)})
    assert game.feet(me)[0] < 1.3
    game.it(me).height = 1.0
    game.go(40, {me: (2, 0)})
    collider = game.world.get(me, Collider3D)
    assert collider.size[1] == 1
    assert game.feet(me) == pytest.approx([1.2 + 80 / 60, 0, 0], abs=0.04)
    assert collider.offset.tolist() == pytest.approx([0, -0.4, 0])
    game.it(me).height = 1.8
    game.go(1, {me: (0, 0)})
    assert collider.size[1] == 1
    game.go(30, {me: (2, 0)})
    assert collider.size[1] == pytest.approx(1.8)
    assert collider.offset.tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    assert game.feet(me)[1] == pytest.approx(0, abs=2e-3)


def test_it_pushes_bodies_with_at_most_its_force(course: Callable[..., Any]) -> None:
    """A crate is a wall without `push`, stays if friction is stronger, and otherwise moves at the speed of the walk."""
    game = course()
    game.solid((0, -1, 0), (80, 2, 80))
    walkers, crates = {}, []
    for k, push in enumerate((0.0, 100.0, 2000.0)):  # friction holds 0.6 * 100 kg * 10 m/s² = 600 N
        crates.append(game.solid((1.5, 0.5, 6 * k), (1, 1, 1), Body3D(mass=100)))
        walkers[game.walker(0, 0.02, 6 * k + 0.1, push=push)] = (1.5, 0)
    game.go(72, walkers)
    ends = [game.place(crate)[0] for crate in crates]
    assert ends[:2] == [pytest.approx(1.5, abs=0.01)] * 2
    speed = float(game.world.get(crates[2], Body3D).velocity[0])
    assert 1.3 < speed < 1.6
    assert ends[2] > 1.9
    assert game.place(crates[2])[1] == pytest.approx(0.5, abs=0.01)
    assert not any(game.overlaps(me, 0.01) for me in walkers)


def test_it_weighs_what_its_mass_says(course: Callable[..., Any]) -> None:
    """A character without mass neither holds nor presses the body on which it stands; with one it slows a lift."""
    game = course()
    lifts = []
    for k, mass in enumerate((0.0, 50.0)):
        body = Body3D(mass=100, gravity_scale=0, velocity=(0, 1, 0))
        lifts.append(game.solid((6 * k, -0.5, 0), (4, 1, 4), body))
        game.walker(6 * k, 0.001, 0, mass=mass)
    game.go(30, dict.fromkeys(game.world.query(Character3D).entities.tolist(), (0, 0)))
    speeds = [float(game.world.get(lift, Body3D).velocity[1]) for lift in lifts]
    assert speeds[0] == pytest.approx(1, abs=1e-3)
    assert speeds[1] == pytest.approx(1 - 50 * 10 / 100 * 28 / 60, abs=0.2)


def test_one_that_cannot_walk_is_named(course: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """A dynamic body and a plane are no characters; the log names each once, and both stay."""
    game = course()
    game.world.spawn(
        Transform3D(position=(0, 5, 0)), Body3D(gravity_scale=0), Collider3D(), Character3D(velocity=(1, 0, 0))
    )
    game.world.spawn(
        Transform3D(position=(0, -5, 0)), Body3D(type="kinematic"), Collider3D(shape="plane"),
        Character3D(velocity=(1, 0, 0)),
    )  # fmt: skip
    game.go(3, {})
    texts = [record.message for record in caplog.records]
    assert sum("needs a Body3D of type kinematic" in text for text in texts) == 1
    assert sum("needs a convex Collider3D" in text for text in texts) == 1
