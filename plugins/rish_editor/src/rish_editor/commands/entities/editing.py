"""Commands that change the edited game: undo and redo, the clipboard, and the tree of entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_authoring import copy_entities, delete, duplicate, group, ungroup

from ..targets import changeable, has_changeable, has_game, show_hierarchy, step_name, the_game
from . import creating

if TYPE_CHECKING:
    from ...session.editor import Editor


def _undo(editor: Editor) -> None:
    name = the_game(editor).undo()
    if name is not None:
        editor.note(editor.tr("Undone: {name}", name=editor.tr(name)))


def _may_undo(editor: Editor) -> bool:
    game = editor.game
    return game is not None and bool(game.history.done if game.editing else game.play.undoable)


def _redo(editor: Editor) -> None:
    name = the_game(editor).redo()
    if name is not None:
        editor.note(editor.tr("Redone: {name}", name=editor.tr(name)))


def _may_redo(editor: Editor) -> bool:
    return editor.game is not None and editor.game.editing and bool(editor.game.history.undone)


# The clipboard


def _copy(editor: Editor) -> None:
    game = the_game(editor)
    editor.copy(copy_entities(game.app, game.selection.handles))
    editor.note(editor.tr("Copied {count}", count=len(game.selection)), "ok")


def _cut(editor: Editor) -> None:
    game = the_game(editor)
    editor.copy(copy_entities(game.app, game.selection.handles))
    _remove(editor, "Cut")


def _duplicate(editor: Editor) -> None:
    game = the_game(editor)
    chosen = changeable(game)
    with game.edit(step_name(editor, "Duplicate", chosen)):
        game.selection.set(duplicate(game.app, chosen))


# The tree


def _remove(editor: Editor, verb: str) -> None:
    game = the_game(editor)
    chosen = changeable(game)
    with game.edit(step_name(editor, verb, chosen)):
        delete(game.app, chosen)
        game.selection.clear()


def _group(editor: Editor) -> None:
    game = the_game(editor)
    chosen = changeable(game)
    with game.edit(step_name(editor, "Group", chosen)):
        game.selection.set([group(game.app, chosen, editor.tr("Group"))])


def _ungroup(editor: Editor) -> None:
    game = the_game(editor)
    chosen = changeable(game)
    with game.edit(step_name(editor, "Ungroup", chosen)):
        game.selection.set(ungroup(game.app, chosen))


def _rename(editor: Editor) -> None:
    game = the_game(editor)
    show_hierarchy(editor)
    primary = game.selection.primary
    assert primary is not None
    editor.panels["editor.hierarchy"].begin_rename(game, primary)


def _may_rename(editor: Editor) -> bool:
    game = editor.game
    if game is None or game.selection.primary is None or "editor.hierarchy" not in editor.panels:
        return False
    return not game.spawned.fixed(game.selection.primary).any()


def _edit(title: str, run: Any, when: Any, shortcut: str, icon: str, menu: str = "Edit#copy") -> dict[str, Any]:
    entities = menu != "Edit#undo"
    return {"title": title, "run": run, "when": when, "shortcut": shortcut, "icon": icon, "menu": menu,
            "entities": entities}  # fmt: skip


COMMANDS: dict[str, dict[str, Any]] = {
    "edit.undo": _edit("Undo", _undo, _may_undo, "Ctrl+Z", "undo", "Edit#undo"),
    "edit.redo": _edit("Redo", _redo, _may_redo, "Ctrl+Y", "redo", "Edit#undo"),
    "edit.cut": _edit("Cut", _cut, has_changeable, "Ctrl+X", "cut"),
    "edit.copy": _edit("Copy", _copy, has_changeable, "Ctrl+C", "copy"),
    "edit.paste": _edit("Paste", creating.paste, has_game, "Ctrl+V", "paste"),
    "edit.duplicate": _edit("Duplicate", _duplicate, has_changeable, "Ctrl+D", "duplicate"),
    "edit.delete": _edit("Delete", lambda editor: _remove(editor, "Delete"), has_changeable, "Delete", "delete"),
    "edit.rename": _edit("Rename", _rename, _may_rename, "F2", "rename"),
    "edit.group": _edit("Group", _group, has_changeable, "Ctrl+G", "group", "Entity#tree"),
    "edit.ungroup": _edit("Ungroup", _ungroup, has_changeable, "Ctrl+Shift+G", "ungroup", "Entity#tree"),
}
