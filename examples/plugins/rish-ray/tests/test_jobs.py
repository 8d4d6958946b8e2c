"""Jobs: seeds, settings and columns as they are written on the command line."""

from __future__ import annotations

import pytest

from rish_core import UsageError
from rish_ray import product
from rish_ray.jobs import read_columns, read_seeds, read_settings


def test_every_seed_meets_every_combination() -> None:
    """The jobs are the product of settings and seeds; the seeds of one combination follow each other."""
    jobs = product(range(2), read_settings(["game.lives=1,2", "scene=play"]))
    assert [(job.seed, job.changes) for job in jobs] == [
        (seed, (f"game.lives={lives}", "scene=play")) for lives in (1, 2) for seed in (0, 1)
    ]
    assert jobs[2].labels == {"seed": 0, "game.lives": 2, "scene": "play"}


def test_commas_in_brackets_and_quotes_belong_to_a_value() -> None:
    """Only commas outside of brackets and quotes separate values."""
    assert read_settings(["a.b=[1,2],{x: 3, y: 4}", "c='d,e',f"]) == {
        "a.b": ["[1,2]", "{x: 3, y: 4}"],
        "c": ["'d,e'", "f"],
    }
    assert read_columns("score, max(a, b),'x,y'") == ("score", "max(a, b)", "'x,y'")


def test_seeds_are_a_number_or_a_range() -> None:
    """`3` is 0 to 2, and `5-7` is 5 to 7."""
    assert list(read_seeds("3")) == [0, 1, 2]
    assert list(read_seeds("5-7")) == [5, 6, 7]


@pytest.mark.parametrize("text", ["", "0", "-3", "3-", "a", "1-2-3", "7-5", "1.5", "9999999999"])
def test_other_seeds_are_refused(text: str) -> None:
    """A text that is neither, and a range without seeds, is a mistake that is named."""
    with pytest.raises(UsageError, match="--seeds"):
        read_seeds(text)


@pytest.mark.parametrize("texts", [["lives"], ["=1"], ["lives="], ["lives=1,,2"], ["lives=1", "lives=2"]])
def test_other_settings_are_refused(texts: list[str]) -> None:
    """Each setting has a key, comes once, and has no empty value."""
    with pytest.raises(UsageError, match="--set"):
        read_settings(texts)


def test_a_broken_list_of_columns_is_refused() -> None:
    """A list of columns that Python's parser refuses is a mistake."""
    with pytest.raises(UsageError, match="no list"):
        read_columns("score, (")
