"""Learns to play Breakout with CMA-ES: the workers of a pool play the episodes of each generation.

    pip install 'cma>=4,<5'
    python train.py [--generations 12] [--workers 2] [--pool ray]

The policy is linear: of four actions the one with the best score is taken. CMA-ES (Hansen and Ostermeier 2001; the
library `cma` of Hansen) draws weights from a normal distribution and adapts its mean and covariance. The weights of a
generation play the same seeds, so that luck counts less. The mean of each generation plays the same twelve seeds, and
the best of these means is kept.
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
HALF_PADDLE = 60.0
"""In units of the game's world."""
WEIGHTS = 4 * 3
"""For each action, one for each number that the policy sees."""
TRIAL_SEEDS = range(10**5, 10**5 + 12)
"""The seeds by which the means of the generations are compared."""
NEW_SEEDS = range(10**6, 10**6 + 24)
"""The seeds of the final comparison, which no generation has played."""


def seen(observation: dict[str, Any]) -> np.ndarray:
    """Return what the policy sees: how far the nearest ball is to the right in half paddles, if it is held, and a 1."""
    x, _, _, _, held = observation["balls"][0]
    return np.array([x / HALF_PADDLE, held, 1.0])


def best_action(weights: np.ndarray, observation: dict[str, Any]) -> int:
    """Return the number of the action with the best score."""
    return int(np.argmax(weights.reshape(4, -1) @ seen(observation)))


class Episodes:
    """Plays episodes of Breakout in a worker. ticks: the length of an episode at most."""

    def __init__(self, ticks: int) -> None:
        task = replace(rish_gym.read_task(GAME), limit=ticks)
        self._env: Any = rish_gym.make(GAME, task=task).unwrapped

    def __call__(self, job: tuple[np.ndarray | None, str, int]) -> float:
        """Return the sum of rewards of one episode. job: the weights or None, the player of `reset`, the seed."""
        weights, player, seed = job
        observation, _ = self._env.reset(seed=seed, options={"player": player})
        random = np.random.default_rng(seed)
        total, ended = 0.0, False
        while not ended:
            action = int(random.integers(4)) if weights is None else best_action(weights, observation)
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
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--episodes", type=int, default=4, help="of each candidate in a generation")
    parser.add_argument("--ticks", type=int, default=1200, help="of an episode")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--pool", choices=("local", "ray"))
    given = parser.parse_args()
    search = cma.CMAEvolutionStrategy(np.zeros(WEIGHTS), 1.0, {"popsize": given.population, "seed": 1, "verbose": -9})
    learned, best = np.zeros(WEIGHTS), -np.inf
    with open_pool(partial(Episodes, given.ticks), given.workers, given.pool) as pool:
        for generation in range(given.generations):
            weights = search.ask()
            seeds = range(generation * given.episodes, (generation + 1) * given.episodes)
            jobs = [(each, "agent", seed) for each in weights for seed in seeds]
            returns = play(pool, jobs).reshape(len(weights), -1).mean(axis=1)
            search.tell(weights, (-returns).tolist())
            mean = search.result.xfavorite
            trial = play(pool, [(mean, "agent", seed) for seed in TRIAL_SEEDS]).mean()
            if trial > best:
                learned, best = mean, trial
            print(f"generation {generation + 1}: candidates {returns.mean():.2f}, their mean {trial:.2f}", flush=True)
        for name, policy, player in (("chance", None, "agent"), ("learned", learned, "agent"), ("game", None, "game")):
            returns = play(pool, [(policy, player, seed) for seed in NEW_SEEDS])
            print(f"{name}: {returns.mean():.2f} ± {returns.std():.2f} over {len(returns)} episodes", flush=True)


if __name__ == "__main__":
    main()
