"""Actions: spaces, and the keys that they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import rish_gym
from rish_core import Input, ManifestError, UsageError

SEEN = {"t": {"value": "tick", "low": 0, "high": 99}}


def acting(game: Path, **action: Any) -> Any:
    """Return an environment with these actions, at the start of an episode."""
    task = {"gym": 1, "start": "main", "observation": SEEN, "action": action}
    env = rish_gym.make(game, task=task).unwrapped
    env.reset(seed=0)
    return env


def test_a_choice_holds_the_keys_of_its_item(walk: Path) -> None:
    """A held key is pressed once, stays down while it is chosen, and is released afterwards."""
    env = acting(walk, choose=["none", "left", ["left", "right"]])
    assert env.action_space == spaces.Discrete(3)
    keys = env.simulation.world[Input]
    states = []
    for action in (1, 1, 2, 0):
        env.step(action)
        asked = (keys.pressed("left"), keys.down("left"), keys.player(1).down("right"), keys.released("left"))
        states.append("".join("01"[answer] for answer in asked))
    assert states == ["1100", "0100", "0110", "0001"]
    env.close()


def test_a_tap_is_a_new_press_in_each_step(walk: Path) -> None:
    """What `tap` lists is pressed again in each step that chooses it, and down for one tick only."""
    env = acting(walk, choose=["none", "left"], tap=["left"])
    keys = env.simulation.world[Input]
    states = []
    for action in (1, 1, 0):
        env.step(action)
        states.append((keys.pressed("left"), keys.down("left"), keys.released("left")))
    assert states == [(True, True, False), (True, True, True), (False, False, True)]
    env.close()


def test_each_form_has_its_space(walk: Path) -> None:
    """Choices, presses, axes and a pointer together are a dictionary of spaces, and all of them reach the game."""
    choose = {"walk": ["none", "left"], "other": ["none", "right", "F1"]}
    env = acting(walk, choose=choose, press=["left", "right"], axes=["gamepad.left_x"], pointer=[0, 0, 64, 48])
    assert dict(env.action_space.items()) == {
        "choose": spaces.MultiDiscrete([2, 3]),
        "press": spaces.MultiBinary(2),
        "axes": spaces.Box(-1, 1, (1,), np.float32),
        "pointer": spaces.Box(np.array([0, 0], np.float32), np.array([64, 48], np.float32)),
    }
    action = {"choose": np.array([1, 2]), "press": np.array([0, 1], np.int8), "axes": np.array([-0.5], np.float32)}
    env.step({**action, "pointer": np.array([3, 4], np.float32)})
    keys = env.simulation.world[Input]
    assert keys.down("left")
    assert keys.down("F1")
    assert keys.player(1).down("right")
    assert keys.player(1).value("gamepad.left_x") == -0.5
    assert keys.pointer == (3, 4)
    env.close()


def test_without_a_declaration_each_action_is_a_button(bare: Path) -> None:
    """A game without a task has a button for each action of its manifest, also those of the player alone."""
    env = rish_gym.make(bare, task={"gym": 1, "start": "main"})
    assert env.action_space == spaces.MultiBinary(2)
    env.close()


def test_an_agent_that_does_nothing_counts_as_a_person(walk: Path) -> None:
    """An idle agent is not replaced by the game itself, as the absence of a person would be."""
    env = acting(walk, choose=["none", "left"])
    env.step(0)
    assert env.simulation.world.resource("game.Tally").touched
    env.close()


def test_nothing_stays_held_in_the_next_episode(walk: Path) -> None:
    """A key that is down at the end of an episode is up at the beginning of the next."""
    env = acting(walk, choose=["none", "left"])
    env.step(1)
    env.reset(seed=1)
    keys = env.simulation.world[Input]
    assert not keys.down("left")
    env.step(1)
    assert keys.pressed("left")
    env.close()


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ({"choose": ["lfet"]}, "no action of `input:` with a key is called 'lfet' (did you mean 'left'?)"),
        ({"axes": ["LEFT"]}, "'LEFT' is no axis"),
    ],
)
def test_a_wrong_name_is_refused(action: dict[str, Any], sentence: str, walk: Path) -> None:
    """An action or axis that does not exist is refused with its place."""
    with pytest.raises(ManifestError) as raised:
        acting(walk, **action)
    assert sentence in str(raised.value)


@pytest.mark.parametrize("action", [3, -1, "left", None, 0.5, np.array([np.nan])])
def test_an_action_outside_of_the_space_is_refused(action: Any, walk: Path) -> None:
    """A wrong action is an error, not a step without input."""
    env = acting(walk, choose=["none", "left", "right"])
    with pytest.raises(UsageError, match="is not in the space"):
        env.step(action)
    env.close()
