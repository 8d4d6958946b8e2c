"""A manifest as text that can be edited: all lines that an edit does not concern stay as they are.

    text = ManifestText(path.read_text())
    text.set(("prefabs", "crate", "Body", "mass"), 2.5)
    text.insert(("scenes", "main", 0), {"prefab": "crate", "at": [10, 20]})
    text.move(("scenes", "main", 3), ("scenes", "main", 1))
    path.write_text(text.text)

The parser's events give the span of characters of each value. An edit replaces characters within one item of a block,
or adds or removes lines between items. Only these lines are parsed again, and their data must be what the edit
promises; otherwise UsageError is raised and nothing changes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, cast

from rish_core import UsageError
from rish_core.manifest import path_text, read_yaml, written

from . import lines
from .nodes import Node, Steps, parse
from .writing import block_text, fits, flow_text, item_text, pair_text, plain, same

Place = tuple[Node, int]
"""A node and its position in the text."""
Change = Callable[[Any, Any], None]
"""Changes a collection of plain data at a key or index."""


class ManifestText:
    """An editable text. Raises UsageError for a text with mistakes.

    Paths are tuples of keys and indices, such as `("scenes", "main", 3, "Body", "mass")`. Values are texts, numbers,
    bool, None, lists and mappings of these. The style of new values follows their neighbours. Comments directly before
    an item belong to it: they move with it and are deleted with it.
    """

    def __init__(self, text: str) -> None:
        self._cut = not text.endswith("\n")
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._text = text + self._newline if self._cut else text
        self._root = parse(self._text)
        self._linked = self._root.linked()

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._text[: -len(self._newline)] if self._cut else self._text

    def get(self, path: Steps = ()) -> Any:
        """Return a copy of the value at a path as plain data. Raises UsageError if there is none."""
        node = self._chain(path)[-1][0]
        if not self._linked:
            return node.data()
        data = read_yaml(self._text).data
        for step in path:
            data = data[step]
        return copy.deepcopy(data)

    def has(self, path: Steps) -> bool:
        """Whether there is a value at a path."""
        node = self._root
        for step in path:
            index = node.index(step)
            if index < 0:
                return False
            node = node.items[index]
        return True

    def set(self, path: Steps, value: Any) -> None:
        """Replace the value at a path. Raises UsageError if there is none, or if it is an alias."""
        self._set(path, plain(value))

    def unfold(self, path: Steps) -> None:
        """Write a collection in brackets as a block of lines. Raises UsageError if comments would be lost."""
        chain = self._chain(path)
        node, start = chain[-1]
        if node.kind == "scalar" or not node.flow or not node.items or len(chain) < 2:
            return
        if chain[-2][0].flow:
            self.unfold(path[:-1])
            self.unfold(path)
            return
        said = self._text[start : start + node.size]
        if "\n" in said and "#" in said:
            raise self._refusal(path, "has comments in its brackets")
        self._set(path, node.data(), block=True)

    def _set(self, path: Steps, value: Any, *, block: bool = False) -> None:
        chain = self._chain(path)
        node, start = chain[-1]
        if node.kind == "alias" or (node.kind != "scalar" and node.linked()):
            raise self._refusal(path, "has an anchor or an alias")

        def change(data: Any, step: Any) -> None:
            data[step] = value

        if len(chain) == 1:
            raise UsageError("a whole text can't be set", hint="Create a ManifestText of the new text")
        end = start + node.size
        above, base = chain[-2]
        column = lines.column_of(self._text, start)
        inline = above.flow or not isinstance(value, (dict, list)) or not value
        if inline or not block and (node.kind == "scalar" or node.flow) and fits(cast("Any", value), column):
            gap = "" if node.size and (node.kind == "scalar" or node.flow) else " "
            at = self._after_sign(above, base, path[-1]) if gap else start
            self._rewrite(path, at, end, gap + flow_text(value), change)
            return
        if node.anchor:
            raise self._refusal(path, "has an anchor")
        at = self._after_sign(above, base, path[-1])
        column = lines.column_of(self._text, lines.head(self._text, above, base, above.index(path[-1]))) + 2
        lead = "\n" + " " * column if above.kind == "map" else " "
        self._rewrite(path, at, end, self._native(lead + block_text(value, column)), change)

    def insert(self, path: Steps, value: Any, *, before: str | None = None) -> None:
        """Insert a value: before the item of a list at the index that ends the path, or with the key that ends it.

        An index equal to the length appends. before: the key that the new key is put before; None: it becomes the
        last. A collection that is empty or null gets its first item. Raises UsageError if the key exists.
        """
        value, step = plain(value), path[-1]
        chain = self._chain(path[:-1])
        node = chain[-1][0]
        if not node.items and node.kind != "alias" and (node.kind != "scalar" or node.value is None):
            first: Any = {step: value} if isinstance(step, str) else [value]
            if node.kind != "scalar" and isinstance(step, str) != (node.kind == "map"):
                raise self._refusal(path, "is no place for a new value")
            self.set(path[:-1], first)
            return
        index = self._index_for(node, path, before)
        if node.flow:
            self._insert_flow(chain, path, index, value)
        else:
            self._insert_block(chain, path, index, self._native(self._new_text(chain[-1], step, index, value)), value)

    def put(self, path: Steps, value: Any) -> None:
        """Set the value at a path, or insert it; missing mappings above it are inserted too."""
        if self.has(path):
            self.set(path, value)
            return
        for depth in range(len(path) - 1, -1, -1):
            if self.has(path[:depth]):
                made = value
                for step in reversed(path[depth + 1 :]):
                    made = {step: made}
                self.insert(path[: depth + 1], made)
                return

    def delete(self, path: Steps) -> None:
        """Delete the value at a path with its key or dash, and the comments directly before it.

        The last item of a collection leaves `[]` or `{}`. Raises UsageError if there is no value.
        """
        chain = self._chain(path)
        if chain[-1][0].linked():
            raise self._refusal(path, "has an anchor or an alias")
        above, base = chain[-2]
        index = above.index(path[-1])
        if len(above.items) == 1:
            if len(chain) == 2:
                raise self._refusal(path, "is the only value of the text")
            self.set(path[:-1], {} if above.kind == "map" else [])
            return
        if above.flow:
            firsts = [base + each.start for each in (above.keys or above.items)]
            if index + 1 < len(above.items):
                self._rewrite(path, firsts[index], firsts[index + 1], "", _remove)
            else:
                last = above.items[index - 1]
                self._rewrite(path, base + last.start + last.size, chain[-1][1] + chain[-1][0].size, "", _remove)
            return
        at = lines.head(self._text, above, base, index)
        if lines.is_clean(self._text, at):
            a, b = lines.begin(self._text, above, base, index), lines.end(self._text, above, base, index)
            self._splice(chain[:-1], path[:-1], (index, index + 1), (a, b), "", [])
            return
        after = lines.head(self._text, above, base, 1)
        if "#" in self._text[lines.end(self._text, above, base, 0) : after]:  # comments of the next key
            end = lines.line_end(self._text, chain[-1][1] + chain[-1][0].size)
            self._rewrite(path, at, end, self._newline, _remove)
        else:
            self._rewrite(path, at, after, "", _remove)

    def move(self, path: Steps, to: Steps) -> None:
        """Move a value with its comments. to: its path after the move; a key at its end may be a new one.

        Raises UsageError if comments would be lost, because the new place is in brackets.
        """
        chain, before = self._chain(path), self._text
        if chain[-1][0].linked():
            raise self._refusal(path, "has an anchor or an alias")
        above, base = chain[-2]
        index, data = above.index(path[-1]), chain[-1][0].data()
        said = ""
        if not above.flow and lines.is_clean(self._text, lines.head(self._text, above, base, index)):
            a, b = lines.begin(self._text, above, base, index), lines.end(self._text, above, base, index)
            said = indented_to(self._text[a:b], 0, lines.column_of(self._text, lines.head(self._text, above, base, index)))
        try:
            if isinstance(path[-1], str) and isinstance(to[-1], str) and path[-1] != to[-1] and said:
                self.rename_key(path, to[-1])
                path = (*path[:-1], to[-1])
                self.move(path, to)
                return
            self.delete(path)
            self._insert_moved(to, said if type(path[-1]) is type(to[-1]) else "", data, "#" in said)
        except UsageError:
            self._text = before
            self._root = parse(before)
            raise

    def rename_key(self, path: Steps, new: str) -> None:
        """Rename the key that ends a path. Raises UsageError if the new key exists."""
        chain = self._chain(path)
        above, base = chain[-2]
        index = above.index(path[-1])
        if above.kind != "map":
            raise self._refusal(path, "ends in no key")
        if above.index(new) >= 0:
            raise self._refusal(path, f"can't be renamed, there is a key {new!r}")
        key = above.keys[index]

        def change(data: Any, step: Any) -> None:
            pairs = [(new if name == step else name, value) for name, value in data.items()]
            data.clear()
            data.update(pairs)

        self._rewrite(path, base + key.start, base + key.start + key.size, written(new), change, also=new)

    # Finding

    def _chain(self, path: Steps) -> list[Place]:
        """Return the nodes from the root to the value at a path, with their positions."""
        chain = [(self._root, self._root.start)]
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

    def _after_sign(self, node: Node, start: int, step: str | int) -> int:
        """Return the position after the colon or the dash of an item of a block, or the item's own in brackets."""
        index = node.index(step)
        if node.kind == "map":
            key = node.keys[index]
            return self._text.index(":", start + key.start + key.size) + 1
        return start + node.items[index].start if node.flow else lines.head(self._text, node, start, index) + 1

    def _index_for(self, node: Node, path: Steps, before: str | None) -> int:
        """Return the index that a new value gets."""
        step = path[-1]
        if node.kind == "list" and isinstance(step, int) and 0 <= step <= len(node.items):
            return step
        if node.kind == "map" and isinstance(step, str) and node.index(step) < 0:
            index = node.index(before) if before is not None else len(node.items)
            if index >= 0:
                return index
            raise UsageError(f"{path_text(path[:-1])} has no key {before!r}", hint="Give an existing key")
        raise self._refusal(path, "exists already" if node.index(step) >= 0 else "is no place for a new value")

    def _refusal(self, path: Steps, why: str) -> UsageError:
        return UsageError(f"{path_text(path)} {why}", hint="Edit the text by hand")

    def _native(self, text: str) -> str:
        return text.replace("\n", self._newline)

    # New text

    def _new_text(self, place: Place, step: str | int, index: int, value: Any) -> str:
        """Return the text of a new item of a block, without indentation in its first line."""
        node, start = place
        column = lines.column_of(self._text, start)
        if isinstance(step, str):
            return pair_text(step, value, column)
        near = node.items[min(index, len(node.items) - 1)]
        return item_text(value, column, flow=near.kind != "map" or near.flow)

    def _insert_block(self, chain: list[Place], path: Steps, index: int, said: str, value: Any) -> None:
        """Insert lines into a block collection."""
        node, start = chain[-1]
        column = lines.column_of(self._text, start)
        if index == 0 and not lines.is_clean(self._text, start):
            here = self._newline + " " * column

            def change(data: Any, step: Any) -> None:
                _insert(data, step, value, 0)

            self._rewrite(path, start, start, said + here, change)
            return
        at = self._between(node, start, index)
        made = " " * column + said + self._newline
        self._splice(chain, path[:-1], (index, index), (at, at), made, [(path[-1], value)])

    def _insert_flow(self, chain: list[Place], path: Steps, index: int, value: Any) -> None:
        """Insert a value between brackets."""
        node, start = chain[-1]
        made = flow_text(value) if node.kind == "list" else f"{written(path[-1])}: {flow_text(value)}"
        firsts = [start + each.start for each in (node.keys or node.items)]

        def change(data: Any, step: Any) -> None:
            _insert(data, step, value, index)

        if index < len(firsts):
            at = firsts[index]
            gap = self._gap(at) if len(firsts) > 1 and self._is_first(firsts[1]) else " "
            self._rewrite(path, at, at, f"{made},{gap}", change)
        else:
            at = start + node.items[-1].start + node.items[-1].size
            gap = self._gap(firsts[-1]) if self._is_first(firsts[-1]) else " "
            self._rewrite(path, at, at, f",{gap}{made}", change)

    def _between(self, node: Node, start: int, index: int) -> int:
        """Return the position of a new item: behind the one before it, or before the first."""
        return lines.end(self._text, node, start, index - 1) if index else lines.begin(self._text, node, start, 0)

    def _is_first(self, at: int) -> bool:
        return lines.is_clean(self._text, at)

    def _gap(self, at: int) -> str:
        """Return a newline and the indentation of the line at a position."""
        return self._newline + " " * lines.column_of(self._text, at)

    def _insert_moved(self, to: Steps, said: str, data: Any, commented: bool) -> None:
        """Insert a value whose text, without indentation, was taken from elsewhere."""
        chain = self._chain(to[:-1])
        node, start = chain[-1]
        if said and not node.flow:
            index = self._index_for(node, to, None)
            if index or lines.is_clean(self._text, start):
                column = lines.column_of(self._text, start)
                made = indented_to(said, column, 0)
                at = self._between(node, start, index)
                self._splice(chain, to[:-1], (index, index), (at, at), made, [(to[-1], data)])
                return
        if said and not node.items and len(chain) > 1 and not chain[-2][0].flow:
            above, base = chain[-2]
            column = lines.column_of(self._text, lines.head(self._text, above, base, above.index(to[-2]))) + 2
            made = self._newline + indented_to(said, column, 0).rstrip()

            def change(whole: Any, step: Any) -> None:
                whole[step] = {to[-1]: data} if isinstance(to[-1], str) else [data]

            self._rewrite(to[:-1], self._after_sign(above, base, to[-2]), start + node.size, made, change)
            return
        if commented:
            raise self._refusal(to, "has no place for the comments of the moved value")
        self.insert(to, data)

    # Changing

    def _rewrite(self, path: Steps, a: int, b: int, said: str, change: Change, *, also: str = "") -> None:
        """Replace characters within one item of a block. change: what it does to the data at the last step.

        also: the new name of the key that ends the path.
        """
        chain = self._chain(path[:-1])
        for depth in () if self._linked else range(len(chain) - 1, -1, -1):
            node, start = chain[depth]
            if node.flow or node.kind == "scalar":
                continue
            index = node.index(path[depth])
            if index < 0:
                continue
            first = lines.line_start(self._text, lines.head(self._text, node, start, index))
            last = lines.end(self._text, node, start, index)
            if not lines.is_clean(self._text, lines.head(self._text, node, start, index)) or not first <= a <= b <= last:
                continue
            step = node.keys[index].value if node.kind == "map" else 0
            whole: Any = {step: node.items[index].data()} if node.kind == "map" else [node.items[index].data()]
            _change_at(whole, (step, *path[depth + 1 :]), change)
            pairs = list(whole.items()) if node.kind == "map" else [(path[depth], whole[0])]
            made = self._text[first:a] + said + self._text[b:last]
            self._splice(chain[: depth + 1], path[:depth], (index, index + 1), (first, last), made, pairs)
            return
        self._whole(a, b, said, lambda data: _change_at(data, path, change), path[:-1])

    def _splice(
        self, chain: list[Place], path: Steps, which: tuple[int, int], span: tuple[int, int], said: str,
        wanted: list[tuple[Any, Any]],
    ) -> None:  # fmt: skip
        """Replace the items `which` of a block collection, in the lines of `span`, by those of a text.

        wanted: the keys or indices, and the values, that the text must have.
        """
        node, start = chain[-1]
        (i, j), (a, b) = which, span
        if self._linked:
            self._whole(a, b, said, lambda data: _splice_data(data, path, i, j, wanted), path)
            return
        keys: list[Node] = []
        items: list[Node] = []
        if wanted:
            made = parse(said)
            sound = made.kind == node.kind and not made.flow and len(made.items) == len(wanted)
            sound = sound and lines.column_of(said, made.start) == lines.column_of(self._text, start)
            names = [key.value for key in made.keys] or [name for name, _ in wanted]
            pairs = zip(names, made.items, wanted, strict=True) if sound else ()
            if not sound or not all(n == w[0] and same(item.data(), w[1]) for n, item, w in pairs):
                raise self._refusal(path, "can't be edited here")
            for each in (*made.keys, *made.items):
                each.start += a + made.start
            keys, items = made.keys, made.items
        column = lines.column_of(self._text, start)
        self._text = self._text[:a] + said + self._text[b:]
        self._replace(chain, which, keys, items, len(said) - (b - a), column)

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
            now = node.keys[0].start if node.keys else lines.dash(self._text, node.items[0].start, column)
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
        """Replace characters and parse the whole text again; the data at a path must be as `change` makes it."""
        made = self._text[:a] + said + self._text[b:]
        root = parse(made)
        wanted, found = read_yaml(self._text).data, read_yaml(made).data
        change(wanted)
        for step in path:
            wanted, found = wanted[step], found[step]
        if not same(wanted, found):
            raise self._refusal(path, "can't be edited here")
        self._text, self._root = made, root


def indented_to(said: str, column: int, was: int) -> str:
    """Return lines that begin at one column, moved to another."""
    return lines.indented(said, column - was)


def _change_at(data: Any, path: Steps, change: Change) -> None:
    for step in path[:-1]:
        data = data[step]
    change(data, path[-1])


def _remove(data: Any, step: Any) -> None:
    del data[step]


def _insert(data: Any, step: Any, value: Any, index: int) -> None:
    if isinstance(data, list):
        data.insert(index, value)
        return
    pairs = list(data.items())
    pairs.insert(index, (step, value))
    data.clear()
    data.update(pairs)


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


def set_value(text: str, path: Steps, value: Any) -> str:
    """Return a manifest's text with the value at a path replaced; see `ManifestText.set`."""
    made = ManifestText(text)
    made.set(path, value)
    return made.text
