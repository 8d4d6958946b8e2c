"""Document: a text file that is open in the panel Text, with what was not saved yet."""

from __future__ import annotations

from pathlib import Path

from rish_core import UsageError
from rish_frame import PerVersion

from ...ui.code import CodeField, Mark
from .files import TextFile, language_of, read_text, same_lines

Stamp = tuple[int, int] | None
"""Time of change and size of a file; None for a missing one."""


def stamp_of(path: Path) -> Stamp:
    """Return time of change and size of a file, which differ after a change; None for a missing file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class Document:
    """An open text. file: as it was read or written last. field: the edited text. stamp: of the file when it was last
    looked at. missing: whether the file does not exist.

    Raises UsageError for a file that is no text.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = stamp_of(path)
        self.missing = self.stamp is None
        self.file = TextFile(path, "", b"", "utf-8", b"", ()) if self.missing else read_text(path)
        self.language = language_of(path) or ""
        self.field = CodeField(self.file.text, self.language)
        self._saved = self.field.step
        self._differs = PerVersion[bool]()

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def dirty(self) -> bool:
        """Whether there are changes that are not saved, or the file is gone."""
        if self.missing or self.field.step != self._saved:
            return True
        differs = self._differs.get(self.field)
        if differs is None:  # as many steps as before, but maybe others
            differs = self._differs.put(self.field, self.field.text != self.file.text)
        return differs

    def save(self) -> None:
        """Write the file. Raises UsageError; then nothing has changed."""
        self._take(self.file.write(self.field.text))

    def reload(self) -> None:
        """Take over the file as it is now, as a step that can be undone. Raises UsageError if it is no text."""
        file = read_text(self.path)
        self.field.replace(file.text)
        self._take(file)

    def is_on_disk(self) -> bool:
        """Whether the file has the bytes that were read or written here last; its time of change is ignored."""
        try:
            return read_text(self.path).data == self.file.data
        except UsageError:
            return False

    def keep(self) -> None:
        """Let the next save overwrite the changes of another program, or write a deleted file again."""
        self.stamp = stamp_of(self.path)
        self.missing = self.stamp is None
        self._saved = -1

    def _take(self, file: TextFile) -> None:
        self.file, self.missing = file, False
        self.stamp, self._saved = stamp_of(self.path), self.field.step
        self._differs.put(self.field, False)
        self.field.seal()

    def line_now(self, line: int) -> int:
        """Return the present number of a line of the saved text, from 0; of a deleted line, that of the line before
        it."""
        if not self.dirty:
            return line
        best = line
        for old, new, count in same_lines(self.file.text.split("\n"), self.field.text.split("\n")):
            if old <= line:
                best = new + min(line - old, max(count - 1, 0))
        return best

    def show(self, marks: list[Mark]) -> None:
        """Show messages at lines of the saved text."""
        self.field.marks = [Mark(self.line_now(mark.line), mark.text, mark.level) for mark in marks]
