"""The folders of the system for files of the player: preferences and save games, which no game's folder contains."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

VARIABLE = "RISH_USER_FOLDER"
"""The environment variable that names one folder for all files of the player."""


def config_folder() -> Path:
    """Return the folder for settings of the player: RISH_USER_FOLDER, or the usual one of the system.

    Linux: XDG_CONFIG_HOME or ~/.config; macOS: Application Support; Windows: APPDATA; in it, the folder `rish`.
    """
    return _folder(("APPDATA", Path("AppData", "Roaming")), ("XDG_CONFIG_HOME", Path(".config")))


def data_folder() -> Path:
    """Return the folder for other files of the player: RISH_USER_FOLDER, or the usual one of the system.

    Linux: XDG_DATA_HOME or ~/.local/share; macOS: Application Support; Windows: LOCALAPPDATA; in it, the folder `rish`.
    """
    return _folder(("LOCALAPPDATA", Path("AppData", "Local")), ("XDG_DATA_HOME", Path(".local", "share")))


def folder_name(title: str) -> str:
    """Return the name of a game's folder in these: its title in lower case, with `-` for what is no letter or digit."""
    return re.sub(r"\W+", "-", title).strip("-").lower() or "game"


def _folder(windows: tuple[str, Path], others: tuple[str, Path]) -> Path:
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "rish"
    variable, usual = windows if sys.platform == "win32" else others
    return Path(os.environ.get(variable) or home / usual) / "rish"
