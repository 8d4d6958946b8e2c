"""The games of the repository as environments: they fulfill the contract, and their own players beat random play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import rish_gym
from long_runs import long, only_long
from rish_core import ManifestError

GAMES = Path(__file__).parents[4] / "games"
STEPS = {"breakout": 300, "orchard": 100, "rewind": 110}
"""How many steps show the difference, by game."""


def small(game: Path) -> rish_gym.Task:
    """Return the task of a game; one that moves a hundred thousand sprites is made smaller."""
    task = rish_gym.read_task(game)
    return replace(task, changes=(*task.changes, "settings.game.most=300")) if game.name == "sprites" else task


def score(env: Any, player: str, steps: int) -> float:
    """Return the reward of an episode of so many steps at most."""
    env.action_space.seed(1)
    env.reset(seed=1, options={"player": player})
    total = 0.0
    for _ in range(steps):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        total += reward
        if terminated or truncated:
            break
    return total


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == "rewind" else only_long) for name in STEPS])
def test_the_game_itself_beats_random_play(name: str) -> None:
    """In ten seconds, the game that plays itself gets a higher reward than random actions; the game checks clean."""
    env: Any = rish_gym.make(GAMES / name).unwrapped
    assert score(env, "game", STEPS[name]) > score(env, "agent", STEPS[name]) + 1
    env.render_mode, env.metadata = None, {**env.metadata, "render_modes": []}  # pictures have tests of their own
    check_env(env)
    env.close()


@pytest.mark.slow
def test_what_breakout_leaves_out_is_only_seen() -> None:
    """Without the systems that `gym.yaml` leaves out, observations, rewards and information are the same."""
    task = rish_gym.read_task(GAMES / "breakout")
    assert task.leave_out
    some, all_ = (rish_gym.make(GAMES / "breakout", task=given) for given in (task, replace(task, leave_out=())))
    for env in (some, all_):
        env.action_space.seed(2)
        env.reset(seed=2)
    for _ in range(long(2000, 100)):
        action = some.action_space.sample()
        (seen, *rest), (seen_by_all, *rest_of_all) = some.step(action), all_.step(action)
        assert rest == rest_of_all
        assert all(np.array_equal(seen[name], seen_by_all[name]) for name in seen)
        if rest[1] or rest[2]:
            some.reset()
            all_.reset()
    some.close()
    all_.close()


@only_long
def test_the_keeper_of_the_lantern_beats_random_play() -> None:
    """In a minute, the autopilot of Lantern finds embers, and random actions find fewer."""
    env: Any = rish_gym.make(GAMES / "lantern").unwrapped
    assert score(env, "game", 900) > score(env, "agent", 900) + 5
    env.close()


@only_long
@pytest.mark.parametrize("name", sorted(path.parent.name for path in GAMES.glob("*/game.yaml")))
def test_every_game_is_an_environment(name: str) -> None:
    """Each game fulfills the contract of Gymnasium, with pictures too."""
    env = rish_gym.make(GAMES / name, task=replace(small(GAMES / name), frame_skip=1)).unwrapped
    check_env(env)
    env.close()


def test_a_show_is_seen_as_a_picture() -> None:
    """A game without a task and without input is a small picture with the colors of the frame, and one action."""
    env = rish_gym.make(GAMES / "hello", render_mode="rgb_array").unwrapped
    seen, _ = env.reset(seed=1)
    assert seen.shape == (84, 84, 3)
    assert env.action_space.n == 1
    frame: Any = env.render()
    assert frame.shape == (360, 640, 3)
    assert np.abs(seen.mean(axis=(0, 1)) - frame.mean(axis=(0, 1))).max() < 1.5
    env.step(0)
    env.close()


def test_nothing_is_left_out_of_a_picture(tmp_path: Path) -> None:
    """If pictures are drawn, the systems under `leave_out:` run; unknown names are refused at their place, too."""
    file = tmp_path / "task.yaml"
    file.write_text("gym: 1\nleave_out: [render.move_cameras]\n")
    env = rish_gym.make(GAMES / "hello", task=rish_gym.read_task(file)).unwrapped
    assert env.simulation.app.schedule.disabled == ()
    env.close()
    file.write_text("gym: 1\nleave_out: [render.move_cameras, render.nothing]\n")
    with pytest.raises(ManifestError, match=r"task\.yaml:2:34: leave_out: no system is called 'render\.nothing'"):
        rish_gym.make(GAMES / "hello", task=rish_gym.read_task(file))
