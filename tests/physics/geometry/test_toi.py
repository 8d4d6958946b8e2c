"""The time of impact of moving hulls, compared with small steps."""

from __future__ import annotations

import numpy as np
import pytest

import plain_hulls as reference
from rish_physics.geometry.hull import convex_hull, hull_rows
from rish_physics.geometry.toi import NEVER, time_of_impact

BOX = np.array([[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]])
TRIANGLE = convex_hull([[-0.5, -0.3], [0.6, -0.2], [0, 0.6]])
TARGET, TOLERANCE = np.float32(0.005), np.float32(0.00125)


def _impact(a: np.ndarray, b: np.ndarray, sweep: np.ndarray) -> float:
    rows = hull_rows(a[None])[0], hull_rows(b[None])[0]
    made = time_of_impact(
        rows[0], 0, len(a), rows[1], 0, len(b), sweep.astype(np.float32), TARGET, TOLERANCE, np.zeros(16, np.float32), 0
    )
    return float(made)


def _sweep(*given: float) -> list[float]:
    """Return the numbers of a motion: x, y, cosine, sine, movement x and y, rotation, reach."""
    x, y, angle, dx, dy, turn, reach = given
    return [x, y, np.cos(angle), np.sin(angle), dx, dy, turn, reach]


def _gaps(a: np.ndarray, b: np.ndarray, sweep: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the distance between the hulls at each of the times."""
    poses = []
    for part in sweep.reshape(2, 8):
        angle = np.arctan2(part[3], part[2]) + times * part[6]
        poses.append(np.stack([part[0] + times * part[4], part[1] + times * part[5], np.cos(angle), np.sin(angle)], 1))
    return reference.separation(reference.placed(a, poses[0]), reference.placed(b, poses[1]))


def test_a_box_that_flies_straight_hits_when_the_gap_is_used_up() -> None:
    """A box that moves straight hits when the gap, less the target distance, is used up."""
    sweep = np.array(_sweep(0, 0, 0, 0, 0, 0, 1) + _sweep(4, 0, 0, -6, 0, 0, 1))
    assert _impact(BOX, BOX, sweep) == pytest.approx((3 - 0.005) / 6, abs=3e-4)


def test_what_passes_by_or_stops_short_or_flies_away_never_hits() -> None:
    """A shape that passes by, stops short or moves away gives NEVER."""
    for dx, dy in ((-2.9, 0), (6, 0), (0, 5), (-6, 6)):
        sweep = np.array(_sweep(0, 0, 0, 0, 0, 0, 1) + _sweep(4, 0, 0, dx, dy, 0, 1))
        assert _impact(BOX, BOX, sweep) == NEVER


def test_what_touches_at_the_start_hits_at_once() -> None:
    """Shapes that touch or overlap at the start give time 0."""
    for x in (1.003, 0.2):
        assert _impact(BOX, BOX, np.array(_sweep(0, 0, 0, 0, 0, 0, 1) + _sweep(x, 0, 0, -6, 0, 0, 1))) == 0


@pytest.mark.slow
def test_it_never_oversteps_and_hardly_ever_stops_early() -> None:
    """In 300 random motions with rotation the shapes do not overlap before the time of impact, and are near at it."""
    random = np.random.default_rng(3)
    hit = early = 0
    for _ in range(300):
        where, angle = random.uniform(0, 2 * np.pi, 2)
        way = -np.array([np.cos(where), np.sin(where)]) * random.uniform(2, 6) + random.uniform(-0.5, 0.5, 2)
        turns = random.uniform(-3, 3, 2)
        sweep = np.array(_sweep(0, 0, 0, *random.uniform(-0.5, 0.5, 2), turns[0], 0.59))
        sweep = np.concatenate([sweep, _sweep(3 * np.cos(where), 3 * np.sin(where), angle, *way, turns[1], 0.7)])
        time = _impact(BOX, TRIANGLE, sweep)
        times = np.linspace(0, min(time, 1), 400)
        gaps = _gaps(BOX, TRIANGLE, sweep, times)
        assert gaps.min() > 0.004
        if time <= 1:
            hit += 1
            early += gaps[-1] > 0.007
    assert hit > 100
    assert early <= 3
