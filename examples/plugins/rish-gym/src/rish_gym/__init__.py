"""Gymnasium and PettingZoo environments from the manifest of any Rish game::

    import rish_gym

    env = rish_gym.make("games/breakout")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

`gymnasium.make("rish_gym:rish/Game-v0", game="games/breakout")` gives the same environment.
"""

from __future__ import annotations

from .environment import Environment, make
from .parallel import ParallelGame, parallel_env
from .processes import ProcessFailed
from .registration import ID
from .simulation import Simulation
from .task import PlayerTask, Task, read_task
from .vector import VectorEnv

__all__ = [
    "ID",
    "Environment",
    "ParallelGame",
    "PlayerTask",
    "ProcessFailed",
    "Simulation",
    "Task",
    "VectorEnv",
    "make",
    "parallel_env",
    "read_task",
]
