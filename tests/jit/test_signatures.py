"""Types as text: each list of types has one text, which can be read again, and other texts are rejected."""

from __future__ import annotations

import re
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import rish_jit
from long_runs import long
from rish_jit.errors import UsageError
from rish_jit.signatures import name_type, signature_of, text_of, types_of

if not rish_jit.available():
    pytest.skip("needs numba", allow_module_level=True)

import numba
from numba.core import types

SCALARS = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16")
NUMBERS = [getattr(types, np.dtype(name).name) for name in SCALARS]
SHAPES = (
    "[::1]",
    "[:]",
    "[:, ::1]",
    "[::1, :]",
    "[:, :]",
    "[:, :, ::1]",
    "[:, :, :]",
    "[::1, :, :, :]",
    "[:, :, :, ::1]",
)

shapes = st.tuples(st.integers(1, 4), st.sampled_from("CFA")).filter(lambda shape: shape != (1, "F"))
"""Dimension and layout of arrays. In one dimension C order and F order are the same, and numba says C."""
arrays = st.builds(
    lambda number, shape, readonly: types.Array(number, *shape, readonly=readonly),
    st.sampled_from(NUMBERS),
    shapes,
    st.booleans(),
)
literals = st.builds(types.literal, st.integers(-(2**63), 2**63 - 1) | st.booleans())
kinds = st.recursive(
    st.sampled_from([*NUMBERS, types.none]) | arrays | literals,
    lambda inner: st.lists(inner, max_size=4).map(types.Tuple),
    max_leaves=8,
)


def tuple_text(texts: list[str]) -> str:
    """Return the text of a tuple, as Python writes it."""
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


texts = st.recursive(
    st.sampled_from([*SCALARS, "none"])
    | st.builds(
        lambda *parts: "".join(parts), st.sampled_from(SCALARS), st.sampled_from(["", "!"]), st.sampled_from(SHAPES)
    )
    | (st.integers(-(10**6), 10**6) | st.booleans()).map(lambda value: f"={value}"),
    lambda inner: st.lists(inner, max_size=4).map(tuple_text),
    max_leaves=8,
)
signatures = st.lists(texts, max_size=5).map(tuple_text)


@settings(deadline=None, max_examples=long(100, 20))
@given(st.lists(kinds, max_size=5))
def test_types_come_back_from_their_text(found: list[Any]) -> None:
    """Numbers, arrays, literals, none and nested tuples can be written as text and read again."""
    text = signature_of(found)
    assert text is not None
    assert types_of(text) == tuple(found)


@settings(deadline=None, max_examples=long(100, 20))
@given(signatures)
def test_a_text_comes_back_from_its_types(text: str) -> None:
    """A signature that is read and written again gives the same text."""
    assert signature_of(types_of(text)) == text


@settings(deadline=None, max_examples=long(100, 20))
@given(st.lists(kinds, max_size=3), st.lists(kinds, max_size=3))
def test_different_types_have_different_texts(one: list[Any], two: list[Any]) -> None:
    """Two lists of types have the same text exactly if they are equal."""
    assert (signature_of(one) == signature_of(two)) == (tuple(one) == tuple(two))


@settings(deadline=None)
@given(signatures)
def test_spaces_do_not_count(text: str) -> None:
    """Spaces between the words of a signature may be left out or added."""
    assert types_of(text.replace(" ", "")) == types_of(text)
    assert types_of(re.sub(r"([(),]|=-?\w+)", r" \1 ", text)) == types_of(text)


def test_the_texts_of_real_arguments() -> None:
    """The types that numba finds for numbers, arrays and tuples have the documented texts."""
    fixed = np.zeros((2, 3), np.float32)
    fixed.setflags(write=False)
    arguments = (1, 2.5, True, None, np.int8(3), np.zeros(4, np.float32), np.zeros((2, 3)).T, fixed, np.zeros(8)[::2])
    found = signature_of(numba.typeof(each) for each in (*arguments, (1, (2.0, np.uint16(3)))))
    assert found == "(i8, f8, b1, none, i1, f4[::1], f8[::1, :], f4![:, ::1], f8[:], (i8, (f8, u2)))"


@pytest.mark.parametrize(
    "kind",
    [
        types.unicode_type,
        types.Omitted(3),
        types.Optional(types.int64),
        types.float16,
        types.literal("word"),
        types.List(types.int64),
        types.Array(types.int64, 0, "C"),
        types.Array(types.int64, 1, "C", aligned=False),
        types.Array(types.unicode_type, 1, "C"),
        types.Tuple([types.int64, types.unicode_type]),
        types.NPDatetime("s"),
    ],
    ids=str,
)
def test_other_types_have_no_text(kind: Any) -> None:
    """A type that cannot be read again has no text, and neither has a list of types that contains it."""
    assert text_of(kind) is None
    assert signature_of([types.int64, kind]) is None


def test_a_package_can_name_a_type_of_its_own() -> None:
    """A type with a registered name is written by that name; another type with the same name has no text."""

    class Point(types.Opaque):
        """A type that a package adds to numba."""

    point = Point("Point_of_this_test")
    name_type(point.name, lambda: point)
    assert signature_of([point, types.Tuple([point, types.int8])]) == f"({point.name}, ({point.name}, i1))"
    assert types_of(f"(f4, {point.name})") == (types.float32, point)
    assert text_of(types.Opaque(point.name)) is None


HOSTILE = [
    "", " ", "(", ")", "()()", ")(", "(,)", "(f4,,)", "(f4 f4)", "(f4,", "f4,)", "((f4,)", "(f4,))", "(f4,)x", "(f4,),",
    "f4", "none", "=1", "f4[::1]", "(f2,)", "(f,)", "(4,)", "(F4,)", "(float32,)", "(None,)", "(i8*,)", "(__class__,)",
    "(f4[],)", "(f4[1],)", "(f4[:1],)", "(f4[::],)", "(f4[:::1],)", "(f4[::1, ::1],)", "(f4[:, ::1, :],)", "(f4[:,],)",
    "(f4[:][:],)", "([:],)", "(f4[:)", "(f4:],)", "(none[:],)", "((f4,)[:],)", "(f4!,)", "(f4!!,)", "(!f4,)",
    "(f4[:]!,)", "(none!,)", "(=,)", "(=-,)", "(=--1,)", "(=1.5,)", "(=x,)", "(=true,)", "(=None,)", "(=0x10,)",
    "(= 1,)", "(=" + "9" * 5000 + ",)", "(f4\0,)", "(\ud800,)", "(ｆ4,)", "(=١,)", "('f4',)", "(f4;)", "eval('1')",
    "(f4,)\n#", "(" * 5000, "(" * 5000 + ")" * 5000, "(=99999999999999999999,)", f"(=-{2**63 + 1},)",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_other_texts_are_rejected(text: str) -> None:
    """A text that is not a signature raises UsageError with the text in its message."""
    with pytest.raises(UsageError) as caught:
        types_of(text)
    assert repr(text) in str(caught.value)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Return a signature in which up to three characters are deleted, inserted, replaced or doubled."""
    text = draw(signatures)
    for _ in range(draw(st.integers(1, 3))):
        at, more = draw(st.integers(0, len(text))), draw(st.sampled_from("()[]:,!=- _\n\0é1fibucnT"))
        start, end, after = text[:at], text[at:], text[at + 1 :]
        text = draw(
            st.sampled_from([start + after, start + more + end, start + more + after, start + start[-1:] + end])
        )
    return text


@settings(deadline=None, max_examples=long(250, 50))
@given(damaged() | st.text("()[]:,!=- 1fibcun48Tru", max_size=18) | st.text(max_size=20))
def test_any_text_is_read_or_rejected(text: str) -> None:
    """Any text is either read as types that can be written, or it raises UsageError."""
    try:
        found = types_of(text)
    except UsageError as error:
        message = str(error)
    else:
        written = signature_of(found)
        assert written is not None
        assert types_of(written) == found
        return
    assert repr(text) in message
