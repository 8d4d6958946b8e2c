"""Expressions: values, types, functions, limits and messages."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import Transform, World, named
from rish_expressions import Expression, ExpressionError, FieldPath, Vocabulary

VALUES: list[tuple[str, Any]] = [
    ("1 + 2 * 3", 7),
    ("7 // 2", 3),
    ("-7 % 3", 2),
    ("2 ** 10", 1024),
    ("2 ** -1", 0.5),
    ("7 / 2", 3.5),
    ("1 < 2 <= 2 != 3", True),
    ("3 < 2 < 5", False),
    ("not (true and false)", True),
    ("False or none == none", True),
    ("'a' + text(3)", "a3"),
    ("'b' in 'abc'", True),
    ("2 in [1, 2]", True),
    ("4 not in [1, 2]", True),
    ("1 if fast else 2", 1),
    ("score + 1", 8),
    ("label + '!'", "hi!"),
    ("not true", False),
    ("hero.Health.now * 2", 8.0),
    ("hero.Transform.position + [1, 1]", (4, 5)),
    ("length(hero.Transform.position)", 5.0),
    ("(hero.Transform.position * 2).y", 8.0),
    ("distance([0, 0], [3, 4])", 5.0),
    ("'old oak'.Health.mood == 'angry'", True),
    ("min(3, 1, 2)", 1),
    ("max([3, 9])", 9),
    ("abs(-3)", 3),
    ("round(2.5)", 2),
    ("round(2.345, 1)", 2.3),
    ("floor(-1.5)", -2),
    ("ceil(1.2)", 2),
    ("clamp(15, 0, 10)", 10),
    ("lerp(0, 10, 0.25)", 2.5),
    ("sin(90)", 1.0),
    ("atan2(1, 0)", 90.0),
    ("sqrt(9)", 3.0),
    ("sign(-4)", -1),
    ("size('abc')", 3),
    ("size([1, 2])", 2),
    ("text(2.0)", "2"),
    ("text(true)", "true"),
    ("count(coin)", 2),
    ("count('coin')", 2),
    ("count(Transform)", 3),
    ("count(core)", 0),
    ("exists(hero)", True),
    ("exists('nobody')", False),
    ("scene == 'main'", True),
    ("tick", 0),
    ("layers.hud.visible", True),
    ("name(entity('old oak'))", "old oak"),
    ("tagged(entity(hero), 'coin')", False),
    ("Score.points", 3),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_an_expression_has_the_value_that_is_expected(world: World, text: str, value: Any) -> None:
    """Operators, functions, fields, variables and constants give these values."""
    found = Expression.parse(text).bind(world)()
    assert found == pytest.approx(value) if isinstance(value, float) else found == value
    assert type(found) is type(value) or isinstance(value, tuple)


@pytest.mark.parametrize("text", [text for text, _ in VALUES])
def test_a_check_without_a_world_agrees_with_binding(world: World, text: str) -> None:
    """Everything that can be bound passes the check before, with the same type and paths."""
    checked = Expression.parse(text).check(Vocabulary.of_world(world))
    bound = Expression.parse(text).bind(world)
    assert (checked.type, checked.paths) == (bound.type, bound.paths)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("scor + 1", 1, "did you mean 'score'"),
        ("1 + hero.Healt.now", 5, "did you mean 'Health'"),
        ("2 * (1 + 'a')", 6, "write text"),
        ("'a' - 1", 1, "not possible"),
        ("1 + true", 1, "needs numbers"),
        ("'a' < 1", 1, "can't be compared"),
        ("true == 1", 1, "can't be compared"),
        ("maxx(1)", 1, "did you mean 'max'"),
        ("clamp(1)", 1, "takes 3 values"),
        ("abs", 1, "is a function"),
        ("random()", 1, "would change the game's state"),
        ("score.x", 1, "not a list"),
        ("1 +", 0, "no[t]? an? ?expression|not an expression"),
        ("", 0, "empty"),
        ("score = 1", 0, "write == to compare"),
        ("a && b", 0, "write `and`"),
        ("1 is 2", 1, "write == instead"),
        ("[x for x in 'a']", 1, "not part of the language"),
        ("lambda: 1", 1, "can't be defined"),
        ("f'{score}'", 1, "f-string"),
        ("hero.Health.now()", 1, "only a function's name"),
        ("max(a=1)", 1, "arguments have no names"),
        ("'\\n'", 2, "backslash"),
        ("1j", 1, "complex"),
        ("1e999", 1, "too large"),
        ("9" * 30, 1, "too large"),
        ("Health.now > 1", 1, "which entity"),
    ],
)
def test_a_wrong_expression_says_where_and_what(world: World, text: str, column: int, said: str) -> None:
    """A mistake is an ExpressionError with the column of the culprit, found before any evaluation."""
    with pytest.raises(ExpressionError, match=said) as caught:
        Expression.parse(text).check(Vocabulary.of_world(world))
    if column:
        assert caught.value.column == column


def test_the_message_shows_the_text_with_a_caret(world: World) -> None:
    """The message has the expression in its second line and a caret below the culprit in the third."""
    with pytest.raises(ExpressionError) as caught:
        Expression.parse("1 + scor").bind(world)
    assert str(caught.value).splitlines()[1:] == ["    1 + scor", "        ^"]
    assert caught.value.line.endswith("(in `1 + scor`, column 5)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / (score - 7)", "division by zero"),
        ("1 // 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("2 ** 63", "too large"),
        ("9 ** 9 ** 9", "exponent|too large"),
        ("10.0 ** 300 * 10.0 ** 300", "finite|exponent"),
        ("9223372036854775807 + 1", "too large"),
        ("sqrt(0 - 1)", "negative"),
        ("nobody.Health.now", "no entity is called"),
        ("entity('nobody')", "no entity is called"),
        ("[1, 2] + [1, 2, 3]", "don't go together"),
        ("max([])", "numbers are needed"),
        ("[1][3]", "has no item 3"),
        ("(-8) ** 0.5", "finite"),
    ],
)
def test_a_failure_of_the_evaluation_is_located_too(world: World, text: str, said: str) -> None:
    """Division by zero, numbers out of range and missing entities raise ExpressionError with the text."""
    with pytest.raises(ExpressionError, match=said) as caught:
        Expression.parse(text).bind(world)()
    assert caught.value.text == text


def test_given_names_have_values_at_each_call(world: World) -> None:
    """Names of a binding take the values of the call; an entity among them has components."""
    strong = Expression.parse("strength * self.Health.now + point.x").bind(
        world, {"strength": "number", "self": "entity", "point": "list", "unused": "any"}
    )
    oak = named(world, "old oak")
    from rish_ecs import Vector

    assert strong({"strength": 2, "self": oak, "point": Vector((5.0, 0.0))}) == 185
    assert strong.used == {"strength", "self", "point"}
    world.despawn(oak)
    with pytest.raises(ExpressionError, match="does not exist any more"):
        strong({"strength": 2, "self": oak, "point": Vector((5.0, 0.0))})


def test_random_numbers_come_from_a_stream_of_the_world(world: World) -> None:
    """With a stream, `random` and `pick` draw from the World's state, so a restored World draws the same again."""
    roll = Expression.parse("[random(), random(5, 6), pick([1, 2, 3])]").bind(world, stream="dice")
    before = world.snapshot()
    first = [roll() for _ in range(5)]
    world.restore(before)
    assert [roll() for _ in range(5)] == first
    assert all(0 <= a < 1 and 5 <= b < 6 and c in (1, 2, 3) for a, b, c in first)
    assert world.hash() != _fresh(before, world)


def _fresh(snapshot: Any, world: World) -> str:
    world.restore(snapshot)
    return world.hash()


def test_state_can_not_depend_on_what_is_no_state(world: World) -> None:
    """With `state=True` a derived resource is refused; without it can be read."""
    assert Expression.parse("Cache.filled").bind(world)() == 0
    with pytest.raises(ExpressionError, match="no state of the game"):
        Expression.parse("Cache.filled").bind(world, state=True)


def test_a_binding_stays_valid_after_a_restore(world: World) -> None:
    """Variables, resources and named entities are found again after a snapshot was restored."""
    total = Expression.parse("score + Score.points + hero.Health.now").bind(world)
    before = world.snapshot()
    FieldPath.parse("Score.points").bind(world).write(50)
    world.restore(before)
    assert total() == 14
    assert len(world.table(Transform)) == 3


def test_a_long_or_deep_text_is_refused_at_once() -> None:
    """Too many characters or levels are an ExpressionError, not a crash of the parser."""
    for text in (
        "1+" * 600 + "1",
        "(" * 400 + "1" + ")" * 400,
        "-" * 900 + "1",
        "not " * 240 + "1",
        "[" * 90 + "]" * 90,
    ):
        with pytest.raises(ExpressionError):
            Expression.parse(text)
