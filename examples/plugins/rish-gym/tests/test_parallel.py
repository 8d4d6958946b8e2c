"""The environment of PettingZoo: an agent for each player."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import rish_gym
from rish_core import Input, UsageError

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # pettingzoo's tests import a game of its own in an old way
    from pettingzoo.test import parallel_api_test

TASK = {
    "gym": 1, "start": "main", "limit": 30, "action": {"choose": ["none", "left", "right"]},
    "observation": {"x": {"value": "walker.Transform.position.x if player == 1 else other.Transform.position.x",
                          "low": -50, "high": 50}},
    "players": [
        {"reward": "walker.Transform.position.x", "end": "walker.Transform.position.x >= 4"},
        {"reward": "other.Transform.position.x"},
    ],
}  # fmt: skip


def test_the_test_of_pettingzoo_accepts_it(walk: Path) -> None:
    """Agents, spaces and steps fulfill the contract."""
    env = rish_gym.parallel_env(walk, task=TASK)
    parallel_api_test(env, num_cycles=60)
    env.close()


def test_each_agent_moves_its_player_and_has_its_own_task(walk: Path) -> None:
    """Actions reach the keys of the own player only; observations, rewards and ends are those of the player."""
    env = rish_gym.parallel_env(walk, task=TASK)
    env.reset(seed=1)
    seen, rewards, ends, _, _ = env.step({"player_1": 2, "player_2": 0})
    assert [seen[name].item() for name in env.possible_agents] == [1, 3]
    assert rewards == {"player_1": 1, "player_2": 3}
    assert ends == {"player_1": False, "player_2": False}
    for _ in range(3):
        ends = env.step({"player_1": 2, "player_2": 2})[2]
    assert ends == {"player_1": True, "player_2": False}
    assert env.agents == ["player_2"]
    with pytest.raises(UsageError, match="no agent of this episode is called 'player_1'"):
        env.step({"player_1": 0})
    env.close()


def test_players_with_the_same_keys_have_devices_of_their_own(walk: Path, tmp_path: Path) -> None:
    """Two players who only have the same gamepad keys are told apart by the numbers of their gamepads."""
    text = (walk / "game.yaml").read_text(encoding="utf-8")
    text = text.replace("{right: [D]}", "{right: [gamepad.a]}").replace("[RIGHT, gamepad.a]", "[gamepad.a]")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "plugin.py").write_bytes((walk / "plugin.py").read_bytes())
    env = rish_gym.parallel_env(tmp_path, task=TASK)
    env.reset(seed=1)
    env.step({"player_1": 0, "player_2": 2})
    keys = env.simulation.world[Input]
    assert [keys.player(number).down("right") for number in (1, 2)] == [False, True]
    env.close()


def test_a_game_for_one_has_one_agent(bare: Path, tmp_path: Path) -> None:
    """A manifest without players gives one agent, with the results of the single environment."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\ninput: {left: [LEFT], right: [RIGHT]}\nscenes: {main: [{name: hero, Transform: {}}]}",
        encoding="utf-8",
    )
    env = rish_gym.parallel_env(tmp_path)
    assert env.possible_agents == ["player_1"]
    parallel_api_test(env, num_cycles=10)
    env.close()
