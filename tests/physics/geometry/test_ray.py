"""Rays against hulls, compared with the distance function of the hull."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_jit import Array
from rish_physics.geometry.hull import convex_hull
from rish_physics.geometry.ray import NEVER, cast_hull, holds_point, ray_hull


def distance_to(points: Array, places: Array) -> Array:
    """Return the distance of many places from the hull of counter-clockwise points, 0 inside, in the simple way."""
    a, b = points, np.roll(points, -1, axis=0)
    edge, rest = b - a, places[:, None] - a
    size = (edge**2).sum(-1)
    share = np.clip(np.divide((rest * edge).sum(-1), size, out=np.zeros(rest.shape[:2]), where=size > 0), 0, 1)
    far = np.hypot(*np.moveaxis(rest - share[..., None] * edge, -1, 0)).min(axis=1)
    inside = (rest[..., 0] * edge[:, 1] - rest[..., 1] * edge[:, 0] <= 0).all(axis=1) & (len(points) > 2)
    return np.where(inside, 0, far)


def plain_ray(points: Array, radius: float, start: Array, way: Array) -> tuple[float, float]:
    """Return the fraction at which a ray comes within the radius of a hull, and its least distance.

    The distance along a line is convex: its minimum is found by narrowing, and the first fraction by bisection.
    """

    def far(share: Any) -> Array:
        return distance_to(points, start + np.atleast_1d(share)[:, None] * way)

    low, high, near = 0.0, 1.0, 0.0
    for _ in range(60):
        grid = np.append(np.linspace(low, high, 9), near)
        k = int(np.argmin(far(grid)))
        near = float(grid[k])
        low, high = max(low, near - (high - low) / 8), min(high, near + (high - low) / 8)
    minimum = float(far(near)[0])
    if minimum > radius:
        return 2.0, minimum
    low, high = 0.0, near
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if far(middle)[0] > radius else (low, middle)
    return high, minimum


def hull_of(random: np.random.Generator, kind: str) -> tuple[Array, float]:
    """Return counter-clockwise points and a radius."""
    radius = float(random.uniform(0.1, 0.8))
    if kind in ("disc", "capsule", "segment"):
        points = random.normal(0, 1, (1 if kind == "disc" else 2, 2))
        return points, 0.0 if kind == "segment" else radius
    points = convex_hull(random.normal(0, 1, (8, 2)))
    return points, radius if kind == "rounded" else 0.0


def packed(points: Array) -> Array:
    """Return the points as the beginning of a hull's row, float32."""
    return np.concatenate([points.ravel(), np.zeros(16)]).astype(np.float32)


KINDS = st.sampled_from(["disc", "capsule", "segment", "polygon", "rounded"])


@pytest.mark.slow
@settings(max_examples=long(150, 15), deadline=None)
@given(seed=st.integers(0, 10**6), kind=KINDS, length=st.sampled_from([0.5, 5.0, 1e4]))
def test_a_ray_enters_where_the_distance_says(seed: int, kind: str, length: float) -> None:
    """A ray of any direction and length enters where the distance predicts, with a normal that points outwards."""
    random = np.random.default_rng(seed)
    points, radius = hull_of(random, kind)
    row = packed(points)
    points = row[: points.size].reshape(-1, 2).astype(np.float64)
    for _ in range(8):
        aim = points.mean(axis=0) + random.normal(0, 0.8, 2)
        way = random.normal(0, 1, 2)
        way *= length / np.hypot(*way)
        start = aim - way * random.uniform(-0.2, 1.2)
        share, nx, ny = ray_hull(row, 0, len(points), np.float64(radius), *start, *way)
        begins = distance_to(points, start[None])[0]
        if abs(begins - radius) < 1e-9:
            continue
        if begins < radius or (begins == 0 and len(points) > 2):
            assert (share, nx, ny) == (0, 0, 0)
            continue
        wanted, minimum = plain_ray(points, radius, start, way)
        if kind == "segment":
            assert share == pytest.approx(crossing(points, start, way), abs=1e-9)
        elif minimum == 0 or abs(minimum - radius) > 1e-9 * length:
            assert share == pytest.approx(wanted, abs=1e-8)
        if share < NEVER:
            at = start + share * way
            assert np.hypot(nx, ny) == pytest.approx(1)
            assert nx * way[0] + ny * way[1] < 0
            out = distance_to(points, (at + 1e-5 * np.array([nx, ny]))[None])[0]
            assert out == pytest.approx(radius + 1e-5, abs=1e-6)


def crossing(points: Array, start: Array, way: Array) -> float:
    """Return the fraction at which a ray crosses a segment, by solving two linear equations."""
    a, system = points[0], np.stack([way, points[0] - points[1]], axis=1)
    share, along = np.linalg.solve(system, a - start)
    return share if 0 <= share <= 1 and 0 <= along <= 1 else 2.0


@pytest.mark.parametrize("kind", ["disc", "capsule", "segment", "polygon", "rounded"])
def test_a_ray_of_no_length_hits_nothing(kind: str) -> None:
    """A ray of no length hits nothing, but can be inside."""
    points, radius = hull_of(np.random.default_rng(1), kind)
    row, n = packed(points), len(points)
    zero = np.float64(0)
    assert ray_hull(row, 0, n, np.float64(radius), np.float64(9), zero, zero, zero)[0] == NEVER
    if kind != "segment":
        x, y = row[: 2 * n].reshape(-1, 2).mean(axis=0).astype(np.float64)
        assert ray_hull(row, 0, n, np.float64(radius), x, y, zero, zero) == (0, 0, 0)


def test_a_ray_through_a_corner_finds_no_gap() -> None:
    """Rays exactly through a corner, along a diagonal, and along an edge are handled."""
    row = packed(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float))
    f = np.float64
    assert ray_hull(row, 0, 4, f(0), f(-3), f(-3), f(6), f(6))[0] == pytest.approx(1 / 3)
    assert ray_hull(row, 0, 4, f(0), f(-3), f(1), f(6), f(0))[0] == pytest.approx(1 / 3)
    assert ray_hull(row, 0, 4, f(0), f(-3), f(1.0000001), f(6), f(0))[0] == NEVER


@pytest.mark.slow
@settings(max_examples=long(100, 12), deadline=None)
@given(seed=st.integers(0, 10**6), kind=KINDS, other=KINDS)
def test_a_moved_form_stops_at_the_distance(seed: int, kind: str, other: str) -> None:
    """A shape cast stops where the rounded shapes touch, and they do not overlap before."""
    random = np.random.default_rng(seed)
    points, radius = hull_of(random, kind)
    form, more = hull_of(random, other)
    row, moved = packed(points), np.zeros(16, np.float32)
    start = random.normal(0, 1, 2)
    start *= 6 / np.hypot(*start)
    way = -2 * start + random.normal(0, 1.5, 2)
    first = (form + start).astype(np.float32)
    total = np.float64(radius + more)
    assume(convex_hull_distance(points, form + start) > total + 0.01)
    share, nx, ny = cast_hull(
        row, 0, len(points), first.ravel(), len(form), total, *way, np.float64(1), np.float64(1e-4), moved
    )
    shares = np.linspace(0, min(float(share), 1.0), 100)
    sums = np.array([convex_hull_distance(points, form + start + t * way) for t in shares])
    if share < NEVER:
        assert sums[-1] == pytest.approx(total, abs=2e-3)
        assert sums[:-1].min(initial=np.inf) > total - 2e-3
        assert nx * way[0] + ny * way[1] <= 0
    else:
        assert sums.min() > total - 1e-3


def convex_hull_distance(a: Array, b: Array) -> float:
    """Return the distance of two hulls that do not cross."""
    return float(min(distance_to(a, b).min(), distance_to(b, a).min()))


def test_a_form_that_moves_away_or_along_does_not_hit() -> None:
    """A shape that moves away from or along a surface does not hit it, however near it is."""
    floor = packed(np.array([(-9, -1), (9, -1), (9, 0), (-9, 0)], float))
    form = np.array([(-0.5, 0.5), (0.5, 0.5)], np.float32).ravel()
    moved = np.zeros(16, np.float32)
    f = np.float64
    for way, hits in (((1, 0), False), ((0, 1), False), ((0, -1), True)):
        share = cast_hull(floor, 0, 4, form, 2, f(0.5), f(way[0]), f(way[1]), f(1), f(1e-4), moved)[0]
        assert (share < NEVER) == hits


def test_a_point_is_held_by_a_rounded_hull_up_to_its_border() -> None:
    """A rounded hull contains points of its core and rim, and none beyond."""
    row = packed(np.array([(0, 0), (2, 0)], float))
    assert holds_point(row, 0, 2, 0.5, 1.0, 0.5)
    assert holds_point(row, 0, 2, 0.5, -0.3, -0.4)
    assert not holds_point(row, 0, 2, 0.5, 1.0, 0.5001)
