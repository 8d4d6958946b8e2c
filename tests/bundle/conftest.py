"""Folders of the player and caches that no test shares with this machine, and a small game."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the player's files, which is empty."""
    monkeypatch.setenv("RISH_USER_FOLDER", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "home"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """Return the folder of a small game without plugins."""
    folder = tmp_path / "games" / "pond"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text("rish: 1\ngame: {title: The Pond}\nscenes: {main: []}\n", encoding="utf-8")
    return folder
