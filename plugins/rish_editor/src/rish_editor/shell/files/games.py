"""Opening and closing games in the window, recovery after a crash, and files that other programs change."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from rish_cli import is_packed
from rish_core import App, ManifestError, Problem, RishError, UsageError, settle, thaw
from rish_ecs import shorten_path
from rish_system import make_folders, write_whole

from ...session.commands import Cancelled
from ...session.files.autosave import Autosave, found_copy, make_private, remove_copies
from ...session.files.opening import open_app
from ...session.files.templates import read_others
from ...session.game.game import Game
from ...session.game.surface import Surface
from ..dialogs import Choice, unsaved_choices
from ..welcome import PICTURE
from .loading import loading
from .packed import open_packed
from .saving import Saving, Then
from .watching import OutsideChanges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...session.editor import Editor
    from ...session.files.journal import Copy
    from ...session.protocols import ShellPart

_log = logging.getLogger("rish.editor")


@dataclass
class Opened:
    """A game that was opened. mistakes: of its manifest. raw: the parts that were left out because of them, by
    entity."""

    surface: Surface
    app: App
    mistakes: list[Problem]
    raw: dict[int, dict[str, Any]]


class Games:
    """The open game and its files.

    autosave: writes copies of unsaved edits, None without a game. outside: watches files that other programs change.
    """

    def __init__(self, shell: ShellPart) -> None:
        self._shell = shell
        self._editor: Editor = shell.editor
        self.autosave: Autosave | None = None
        self.saving = Saving(self._editor)
        self.outside: OutsideChanges | None = None

    # Opening

    def open(self, path: Path) -> bool:
        """Open a game instead of the one that is open; return whether it was opened.

        Of a packed game, the person is asked for a folder first.
        """
        if is_packed(path):
            open_packed(self._editor, path)
            return False
        opened = self._make(path)
        if opened is None:
            return False
        self.close()
        game = self._use(opened)
        self._editor.settings.add_recent(game.path.resolve())
        copy = found_copy(game.path)
        if copy is not None:
            self._offer(game, copy)
        return True

    def _make(self, path: Path) -> Opened | None:
        """Return the App of a game, or None after its mistakes were shown."""
        editor, tr = self._editor, self._editor.tr
        surface = Surface(self._shell.window, interactive=not self._shell.headless)
        name = path.parent.name if path.suffix else path.name
        try:
            title = name or path.resolve().name
            with editor.working(title), loading(self._shell, title):
                options = {"headless": self._shell.headless, "warm_up": self._shell.drawn}
                app, mistakes, raw = open_app(path, surface, **options)
        except Cancelled:
            editor.note_cancelled(tr("Open {path}", path=path.name))
        except ManifestError as error:
            editor.failures += 1
            _log.error("%s", error)
            self._refuse(name, error)
        except (RishError, OSError) as error:
            editor.failures += 1
            _log.error("%s", error)
            editor.dialogs.tell(tr("The file could not be opened"), str(error), level="error")
        except Exception as error:
            editor.report(tr("Open {path}", path=path), error)
        else:
            return Opened(surface, app, mistakes, raw)
        return None

    def _refuse(self, name: str, error: ManifestError) -> None:
        """Show the mistakes of a manifest that can't be opened."""
        editor, tr = self._editor, self._editor.tr
        if editor.game is None:
            editor.problems = []
            editor.list_problems(error.problems)
        editor.dialogs.tell(
            tr("The file could not be opened"), self._count(len(error.problems), name),
            details=[str(problem) for problem in error.problems], level="error",
        )  # fmt: skip

    def _count(self, number: int, name: str) -> str:
        return self._editor.tr("{count} {count:mistake|mistakes} in {name}", count=number, name=name)

    def _use(self, opened: Opened) -> Game:
        editor = self._editor
        editor.game = game = Game(opened.app, opened.surface)
        game.project.waiting = lambda: loading(self._shell, game.title)
        game.preparation.on = self._shell.prepares
        game.raw, editor.problems = opened.raw, []
        failures = [Problem(each.place, "", each.what) for each in opened.app.plugins.failures]
        editor.list_problems([*opened.mistakes, *failures])
        for problem in opened.mistakes:
            _log.warning("%s", problem)
        if editor.problems:
            editor.note(self._count(len(editor.problems), game.path.name), "warning")
        self.autosave, self.outside = Autosave(game, editor.settings), OutsideChanges(editor, game)
        self._shell.use_declared(opened.app)
        if not self._shell.headless:
            Thread(target=read_others, args=(opened.app.registry,), daemon=True).start()
        settle()
        return game

    def leave(self, then: Then) -> None:
        """Call a function that closes the game; if something is not saved, ask first whether to save it."""
        editor, game, tr = self._editor, self._editor.game, self._editor.tr
        game = game if game is not None and game.dirty else None
        texts = editor.texts.unsaved
        if game is None and not texts:
            then()
            return

        def answered(answer: str) -> None:
            if answer == "discard":
                editor.texts.forget(texts)
                then()
            elif answer == "save" and all(editor.texts.save(text) for text in texts):
                self._save_edits(game, then)

        question = tr("Save the changes to these files?")
        names = [shorten_path(text.path) for text in texts]
        if game is not None:
            names.insert(0, shorten_path(game.project.text.main))
        if len(names) == 1:
            question = tr("Save the changes to {name}?", name=game.title if game is not None else texts[0].name)
            names = [tr("Your changes are lost if you don't save them.")]
        editor.dialogs.ask(
            tr("Unsaved changes"), question, unsaved_choices(editor), answered, details=names, level="warning"
        )

    def _save_edits(self, game: Game | None, then: Then) -> None:
        """Save a game before it is closed. None: there is nothing to save."""
        if game is None:
            then()
            return
        if game.play.running:
            game.play.stop()
        self.saving.save(then)

    def go(self, scene: str) -> None:
        """Open another scene of the game as a step of the history; unsaved edits of this one are kept."""
        editor, game = self._editor, self._editor.game
        if game is None or scene == game.scene or game.play.running:
            return
        try:
            with game.edit(editor.tr("Open scene {name}", name=scene)):
                game.selection.clear()
                game.project.go(scene)
        except RishError as error:
            editor.report(editor.tr("Open scene {name}", name=scene), error)

    def reload_code(self) -> None:
        """Load the code of the game's folder again and apply it; the edits stay. Mistakes are listed as problems."""
        if self.outside is not None:
            self.outside.reload_code()

    def use_declared(self) -> None:
        """Use the panels, commands and drawers that the reloaded code of the open game declares."""
        if self._editor.game is not None:
            self._shell.use_declared(self._editor.game.app)

    def close(self, *, keep: bool = False) -> None:
        """Close the game and remove the copies of its edits; the window stays open.

        keep: leave a copy of unsaved edits, which is offered when the game is opened next.
        """
        game, self._editor.game = self._editor.game, None
        if game is None:
            return
        if self.autosave is not None:
            self.autosave.keep() if keep and game.dirty else self.autosave.remove()
        if self.outside is not None:
            self.outside.close()
        self.autosave = self.outside = None
        self._editor.kept = []
        if not keep:
            self._editor.texts.close_saved()
        if not self._shell.headless:
            _take_picture(game)
        game.close()
        thaw()
        self._shell.use_declared(None)

    def _offer(self, game: Game, copy: Copy) -> None:
        """Ask whether to recover the edits from a copy that was left by a crash."""
        editor, tr = self._editor, self._editor.tr
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(copy.time))
        details = [] if copy.fits(game) else [tr("The game's files were changed after this copy was made.")]

        def answered(answer: str) -> None:
            if answer == "discard":
                remove_copies(game.path)
            elif answer == "recover" and editor.game is game:
                self._recover(game, copy)

        editor.dialogs.ask(
            tr("The editor was not closed properly"),
            tr("There is a backup of {name}, saved at {time}. Do you want it back?", name=game.title, time=at),
            [Choice("recover", tr("Recover"), "primary"), Choice("discard", tr("Discard"), "danger"),
             Choice("later", tr("Ask later"))],
            answered, details=details, level="warning",
        )  # fmt: skip

    def _recover(self, game: Game, copy: Copy) -> None:
        editor, tr = self._editor, self._editor.tr
        try:
            copy.recover(game)
        except RishError as error:
            editor.dialogs.tell(
                tr("The backup does not fit the game"),
                tr("The code of the game has changed since, so the backup can't be read. It stays in {path}.",
                   path=copy.path), details=[str(error)], level="error",
            )  # fmt: skip
            return
        if self.autosave is not None:
            self.autosave.makers.add(copy.process)
        editor.note(tr("The edits are back. Save them to keep them."), "ok")

    # Files that others change

    def look(self, now: float) -> None:
        """Write copies of edits, and check whether another program has changed the files; call it in each frame."""
        if self.autosave is not None:
            self.autosave.look(now)
        if self.outside is not None:
            self.outside.look(now)

    def reload(self) -> bool:
        """Take over the files as they are now instead of unsaved edits, as a step that can be undone; return whether
        that was possible.
        """  # fmt: skip
        editor, tr = self._editor, self._editor.tr
        game = editor.game
        assert game is not None
        names = [game.name_of(handle) for handle in game.selection]
        try:
            with game.edit(tr("Load the new version of {name}", name=game.path.name)):
                game.project.reload(discard=True)
                game.selection.set(game.named(names))
        except RishError as error:
            editor.list_problems(error.problems if isinstance(error, ManifestError) else [])
            editor.report(tr("The changed file has mistakes; the game stays as it was"), error)
            return False
        editor.list_problems([])
        game.saved, game.recovered = game.last_edit, False
        if self.autosave is not None:
            self.autosave.remove()
        editor.note(tr("Loaded the new version of {name}", name=game.path.name), "ok")
        return True

    def overwrite(self) -> None:
        """Let the next save overwrite the files that another program has changed, as the user has chosen.

        Raises UsageError if a file can't be written.
        """
        game = self._editor.game
        assert game is not None
        text = game.project.text
        for path in game.project.changed_outside():
            try:
                if not path.is_file():
                    make_folders(path.parent)
                    write_whole(path, text.read[path])
                text.read[path] = path.read_bytes()
            except OSError as error:
                raise UsageError(f"{shorten_path(path)} can't be written: {error.strerror or error}") from None
        if self.outside is not None:
            self.outside.keep()

    def is_kept(self, changed: Sequence[Path]) -> bool:
        """Return whether the user has chosen to keep the edits instead of the present content of changed files."""
        return self.outside is not None and self.outside.is_kept(changed)


def _take_picture(game: Game) -> None:
    """Write a picture of the game for the start screen into its folder, if that can be written."""
    from PIL import Image

    try:
        game.draw((500, 268))
        make_private(game.path / PICTURE.parent)
        Image.fromarray(game.app.pixels()).convert("RGB").save(game.path / PICTURE)
    except (OSError, RishError, ValueError):
        return
