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
"""The fewest reused entries with which rereading is faster than parsing."""
_BREAKS = "\r\x85\u2028\u2029"
"""Characters that only YAML treats as line ends. The first may also precede an ordinary line end."""
_WORD = "kept~entry~"


def reread_manifest(source: Path | str, overrides: Sequence[str], last: Manifest) -> Manifest:
    """Read a game's manifest; quick if it has changed little since the reading `last`.

    Entries with unchanged text are the same objects in both.
    """
    known = None if _reach_entries(overrides) else reusable_document(last)
    return read_manifest(source, overrides, read=lambda path: reread_yaml(path, known))


def reusable_document(last: Manifest) -> Document | None:
    """Return the document of a manifest's main file for `reread_yaml`; None if its entries differ from their text."""
    return None if _reach_entries(last.overrides) else last.main


def reread_yaml(source: Path | str, last: Document | None, file: str | None = None) -> Document:
    """Read a file or text, reusing entries of the earlier reading `last` if possible."""
    name = file or (shorten_path(source) if isinstance(source, Path) else "<text>")
    before = Document(None, name)
    text = text_of(source, before) if last is not None and name == last.file else None
    if last is None or text is None or before.problems:
        return read_yaml(source, file)
    kept = keep(text, last)
    document = Document(None, name)
    if kept is not None:
        Composer(document).run(kept.text)
        document.values += last.values
        sound = not document.problems and not document.linked and document.values <= MAX_VALUES
        if sound and kept.put_back(document.data):
            document.text, document.reused, document.settle = text, True, kept.settle
            return document
    return read_yaml(source, file)


def _reach_entries(overrides: Sequence[str]) -> bool:
    """Whether overrides change entries of scenes, which then differ from their text."""
    return any(text.strip().startswith("scenes") for text in overrides)


class UnchangedEntries:
    """The entries whose text did not change. text: the new text with a placeholder word for each."""

    def __init__(self, text: str, last: Document) -> None:
        self._entries: dict[str, tuple[YamlMap, int, int]] = {}
        self._moves: list[tuple[YamlMap, int]] = []
        old, new = last.text.split("\n"), text.split("\n")
        first, end = _alike(old, new)
        shift = len(new) - len(old)
        for node, mark, stop in _entries(last.data, old):
            line = mark.line
            if stop <= first or line >= end:
                moved = shift if line >= end else 0
                word = f"{_WORD}{len(self._entries)}"
                self._entries[word] = node, line + moved, moved
                new[line + moved : stop + moved] = [f"{old[line][: mark.column]}{word}", *[""] * (stop - line - 1)]
        self.count = len(self._entries)
        self.text = "\n".join(new)

    def put_back(self, data: Any) -> bool:
        """Replace the words by their entries; return whether each word was found in its place."""
        found = 0
        for items in _lists(data):
            for index, item in enumerate(items):
                kept = self._entries.get(item) if isinstance(item, str) else None
                if kept is None:
                    continue
                node, line, moved = kept
                mark = items.items_at[index]
                if mark.line != line or mark.column != node.mark.column:
                    return False
                items[index] = node
                found += 1
                if moved:
                    self._moves.append((node, moved))
        return found == self.count

    def settle(self) -> None:
        """Correct the marks of the entries that have moved."""
        for node, lines in self._moves:
            _move(node, lines)
        self._moves.clear()


def keep(text: str, last: Document) -> UnchangedEntries | None:
    """Return the reusable entries of the last reading for a text; None if there are too few."""
    if last.problems or last.linked or not last.text or _WORD in text:
        return None
    if any(sign in each.replace("\r\n", "") for each in (text, last.text) for sign in _BREAKS):
        return None
    kept = UnchangedEntries(text, last)
    return kept if kept.count >= MIN_ENTRIES else None


def _alike(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return the number of equal lines at the beginning, and the old line from which all lines to the end are equal."""
    maximum = min(len(old), len(new))
    first = next((k for k in range(maximum) if old[k] != new[k]), maximum)
    last = next((k for k in range(maximum - first) if old[-1 - k] != new[-1 - k]), maximum - first)
    return first, len(old) - last


def _lists(data: Any) -> Iterator[YamlList]:
    """Yield the lists of entries of the scenes."""
    scenes = data.get("scenes") if isinstance(data, YamlMap) else None
    for scene in scenes.values() if isinstance(scenes, YamlMap) else ():
        if isinstance(scene, YamlList):
            yield scene


def _entries(data: Any, lines: list[str]) -> Iterator[tuple[YamlMap, Mark, int]]:
    """Yield the entries that share no line with others, with their mark and the line after their last.

    The last entry of a list is left out, because its end is not known.
    """
    for items in _lists(data):
        for (node, mark), after in pairwise(zip(items, items.items_at, strict=True)):
            stop = after[1].line
            begin = lines[mark.line][: mark.column]
            if isinstance(node, YamlMap) and begin.strip() == "-" and begin.endswith("- ") and stop > mark.line:
                yield node, mark, stop


def _move(node: Any, lines: int) -> None:
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
    return Spot(mark.name, mark.line + lines, mark.column)
