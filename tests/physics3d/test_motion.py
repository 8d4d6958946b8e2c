"""How bodies move: falling, spinning, conserved quantities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import BallJoint3D, Body3D
from rish_space3d import Transform3D, quaternions


def inertia_of(size: Any, mass: float) -> Any:
    """Return the principal inertia of a box."""
    x, y, z = np.square(size)
    return mass / 12 * np.array([y + z, x + z, x + y])


def momentum_of(yard: Any, entity: int, inertia: Any) -> Any:
    """Return the angular momentum of a body about its center, in world axes."""
    turn = quaternions.to_matrix(yard.world.get(entity, Transform3D).rotation)
    return turn @ (inertia * (turn.T @ yard.spin(entity)))


def energy_of(yard: Any, entity: int, inertia: Any) -> float:
    """Return the energy of rotation of a body."""
    return float(yard.spin(entity) @ momentum_of(yard, entity, inertia) / 2)


def test_a_body_falls_as_semi_implicit_euler_says(yard: Callable[..., Any]) -> None:
    """After n sub-steps of h a falling body has the velocity g n h and has moved by g h² n (n + 1) / 2."""
    game = yard(gravity=-10)
    ball = game.ball(1, 100, 2, body={"velocity": (3, 0, 0)})
    game.run(60)
    assert game.velocity(ball) == pytest.approx([3, -10, 0], abs=1e-4)
    assert game.position(ball) == pytest.approx([4, 100 - 10 / 240**2 * 240 * 241 / 2, 2], abs=1e-3)


def test_forces_and_torques_act_for_one_tick(yard: Callable[..., Any]) -> None:
    """A force changes the velocity by F t / m, a torque the spin by T t / I, and both are gone after the tick."""
    game = yard()
    box = game.box(0, 0, 0, density=2.0)
    game.world.set(box, Body3D(force=(4, 0, 0), torque=(0, 0.5, 0)))
    game.run(5)
    assert game.velocity(box) == pytest.approx([4 / 2 / 60, 0, 0], rel=1e-5)
    assert game.spin(box) == pytest.approx([0, 0.5 / (2 / 6) / 60, 0], rel=1e-5)


def test_damping_slows_a_body(yard: Callable[..., Any]) -> None:
    """Damping of c leaves about exp(-c t) of the velocity and of the spin."""
    game = yard()
    body = {"velocity": (1, 0, 0), "angular_velocity": (0, 1, 0), "linear_damping": 0.5, "angular_damping": 2.0}
    ball = game.ball(0, 0, 0, body=body)
    game.run(60)
    assert game.velocity(ball)[0] == pytest.approx(np.exp(-0.5), rel=2e-3)
    assert game.spin(ball)[1] == pytest.approx(np.exp(-2), rel=1e-2)


def test_angular_momentum_stays_while_a_box_tumbles(yard: Callable[..., Any]) -> None:
    """A box that spins about no axis of its own keeps its angular momentum and energy within one percent for
    two seconds.
    """
    game, size = yard(), (0.4, 1.0, 2.0)
    inertia = inertia_of(size, 800)
    box = game.box(0, 0, 0, size, body={"angular_velocity": (2, 3, 1)})
    game.run(1)
    before, energy = momentum_of(game, box, inertia), energy_of(game, box, inertia)
    game.run(120)
    after = momentum_of(game, box, inertia)
    assert np.linalg.norm(after - before) <= 0.01 * np.linalg.norm(before)
    assert energy_of(game, box, inertia) == pytest.approx(energy, rel=0.01)


def test_a_box_that_spins_about_its_middle_axis_turns_over(yard: Callable[..., Any]) -> None:
    """Rotation about the axis of middle inertia is unstable (Dzhanibekov): this component of the spin changes its sign
    in intervals of 2 K(k) / λ (L. Landau, E. Lifshitz, "Mechanics", 37), within a percent.
    """
    game, size, spin = yard(), (0.5, 2.0, 1.0), np.array([0.2, 0.5, 6.0])
    box = game.box(0, 0, 0, size, body={"angular_velocity": spin.tolist()})
    i = inertia_of(size, 1000)
    square, twice = float(((i * spin) ** 2).sum()), float((i * spin**2).sum())
    one, two, three = sorted(i.tolist(), reverse=bool(square < twice * np.median(i)))
    rate = np.sqrt((three - two) * (square - twice * one) / (one * two * three))
    modulus = (two - one) * (twice * three - square) / ((three - two) * (square - twice * one))
    a, b = 1.0, np.sqrt(1 - modulus)
    for _ in range(8):  # the arithmetic-geometric mean: K = π / 2 agm(1, √(1 - k²))
        a, b = (a + b) / 2, np.sqrt(a * b)
    signs = []
    for _ in range(360):
        game.run(1)
        turn = game.world.get(box, Transform3D).rotation
        signs.append(quaternions.turned(quaternions.inverse(turn), game.spin(box))[2] > 0)
    flips = np.flatnonzero(np.diff(signs)) / 60
    assert len(flips) >= 3
    assert (flips[-1] - flips[0]) / (len(flips) - 1) == pytest.approx(np.pi / a / rate, rel=0.01)


def test_a_top_precesses_as_theory_says(yard: Callable[..., Any]) -> None:
    """A wheel on a level axle, held at one end, goes around at m g r / (I ω), within two percent, and stays up."""
    game, spin, arm = yard(gravity=-10), 60.0, 0.5
    rate = 10 * arm / (spin * (1 + 1) / 12)
    body = {"angular_velocity": (spin, rate, 0), "velocity": (0, 0, -rate * arm)}
    wheel = game.box(arm, 0, 0, (0.2, 1, 1), body=body)
    game.world.spawn(BallJoint3D(b=wheel, anchor_b=(-arm, 0, 0)))
    game.run(120)
    x, y, z = game.position(wheel).tolist()
    assert np.arctan2(-z, x) == pytest.approx(rate * 2, rel=0.02)
    assert y == pytest.approx(0, abs=0.05)


def test_a_disc_wobbles_as_euler_says(yard: Callable[..., Any]) -> None:
    """The axis of a free symmetric body goes around its angular momentum L at L / I, I about the other axes."""
    game, size = yard(), (1.0, 0.2, 1.0)
    inertia = inertia_of(size, 200)
    disc = game.box(0, 0, 0, size, body={"angular_velocity": (1.0, 8.0, 0.0)})
    momentum = inertia * np.array([1.0, 8.0, 0.0])
    rate = np.linalg.norm(momentum) / inertia[0]
    game.run(60)
    axis = quaternions.turned(game.world.get(disc, Transform3D).rotation, (0, 1, 0))
    about = quaternions.from_axis(momentum, rate * 1.0)
    assert axis == pytest.approx(quaternions.turned(about, (0, 1, 0)), abs=0.005)


def test_collisions_keep_momentum(yard: Callable[..., Any]) -> None:
    """Boxes, balls and capsules that collide without gravity keep the sum of their momenta, and gain no energy."""
    game, rng = yard(), np.random.default_rng(3)
    bodies = []
    for k in range(24):
        body = {"velocity": rng.normal(0, 3, 3).tolist(), "angular_velocity": rng.normal(0, 2, 3).tolist()}
        x, y, z = rng.uniform(-2, 2, 3).tolist()
        bodies.append(game.box(x, y, z, (0.8, 0.8, 0.8), body=body) if k % 2 else game.ball(x, y, z, 0.4, body=body))
    masses = np.array([1000 * 0.8**3 if k % 2 else 1000 * 4 / 3 * np.pi * 0.4**3 for k in range(24)])
    before = sum(m * game.velocity(b) for m, b in zip(masses, bodies, strict=True))
    energy = sum(m * (game.velocity(b) ** 2).sum() for m, b in zip(masses, bodies, strict=True))
    game.run(60)
    after = sum(m * game.velocity(b) for m, b in zip(masses, bodies, strict=True))
    assert after == pytest.approx(before, abs=1e-3 * masses.sum())
    assert sum(m * (game.velocity(b) ** 2).sum() for m, b in zip(masses, bodies, strict=True)) < energy
