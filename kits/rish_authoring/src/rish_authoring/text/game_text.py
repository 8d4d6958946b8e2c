"""All files of a game's manifest as editable texts: `game.yaml` and what it includes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import Manifest, UsageError, read_manifest
from rish_core.manifest import MAX_BYTES, Document, read_yaml
from rish_ecs import shorten_path
from rish_reload import reread_yaml, reusable_document
from rish_system import read_whole, write_whole

from .manifest_text import ManifestText
from .nodes import Steps


class GameText:
    """The files of a manifest as editable texts. An edit changes the file that has the section.

    manifest: the manifest that was read from the files. main: the path of `game.yaml`. read: the bytes of each file
    when it was last read or written. texts: the present texts. Raises UsageError if a file can't be read or has
    mistakes.
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
                self.texts[path] = _parsed(path, self.read[path].decode("utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or error
                raise UsageError(f"{shorten_path(path)} can't be read: {reason}") from None

    def copy(self) -> GameText:
        """Return a copy that can be edited independently. Both share `read`, the last known bytes of the files."""
        game_text = copy.copy(self)
        game_text.texts = {path: text.copy() for path, text in self.texts.items()}
        return game_text

    def with_texts(self, texts: Mapping[Path, str]) -> GameText:
        """Return the same files with other texts. Raises UsageError for a text with mistakes."""
        game_text = copy.copy(self)
        game_text.texts = {path: self._text(path, text) for path, text in texts.items()}
        return game_text

    def _text(self, path: Path, text: str) -> ManifestText:
        """Return the parsed text of a file; the present one is reused if it is equal."""
        present = self.texts.get(path)
        return present.copy() if present is not None and present.text == text else _parsed(path, text)

    def put_texts(self, texts: Mapping[Path, str]) -> None:
        """Replace the texts of files that the manifest has. Raises UsageError for a text with mistakes."""
        self.texts.update({path: self._text(path, text) for path, text in texts.items() if path in self.texts})

    @property
    def plain(self) -> dict[Path, str]:
        """The present texts of all files as plain strings."""
        return {path: text.text for path, text in self.texts.items()}

    def file_of(self, path: Steps) -> Path:
        """Return the file that has the value at a path, or into which a new value is written."""
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
        """Return the manifest of the present texts, with its mistakes.

        last: an earlier manifest, of which entries with unchanged text are reused. Such entries, and mistakes in them,
        may have the line numbers of the earlier manifest.
        """
        return read_manifest(self.main, overrides, read=lambda path: self.document(path, last))

    def document(self, path: Path, last: Manifest | None = None) -> Document:
        """Return the content of a file: the present text, or the content of the disk for other files.

        last: see `parsed`.
        """
        text, name = self.texts.get(path.resolve()), shorten_path(path)
        if text is None:
            return read_yaml(path)
        reusable = reusable_document(last) if last is not None else None
        return read_yaml(text.text, name) if reusable is None else reread_yaml(text.text, reusable, name)

    @property
    def changed_outside(self) -> list[Path]:
        """The files that another program has changed or removed since they were read or written here."""
        files: list[Path] = []
        for path, data in self.read.items():
            try:
                unchanged = path.read_bytes() == data
            except OSError:
                unchanged = False
            files += [] if unchanged else [path]
        return files

    def check_unchanged(self) -> None:
        """Raise UsageError if another program has changed or removed a file since it was read or written here."""
        for path, data in self.read.items():
            try:
                content = path.read_bytes()
            except OSError as error:
                raise UsageError(f"{shorten_path(path)} can't be read again: {error.strerror or error}") from None
            if content != data:
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


def _parsed(path: Path, text: str) -> ManifestText:
    """Return the text of a file. Raises UsageError for a text with mistakes."""
    return ManifestText(text, shorten_path(path))


def _require_writable(path: Path) -> None:
    """Raise OSError for a file that may not be written; `write_whole` renames a new file and would not notice."""
    with path.open("r+b"):
        pass
