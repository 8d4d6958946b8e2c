"""Commands that change the edited game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..session.editor import Editor


def _undo(editor: Editor) -> None:
    assert editor.game is not None
    name = editor.game.undo()
    if name is not None:
        editor.note(editor.tr("Undone: {name}", name=editor.tr(name)))


def _may_undo(editor: Editor) -> bool:
    game = editor.game
    return game is not None and bool(game.history.done if game.editing else game.play.undoable)


def _redo(editor: Editor) -> None:
    assert editor.game is not None
    name = editor.game.redo()
    if name is not None:
        editor.note(editor.tr("Redone: {name}", name=editor.tr(name)))


def _may_redo(editor: Editor) -> bool:
    return editor.game is not None and editor.game.editing and bool(editor.game.history.undone)


COMMANDS: dict[str, dict[str, Any]] = {
    "edit.undo": {
        "title": "Undo", "run": _undo, "icon": "undo", "shortcut": "Ctrl+Z", "menu": "Edit#undo", "when": _may_undo,
    },
    "edit.redo": {
        "title": "Redo", "run": _redo, "icon": "redo", "shortcut": "Ctrl+Y", "menu": "Edit#undo", "when": _may_redo,
    },
}  # fmt: skip
