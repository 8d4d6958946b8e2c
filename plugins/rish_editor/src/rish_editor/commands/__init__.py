"""The commands of the editor, by id; the order is that of the menus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import editing, entities, files, playing, prefabs, selecting, tools, window

COMMANDS: Mapping[str, Mapping[str, Any]] = {
    **files.COMMANDS, **editing.COMMANDS, **selecting.COMMANDS, **entities.COMMANDS, **prefabs.COMMANDS,
    **tools.COMMANDS, **playing.COMMANDS, **window.COMMANDS,
}  # fmt: skip
