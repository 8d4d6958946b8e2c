"""The state that the parts of the hierarchy share: its rows, the cursor of the keys, and the open menu."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rish_frame import PerVersion

from .tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...session.editor import Editor

PAUSE = 1.0
"""Seconds after which typing begins a new name."""


class Ahead:
    """The begin of a name that the user types to jump to it. text: typed so far."""

    def __init__(self) -> None:
        self.text = ""
        self._last = 0.0

    @property
    def active(self) -> bool:
        """Whether the next letter belongs to the name."""
        return bool(self.text) and time.perf_counter() - self._last < PAUSE

    def add(self, typed: str) -> str:
        """Add letters; return the begin of the name."""
        self.text = (self.text if self.active else "") + typed.lower()
        self._last = time.perf_counter()
        return self.text


class State:
    """The state of the panel.

    tree: its rows. ahead: the name that is typed. cursor: the entity that keys move from, 0 for none. anchor: the other
    end of a range. menu_of: the entity whose menu is open. rows_in_view: how many rows the panel shows. scroll_to: the
    entity that is scrolled to in the next frame. followed: whether the panel shows the present selection.
    """

    def __init__(self) -> None:
        self.tree = Tree()
        self.ahead = Ahead()
        self.cursor = 0
        self.anchor = 0
        self.menu_of: int | None = None
        self.rows_in_view = 1
        self.prefab_search = ""
        self.scroll_to = 0
        self.followed = PerVersion[bool]()

    def select(
        self, editor: Editor, handles: Iterable[int], cursor: int, *, anchor: int = 0, merge: Any = None
    ) -> None:
        """Select entities as one step of the history. cursor: the row that keys move from. anchor: of a range."""
        game = editor.game
        assert game is not None
        self.cursor, self.anchor = cursor, anchor or cursor
        with game.edit(editor.tr("Select"), merge=merge):
            game.selection.set(handles)
        if cursor in game.selection:
            self.scroll_to = 0
        self.followed.put(game.selection, True)

    def go_to(self, handle: int) -> None:
        """Scroll to a row in the next frame."""
        self.scroll_to = handle
