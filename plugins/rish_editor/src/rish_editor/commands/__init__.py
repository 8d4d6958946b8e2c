"""The commands of the editor, by id; the order is that of the menus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import assets, files, playing, tools, window
from .assets import TEMPLATES
from .entities import creating, editing, prefabs, selecting

__all__ = ["COMMANDS", "TEMPLATES"]

_IN_GAME = {**editing.COMMANDS, **selecting.COMMANDS, **creating.COMMANDS}
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    **files.COMMANDS, **assets.COMMANDS, **{name: {**options, "in_game": True} for name, options in _IN_GAME.items()},
    **prefabs.COMMANDS, **tools.COMMANDS, **playing.COMMANDS, **window.COMMANDS,
}  # fmt: skip
