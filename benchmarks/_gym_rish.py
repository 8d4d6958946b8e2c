"""All sides of the benchmark `gym`: the game Breakout as an environment, and CartPole of gymnasium."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import rish_gym

from ._task import Task

GAME = Path(__file__).parents[1] / "games" / "breakout"
_MANY = 8
_STEPS = 100
_WARM = 5
"""Runs before the first that counts, in which kernels are loaded."""


def tick() -> Task:
    """A tick in steps of the length that the game's task declares."""
    return _played(rish_gym.make(GAME).unwrapped, rish_gym.read_task(GAME).frame_skip)


def step_of_one() -> Task:
    """A step of a single tick, with its observation."""
    return _played(rish_gym.make(GAME, task=replace(rish_gym.read_task(GAME), frame_skip=1)).unwrapped)


def cartpole() -> Task:
    """A step of CartPole."""
    return _played(gymnasium.make("CartPole-v1").unwrapped)


def reset() -> Task:
    """The beginning of an episode with another seed."""
    env: Any = rish_gym.make(GAME).unwrapped
    env.reset(seed=1)
    return Task(lambda: env.reset(), after=env.close)


def vector() -> Task:
    """A step of each of eight games in this process; the value is that of one game."""
    env: Any = rish_gym.VectorEnv(GAME, _MANY)
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(_STEPS)]

    def run() -> None:
        for action in actions:
            env.step(action)

    return Task(run, after=env.close, parts=_MANY * _STEPS)


def _played(env: Any, ticks: int = 1) -> Task:
    """Return a hundred steps with random actions, of so many ticks; an episode that ends is followed by another one."""
    env.reset(seed=1)
    random = np.random.default_rng(1)
    actions = [int(n) for n in random.integers(0, env.action_space.n, _STEPS)]

    def run() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    for _ in range(_WARM):
        run()
    return Task(run, after=env.close, parts=_STEPS * ticks)
