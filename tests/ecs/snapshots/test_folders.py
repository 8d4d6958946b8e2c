"""The folders of the system for files of the player."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rish_ecs.snapshots import cache_folder, config_folder, data_folder, folder_name

HOME = Path("/home/ann")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home be `HOME`, and set no variable."""
    monkeypatch.setattr(Path, "home", lambda: HOME)
    for name in ("RISH_USER_FOLDER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "config", "data", "cache"),
    [
        ("linux", ".config/rish", ".local/share/rish", ".cache/rish"),
        ("darwin", "Library/Application Support/rish", "Library/Application Support/rish", "Library/Caches/rish"),
        ("win32", "AppData/Roaming/rish", "AppData/Local/rish", "AppData/Local/rish"),
    ],
)
def test_each_system_has_its_folders(
    monkeypatch: pytest.MonkeyPatch, system: str, config: str, data: str, cache: str
) -> None:
    """The folders are those that programs of the system use."""
    monkeypatch.setattr(sys, "platform", system)
    assert (config_folder(), data_folder(), cache_folder()) == (HOME / config, HOME / data, HOME / cache)


def test_variables_name_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the system are used, and RISH_USER_FOLDER before them, for all files."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/config")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert (config_folder(), data_folder(), cache_folder()) == tuple(
        Path(name, "rish") for name in ("/config", "/data", "/cache")
    )
    monkeypatch.setenv("RISH_USER_FOLDER", "/all")
    assert (config_folder(), data_folder(), cache_folder()) == (Path("/all"), Path("/all"), Path("/all/cache"))


@pytest.mark.parametrize(
    ("title", "name"), [("My Garden", "my-garden"), ("Größe: 2!", "größe-2"), ("../..", "game"), ("遊戲", "遊戲")]
)
def test_a_title_gives_a_name_for_a_folder(title: str, name: str) -> None:
    """Letters and digits stay, also those of other languages; what could leave the folder does not."""
    assert folder_name(title) == name
