"""What commands that change entities share: the chosen entities, and names of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_authoring import SiblingOrder, tree_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..session.editor import Editor
    from ..session.game import Game


def has_game(editor: Editor) -> bool:
    """Return whether a game is open."""
    return editor.game is not None


def has_selection(editor: Editor) -> bool:
    """Return whether entities are selected."""
    return editor.game is not None and len(editor.game.selection) > 0


def the_game(editor: Editor) -> Game:
    """Return the opened game; commands that need one say so with `when`."""
    assert editor.game is not None
    return editor.game


def step_name(editor: Editor, verb: str, handles: Sequence[int]) -> str:
    """Return the name of a step of the history, such as `Duplicate 3 Entities`. verb: in English."""
    said = editor.tr(verb)
    if len(handles) == 1:
        return editor.tr("{verb} {name}", verb=said, name=the_game(editor).name_of(handles[0]))
    return editor.tr("{verb} {count} Entities", verb=said, count=len(handles))


def in_order(game: Game) -> list[int]:
    """Return the selected entities in the order of the tree."""
    order = tree_order(game.app)
    rows = order.rows_of(game.selection.array)
    rows.sort()
    return order.handles[rows[rows >= 0]].tolist()


def below(order: SiblingOrder, handles: Sequence[int]) -> list[int]:
    """Return entities and all below them, in the order of the tree."""
    found: dict[int, None] = {}
    for row in order.rows_of(list(handles)).tolist():
        if row >= 0:
            found.update(dict.fromkeys(order.handles[row : order.ends[row]].tolist()))
    return list(found)
