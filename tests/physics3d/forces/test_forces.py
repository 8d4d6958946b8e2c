"""Forces, torques, impulses and explosions in space."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import App, Stage, StaleEntity, UnknownName, UsageError, parse_manifest, system
from rish_physics3d import (
    Body3D,
    BodyType3D,
    Collider3D,
    ColliderShape3D,
    apply_angular_impulse_3d,
    apply_force_3d,
    apply_impulse_3d,
    apply_torque_3d,
    explode_3d,
    masses_of_3d,
    velocities_at_3d,
)
from rish_space3d import Transform3D, quaternions


def test_forces_add_up(yard: Callable[..., Any]) -> None:
    """Forces on one body add up, in one call or in several: a = F / m."""
    scene = yard()
    a, b = scene.box(0, 0, 0, body={"mass": 2}), scene.box(5, 0, 0, body={"mass": 2})
    apply_force_3d(scene.world, [a, b, a], [(60, 0, 0), (0, 0, 60), (60, 0, 0)])
    apply_force_3d(scene.world, b, (0, 0, 60))
    scene.run(1)
    assert scene.velocity(a) == pytest.approx([1, 0, 0], rel=1e-5)
    assert scene.velocity(b) == pytest.approx([0, 0, 1], rel=1e-5)


def test_a_force_at_a_point_turns(yard: Callable[..., Any]) -> None:
    """A force at a point gives the torque r x F, with the same spin as `apply_torque_3d`."""
    scene = yard()
    a, b = scene.box(0, 0, 0), scene.box(5, 0, 0)
    apply_force_3d(scene.world, a, (0, 0, 1200), point=(0.5, 0, 0))
    apply_torque_3d(scene.world, b, (0, -600, 0))
    scene.run(1)
    for body in (a, b):
        assert scene.spin(body) == pytest.approx([0, -600 / 60 / (1000 / 6), 0], rel=1e-4)


def test_an_impulse_changes_the_velocity_at_once(yard: Callable[..., Any]) -> None:
    """An impulse changes the velocity immediately, also before a body's first step; static bodies are skipped."""
    scene = yard()
    box = scene.box(0, 0, 0, (2, 1, 1))
    wall = scene.put(9, 9, 0, Body3D(type=BodyType3D.STATIC), Collider3D())
    apply_impulse_3d(scene.world, [box, wall], (4000, 0, 0), point=[(0, 0.5, 0), (9, 9, 1)])
    assert scene.velocity(box).tolist() == [2, 0, 0]
    assert scene.spin(box) == pytest.approx([0, 0, -2000 / (2000 * 5 / 12)])
    assert not scene.velocity(wall).any()
    assert velocities_at_3d(scene.world, box, (0, 0.5, 0))[0] == pytest.approx([2 + 1.2, 0, 0])
    apply_angular_impulse_3d(scene.world, box, (0, 0, 2000))
    assert scene.spin(box) == pytest.approx([0, 0, 0], abs=1e-6)
    assert masses_of_3d(scene.world, [box, wall]) == pytest.approx([2000, np.inf])


def test_an_impulse_turns_about_the_principal_axes(yard: Callable[..., Any]) -> None:
    """The spin that an angular impulse gives to a turned compound body is the same as that of a step with a torque."""
    scene = yard(substeps=64)
    bodies = [scene.box(0, 0, 9 * k, (3, 1, 0.5), rotation=(0.3, 0.2, 0.5, 0.8)) for k in range(2)]
    for body in bodies:
        scene.world.spawn(Transform3D(position=(1, 1, 0), parent=body), Collider3D(size=(1, 2, 1)))
    push = np.array([40.0, -90.0, 25.0])
    apply_angular_impulse_3d(scene.world, bodies[0], push)
    at_once = scene.spin(bodies[0])
    apply_torque_3d(scene.world, bodies[1], push * 60)
    scene.run(1)
    assert scene.spin(bodies[1]) == pytest.approx(at_once, rel=1e-3, abs=1e-5)
    assert np.abs(np.cross(at_once, push)).max() > 0.1


def test_an_explosion_pushes_away_what_is_near(yard: Callable[..., Any]) -> None:
    """An explosion pushes nearer bodies more, ignores those outside its radius or mask, and wakes sleeping ones."""
    scene = yard(sleep_time=0.1)
    near, far, out = scene.box(2, 0, 0, body={"mass": 1}), scene.ball(0, -4, 0, body={"mass": 1}), scene.box(12, 0, 0)
    ghost = scene.box(-2, 0, 0, category=2)
    scene.run(10)
    assert scene.world.table(Body3D).asleep.all()
    pushed = explode_3d(scene.world, (0, 0, 0), 8, 10, mask=1)
    assert sorted(pushed.tolist()) == sorted([near, far])
    assert scene.velocity(near) == pytest.approx([10 * (1 - 1.5 / 8), 0, 0])
    assert scene.velocity(far) == pytest.approx([0, -10 * (1 - 3.5 / 8), 0])
    assert not scene.velocity(out).any()
    assert not scene.velocity(ghost).any()
    scene.run(1)
    assert not scene.world.get(near, Body3D).asleep
    assert len(explode_3d(scene.world, [(0, 0, 0), (12, 1, 0)], [8, 3], [1, 1])) == 4
    inside = scene.box(0, 50, 0, body={"mass": 1})
    explode_3d(scene.world, (0, 50, 0), 1, 3)
    assert scene.velocity(inside) == pytest.approx([0, 3, 0])


@pytest.mark.parametrize("shape", [ColliderShape3D.BOX, ColliderShape3D.CAPSULE, ColliderShape3D.HULL])
def test_an_explosion_pushes_at_the_nearest_point(yard: Callable[..., Any], shape: ColliderShape3D) -> None:
    """The impulse acts at the point of the shape nearest to the explosion, as a dense sample of its surface shows."""
    scene, rng = yard(), np.random.default_rng(3)
    points = rng.normal(size=(20, 3))
    place, turn = np.array([2.0, 1.0, -1.5]), quaternions.normalized(rng.normal(size=4))
    is_round = shape is ColliderShape3D.CAPSULE
    form: dict[str, Any] = {"size": (1, 3, 2), "radius": 0.4}
    if shape is ColliderShape3D.HULL:
        form = {"points": points.tolist()}
    body = scene.put(*place, Body3D(mass=1), Collider3D(shape=shape, **form), rotation=turn.tolist())
    corners = {
        ColliderShape3D.BOX: np.array(list(itertools.product((-0.5, 0.5), (-1.5, 1.5), (-1, 1)))),
        ColliderShape3D.CAPSULE: np.array([(0, y, 0) for y in np.linspace(-1.1, 1.1, 200)]),
        ColliderShape3D.HULL: points,
    }[shape]
    if not is_round:  # the triangles of all triples of corners have those of the surface among them
        triples = corners[np.array(list(itertools.combinations(range(len(corners)), 3)))]
        corners = np.einsum("sk,tkd->tsd", rng.dirichlet((1, 1, 1), 200), triples).reshape(-1, 3)
    inside = place + quaternions.turned(turn, corners)
    gaps = np.sqrt((inside**2).sum(axis=1)) - (0.4 if is_round else 0)
    explode_3d(scene.world, (0, 0, 0), 10, 1)
    strength = float(np.linalg.norm(scene.velocity(body)))
    assert 10 * (1 - strength) == pytest.approx(gaps.min(), abs=0.02)


@pytest.mark.parametrize("call", [apply_force_3d, apply_impulse_3d])
def test_what_can_not_be_pushed_is_refused(yard: Callable[..., Any], call: Any) -> None:
    """Stale handles, entities without a body and invalid vectors are refused, and nothing is changed."""
    scene = yard()
    box, wall, gone = scene.box(0, 0, 0), scene.put(5, 5, 0, Collider3D()), scene.box(9, 9, 0)
    scene.world.despawn(gone)
    with pytest.raises(StaleEntity):
        call(scene.world, [box, gone], (1, 0, 0))
    with pytest.raises(UnknownName, match="Body3D"):
        call(scene.world, wall, (1, 0, 0))
    for bad in ((np.nan, 0, 0), (1, 2), "up", [(1, 0, 0), (1, 0, 0)]):
        with pytest.raises(UsageError):
            call(scene.world, box, bad)
    for point in ("there", (np.inf, 0, 0)):
        with pytest.raises(UsageError, match="point"):
            call(scene.world, box, (1, 0, 0), point=point)
    with pytest.raises(UsageError, match="below 0"):
        explode_3d(scene.world, (0, 0, 0), -1, 1)
    scene.run(1)
    assert not scene.velocity(box).any()


def test_a_force_after_the_step_is_refused() -> None:
    """A force after the step is refused, because it would be lost."""

    @system(Stage.UPDATE, writes=Body3D)
    def push(world: Any, dt: float) -> None:
        apply_force_3d(world, world.table(Body3D).entities, (1, 0, 0))

    text = "rish: 1\nplugins: [space3d, physics3d]\nscenes: {main: [{Transform3D: {}, Body3D: {}}]}\n"
    app = App(
        parse_manifest(text),
        headless=True,
        policy="raise",
        extra={"push": SimpleNamespace(rish_systems=lambda: [push])},
    )
    with pytest.raises(Exception, match=r"apply_force_3d in UPDATE.*Stage.FORCES"):
        app.tick()
    app.close()
