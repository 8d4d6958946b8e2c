"""Learns to play Breakout with CMA-ES: the workers of a pool play the episodes of each generation.

    pip install 'cma>=4,<5'
    python train.py [--generations 16] [--workers 2] [--pool ray]

The policy is linear: of four actions the one with the best score is taken. CMA-ES (Hansen and Ostermeier 2001; the
library `cma` of Hansen) draws weights from a normal distribution and adapts its mean and covariance. All weights of a
generation play the same seeds, so that luck counts less.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cma
import numpy as np

import rish_gym
from rish_ray import open_pool

GAME = Path(__file__).parents[4] / "games" / "breakout"
NEW_SEEDS = range(10**6, 10**6 + 24)
"""The seeds of the final comparison, which no generation has played."""


def seen(observation: dict[str, Any], scale: np.ndarray) -> np.ndarray:
    """Return what the policy sees: the nearest ball, whose numbers are scaled to -1..1 by their bounds; and a 1."""
    return np.append(observation["balls"][0] / scale, 1.0)


class Episodes:
    """Plays episodes of Breakout in a worker. ticks: the length of an episode at most."""

    def __init__(self, ticks: int) -> None:
        task = replace(rish_gym.read_task(GAME), limit=ticks)
        self._env: Any = rish_gym.make(GAME, task=task).unwrapped
        self._scale = self._env.observation_space["balls"].high[0]

    def __call__(self, job: tuple[np.ndarray | None, str, int]) -> float:
        """Return the sum of rewards of one episode. job: the weights or None, the player of `reset`, the seed."""
        weights, player, seed = job
        observation, _ = self._env.reset(seed=seed, options={"player": player})
        random = np.random.default_rng(seed)
        total, ended = 0.0, False
        while not ended:
            if weights is None:
                action = int(random.integers(4))
            else:
                action = int(np.argmax(weights.reshape(4, -1) @ seen(observation, self._scale)))
            observation, reward, terminated, truncated, _ = self._env.step(action)
            total, ended = total + reward, terminated or truncated
        return total


def play(pool: Any, jobs: list[Any]) -> np.ndarray:
    """Return the results of jobs in their order."""
    results = dict(pool.results(jobs))
    return np.array([results[number] for number in range(len(jobs))])


def main() -> None:
    """Learn; print the mean return of each generation, then the comparison with chance and the game itself."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--generations", type=int, default=16)
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--episodes", type=int, default=4, help="of each candidate in a generation")
    parser.add_argument("--ticks", type=int, default=1200, help="of an episode")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--pool", choices=("local", "ray"))
    given = parser.parse_args()
    search = cma.CMAEvolutionStrategy(np.zeros(24), 1.0, {"popsize": given.population, "seed": 1, "verbose": -9})
    with open_pool(partial(Episodes, given.ticks), given.workers, given.pool) as pool:
        for generation in range(given.generations):
            weights = search.ask()
            seeds = range(generation * given.episodes, (generation + 1) * given.episodes)
            jobs = [(each, "agent", seed) for each in weights for seed in seeds]
            returns = play(pool, jobs).reshape(len(weights), -1).mean(axis=1)
            search.tell(weights, (-returns).tolist())
            print(f"generation {generation + 1}: mean {returns.mean():.2f}, best {returns.max():.2f}", flush=True)
        learned = search.result.xfavorite
        for name, policy, player in (("chance", None, "agent"), ("learned", learned, "agent"), ("game", None, "game")):
            returns = play(pool, [(policy, player, seed) for seed in NEW_SEEDS])
            print(f"{name}: {returns.mean():.2f} ± {returns.std():.2f} over {len(returns)} episodes", flush=True)


if __name__ == "__main__":
    main()
