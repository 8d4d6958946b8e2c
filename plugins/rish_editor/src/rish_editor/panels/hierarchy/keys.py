"""The keys of the hierarchy: arrows, Home, End, pages, Enter, and typing the begin of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .search import begins

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI
    from .state import State
    from .tree import Shown


def handle(ui: UI, editor: Editor, panel: State, shown: Shown) -> None:
    """Move the selection with the keys that are pressed in this frame."""
    typed = ui.typed
    if typed.strip() and not ui.ctrl:
        _jump(editor, panel, shown, panel.ahead.add(typed))
        return
    if ui.pressed("enter") or ui.pressed("keypad_enter"):
        editor.run("edit.rename")
        return
    index, last = shown.index_of(panel.cursor), len(shown) - 1
    if last < 0:
        return
    page = panel.rows_in_view
    steps = {
        "up_arrow": index - 1, "down_arrow": index + 1, "home": 0, "end": last, "page_up": index - page,
        "page_down": index + page,
    }  # fmt: skip
    for key, target in steps.items():
        if ui.pressed(key, again=True):
            _go(ui, editor, panel, shown, min(max(target, 0), last), forward=target > index or key == "home")
            return
    if index >= 0 and (ui.pressed("left_arrow", again=True) or ui.pressed("right_arrow", again=True)):
        _fold(ui, editor, panel, shown, index, ui.pressed("right_arrow", again=True))


def _go(ui: UI, editor: Editor, panel: State, shown: Shown, index: int, *, forward: bool) -> None:
    """Select the row, or the next one that is an entity; with Shift all from the anchor."""
    step = 1 if forward else -1
    while 0 <= index < len(shown) and not shown.handles[index]:
        index += step
    if not 0 <= index < len(shown):
        return
    target = int(shown.handles[index])
    if ui.shift and panel.anchor:
        start = shown.index_of(panel.anchor)
        chosen = shown.between(start if start >= 0 else index, index)
        panel.select(editor, chosen, target, anchor=panel.anchor, merge=("select", "keys"))
    else:
        panel.select(editor, [target], target, merge=("select", "keys"))
    panel.go_to(target)


def _fold(ui: UI, editor: Editor, panel: State, shown: Shown, index: int, opening: bool) -> None:
    """Right opens a row or goes to its first child; left closes it or goes to its parent."""
    arrow, depth = int(shown.arrows[index]), shown.depths[index]
    if arrow == (0 if opening else 1) and not panel.tree.search.text:
        panel.tree.open([int(shown.handles[index])], opening)
    elif opening and arrow == 1:
        _go(ui, editor, panel, shown, index + 1, forward=True)
    elif not opening:
        above = np.flatnonzero(shown.depths[:index] < depth)
        if len(above) and shown.handles[above[-1]]:
            _go(ui, editor, panel, shown, int(above[-1]), forward=False)


def _jump(editor: Editor, panel: State, shown: Shown, begin: str) -> None:
    """Select the next row whose name begins with a text; while it is typed, the current row may stay."""
    game: Any = editor.game
    fits = begins(game.world, shown.handles, begin)
    rows = np.flatnonzero(fits)
    if not len(rows):
        return
    index = shown.index_of(panel.cursor) + (0 if len(begin) > 1 else 1)
    later = rows[rows >= index]
    target = int(shown.handles[later[0] if len(later) else rows[0]])
    panel.select(editor, [target], target, merge=("select", "keys"))
    panel.go_to(target)
