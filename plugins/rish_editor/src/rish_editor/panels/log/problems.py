"""The problems of the game's manifest: each with its place, to be opened or selected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import Origin, Problem
from rish_core.manifest import path_text

from ...look import icons
from .row_selection import RowSelection

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI


class ProblemsPanel:
    """Lists the mistakes. A click opens the file at the mistake, and selects its entity if there is one.

    Selected rows can be copied, see `RowSelection`.
    """

    id, title, icon, dock, order = "editor.problems", "Problems", "warning", "bottom", 40
    open, always = False, True

    def __init__(self) -> None:
        self.picked = RowSelection()

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the list."""
        problems = editor.problems
        if not problems:
            hint = editor.tr("Mistakes in the files of the game appear here, with the way to them.")
            ui.empty(editor.tr("There are no problems"), hint, icons.OK)
            return
        self.picked.use_keys(ui, editor, self.id, lambda: range(len(problems)), lambda number: str(problems[number]))
        ui.text(editor.tr("{count} {count:mistake|mistakes}", count=len(problems)), "section")
        ui.same_line(12)
        ui.text(editor.tr("What they are about is left out, and stays in the file."), "dim")
        with ui.table("list", 4, lines=True, resizable=True, scrolls=True) as shown:
            if shown:
                ui.columns(18, 0.68, 0.18, 0.14)
                for number in ui.visible_rows(len(problems)):
                    self._row(ui, editor, number, problems[number])

    def _row(self, ui: UI, editor: Editor, number: int, problem: Problem) -> None:
        ui.row()
        ui.cell()
        ui.text(icons.ERROR, "error")
        ui.cell()
        picked = number in self.picked
        if ui.selectable(problem.what, f"problem:{number}", picked, span=True, tooltip=str(problem)):
            self.picked.click(ui, number, lambda: range(len(editor.problems)))
            if not (ui.ctrl or ui.shift):
                follow(editor, problem)
        ui.cell()
        ui.text(problem.path, "dim", cut=True)
        ui.cell()
        ui.text(f"{Path(problem.place.file).name}:{problem.place.line}", "dim")


def follow(editor: Editor, problem: Problem) -> None:
    """Open the file of a problem at its line, and select the entity that it is about."""
    if editor.game is not None:
        handle = entity_of(editor.game, problem)
        if handle is not None:
            with editor.game.edit(editor.tr("Select")):
                editor.game.selection.set([handle])
    editor.open_source(Path(problem.place.file), problem.place.line)


def entity_of(game: Game, problem: Problem) -> int | None:
    """Return the first entity of the entry that a problem is about; None if the open scene has none."""
    table = game.world.table(Origin)
    number = game.world.texts.find(game.scene)
    best, entity = 0, None
    for entry, step in enumerate(game.app.game.scene(game.scene).steps):
        path = path_text(step.node.path)
        if len(path) > best and (problem.path == path or problem.path.startswith((f"{path}.", f"{path}["))):
            rows = ((table.column("entry") == entry) & (table.column("scene") == number)).nonzero()[0]
            if len(rows):
                best, entity = len(path), int(table.entities[rows[0]])
    return entity
