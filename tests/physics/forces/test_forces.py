"""Forces, torques, impulses and explosions."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import Stage, StaleEntity, UnknownName, UsageError, system
from rish_physics import Body, apply_angular_impulse, apply_force, apply_impulse, apply_torque, explode, plugin


def test_forces_add_up(yard: Callable[..., Any]):
    """Forces on one body add up, in one call or in several: a = F / m."""
    scene = yard(gravity=[0, 0])
    a, b = scene.box(0, 0, body={"mass": 2}), scene.box(5, 0, body={"mass": 2})
    apply_force(scene.world, [a, b, a], [(60, 0), (0, 60), (60, 0)])
    apply_force(scene.world, b, (0, 60))
    scene.run()
    assert scene.velocity(a) == pytest.approx([1, 0], rel=1e-5)
    assert scene.velocity(b) == pytest.approx([0, 1], rel=1e-5)


def test_a_force_at_a_point_turns(yard: Callable[..., Any]):
    """A force at a point gives the torque arm times force, with the same spin as `apply_torque`."""
    scene = yard(gravity=[0, 0])
    a, b = scene.box(0, 0), scene.box(5, 0)
    apply_force(scene.world, a, (0, 12), point=(0.5, 0))
    apply_torque(scene.world, b, 6)
    scene.run()
    spin = 6 / 60 * 6
    assert scene.world.get(a, Body).angular_velocity == pytest.approx(spin, rel=1e-4)
    assert scene.world.get(b, Body).angular_velocity == pytest.approx(spin, rel=1e-4)


def test_an_impulse_changes_the_velocity_at_once(yard: Callable[..., Any]):
    """An impulse changes the velocity immediately, also before a body's first step; static bodies are ignored."""
    scene = yard(gravity=[0, 0])
    box = scene.box(0, 0, 2, 1)
    wall = scene.put(9, 9, Body(type="static"))
    apply_impulse(scene.world, [box, wall], (4, 0), point=(0, 0.5))
    assert scene.velocity(box) == [2, 0]
    assert scene.world.get(box, Body).angular_velocity == pytest.approx(-2 / (2 * 5 / 12))
    assert scene.velocity(wall) == [0, 0]
    apply_angular_impulse(scene.world, box, 2)
    assert scene.world.get(box, Body).angular_velocity == pytest.approx(0, abs=1e-6)


def test_an_explosion_pushes_away_what_is_near(yard: Callable[..., Any]):
    """An explosion pushes nearer bodies more, ignores those outside its radius or mask, and wakes sleeping ones."""
    scene = yard(gravity=[0, 0])
    near, far, out = scene.box(2, 0), scene.box(0, -4), scene.box(12, 0)
    ghost = scene.box(-2, 0, category=2)
    scene.run(60)
    assert scene.world[Body].asleep.all()
    pushed = explode(scene.world, (0, 0), 8, 10, mask=1)
    assert sorted(pushed.tolist()) == sorted([near, far])
    assert scene.velocity(near)[0] == pytest.approx(10 * (1 - 1.5 / 8))
    assert scene.velocity(far)[1] == pytest.approx(-10 * (1 - 3.5 / 8))
    assert scene.velocity(out) == scene.velocity(ghost) == [0, 0]
    scene.run()
    assert not scene.world.get(near, Body).asleep
    assert len(explode(scene.world, [(0, 0), (12, 1)], [8, 3], [1, 1])) == 4


@pytest.mark.parametrize("call", [apply_force, apply_impulse])
def test_what_can_not_be_pushed_is_refused(yard: Callable[..., Any], call: Any):
    """Stale handles, entities without a body and invalid vectors are refused, and nothing is changed."""
    scene = yard(gravity=[0, 0])
    box, wall, gone = scene.box(0, 0), scene.wall(5, 5, 1, 1), scene.box(9, 9)
    scene.world.despawn(gone)
    with pytest.raises(StaleEntity):
        call(scene.world, [box, gone], (1, 0))
    with pytest.raises(UnknownName, match="Body"):
        call(scene.world, wall, (1, 0))
    for bad in ((np.nan, 0), (1, 2, 3), "up", [(1, 0), (1, 0)]):
        with pytest.raises(UsageError):
            call(scene.world, box, bad)
    scene.run()
    assert scene.velocity(box) == [0, 0]


def test_a_force_after_the_step_is_refused(rish_app: Any):
    """A force after the step is refused, because it would be lost."""

    @system(Stage.UPDATE, writes=Body)
    def push(world: Any, dt: float) -> None:
        apply_force(world, world[Body].entities, (1, 0))

    app = rish_app(plugins={"physics": plugin, "push": SimpleNamespace(rish_systems=lambda: [push])})
    app.world.spawn(Body())
    with pytest.raises(Exception, match=r"apply_force in UPDATE.*Stage.FORCES"):
        app.tick()
