"""The environment of Gymnasium: its contract, episodes, determinism."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import rish_gym
from rish_core import RishError, UsageError, open_game


@pytest.fixture
def env(walk: Path) -> Any:
    """Return the environment of the small game."""
    made: Any = rish_gym.make(walk).unwrapped
    yield made
    made.close()


def hashes(env: Any, seed: int, actions: list[int]) -> list[str]:
    """Return the hash of the World after the reset and after each action."""
    env.reset(seed=seed)
    found = [env.simulation.world.hash()]
    for action in actions:
        env.step(action)
        found.append(env.simulation.world.hash())
    return found


def test_the_checker_of_gymnasium_accepts_it(env: Any) -> None:
    """Spaces, seeds, resets and steps fulfill the contract; its warnings are errors here."""
    check_env(env)


def test_gymnasium_makes_it_by_its_name(walk: Path) -> None:
    """The registered name, with the module before it, gives the same environment, and a vector of it."""
    env = gymnasium.make("rish_gym:rish/Game-v0", game=walk)
    assert isinstance(env.unwrapped, rish_gym.Environment)
    assert env.reset(seed=1)[1] == {"ticks": 0, "count": 0}
    env.close()
    many = gymnasium.make_vec(rish_gym.ID, num_envs=2, game=walk)
    assert isinstance(many, rish_gym.VectorEnv)
    many.close()


def test_the_same_seed_and_actions_give_the_same_states(env: Any) -> None:
    """An episode repeats bit for bit after another one, and another seed gives other states."""
    actions = [2] * 12
    first = hashes(env, 7, actions)
    hashes(env, 8, [1, 0, 2])
    assert hashes(env, 7, actions) == first
    assert hashes(env, 8, actions) != first


def test_an_episode_begins_as_the_game_does(env: Any, walk: Path) -> None:
    """The state after a reset is that of a new App with the same seed, also after other episodes."""
    hashes(env, 1, [2, 2, 2])
    env.reset(seed=5)
    with open_game(walk, ["scene=main"], headless=True, seed=5) as app:
        assert env.simulation.world.hash() == app.world.hash()


def test_a_start_that_depends_on_the_seed_is_made_anew(walk: Path, tmp_path: Path) -> None:
    """Random places of a scene follow the seed of the episode."""
    text = (walk / "game.yaml").read_text(encoding="utf-8")
    random = text.replace("{name: target, tags: [here], Transform: {position: [5, 0]}}",
                          "{name: target, at: {random: [0, 0, 900, 900]}, count: 1, Transform: {}}")  # fmt: skip
    assert random != text
    (tmp_path / "game.yaml").write_text(random, encoding="utf-8")
    (tmp_path / "plugin.py").write_bytes((walk / "plugin.py").read_bytes())
    task = {
        "gym": 1,
        "start": "main",
        "observation": {"at": {"value": "target.Transform.position.x", "low": 0, "high": 900}},
    }
    env = rish_gym.make(tmp_path, task=task)
    seen = [env.reset(seed=seed)[0].item() for seed in (1, 2, 1)]
    assert seen[0] == seen[2] != seen[1]
    env.close()


def test_a_reset_without_a_seed_goes_on_with_the_generator(env: Any) -> None:
    """The seeds of later episodes follow from the first one."""
    runs = []
    for _ in range(2):
        env.reset(seed=3)
        seeds = []
        for _ in range(3):
            env.reset()
            seeds.append(env.simulation.world.seed)
        runs.append(seeds)
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 3


def test_an_episode_ends_at_the_limit_or_with_the_game(env: Any) -> None:
    """The limit of ticks truncates, a game that quits terminates, and a step stops at that tick."""
    env.reset(seed=0)
    ends = [env.step(0)[2:4] for _ in range(20)]
    assert ends == [(False, False)] * 19 + [(False, True)]
    seen = {"t": {"value": "tick", "low": 0, "high": 999}}
    task = {"gym": 1, "start": "main", "frame_skip": 1000, "observation": seen, "action": {"choose": ["right"]}}
    long = rish_gym.make(env.simulation.app.manifest.root, task=task)
    long.reset(seed=0)
    assert long.step(0)[2:] == (True, False, {"ticks": 100})
    long.close()


def test_systems_are_left_out_unless_pictures_are_drawn(walk: Path) -> None:
    """A system under `leave_out:` does not run; an unknown name is refused with its place."""
    seen = {"x": {"value": "walker.Transform.position.x", "low": 0, "high": 9}}
    task = {"gym": 1, "start": "main", "observation": seen, "action": {"choose": ["right"]}}
    places = []
    for out in ([], ["game.walk"]):
        env = rish_gym.make(walk, task={**task, "leave_out": out})
        env.reset(seed=0)
        places.append(env.step(0)[0].item())
        env.close()
    assert places == [1, 0]
    with pytest.raises(RishError, match=r"leave_out: no system is called 'game\.wlak' \(did you mean 'game\.walk'"):
        rish_gym.make(walk, task={**task, "leave_out": "game.wlak"})


def test_the_game_plays_itself_without_input(env: Any) -> None:
    """With `player: game` actions are ignored, until the option is changed."""
    places = []
    for player in ("game", "agent"):
        env.reset(seed=0, options={"player": player})
        places.append(env.step(1)[0]["x"].item())
    assert places == [2, -2]


def test_a_step_needs_a_reset(env: Any) -> None:
    """A step before the first episode is an error."""
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    "given", [{"options": {"player": "me"}}, {"options": {"plyer": "game"}}, {"seed": -1}, {"seed": "one"}]
)
def test_wrong_arguments_of_a_reset_are_refused(given: dict[str, Any], env: Any) -> None:
    """Unknown options and wrong seeds are errors."""
    with pytest.raises((UsageError, gymnasium.error.Error)):
        env.reset(**given)


def test_a_failure_of_the_game_ends_the_step(env: Any) -> None:
    """An error in a system of the game is raised with the system's name, not skipped."""
    from rish_core import PluginError, named

    env.reset(seed=0)
    world = env.simulation.world
    world.despawn(named(world, "target"))
    with pytest.raises(RishError, match=r"game\.walk") as raised:
        env.step(0)
    assert not isinstance(raised.value, PluginError)


def test_observations_of_two_steps_do_not_share_memory(env: Any) -> None:
    """An observation that a learner keeps does not change."""
    first, _ = env.reset(seed=0)
    kept = {name: array.copy() for name, array in first.items()}
    env.step(2)
    assert all(np.array_equal(first[name], kept[name]) for name in kept)
