"""Random worlds in a closed box: whatever falls together, nothing breaks, escapes or gains energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import World
from rish_physics3d import Body3D, Collider3D, Layout, Physics3DSettings
from rish_space3d import Transform3D, quaternions

HALF = 5.0
"""Half the inner width of the closed box, m."""


def close_box(game: Any) -> None:
    """Spawn six thick walls around a cube."""
    for axis in range(3):
        for side in (-1, 1):
            place, size = np.zeros(3), np.full(3, 2 * HALF + 8)
            place[axis], size[axis] = side * (HALF + 2), 4
            game.put(*place.tolist(), Collider3D(size=size.tolist()))


def random_collider(rng: np.random.Generator) -> Collider3D:
    """Return a box, sphere, capsule or hull of 0.2 to 1.2 m with a random density and surface."""
    surface: Any = {
        "density": float(10 ** rng.uniform(1.5, 3.5)), "friction": float(rng.uniform(0, 1.2)),
        "restitution": float(rng.choice([0, 0, 0.5])),
    }  # fmt: skip
    kind = rng.integers(4)
    if kind == 0:
        return Collider3D(size=rng.uniform(0.2, 1.2, 3).tolist(), **surface)
    if kind == 1:
        return Collider3D(shape="sphere", radius=float(rng.uniform(0.1, 0.6)), **surface)
    if kind == 2:
        radius = float(rng.uniform(0.1, 0.3))
        return Collider3D(
            shape="capsule", radius=radius, size=(0, 2 * radius + float(rng.uniform(0, 0.6)), 0), **surface
        )
    return Collider3D(shape="hull", points=(rng.uniform(-0.5, 0.5, (10, 3))).tolist(), **surface)


def energy(world: World) -> float:
    """Return the kinetic and potential energy of all bodies, J."""
    layout = world[Layout]
    table, places = world.table(Body3D), world.table(Transform3D)
    some = np.flatnonzero((layout.rows >= 0) & (layout.mass[:, 7] > 0))
    rows, at = layout.rows[some], layout.places[some]
    frames, masses = layout.frames[some].astype(np.float64), 1 / layout.mass[some, 7].astype(np.float64)
    turns = quaternions.normalized(places.rotation[at])
    centers = places.position[at] + quaternions.turned(turns, frames[:, :3])
    back = quaternions.inverse(quaternions.product(turns, frames[:, 4:]))
    spins = quaternions.turned(back, table.angular_velocity[rows].astype(np.float64))
    velocities = table.velocity[rows].astype(np.float64)
    moving = masses * (velocities**2).sum(axis=1) + (layout.mass[some, :3] * spins**2).sum(axis=1)
    gravity = np.array(world[Physics3DSettings].gravity)
    return float((moving / 2 - masses * (gravity * (centers + HALF * np.sign(-gravity))).sum(axis=1)).sum())


def centers(world: World) -> Any:
    """Return the centers of mass of all bodies, (n, 3): a hull need not contain the position of its entity."""
    layout, places = world[Layout], world.table(Transform3D)
    some = np.flatnonzero(layout.rows >= 0)
    at = layout.places[some]
    return places.position[at] + quaternions.turned(
        quaternions.normalized(places.rotation[at]), layout.frames[some, :3]
    )


def fill(game: Any, rng: np.random.Generator) -> None:
    """Spawn 3 to 13 bodies that do not overlap, with random velocities."""
    for cell in rng.permutation(27)[: rng.integers(3, 14)].tolist():
        place = (np.array([cell % 3, cell // 3 % 3, cell // 9]) - 1) * 2.8 + rng.uniform(-0.3, 0.3, 3)
        velocity, spin = (rng.normal(size=(2, 3)) * 4).tolist()
        body = Body3D(velocity=velocity, angular_velocity=spin)
        game.put(*place.tolist(), body, random_collider(rng), rotation=rng.normal(size=4).tolist())


@pytest.mark.slow
def test_nothing_breaks_escapes_or_gains_energy(yard: Callable[..., Any]) -> None:
    """In random worlds all numbers stay finite, every body stays in the closed box, and all energy together never
    becomes more than it was by more than a percent. Overlap that is undone lifts bodies; without that in every second
    world, with it the bound is ten percent.
    """
    for seed in range(long(2000, 30)):
        rng = np.random.default_rng(seed)
        push = 3.0 * (seed % 2)
        game = yard(gravity=float(rng.choice([0, -9.81, -9.81, -30])), push_speed=push)
        close_box(game)
        fill(game, rng)
        table = game.world.table(Body3D)
        game.run(1)
        before = energy(game.world)
        for _ in range(6):
            game.run(15)
            where = centers(game.world)
            assert np.isfinite(where).all(), seed
            assert np.isfinite(table.velocity).all(), seed
            assert np.abs(where).max() < HALF, seed
            now = energy(game.world)
            assert now <= (1.1 if push else 1.01) * before + 0.01, (seed, before, now)
            before = min(before, now)
