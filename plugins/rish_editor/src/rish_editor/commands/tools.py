"""Commands for the tools of scene views and for what the editor shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rish_space3d import Transform3D

from .targets import SCENE, shows_space

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
    """Return the functions of a command that calls a method of the scene view."""

    def run(editor: Editor) -> None:
        method = getattr(editor.panels[SCENE], name)
        method(*(arguments or ((editor,) if name == "frame" else ())))

    return {"run": run, "when": lambda editor: editor.game is not None and SCENE in editor.panels}


def _space() -> dict[str, Any]:
    """Return the functions of the command that shows space instead of the plane."""

    def when(editor: Editor) -> bool:
        return SCENE in editor.panels and editor.game is not None and Transform3D in editor.game.world.tables

    return {"run": lambda editor: editor.panels[SCENE].switch(), "when": when, "checked": shows_space}


def _side(name: str) -> dict[str, Any]:
    """Return the functions of a command that looks along an axis."""

    def run(editor: Editor) -> None:
        space = editor.panels[SCENE].space
        space.camera = space.camera.side(name)

    return {"run": run, "when": shows_space}


def _flat(editor: Editor) -> None:
    space = editor.panels[SCENE].space
    space.camera = replace(space.camera, flat=not space.camera.flat)


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
    "view.space": {
        "title": "3D View", "icon": "space", "shortcut": "3", "menu": "View#space", **_space(),
        "tooltip": "Show space instead of the plane",
    },
    "view.screen": {
        "title": "Screen View", "icon": "game", "shortcut": "2", "menu": "View#space", **_scene("switch_screen"),
        "checked": lambda editor: SCENE in editor.panels and editor.panels[SCENE].on_screen,
        "tooltip": "Show the game's screen with its widgets instead of the plane",
    },
    "view.front": {"title": "From the Front", "icon": "space", "shortcut": "Num1", "menu": "View#space",
                   **_side("front")},
    "view.right": {"title": "From the Right", "icon": "space", "shortcut": "Num3", "menu": "View#space",
                   **_side("right")},
    "view.top": {"title": "From Above", "icon": "space", "shortcut": "Num7", "menu": "View#space", **_side("top")},
    "view.flat": {
        "title": "Orthographic", "icon": "ruler", "shortcut": "Num5", "menu": "View#space", "run": _flat,
        "when": shows_space, "checked": lambda editor: shows_space(editor) and editor.panels[SCENE].space.camera.flat,
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
