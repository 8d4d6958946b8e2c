"""Collision tests of all pairs of convex shapes, compared with plain references."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from rish_physics3d.bodies.layout import pool_of
from rish_physics3d.contacts.shapes import BOX, CAPSULE, HULL, SPHERE, collide_shapes, relate, working_memory
from rish_physics3d.geometry.collide.gjk import WORK, distance
from rish_physics3d.geometry.hulls import box_hull, hull_of

LIMIT = 0.02
KINDS = {"sphere": SPHERE, "capsule": CAPSULE, "box": BOX, "hull": HULL}
PAIRS = [(a, b) for a, b in itertools.product(KINDS, repeat=2) if KINDS[a] >= KINDS[b]]


def some_shape(kind: int, rng: np.random.Generator) -> tuple[list[float], Any, Any, float]:
    """Return the size of a random shape, its hull, its core points (n, 3) and its radius."""
    cube = box_hull([1, 1, 1])
    if kind == SPHERE:
        radius = rng.uniform(0.2, 1)
        return [radius, 0, 0], cube, np.zeros((1, 3)), radius
    if kind == CAPSULE:
        radius, half = rng.uniform(0.1, 0.6), rng.uniform(0.1, 1)
        return [radius, half, 0], cube, np.array([[0, -half, 0], [0, half, 0]]), radius
    hull = box_hull(rng.uniform(0.2, 1.2, 3)) if kind == BOX else hull_of(rng.normal(size=(12, 3)) * 0.7)
    half = hull.points[-1, :3].tolist() if kind == BOX else [0, 0, 0]
    return half, hull, hull.points[:, :3].astype(np.float64), 0.0


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_normal_is_a_direction_of_least_overlap(first: str, second: str) -> None:
    """Shapes touch if they are nearer than the limit; then the normal separates them as far as any direction does, up
    to the preference for faces, and the least gap is their separation along it.
    """
    rng = np.random.default_rng(KINDS[first] * 10 + KINDS[second])
    ways = rng.normal(size=(4000, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    work, simplex, near = working_memory(), np.zeros(WORK), np.zeros(6)
    for _ in range(25):
        shapes = [some_shape(KINDS[name], rng) for name in (first, second)]
        turn = rng.normal(size=4)
        x = rng.normal(size=3) * rng.uniform(0, 1.2)
        a, b = np.zeros(8, np.float32), np.zeros(8, np.float32)
        a[7], b[4:] = 1, turn / np.linalg.norm(turn)
        relate(a, b, work[1])
        size = np.zeros((2, 4), np.float32)
        size[:, :3] = [shape[0] for shape in shapes]
        form = np.array([[KINDS[first], 0, 0], [KINDS[second], 1, 1]], np.int32)
        hulls = pool_of([shape[1] for shape in shapes])
        place = x.astype(np.float32)
        count, *normal, _ = collide_shapes(
            0, 1, place[0], place[1], place[2], (form.ravel(), size.ravel()), hulls, np.float32(LIMIT), work
        )
        corners = shapes[0][2], shapes[1][2] @ work[1].reshape(3, 3).astype(np.float64).T + x
        radii = shapes[0][3] + shapes[1][3]
        flat = [np.ascontiguousarray(points).ravel() for points in corners]
        apart = distance(flat[0], 0, len(corners[0]), flat[1], 0, len(corners[1]), simplex, near)
        # Without a core that overlaps the separation is exact; else it is at least that of any sampled direction.
        sampled = ((corners[1] @ ways.T).min(axis=0) - (corners[0] @ ways.T).max(axis=0)).max()
        separation = (apart if apart > 0 else sampled) - radii
        if count == 0:
            assert separation > LIMIT - 1e-4
            continue
        n = np.array(normal, np.float64)
        along = (corners[1] @ n).min() - (corners[0] @ n).max() - radii
        assert np.linalg.norm(n) == pytest.approx(1, abs=1e-5)
        if separation > LIMIT + 1e-3:
            assert along > 0, "only shapes whose corners are near may touch beyond the limit"
        if second == "capsule" and count == 2:
            # It lies along a face, or another capsule; its ends may be deeper beside it.
            assert work[0][:count].min() >= separation - 0.006
            continue
        assert along >= separation - 0.006
        if separation > -0.2:
            assert work[0][:count].min() == pytest.approx(along, abs=0.006)


def test_the_distance_of_two_sets_of_points_is_that_between_parallel_planes() -> None:
    """The closest points of two convex sets span the widest gap between them: no corner is nearer along their line."""
    rng = np.random.default_rng(1)
    work, out = np.zeros(WORK), np.zeros(6)
    apart = 0
    for _ in range(200):
        a = rng.normal(size=(rng.integers(1, 20), 3))
        b = rng.normal(size=(rng.integers(1, 20), 3)) + rng.normal(size=3) * rng.choice([0, 1, 3, 6])
        far = distance(a.ravel(), 0, len(a), b.ravel(), 0, len(b), work, out)
        if far > 0:
            apart += 1
            line = (out[3:] - out[:3]) / far
            assert (b @ line).min() - (a @ line).max() == pytest.approx(far, abs=1e-9)
    assert apart > 100
