"""Commands for the tools of scene views and for what the editor shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .targets import SCENE

if TYPE_CHECKING:
    from ..session.editor import Editor


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
    """Return the functions of a command that calls a method of the view that the scene panel shows."""

    def run(editor: Editor) -> None:
        getattr(editor.panels[SCENE].view, name)(*arguments)

    return {"run": run, "when": _has_scene}


def _has_scene(editor: Editor) -> bool:
    """Return whether a game is open and the panel of the scene exists."""
    return editor.game is not None and SCENE in editor.panels


def _shows(name: str) -> Callable[[Editor], bool]:
    """Return a function that says whether the scene panel shows a view. name: as of `ScenePanel.views`."""
    return lambda editor: _has_scene(editor) and editor.panels[SCENE].shown == name


def _show(name: str) -> dict[str, Any]:
    """Return the functions of a command that shows a view of the scene panel, or the default one again."""

    def when(editor: Editor) -> bool:
        game = editor.game
        return _has_scene(editor) and game is not None and editor.panels[SCENE].views[name].is_available(game.world)

    return {"run": lambda editor: editor.panels[SCENE].switch(name), "when": when, "checked": _shows(name)}


def _side(name: str) -> dict[str, Any]:
    """Return the functions of a command that looks along an axis of space."""
    return {"run": lambda editor: editor.panels[SCENE].views["3d"].look_along(name), "when": _shows("3d")}


def _flat(editor: Editor) -> None:
    view = editor.panels[SCENE].views["3d"]
    view.orthographic = not view.orthographic


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
        "title": "Frame Selection", "icon": "frame", "shortcut": "F", "menu": "View#camera",
        "run": lambda editor: editor.panels[SCENE].frame(editor), "when": _has_scene,
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
    "view.space": {
        "title": "3D View", "icon": "space", "shortcut": "3", "menu": "View#space", **_show("3d"),
        "tooltip": "Show space instead of the plane",
    },
    "view.screen": {
        "title": "Screen View", "icon": "game", "shortcut": "2", "menu": "View#space", **_show("screen"),
        "tooltip": "Show the game's screen with its widgets instead of the plane",
    },
    "view.front": {"title": "From the Front", "icon": "space", "shortcut": "Num1", "menu": "View#space",
                   **_side("front")},
    "view.right": {"title": "From the Right", "icon": "space", "shortcut": "Num3", "menu": "View#space",
                   **_side("right")},
    "view.top": {"title": "From Above", "icon": "space", "shortcut": "Num7", "menu": "View#space", **_side("top")},
    "view.flat": {
        "title": "Orthographic", "icon": "ruler", "shortcut": "Num5", "menu": "View#space", "run": _flat,
        "when": _shows("3d"), "checked": lambda editor: _shows("3d")(editor) and editor.panels[SCENE].view.orthographic,
        "tooltip": "Parallel lines stay parallel",
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
