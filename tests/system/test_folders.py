"""The folders of the system for files of the user."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from other_system import pretend
from rish_system import base_folder, cache_folder, config_folder, data_folder, folder_name, place_of
from rish_system.folders import Kind
from rish_system.system import System

HOME = Path("/home/ann")
NAMES = ("RISH_USER_FOLDER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home be `HOME`, and set no variable."""
    monkeypatch.setattr(Path, "home", lambda: HOME)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "config", "data", "cache"),
    [
        ("linux", ".config/rish", ".local/share/rish", ".cache/rish"),
        ("macos", "Library/Application Support/rish", "Library/Application Support/rish", "Library/Caches/rish"),
        ("windows", "AppData/Roaming/rish", "AppData/Local/rish", "AppData/Local/rish"),
    ],
)
def test_each_system_has_its_folders(
    monkeypatch: pytest.MonkeyPatch, system: str, config: str, data: str, cache: str
) -> None:
    """The folders are those that programs of the system use."""
    pretend(monkeypatch, system)
    assert (config_folder(), data_folder(), cache_folder()) == (HOME / config, HOME / data, HOME / cache)


def test_variables_name_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the system are used, and RISH_USER_FOLDER before them, for all files of the player."""
    pretend(monkeypatch, "linux")
    for kind in ("cache", "config", "data"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", f"/my {kind}")
    folders = [cache_folder, config_folder, data_folder]
    assert [each() for each in folders] == [Path(f"/my {kind}/rish") for kind in ("cache", "config", "data")]
    monkeypatch.setenv("RISH_USER_FOLDER", "/all")
    assert [each() for each in folders] == [Path("/all")] * 3
    assert base_folder("cache") == Path("/my cache")


@pytest.mark.parametrize(
    ("system", "kind", "variables", "folder"),
    [
        ("windows", "data", {"LOCALAPPDATA": r"D:\Zoë\Local"}, PureWindowsPath(r"D:\Zoë\Local")),
        ("windows", "config", {"APPDATA": r"\\server\home\ann"}, PureWindowsPath(r"\\server\home\ann")),
        ("windows", "config", {}, PureWindowsPath(r"C:\Users\Zoë\AppData\Roaming")),
        ("windows", "cache", {"LOCALAPPDATA": r"\Local"}, PureWindowsPath(r"C:\Users\Zoë\AppData\Local")),
        ("macos", "cache", {"XDG_CACHE_HOME": "/c"}, PurePosixPath("/Users/Zoë/Library/Caches")),
        ("linux", "cache", {"XDG_CACHE_HOME": "relative"}, PurePosixPath("/Users/Zoë/.cache")),
        ("linux", "data", {"XDG_DATA_HOME": ""}, PurePosixPath("/Users/Zoë/.local/share")),
    ],
)
def test_folders_are_paths_of_their_system(
    system: System, kind: Kind, variables: dict[str, str], folder: PurePosixPath | PureWindowsPath
) -> None:
    """Drives and shares of Windows are understood, letters of any language stay, relative paths are ignored."""
    user = PureWindowsPath(r"C:\Users\Zoë") if system == "windows" else PurePosixPath("/Users/Zoë")
    assert place_of(kind, system, variables, lambda: user) == folder


@pytest.mark.parametrize(
    ("title", "name"),
    [("My Garden", "my-garden"), ("Größe: 2!", "größe-2"), ("../..", "game"), ("遊戲", "遊戲"), ("Nul", "nul-"),
     ("com1", "com1-"), ("Console", "console")],
)  # fmt: skip
def test_a_title_gives_a_name_for_a_folder(title: str, name: str) -> None:
    """Letters and digits stay, also those of other languages; names of devices, and what leaves the folder, do not."""
    assert folder_name(title) == name
