"""Vectors of games: equal to single ones, in this process and in others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rish_gym
from rish_core import UsageError

ACTIONS = [2, 2, 2, 1, 0] * 5
"""More than an episode, so that all games begin anew."""


def track(env: Any, select: Any = lambda value: value) -> list[Any]:
    """Return everything that an environment gives for a reset and the actions."""
    found = [env.reset(seed=4)]
    for action in ACTIONS:
        found.append(env.step(select(action)))
    return found


def as_lists(value: Any) -> Any:
    """Return arrays as lists, so that results can be compared."""
    if isinstance(value, dict):
        return {name: as_lists(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_lists(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_it_equals_single_environments(walk: Path) -> None:
    """Each game of a vector gives what a single environment with its seed gives; an ended one begins anew."""
    many = rish_gym.VectorEnv(walk, 3)
    single = rish_gym.make(walk).unwrapped
    seen = track(many, lambda action: np.full(3, action))
    single.reset(seed=6)
    done = False
    for action, (observation, rewards, terminated, truncated, infos) in zip(ACTIONS, seen[1:], strict=True):
        expected = (*single.reset()[:1], 0.0, False, False, {"ticks": 0}) if done else single.step(action)
        done = expected[2] or expected[3]
        assert as_lists({name: part[2] for name, part in observation.items()}) == as_lists(expected[0])
        assert (rewards[2], terminated[2], truncated[2]) == expected[1:4]
        assert infos["ticks"][2] == expected[4]["ticks"]
    assert many.observation_space.contains(seen[-1][0])
    many.close()
    single.close()


@pytest.mark.slow
def test_processes_change_nothing(walk: Path) -> None:
    """Games in two processes give the same results as in one, and end with the environment."""
    here = rish_gym.VectorEnv(walk, 3)
    there = rish_gym.VectorEnv(walk, 3, processes=2)
    select = lambda action: np.array([action, 0, 2])  # noqa: E731
    assert as_lists(track(here, select)) == as_lists(track(there, select))
    workers = list(there._processes._workers)  # pyright: ignore[reportOptionalMemberAccess]
    workers[0].terminate()
    workers[0].join()
    with pytest.raises(rish_gym.ProcessFailed, match="process 0 of the games"):
        there.step(np.zeros(3, np.int64))
    there.close()
    assert not any(worker.is_alive() for worker in workers)
    here.close()


def test_some_games_begin_anew(walk: Path) -> None:
    """A mask resets its games only; the others go on."""
    env = rish_gym.VectorEnv(walk, 2)
    env.reset(seed=[1, 2])
    env.step(np.array([2, 2]))
    observation, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert observation["x"].ravel().tolist() == [0, 2]
    env.close()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"num_envs": 0}, "0 games in 0 processes are not possible"),
        ({"num_envs": 1, "processes": 2}, "1 games in 2 processes are not possible"),
        ({"num_envs": 1, "player": "me"}, "player can't be 'me'"),
    ],
)
def test_wrong_arguments_are_refused(given: dict[str, Any], sentence: str, walk: Path) -> None:
    """A vector without games or with more processes than games is refused."""
    with pytest.raises(UsageError, match=sentence):
        rish_gym.VectorEnv(walk, **given)


def test_wrong_seeds_and_actions_are_refused(walk: Path) -> None:
    """Seeds and actions for another number of games, and seeds out of range, are errors."""
    env = rish_gym.VectorEnv(walk, 2)
    for seed in ([1, 2, 3], [-1, 0]):
        with pytest.raises(UsageError, match="seed"):
            env.reset(seed=seed)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="is not in the space"):
        env.step(np.zeros(3, np.int64))
    env.close()
