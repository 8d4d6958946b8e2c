"""Templates: texts with expressions in braces."""

from __future__ import annotations

import pytest

from rish_core import World
from rish_expressions import ExpressionError, Template


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Score {score}", "Score 7"),
        ("{score:03d}|{rate:.2f}|{rate:>6}", "007|1.50|   1.5"),
        ("{{}} {label}", "{} hi"),
        ("{score + 1} of {max(score, 20)}", "8 of 20"),
        ("plain", "plain"),
        ("", ""),
        ("{'}' + label}", "}hi"),
        ("{1 / 4}", "0.25"),
        ("{hero.Health.aim}", "(1, 2)"),
        ("{0.5:.0%}", "50%"),
        ("{1234567:,d}", "1,234,567"),
    ],
)
def test_expressions_in_braces_are_replaced_by_their_values(world: World, text: str, shown: str) -> None:
    """Each expression is replaced by its value, with an optional format."""
    assert Template.parse(text).bind(world)() == shown


@pytest.mark.parametrize("text", ["{score", "score}", "{}", "{score:x!}", "{score:99999d}", "{scor", "{a {b} }"])
def test_a_wrong_template_is_an_error(text: str) -> None:
    """Open braces, empty expressions and unknown formats raise ExpressionError."""
    with pytest.raises(ExpressionError):
        Template.parse(text)


def test_a_template_without_expressions_is_plain(world: World) -> None:
    """`plain` is the text with single braces, or None if there are expressions."""
    assert Template.parse("a {{b}}").plain == "a {b}"
    assert Template.parse("a {score}").plain is None
    with pytest.raises(ExpressionError, match="does not fit"):
        Template.parse("{label:.1f}").bind(world)()
