"""Commands for the assets of a game: making, importing and duplicating them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..chosen import edits
from .duplicating import DuplicateAsset
from .form import NewAsset
from .importing import import_asset, import_files
from .kinds import TEMPLATES

if TYPE_CHECKING:
    from ...session.editor import Editor

__all__ = ["COMMANDS", "TEMPLATES", "DuplicateAsset", "import_asset", "import_files", "new_asset"]


def new_asset(editor: Editor, kind: str = "", folder: str | None = None) -> None:
    """Ask for a new asset. kind, folder: see `NewAsset`."""
    editor.dialogs.form(NewAsset(editor, kind, folder))


COMMANDS: dict[str, dict[str, Any]] = {
    "assets.new": {
        "title": "New asset…", "run": new_asset, "icon": "new", "menu": "File#game", "when": edits,
        "tooltip": "Make a scene, a prefab, a script or another part of the game from a template",
    },
    "assets.import": {
        "title": "Import files…", "run": import_asset, "icon": "import", "menu": "File#game", "when": edits,
        "tooltip": "Copy files into the folder that the panel Assets shows",
    },
}  # fmt: skip
