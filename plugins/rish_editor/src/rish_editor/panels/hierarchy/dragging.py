"""Dragging rows of the hierarchy, and dropping rows, pictures and prefabs onto it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_authoring import duplicate, move_after, move_before, move_into
from rish_core import RishError

from ...commands.entities import creating
from ...commands.targets import step_name

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI
    from ...ui.widgets.rows import RowDrop, Where
    from .state import State

KINDS = ("entities", "prefab", "asset")


def offer(ui: UI, editor: Editor, panel: State, handle: int) -> None:
    """Make the last row draggable: with the whole selection if the row is part of it, otherwise alone."""
    game: Any = editor.game
    many = handle in game.selection and len(game.selection) > 1

    def text() -> str:
        return editor.tr("{count} {count:entity|entities}", count=len(game.selection)) if many else game.name_of(handle)

    if ui.drag_source("entities", lambda: game.selection.handles if many else [handle], text) and ui.ctrl:
        ui.drag_hint(editor.tr("Copy"))


def take(ui: UI, editor: Editor, panel: State, handle: int, *, depth: int, opened: bool) -> None:
    """Accept drops onto the last row and between rows. handle: the entity of the row, 0 for the scene."""
    between = bool(handle) and not panel.tree.by_tag and not panel.tree.search.text
    drop = ui.row_drop(KINDS, between=between, depth=depth, below=opened)
    if drop is None or not drop.delivered:
        return
    copied = ui.ctrl
    editor.later(lambda: _dropped(editor, panel, handle, drop, opened, copied))


def _dropped(editor: Editor, panel: State, handle: int, drop: RowDrop, opened: bool, copied: bool) -> None:
    game = editor.game
    if game is None or drop.payload is None:
        return
    try:
        if drop.kind == "entities":
            moved = [each for each in drop.payload if game.world.alive(each) and not game.spawned.fixed(each).any()]
            if moved and moved != [handle]:
                _move(editor, game, moved, handle, drop.where, opened, copied)
        else:
            _create(editor, game, drop, handle, opened)
    except RishError as error:
        editor.report(editor.tr("Move"), error)
        return
    if handle and drop.where == "into":
        panel.tree.open([handle])


def _move(editor: Editor, game: Game, moved: list[int], target: int, where: Where, opened: bool, copied: bool) -> None:
    with game.edit(step_name(editor, "Duplicate" if copied else "Move", moved)):
        if copied:
            moved = duplicate(game.app, moved)
        _place(game, moved, target, where, opened)
        game.selection.set(moved)


def _place(game: Game, handles: list[int], target: int, where: Where, opened: bool) -> None:
    """Move entities below a row's entity, before it, or after it. After a row with shown children means before its
    first child."""
    if where == "before":
        move_before(game.app, handles, target)
    elif where == "after" and not opened:
        move_after(game.app, handles, target)
    else:
        move_into(game.app, handles, target, 0 if where == "after" else None)


def _create(editor: Editor, game: Game, drop: RowDrop, target: int, opened: bool) -> None:
    parent = target if target and drop.where == "into" else 0
    name = str(drop.payload)
    with game.edit(editor.tr("Create {name}", name=name)):
        if drop.kind == "prefab":
            handles = creating.spawn_prefab_here(editor, name, parent)
        else:
            handles = creating.create_from_asset(editor, name, parent)
        if handles and target and drop.where != "into":
            _place(game, handles, target, drop.where, opened)
