"""Versions and ranges accept pre-releases, name the violated clause, and reject invalid text with a sentence."""

from __future__ import annotations

import pytest

from rish_core.plugin.solving.versions import Range, Requirement, parse_version
from rish_ecs import UsageError


@pytest.mark.parametrize(
    ("version", "text", "fits"),
    [
        ("1.0rc1", ">=0.2", True),
        ("1.0rc1", ">=1.0", False),
        ("1.0rc1", "<1.0", False),
        ("0.2+g1234", "==0.2", True),
        ("1.2.7", "==1.2.*", True),
        ("1.4.1", "~=1.4", True),
        ("2.0", "~=1.4", False),
        ("0.2.dev3", ">=0.1,<0.2", False),
        ("7", "", True),
    ],
)
def test_what_is_installed_is_judged_as_it_is(version: str, text: str, fits: bool) -> None:
    """Ranges follow the standard, except that pre-releases are accepted and local parts ignored."""
    assert (parse_version(version) in Range.parse(text)) == fits


@pytest.mark.parametrize("text", ["", "one", "1..2", "1.0.", "1.0 beta", "1" * 5000, "１.2", ">1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    """Invalid versions raise UsageError with the text."""
    with pytest.raises(UsageError, match="is not a version"):
        parse_version(text)


@pytest.mark.parametrize(
    "text", [">=", "1.0", "=>1.0", ">=1,", ">=1.*", "==1rc1.*", "~=1", ">=one", "===1.0", ">=" + "1" * 5000]
)
def test_what_is_no_range_is_refused(text: str) -> None:
    """Invalid ranges raise UsageError."""
    with pytest.raises(UsageError, match="is not a version range"):
        Range.parse(text)


def test_requirements_are_a_name_and_a_range() -> None:
    """A requirement is read with or without spaces, and written without."""
    requirement = Requirement.parse(" wind >= 0.2 , <1")
    assert requirement.name == "wind"
    assert str(requirement) == "wind>=0.2,<1"
    assert str(Requirement.parse("physics")) == "physics"
    with pytest.raises(UsageError, match="names no plugin"):
        Requirement.parse(">=2")


def test_the_clause_that_is_broken_is_known() -> None:
    """A range returns the clause that a version violates."""
    unmet = Range.parse(">=0.2,<1").unmet(parse_version("1.5"))
    assert str(unmet) == "<1"
