"""Versions and ranges let pre-releases in, name the clause that is broken, and refuse what is none with a sentence."""

from __future__ import annotations

import pytest

from rish_core.plugin.versions import Range, Requirement, parse_version
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
    """By the standard, with pre-releases let in and local parts ignored."""
    assert (parse_version(version) in Range.parse(text)) == fits


@pytest.mark.parametrize("text", ["", "one", "1..2", "1.0.", "1.0 beta", "1" * 5000, "１.2", ">1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    """Text that is no version raises with the text and an example, never with the library's own error."""
    with pytest.raises(UsageError, match="is no version"):
        parse_version(text)


@pytest.mark.parametrize(
    "text", [">=", "1.0", "=>1.0", ">=1,", ">=1.*", "==1rc1.*", "~=1", ">=one", "===1.0", ">=" + "1" * 5000]
)
def test_what_is_no_range_is_refused(text: str) -> None:
    """The clause that can't be read is named."""
    with pytest.raises(UsageError, match="is no version range"):
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
    unmet = Range.parse(">=0.2,<1").unmet(parse_version("1.5"))
    assert str(unmet) == "<1"
