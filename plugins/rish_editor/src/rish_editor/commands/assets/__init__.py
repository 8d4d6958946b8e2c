"""Commands for the assets of a game: making, importing and duplicating them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...session.commands import Command
from ...session.files.templates import templates_of
from ..targets import edits, the_game
from .duplicating import DuplicateAsset
from .form import NewAsset
from .importing import import_asset, import_files
from .kinds import TEMPLATES

if TYPE_CHECKING:
    from ...session.editor import Editor

__all__ = ["COMMANDS", "TEMPLATES", "DuplicateAsset", "import_asset", "import_files", "new_asset"]


def new_asset(editor: Editor, kind: str = "", folder: str | None = None, name: str = "") -> None:
    """Show the form for a new asset. kind, folder, name: see `NewAsset`."""
    editor.dialogs.form(NewAsset(editor, kind, folder, name))


def _kinds(editor: Editor) -> Iterator[Command]:
    """Yield a command for each kind that is known now, which opens the form with it."""
    for each in templates_of(the_game(editor).app.registry):
        if each.when(editor):
            title = editor.tr("New {name}", name=editor.tr(each.title))
            run = partial(new_asset, kind=each.id)
            yield Command(
                f"new:{each.id}", f"New {each.title}", run, each.icon, label=lambda editor, title=title: title
            )


COMMANDS: dict[str, dict[str, Any]] = {
    "assets.new": {
        "title": "New asset…", "run": new_asset, "icon": "new", "menu": "File#game", "when": edits,
        "choices": _kinds,
        "tooltip": "Make a scene, a prefab, a script or another part of the game from a template",
    },
    "assets.import": {
        "title": "Import files…", "run": import_asset, "icon": "import", "menu": "File#game", "when": edits,
        "tooltip": "Copy files into the folder that the panel Assets shows",
    },
}  # fmt: skip
