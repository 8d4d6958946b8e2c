"""Text files: their encoding, byte order mark and line ends stay when they are written."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from rish_core import UsageError
from rish_core.manifest import MAX_BYTES
from rish_ecs import shorten_path
from rish_system import read_whole, write_whole

LANGUAGES = {
    ".py": "python", ".pyi": "python", ".yaml": "yaml", ".yml": "yaml", ".json": "json", ".md": "markdown",
    ".txt": "", ".toml": "", ".ini": "", ".cfg": "", ".csv": "", ".rst": "", ".log": "", ".gitignore": "",
}  # fmt: skip
"""The language of files by the ending of their names; other files are no texts for the editor."""
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_LINE = re.compile("\r\n|\n|\r")


def language_of(path: Path) -> str | None:
    """Return the language of a text file by its name, None for a file that is no text."""
    return LANGUAGES.get(path.suffix.lower() or path.name.lower())


@dataclass(frozen=True)
class TextFile:
    """A text file as it was read or written last.

    text: its lines end with `\\n`. data: its bytes. mark: the byte order mark, or b"". ends: the end of each line.
    """

    path: Path
    text: str
    data: bytes
    encoding: str
    mark: bytes
    ends: Sequence[str]

    @property
    def usual_end(self) -> str:
        """The end that most lines have."""
        return max(_NAMES, key=self.ends.count) if self.ends else "\n"

    @property
    def form(self) -> str:
        """Encoding and line ends as they are shown, such as `UTF-8, LF`."""
        name = self.encoding.upper() + (" BOM" if self.mark else "")
        return f"{name}, {_NAMES[self.usual_end]}"

    def encoded(self, text: str) -> bytes:
        """Return the bytes of another text in the encoding and with the line ends of this file. Raises UsageError for
        letters that the encoding lacks."""
        try:
            return self.mark + _with_ends(self, text).encode(self.encoding)
        except UnicodeEncodeError as error:
            letter, line = text[error.start : error.start + 1], text.count("\n", 0, error.start) + 1
            raise UsageError(
                f"{shorten_path(self.path)}:{line}: the encoding {self.encoding} has no {letter!r}",
                hint="Remove the letter, or the encoding that the file names",
            ) from None

    def write(self, text: str) -> TextFile:
        """Write another text, completely or not at all; return the new `TextFile`. Raises UsageError."""
        data = self.encoded(text)
        try:
            write_whole(self.path, data)
        except OSError as error:
            raise UsageError(f"{shorten_path(self.path)} can't be written: {error.strerror or error}") from None
        return replace(self, text=text, data=data, ends=_LINE.findall(data[len(self.mark) :].decode(self.encoding)))


def read_text(path: Path) -> TextFile:
    """Read a file. Raises UsageError if it can't be read or is no text."""
    try:
        data = read_whole(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{shorten_path(path)} can't be read: {reason}") from None
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encoding = _MARKS[mark] if mark else _encoding(path, data)
    try:
        text = data[len(mark) :].decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise UsageError(f"{shorten_path(path)} is no text in {encoding}") from None
    if "\0" in text:
        raise UsageError(f"{shorten_path(path)} is no text but binary data")
    return TextFile(path, _LINE.sub("\n", text), data, encoding, mark, _LINE.findall(text))


def _encoding(path: Path, data: bytes) -> str:
    """Return the encoding that a Python file names, otherwise UTF-8."""
    if language_of(path) == "python":
        try:
            return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        except (SyntaxError, UnicodeDecodeError):
            pass
    return "utf-8"


def _with_ends(file: TextFile, text: str) -> str:
    """Return a text with the line ends of a file; if it has several kinds, lines that did not change keep theirs."""
    usual = file.usual_end
    if len(set(file.ends)) < 2:
        return text.replace("\n", usual)
    lines, before = text.split("\n"), file.text.split("\n")
    ends = [usual] * (len(lines) - 1)
    for old, new, count in same_lines(before, lines):
        for k in range(min(count, len(ends) - new, len(file.ends) - old)):
            ends[new + k] = file.ends[old + k]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def same_lines(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the runs of equal lines of two texts: where each begins in both, and how many lines it has."""
    most = min(len(before), len(after))
    begin = next((k for k in range(most) if before[k] != after[k]), most)
    end = next((k for k in range(most - begin) if before[-1 - k] != after[-1 - k]), most - begin)
    old, new = before[begin : len(before) - end], after[begin : len(after) - end]
    inner = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks() if len(old) * len(new) < 10**6 else []
    return [
        (0, 0, begin), *((begin + one.a, begin + one.b, one.size) for one in inner),
        (len(before) - end, len(after) - end, end),
    ]  # fmt: skip
