"""Renaming, moving and deleting in the panel of files: the field in place of a name, and the questions before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_frame.paint.writing import typed_text

from ...session.files import renaming
from ...shell.dialogs import Choice

if TYPE_CHECKING:
    from rish_authoring import MovePlan, Use

    from ...session.editor import Editor
    from ...ui.ui import UI
    from ...ui.widgets.rows import RowUse
    from .files import Item
    from .panel import AssetsPanel

_LISTED = 400
"""The greatest number of uses that are listed."""
MANIFEST = "game.yaml"
_FORBIDDEN = set('/\\:*?"<>|')


class Name:
    """The name of a file while it is typed. path: of the file. fresh: whether the field has not had the keyboard focus
    yet."""

    def __init__(self, path: str) -> None:
        self.path, self.text, self.fresh = path, path.rpartition("/")[2], True

    def draw(self, ui: UI, editor: Editor, panel: AssetsPanel, use: RowUse, width: float = 0.0) -> None:
        """Draw the field; Enter and a click elsewhere take the name, Escape leaves the old one."""
        focus = self.fresh and editor.panels.focused == panel.id
        new = ui.row_line("rename", self.text, use, focus=focus, width=width)
        self.fresh = self.fresh and not focus
        self.text = self.text if new is None else new
        if not ui.row_line_ended:
            return
        panel.renaming = None
        folder, _, before = self.path.rpartition("/")
        text = self.text.strip()
        if ui.pressed("escape") or text == before or not text:
            return
        if _FORBIDDEN & set(text) or typed_text(text) != text:
            editor.note(editor.tr("{name} is no name of a file", name=text), "error")
            return
        to = f"{folder}/{text}" if folder else text
        editor.later(lambda: move(editor, panel, self.path, to))


def can_change(item: Item) -> bool:
    """Return whether a file or a folder can be renamed and deleted."""
    return item.kind != "prefab" and item.path not in ("", MANIFEST)


def into(editor: Editor, panel: AssetsPanel, path: str, folder: str) -> None:
    """Move a file or a folder into another folder."""
    name = path.rpartition("/")[2]
    to = f"{folder}/{name}" if folder else name
    if to != path:
        move(editor, panel, path, to)


def move(editor: Editor, panel: AssetsPanel, old: str, new: str) -> None:
    """Rename a file or a folder; if something does not follow by itself, the user is asked before."""
    plan = renaming.planned(editor, old, new)
    if plan is None:
        return
    if plan.unsure or plan.unchanged:
        editor.dialogs.form(Question(editor, panel, plan))
    else:
        finish(editor, panel, plan)


def finish(editor: Editor, panel: AssetsPanel, plan: MovePlan) -> None:
    """Rename as planned, and show the file under its new name."""
    if renaming.rename(editor, plan):
        panel.follow(plan.moves.old, plan.moves.new)


def ask_to_delete(editor: Editor, panel: AssetsPanel, path: str) -> None:
    """List the uses of a file or a folder, and delete it if the user still wants that."""
    tr = editor.tr
    if not renaming.may_change(editor):
        return
    game: Any = editor.game
    uses = game.assets.uses(path, unsaved=game.dirty)
    text = tr("Delete {path}? It goes to the trash.", path=path)
    if uses:
        text += "\n" + tr("It is used in {count} {count:place|places}:", count=f"{len(uses):,}")
    choices = [Choice("delete", tr("Delete"), "danger"), Choice("cancel", tr("Cancel"))]

    def answered(answer: str) -> None:
        if answer == "delete" and renaming.delete(editor, path):
            panel.follow(path, "")

    details = [said(use) for use in uses[:_LISTED]]
    editor.dialogs.ask(tr("Delete a file"), text, choices, answered, details=details, level="warning")


def said(use: Use) -> str:
    """Return a use of a file as one line of text: the file with the line, what is written there, and why it can't be
    changed if so."""
    return "   ".join([use.place, *filter(None, (use.text, f"({use.why})" if use.why else ""))])


class Question:
    """The question before a rename: the uses that are changed, doubtful ones, which can be ticked, and those that can't
    be changed."""

    width = 600.0

    def __init__(self, editor: Editor, panel: AssetsPanel, plan: MovePlan) -> None:
        self.title = editor.tr("Rename {path}", path=plan.moves.old)
        self._panel, self._plan = panel, plan
        self._chosen: set[Use] = set()

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr, plan = editor.tr, self._plan
        ui.text(tr("New name: {path}", path=plan.moves.new))
        if plan.changed:
            with ui.section(tr("These follow ({count})", count=len(plan.changed)), "following", opened=False) as shown:
                if shown:
                    self._list(ui, "list", plan.changed)
        if plan.unsure:
            ui.text(tr("Also meant? Tick what is to follow ({count})", count=len(plan.unsure)), "section")
            self._choices(ui)
        if plan.unchanged:
            ui.text(tr("Can't be changed ({count})", count=len(plan.unchanged)), "section")
            self._list(ui, "unchanged", plan.unchanged)
        ui.space(6)
        if ui.button(tr("Rename"), "rename", kind="primary") or ui.confirmed:
            editor.later(lambda: self._done(editor))
            return True
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _list(self, ui: UI, name: str, uses: list[Use]) -> None:
        with ui.area(name, height=ui.px(min(22.0 * len(uses) + 16, 140)), border=True):
            for number in ui.visible_rows(len(uses)):
                use = uses[number]
                ui.text(said(use), "warning" if use.why else "normal")

    def _choices(self, ui: UI) -> None:
        uses = self._plan.unsure
        with ui.area("unsure", height=ui.px(min(30.0 * len(uses) + 16, 160)), border=True, fields=True):
            for number in ui.visible_rows(len(uses)):
                new = ui.checkbox(said(uses[number]), f"unsure:{number}", uses[number] in self._chosen)
                if new is not None:
                    (self._chosen.add if new else self._chosen.discard)(uses[number])

    def _done(self, editor: Editor) -> None:
        moves, game = self._plan.moves, editor.game
        if self._chosen and game is not None:
            self._plan = game.assets.plan(moves.old, moves.new, self._chosen)
        finish(editor, self._panel, self._plan)
