"""The user's settings: one YAML file in the user's folder, and the files of each game below its `.rish`."""

from __future__ import annotations

import logging
import math
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from rish_core.manifest import MAX_BYTES
from rish_system import config_folder, read_whole, write_whole

_log = logging.getLogger("rish.editor")
MAX_RECENT = 12
SYSTEM = "system"
"""The value of `open_with` that stands for the default program of the system."""
_TEXTS = ("keys", "layouts", "recent")
"""Settings that are lists or tables of texts."""


def settings_folder() -> Path:
    """Return the folder for settings: RISH_CONFIG, or the usual one of the system."""
    folder = os.environ.get("RISH_CONFIG")
    return Path(folder) if folder else config_folder()


@dataclass
class Settings:
    """What the user has chosen.

    theme: a name of `look.theme.THEMES`. language: a code such as `zh-TW`, "" for that of the system. scale: of the
    interface.
    keys: shortcuts by command. recent: opened games, the latest first. autosave: seconds between two copies, 0 for
    none. snap, grid, grid_3d, snap_angle, snap_scale: steps of dragging, in units, meters, degrees and factors; snap
    says whether they apply. layouts: arrangements of panels, by name. open_with: the command that opens a source file,
    with {file} and {line}; "" for the panel Text, SYSTEM for the program of the system. options: what plugins keep, by
    names that begin with the plugin's.
    """

    theme: str = "Dark"
    language: str = ""
    scale: float = 1.0
    keys: dict[str, str] = field(default_factory=dict[str, str])
    recent: list[str] = field(default_factory=list[str])
    autosave: float = 20.0
    snap: bool = False
    show_grid: bool = True
    grid: float = 16.0
    grid_3d: float = 0.5
    snap_angle: float = 15.0
    snap_scale: float = 0.1
    vsync: bool = True
    layouts: dict[str, str] = field(default_factory=dict[str, str])
    panels: dict[str, Any] = field(default_factory=dict[str, Any])
    open_with: str = ""
    options: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Begin without values that are used for this run only."""
        self._kept: dict[str, tuple[Any, Any]] = {}

    def use_now(self, **values: Any) -> None:
        """Use other values for this run. The user's own values are saved, unless the user changes the setting."""
        for name, value in values.items():
            self._kept[name] = value, getattr(self, name)
            setattr(self, name, value)

    @property
    def chosen(self) -> dict[str, Any]:
        """The values to be saved, by name."""
        values = {spec.name: getattr(self, spec.name) for spec in fields(self)}
        return values | {name: before for name, (now, before) in self._kept.items() if values[name] == now}

    def add_recent(self, path: Path) -> None:
        """Put a game to the front of the opened ones."""
        text = str(path)
        self.recent = [text, *(other for other in self.recent if other != text)][:MAX_RECENT]

    def save(self, folder: Path | None = None) -> str | None:
        """Write the file; return the reason if it can't be written."""
        path = (folder or settings_folder()) / "editor.yaml"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            chosen = self.chosen | {"recent": [_as_stored(game, path.parent) for game in self.recent]}
            write_whole(path, yaml.safe_dump(chosen, allow_unicode=True, sort_keys=False).encode())
        except OSError as error:
            return f"{path}: {error.strerror}"
        except yaml.YAMLError as error:
            return f"{path}: {error}"
        return None


def read_settings(folder: Path | None = None) -> Settings:
    """Read the file; values that do not fit are reported and replaced by defaults."""
    path = (folder or settings_folder()) / "editor.yaml"
    settings = Settings()
    try:
        data = yaml.safe_load(read_whole(path, MAX_BYTES))
    except FileNotFoundError:
        return settings
    except (OSError, ValueError, yaml.YAMLError) as error:
        _log.warning("%s can't be read, so the settings are the usual ones: %s", path, str(error).splitlines()[0])
        return settings
    for spec in fields(Settings):
        if not isinstance(data, dict) or spec.name not in data:
            continue
        value, usual = data[spec.name], getattr(settings, spec.name)
        if isinstance(usual, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if _fits(spec.name, value, usual):
            setattr(settings, spec.name, value)
        else:
            _log.warning("%s: %s has a value that does not fit: %r", path, spec.name, value)
    settings.scale = min(max(settings.scale, 0.5), 3.0)
    settings.recent = [os.path.normpath(path.parent.resolve() / game) for game in settings.recent]
    return settings


def _as_stored(game: str, folder: Path) -> str:
    """Return the path of a game as it is stored: relative to the folder of settings if both are on the same stick.

    The folder above that of settings is taken for the stick, whose own place differs from machine to machine.
    """
    here = folder.resolve()
    return os.path.relpath(game, here) if Path(game).is_relative_to(here.parent) else game


def _fits(name: str, value: Any, usual: Any) -> bool:
    """Return whether a value from the file has the type of the default and is in the allowed range."""
    if not isinstance(value, type(usual)):
        return False
    if isinstance(value, float):
        return math.isfinite(value) and value >= 0
    if name in _TEXTS:
        items = [*value.items()] if isinstance(value, dict) else [(item, "") for item in value]
        return all(isinstance(part, str) for item in items for part in item)
    return True
