"""Saving the open game, with questions about edits that can't be saved, entities made by code, and files that can't be
written."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_authoring import mark_authored
from rish_core import ManifestError, RishError, UsageError
from rish_ecs import shorten_path

from ...look import icons
from ..dialogs import Choice

if TYPE_CHECKING:
    from rish_authoring import GameText, Loss, SavePlan

    from ...session.editor import Editor
    from ...session.game.game import Game
    from ...ui.ui import UI

Then = Callable[[], Any]
_MAX_NAMED = 3
"""The greatest number of parts that a message names."""
_LISTED = 500
"""The greatest number of entities made by code that are listed."""


class Saving:
    """Saves the open game."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor

    def save(self, then: Then = lambda: None) -> None:
        """Save all edits; `then` is called when they are saved, also after a question was answered."""
        editor, game, tr = self._editor, self._editor.game, self._editor.tr
        if game is None:
            return
        if game.play.running:
            editor.note(tr("Stop the game before you save it"), "warning")
            return
        changed = game.project.changed_outside()
        if changed and not editor.games.is_kept(changed) and all(path.is_file() for path in changed):

            def answered(answer: str) -> None:
                if answer == "overwrite":
                    self._write(game, then)
                elif answer == "reload":
                    editor.games.reload()

            editor.dialogs.ask(
                tr("{name} was changed by another program", name=shorten_path(changed[0])),
                tr("Load the new version, or keep yours and overwrite it when you save."),
                [Choice("overwrite", tr("Overwrite"), "danger"), Choice("reload", tr("Reload")),
                 Choice("cancel", tr("Cancel"))],
                answered, level="warning",
            )  # fmt: skip
            return
        self._write(game, then)

    def _write(self, game: Game, then: Then, *, without: str = "") -> None:
        """Write the files. without: the parts that are not saved, which the user has accepted; the game then stays
        unsaved."""
        editor = self._editor
        try:
            editor.games.overwrite()
            written = game.project.save(partial=bool(without))
        except (UsageError, ManifestError) as error:
            self._failed(game, error, then)
            return
        game.history.seal()  # an edit that goes on is another step, which is not saved
        game.saved, game.recovered = game.last_edit, bool(without)
        names = ", ".join(path.name for path in written) or game.path.resolve().name
        if without:
            editor.note(editor.tr("Saved {name} without {what}", name=names, what=without), "warning", seconds=12.0)
        else:
            if editor.games.autosave is not None:
                editor.games.autosave.remove()
            editor.note(editor.tr("Saved {name}", name=names), "ok")
        then()

    def _incomplete(self, plan: SavePlan, title: str, write: Callable[[str], Any]) -> None:
        """Ask about edits that the text can't contain and content that the files would lose; `write` gets the parts
        that are not saved."""
        editor, tr = self._editor, self._editor.tr
        details = list(plan.problems)
        without = tr("some edits")
        try:
            losses = plan.losses()
        except ManifestError as error:
            details += [str(problem) for problem in error.problems]
        else:
            lost, removed = _listed(editor, losses.lost), _listed(editor, losses.removed)
            details = [
                *(tr("Not saved — {what}", what=each) for each in lost),
                *(tr("Removed from the file — {what}", what=each) for each in removed),
                *(details if lost or removed else plan.wrong),
            ]
            without = "; ".join(lost[:_MAX_NAMED]) + (" …" if len(lost) > _MAX_NAMED else "") or without
        editor.dialogs.ask(
            tr("Not everything can be saved"), tr("The file can't describe these edits:"),
            [Choice("rest", title), Choice("cancel", tr("Cancel"), "primary")],
            lambda answer: write(without) if answer == "rest" else None, details=details, level="warning",
        )  # fmt: skip

    def _failed(self, game: Game, error: RishError, then: Then) -> None:
        """Ask what to do about edits that the text can't contain, or about files that can't be written."""
        editor, tr = self._editor, self._editor.tr
        plan = game.project.plan()
        plan.finish(partial=True)
        if plan.wrong:
            self._incomplete(plan, tr("Save the rest"), lambda without: self._write(game, then, without=without))
            return

        def answered(answer: str) -> None:
            if answer == "retry":
                self.save(then)
            elif answer == "copy":
                editor.run("file.save_as")

        editor.dialogs.ask(
            tr("The file could not be saved"),
            tr("Nothing is lost: the edits are still here. Save a copy in another place, or try again."),
            [Choice("retry", tr("Retry"), "primary"), Choice("copy", tr("Save as…")), Choice("cancel", tr("Cancel"))],
            answered, details=[str(error)], level="error",
        )  # fmt: skip

    def save_as(self, folder: Path) -> None:
        """Copy the game with its edits into a new folder, and open that one. Raises UsageError.

        Edits that the text can't contain are listed in a question first.
        """
        editor, game = self._editor, self._editor.game
        assert game is not None
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{shorten_path(folder)} is not empty", hint="Choose a new folder")
        root = game.path.resolve()
        if folder.resolve().is_relative_to(root):
            raise UsageError(f"{shorten_path(folder)} is inside the game's own folder", hint="Choose another place")
        plan = game.project.plan()
        text = plan.finish(partial=True)
        if not plan.wrong:
            self._copy(text, root, folder)
            return

        def write(without: str) -> None:
            try:
                self._copy(text, root, folder)
            except UsageError as error:
                editor.report(editor.tr("Save as…"), error)

        self._incomplete(plan, editor.tr("Save the rest"), write)

    def _copy(self, text: GameText, root: Path, folder: Path) -> None:
        """Copy a game's folder with the edited texts, and open the copy. Raises UsageError."""
        editor = self._editor
        try:
            shutil.copytree(root, folder, ignore=shutil.ignore_patterns(".rish", "__pycache__"), dirs_exist_ok=True)
            for path, content in text.plain.items():
                if path.is_relative_to(root):
                    (folder / path.relative_to(root)).write_bytes(content.encode())
        except (OSError, shutil.Error) as error:
            raise UsageError(
                f"{shorten_path(folder)} can't be written: {getattr(error, 'strerror', '') or error}"
            ) from None
        if editor.open(folder):
            editor.note(editor.tr("Saved {name}", name=folder.name), "ok")

    def review(self) -> None:
        """Show what saving changes, and the entities made by code, which can be included."""
        game = self._editor.game
        if game is not None:
            self._editor.dialogs.form(Review(self._editor, game))


def _listed(editor: Editor, losses: Iterable[Loss]) -> list[str]:
    """Return parts of entities as text: `Hero: Body, Collider`."""
    tr = editor.tr
    return [tr("{what} (the whole entity)", what=str(each)) if each.whole else str(each) for each in losses]


class Review:
    """The form with the changes that saving will write, and the entities made by code, which can be included."""

    width = 620.0

    def __init__(self, editor: Editor, game: Game) -> None:
        self.title = editor.tr("Review and save")
        self._game = game
        plan = game.project.plan()
        self._edits, self._notes = list(plan.edits), list(plan.notes)
        self._problems = list(plan.problems)
        self._made = list(plan.made_by_code)
        self._chosen: set[int] = set()

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        self._list(ui, tr("Edits"), "edits", self._edits, tr("Nothing has changed"))
        if self._notes:
            self._list(ui, tr("Written in another form"), "notes", self._notes)
        if self._problems:
            self._list(ui, tr("Can't be saved"), "problems", self._problems, style="warning")
        if self._made:
            self._strangers(ui, editor)
        ui.space(6)
        if ui.button(tr("Save"), "save", kind="primary", icon=icons.SAVE):
            self._include(editor)
            editor.later(editor.games.saving.save)
            return True
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _list(self, ui: UI, title: str, name: str, lines: list[str], none: str = "", style: str = "normal") -> None:
        ui.text(f"{title} ({len(lines)})" if lines else title, "section")
        if not lines:
            ui.text(none, "dim")
            return
        with ui.area(name, height=ui.px(min(22.0 * len(lines) + 16, 140)), border=True):
            for number in ui.visible_rows(len(lines)):
                ui.text(lines[number], style)  # pyright: ignore[reportArgumentType]

    def _strangers(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        ui.text(tr("Made by code ({count})", count=len(self._made)), "section")
        text = tr(
            "These entities have no text: the game makes them when it begins. Tick those that belong into the file."
        )
        ui.text(text, "dim", wrap=True)
        everything = len(self._chosen) == len(self._made)
        new = ui.checkbox(tr("All"), "all", everything, mixed=bool(self._chosen) and not everything)
        if new is not None:
            self._chosen = set(self._made) if new else set()
        shown = self._made[:_LISTED]
        with ui.area("made", height=ui.px(min(30.0 * len(shown) + 16, 160)), border=True, fields=True):
            for number in ui.visible_rows(len(shown)):
                handle = shown[number]
                new = ui.checkbox(self._game.name_of(handle), f"made:{number}", handle in self._chosen)
                if new is not None:
                    (self._chosen.add if new else self._chosen.discard)(handle)

    def _include(self, editor: Editor) -> None:
        """Mark the chosen entities as part of the scene, so that they are saved."""
        alive = [handle for handle in self._made if handle in self._chosen and self._game.world.alive(handle)]
        if alive:
            with self._game.edit(editor.tr("Include entities made by code")):
                mark_authored(self._game.world, *alive)
