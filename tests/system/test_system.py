"""Which system this is, and the names that the package exports."""

from __future__ import annotations

import sys

import pytest

import rish_system
from other_system import pretend


@pytest.mark.parametrize(
    ("platform", "name"),
    [("linux", "linux"), ("win32", "windows"), ("darwin", "macos"), ("freebsd14", "linux"), ("cygwin", "linux")],
)
def test_each_platform_is_one_of_three_systems(monkeypatch: pytest.MonkeyPatch, platform: str, name: str) -> None:
    """Other Unix systems count as Linux."""
    monkeypatch.setattr(sys, "platform", platform)
    assert rish_system.current() == name


def test_tests_can_pretend_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only Rish believes it; the platform of Python stays."""
    before = sys.platform
    pretend(monkeypatch, "windows")
    assert (rish_system.current(), sys.platform) == ("windows", before)


def test_every_name_is_there_and_explained() -> None:
    """Each exported name exists at its first use; functions and classes have a docstring of their own."""
    for name in rish_system.__all__:
        value = getattr(rish_system, name)
        assert not callable(value) or name == "System" or len(value.__doc__ or "") > 20, name
    with pytest.raises(AttributeError, match="rish_system has no 'nothing'"):
        _ = rish_system.nothing
