"""The file of a task: what it declares, and how mistakes are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

import rish_gym
from rish_core import ManifestError, RishError

HEAD = "gym: 1\nobservation: {x: {value: tick, low: 0, high: 9}}\n"


def said(text: str, folder: Path) -> str:
    """Return the message about a task."""
    path = folder / "gym.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError) as raised:
        rish_gym.read_task(path)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gym: 2", "gym.yaml:1:6: gym: the format must be 1"),
        ("[]", "gym.yaml:1:1: the file must be a mapping, not a list of 0"),
        (HEAD + "rewrad: 1", "3:1: rewrad: nothing is called 'rewrad' here (did you mean 'reward'?)"),
        (HEAD + "limit: soon", "3:8: limit: must be a whole number from 1 to 1000000000, not the text 'soon'"),
        (HEAD + "frame_skip: 0", "3:13: frame_skip: must be a whole number from 1 to 1000"),
        (HEAD + "reward: {a: {change: tick, times: fast}}", "reward.a.times: must be a number, not the text 'fast'"),
        (HEAD + "reward: {a: {times: 2}}", "reward.a.value: a term needs exactly one of value, change, count"),
        (HEAD + "reward: {a: {value: 1, where: b}}", "only a term with `count` has a condition"),
        (HEAD + "action: {}", "action: needs at least one of choose, press, axes, pointer"),
        (HEAD + "action: {choose: left}", "action.choose: must be a list such as"),
        (HEAD + "action: {press: [a, a]}", "action.press: must be a list of different names"),
        (HEAD + "action: {pointer: [0, 0, 0, 9]}", "action.pointer: must be the area [left, bottom, right, top]"),
        (HEAD + "players: {}", "players: must be a list of mappings"),
        ("gym: 1\nobservation: {}", "observation: an observation needs at least one part"),
        ("gym: 1\nobservation: {x: {value: tick}}", "needs a lowest and a highest value"),
        ("gym: 1\nobservation: {x: {value: tick, low: 3, high: 3}}", "needs a lowest and a highest value"),
        ("gym: 1\nobservation: {x: {low: 1, high: 3}}", "a part needs `value`, `each` or `size`"),
        ("gym: 1\nobservation: {x: {each: Transform}}", "name at least one field"),
        ("gym: 1\nobservation: {x: {size: [0, 84]}}", "must be [width, height] in pixels"),
    ],
)
def test_a_mistake_is_reported_at_its_place(text: str, sentence: str, tmp_path: Path) -> None:
    """Each mistake in the file is named with its path, and where it is written."""
    assert sentence in said(text, tmp_path)


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    """A file with three mistakes is refused with a line for each."""
    text = said(HEAD + "limit: 0\nframe_skip: 0\ninfo: 3\n", tmp_path)
    assert [line.split(": ")[1] for line in text.splitlines()[1:]] == ["limit", "frame_skip", "info"]


def test_changes_are_written_as_on_the_command_line(tmp_path: Path) -> None:
    """`set:` takes dotted names and mappings inside of mappings."""
    task = rish_gym.read_task({"gym": 1, "set": {"settings.game.lives": 1, "variables": {"goal": [1, "a b"]}}})
    assert task.changes == ("settings.game.lives=1", "variables.goal=[1, a b]")


def test_a_player_has_the_common_task_but_for_what_it_declares() -> None:
    """An item of `players:` replaces single keys of the common task."""
    part = {"x": {"value": "tick", "low": 0, "high": 9}}
    task = rish_gym.read_task({"gym": 1, "observation": part, "reward": "1", "players": [{}, {"reward": "2"}]})
    assert task.of_player(1) == task.common
    assert task.of_player(2).observation == task.common.observation
    assert task.of_player(2).reward["reward"].text.text == "2"


def test_a_task_with_more_players_than_the_game_is_refused(walk: Path) -> None:
    """A third player is refused with the number of players of the manifest."""
    with pytest.raises(RishError, match="the task has 3 players, and the manifest has 2"):
        rish_gym.make(walk, task={"gym": 1, "players": [{}, {}, {}]})
