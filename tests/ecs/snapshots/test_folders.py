"""The folders of the system for files of the player."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rish_ecs.snapshots import config_folder, data_folder, folder_name

HOME = Path("/home/ann")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home be `HOME`, and set no variable."""
    monkeypatch.setattr(Path, "home", lambda: HOME)
    for name in ("RISH_USER_FOLDER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "config", "data"),
    [
        ("linux", ".config/rish", ".local/share/rish"),
        ("darwin", "Library/Application Support/rish", "Library/Application Support/rish"),
        ("win32", "AppData/Roaming/rish", "AppData/Local/rish"),
    ],
)
def test_each_system_has_its_folders(monkeypatch: pytest.MonkeyPatch, system: str, config: str, data: str) -> None:
    """The folders are those that programs of the system use."""
    monkeypatch.setattr(sys, "platform", system)
    assert (config_folder(), data_folder()) == (HOME / config, HOME / data)


def test_variables_name_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the system are used, and RISH_USER_FOLDER before them, for all files."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/config")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert (config_folder(), data_folder()) == (Path("/config/rish"), Path("/data/rish"))
    monkeypatch.setenv("RISH_USER_FOLDER", "/all")
    assert (config_folder(), data_folder()) == (Path("/all"), Path("/all"))


@pytest.mark.parametrize(
    ("title", "name"), [("My Garden", "my-garden"), ("Größe: 2!", "größe-2"), ("../..", "game"), ("遊戲", "遊戲")]
)
def test_a_title_gives_a_name_for_a_folder(title: str, name: str) -> None:
    """Letters and digits stay, also those of other languages; what could leave the folder does not."""
    assert folder_name(title) == name
