"""Names that the file systems of USB sticks can't hold."""

from __future__ import annotations

import pytest

from rish_bundle.portable import problems


@pytest.mark.parametrize("name", ["games/夜 の池/game.yaml", "a/b c/.rish/picture.png", "a/console.txt"])
def test_usual_names_are_fine(name: str) -> None:
    """Spaces, other scripts and hidden files are no problem."""
    assert problems([name]) == []


@pytest.mark.parametrize("name", ["a/b:c.png", "a/what?.png", "a/b./c", "a/end ", "aux.txt", "a/COM1/x", "x" * 200])
def test_names_that_windows_or_fat_refuse_are_named(name: str) -> None:
    """Characters with a meaning, devices, dots at the end and very long paths are refused."""
    assert name in problems([name])[0]


def test_names_that_differ_in_case_alone_are_one_name() -> None:
    """The second one is named together with the first."""
    [problem] = problems(["a/Star.png", "a/moon.png", "a/star.png"])
    assert "a/star.png" in problem
    assert "a/Star.png" in problem
