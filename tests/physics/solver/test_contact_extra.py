"""Restitution, rolling resistance, belts, two coefficients of friction, and the data of hits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from physics_rig import Rig, Scene, t

from long_runs import long
from rish_physics import Body, Collider, read_solids, world_centers


def test_bodies_rise_by_the_square_of_their_restitution() -> None:
    """Bodies dropped from 2.75 m rebound to that height times the restitution squared."""
    scene = Scene()
    scene.box(0, -1, 100, 1, t.STATIC)
    restitution = np.linspace(0, 1, 11)
    for k in range(11):
        scene.circle(3 * k, 3, 0.25)
    rig = Rig(scene)
    shapes = rig.world[t.Shapes]
    shapes.surface[1:, 2] = restitution
    shapes.flags[1:] |= t.COLD
    top, hit = np.zeros(11), np.zeros(11, bool)
    for _ in range(130):
        rig.step()
        hit |= rig.velocities()[1:, 1] > 0
        top = np.where(hit, np.maximum(top, rig.poses()[1:, 1] - 0.25), 0)
    np.testing.assert_allclose(top / 2.75, restitution**2, atol=0.025)
    assert top[0] < 1e-3


def test_slow_impacts_do_not_bounce() -> None:
    """Impacts below the threshold do not bounce, so that bodies come to rest."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    scene.circle(0, 0.26, 0.25)
    rig = Rig(scene)
    shapes = rig.world[t.Shapes]
    shapes.surface[1, 2] = 1
    shapes.flags[1] |= t.COLD
    rig.step(60)
    assert rig.poses()[1, 1] < 0.2502


def test_restitution_is_mixed_as_the_settings_say() -> None:
    """Restitution is mixed by the maximum or minimum of both, as set."""
    from rish_physics.components.settings import RestitutionMix

    tops = []
    for mix in (RestitutionMix.MAX, RestitutionMix.MIN):
        scene = Scene()
        scene.box(0, -1, 10, 1, t.STATIC)
        scene.circle(0, 2, 0.25)
        rig = Rig(scene, restitution_mix=mix)
        shapes = rig.world[t.Shapes]
        shapes.surface[1, 2] = 0.8
        shapes.flags[1] |= t.COLD
        rig.step(38)
        tops.append(float(rig.velocities()[1, 1]))
    assert tops[0] > 3
    assert tops[1] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("angle", [0.45, 0.65])
def test_two_coefficients_stick_and_slide(angle: float) -> None:
    """Between the two coefficients a resting box stays, and a moving one slides with the dynamic coefficient."""
    static, dynamic = 0.6, 0.3
    for start in (0.0, 1.0):
        scene = Scene()
        scene.box(0, 0, 100, 1, t.STATIC, angle=-angle)
        x, y = math.sin(angle), math.cos(angle)
        scene.box(1.5 * x, 1.5 * y, 0.5, 0.5, angle=-angle)
        rig = Rig(scene, friction=static)
        shapes = rig.world[t.Shapes]
        shapes.surface[:, 1] = dynamic
        shapes.flags[:] |= t.COLD
        rig.world[t.Bodies].state[2, :2] = start * np.array([y, -x])
        rig.step(60)
        speed = float(rig.velocities()[1, :2] @ np.array([y, -x]))
        slides = start > 0 or math.tan(angle) > static
        expected = start + 10 * (math.sin(angle) - dynamic * math.cos(angle)) if slides else 0
        assert speed == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("belt_first", [True, False])
def test_a_belt_carries_along_what_lies_on_it(belt_first: bool) -> None:
    """A belt moves bodies on its upper side to the right, whichever of the two shapes was created first."""
    scene = Scene()
    if belt_first:
        scene.box(0, -1, 100, 1, t.STATIC)
    scene.box(0, 0.5, 0.5, 0.5)
    if not belt_first:
        scene.box(0, -1, 100, 1, t.STATIC)
    rig = Rig(scene)
    belt = 0 if belt_first else 1
    shapes = rig.world[t.Shapes]
    shapes.surface[belt, 4] = 2
    shapes.flags[belt] |= t.COLD
    rig.step(120)
    assert rig.velocities()[1 - belt, 0] == pytest.approx(2, abs=1e-3)


def test_rolling_resistance_brakes_as_a_torque() -> None:
    """Rolling resistance decelerates a disc by 2/3 of its coefficient times g; without it the disc rolls on."""
    scene = Scene()
    scene.box(0, -1, 1000, 1, t.STATIC)
    scene.circle(0, 0.25, 0.25)
    scene.circle(5, 0.25, 0.25)
    rig = Rig(scene)
    shapes, bodies = rig.world[t.Shapes], rig.world[t.Bodies]
    shapes.surface[2, 3] = 0.1
    shapes.flags[2] |= t.COLD
    bodies.state[2:4, 0], bodies.state[2:4, 2] = 3, -12
    rig.step(120)
    free, braked = rig.velocities()[1:, 0]
    assert free == pytest.approx(3, abs=0.02)
    assert braked == pytest.approx(3 - 2 * (2 / 3) * 0.1 * 10, abs=0.03)


def test_hits_tell_how_fast_and_how_hard() -> None:
    """A hit has the approach speed before the step, and the greatest impulse within it."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    scene.circle(0, 2, 0.25)
    rig = Rig(scene)
    rig.world[t.Shapes].flags[1] |= t.HIT_EVENTS
    contacts = rig.world[t.Contacts]
    for _ in range(60):
        before = float(rig.velocities()[1, 1])
        rig.step()
        if len(contacts) and contacts.cold[0, 1] > 0:
            break
    mass = math.pi / 16
    assert contacts.cold[0, 3] == pytest.approx(-before, rel=1e-4)
    assert 1 <= contacts.cold[0, 1] / (mass * -before) < 1.25  # it stops the fall, and corrects the overlap


def test_who_uses_none_of_it_has_no_cold_blocks() -> None:
    """Plain contacts stay in plain blocks, also beside cold ones."""
    scene = Scene()
    scene.box(0, -1, 100, 1, t.STATIC)
    for k in range(20):
        scene.box(2 * k, 0.5, 0.5, 0.5)
    rig = Rig(scene)
    rig.world[t.Shapes].surface[1, 2] = 0.5
    rig.world[t.Shapes].flags[1] |= t.COLD
    rig.step(5)
    from rish_physics.solver.color import COLD, STILL, TWO

    parts = rig.state.solver.parts
    assert parts[STILL + COLD + 1] - parts[STILL + COLD] == 1
    assert parts[STILL + TWO + 1] - parts[STILL + TWO] == 3


@pytest.mark.parametrize(("w", "h"), [(20, 60), (60, 20), (20, 20), (5, 80)])
@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_a_box_that_lands_flat_leaves_straight(
    yard: Callable[..., Any], w: float, h: float, restitution: float
) -> None:
    """A box that lands flat on one collider leaves with its share of the speed and without a spin."""
    scene = yard(units_per_meter=64, gravity=[0, -9.81])
    surface = {"restitution": restitution, "friction": 0}
    scene.wall(0, -16, 900, 32, **surface)
    box = scene.box(0, 100, w, h, **surface)
    before = 0.0
    while scene.velocity(box)[1] <= 0:
        before = scene.velocity(box)[1]
        scene.run()
    assert scene.velocity(box) == pytest.approx([0, -restitution * before], rel=1e-3, abs=1e-3)
    assert float(scene.world.get(box, Body).angular_velocity) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("friction", [0.0, 0.6])
@pytest.mark.parametrize("floor", ["one box", "tiles", "chain"])
def test_no_bounce_adds_energy(yard: Callable[..., Any], floor: str, friction: float) -> None:
    """The sum of kinetic and potential energy of bodies of all forms, which bounce with a restitution of 1, stays below
    what it was at the start.
    """
    scene = yard(units_per_meter=64, gravity=[0, -9.81])
    surface = {"restitution": 1.0, "friction": friction}
    if floor == "chain":
        scene.put(0, 0, Collider(shape="chain", points=[(2000 - 40 * k, 0) for k in range(101)], **surface))
    elif floor == "tiles":
        for k in range(100):
            scene.wall(40 * k - 2000, -16, 40, 32, **surface)
    else:
        scene.wall(0, -16, 4000, 32, **surface)
    forms: list[dict[str, Any]] = [
        {"size": (60, 20)}, {"size": (20, 60)}, {"shape": "circle", "radius": 15},
        {"shape": "capsule", "size": (20, 60)}, {"shape": "polygon", "points": [(-25, -20), (30, -20), (0, 30)]},
        {"size": (30, 30), "radius": 6},
    ]  # fmt: skip
    bodies = np.array([
        scene.put(
            300 * k - 1500, 150, Body(angular_velocity=(k % 3) - 1.0), Collider(**forms[k % 6], **surface, group=-1),
            rotation=0.4 * (k // 6),
        )
        for k in range(12)
    ])  # fmt: skip

    def energy() -> Any:
        solids = read_solids(scene.world)
        some = np.isin(solids.entities, bodies)
        mass, inertia = 1 / solids.inverse_masses[some], 1 / solids.inverse_inertias[some]
        moving = [scene.world.get(int(one), Body) for one in solids.entities[some]]
        speed = np.array([[*each.velocity, each.angular_velocity] for each in moving])
        height = world_centers(solids)[some, 1]
        return mass * (speed[:, :2] ** 2).sum(axis=1) / 2 + inertia * speed[:, 2] ** 2 / 2 + mass * 627.84 * height

    start = energy()
    for _ in range(long(240, 90)):
        scene.run()
        # An overlap by the turn of a body within one step lifts it a little when it is undone.
        assert (energy() < 1.01 * start).all()
