"""The Arcade Learning Environment (ale-py) in the benchmark `gym`: Breakout of the Atari 2600, four frames a step."""

from __future__ import annotations

from typing import Any

import ale_py
import gymnasium

from ._gym_rish import steps
from ._task import Task


def step() -> Task:
    """A step whose observation is the memory of the machine, 128 bytes."""
    return _played("ram")


def pixels() -> Task:
    """A step whose observation is the gray picture, 160 x 210 pixels."""
    return _played("grayscale")


def _played(observed: str) -> Task:
    gymnasium.register_envs(ale_py)
    env: Any = gymnasium.make("ALE/Breakout-v5", obs_type=observed).unwrapped
    return steps(env)
