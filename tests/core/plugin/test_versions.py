"""Versions and ranges agree with the standard, and refuse what is none with a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version as Standard

from rish_core.plugin.versions import Range, Requirement, Version
from rish_ecs import UsageError

NUMBERS = st.integers(0, 3)


@st.composite
def versions(draw: st.DrawFn, plain: bool = False) -> str:
    """Text of versions."""
    text = ".".join(str(n) for n in draw(st.lists(NUMBERS, min_size=1, max_size=3)))
    if plain:
        return text
    text += draw(st.sampled_from(["", "", "", "a1", "b0", "rc2", ".rc1"]))
    text += draw(st.sampled_from(["", "", "", ".post1", "-2"]))
    text += draw(st.sampled_from(["", "", "", ".dev0", ".dev3"]))
    return draw(st.sampled_from(["", "", "1!"])) + text


@st.composite
def clauses(draw: st.DrawFn) -> str:
    """Text of single clauses."""
    op = draw(st.sampled_from(["==", "!=", ">=", "<=", ">", "<", "~="]))
    if op == "~=":
        return f"~={draw(NUMBERS)}.{draw(versions())}".replace("1!", "")
    if op in ("==", "!=") and draw(st.booleans()):
        return f"{op}{draw(versions(plain=True))}.*"
    return op + draw(versions())


@given(versions(), versions())
def test_order_is_that_of_the_standard(one: str, other: str) -> None:
    """Two versions compare as the standard says, also pre-, post- and development releases."""
    assert (Version.parse(one) < Version.parse(other)) == (Standard(one) < Standard(other))
    assert (Version.parse(one).key == Version.parse(other).key) == (Standard(one) == Standard(other))


@given(versions(), st.lists(clauses(), max_size=2))
def test_ranges_are_those_of_the_standard(version: str, parts: list[str]) -> None:
    """A version is in a range exactly if the standard says so, with pre-releases let in."""
    text = ",".join(parts)
    expected = SpecifierSet(text).contains(version, prereleases=True)
    assert (Version.parse(version) in Range.parse(text)) == expected


def test_a_local_part_does_not_count() -> None:
    """What a build adds after a plus sign changes nothing."""
    assert Version.parse("0.2+g1234") in Range.parse("==0.2")


@pytest.mark.parametrize("text", ["", "one", "1..2", "1.0.", "1.0 beta", "1" * 5000, "１.2", ">1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    """Text that is no version raises with the text and an example, never with Python's own error."""
    with pytest.raises(UsageError, match="is no version"):
        Version.parse(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (">=", "no version range"),
        ("1.0", "no version range"),
        ("=>1.0", "no version range"),
        (">=1,", "no version range"),
        (">=1.*", "only == and !="),
        ("==1rc1.*", "plain release"),
        ("~=1", "two numbers"),
        (">=one", "no version"),
    ],
)
def test_what_is_no_range_is_refused(text: str, said: str) -> None:
    """The clause that can't be read is named."""
    with pytest.raises(UsageError, match=said):
        Range.parse(text)


def test_requirements_are_a_name_and_a_range() -> None:
    """A requirement is read with or without spaces, and written back."""
    requirement = Requirement.parse(" wind >= 0.2 , <1")
    assert requirement.name == "wind"
    assert str(requirement) == "wind>=0.2,<1"
    assert str(Requirement.parse("physics")) == "physics"
    with pytest.raises(UsageError, match="names no plugin"):
        Requirement.parse(">=2")


def test_the_clause_that_is_broken_is_known() -> None:
    """A range can say which of its clauses a version breaks."""
    unmet = Range.parse(">=0.2,<1").unmet(Version.parse("1.5"))
    assert str(unmet) == "<1"
