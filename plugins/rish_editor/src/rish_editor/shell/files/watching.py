"""Files of the open game that other programs change: the editor alone decides what happens to them.

Code and assets are loaded again at once, also in a run. The manifest waits until the run ends; then it is loaded if
there are no unsaved edits, otherwise one dialogue asks. The dialogue is brought up to date while it is open, and closes
by itself when there is nothing to ask any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_assets import FileWatcher, report_changes
from rish_core import Assets, ManifestError, RishError
from rish_ecs import shorten_path

from ...session.files.code import CODE, code_files, reload_plugin
from ..dialogs import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...session.editor import Editor
    from ...session.game.game import Game
    from ..dialogs import Question

_INTERVAL = 1.0
"""Seconds between two checks of the files of the manifest."""
Stamps = dict[Path, Any]
"""Time and size of files, None for one that can't be read."""


class OutsideChanges:
    """Takes the changes of the files of one open game. next_look: the time of the next check of the manifest."""

    def __init__(self, editor: Editor, game: Game) -> None:
        self._editor, self._game = editor, game
        self._root = game.path.resolve()
        code = code_files(self._root)
        self._loaded: Stamps = {path: _stamp(path) for path in code}
        self._watcher = FileWatcher(self._root, first=code)
        if not editor.headless:
            self._watcher.start()
        self.next_look = 0.0
        self._question: Question | None = None
        self._kept: Stamps = {}
        self._shown: Stamps = {}
        self._waiting: Stamps = {}
        self._missing = self._recovered = False
        game.world[Assets].watched = True

    def look(self, now: float) -> None:
        """Check whether other programs have changed files; call it in each frame. Questions wait until other dialogues
        are closed."""
        if self._editor.dialogs.open and not self._asks:
            return
        changed: list[Path] = []
        while self._watcher.changed:
            changed.append(self._watcher.changed.popleft())
        if changed:
            self._take(changed)
        if now >= self.next_look:
            self.next_look = now + _INTERVAL
            self._look_at_manifest()

    def note(self, paths: Iterable[Path]) -> None:
        """Report changed files, as the watcher does; they are read at the next look."""
        self._watcher.changed.extend(path.parent.resolve() / path.name for path in paths)

    def close(self) -> None:
        """Stop watching."""
        self._watcher.stop()

    @property
    def _asks(self) -> bool:
        return self._question is not None and not self._question.settled

    # Code and assets

    def _take(self, paths: Sequence[Path]) -> None:
        code = [path for path in dict.fromkeys(paths) if path.suffix == CODE and _stamp(path) != self._loaded.get(path)]
        others = [path for path in paths if path.suffix != CODE]
        report_changes(self._game.world[Assets], others, removed=True)
        if code:
            self.reload_code(code)

    def reload_code(self, paths: Sequence[Path] | None = None) -> None:
        """Load files of code again after this frame, None for all; the edits stay. Mistakes are listed as problems.

        A plugin that implements the hook `rish_editor_reload` may do that instead, and keep more state.
        """
        editor, game = self._editor, self._game
        changed = code_files(self._root) if paths is None else paths
        self._loaded |= {path: _stamp(path) for path in changed}

        def work() -> None:
            if editor.game is not game:
                return
            with game.keeping_dirt():
                if game.app.plugins.first("rish_editor_reload", editor=editor, paths=changed) is None:
                    reload_plugin(editor)
                game.refresh()
            editor.games.use_declared()

        editor.later(work)

    # The manifest

    def is_kept(self, changed: Sequence[Path]) -> bool:
        """Return whether the user has chosen to keep the edits instead of the present content of changed files."""
        return {path: _stamp(path) for path in changed} == self._kept

    def keep(self) -> None:
        """Note the present state of the files as known, because they were just read or written."""
        self._kept, self._missing = {}, False

    def _look_at_manifest(self) -> None:
        changed = self._game.project.changed_outside()
        stamps: Stamps = {path: _stamp(path) for path in changed}
        if self._game.play.running:
            if changed and stamps != self._waiting:
                message = self._editor.tr(
                    "{name} was changed; it is loaded when the run ends", name=self._named(changed)
                )
                self._editor.note(message, "warning")
            self._waiting = stamps
            return
        if not changed:
            self._settle()
        elif stamps != self._kept and not (self._asks and stamps == self._shown):
            self._changed(changed, stamps)

    def _settle(self) -> None:
        """Close the dialogue if the files have their former content again."""
        if self._shown or self._kept:
            self._editor.list_problems([])
        self._note_missing(False)
        self._close()
        self._kept, self._shown = {}, {}

    def _note_missing(self, missing: bool) -> None:
        """Mark the game as unsaved if a file was deleted, because saving writes the file again."""
        if missing and not self._missing:
            self._recovered, self._game.recovered = self._game.recovered, True
        elif self._missing and not missing:
            self._game.recovered = self._recovered
        self._missing = missing

    def _close(self) -> None:
        if self._question is not None:
            self._editor.dialogs.withdraw(self._question)
        self._question = None

    def _changed(self, changed: list[Path], stamps: Stamps) -> None:
        """Load changed files if no edits are lost by that; otherwise ask, or update the open question."""
        deleted = [path for path in changed if not path.is_file()]
        self._note_missing(bool(deleted))
        mistakes = [] if deleted else self._mistakes()
        if not deleted and not mistakes and not self._game.dirty:
            self._close()
            self._editor.games.reload()
            return
        self._shown = stamps
        self._ask(deleted or changed, mistakes, gone=bool(deleted))

    def _mistakes(self) -> list[str]:
        """Return the mistakes of the changed files with their places, and list them as problems."""
        try:
            self._game.project.outside()
        except ManifestError as error:
            self._editor.list_problems(error.problems)
            return [str(problem) for problem in error.problems]
        except RishError as error:
            return [str(error)]
        self._editor.list_problems([])
        return []

    def _ask(self, paths: list[Path], mistakes: list[str], *, gone: bool) -> None:
        tr = self._editor.tr
        reload, keep = Choice("reload", tr("Reload"), "danger"), Choice("keep", tr("Keep mine"), "primary")
        choices = [reload, keep]
        text = tr("Load the new version, or keep yours and overwrite it when you save.")
        if gone or mistakes:
            choices = [Choice("close", tr("Close"), "primary")]
        if gone:
            text = tr("Nothing is lost: the game stays open, and saving it writes the file again.")
        elif mistakes:
            text = tr("It has mistakes and can't be loaded. The game stays as it was, and saving overwrites the file.")
        message = "{name} was deleted" if gone else "{name} was changed by another program"
        title, details = (
            tr(message, name=self._named(paths)),
            [*(map(shorten_path, paths) if len(paths) > 1 else ()), *mistakes],
        )
        if not self._asks:
            self._question = self._editor.dialogs.ask(title, text, choices, self._answered, level="warning")
        question = self._question
        assert question is not None
        question.title, question.text, question.choices, question.details = title, text, choices, details

    def _named(self, paths: Sequence[Path]) -> str:
        """Return the name of a file in the game's folder, with dots if there are more."""
        root = self._game.path.resolve()
        first = paths[0].relative_to(root).as_posix() if paths[0].is_relative_to(root) else shorten_path(paths[0])
        return first + (" …" if len(paths) > 1 else "")

    def _answered(self, answer: str) -> None:
        self._question = None
        if answer == "reload":
            self._editor.games.reload()
        else:
            self._kept = self._shown


def _stamp(path: Path) -> Any:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
