"""Functions that commands share: conditions, the selected entities, and names of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import SiblingOrder, tree_order
from rish_core import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..session.editor import Editor
    from ..session.game.game import Game


SCENE = "editor.scene"
"""The panel of the scene view."""


def has_game(editor: Editor) -> bool:
    """Return whether a game is open."""
    return editor.game is not None


def edits(editor: Editor) -> bool:
    """Return whether a game is open that is not played."""
    return editor.game is not None and editor.game.editing


def shows_space(editor: Editor) -> bool:
    """Return whether the scene panel shows a view of three dimensions now."""
    return SCENE in editor.panels and editor.game is not None and editor.panels[SCENE].view.in_space


def has_selection(editor: Editor) -> bool:
    """Return whether entities are selected."""
    return editor.game is not None and len(editor.game.selection) > 0


def has_changeable(editor: Editor) -> bool:
    """Return whether entities are selected that can be edited: at least one that does not come from another file."""
    game = editor.game
    return game is not None and bool(len(game.selection)) and not game.spawned.fixed(game.selection.array).all()


def the_game(editor: Editor) -> Game:
    """Return the opened game; commands that need one say so with `when`."""
    assert editor.game is not None
    return editor.game


def step_name(editor: Editor, verb: str, handles: Sequence[int]) -> str:
    """Return the name of a step of the history, such as `Duplicate 3 Entities`. verb: in English."""
    translated = editor.tr(verb)
    if len(handles) == 1:
        return editor.tr("{verb} {name}", verb=translated, name=the_game(editor).name_of(handles[0]))
    return editor.tr("{verb} {count} {count:Entity|Entities}", verb=translated, count=len(handles))


def show_hierarchy(editor: Editor) -> None:
    """Give the hierarchy the keyboard focus; if it has it, do nothing, because a name may be typed there."""
    if editor.panels.focused != "editor.hierarchy":
        editor.show("editor.hierarchy")


def in_order(game: Game) -> list[int]:
    """Return the selected entities in the order of the tree."""
    order = tree_order(game.app)
    rows = order.rows_of(game.selection.array)
    rows.sort()
    return order.handles[rows[rows >= 0]].tolist()


def changeable(game: Game) -> list[int]:
    """Return the selected entities in the order of the tree, without those that come from other files."""
    chosen = np.array(in_order(game), np.int64)
    return chosen[~game.spawned.fixed(chosen)].tolist()


def below(order: SiblingOrder, handles: Sequence[int]) -> list[int]:
    """Return entities and all below them, in the order of the tree."""
    handles_below: dict[int, None] = {}
    for row in order.rows_of(list(handles)).tolist():
        if row >= 0:
            handles_below.update(dict.fromkeys(order.handles[row : order.ends[row]].tolist()))
    return list(handles_below)


def prefab_uses(game: Game) -> dict[str, Any]:
    """Return the root entities of the uses of each prefab: int64 handles, by name of the prefab."""
    table = game.world.table(Origin)
    scenes, entries = table.column("scene").astype(np.int64), table.column("entry").astype(np.int64)
    keys = scenes << 32 | entries
    _, first, group_of_row = np.unique(keys, return_index=True, return_inverse=True)
    numbers_of_prefab: dict[str, list[int]] = {}
    for number, row in enumerate(first.tolist()):
        name = _prefab_of_entry(game, table.read_row("scene", row), int(entries[row]))
        if name:
            numbers_of_prefab.setdefault(name, []).append(number)
    return {name: table.entities[np.isin(group_of_row, numbers)] for name, numbers in numbers_of_prefab.items()}


def _prefab_of_entry(game: Game, label: str, entry: int) -> str:
    """Return the prefab that an entry of a scene uses, or whose root it is; "" for none. label: as of
    `Origin.scene`."""
    name = label.removeprefix("prefab:")
    if name != label:
        return "" if entry else name
    plan = game.app.game.plan(label)
    return plan.steps[entry].node.prefab if plan is not None and entry < len(plan.steps) else ""
