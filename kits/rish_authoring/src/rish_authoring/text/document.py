"""A text with the tree of its values, and changes of characters that keep the tree correct.

`rewrite` replaces characters within one item of a block, `splice` replaces whole items. Only these lines are parsed
again, and their data must be what the caller expects. Texts with anchors are always parsed completely.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any, Self

from rish_core import UsageError
from rish_core.manifest import path_text, read_yaml

from . import lines
from .nodes import Node, Steps, parse
from .writing import same

_KEEPS_BLANK_LINES = re.compile(r"[|>]\d?\+\d?[ \t]*(?:#.*)?\r?$", re.MULTILINE)
"""Matches the header of a block scalar that keeps the blank lines at its end, such as `|+`."""
Place = tuple[Node, int]
"""A node and its position in the text."""
Change = Callable[[Any, Any], None]
"""Changes a collection of plain data at a key or index."""


class Document:
    """A YAML text whose values are read by path, and whose characters can be replaced.

    file: its name in messages. newline: its line ends. raw: the text, always with a newline at the end. root: the tree
    of its values.

    Raises UsageError for a text with mistakes.
    """

    def __init__(self, text: str, file: str = "a text") -> None:
        self.file = file
        self._lacks_newline = not text.endswith("\n")
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.raw = text + self.newline if self._lacks_newline else text
        self.root = parse(self.raw, file)
        self._owner = object()
        self._linked = self.root.linked()

    def copy(self) -> Self:
        """Return an independent copy.

        Both documents share their nodes. A document that changes a node copies it and its ancestors first.
        """
        document = copy.copy(self)
        document.root = copy.copy(self.root)
        document._owner, self._owner = object(), object()  # the documents share all lists of nodes
        return document

    @property
    def text(self) -> str:
        """The present text."""
        return self.raw[: -len(self.newline)] if self._lacks_newline else self.raw

    def get(self, path: Steps = ()) -> Any:
        """Return a copy of the value at a path as plain data. Raises UsageError if there is none."""
        node = self.chain(path)[-1][0]
        if not self._linked:
            return node.data()
        data = read_yaml(self.raw).data
        for step in path:
            data = data[step]
        return copy.deepcopy(data)

    def has(self, path: Steps) -> bool:
        """Return whether there is a value at a path."""
        return self.kind(path) is not None

    def kind(self, path: Steps) -> str | None:
        """Return the kind of the value at a path, see `Node`; None if there is none."""
        node = self.root
        for step in path:
            index = node.index(step)
            if index < 0:
                return None
            node = node.items[index]
        return node.kind

    def length(self, path: Steps) -> int:
        """Return the number of items of the collection at a path. Raises UsageError if there is none."""
        return len(self.chain(path)[-1][0].items)

    # Finding

    def chain(self, path: Steps) -> list[Place]:
        """Return the nodes from the root to the value at a path, with their positions."""
        chain = [(self.root, self.root.start)]
        for depth, step in enumerate(path):
            node, start = chain[-1]
            index = node.index(step)
            if index < 0:
                existing = ", ".join(str(key.value) for key in node.keys[:12]) or f"{len(node.items)} items"
                raise UsageError(
                    f"{path_text(path)} does not exist in the text", where=path_text(path[:depth]) or None,
                    hint=f"There is: {existing}",
                )  # fmt: skip
            item = node.items[index]
            chain.append((item, start + item.start))
        return chain

    def after_sign(self, node: Node, start: int, step: str | int) -> int:
        """Return the position after the colon or dash of an item; the item's own position in a list in brackets."""
        index = node.index(step)
        if node.kind == "map":
            key = node.keys[index]
            return self.raw.index(":", start + key.start + key.size) + 1
        return start + node.items[index].start if node.flow else lines.head(self.raw, node, start, index) + 1

    def index_for(self, node: Node, path: Steps, before: str | None) -> int:
        """Return the index that a new value at a path gets.

        before: the key in front of which it is inserted; None: the end.

        Raises UsageError if the key exists.
        """
        step = path[-1]
        if node.kind == "list" and isinstance(step, int) and 0 <= step <= len(node.items):
            return step
        if node.kind == "map" and isinstance(step, str) and node.index(step) < 0:
            index = node.index(before) if before is not None else len(node.items)
            if index >= 0:
                return index
            raise UsageError(f"{path_text(path[:-1])} has no key {before!r}", hint="Give an existing key")
        raise self.refusal(path, "exists already" if node.index(step) >= 0 else "is no place for a new value")

    def refusal(self, path: Steps, why: str) -> UsageError:
        """Return the error for an edit that is not possible."""
        return UsageError(f"{path_text(path)} {why}", hint="Edit the text by hand")

    def native(self, text: str) -> str:
        """Return a text with the newlines of this document."""
        return text.replace("\n", self.newline)

    # Changing

    def _own(self, path: Steps) -> None:
        """Copy the children of each collection on the way to a value, unless only this document uses them."""
        node = self.root
        for step in (*path, None):
            if node.owner is not self._owner:
                node.keys, node.items = [copy.copy(key) for key in node.keys], [copy.copy(item) for item in node.items]
                node.owner = self._owner
            if step is not None:
                node = node.items[node.index(step)]

    def rewrite(self, path: Steps, a: int, b: int, new: str, change: Change) -> None:
        """Replace characters within one item of a block.

        path: the value that changes. a, b: the positions of the characters. new: the new characters. change: makes the
        same change in plain data, with which the result is compared. Raises UsageError if they differ.
        """
        chain = self.chain(path[:-1])
        for depth in () if self._linked else range(len(chain) - 1, -1, -1):
            node, start = chain[depth]
            if node.flow or node.kind == "scalar":
                continue
            index = node.index(path[depth])
            if index < 0:
                continue
            first = lines.line_start(self.raw, lines.head(self.raw, node, start, index))
            last = lines.end(self.raw, node, start, index)
            if not lines.is_clean(self.raw, lines.head(self.raw, node, start, index)) or not first <= a <= b <= last:
                continue
            step = node.keys[index].value if node.kind == "map" else 0
            item_data: Any = {step: node.items[index].data()} if node.kind == "map" else [node.items[index].data()]
            _change_at(item_data, (step, *path[depth + 1 :]), change)
            pairs = list(item_data.items()) if node.kind == "map" else [(path[depth], item_data[0])]
            new_lines = self.raw[first:a] + new + self.raw[b:last]
            self.splice(chain[: depth + 1], path[:depth], (index, index + 1), (first, last), new_lines, pairs)
            return
        self._replace_and_parse(a, b, new, lambda data: _change_at(data, path, change), path)

    def splice(
        self, chain: list[Place], path: Steps, which: tuple[int, int], span: tuple[int, int], new: str,
        expected: list[tuple[Any, Any]],
    ) -> None:  # fmt: skip
        """Replace items of a block collection by the items of a text.

        chain, path: the collection. which: the range of indices. span: the positions of the items' lines. new: the new
        lines. expected: the keys or indices and the values that they must have. Raises UsageError if they differ.
        """
        node, start = chain[-1]
        (i, j), (a, b) = which, span
        if self._linked or self._may_absorb(new or self.raw[:a], b):
            self._replace_and_parse(a, b, new, lambda data: _splice_data(data, path, i, j, expected), path)
            return
        keys: list[Node] = []
        items: list[Node] = []
        if expected:
            tree = parse(new, self.file)
            fits_in = tree.kind == node.kind and not tree.flow and len(tree.items) == len(expected)
            fits_in = fits_in and lines.column_of(new, tree.start) == lines.column_of(self.raw, start)
            names = [key.value for key in tree.keys] or [name for name, _ in expected]
            pairs = zip(names, tree.items, expected, strict=True) if fits_in else ()
            if not fits_in or not all(n == w[0] and same(item.data(), w[1]) for n, item, w in pairs):
                raise self.refusal(path, "can't be edited here")
            for child in (*tree.keys, *tree.items):
                child.start += a + tree.start
            keys, items = tree.keys, tree.items
        column = lines.column_of(self.raw, start)
        self.raw = self.raw[:a] + new + self.raw[b:]
        self._own(path)
        self._replace(path, which, keys, items, len(new) - (b - a), column)

    def _may_absorb(self, text: str, b: int) -> bool:
        """Return whether a text may end in a block that keeps the blank lines after it (`|+`), and one is at `b`."""
        following = self.raw[b : self.raw.find("\n", b) + 1]
        return bool(following) and not following.strip() and _KEEPS_BLANK_LINES.search(text) is not None

    def _replace(
        self, path: Steps, which: tuple[int, int], keys: list[Node], items: list[Node], grown: int, column: int
    ) -> None:
        """Put nodes into the collection at a path, and shift the nodes after them.

        which: the range of indices to replace. keys, items: the new nodes with absolute positions. grown: the number of
        characters by which the text grew. column: the column of the collection.
        """
        chain = self.chain(path)
        node, start = chain[-1]
        i, j = which
        for children, new in ((node.keys, keys), (node.items, items)):
            for child in children[j:] if grown else ():
                child.start += grown
            for child in new:
                child.start -= start
            if children or new:
                children[i:j] = new
        if not i:
            first = node.items[0].start
            shift = node.keys[0].start if node.keys else lines.dash(self.raw, start + first, column) - start
            for child in (*node.keys, *node.items) if shift else ():
                child.start -= shift
            node.start += shift
        last = node.items[-1]
        node.size = last.start + last.size
        for (parent, _), step in zip(reversed(chain[:-1]), reversed(path), strict=True):
            after = parent.index(step) + 1
            for child in (*parent.keys[after:], *parent.items[after:]) if grown else ():
                child.start += grown
            parent.size += grown
            if not parent.flow and parent.items:
                parent.size = parent.items[-1].start + parent.items[-1].size

    def _replace_and_parse(self, a: int, b: int, new: str, change: Callable[[Any], None], path: Steps) -> None:
        """Replace characters and parse the whole text again.

        Raises UsageError if the data is not as `change` makes it.
        """
        text = self.raw[:a] + new + self.raw[b:]
        root, expected = parse(text, self.file), self.root.data()
        change(expected)
        if not same(expected, root.data()):
            raise self.refusal(path, "can't be edited here")
        self.raw, self.root = text, root


def _change_at(data: Any, path: Steps, change: Change) -> None:
    """Call `change` with the collection above the end of a path, and the last step."""
    for step in path[:-1]:
        data = data[step]
    change(data, path[-1])


def _splice_data(data: Any, path: Steps, i: int, j: int, new: list[tuple[Any, Any]]) -> None:
    """Replace the items i to j of the collection at a path of plain data."""
    for step in path:
        data = data[step]
    if isinstance(data, list):
        data[i:j] = [value for _, value in new]
        return
    pairs = list(data.items())
    pairs[i:j] = new
    data.clear()
    data.update(pairs)
