"""Tournaments: who plays whom, who wins, and ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_core import UsageError
from rish_ray import Player, Trial, elo, matches, standings

SCORE = ("walker.Transform.position.x", "other.Transform.position.x")


def test_each_pair_plays_each_seed_on_both_sides() -> None:
    """Three autopilots have three pairs; each plays two seeds, each seed twice."""
    jobs = matches(["x/a.py", "b.py", "c.py"], 2)
    played = [(job.labels["seed"], job.labels["player 1"], job.labels["player 2"]) for job in jobs]
    assert len(played) == 12 == len(set(played))
    assert {(seed, second, first) for seed, first, second in played} == set(played)
    for wrong in (["a.py"], ["a.py", "x/a.py"]):
        with pytest.raises(UsageError):
            matches(wrong, 1)


def test_the_faster_walker_wins(walk: Path) -> None:
    """The autopilot that holds the key wins all matches, on both sides; a draw and an error count as such."""
    lazy = walk.parent / "lazy.py"
    lazy.write_text("def play(world, player): return []", encoding="utf-8")
    player, jobs = (
        Player(Trial(str(walk), ticks=30, columns=SCORE)),
        matches([str(walk.parent / "fast.py"), str(lazy)], 2),
    )
    rows = []
    for job in jobs:
        outcome = player(job)
        rows.append({**job.labels, "end": outcome.end, **dict(zip(SCORE, outcome.values, strict=True))})
    player.close()
    rows.append({**rows[0], SCORE[0]: 1, SCORE[1]: 1})
    rows.append({**rows[0], "end": "error", SCORE[0]: None})
    best, worst = standings(rows, SCORE)
    assert best == {"autopilot": "fast", "matches": 5, "wins": 4, "draws": 1, "losses": 0, "elo": best["elo"]}
    assert (worst["wins"], worst["draws"], worst["losses"]) == (0, 1, 4)
    assert best["elo"] + worst["elo"] == 3000
    assert best["elo"] > 1600


def test_ratings_are_those_of_the_model() -> None:
    """Points in the proportions that ratings imply give these ratings back; players with equal points are equal."""
    wanted = np.array([1700.0, 1500.0, 1300.0])
    chance = 1 / (1 + 10 ** ((wanted[None, :] - wanted[:, None]) / 400))
    points = 1e6 * chance * (1 - np.eye(3))
    assert elo(points) == pytest.approx(wanted, abs=0.1)
    assert elo(np.zeros((2, 2))) == pytest.approx([1500, 1500])
