"""The open source texts: saving, questions about unsaved changes, changes by other programs, and recovery after a
crash."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_cli import LEVELS
from rish_core import UsageError
from rish_ecs import shorten_path
from rish_frame import PerVersion

from ...session.texts.copies import TextCopies, TextCopy, found_copies
from ...session.texts.document import Document, stamp_of
from ...session.texts.files import language_of
from ...ui.code import Mark
from ..dialogs import Choice, unsaved_choices

if TYPE_CHECKING:
    from ...session.editor import Editor

PANEL = "editor.text"
_INTERVAL = 1.0
"""Seconds between two checks of the files."""
_WARNING = LEVELS["WARNING"][0]
_ERROR = LEVELS["ERROR"][0]


def _without_place(message: str, name: str) -> str:
    """Return the first line of a message without the file and line that it begins with."""
    return re.sub(rf"^[^:]*{re.escape(name)}(:\d+)*:\s*", "", message.partition("\n")[0])


class Texts:
    """The texts that are open in the panel Text. open_ones: in the order of the tabs. active: the one in front.

    front: the text that the panel has to bring to the front in the next frame, None without one.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.open_ones: list[Document] = []
        self.active: Document | None = None
        self.front: Document | None = None
        self._copies = TextCopies()
        self._next_look = 0.0
        self._offered = False
        self._shown: Any = None
        self._copied_paths: list[Path] | None = None
        self._copied = PerVersion[bool]()
        self._saved_at: dict[Path, int] = {}

    # Opening and closing

    def takes(self, path: Path) -> bool:
        """Whether a file is a text that the panel can show."""
        return language_of(path) is not None and path.is_file()

    def open(self, path: Path, line: int = 0) -> Document | None:
        """Show a file at a line of its saved text, from 1. If it is no text, show a message and return None."""
        path = path.resolve()
        document = self.of(path)
        if document is None:
            try:
                document = Document(path)
            except UsageError as error:
                self._editor.note(str(error), "error")
                return None
            self.open_ones.append(document)
            self._shown = None
        self.active = self.front = document
        if line:
            document.field.go_to(document.line_now(line - 1))
        document.field.focus()
        self._editor.show(PANEL)
        return document

    def of(self, path: Path) -> Document | None:
        """Return the open text of a file, None if it is not open."""
        return next((each for each in self.open_ones if each.path == path), None)

    @property
    def unsaved(self) -> list[Document]:
        """The texts with changes that are not saved."""
        return [each for each in self.open_ones if each.dirty]

    def close(self, text: Document) -> None:
        """Close a text, after a question if it is not saved."""
        editor, tr = self._editor, self._editor.tr
        if not text.dirty:
            self.forget([text])
            return

        def answered(answer: str) -> None:
            if answer == "discard" or (answer == "save" and self.save(text)):
                self.forget([text])

        question = tr("Save the changes to {name}?", name=text.name)
        editor.dialogs.ask(tr("Unsaved changes"), question, unsaved_choices(editor), answered, level="warning")

    def close_saved(self) -> None:
        """Close all texts that are saved, and the panel if none is left, because an empty one would cover the start
        screen."""
        self.forget([text for text in self.open_ones if not text.dirty])
        if not self.open_ones:
            self._editor.panels.show("editor.text", False)

    def forget(self, texts: Iterable[Document]) -> None:
        """Close texts; changes that are not saved are lost."""
        for text in texts:
            if text in self.open_ones:
                at = self.open_ones.index(text)
                self.open_ones.remove(text)
                if self.active is text:
                    self.active = self.front = (
                        self.open_ones[min(at, len(self.open_ones) - 1)] if self.open_ones else None
                    )
        self._copy()

    # Saving

    def save(self, text: Document) -> bool:
        """Write a text; return whether that was possible. Code of the game is loaded again at once."""
        editor = self._editor
        try:
            text.save()
        except UsageError as error:
            editor.note(str(error), "error")
            return False
        editor.note(editor.tr("Saved {name}", name=text.name), "ok")
        self._saved_at[text.path] = editor.log.count
        self._shown = None
        self._copy()
        game = editor.game
        if game is not None and text.language == "python" and text.path.is_relative_to(game.path.resolve()):
            editor.games.reload_code()
        return True

    # Messages at lines

    def _show_marks(self) -> None:
        """Show the problems and the last errors of the log at their lines, if there are new ones."""
        editor, log = self._editor, self._editor.log
        now = tuple(editor.problems), log.count, log.cleared
        if now == self._shown or not self.open_ones:
            return
        self._shown = now
        for text in self.open_ones:
            marks = [
                Mark(max((problem.place.line or 1) - 1, 0), problem.what)
                for problem in editor.problems
                if self.path_of(problem.place.file) == text.path
            ]
            marked_lines, logged = {mark.line for mark in marks}, dict[int, Mark]()
            for line in log.since(self._saved_at.get(text.path, 0)):
                if line.level >= _WARNING and line.where is not None and self.path_of(line.where[0]) == text.path:
                    at = max(line.where[1] - 1, 0)
                    if at not in marked_lines:
                        level = "error" if line.level >= _ERROR else "warning"
                        logged[at] = Mark(at, _without_place(line.text, text.name), level)
            text.show([*marks, *logged.values()])

    def path_of(self, file: str) -> Path:
        """Return the path of a file that a message names: absolute, or relative to the working folder or the game's
        folder."""
        path, game = Path(file), self._editor.game
        if game is not None and not path.is_absolute() and not path.is_file():
            path = game.path / path
        return path.resolve()

    # Other programs, and crashes

    def look(self, now: float) -> None:
        """Show messages, write copies of unsaved texts, and check whether another program has changed the files; call
        it in each frame."""
        if not self._offered:
            self._offered = True
            for copy in found_copies():
                self._offer(copy)
        self._show_marks()
        if self._editor.settings.autosave > 0 and not self._is_copied() and not self._copies.busy:
            self._copy()
        if now < self._next_look or self._editor.dialogs.open:
            return
        self._next_look = now + _INTERVAL
        changed = [text for text in self.open_ones if stamp_of(text.path) != text.stamp]
        if changed:
            self._take_over(changed)

    def _take_over(self, changed: Sequence[Document]) -> None:
        """Reload changed files whose text has no unsaved changes, and ask about the others."""
        editor, tr = self._editor, self._editor.tr
        changed_texts: list[Document] = []
        for text in changed:
            if not text.path.is_file():
                text.keep()
                editor.note(tr("{name} was deleted", name=text.name), "warning")
            elif not text.dirty or text.missing:
                self._reload(text)
            elif text.is_on_disk():
                text.stamp = stamp_of(text.path)
            else:
                changed_texts.append(text)
        if not changed_texts:
            return

        def answered(answer: str) -> None:
            for text in changed_texts:
                if answer == "reload":
                    self._reload(text)
                else:
                    text.keep()

        names = ", ".join(text.name for text in changed_texts)
        editor.dialogs.ask(
            tr("{name} was changed by another program", name=names),
            tr("Load the new version, or keep yours and overwrite it when you save."),
            [Choice("reload", tr("Reload"), "danger"), Choice("keep", tr("Keep mine"), "primary")],
            answered, level="warning",
        )  # fmt: skip

    def _reload(self, text: Document) -> None:
        try:
            text.reload()
        except UsageError as error:
            text.keep()
            self._editor.note(str(error), "error")
        self._saved_at[text.path] = self._editor.log.count
        self._shown = None

    def _is_copied(self) -> bool:
        """Return whether the copy is that of the present texts."""
        paths = [text.path for text in self.open_ones]
        return paths == self._copied_paths and all(self._copied.get(text.field) for text in self.open_ones)

    def _copy(self) -> None:
        """Replace the copy by the present unsaved texts."""
        self._copied_paths = [text.path for text in self.open_ones]
        for text in self.open_ones:
            self._copied.put(text.field, True)
        if self._editor.settings.autosave > 0:
            self._copies.write({text.path: text.field.text for text in self.unsaved})

    def end(self, *, keep: bool) -> None:
        """End the work with texts. keep: leave a copy of unsaved texts, which is offered at the next start."""
        self._copies.write({text.path: text.field.text for text in self.unsaved} if keep else {})
        self._copies.wait()

    def _offer(self, copy: TextCopy) -> None:
        """Ask whether to recover the unsaved texts of an editor that has crashed."""
        editor, tr = self._editor, self._editor.tr
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(copy.time))

        def answered(answer: str) -> None:
            if answer == "recover":
                self._recover(copy)
            elif answer == "discard":
                copy.path.unlink(missing_ok=True)

        editor.dialogs.ask(
            tr("The editor was not closed properly"),
            tr("There are unsaved texts of {time}. Do you want them back?", time=at),
            [Choice("recover", tr("Recover"), "primary"), Choice("discard", tr("Discard"), "danger"),
             Choice("later", tr("Ask later"))],
            answered, details=[shorten_path(path) for path in copy.texts], level="warning",
        )  # fmt: skip

    def _recover(self, copy: TextCopy) -> None:
        for path, text in copy.texts.items():
            opened = self.open(path)
            if opened is not None:
                opened.field.replace(text)
        self._copy()
        self._copies.wait()
        if copy.path != self._copies.path and all(self.of(path) is not None for path in copy.texts):
            copy.path.unlink(missing_ok=True)
