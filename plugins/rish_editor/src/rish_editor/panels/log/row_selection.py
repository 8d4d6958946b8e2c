"""RowSelection: the selected rows of a list, which can be copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

Order = Callable[[], Sequence[int]]
"""Returns the keys of all rows, in the order of the list."""


class RowSelection:
    """Selects rows by a click, several with Ctrl or Shift, all with Ctrl+A, and copies them with Ctrl+C. A row has a
    key that stays the same while others come and go."""

    def __init__(self) -> None:
        self._keys: set[int] = set()
        self._anchor: int | None = None

    def __contains__(self, key: int) -> bool:
        return key in self._keys

    def clear(self) -> None:
        """Select no rows."""
        self._keys.clear()
        self._anchor = None

    def click(self, ui: UI, key: int, order: Order) -> None:
        """Select a row that was clicked; Ctrl toggles it, Shift selects all from the row of the last click."""
        keys = order() if ui.shift and self._anchor is not None else []
        if self._anchor in keys:
            first, last = sorted((keys.index(self._anchor), keys.index(key)))
            self._keys = set(keys[first : last + 1])
            return
        self._keys = self._keys ^ {key} if ui.ctrl else {key}
        self._anchor = key

    def use_keys(self, ui: UI, editor: Editor, panel: str, order: Order, text_of: Callable[[int], str]) -> None:
        """Use the keys pressed in this frame if a panel has the keyboard focus. text_of: returns the text of a row for
        the clipboard."""
        if editor.panels.focused != panel or ui.typing or not ui.ctrl:
            return
        if ui.pressed("a"):
            self._keys = set(order())
        elif ui.pressed("c"):
            rows = [key for key in order() if key in self._keys]
            if rows:
                editor.copy("\n".join(map(text_of, rows)))
