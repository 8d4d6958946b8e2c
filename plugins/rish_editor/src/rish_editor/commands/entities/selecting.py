"""Commands that change what is selected, shown, and locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import tree_order
from rish_core import Origin, Tags
from rish_ecs.storage import parents_of

from ..targets import (
    below,
    changeable,
    has_changeable,
    has_game,
    has_selection,
    in_order,
    prefab_uses,
    show_hierarchy,
    step_name,
    the_game,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...session.editor import Editor
    from ...session.game.game import Game


def _select(editor: Editor, handles: Iterable[int], name: str = "Select") -> None:
    game = the_game(editor)
    with game.edit(editor.tr(name)):
        game.selection.set(handles)


def _all(editor: Editor) -> None:
    matches = editor.panels["editor.hierarchy"].found(the_game(editor)) if _in_hierarchy(editor) else None
    _select(editor, tree_order(the_game(editor).app).handles.tolist() if matches is None else matches, "Select All")


def _none(editor: Editor) -> None:
    _select(editor, (), "Deselect")


def _in_hierarchy(editor: Editor) -> bool:
    return "editor.hierarchy" in editor.panels and editor.panels.focused == "editor.hierarchy"


def _invert(editor: Editor) -> None:
    game = the_game(editor)
    handles = tree_order(game.app).handles
    _select(editor, handles[~np.isin(handles, game.selection.array)].tolist(), "Invert Selection")


def _children(editor: Editor) -> None:
    game = the_game(editor)
    order, chosen = tree_order(game.app), set(game.selection.handles)
    _select(editor, [each for each in below(order, game.selection.handles) if each not in chosen], "Select Children")


def _parents(editor: Editor) -> None:
    _select(editor, _parents_of(the_game(editor)), "Select Parent")


def _parents_of(game: Game) -> list[int]:
    return [each for each in dict.fromkeys(parents_of(game.world, game.selection.array).tolist()) if each]


def _has_parent(editor: Editor) -> bool:
    return has_selection(editor) and bool(_parents_of(the_game(editor)))


def _has_children(editor: Editor) -> bool:
    if not has_selection(editor):
        return False
    game = the_game(editor)
    order = tree_order(game.app)
    rows = order.rows_of(game.selection.array)
    return bool((order.ends[rows] > rows + 1).any())


def _same_tag(editor: Editor) -> None:
    from rish_core import tagged

    game = the_game(editor)
    tagged_entities: dict[int, None] = {}
    for tag in _tags(game):
        tagged_entities.update(dict.fromkeys(tagged(game.world, tag).tolist()))
    _select(editor, tagged_entities, "Select Same Tag")


def _tags(game: Game) -> list[str]:
    chosen = [game.world.get(each, Tags).values for each in game.selection if game.world.has(each, Tags)]
    return list(dict.fromkeys(tag for tags in chosen for tag in tags))


def _has_tags(editor: Editor) -> bool:
    if not has_selection(editor):
        return False
    table = the_game(editor).world.table(Tags)
    rows = table.lookup(the_game(editor).selection.array)
    return bool((table.column("values")[rows[rows >= 0], 1] > 0).any())


def _same_prefab(editor: Editor) -> None:
    game = the_game(editor)
    every = prefab_uses(game)
    chosen = game.selection.array
    groups = [handles for handles in every.values() if np.isin(handles, chosen).any()]
    if groups:
        _select(editor, np.concatenate(groups).tolist(), "Select Same Prefab")
    else:
        editor.note(editor.tr("The selected entities are no uses of a prefab"), "warning")


def _has_origin(editor: Editor) -> bool:
    if not has_selection(editor):
        return False
    return bool((the_game(editor).world.table(Origin).lookup(the_game(editor).selection.array) >= 0).any())


# Shown and locked


def toggle_visible(editor: Editor, handles: list[int]) -> None:
    """Hide entities with all below them; show them if nothing of them is visible."""
    game = the_game(editor)
    world = game.world
    every = np.array(below(tree_order(game.app), handles), np.int64)
    tables = [(cls, table) for cls, table in world.tables.items() if "visible" in table.schema.fields]
    states = [table.column("visible")[rows[rows >= 0]] for _, table in tables for rows in (table.lookup(every),)]
    visible = any(bool(each.any()) for each in states)
    with game.edit(step_name(editor, "Hide" if visible else "Show", handles)):
        for cls, table in tables:
            if (table.lookup(every) >= 0).any():
                game.set(every.tolist(), cls, "visible", not visible)


def _hide(editor: Editor) -> None:
    toggle_visible(editor, changeable(the_game(editor)))


def _lock(editor: Editor) -> None:
    game = the_game(editor)
    game.lock(game.selection, not _locked(editor))


def _locked(editor: Editor) -> bool:
    game = editor.game
    return game is not None and len(game.selection) > 0 and all(each in game.locked for each in game.selection)


def _search(editor: Editor) -> None:
    show_hierarchy(editor)
    editor.panels["editor.hierarchy"].focus_search = True


def _searching(editor: Editor) -> bool:
    return _in_hierarchy(editor) and bool(editor.panels["editor.hierarchy"].tree.search.text)


def _clear_search(editor: Editor) -> None:
    editor.panels["editor.hierarchy"].clear_search()


def _copy_name(editor: Editor) -> None:
    game = the_game(editor)
    editor.copy("\n".join(game.name_of(each) for each in in_order(game)))


def _copy_path(editor: Editor) -> None:
    game = the_game(editor)
    order = tree_order(game.app)
    lines: list[str] = []
    for row in order.rows_of(in_order(game)).tolist():
        names: list[str] = []
        while row >= 0:
            names.append(game.name_of(int(order.handles[row])))
            row = int(order.parents[row])
        lines.append("/".join(reversed(names)))
    editor.copy("\n".join(lines))


def _option(title: str, run: Any, when: Any = has_selection, shortcut: str = "", **more: Any) -> dict[str, Any]:
    return {"title": title, "run": run, "when": when, "shortcut": shortcut, "menu": "Edit#select", "entities": True,
            **more}  # fmt: skip


COMMANDS: dict[str, dict[str, Any]] = {
    "hierarchy.clear_search": _option("Clear Search", _clear_search, _searching, "Escape", menu=""),
    "edit.select_all": _option("Select All", _all, has_game, "Ctrl+A", icon="select"),
    "edit.deselect": _option("Deselect", _none, shortcut="Escape", icon="close"),
    "edit.invert": _option("Invert Selection", _invert, has_game, "Ctrl+I", menu="Edit/Select#select", icon="theme"),
    "edit.select_children": _option("Children", _children, _has_children, menu="Edit/Select#select", icon="hierarchy"),
    "edit.select_parent": _option("Parent", _parents, _has_parent, "Shift+P", menu="Edit/Select#select", icon="up"),
    "edit.select_tag": _option("Same Tag", _same_tag, _has_tags, menu="Edit/Select#select", icon="tag"),
    "edit.select_prefab": _option("Same Prefab", _same_prefab, _has_origin, menu="Edit/Select#select", icon="prefab"),
    "edit.search": _option("Find Entities", _search, has_game, "Ctrl+F", icon="search", entities=False),
    "edit.hide": _option("Hide or Show", _hide, has_changeable, shortcut="H", icon="eye_slash", menu="Entity#show"),
    "edit.lock": _option("Lock", _lock, icon="lock", menu="Entity#show", checked=_locked,
                         tooltip="Locked entities can't be selected in the scene view"),
    "edit.copy_name": _option("Name", _copy_name, menu="", icon="name"),
    "edit.copy_path": _option("Path", _copy_path, menu="", icon="folder"),
}  # fmt: skip
