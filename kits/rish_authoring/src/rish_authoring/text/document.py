"""A text with the tree of its values, and the changes of characters that keep the tree correct.

`rewrite` replaces characters within one item of a block, `splice` lines between items. Only these lines are parsed
again; their data must be what the caller promises. Texts with anchors are always parsed completely.
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

_KEEPING = re.compile(r"[|>]\d?\+\d?[ \t]*(?:#.*)?\r?$", re.MULTILINE)
"""The sign of a block of lines that keeps the blank lines at its end."""
Place = tuple[Node, int]
"""A node and its position in the text."""
Change = Callable[[Any, Any], None]
"""Changes a collection of plain data at a key or index."""


class Document:
    """A text that can be read by paths and changed by characters. file: its name in messages.

    Raises UsageError for a text with mistakes.
    """

    def __init__(self, text: str, file: str = "a text") -> None:
        self.file = file
        self._cut = not text.endswith("\n")
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.raw = text + self.newline if self._cut else text
        self.root = parse(self.raw, file)
        self._owner = object()
        self._linked = self.root.linked()

    def copy(self) -> Self:
        """Return a document with the same text, which can be changed on its own.

        Both use the same nodes; one that changes a node copies it before, with those on the way to it.
        """
        made = copy.copy(self)
        made.root = copy.copy(self.root)
        made._owner, self._owner = object(), object()  # none of the lists of nodes belongs to only one of them
        return made

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self.raw[: -len(self.newline)] if self._cut else self.raw

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
        """Whether there is a value at a path."""
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
                known = ", ".join(str(key.value) for key in node.keys[:12]) or f"{len(node.items)} items"
                raise UsageError(
                    f"{path_text(path)} does not exist in the text", where=path_text(path[:depth]) or None,
                    hint=f"There is: {known}",
                )  # fmt: skip
            item = node.items[index]
            chain.append((item, start + item.start))
        return chain

    def after_sign(self, node: Node, start: int, step: str | int) -> int:
        """Return the position after the colon or the dash of an item of a block, or the item's own in brackets."""
        index = node.index(step)
        if node.kind == "map":
            key = node.keys[index]
            return self.raw.index(":", start + key.start + key.size) + 1
        return start + node.items[index].start if node.flow else lines.head(self.raw, node, start, index) + 1

    def index_for(self, node: Node, path: Steps, before: str | None) -> int:
        """Return the index that a new value gets."""
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
        """Copy the children of each collection on the way to a value, unless they belong to this document only."""
        node = self.root
        for step in (*path, None):
            if node.owner is not self._owner:
                node.keys, node.items = [copy.copy(key) for key in node.keys], [copy.copy(item) for item in node.items]
                node.owner = self._owner
            if step is not None:
                node = node.items[node.index(step)]

    def rewrite(self, path: Steps, a: int, b: int, said: str, change: Change, *, also: str = "") -> None:
        """Replace characters within one item of a block. change: what it does to the data at the last step.

        also: the new name of the key that ends the path.
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
            whole: Any = {step: node.items[index].data()} if node.kind == "map" else [node.items[index].data()]
            _change_at(whole, (step, *path[depth + 1 :]), change)
            pairs = list(whole.items()) if node.kind == "map" else [(path[depth], whole[0])]
            made = self.raw[first:a] + said + self.raw[b:last]
            self.splice(chain[: depth + 1], path[:depth], (index, index + 1), (first, last), made, pairs)
            return
        self._whole(a, b, said, lambda data: _change_at(data, path, change), path)

    def splice(
        self, chain: list[Place], path: Steps, which: tuple[int, int], span: tuple[int, int], said: str,
        wanted: list[tuple[Any, Any]],
    ) -> None:  # fmt: skip
        """Replace the items `which` of a block collection, in the lines of `span`, by those of a text.

        wanted: the keys or indices, and the values, that the text must have.
        """
        node, start = chain[-1]
        (i, j), (a, b) = which, span
        if self._linked or self._may_absorb(said or self.raw[:a], b):
            self._whole(a, b, said, lambda data: _splice_data(data, path, i, j, wanted), path)
            return
        keys: list[Node] = []
        items: list[Node] = []
        if wanted:
            made = parse(said, self.file)
            sound = made.kind == node.kind and not made.flow and len(made.items) == len(wanted)
            sound = sound and lines.column_of(said, made.start) == lines.column_of(self.raw, start)
            names = [key.value for key in made.keys] or [name for name, _ in wanted]
            pairs = zip(names, made.items, wanted, strict=True) if sound else ()
            if not sound or not all(n == w[0] and same(item.data(), w[1]) for n, item, w in pairs):
                raise self.refusal(path, "can't be edited here")
            for each in (*made.keys, *made.items):
                each.start += a + made.start
            keys, items = made.keys, made.items
        column = lines.column_of(self.raw, start)
        self.raw = self.raw[:a] + said + self.raw[b:]
        self._own(path)
        self._replace(path, which, keys, items, len(said) - (b - a), column)

    def _may_absorb(self, text: str, b: int) -> bool:
        """Whether a text may end in a block that keeps all blank lines after it (`|+`), and such lines are at `b`."""
        following = self.raw[b : self.raw.find("\n", b) + 1]
        return bool(following) and not following.strip() and _KEEPING.search(text) is not None

    def _replace(
        self, path: Steps, which: tuple[int, int], keys: list[Node], items: list[Node], grown: int, column: int
    ) -> None:
        """Put nodes, with absolute positions, into the collection at a path and a column; move those after them."""
        chain = self.chain(path)
        node, start = chain[-1]
        i, j = which
        for kids, fresh in ((node.keys, keys), (node.items, items)):
            for kid in kids[j:] if grown else ():
                kid.start += grown
            for kid in fresh:
                kid.start -= start
            if kids or fresh:
                kids[i:j] = fresh
        if not i:
            first = node.items[0].start
            by = node.keys[0].start if node.keys else lines.dash(self.raw, start + first, column) - start
            for kid in (*node.keys, *node.items) if by else ():
                kid.start -= by
            node.start += by
        last = node.items[-1]
        node.size = last.start + last.size
        for (above, _), step in zip(reversed(chain[:-1]), reversed(path), strict=True):
            after = above.index(step) + 1
            for kid in (*above.keys[after:], *above.items[after:]) if grown else ():
                kid.start += grown
            above.size += grown
            if not above.flow and above.items:
                above.size = above.items[-1].start + above.items[-1].size

    def _whole(self, a: int, b: int, said: str, change: Callable[[Any], None], path: Steps) -> None:
        """Replace characters and parse the whole text again; its data must be as `change` makes it."""
        made = self.raw[:a] + said + self.raw[b:]
        root, wanted = parse(made, self.file), self.root.data()
        change(wanted)
        if not same(wanted, root.data()):
            raise self.refusal(path, "can't be edited here")
        self.raw, self.root = made, root


def _change_at(data: Any, path: Steps, change: Change) -> None:
    for step in path[:-1]:
        data = data[step]
    change(data, path[-1])


def _splice_data(data: Any, path: Steps, i: int, j: int, wanted: list[tuple[Any, Any]]) -> None:
    for step in path:
        data = data[step]
    if isinstance(data, list):
        data[i:j] = [value for _, value in wanted]
        return
    pairs = list(data.items())
    pairs[i:j] = wanted
    data.clear()
    data.update(pairs)
