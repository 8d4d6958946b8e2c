"""Walls of one pixel at a distance: drawn shadows compared with rays, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from long_runs import long
from plain_shadows import lit
from rish_lighting import formulas as f
from rish_lighting.shadows.diamond import bins_for
from rish_lighting.shadows.kernels import cast_points

from ..conftest import BACKENDS, lamp

RADIUS = 1000
SIZE = (1024, 192)


def wall(x: float, y: float, length: float, angle: float) -> np.ndarray:
    """Return the four sides of a box one pixel thick, counter-clockwise: (4, 4)."""
    along = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    aside = np.array([-along[1], along[0]]) / length
    corners = np.array([-along - aside, along - aside, along + aside, -along + aside]) + np.array([x, y])
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def differs_nearby(light: np.ndarray, points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return for each point (n, 2) whether rays find both light and shadow within a pixel, at 800 places around it."""
    turn = np.arange(40) * 2 * np.pi / 40
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    offsets = np.concatenate([[(0, 0)], *(ring * far for far in np.linspace(0.05, 1, 20))])
    found = lit(light, (points[:, None] + offsets).reshape(-1, 2), edges).reshape(len(points), -1)
    return found.any(axis=1) & ~found.all(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", long(range(3), [0]))
def test_no_light_comes_through_a_wall_of_one_pixel(shine, backend, seed):
    """No light passes a wall at any angle up to 1,000 pixels away; shadow edges are off by at most a pixel."""
    rng = np.random.default_rng(seed)
    place = np.array([12.25 + seed, 96.5], np.float32)
    edges = np.concatenate(
        [
            wall(x, y, length, angle)
            for x, y, length, angle in zip(
                np.linspace(40, 990, 24), rng.uniform(8, 184, 24), rng.uniform(2, 30, 24),
                rng.choice([0, np.pi / 2, np.pi / 4, 0.01, 1, 2, 3], 24) + rng.choice([0, 0.3], 24), strict=True,
            )
        ]
    ).astype(np.float32)  # fmt: skip
    bins = int(bins_for(RADIUS))
    assert bins == 8192
    maps = np.empty(bins, np.float32)
    none, one = np.zeros(len(edges), np.int64), np.zeros(1, np.int64)
    cast_points(
        edges.reshape(-1), none, np.ones(len(edges), np.int32), none.astype(np.uint8),
        np.array([*place, RADIUS], np.float32), one, np.full(1, -1, np.int32), one, np.full(1, bins), one, maps,
    )  # fmt: skip
    light = lamp(X=place[0], Y=place[1], RADIUS=RADIUS, FALLOFF=f.NONE, WINDOW=0, SHADOW=f.HARD, BINS=bins)
    shown = shine(backend, light, maps=maps, size=SIZE)[..., 0] > 0.5
    rows, columns = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    centers = np.stack([columns.ravel() + 0.5, SIZE[1] - 0.5 - rows.ravel()], axis=1)
    wanted = lit(place, centers, edges).reshape(SIZE[1], SIZE[0])
    wanted &= np.hypot(*(centers - place).T).reshape(wanted.shape) < RADIUS
    wrong = (shown != wanted).ravel()
    inside = np.hypot(*(centers - place).T) < RADIUS - 1
    assert differs_nearby(place, centers[wrong & inside], edges).all()
    assert wrong.mean() < 0.02
    assert 0.05 < (~wanted).mean() < 0.95
