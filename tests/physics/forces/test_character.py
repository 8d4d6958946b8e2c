"""A walking character: slopes, steps, one-way ground and moving platforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, Character, Collider

DT = 1 / 60


def _walker(scene: Any, x: float, y: float, **values: Any) -> int:
    """Spawn a character with a capsule, 0.8 wide and 1.8 high."""
    parts = Body(type="kinematic"), Collider(shape="capsule", size=(0.8, 1.8)), Character(**values)
    return scene.put(x, y, *parts)


def _walk(scene: Any, walker: int, ticks: int, vx: float = 0.0) -> None:
    """Walk for some ticks, with gravity like in a game."""
    for _ in range(ticks):
        me = scene.world.get(walker, Character)
        vy = float(me.velocity[1])
        me.velocity = (vx, vy - 10 * DT)
        scene.run()


def test_it_falls_lands_and_stands(yard: Callable[..., Any]):
    """A character falls, lands with a small gap above the ground, and then has no velocity."""
    scene = yard()
    floor = scene.wall(0, -0.5, 40, 1)
    me = _walker(scene, 0, 3)
    _walk(scene, me, 60)
    it = scene.world.get(me, Character)
    assert it.grounded
    assert it.ground == floor
    assert scene.place(me) == pytest.approx([0, 0.9], abs=0.01)
    assert it.velocity.tolist() == pytest.approx([0, 0], abs=1e-6)


def test_it_walks_and_walls_stop_it(yard: Callable[..., Any]):
    """It walks at its speed on level ground and is stopped by a wall, which sets `on_wall`."""
    scene = yard()
    scene.wall(0, -0.5, 40, 1)
    scene.wall(5, 2, 1, 4)
    me = _walker(scene, 0, 0.95)
    _walk(scene, me, 60, vx=3)
    assert scene.place(me)[0] == pytest.approx(3, abs=0.1)
    _walk(scene, me, 60, vx=3)
    assert scene.place(me)[0] == pytest.approx(4.1, abs=0.02)
    assert scene.world.get(me, Character).on_wall


@pytest.mark.parametrize(("degrees", "walks"), [(30, True), (60, False)])
def test_it_walks_up_slopes_that_are_not_too_steep(yard: Callable[..., Any], degrees: float, walks: bool):
    """It walks up slopes of up to 50 degrees; a steeper slope is a wall."""
    scene = yard()
    scene.wall(0, -0.5, 8, 1)
    tilt = np.radians(degrees)
    c, s = float(np.cos(tilt)), float(np.sin(tilt))
    scene.wall(4 + 5 * c + 0.5 * s, 5 * s - 0.5 * c, 10, 1, angle=float(tilt))
    me = _walker(scene, 0, 0.95)
    _walk(scene, me, 180, vx=3)
    assert (scene.place(me)[1] > 1.5) == walks
    if walks:
        before = scene.place(me)
        _walk(scene, me, 60)
        assert scene.place(me) == pytest.approx(before, abs=0.02)


@pytest.mark.slow
def test_it_climbs_steps_and_walks_down_them(yard: Callable[..., Any]):
    """It walks up and down stairs with steps lower than `step_height`, without leaving the ground."""
    scene = yard()
    scene.wall(0, -0.5, 80, 1)
    for k in range(5):
        scene.wall(3 + k, 0.125 * (k + 1), 1, 0.25 * (k + 1))
    me = _walker(scene, 1.9, 0.95, step_height=0.3)
    _walk(scene, me, 10)
    highest = 0.0
    for _ in range(165):
        _walk(scene, me, 1, vx=2)
        highest = max(highest, scene.place(me)[1])
    assert highest == pytest.approx(0.9 + 1.25, abs=0.05)
    low = _walker(scene, 0, 0.95, step_height=0.1)
    _walk(scene, low, 120, vx=2)
    assert scene.place(low)[0] < 2.6


def test_one_way_ground_lets_it_through_from_below(yard: Callable[..., Any]):
    """It jumps through one-way ground from below, stands on it, and falls through it with `drop`."""
    scene = yard()
    scene.wall(0, -0.5, 40, 1)
    shelf = scene.wall(0, 2, 6, 0.2, one_way=(0, 1))
    me = _walker(scene, 0, 0.95)
    _walk(scene, me, 5)
    scene.world.get(me, Character).velocity = (0, 9)
    _walk(scene, me, 120)
    assert scene.world.get(me, Character).ground == shelf
    assert scene.place(me)[1] == pytest.approx(2.1 + 0.9, abs=0.02)
    for _ in range(15):
        scene.world.get(me, Character).drop = True
        _walk(scene, me, 1)
    _walk(scene, me, 60)
    assert scene.place(me)[1] == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize("how", ["velocity", "position"])
def test_a_platform_carries_it(yard: Callable[..., Any], how: str):
    """A platform carries it up and sideways, whether moved by velocity or by position."""
    scene = yard()
    lift = scene.put(0, 0, Body(type="kinematic"), Collider(size=(6, 1)))
    me = _walker(scene, 1, 1.5)
    _walk(scene, me, 20)
    if how == "velocity":
        scene.world.get(lift, Body).velocity = (1, 0.5)
    for tick in range(60):
        if how == "position":
            scene.world.get(lift, Transform).position = ((tick + 1) / 60, 0.5 * (tick + 1) / 60)
        _walk(scene, me, 1)
    assert scene.world.get(me, Character).ground == lift
    assert scene.place(me) == pytest.approx([2, 1.4 + 0.5], abs=0.05)


@pytest.mark.parametrize("wall", ["box", "circle", "chain", "capsule"])
def test_who_begins_in_a_wall_comes_out_of_it(yard: Callable[..., Any], wall: str):
    """If it begins inside a wall of any shape, it leaves it by the shortest way and can walk on."""
    scene = yard()
    scene.wall(0, -0.5, 40, 1)
    forms: dict[str, dict[str, Any]] = {
        "box": {"size": (2, 6)},
        "circle": {"shape": "circle", "radius": 1},
        "capsule": {"shape": "capsule", "size": (2, 6)},
        "chain": {"shape": "chain", "points": [(-1, 5), (-1, -5)]},
    }
    scene.put(5, 0.9, Collider(**forms[wall]))
    me = _walker(scene, 3.8, 0.92)
    _walk(scene, me, 2)
    assert scene.place(me)[0] == pytest.approx(3.6, abs=0.01)
    _walk(scene, me, 30, vx=-1)
    assert scene.place(me)[0] == pytest.approx(3.1, abs=0.05)


def test_a_wall_that_comes_pushes_it_along(yard: Callable[..., Any]):
    """A moving kinematic wall pushes it, and enters it by at most one tick's movement."""
    scene = yard()
    scene.wall(0, -0.5, 80, 1)
    press = scene.put(-3, 2, Body(type="kinematic", velocity=(3, 0)), Collider(size=(1, 3)))
    me = _walker(scene, 0, 0.92)
    for _ in range(120):
        _walk(scene, me, 1)
        assert scene.place(me)[0] - scene.place(press)[0] > 0.9 - 3 * DT - 0.01
    assert scene.place(me)[0] == pytest.approx(3 + 0.9, abs=0.06)


def test_it_pushes_what_is_light(yard: Callable[..., Any]):
    """It pushes dynamic bodies, because it is a kinematic body."""
    scene = yard()
    scene.wall(0, -0.5, 40, 1)
    me = _walker(scene, 0, 0.95, mask=2)
    scene.world[Collider].category[0] = 2
    scene.world[Collider].mark()
    crate = scene.box(2, 0.5)
    _walk(scene, me, 90, vx=2)
    assert scene.place(crate)[0] > 3


def test_one_without_a_kinematic_body_is_named(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A character without a kinematic body is logged once."""
    scene = yard()
    scene.put(0, 0, Body(), Collider(), Character())
    scene.run(3)
    assert caplog.text.count("kinematic") == 1


@pytest.mark.parametrize("change", ["chain", "disabled", "mask", "no collider", "dynamic"])
def test_a_character_that_loses_its_form_while_others_move_harms_nothing(yard: Callable[..., Any], change: str) -> None:
    """A character whose collider is changed, disabled or removed between two ticks stands still; the tick goes on."""
    scene = yard()
    scene.wall(0, -0.5, 40, 1)
    scene.box(0.2, 4)
    me = _walker(scene, 0, 0.95)
    _walk(scene, me, 5)
    changes = {
        "chain": Collider(shape="chain", points=[(1, 0), (0, 0), (-1, 0)]), "disabled": Collider(enabled=False),
        "mask": Collider(mask=0), "dynamic": Body(type="dynamic"),
    }  # fmt: skip
    if change in changes:
        scene.world.set(me, changes[change])
    else:
        scene.world.remove(me, Collider)
    _walk(scene, me, 60, vx=1)
    assert np.isfinite(scene.place(me)).all()
