"""Learns to play a game with the cross-entropy method, and compares the result with random play and the game itself.

    python cem.py [GAME] [--generations 7] [--population 24] [--processes 2]

The policy is linear: the best-scoring action is taken. In each generation, parameters are drawn from a normal
distribution, each set plays a short episode, and the distribution moves to the best eighth (Rubinstein 1999; for
games: Szita and Lorincz 2006).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import rish_gym

GAME = Path(__file__).parents[4] / "games" / "breakout"
ELITE = 0.125
EXTRA = 0.2
"""Noise that is added to the spread in the first generations, so that it does not shrink too early."""


def flat(space: gymnasium.spaces.Dict, observation: dict[str, Any], parts: list[str]) -> np.ndarray:
    """Return these parts of observations as float32 (n, width), each number scaled to -1..1 by its bounds; and a 1."""
    found = []
    for name in parts:
        part = space[name]
        values = np.asarray(observation[name], np.float32)
        values = values.reshape(len(values), -1)
        low, high = (part.low.ravel(), part.high.ravel()) if isinstance(part, gymnasium.spaces.Box) else (0, 1)
        found.append(2 * (values - low) / (high - low) - 1)
    return np.concatenate([*found, np.ones((len(found[0]), 1), np.float32)], axis=1)


def play(env: rish_gym.VectorEnv, weights: np.ndarray | None, seed: int, parts: list[str]) -> np.ndarray:
    """Play one episode in each game; return the returns. weights: (n, actions, width); None: random actions."""
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    total, running = np.zeros(env.num_envs), np.ones(env.num_envs, np.bool_)
    while running.any():
        if weights is None:
            action = env.action_space.sample()
        else:
            seen = flat(env.single_observation_space, observation, parts)
            action = np.einsum("naw,nw->na", weights, seen).argmax(axis=1)
        observation, reward, terminated, truncated, _ = env.step(action)
        total += reward * running
        running &= ~(terminated | truncated)
    return total


def main() -> None:
    """Learn, and print the mean return of each generation and of the players."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default=GAME, type=Path)
    parser.add_argument("--generations", type=int, default=7)
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--ticks", type=int, default=700, help="of an episode")
    parser.add_argument("--parts", nargs="+", default=["balls"], help="of the observation that the policy sees")
    given = parser.parse_args()
    task = replace(rish_gym.read_task(given.game), limit=given.ticks)
    shared: dict[str, Any] = {"task": task, "processes": given.processes}
    env = rish_gym.VectorEnv(given.game, given.population, **shared)
    random = np.random.default_rng(1)
    width = flat(env.single_observation_space, env.reset(seed=0)[0], given.parts).shape[1]
    shape = (env.single_action_space.n, width)
    mean, spread = np.zeros(shape), np.ones(shape)
    for generation in range(given.generations):
        weights = mean + spread * random.standard_normal((given.population, *shape))
        returns = play(env, weights, seed=1000 * generation, parts=given.parts)
        best = weights[np.argsort(returns)[-max(2, int(ELITE * given.population)) :]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + EXTRA * max(0.0, 1 - generation / 5)
        print(f"generation {generation + 1}: mean {returns.mean():.2f}, best {returns.max():.2f}", flush=True)
    learned = play(env, np.repeat(mean[None], given.population, axis=0), seed=10**6, parts=given.parts)
    chance = play(env, None, seed=10**6, parts=given.parts)
    env.close()
    own = rish_gym.VectorEnv(given.game, given.population, player="game", **shared)
    itself = play(own, None, seed=10**6, parts=given.parts)
    own.close()
    for name, returns in (("random", chance), ("learned", learned), ("the game itself", itself)):
        print(f"{name}: {returns.mean():.2f} ± {returns.std():.2f} over {given.population} episodes")


if __name__ == "__main__":
    main()
