"""Observations: values, rows with masks, pictures, and what can't be observed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rish_gym
from rish_core import ManifestError, Transform, named


def observed(game: Path, **parts: Any) -> Any:
    """Return the first observation of these parts."""
    env = rish_gym.make(game, task={"gym": 1, "start": "main", "observation": parts})
    try:
        observation, _ = env.reset(seed=0)
        assert env.observation_space.contains(observation)
        return observation
    finally:
        env.close()


def test_a_value_is_clipped_to_its_bounds(walk: Path) -> None:
    """A number out of its bounds becomes the bound, a list keeps its shape, and one part alone is an array."""
    seen = observed(walk, a={"value": "other.Transform.position", "low": -1, "high": 2})
    assert seen.tolist() == [2, 0]


def test_rows_are_padded_and_masked(walk: Path) -> None:
    """Entities of a tag have one row each, the oldest first; further rows are 0 and masked."""
    seen = observed(walk, here={"each": "here", "count": 3, "fields": {"Transform.position.x": [1, 9]}})
    assert seen["here"].tolist() == [[1], [5], [0]]
    assert seen["here_mask"].tolist() == [1, 1, 0]


def test_the_nearest_come_first_and_positions_are_relative(walk: Path) -> None:
    """With `near`, rows are sorted by the distance, positions count from there, and more entities are left out."""
    fields = {"Transform.position.x": [-9, 9], "Walker.mood": [0, 1], "Transform.rotation": [0, 360]}
    seen = observed(walk, w={"each": "Walker", "count": 1, "near": "target", "fields": fields})
    assert seen["w"].tolist() == [[-2, 1, 0]]


def test_angles_are_degrees(walk: Path) -> None:
    """A rotation has the unit of manifests."""
    fields = {"Transform.rotation": [0, 360]}
    assert observed(walk, w={"each": "Walker", "count": 1, "fields": fields})["w"].tolist() == [[90]]


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"value": "walkr.Walker.player", "low": 0, "high": 1}, "no entity is called 'walkr' (did you mean 'walker'?)"),
        (
            {"value": "walker.Walker.mood", "low": 0, "high": 1},
            "must be a number, and walker.Walker.mood is of the typ",
        ),
        ({"each": "Walkr", "fields": {"Transform.position.x": [0, 1]}}, "did you mean 'Walker'?"),
        ({"each": "Walker", "fields": {"Transform.position": [0, 1]}}, "must name one number of a component"),
        ({"each": "Walker", "fields": {"Transform.positon.x": [0, 1]}}, "did you mean 'position'?"),
        ({"each": "Walker", "near": "me", "fields": {"Walker.player": [0, 1]}}, "is called 'me'"),
    ],
)
def test_a_wrong_name_is_reported_at_its_place(part: dict[str, Any], sentence: str, walk: Path) -> None:
    """What does not exist in the game is refused before the first episode, with the nearest name."""
    with pytest.raises(ManifestError) as raised:
        observed(walk, part=part)
    assert sentence in str(raised.value)
    assert "observation.part" in str(raised.value)


def test_a_value_that_is_no_number_ends_the_step(walk: Path) -> None:
    """NaN in a column is reported with the part instead of being learned from."""
    env = rish_gym.make(walk).unwrapped
    env.reset(seed=0)
    world = env.simulation.world
    world[Transform].position[world[Transform].row_of(named(world, "target"))] = np.nan
    with pytest.raises(ManifestError, match=r"observation\.places\.each: a field of an entity is not a number"):
        env.step(0)
    env.close()


def test_a_game_without_pictures_and_task_shows_positions(bare: Path) -> None:
    """The default observation of a game that draws nothing has the positions of its entities."""
    env = rish_gym.make(bare, task={"gym": 1, "start": "main"})
    seen = env.reset(seed=0)[0]
    assert seen["entities"][:3].tolist() == [[0, 0], [3, 0], [5, 0]]
    assert seen["entities_mask"].sum() == 3
    env.close()
