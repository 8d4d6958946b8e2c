"""Rewards: values, changes and events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rish_gym
from rish_core import ManifestError

BASE = {"gym": 1, "start": "main", "frame_skip": 2, "observation": {"t": {"value": "tick", "low": 0, "high": 99}},
        "action": {"choose": ["none", "left", "right"]}}  # fmt: skip


def rewards(game: Path, reward: Any, actions: list[int]) -> list[float]:
    """Return the rewards of the actions."""
    env = rish_gym.make(game, task={**BASE, "reward": reward})
    env.reset(seed=0)
    found = [float(env.step(action)[1]) for action in actions]
    env.close()
    return found


def test_an_expression_is_a_reward(walk: Path) -> None:
    """A single expression is the reward of each step, and truth values count 1."""
    assert rewards(walk, "walker.Transform.position.x > 1", [2, 1]) == [1, 0]


def test_a_change_is_counted_over_the_ticks_of_a_step(walk: Path) -> None:
    """The walker goes one unit a tick, and a step has two ticks; terms are added."""
    terms = {"way": {"change": "walker.Transform.position.x", "times": 0.5}, "cost": {"value": -1}}
    assert rewards(walk, terms, [2, 0, 1]) == [0, -1, -2]


def test_events_are_counted_with_a_condition(walk: Path) -> None:
    """Events of all ticks of a step count once, and only those that fulfill the condition."""
    terms = {"mine": {"count": "Reached", "where": "player == 1", "times": 3}, "all": {"count": "game.Reached"}}
    assert rewards(walk, terms, [2, 2, 2]) == [0, 0, 4]
    assert rewards(walk, {"theirs": {"count": "Reached", "where": "player == 2"}}, [2, 2, 2]) == [0, 0, 0]


def test_enums_of_resources_are_words(walk: Path) -> None:
    """A condition compares an enum of a resource with a word in lower case."""
    assert rewards(walk, "1 if Tally.mood == 'calm' else 0", [0]) == [1]


@pytest.mark.parametrize(
    ("reward", "sentence"),
    [
        ({"a": {"count": "Reachd"}}, "no event is called 'Reachd' (did you mean 'Reached'?)"),
        ({"a": {"count": "Reached", "where": "playr == 1"}}, "did you mean 'player'?"),
        ({"a": {"value": "Tally.cuont"}}, "did you mean 'count'?"),
        ("1 / (tick - tick)", "division by zero"),
        ("'three'", "must be a number"),
    ],
)
def test_a_wrong_reward_is_refused_at_its_place(reward: Any, sentence: str, walk: Path) -> None:
    """Names that do not exist and values that are no numbers are errors with the path of the reward."""
    with pytest.raises(ManifestError) as raised:
        rewards(walk, reward, [0])
    assert sentence in str(raised.value)
    assert "reward" in str(raised.value)
