"""Commands for the tools of scene views and for what the editor shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..session.editor import Editor


def _use(tool: str) -> dict[str, Any]:
    def run(editor: Editor) -> None:
        editor.view.tool = tool

    return {"run": run, "checked": lambda editor: editor.view.tool == tool}


def _switch(owner: str, name: str) -> dict[str, Callable[[Editor], Any]]:
    """Return the functions of a command that turns an option of `view` or `settings` on and off."""

    def run(editor: Editor) -> None:
        options = getattr(editor, owner)
        setattr(options, name, not getattr(options, name))

    return {"run": run, "checked": lambda editor: bool(getattr(getattr(editor, owner), name))}


COMMANDS: dict[str, dict[str, Any]] = {
    "tool.select": {"title": "Select", "icon": "select", "shortcut": "V", "menu": "Tools#tool", **_use("select")},
    "tool.move": {"title": "Move", "icon": "move", "shortcut": "Q", "menu": "Tools#tool", **_use("move")},
    "tool.stretch": {"title": "Stretch", "icon": "stretch", "shortcut": "W", "menu": "Tools#tool", **_use("stretch")},
    "tool.scale": {"title": "Scale", "icon": "scale", "shortcut": "E", "menu": "Tools#tool", **_use("scale")},
    "tool.rotate": {"title": "Rotate", "icon": "rotate", "shortcut": "R", "menu": "Tools#tool", **_use("rotate")},
    "tool.local": {
        "title": "Local Axes", "icon": "local", "shortcut": "L", "menu": "Tools#tool", **_switch("view", "local"),
        "tooltip": "Handles follow the rotation of the entity",
    },
    "view.snap": {
        "title": "Snap", "icon": "snap", "shortcut": "Shift+S", "menu": "View#scene", **_switch("settings", "snap"),
        "tooltip": "Drag in steps; hold Ctrl for the other way",
    },
    "view.grid": {
        "title": "Grid", "icon": "grid", "shortcut": "G", "menu": "View#scene", **_switch("settings", "show_grid"),
    },
    "view.gizmos": {
        "title": "Gizmos", "icon": "outline", "menu": "View#scene", **_switch("view", "gizmos"),
    },
    "view.light": {"title": "Light", "icon": "light", "menu": "View#scene", **_switch("view", "light")},
}  # fmt: skip
