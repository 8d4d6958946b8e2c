"""Entries of an edited text are matched with those of the old text."""

from __future__ import annotations

import pytest

from rish_reload.entities.entry_diff import pair_items


def pair(old: str, new: str) -> dict[int, int]:
    """Pair items written as letters; a capital letter is the same entry as the small one, but changed."""
    ranks = [[(None, letter.lower()) for letter in text] for text in (old, new)]
    return pair_items(list(old), list(new), *ranks)


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("abc", "abc", {0: 0, 1: 1, 2: 2}),
        ("abc", "aBc", {0: 0, 1: 1, 2: 2}),
        ("abc", "axbc", {0: 0, 1: 2, 2: 3}),
        ("abc", "ac", {0: 0, 2: 1}),
        ("abc", "", {}),
        ("", "abc", {}),
        ("abc", "xyz", {}),
        ("aaaa", "aaa", {0: 0, 1: 1, 2: 2}),
        ("abcd", "aCBd", {0: 0, 1: 2, 2: 1, 3: 3}),
        ("ab", "Xab", {0: 1, 1: 2}),
        ("abcde", "aXcdE", {0: 0, 2: 2, 3: 3, 4: 4}),
    ],
)
def test_items_are_paired(old: str, new: str, pairs: dict[int, int]) -> None:
    """Equal items are paired in order, then changed ones by their keys."""
    assert pair(old, new) == pairs


def test_a_long_text_is_paired_in_no_time() -> None:
    """Ten thousand equal entries with two edits far apart are paired quickly."""
    old = ["brick"] * 10_000
    new = [*old]
    new[3], new[9_000] = "Brick", "Brick"
    ranks = [[("brick",)] * 10_000] * 2
    assert pair_items(old, new, *ranks) == {i: i for i in range(10_000)}
