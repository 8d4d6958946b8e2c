"""Any text is an expression or an ExpressionError, and expressions agree with a plain evaluation by Python."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import World
from rish_expressions import Expression, ExpressionError, FieldPath, Template

QUIET = settings(max_examples=long(300, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WORDS = """hero Health now . ( ) [ ] , + - * ** / // % < <= == != and or not if else in is lambda 1 2.5 'a' " score
random pick max text count exists __class__ __import__ : = { } \\ é 漢 0x1 1e5 99999999999 true none x y [0] layers
settings"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\t", " "])
TEXTS = st.one_of(st.text(max_size=60), *(st.lists(PIECES, max_size=14).map(joint.join) for joint in (" ", "")))


@QUIET
@given(text=TEXTS)
def test_any_text_is_an_expression_or_an_expression_error(world: World, text: str) -> None:
    """Parsing, binding and evaluating random texts raises nothing but ExpressionError, and changes nothing."""
    before = world.hash()
    for kind in (Expression, Template, FieldPath):
        try:
            bound: Any = kind.parse(text).bind(world)
            bound.read() if kind is FieldPath else bound()
        except ExpressionError:
            continue
    assert world.hash() == before


def numbers() -> st.SearchStrategy[str]:
    """Return texts of arithmetic over small numbers."""
    leaves = st.one_of(
        st.integers(-9, 9).map(str), st.floats(-9, 9, width=16).map(repr), st.sampled_from(["score", "rate"])
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(lambda t: f"({' '.join(t)})"),
            inner.map(lambda t: f"(-{t})"),
            st.tuples(truths(inner), inner, inner).map(lambda t: f"({t[1]} if {t[0]} else {t[2]})"),
            st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
            inner.map(lambda t: f"abs({t})"),
        ),
        max_leaves=12,
    )


def truths(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return texts of comparisons."""
    one = st.tuples(inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner).map(lambda t: f"({' '.join(t)})")
    return st.one_of(one, st.tuples(one, st.sampled_from(["and", "or"]), one).map(lambda t: f"({' '.join(t)})"))


@pytest.mark.slow
@QUIET
@given(text=numbers())
def test_arithmetic_agrees_with_python(world: World, text: str) -> None:
    """The value is that of Python for the same text; where Python has no finite value, it is an ExpressionError."""
    try:
        expected = eval(text, {"__builtins__": {"min": min, "max": max, "abs": abs}}, {"score": 7, "rate": 1.5})
    except ZeroDivisionError:
        expected = math.nan
    try:
        found = Expression.parse(text).bind(world)()
    except ExpressionError:
        found = math.nan
    if not math.isfinite(expected):
        expected = math.nan
    assert found == expected or (math.isnan(found) and math.isnan(expected))
    assert type(found) is type(expected)
