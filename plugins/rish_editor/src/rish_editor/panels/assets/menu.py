"""The context menu of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...commands.assets import DuplicateAsset, import_asset, new_asset
from ...commands.entities import creating
from ...look import icons
from . import renaming

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI
    from .files import Item
    from .panel import AssetsPanel


def draw(ui: UI, editor: Editor, panel: AssetsPanel) -> None:
    """Draw the menu if it is open."""
    with ui.popup("file") as shown:
        item = panel.menu_of
        if not shown or item is None:
            return
        if item.kind == "prefab":
            _prefab_items(ui, editor, item)
        else:
            _file_items(ui, editor, panel, item)


def _prefab_items(ui: UI, editor: Editor, item: Item) -> None:
    if ui.item(editor.tr("Add to Scene"), "add", icon=icons.PLUS):
        editor.later(lambda: creating.spawn_prefab_here(editor, item.path))
    if ui.item(editor.tr("Duplicate…"), "duplicate", icon=icons.DUPLICATE):
        editor.later(lambda: editor.dialogs.form(DuplicateAsset(editor, item.path, prefab=True)))
    if ui.item(editor.tr("Copy Name"), "copy", icon=icons.COPY):
        editor.copy(item.path)


def _file_items(ui: UI, editor: Editor, panel: AssetsPanel, item: Item) -> None:
    tr = editor.tr
    game: Any = editor.game
    path = game.path / item.path
    if item.name:
        if ui.item(tr("Open"), "open", icon=icons.OPEN):
            editor.later(lambda: panel.go_to(item.path) if item.folder else editor.open_source(path))
        if not item.folder and ui.item(tr("Open in Another Program"), "outside", icon=icons.EXTERNAL):
            editor.later(lambda: editor.open_source(path, outside=True))
        if not item.folder and ui.item(tr("Add to Scene"), "add", icon=icons.PLUS, enabled=_placeable(item)):
            editor.later(lambda: creating.create_from_asset(editor, item.path))
        if ui.item(tr("Duplicate…"), "duplicate", icon=icons.DUPLICATE, enabled=item.path != "game.yaml"):
            editor.later(lambda: editor.dialogs.form(DuplicateAsset(editor, item.path)))
        if ui.item(tr("Copy Path"), "copy", icon=icons.COPY):
            editor.copy(item.path)
    folder = path if item.folder else path.parent
    if ui.item(tr("Show in File Manager"), "show", icon=icons.FOLDER):
        editor.open_outside(folder)
    if item.name and renaming.can_change(item):
        ui.separator()
        if ui.item(tr("Rename"), "rename", icon=icons.RENAME, shortcut="F2"):
            panel.renaming = renaming.Name(item.path)
        if ui.item(tr("Delete…"), "delete", icon=icons.DELETE, shortcut="Delete"):
            editor.later(lambda: renaming.ask_to_delete(editor, panel, item.path))
    _new_items(ui, editor, item.path if item.folder else item.path.rpartition("/")[0])


def _new_items(ui: UI, editor: Editor, folder: str) -> None:
    """Draw the menu items that create or import something in a folder."""
    ui.separator()
    if ui.item(editor.tr("New…"), "new", icon=icons.PLUS):
        editor.later(lambda: new_asset(editor, folder=folder))
    if ui.item(editor.tr("Import…"), "import", icon=icons.IMPORT):
        editor.later(lambda: import_asset(editor, folder))


def _placeable(item: Item) -> bool:
    shown = item.kind in ("image", "tilemap", "emitter", "sound") or item.path.lower().endswith((*creating.MODELS,))
    return shown and not item.name.endswith(".tsx")
