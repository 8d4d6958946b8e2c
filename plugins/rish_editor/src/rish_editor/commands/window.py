"""Commands for the window: layouts, the palette, settings and help."""

from __future__ import annotations

from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .about import About
from .targets import edits

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI


class LayoutForm:
    """Asks for the name of a layout to save."""

    def __init__(self, editor: Editor) -> None:
        self.title = editor.tr("Save layout…")
        self._name = ""

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        ui.fill()
        name = ui.line("name", self._name, hint=editor.tr("Name of the layout"), focus=ui.appearing)
        self._name = self._name if name is None else name
        ui.space(4)
        if (
            ui.button(editor.tr("Save"), "ok", kind="primary", enabled=bool(self._name)) or ui.confirmed
        ) and self._name:
            editor.layouts.save(self._name)
            return True
        ui.same_line()
        return ui.button(editor.tr("Cancel"), "cancel")


class LayoutList:
    """Deletes layouts."""

    def __init__(self, editor: Editor) -> None:
        self.title = editor.tr("Delete layouts")

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        from ..look import icons

        for name in editor.layouts.names:
            if ui.icon_button(icons.DELETE, f"delete:{name}", editor.tr("Delete")):
                editor.layouts.delete(name)
            ui.same_line()
            ui.text(name)
        ui.space(4)
        return ui.button(editor.tr("Close"), "close", kind="primary") or not editor.layouts.names


@cache
def manual() -> Path | str | None:
    """Return the manual of the bundle or the clone that the editor runs from, or the address that the package names.

    In a bundle it is a page, in a clone the folder of the sources. None without one.
    """
    places = [up / "docs" / name for up in Path(__file__).resolve().parents for name in ("index.html", "how-to")]
    place = next((place for place in places if place.exists()), None)
    if place is not None:
        return place
    urls = dict(line.split(", ", 1) for line in metadata("rish-editor").get_all("Project-URL") or [])
    return urls.get("Documentation") or urls.get("Homepage")


COMMANDS: dict[str, dict[str, Any]] = {
    "layout.save": {
        "title": "Save layout…", "run": lambda editor: editor.dialogs.form(LayoutForm(editor)), "icon": "dock",
        "menu": "View/Layout",
    },
    "layout.delete": {
        "title": "Delete layouts…", "run": lambda editor: editor.dialogs.form(LayoutList(editor)), "icon": "delete",
        "menu": "View/Layout", "when": lambda editor: bool(editor.layouts.names),
    },
    "layout.reset": {
        "title": "Reset layout", "run": lambda editor: editor.layouts.reset(), "icon": "reset", "menu": "View/Layout",
    },
    "tools.palette": {
        "title": "Command palette", "run": lambda editor: editor.palette.open(), "icon": "search", "shortcut": "Ctrl+P",
        "menu": "Tools#find",
    },
    "tools.find_entity": {
        "title": "Find entity…", "run": lambda editor: editor.palette.open("@"), "icon": "search",
        "shortcut": "Ctrl+Shift+F", "menu": "Tools#find", "when": lambda editor: editor.game is not None,
    },
    "tools.reload_scripts": {
        "title": "Reload scripts", "run": lambda editor: editor.games.reload_code(), "icon": "script",
        "shortcut": "Ctrl+R", "menu": "Tools#code", "when": edits,
        "tooltip": "Load the code of the game again; the edits stay",
    },
    "tools.problems": {
        "title": "Problems", "run": lambda editor: editor.show("editor.problems"), "icon": "warning",
        "menu": "Tools#settings",
    },
    "tools.settings": {
        "title": "Settings", "run": lambda editor: editor.show("editor.settings"), "icon": "settings",
        "shortcut": "Ctrl+Comma", "menu": "Tools#settings",
    },
    "help.keys": {
        "title": "Keyboard shortcuts", "run": lambda editor: editor.show("editor.keys"), "icon": "keyboard",
        "shortcut": "F1", "menu": "Help",
    },
    "help.manual": {
        "title": "Manual", "run": lambda editor: editor.open_outside(manual()), "icon": "help", "menu": "Help",
        "when": lambda editor: manual() is not None,
    },
    "help.about": {
        "title": "About Rish", "run": lambda editor: editor.dialogs.form(About(editor)), "icon": "info", "menu": "Help",
    },
}  # fmt: skip
