"""The history: the steps that can be undone and done again; a click goes to a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI

_ICONS = {
    "Add": icons.PLUS, "Create": icons.PLUS, "New": icons.NEW, "Delete": icons.DELETE, "Remove": icons.MINUS,
    "Move": icons.MOVE, "Rotate": icons.ROTATE, "Scale": icons.SCALE, "Stretch": icons.STRETCH, "Select": icons.SELECT,
    "Paste": icons.PASTE, "Duplicate": icons.DUPLICATE, "Group": icons.GROUP, "Ungroup": icons.UNGROUP,
    "Rename": icons.RENAME, "Paint": icons.BRUSH, "Erase": icons.ERASER, "Set": icons.INSPECTOR, "Keep": icons.SAVE,
    "Revert": icons.RESET, "Console:": icons.CONSOLE,
}  # fmt: skip
"""The icons of steps by the first word of their names."""


class HistoryPanel:
    """All steps, the oldest first, from the state in which the game was opened."""

    id, title, icon, dock, order = "editor.history", "History", "history", "right", 30

    def __init__(self) -> None:
        self._drawn: tuple[object, int] = (None, 0)

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the steps."""
        game = editor.game
        if game is None:
            ui.empty(editor.tr("No game is open"), editor.tr("Open a game or make a new one in the File menu"))
        elif game.editing:
            self._steps(ui, editor, game)
        else:
            _changes(ui, editor, game)

    def _steps(self, ui: UI, editor: Editor, game: Game) -> None:
        history, tr = game.history, editor.tr
        entries = [*history.done, *reversed(history.undone)]
        now = len(history.done)
        ui.text(tr("{count} {count:step|steps}", count=len(entries)), "dim")
        ui.same_line(10)
        ui.text(_size(history.nbytes), "dim")
        ui.tooltip(tr("The memory that the steps need"))
        moved = self._drawn != (game, now)
        self._drawn = game, now
        with ui.area("steps"):
            for number in ui.visible_rows(len(entries) + 1, also=now if moved else -1):
                entry = entries[number - 1] if number else None
                icon, name = (icons.OPEN, tr("Opened")) if entry is None else (_icon(entry.name), tr(entry.name))
                if _step(ui, f"step{number}", icon, name, current=number == now, undone=number > now):
                    editor.later(lambda number=number: go_to(game, number))
                if entry is game.saved:
                    ui.right(20)
                    ui.text(icons.SAVE, "dim")
                    ui.mark("saved")
                    ui.tooltip(tr("The game was saved after this step"))
                if moved and number == now:
                    ui.scroll_here(0.5)


def _changes(ui: UI, editor: Editor, game: Game) -> None:
    """Draw the list of the user's changes in the running game."""
    names, tr = game.play.steps, editor.tr
    ui.text(tr("Changes of the run"), "section")
    ui.text(tr("Stop restores the edited state, and offers to keep them"), "dim", wrap=True)
    with ui.area("changes"):
        for number in ui.visible_rows(len(names) + 1):
            icon, name = (icons.PLAY, tr("Played")) if not number else (_icon(names[number - 1]), tr(names[number - 1]))
            if _step(ui, f"step{number}", icon, name, current=number == len(names), undone=False):
                editor.later(lambda number=number: _undo_to(game, number))


def _step(ui: UI, name: str, icon: str, text: str, *, current: bool, undone: bool) -> bool:
    with ui.colored(ui.theme.rgba("text_disabled") if undone else None):
        return ui.selectable(f"{icon}  {text}", name, current)


def go_to(game: Game, number: int) -> None:
    """Undo or redo until a number of steps are done."""
    while game.editing and len(game.history.done) > number and game.undo() is not None:
        pass
    while game.editing and len(game.history.done) < number and game.redo() is not None:
        pass


def _undo_to(game: Game, number: int) -> None:
    while not game.editing and len(game.play.steps) > number:
        game.undo()


def _icon(name: str) -> str:
    return _ICONS.get(name.partition(" ")[0], icons.RENAME)


def _size(count: int) -> str:
    return f"{count / 1024:,.0f} KB" if count < 1024**2 else f"{count / 1024**2:,.1f} MB"
