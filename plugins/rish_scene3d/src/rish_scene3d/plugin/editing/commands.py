"""The commands of rish_scene3d in the editor: the parts of the debug view, for everything or for the selection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...components.settings import DEBUG_PARTS
from ...tools.debug import Debug3D

if TYPE_CHECKING:
    from rish_editor import Editor

_TITLES = {
    "axes": "Axes", "boxes": "Boxes", "normals": "Normals", "lights": "Light Volumes", "cameras": "Camera Volumes",
    "bones": "Bones",
}  # fmt: skip


def _has(editor: Editor) -> bool:
    return editor.game is not None and Debug3D in editor.game.world


def _debug(editor: Editor) -> Debug3D:
    assert editor.game is not None
    return editor.game.world[Debug3D]


def _part(name: str) -> dict[str, Any]:
    """Return the command that shows or hides one part of the debug view."""

    def run(editor: Editor) -> None:
        debug = _debug(editor)
        setattr(debug, name, not getattr(debug, name))

    return {
        "title": f"Show {_TITLES[name]}", "icon": "outline", "menu": "View/Debug 3D#parts", "run": run, "when": _has,
        "checked": lambda editor: _has(editor) and bool(getattr(_debug(editor), name)),
    }  # fmt: skip


def _only_selected(editor: Editor) -> None:
    """Show the debug view for the selected entities only, or for all again."""
    debug = _debug(editor)
    assert editor.game is not None
    debug.entities = () if debug.entities else tuple(editor.game.selection.handles)


COMMANDS: Mapping[str, Mapping[str, Any]] = {
    **{f"scene3d.debug.{name}": _part(name) for name in DEBUG_PARTS},
    "scene3d.debug.selected": {
        "title": "Only the Selection", "icon": "select", "menu": "View/Debug 3D#which", "run": _only_selected,
        "when": _has, "checked": lambda editor: _has(editor) and bool(_debug(editor).entities),
        "tooltip": "Show the debug view for the entities that are selected now",
    },
}  # fmt: skip
"""The commands by id."""
