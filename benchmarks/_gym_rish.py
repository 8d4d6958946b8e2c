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
    return steps(rish_gym.make(GAME).unwrapped, rish_gym.read_task(GAME).frame_skip)


def step_of_one() -> Task:
    """A step of a single tick, with its observation."""
    return steps(rish_gym.make(GAME, task=replace(rish_gym.read_task(GAME), frame_skip=1)).unwrapped)


def step() -> Task:
    """A step of four ticks, with the observation of the game's task."""
    return steps(rish_gym.make(GAME).unwrapped)


def pixels() -> Task:
    """A step of four ticks, whose observation is a gray picture of 84 x 84 pixels."""
    task = rish_gym.read_task(GAME)
    seen = rish_gym.read_task({"gym": 1, "observation": {"picture": {"size": [84, 84], "gray": True}}})
    common = replace(task.common, observation=seen.common.observation)
    return steps(rish_gym.make(GAME, task=replace(task, common=common)).unwrapped)


def cartpole() -> Task:
    """A step of CartPole."""
    return steps(gymnasium.make("CartPole-v1").unwrapped)


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


def steps(env: Any, ticks: int = 1) -> Task:
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
