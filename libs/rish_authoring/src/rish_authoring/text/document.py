"""A text with the tree of its values, and the changes of characters that keep the tree correct.

`rewrite` replaces characters within one item of a block, `splice` lines between items. Only these lines are parsed
again; their data must be what the caller promises. Texts with anchors are always parsed completely.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

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
        self._linked = self.root.linked()

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
        node = self.root
        for step in path:
            index = node.index(step)
            if index < 0:
                return False
            node = node.items[index]
        return True

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
        self._replace(chain, which, keys, items, len(said) - (b - a), column)

    def _may_absorb(self, text: str, b: int) -> bool:
        """Whether a text may end in a block that keeps all blank lines after it (`|+`), and such lines are at `b`."""
        following = self.raw[b : self.raw.find("\n", b) + 1]
        return bool(following) and not following.strip() and _KEEPING.search(text) is not None

    def _replace(
        self, chain: list[Place], which: tuple[int, int], keys: list[Node], items: list[Node], grown: int, column: int
    ) -> None:
        """Put nodes, with absolute positions, into a collection at a column, and move those after them."""
        node, start = chain[-1]
        i, j = which
        for kids, fresh in ((node.keys, keys), (node.items, items)):
            for k, kid in enumerate(kids):
                kid.start += start + (grown if k >= j else 0)
            if kids or fresh:
                kids[i:j] = fresh
        now = start
        if not i:
            now = node.keys[0].start if node.keys else lines.dash(self.raw, node.items[0].start, column)
        for kid in (*node.keys, *node.items):
            kid.start -= now
        node.start += now - start
        last = node.items[-1]
        size = last.start + last.size
        node.size = size
        for (above, _), (below, _) in zip(reversed(chain[:-1]), reversed(chain), strict=False):
            after = False
            for k, item in enumerate(above.items):
                if after:
                    item.start += grown
                    if above.keys:
                        above.keys[k].start += grown
                after = after or item is below
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
