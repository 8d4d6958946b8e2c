"""Poses and boxes at the end of a step, and the checks made there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physics_rig import Rig, Scene, t

from plain_hulls import boxes_of
from rish_jit import maths
from rish_physics.solver.finalize import finish, turned


@pytest.mark.parametrize("turn", [0.0, 1e-8, 0.01, -0.3, 0.4999, 0.5, 0.7, -2.0, 3.1])
def test_turned_is_exact(turn: float) -> None:
    """`turned` gives cosine and sine of the sum within a few units in the last place, with length one."""
    slack = 2e-7 if abs(turn) <= 0.5 else 1e-6
    for angle in np.linspace(-3, 3, 13):
        c, s = np.float32(maths.cos(float(angle))), np.float32(maths.sin(float(angle)))
        x, y = turned(c, s, np.float32(turn))
        exact = float(maths.atan2(float(s), float(c))) + float(np.float32(turn))
        assert x == pytest.approx(maths.cos(exact), abs=slack)
        assert y == pytest.approx(maths.sin(exact), abs=slack)
        assert float(x) ** 2 + float(y) ** 2 == pytest.approx(1, abs=4e-7)


def moving_rig(**settings: Any) -> Rig:
    """Return boxes, circles and a hull that fly apart."""
    scene, random = Scene(collide=False), np.random.default_rng(4)
    for _ in range(30):
        scene.box(*random.uniform(-5, 5, 2), *random.uniform(0.1, 2, 2), angle=random.uniform(0, 6))
        scene.circle(*random.uniform(-5, 5, 2), random.uniform(0.1, 2))
    rig = Rig(scene, continuous=False, **settings)
    bodies, shapes = rig.world[t.Bodies], rig.world[t.Shapes]
    bodies.state[1:, :3] = random.normal(size=(60, 3)) * 3
    shapes.flags[10] = shapes.flags[10] & ~t.BOX  # the same box, as a general hull
    return rig


def test_boxes_hold_their_shapes() -> None:
    """`tight` is the shape's box; `fat` contains it with the speculative distance, and changes only if necessary."""
    rig = moving_rig()
    bodies, shapes = rig.world[t.Bodies], rig.world[t.Shapes]
    near = float(rig.state.scaled.speculative)
    for _ in range(20):
        fat = shapes.fat.copy()
        rig.step()
        expected = boxes_of(shapes.hull, shapes.flags, shapes.size[:, 2], bodies.pose[shapes.body])
        np.testing.assert_allclose(shapes.tight, expected, atol=2e-5)
        assert (shapes.fat[:, :2] <= shapes.tight[:, :2] - near + 1e-6).all()
        assert (shapes.fat[:, 2:] >= shapes.tight[:, 2:] + near - 1e-6).all()
        renewed = np.flatnonzero((shapes.fat != fat).any(1))
        assert rig.state.moved.tolist() == renewed.tolist()
        assert np.flatnonzero(shapes.flags & t.MOVED).tolist() == renewed.tolist()
    assert len(renewed) < 60


def test_what_is_too_fast_is_slowed_down() -> None:
    """Speeds are limited to the maximum of the settings, and rotation to an eighth of a turn per sub-step."""
    rig = moving_rig(max_speed=50.0)
    speeds = rig.world[t.Bodies].state
    speeds[1:3, 0] = 1e4
    speeds[3, 2] = -1e5
    rig.step()
    assert rig.state.slowed == 3
    assert np.hypot(*speeds[1:, :2].T).max() == pytest.approx(50, rel=1e-5)
    assert speeds[3, 2] == pytest.approx(-np.pi / 4 * 240, rel=1e-5)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_speed_of_any_size_is_limited(place: int) -> None:
    """A finite speed of any size is limited, and the body moves on."""
    rig = moving_rig()
    bodies = rig.world[t.Bodies]
    bodies.state[5, place] = 1e38
    rig.step()
    assert not len(rig.state.quarantined)
    assert np.isfinite(bodies.pose).all()
    assert abs(bodies.state[5, place]) <= 401


@pytest.mark.parametrize(("place", "ill"), [(0, np.nan), (1, np.inf), (1, -np.inf), (2, np.nan)])
def test_a_speed_that_is_no_number_stops_the_body(place: int, ill: float) -> None:
    """A body with a NaN or infinite speed is stopped in place and listed, and continues in the next step."""
    rigs = [moving_rig(), moving_rig()]
    rigs[1].world[t.Bodies].state[5, place] = ill
    for rig in rigs:
        rig.step()
    bodies = rigs[1].world[t.Bodies]
    assert rigs[1].state.quarantined.tolist() == [5]
    assert bodies.flags[5] & (t.QUARANTINED | t.AWAKE) == t.AWAKE
    assert (bodies.state[5, [0, 1, 2, 4, 5, 6]] == 0).all()
    others = np.arange(len(bodies)) != 5
    assert (bodies.pose[others] == rigs[0].world[t.Bodies].pose[others]).all()
    before = bodies.pose[5].copy()
    rigs[1].step(3)
    assert not len(rigs[1].state.quarantined)
    assert (bodies.pose[5] != before).any()


def test_what_leaves_the_range_is_set_aside() -> None:
    """A body that leaves `reach`, beyond which float32 is too coarse for contacts, is quarantined."""
    rig = moving_rig(reach=100.0)
    rig.world[t.Bodies].pose[7, 0] = 99.9
    rig.world[t.Bodies].state[7, 0] = 60
    rig.step()
    assert rig.state.quarantined.tolist() == [7]


def test_contacts_of_a_stopped_body_begin_anew() -> None:
    """The contacts of a stopped body are removed and stored in `Ended`, and a stack is stable again afterwards."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    scene.box(0, 0.5, 0.5, 0.5)
    scene.box(0, 1.5, 0.5, 0.5)
    rig = Rig(scene)
    rig.step(30)
    rig.world[t.Bodies].state[2, 0] = np.nan
    rig.step()
    assert len(rig.world[t.Contacts]) == 0
    ended = rig.world[t.Ended]
    assert sorted(map(sorted, zip(ended.a.tolist(), ended.b.tolist(), strict=True))) == [[1, 2], [2, 3]]
    rig.step(30)
    assert rig.poses()[1:, 1] == pytest.approx([0.5, 1.5], abs=0.02)


def test_rest_is_counted_while_slower_than_the_limit() -> None:
    """Rest time is counted below the speed limits of body and edge, and only for bodies that may sleep."""
    rig = moving_rig(gravity=(0.0, 0.0))
    bodies = rig.world[t.Bodies]
    bodies.state[1:, :3] = 0
    bodies.state[2, 0] = 0.06
    bodies.state[3, 2] = 0.06 / bodies.extent[3, 2]
    bodies.flags[4] &= ~t.ALLOW_SLEEP
    rig.step(6)
    rest = bodies.rest[1:, 0]
    assert rest[[1, 2, 3]].tolist() == [0, 0, 0]
    assert rest[0] == pytest.approx(0.1, abs=1e-5)
    assert rig.state.rested == pytest.approx(0.1, abs=1e-5)


def test_fast_bodies_are_listed_with_their_way() -> None:
    """Bodies that moved by more than half their least extent, and bullets, are listed with their displacement."""
    rig = moving_rig()
    bodies, state = rig.world[t.Bodies], rig.state
    bodies.flags[9] |= t.BULLET
    bodies.state[1:, 4:7] = 0
    bodies.state[6, 4] = 0.6 * bodies.extent[6, 3]
    bodies.state[7, 4] = 0.4 * bodies.extent[7, 3]
    state.refresh()
    state.scaled.continuous = True
    finish(state)
    assert state.fast.tolist() == [6, 9]
    assert bodies.state[6, 4] == np.float32(0.6) * bodies.extent[6, 3]
    assert bodies.state[7, 4] == 0
    assert bodies.flags[6] & t.FAST
    assert not bodies.flags[7] & t.FAST
