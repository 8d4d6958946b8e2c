"""Commands for the tools of scene views and for what the editor shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..session.editor import Editor


SCENE = "editor.scene"
"""The panel of the scene view."""


def _use(tool: str) -> dict[str, Any]:
    def run(editor: Editor) -> None:
        editor.view.tool = tool

    return {"run": run, "checked": lambda editor: editor.view.tool == tool, "when": _is_calm}


def _is_calm(editor: Editor) -> bool:
    """Return whether nothing is dragged in a view; tools do not change in the middle of a drag."""
    return not editor.view.dragging


def _switch(owner: str, name: str) -> dict[str, Callable[[Editor], Any]]:
    """Return the functions of a command that turns an option of `view` or `settings` on and off."""

    def run(editor: Editor) -> None:
        options = getattr(editor, owner)
        setattr(options, name, not getattr(options, name))

    return {"run": run, "checked": lambda editor: bool(getattr(getattr(editor, owner), name))}


def _scene(name: str, *arguments: Any) -> dict[str, Any]:
    """Return the functions of a command that calls a method of the scene view."""

    def run(editor: Editor) -> None:
        method = getattr(editor.panels[SCENE], name)
        method(*(arguments or ((editor,) if name == "frame" else ())))

    return {"run": run, "when": lambda editor: editor.game is not None and SCENE in editor.panels}


def _pivot(editor: Editor) -> None:
    editor.view.pivot = "mean" if editor.view.pivot == "primary" else "primary"


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
    "tool.pivot": {
        "title": "Pivot at the Last Selected", "icon": "pivot", "menu": "Tools#tool", "run": _pivot,
        "checked": lambda editor: editor.view.pivot == "primary",
        "tooltip": "Turn and scale several entities around the one selected last, not around their middle",
    },
    "view.frame": {
        "title": "Frame Selection", "icon": "frame", "shortcut": "F", "menu": "View#camera", **_scene("frame"),
        "tooltip": "Show the selection, or everything if nothing is selected",
    },
    "view.zoom_in": {
        "title": "Zoom In", "icon": "zoom_in", "shortcut": "Plus", "menu": "View#camera", **_scene("zoom", 2.0),
    },
    "view.zoom_out": {
        "title": "Zoom Out", "icon": "zoom_out", "shortcut": "Minus", "menu": "View#camera", **_scene("zoom", -2.0),
    },
    "view.zoom_reset": {
        "title": "Zoom 100 %", "icon": "search", "shortcut": "0", "menu": "View#camera", **_scene("zoom_reset"),
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
