"""Finds the uses of a file: in manifests, in the files of all formats, and in Python."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rish_system import walk_files

from ..progress import reported
from .formats import Formats, syntax_of
from .moves import Moves, respelled, target_of
from .python_strings import DOCSTRING, JOINED, Computed, computed_texts, pattern_of_format
from .strings import Lines, String
from .yaml_strings import KEY

MAX_BYTES = 64 * 2**20
"""The largest file that is searched, in bytes."""
_BINARY = (".glb",)
_ESCAPES = ("\\", "&", "%")
"""Files with one of these may write a name with escape sequences."""


@dataclass(frozen=True)
class Use:
    """A place where a file names another one.

    file: the file that contains it, by its name before the move. line, column: from 1. text: the present text. why: the
    reason if it can't be changed, otherwise "". sure: whether the place is known to name a file; False: the text may be
    equal by chance. index: the index of the string in the file, -1 if it is no string. new: the text to write.
    """

    file: str
    line: int
    column: int
    text: str
    why: str = ""
    sure: bool = True
    index: int = -1
    new: str = ""

    @property
    def place(self) -> str:
        """The file and the line, as programs print them."""
        return f"{self.file}:{self.line}"


@dataclass
class Source:
    """A file with its content. data: the bytes on the disk or in memory. writable: whether the file may be written."""

    name: str
    data: bytes
    writable: bool = True

    @cached_property
    def text(self) -> str | None:
        """The text with its byte order mark; None if it can't be decoded."""
        try:
            return self.data.decode(self.encoding)
        except (UnicodeDecodeError, LookupError):
            return None

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text or "")

    @cached_property
    def encoding(self) -> str:
        """The encoding of the text: UTF-8, or the one that a comment of Python or the declaration of XML names."""
        return _declared(self.name, self.data[:200]) or "utf-8"


def _declared(name: str, head: bytes) -> str | None:
    if name.endswith(".py"):
        match = re.match(rb"(?:\xef\xbb\xbf)?(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", head)
    else:
        match = re.match(rb"<\?xml[^>]*encoding=[\"']([-\w.]+)", head)
    return match[1].decode() if match else None


@dataclass
class Tree:
    """The files of a game. root: its folder. formats: the formats of its plugins. manifests: the files of its manifest.

    texts: contents in memory that replace the contents on the disk, by name.
    """

    root: Path
    formats: Formats
    manifests: frozenset[str]
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def files(self) -> dict[str, None]:
        """All files below the folder, without hidden folders, sorted."""
        return dict.fromkeys(name for name in walk_files(str(self.root)) if not name.rpartition("/")[2].startswith("."))

    def source(self, name: str) -> Source | None:
        """Return a file with its content; None if it can't be read or is larger than `MAX_BYTES`."""
        if name in self.texts:
            return Source(name, self.texts[name].encode())
        path = self.root / name
        try:
            if path.stat().st_size > MAX_BYTES:
                return None
            return Source(name, path.read_bytes(), os.access(path, os.W_OK))
        except OSError:
            return None


def uses_of(tree: Tree, moves: Moves, files: Sequence[str] | None = None) -> Iterator[Use]:
    """Yield the uses of files that move, and the relative names in files that move, by file and place.

    files: the files to search; None: all.
    """
    for name in reported("searching files:", list(tree.files) if files is None else files, 1):
        if syntax_of(name) is not None:
            source = tree.source(name)
            if source is not None:
                yield from _in_source(tree, source, moves)
        elif name.lower().endswith(_BINARY):
            yield from _in_binary(tree, name, moves)


def _in_source(tree: Tree, source: Source, moves: Moves) -> Iterator[Use]:
    text = source.text
    if not _may_name(source, moves):
        return
    if text is None:
        if moves.old.rpartition("/")[2].encode() not in source.data:
            return
        yield Use(source.name, 1, 1, "", f"it is not in {source.encoding.upper()}")
        return
    syntax = syntax_of(source.name)
    assert syntax is not None
    try:
        strings = syntax.scan(text)
    except ValueError as error:
        if _mentions(text, moves):
            yield Use(source.name, 1, 1, "", f"it can't be read: {error}")
        return
    why = "" if source.writable else "the file may not be written"
    uses = [use for index, string in enumerate(strings) if (use := _use(tree, source, index, string, moves, why))]
    if source.name.endswith(".py"):
        uses += _computed(source, text, moves)
    yield from sorted(uses, key=lambda use: (use.line, use.column))


def _may_name(source: Source, moves: Moves) -> bool:
    """Return whether a file may name a moved file, by a quick search in its bytes.

    Moved files may have relative names.
    """
    folder, _, last = moves.old.rpartition("/")
    words = [last.encode(), *(escape.encode() for escape in _ESCAPES)]
    if source.name.endswith(".py"):  # names may be computed of their parts
        words += [part.encode() for part in (folder, last.partition(".")[2]) if part]
    if source.name in moves.moved or any(word in source.data for word in words):
        return True
    return source.text is None or any(ord(letter) > 127 for letter in moves.old)


def _mentions(text: str, moves: Moves) -> bool:
    return moves.old.rpartition("/")[2] in text


def _use(tree: Tree, source: Source, index: int, string: String, moves: Moves, why: str) -> Use | None:
    """Return the use in a string; None if it does not name a file that moves."""
    assert source.text is not None
    python, manifest = source.name.endswith(".py"), source.name in tree.manifests
    format_ = None if python else tree.formats.of(source.name, manifest=manifest)
    declared = format_.reading(string.path) if format_ is not None and string.kind != KEY else None
    others = ("rooted",) if python or manifest else ("rooted", "relative")
    for reading in dict.fromkeys((*((declared,) if declared is not None else ()), *others)):
        target = target_of(string.value, reading, source.name)
        new = respelled(string.value, reading, moves, source.name)
        if new is None or (reading != declared and target not in (*moves.moved, moves.old)):
            continue
        sure = reading == declared
        if not sure and not python and moves.folder and target == moves.old and "/" not in string.value:
            continue  # any word may be equal to the name of a folder
        if python:
            sure = string.kind != DOCSTRING and target in moves.moved and "." in string.value
        elif target == moves.old and moves.folder and manifest:
            sure = sure and string.path == "settings/ui/locale"
        reason = why or ("adjacent literals give this name" if string.kind == JOINED else "")
        line, column = source.lines.place(string.start)
        return Use(source.name, line, column, string.value, reason, sure, index, new)
    return _template(source, string, moves, declared)


def _template(source: Source, string: String, moves: Moves, declared: str | None) -> Use | None:
    """Return the use in a text of rules that computes a name by an expression in braces, `hit{n}.wav`."""
    if declared != "rooted" or "{" not in string.value or source.text is None:
        return None
    if not any(pattern_of_format(string.value).fullmatch(name) for name in moves.moved):
        return None
    return Use(source.name, *source.lines.place(string.start), string.value, "a computed name")


def _computed(source: Source, text: str, moves: Moves) -> Iterator[Use]:
    for computed in computed_texts(text):
        if any(_may_give(computed, name) for name in moves.moved):
            line, column = source.lines.place(computed.start)
            expression = " ".join(text[computed.start : computed.end].split())
            yield Use(source.name, line, column, expression[:80], computed.what)


def _may_give(computed: Computed, name: str) -> bool:
    """Return whether a computed text may be the name of a file.

    Its folder, stem or suffix must be written literally.
    """
    folder, _, last = name.rpartition("/")
    stem, dot, suffix = last.partition(".")
    words = [stem, dot + suffix, *([f"{folder}/"] if folder else [])]
    return any(word and word in computed.written for word in words) and computed.pattern.fullmatch(name) is not None


def _in_binary(tree: Tree, name: str, moves: Moves) -> Iterator[Use]:
    """Yield the use in a binary file that contains the name of another file. Binary files are never changed."""
    source = tree.source(name)
    word = moves.old.rpartition("/")[2].encode()
    if source is not None and name not in moves.moved and word in source.data:
        yield Use(name, 1, 1, moves.old.rpartition("/")[2], "a binary file", sure=False)
