"""The autopilot as a player: it serves, catches, clears walls, and no match gets stuck."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from long_runs import long, only_long
from rish_core import Scenes, Transform, open_game

FOLDER = Path(__file__).parents[3] / "games" / "breakout"
SERVED = 130
"""The tick in which the ball flies."""


def watch(seed: int, ticks: int, *, until_level: int = 99, bricks: int = 99) -> dict[str, float]:
    """Let the autopilot play; return counts of lives lost, levels, endings and the score.

    bricks: how many of the first wall are left when the ball is served.
    """
    with open_game(FOLDER, ["scene=play"], headless=True, policy="raise", seed=seed) as app:
        world = app.world
        parts = importlib.import_module(f"{app.plugins['game'].module.__name__}.components")
        seen = {"lost": 0.0, "level": 1.0, "endings": 0.0, "score": 0.0, "ticks": 0.0}
        lives, scene, quiet, score = 3, "", 0, -1
        for tick in range(ticks):
            app.tick()
            world.end_frame()
            if tick == SERVED:
                world.despawn(world[parts.Brick].entities[bricks:])
            match, now = world[parts.Match], world[Scenes].current
            seen["lost"] += max(0, lives - match.lives) if now == scene == "play" else 0
            seen["endings"] += now in ("win", "lose") and scene == "play"
            lives, scene = match.lives, now
            quiet = 0 if match.score != score else quiet + 1
            score = match.score
            assert quiet < 60 * 90, f"nothing happens any more at tick {tick}"
            seen["level"], seen["score"] = max(seen["level"], match.level), max(seen["score"], match.score)
            places = world.query(parts.Ball, Transform)[Transform.position]
            assert ((places[:, 0] > 23.9) & (places[:, 0] < 936.1) & (places[:, 1] < 474.1)).all()
            seen["ticks"] = tick + 1
            if seen["level"] >= until_level:
                break
    return seen


@pytest.mark.slow
def test_the_autopilot_clears_the_first_level_within_three_minutes() -> None:
    """With a fixed seed the autopilot reaches the second level within three minutes, and loses at most one life.

    In the sample its wall has a few bricks.
    """
    seen = watch(15, 60 * 180, until_level=2, bricks=long(99, 12))
    assert seen["level"] == 2
    assert seen["lost"] <= 1


@only_long
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_autopilot_plays_whole_matches(seed: int) -> None:
    """In ten minutes the autopilot reaches the last level, loses at most a dozen lives, and never gets stuck."""
    seen = watch(seed, 60 * 600)
    assert seen["level"] == 5
    assert seen["lost"] <= 12
    assert seen["endings"] >= 1
