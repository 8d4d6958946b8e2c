"""Angles as text, with or without a unit."""

from __future__ import annotations

import math

import pytest

from rish_core.manifest import degrees_of


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("90deg", 90), ("-0.25turn", -90), ("1.5rad", math.degrees(1.5)), ("+1e2 deg", 100), (".5turn", 180),
        ("30deg/s", 30), ("90", None), ("deg", None),
        ("90degrees", None), ("90deg ", None), ("1_0deg", None), ("", None),
        ("nandeg", None), ("१deg", None),
    ],
)  # fmt: skip
def test_an_angle_says_its_unit(text: str, degrees: float | None) -> None:
    """An angle can be in degrees, radians or turns, also as a speed; other text gives None."""
    assert degrees_of(text) == (None if degrees is None else pytest.approx(degrees))
