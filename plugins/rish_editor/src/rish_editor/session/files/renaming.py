"""Renaming and deleting files of the opened game, as steps that can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rish_authoring import MovePlan, check_move
from rish_core import RishError

if TYPE_CHECKING:
    from ..editor import Editor
    from ..game.game import Game


def may_change(editor: Editor) -> bool:
    """Return whether files can be renamed and deleted now; if not, show a message with the reason."""
    game = editor.game
    if game is not None and not game.editing:
        editor.note(editor.tr("Stop the game before you change its files"), "warning")
    return game is not None and game.editing


def planned(editor: Editor, old: str, new: str) -> MovePlan | None:
    """Return the plan of a rename; if it is not possible, show the reason and return None."""
    game: Any = editor.game
    title = editor.tr("Rename {path}", path=old)
    if not may_change(editor):
        return None
    try:
        plan = game.assets.plan(old, new)
        mistakes = check_move(game.app, plan)
    except RishError as error:
        editor.report(title, error)
        return None
    except OSError as error:
        editor.note(f"{title}: {error.strerror or error}", "error")
        return None
    if mistakes:
        text = editor.tr("The game would have mistakes with this name. Nothing was changed.")
        editor.dialogs.tell(title, text, details=mistakes, level="error")
        return None
    return plan


def rename(editor: Editor, plan: MovePlan) -> bool:
    """Rename a file with its uses; return whether that was possible."""
    old, new, tr = plan.moves.old, plan.moves.new, editor.tr
    game: Any = editor.game
    title = tr("Rename {path}", path=old)
    if not _step(editor, game, title, lambda: game.assets.move(plan)):
        return False
    message = tr("Renamed {old} to {new}", old=old, new=new)
    count = len(plan.changed)
    if count:
        message += " · " + tr("{count} {count:use follows|uses follow}", count=f"{count:,}")
    _told(editor, game, message, lambda: _rename_back(editor, old, new))
    return True


def _rename_back(editor: Editor, old: str, new: str) -> None:
    plan = planned(editor, new, old)
    if plan is not None:
        rename(editor, plan)


def delete(editor: Editor, path: str) -> bool:
    """Move a file into the trash; return whether that was possible."""
    game: Any = editor.game
    title = editor.tr("Delete {path}", path=path)
    if not may_change(editor):
        return False
    if not _step(editor, game, title, lambda: game.assets.delete(path)):
        return False
    changes = game.project.files.made
    _told(editor, game, editor.tr("{path} is in the trash", path=path), lambda: game.project.files.put(changes[:-1]))
    return True


def _step(editor: Editor, game: Game, title: str, work: Any) -> bool:
    """Call a function that changes files as one step of the history; report its error."""
    try:
        with game.edit(title):
            work()
    except (RishError, OSError) as error:
        editor.report(title, error)
        return False
    if game.dirty and editor.games.autosave is not None and editor.settings.autosave > 0:
        editor.games.autosave.copy()  # the last one has the old names
    return True


def _told(editor: Editor, game: Game, message: str, dropped: Callable[[], Any]) -> None:
    """Show a message with a button that undoes the step as long as it is the last one.

    dropped: undoes the work if the history has lost the step, because the code of the game was loaded again.
    """
    step = game.history.done[-1] if game.history.done else None

    def take_back() -> None:
        history = game.history
        if editor.game is not game or not may_change(editor):
            return
        if history.done and history.done[-1] is step:
            editor.run("edit.undo")
        elif step not in (*history.done, *history.undone):
            try:
                dropped()
            except RishError as error:
                editor.report(editor.tr("Undo"), error)

    editor.note(message, "ok", seconds=8.0, action=(editor.tr("Undo"), take_back))
