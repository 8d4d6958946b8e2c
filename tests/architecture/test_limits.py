"""The suite keeps limits of processor time, for each test and for all of them."""

from __future__ import annotations

import pytest

from processor_time import excess

LIMITS = {"test": 6.0, "suite": 10.0, "above": {"long": 8.0}}


@pytest.mark.parametrize(
    ("seconds", "lines"),
    [
        ({}, []),
        ({"a": 6.0, "b": 4.0}, []),
        ({"a": 6.1}, ["a uses 6.1 s of processor time; its limit is 6 s"]),
        ({"long": 8.0}, []),
        ({"long": 8.5}, ["long uses 8.5 s of processor time; its limit is 8 s"]),
        ({"a": 5.0, "b": 5.9}, ["all tests use 11 s of processor time; their limit is 10 s"]),
        ({"a": 7.0, "b": 4.0}, ["a uses 7.0 s of processor time; its limit is 6 s",
                                "all tests use 11 s of processor time; their limit is 10 s"]),
    ],
)  # fmt: skip
def test_what_exceeds_a_limit_is_named(seconds: dict[str, float], lines: list[str]) -> None:
    """Each test above its limit has a line, and so does a sum above that of the suite."""
    assert excess(seconds, LIMITS) == lines
