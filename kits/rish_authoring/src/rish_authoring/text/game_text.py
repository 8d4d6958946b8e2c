"""All files of a game's manifest as editable texts: `game.yaml` and what it includes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import Manifest, UsageError, read_manifest
from rish_core.manifest import MAX_BYTES, Document, read_yaml
from rish_ecs import shorten_path
from rish_ecs.snapshots import read_whole, write_whole
from rish_reload import reread_yaml, reusable_document

from .manifest_text import ManifestText
from .nodes import Steps


class GameText:
    """The files of a manifest. Each edit goes to the file in which the section's name is written.

    manifest: as read from the files. Raises UsageError if a file can't be read or has mistakes.
    """

    def __init__(self, manifest: Manifest) -> None:
        if manifest.path is None:
            raise UsageError("a manifest without a file can't be saved", hint="Read it with read_manifest(path)")
        self.main = manifest.path.resolve()
        self.manifest = manifest
        self.read: dict[Path, bytes] = {}
        self.texts: dict[Path, ManifestText] = {}
        for path in dict.fromkeys([self.main, *(file.resolve() for file in manifest.files)]):
            try:
                self.read[path] = read_whole(path, MAX_BYTES)
                self.texts[path] = _named(path, self.read[path].decode("utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                said = getattr(error, "strerror", None) or error
                raise UsageError(f"{shorten_path(path)} can't be read: {said}") from None

    def copy(self) -> GameText:
        """Return a copy that can be edited on its own; both know what was last read from or written to the files."""
        made = copy.copy(self)
        made.texts = {path: text.copy() for path, text in self.texts.items()}
        return made

    def with_texts(self, texts: Mapping[Path, str]) -> GameText:
        """Return the same files with other texts. Raises UsageError for a text with mistakes."""
        made = copy.copy(self)
        made.texts = {path: self._text(path, text) for path, text in texts.items()}
        return made

    def _text(self, path: Path, text: str) -> ManifestText:
        """Return a text of a file; it is parsed only if it is another one than now."""
        known = self.texts.get(path)
        return known.copy() if known is not None and known.text == text else _named(path, text)

    def put_texts(self, texts: Mapping[Path, str]) -> None:
        """Replace the texts of files by others. Raises UsageError for a text with mistakes."""
        self.texts.update({path: self._text(path, text) for path, text in texts.items() if path in self.texts})

    @property
    def plain(self) -> dict[Path, str]:
        """The texts of all files as they are now."""
        return {path: text.text for path, text in self.texts.items()}

    def file_of(self, path: Steps) -> Path:
        """Return the file in which the value at a path is written, or in which a new one belongs."""
        for depth in (2, 1):
            for file, text in self.texts.items():
                if len(path) >= depth and text.has(path[:depth]):
                    return file
        return self.main

    def of(self, path: Steps) -> ManifestText:
        """Return the text of `file_of(path)`."""
        return self.texts[self.file_of(path)]

    def has(self, path: Steps) -> bool:
        """Whether there is a value at a path."""
        return self.of(path).has(path)

    def get(self, path: Steps) -> Any:
        """Return a copy of the value at a path."""
        return self.of(path).get(path)

    @property
    def changed(self) -> dict[Path, str]:
        """The new texts of the files that differ from what was read."""
        return {path: text for path, text in self.plain.items() if text.encode() != self.read.get(path)}

    def parsed(self, overrides: tuple[str, ...] = (), last: Manifest | None = None) -> Manifest:
        """Return the manifest of the texts as they are now, with its mistakes.

        last: an earlier one, whose entries are reused where their text is the same; their places, and so those of
        mistakes, may be the former ones.
        """
        return read_manifest(self.main, overrides, read=lambda path: self.document(path, last))

    def document(self, path: Path, last: Manifest | None = None) -> Document:
        """Return the content of a file with the text as it is now; other files are read. last: as for `parsed`."""
        text, name = self.texts.get(path.resolve()), shorten_path(path)
        if text is None:
            return read_yaml(path)
        known = reusable_document(last) if last is not None else None
        return read_yaml(text.text, name) if known is None else reread_yaml(text.text, known, name)

    @property
    def changed_outside(self) -> list[Path]:
        """The files that another program has changed or removed since they were read or written here."""
        found: list[Path] = []
        for path, data in self.read.items():
            try:
                same = path.read_bytes() == data
            except OSError:
                same = False
            found += [] if same else [path]
        return found

    def check_unchanged(self) -> None:
        """Raise UsageError if a file is not as it was read, because somebody else has changed or removed it."""
        for path, data in self.read.items():
            try:
                now = path.read_bytes()
            except OSError as error:
                raise UsageError(f"{shorten_path(path)} can't be read again: {error.strerror or error}") from None
            if now != data:
                raise UsageError(
                    f"{shorten_path(path)} was changed by another program since it was read",
                    hint="Load the file again (a running game takes it over), then save again",
                )

    def save(self, *, write: Callable[[Path, bytes], None] = write_whole) -> list[Path]:
        """Write the changed files, each completely or not at all; return their paths.

        Raises UsageError if another program has changed a file meanwhile, or if a file can't be written. Files that
        were written before that stay written.
        """
        self.check_unchanged()
        written: list[Path] = []
        for path, text in self.changed.items():
            try:
                _require_writable(path)
                write(path, text.encode())
            except OSError as error:
                before = f"; {', '.join(shorten_path(each) for each in written)} is already written" if written else ""
                raise UsageError(f"{shorten_path(path)} can't be written: {error.strerror or error}{before}") from None
            self.read[path] = text.encode()
            written.append(path)
        return written


def _named(path: Path, text: str) -> ManifestText:
    return ManifestText(text, shorten_path(path))


def _require_writable(path: Path) -> None:
    """Raise OSError for a file that may not be written; renaming a new file over it would not notice."""
    with path.open("r+b"):
        pass
