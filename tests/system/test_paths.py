"""Paths below a folder, and their spelling on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from other_system import pretend
from rish_system import current, other_spelling


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a picture."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "bällchen.png").touch()
    return tmp_path


@pytest.mark.skipif(current() != "linux", reason="needs files with upper case beside others")
@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
@pytest.mark.parametrize(
    ("path", "spelled"),
    [
        ("images/bällchen.png", None), ("Images/bällchen.png", "images/bällchen.png"),
        ("images/BÄLLCHEN.PNG", "images/bällchen.png"), ("images/ba\u0308llchen.png", "images/bällchen.png"),
        ("images/ball.png", None), ("images/bällchen.png/x", None), ("image\0", None), ("images", None),
    ],
)  # fmt: skip
def test_another_spelling_is_found_on_every_system(
    monkeypatch: pytest.MonkeyPatch, folder: Path, system: str, path: str, spelled: str | None
) -> None:
    """The spelling of the disk is returned for a file that is written in upper case or in another form of Unicode."""
    pretend(monkeypatch, system)
    assert other_spelling(folder, path) == spelled
