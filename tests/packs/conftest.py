"""A user's folder for each test, and a pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import game, rish  # noqa: F401  # fixtures
from small_packs import packed


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a user's folder of its own, and return it."""
    folder = tmp_path / "user"
    monkeypatch.setenv("RISH_USER_FOLDER", str(folder))
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    return folder


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Write the pack of a game without code."""
    path = tmp_path / "dots.rishgame"
    path.write_bytes(packed())
    return path
