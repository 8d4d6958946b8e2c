"""A safe YAML reader: converts the parser's events in one pass to plain data with the place of each value.

A manifest may come from an untrusted source, and a few kilobytes can crash PyYAML's C loader (deep nesting ends the
process, `<<` and aliases expand to gigabytes). So PyYAML only produces *events*, which are read with limits on size,
depth and the number of values *after* expansion of aliases. Tags and merge keys are refused, and a key may occur only
once. Mistakes after which reading can continue are collected and reported together.

The data consists of `YamlMap` (a dict), `YamlList` (a list), str, int, float, bool and None. Maps and lists keep a mark
(file, line and column) for each key and item. Keys are always text, as written.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import yaml

from rish_ecs import Place, Problem, shorten_path
from rish_ecs.declarations import resolve, shorten, usual
from rish_system import read_whole

from ..errors import ManifestError
from .nodes import MAX_PROBLEMS, Document, Mark, Spot, YamlList, YamlMap, path_text, place_at
from .progress import PROGRESS_INTERVAL, tell_progress

MAX_BYTES = 5 * 1024 * 1024
MAX_DEPTH = 64
MAX_VALUES = 200_000
MAX_KEYS = 10_000
_TOO_DEEP = f"is nested too deeply; the maximum is {MAX_DEPTH} levels"

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_SENTENCES = {
    "mapping values are not allowed": "a ':' is not allowed here: correct the indentation, or quote text with ': '",
    "could not find expected ':'": "a ':' is missing after a key",
    "did not find expected key": "a key was expected here: check the indentation and the brackets",
    "did not find expected '-' indicator": "a '-' was expected here: indent the items of a list alike",
    "did not find expected ',' or ']'": "a ',' or ']' is missing in a list",
    "did not find expected ',' or '}'": "a ',' or '}' is missing in a mapping",
    "did not find expected node content": "a value is missing here",
    "found unexpected end of stream": "the file ends inside quotes",
    "block sequence entries are not allowed": "a '-' is not allowed here: put the list on a line of its own",
    "did not find expected <document start>": "this does not fit the preceding lines: check the indentation",
    "found character that cannot start any token": "text can't begin with this character: put it into quotes",
    "found unknown escape character": "an unknown escape after '\\': write '\\\\', or use single quotes",
}


def load_yaml(source: Path | str, file: str | None = None) -> Document:
    """Read a file (a Path) or a text (a str). Raises ManifestError with all mistakes."""
    document = read_yaml(source, file)
    if document.problems:
        raise ManifestError(document.problems)
    return document


def read_yaml(source: Path | str, file: str | None = None) -> Document:
    """Like `load_yaml`, but return mistakes in `document.problems`, and in `data` everything that could be read."""
    name = file or (shorten_path(source) if isinstance(source, Path) else "<text>")
    document = Document(None, name)
    text = text_of(source, document)
    if text is not None:
        Composer(document).run(text)
        document.text = text
    return document


def text_of(source: Path | str, document: Document) -> str | None:
    """Return the text of a source; if it is too large or not UTF-8, add a problem and return None."""

    def refuse(what: str, line: int = 0, column: int = 0) -> None:
        document.problems.append(Problem(Place(document.file, line, column), "", what))

    if isinstance(source, str):
        raw = source.encode("utf-8", "surrogatepass")
    else:
        try:
            raw = read_whole(source, MAX_BYTES)
        except OSError as error:
            return refuse(f"can't be read: {error.strerror or error}")
    if len(raw) > MAX_BYTES:
        return refuse(f"is too large: the maximum for a YAML file is {MAX_BYTES // 1024**2} MiB")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return refuse("is UTF-16, not UTF-8: save it with the encoding UTF-8", 1, 1)
    if raw.startswith(b"\xef\xbb\xbf"):
        refuse("begins with a byte order mark: save it as UTF-8 without BOM", 1, 1)
        raw = raw[3:]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        return refuse(f"is not UTF-8: the byte 0x{raw[error.start]:02x}", line, error.start - before.rfind(b"\n"))
    if (control_character := _UNPRINTABLE.search(text)) is not None:
        line = text.count("\n", 0, control_character.start()) + 1
        column = control_character.start() - text.rfind("\n", 0, control_character.start())
        return refuse(f"holds the control character U+{ord(control_character[0]):04X}: delete it", line, column)
    return text


class _NamedText(io.StringIO):
    """A text stream with a name, which PyYAML puts into its marks."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


class _Stop(Exception):  # a private signal, caught in this module
    """Raised when the rest of the file can't be read or must not be read."""


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being filled. start: number of values before it. height: levels of values inside it."""

    node: YamlMap | YamlList
    anchor: str | None
    start: int
    key: str | None = None
    key_mark: Mark | None = None
    height: int = 0


class Composer:
    """Builds the data of one document from the parser's events."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.stack: list[_Open] = []
        self.values = 0
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.documents = 0

    def run(self, text: str) -> None:
        """Fill the document from a text."""
        handlers: dict[type, Any] = {
            yaml.ScalarEvent: self.scalar,
            yaml.MappingStartEvent: partial(self.open, YamlMap),
            yaml.SequenceStartEvent: partial(self.open, YamlList),
            yaml.MappingEndEvent: self.close,
            yaml.SequenceEndEvent: self.close,
            yaml.AliasEvent: self.alias,
            yaml.DocumentStartEvent: self.begin,
        }
        try:
            lines, next_report = text.count("\n"), PROGRESS_INTERVAL
            for event in yaml.parse(_NamedText(text, self.document.file), Loader=_LOADER):
                handler = handlers.get(type(event))
                if handler is not None:
                    handler(event)
                if self.values > next_report and event.start_mark is not None:
                    next_report = self.values + PROGRESS_INTERVAL
                    tell_progress(f"reading {self.document.file}, line", event.start_mark.line, lines)
        except _Stop:
            pass
        except yaml.MarkedYAMLError as error:
            self.syntax(error, text)
        except yaml.YAMLError as error:
            self.problem(Spot(self.document.file), f"is not valid YAML: {error}")
        self.document.values, self.document.linked = self.values, bool(self.anchors)
        if self.document.data is None and not self.document.problems:
            self.problem(Spot(self.document.file), "is empty")

    def problem(self, mark: Mark, what: str, path: str | None = None) -> None:
        """Add a mistake; after `MAX_PROBLEMS` of them, stop reading."""
        problems = self.document.problems
        problems.append(Problem(place_at(mark), self.path() if path is None else path, what))
        if len(problems) >= MAX_PROBLEMS:
            problems.append(Problem(place_at(mark), "", f"{MAX_PROBLEMS} mistakes; reading stopped here"))
            raise _Stop

    def stop(self, mark: Mark, what: str, path: str | None = None) -> NoReturn:
        """Add a mistake and stop reading."""
        self.problem(mark, what, path)
        raise _Stop

    def check_depth(self, mark: Mark, height: int) -> None:
        """Stop if a value with `height` levels of values inside it would be nested too deep here."""
        if len(self.stack) + height > MAX_DEPTH:
            self.stop(mark, _TOO_DEEP, path="")

    def waiting_map(self) -> tuple[_Open, YamlMap] | None:
        """Return the mapping that is being filled if its next key is to be read, otherwise None."""
        top = self.stack[-1] if self.stack else None
        return (top, top.node) if top is not None and top.key is None and isinstance(top.node, YamlMap) else None

    def path(self) -> str:
        """Return the path of the value that is being read."""
        steps: list[str | int] = []
        for opened in self.stack:
            step = opened.key if isinstance(opened.node, YamlMap) else len(opened.node)
            if step is not None:
                steps.append(step)
        return path_text(steps)

    def syntax(self, error: Any, text: str) -> None:
        """Add a problem for a syntax error, at the place where the parser detected it."""
        mark: Any = error.problem_mark or error.context_mark or Spot(self.document.file)
        message = (error.problem or error.context or "").strip()
        if "nesting depth" in message:  # libyaml 0.2.6 has a limit of its own, and reads ahead of the events
            self.document.problems.append(Problem(place_at(mark), self.path(), _TOO_DEEP))
            return
        what = next((better for start, better in _SENTENCES.items() if message.startswith(start)), message)
        lines: list[str] = text.splitlines()
        line_number: int = mark.line
        line = lines[line_number] if 0 <= line_number < len(lines) else ""
        if "\t" in line[: mark.column + 1] and not line[: mark.column].strip():
            what = "a tab can't indent: use spaces"
        start: Any = error.context_mark
        if start is not None and start.line != mark.line:
            what += f" (the unfinished part begins in line {start.line + 1})"
        self.document.problems.append(Problem(place_at(mark), self.path(), f"is not valid YAML: {what}"))

    def begin(self, event: Any) -> None:
        """Refuse a second document."""
        self.documents += 1
        if self.documents > 1:
            self.stop(event.start_mark, "a second document begins: a file holds one", path="")

    def scalar(self, event: Any) -> None:
        """Handle a scalar: a key, or a value."""
        text: str = event.value
        if (waiting := self.waiting_map()) is not None:
            self.key(*waiting, text, event)
            return
        value: Any = text
        mark: Mark = event.start_mark
        if event.tag is not None:
            self.tag(event)
        elif event.implicit[0]:
            try:
                value = resolve(text)
                if value is not text and text and (value is None or usual(value) != text):
                    mark = Spot(mark.name, mark.line, mark.column, text)
            except ValueError as error:
                self.problem(mark, str(error))
        elif "\0" in text:
            self.problem(event.start_mark, "text can't hold the character NUL")
            value = text.replace("\0", "")
        self.count(1, event.start_mark)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1, 0)
        self.attach(value, mark)

    def key(self, top: _Open, node: YamlMap, text: str, event: Any) -> None:
        """Store the key of the next value; keys are text as written."""
        mark: Mark = event.start_mark
        top.key, top.key_mark = text, mark
        if event.tag is not None:
            self.tag(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = (text, 1, 0)
        if text == "<<" and event.implicit[0]:
            self.problem(mark, "merge keys ('<<') are not supported: use a prefab, or repeat the values")
        elif not text:
            self.problem(mark, "a key is empty")
        elif "\0" in text:
            self.problem(mark, "a key can't hold the character NUL")
        elif len(node) >= MAX_KEYS:
            self.stop(mark, f"a mapping has too many keys: the maximum is {MAX_KEYS:,}", path="")
        elif text in node.keys_at:
            first = node.keys_at[text].line + 1
            self.problem(mark, f"the key {shorten(text)!r} occurs twice, first in line {first}: keep one")

    def tag(self, event: Any) -> None:
        """Refuse a tag: a file must not choose a Python class."""
        self.problem(event.start_mark, f"tags are not supported: delete '{shorten(event.tag)}'")

    def open(self, kind: type[YamlMap | YamlList], event: Any) -> None:
        """Handle the start of a mapping or list: push it onto the stack."""
        if self.waiting_map() is not None:
            self.stop(event.start_mark, "a key must be text, not a list or a mapping")
        if event.tag is not None:
            self.tag(event)
        self.count(1, event.start_mark)
        self.check_depth(event.start_mark, 1)
        if event.anchor is not None:
            self.anchors.pop(event.anchor, None)
        self.stack.append(_Open(kind(event.start_mark), event.anchor, self.values))

    def close(self, event: Any) -> None:
        """Handle the end of a mapping or list."""
        closed = self.stack.pop()
        height = closed.height + 1
        if closed.anchor is not None:
            self.anchors[closed.anchor] = (closed.node, self.values - closed.start + 1, height)
        self.attach(closed.node, closed.node.mark, height)

    def alias(self, event: Any) -> None:
        """Handle an alias of an earlier value; it counts with its expanded size."""
        name: str = event.anchor
        mark: Mark = event.start_mark
        if any(opened.anchor == name for opened in self.stack):
            self.stop(mark, f"'*{shorten(name)}' refers to itself")
        if name not in self.anchors:
            self.problem(mark, f"'*{shorten(name)}' is undefined: there is no '&{shorten(name)}' before it")
            self.anchors[name] = (None, 1, 0)
        value, size, height = self.anchors[name]
        if self.waiting_map() is not None:
            self.stop(mark, "a key must be written out, not be an alias")
        self.check_depth(mark, height)
        self.count(size, mark)
        self.attach(value, mark, height)

    def count(self, size: int, mark: Mark) -> None:
        """Add to the number of values; stop if there are too many."""
        self.values += size
        if self.values > MAX_VALUES:
            self.stop(mark, f"has too many values: the maximum is {MAX_VALUES:,}, with aliases expanded", path="")

    def attach(self, value: Any, mark: Mark, height: int = 0) -> None:
        """Add a finished value to its list, mapping or the document."""
        if not self.stack:
            self.document.data = value
            return
        top = self.stack[-1]
        top.height = max(top.height, height)
        if isinstance(top.node, YamlList):
            top.node.append(value)
            top.node.items_at.append(mark)
        else:
            assert top.key is not None
            assert top.key_mark is not None
            top.node.put(top.key, value, top.key_mark, mark)
            top.key = None
