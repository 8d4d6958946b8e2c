"""Reads a changed manifest again and parses only the changed part.

While a game runs, its manifest is often saved with only a line or two changed. So entries of scenes whose text did not
change are not parsed again. Each is replaced by a placeholder word with the same number of lines, so that all marks
stay correct. The shortened text is parsed, and the old entry objects are inserted for the words. This is valid if each
word is found as an item of a list in its own line and column: then the structure around it is the same as around the
entry. In all other cases, and if there is a mistake, the complete text is parsed.

Entries may have moved up or down. `Document.settle` corrects their marks after the new manifest has replaced the old
one. So if a manifest that was read in this way has mistakes, it must be read completely before they are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from rish_core import Manifest, read_manifest
from rish_core.manifest import MAX_VALUES, Composer, Document, Mark, Spot, YamlList, YamlMap, read_yaml, text_of
from rish_ecs import shorten_path

MIN_ENTRIES = 64
"""The minimum number of reused entries with which rereading is faster than parsing the complete text."""
_BREAKS = "\r\x85\u2028\u2029"
"""Characters that only YAML treats as line ends. The first one, a carriage return, is allowed before a newline."""
_PLACEHOLDER = "kept~entry~"


def reread_manifest(source: Path | str, overrides: Sequence[str], last: Manifest) -> Manifest:
    """Read a game's manifest, and reuse the entries of an earlier reading whose text did not change.

    source: the game's folder or file. overrides: as for `read_manifest`. last: the earlier reading.
    """
    document = None if _reach_entries(overrides) else reusable_document(last)
    return read_manifest(source, overrides, read=lambda path: reread_yaml(path, document))


def reusable_document(last: Manifest) -> Document | None:
    """Return the document of a manifest's main file for `reread_yaml`; None if its entries differ from their text."""
    return None if _reach_entries(last.overrides) else last.main


def reread_yaml(source: Path | str, last: Document | None, file: str | None = None) -> Document:
    """Read a file or text, and reuse entries of the earlier reading `last` if possible.

    file: the name for error messages.
    """
    name = file or (shorten_path(source) if isinstance(source, Path) else "<text>")
    before = Document(None, name)
    text = text_of(source, before) if last is not None and name == last.file else None
    if last is None or text is None or before.problems:
        return read_yaml(source, file)
    unchanged = find_unchanged(text, last)
    document = Document(None, name)
    if unchanged is not None:
        Composer(document).run(unchanged.text)
        document.values += last.values
        valid = not document.problems and not document.linked and document.values <= MAX_VALUES
        if valid and unchanged.put_back(document.data):
            document.text, document.reused, document.settle = text, True, unchanged.settle
            return document
    return read_yaml(source, file)


def _reach_entries(overrides: Sequence[str]) -> bool:
    """Return whether overrides change entries of scenes, which then differ from their text."""
    return any(text.strip().startswith("scenes") for text in overrides)


class UnchangedEntries:
    """The entries whose text did not change.

    text: the new text, with a placeholder word instead of each entry. count: the number of entries.
    """

    def __init__(self, text: str, last: Document) -> None:
        self._entries: dict[str, tuple[YamlMap, int, int]] = {}
        self._moves: list[tuple[YamlMap, int]] = []
        old, new = last.text.split("\n"), text.split("\n")
        first, end = _common_lines(old, new)
        shift = len(new) - len(old)
        for node, mark, stop in _entries(last.data, old):
            line = mark.line
            if stop <= first or line >= end:
                lines = shift if line >= end else 0
                word = f"{_PLACEHOLDER}{len(self._entries)}"
                self._entries[word] = node, line + lines, lines
                new[line + lines : stop + lines] = [f"{old[line][: mark.column]}{word}", *[""] * (stop - line - 1)]
        self.count = len(self._entries)
        self.text = "\n".join(new)

    def put_back(self, data: Any) -> bool:
        """Replace the placeholder words in the parsed data by their entries.

        Returns False if a word was not found in its place; then the data can't be used.
        """
        count = 0
        for items in _lists(data):
            for index, item in enumerate(items):
                entry = self._entries.get(item) if isinstance(item, str) else None
                if entry is None:
                    continue
                node, line, lines = entry
                mark = items.items_at[index]
                if mark.line != line or mark.column != node.mark.column:
                    return False
                items[index] = node
                count += 1
                if lines:
                    self._moves.append((node, lines))
        return count == self.count

    def settle(self) -> None:
        """Correct the marks of the entries that have moved."""
        for node, lines in self._moves:
            _move(node, lines)
        self._moves.clear()


def find_unchanged(text: str, last: Document) -> UnchangedEntries | None:
    """Return the entries of the last reading whose text is in a new text; None if there are too few to save time."""
    if last.problems or last.linked or not last.text or _PLACEHOLDER in text:
        return None
    if any(sign in each.replace("\r\n", "") for each in (text, last.text) for sign in _BREAKS):
        return None
    entries = UnchangedEntries(text, last)
    return entries if entries.count >= MIN_ENTRIES else None


def _common_lines(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return the number of equal lines at the beginning, and the index of the old line where the equal end begins."""
    maximum = min(len(old), len(new))
    first = next((i for i in range(maximum) if old[i] != new[i]), maximum)
    last = next((i for i in range(maximum - first) if old[-1 - i] != new[-1 - i]), maximum - first)
    return first, len(old) - last


def _lists(data: Any) -> Iterator[YamlList]:
    """Yield the lists of entries of the scenes."""
    scenes = data.get("scenes") if isinstance(data, YamlMap) else None
    for scene in scenes.values() if isinstance(scenes, YamlMap) else ():
        if isinstance(scene, YamlList):
            yield scene


def _entries(data: Any, lines: list[str]) -> Iterator[tuple[YamlMap, Mark, int]]:
    """Yield the entries that share no line with others, each with its mark and the index of the line after its end.

    The last entry of a list is left out, because its end is not known.
    """
    for items in _lists(data):
        for (node, mark), after in pairwise(zip(items, items.items_at, strict=True)):
            stop = after[1].line
            indent = lines[mark.line][: mark.column]
            if isinstance(node, YamlMap) and indent.strip() == "-" and indent.endswith("- ") and stop > mark.line:
                yield node, mark, stop


def _move(node: Any, lines: int) -> None:
    """Shift the marks of a node and its descendants by a number of lines."""
    if isinstance(node, YamlMap):
        for marks in (node.keys_at, node.values_at):
            marks.update({key: _moved(mark, lines) for key, mark in marks.items()})
    elif isinstance(node, YamlList):
        node.items_at[:] = [_moved(mark, lines) for mark in node.items_at]
    else:
        return
    node.mark = _moved(node.mark, lines)
    for inner in node.values() if isinstance(node, YamlMap) else node:
        _move(inner, lines)


def _moved(mark: Mark, lines: int) -> Mark:
    """Return a mark shifted by a number of lines."""
    return Spot(mark.name, mark.line + lines, mark.column)
