"""Edits that add or remove components and entities; they run after the frame, when no panel draws what they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rish_core import RishError

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game


def edit_later(editor: Editor, title: str, change: Callable[[Game], object], *, what: str = "") -> None:
    """Call a function that changes the World after this frame, as one step, and report its error.

    title: of the step, in English. what: named in the report, `title` by default.
    """

    def work() -> None:
        if editor.game is None:
            return
        try:
            with editor.game.edit(title):
                change(editor.game)
        except RishError as error:
            editor.report(editor.tr(what or title), error)

    editor.later(work)
