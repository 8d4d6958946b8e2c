"""The text forms of values: plain scalars without the pitfalls of YAML 1.1, and angles with units."""

from __future__ import annotations

import math

import pytest

from rish_ecs.declarations import degrees_of, resolve, show


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("-12", -12), ("+3", 3),
        ("0", 0), ("0x1F", 31), ("0o17", 15), ("1.5", 1.5), (".5", 0.5), ("2.", 2.0),
        ("1e3", 1000.0), ("-1.5E-2", -0.015),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("18446744073709551615", 2**64 - 1),
    ],
)  # fmt: skip
def test_numbers_and_words_have_their_meaning(text, value):
    """Numbers, booleans and null are read with their types."""
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes",
        "on",
        "off",
        "y",
        "12:30",
        "12:30:00",
        "010",
        "-01.5",
        "2024-01-01",
        "1_000",
        "0b1",
        "tRue",
        "-",
        ".",
    ],
)
def test_what_yaml_11_would_change_stays_text(text):
    """Words, times, octal numbers and dates that YAML 1.1 converts stay text."""
    assert resolve(text) == text


@pytest.mark.parametrize(
    ("text", "word"),
    [(".nan", "finite"), (".NaN", "finite"), ("-.inf", "finite"),
     ("1e999", "too large"), ("9" * 5000, "5000 digits"),
     ("18446744073709551616", "64 bits"), ("0x" + "f" * 40, "64 bits"), ("9" * 60, "64 bits")],
)  # fmt: skip
def test_numbers_that_no_game_can_use_are_refused(text, word):
    """NaN, infinity and numbers beyond 64 bits raise ValueError with a short sentence."""
    with pytest.raises(ValueError, match=word) as caught:
        resolve(text)
    assert len(str(caught.value)) < 120


def test_values_are_named_shortly():
    """`show` names kind and value, and cuts long text."""
    assert show("abc") == "the text 'abc'"
    assert show(True) == "true"
    assert show(None) == "nothing"
    assert show([1, 2]) == "a list of 2"
    assert show({}) == "a mapping"
    assert len(show("x" * 1000)) < 60


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
