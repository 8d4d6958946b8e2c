"""`rish doctor` prints a line for each feature of a machine, whatever is broken."""

from __future__ import annotations

from typing import Any

import pytest

from rish_devtools.commands import doctor

THINGS = ["python", "numpy", "numba", "cache", "images", "display", "opengl", "sound", "plugins"]


def test_there_is_a_line_for_each_thing(rish: Any) -> None:
    """There is a line with a mark for each feature, and exit code 0 whatever the machine lacks."""
    said = rish("doctor")
    assert said.code == 0
    assert [line.split()[1] for line in said.lines] == THINGS
    assert {line.split()[0] for line in said.lines} <= {"ok", "--", "!!"}


def test_what_is_broken_stops_nothing(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that raises is reported as a finding."""

    def broken() -> Any:
        raise OSError("the driver is gone")

    monkeypatch.setattr(doctor, "_sound", broken)
    lines = rish("doctor").lines
    assert len(lines) == len(THINGS)
    assert any(line.split()[0] == "!!" and "OSError: the driver is gone" in line for line in lines)


def test_what_is_switched_off_is_said(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A RISH_NO_JIT that is still set is reported."""
    monkeypatch.setenv("RISH_NO_JIT", "1")
    assert "RISH_NO_JIT=1" in rish("doctor").out


def test_a_display_is_found(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A display is found by the environment variables that name it."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":77")
    assert ":77" in rish("doctor").out
    monkeypatch.delenv("DISPLAY")
    assert "DISPLAY and WAYLAND_DISPLAY are not set" in rish("doctor").out
