"""The folders of the system for files of the user, which no game's folder contains.

| | Linux | macOS | Windows |
|---|---|---|---|
| cache | XDG_CACHE_HOME or ~/.cache | ~/Library/Caches | LOCALAPPDATA |
| config | XDG_CONFIG_HOME or ~/.config | ~/Library/Application Support | APPDATA |
| data | XDG_DATA_HOME or ~/.local/share | ~/Library/Application Support | LOCALAPPDATA |

A variable with a relative path is ignored, as the XDG Base Directory Specification demands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Literal

from .system import System, current

Kind = Literal["cache", "config", "data"]
"""What a folder is for: files that can be made again, settings, all other files."""
VARIABLE = "RISH_USER_FOLDER"
"""The environment variable that names one folder for all files of the player."""
_PLACES: dict[System, dict[Kind, tuple[str, str]]] = {
    "linux": {
        "cache": ("XDG_CACHE_HOME", ".cache"),
        "config": ("XDG_CONFIG_HOME", ".config"),
        "data": ("XDG_DATA_HOME", ".local/share"),
    },
    "macos": {
        "cache": ("", "Library/Caches"),
        "config": ("", "Library/Application Support"),
        "data": ("", "Library/Application Support"),
    },
    "windows": {
        "cache": ("LOCALAPPDATA", "AppData/Local"),
        "config": ("APPDATA", "AppData/Roaming"),
        "data": ("LOCALAPPDATA", "AppData/Local"),
    },
}
"""The variable, and the folder in the home if it is not set."""


def home() -> Path:
    """Return the user's home. Raises RuntimeError if there is none."""
    return Path.home()


def base_folder(kind: Kind) -> Path:
    """Return the user's folder for the files of all programs. Raises RuntimeError without a home."""
    return Path(place_of(kind, current(), os.environ, home).as_posix())


def place_of(kind: Kind, system: System, variables: Mapping[str, str], user_home: Callable[[], PurePath]) -> PurePath:
    """Return the folder of `base_folder` on any system, as a path of that system.

    variables: the environment. user_home: is called if no variable names the folder.
    """
    variable, usual = _PLACES[system][kind]
    flavour = PureWindowsPath if system == "windows" else PurePosixPath
    named = flavour(variables.get(variable, ""))
    return named if named.is_absolute() else flavour(user_home(), usual)


def config_folder() -> Path:
    """Return the folder for settings of the player: RISH_USER_FOLDER, or `rish` in that of the system."""
    return _of_player("config")


def data_folder() -> Path:
    """Return the folder for other files of the player: RISH_USER_FOLDER, or `rish` in that of the system."""
    return _of_player("data")


def cache_folder() -> Path:
    """Return the folder for files of the player that can be made again, like `data_folder`."""
    return _of_player("cache")


def _of_player(kind: Kind) -> Path:
    given = os.environ.get(VARIABLE)
    return Path(given) if given else base_folder(kind) / "rish"
