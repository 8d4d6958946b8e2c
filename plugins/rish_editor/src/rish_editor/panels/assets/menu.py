"""The context menu of files, and the forms that it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_frame.paint.writing import typed_text

from ...commands import entities
from ...look import icons
from ...shell.dialogs import Choice

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI
    from .files import Item
    from .panel import AssetsPanel

_NEW_SCRIPT = "scripts.new"
"""The command of rish_scripts that asks for the name of a script."""


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
        editor.later(lambda: entities.spawn_prefab_here(editor, item.path))
    if ui.item(editor.tr("Copy Name"), "copy", icon=icons.COPY):
        editor.copy(item.path)


def _file_items(ui: UI, editor: Editor, panel: AssetsPanel, item: Item) -> None:
    tr = editor.tr
    game: Any = editor.game
    path = game.path / item.path
    if item.name:
        if ui.item(tr("Open"), "open", icon=icons.OPEN if item.folder else icons.EXTERNAL):
            editor.later(lambda: panel.go_to(item.path) if item.folder else editor.open_source(path))
        if not item.folder and ui.item(tr("Add to Scene"), "add", icon=icons.PLUS, enabled=_placeable(item)):
            editor.later(lambda: entities.create_from_asset(editor, item.path))
        if ui.item(tr("Copy Path"), "copy", icon=icons.COPY):
            editor.copy(item.path)
    folder = path if item.folder else path.parent
    if ui.item(tr("Show in File Manager"), "show", icon=icons.FOLDER):
        editor.open_outside(folder)
    if item.name and not item.folder:
        ui.separator()
        if ui.item(tr("Rename…"), "rename", icon=icons.RENAME, enabled=item.path != "game.yaml"):
            editor.dialogs.form(RenameFile(editor, panel, item))
        if ui.item(tr("Delete…"), "delete", icon=icons.DELETE, enabled=item.path != "game.yaml"):
            _ask_to_delete(editor, panel, item)
    ui.separator()
    can = _NEW_SCRIPT in editor.commands
    if ui.item(tr("New Script…"), "script", icon=icons.SCRIPT, enabled=can,
               tooltip="" if can else tr("Add the plugin scripts to the game first")):  # fmt: skip
        editor.later(lambda: editor.run(_NEW_SCRIPT))


def _placeable(item: Item) -> bool:
    return item.kind in ("image", "tilemap", "emitter") and not item.name.endswith(".tsx")


def _ask_to_delete(editor: Editor, panel: AssetsPanel, item: Item) -> None:
    tr = editor.tr
    assert panel.files is not None
    users = panel.files.users(item.path)
    text = tr("Delete {path}? This can't be undone.", path=item.path)
    if users:
        text += "\n" + tr("These files mention it:")
    choices = [Choice("delete", tr("Delete"), "danger"), Choice("cancel", tr("Cancel"))]

    def answered(answer: str) -> None:
        if answer == "delete":
            _on_disk(editor, panel, lambda: (panel.game.path / item.path).unlink(), item.path)

    editor.dialogs.ask(tr("Delete a file"), text, choices, answered, details=users, level="warning")


def _on_disk(editor: Editor, panel: AssetsPanel, change: Any, path: str) -> bool:
    """Change a file; show why if that is not possible."""
    try:
        change()
    except OSError as error:
        editor.note(f"{path}: {error.strerror or error}", "error")
        return False
    assert panel.files is not None
    panel.files.forget()
    return True


class RenameFile:
    """Asks for the new name of a file."""

    width = 440.0

    def __init__(self, editor: Editor, panel: AssetsPanel, item: Item) -> None:
        assert panel.files is not None
        self.title = editor.tr("Rename {path}", path=item.path)
        self._panel, self._item, self._name = panel, item, item.name
        self._users = panel.files.users(item.path)
        self._fresh = True

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        ui.fill()
        name = ui.line("name", self._name, focus=self._fresh)
        self._name, self._fresh = self._name if name is None else name, False
        if self._users:
            ui.text(tr("These files mention it and will not find it any more:"), "warning", wrap=True)
            for user in self._users[:8]:
                ui.text(user, "mono")
        target = self._panel.game.path / self._item.path
        new = target.with_name(self._name.strip()) if self._fits() else target
        taken = new != target and new.exists()
        if taken:
            ui.text(tr("{path} exists already", path=new.name), "error")
        fits = self._fits() and new != target and not taken
        ui.space(6)
        done = ui.button(tr("Rename"), "rename", kind="primary", enabled=fits) or (fits and ui.pressed("enter"))
        if done:
            return _on_disk(editor, self._panel, lambda: target.rename(new), self._item.path)
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel") or ui.pressed("escape")

    def _fits(self) -> bool:
        name = self._name.strip()
        return bool(name) and name not in (".", "..") and not set(name) & set('/\\:*?"<>|') and typed_text(name) == name
