"""A manifest as text that can be edited: all lines that an edit does not concern stay as they are.

    text = ManifestText(path.read_bytes().decode())
    text.set(("prefabs", "crate", "Body", "mass"), 2.5)
    text.insert(("scenes", "main", 0), {"prefab": "crate", "at": [10, 20]})
    text.move(("scenes", "main", 3), ("scenes", "main", 1))
    path.write_bytes(text.text.encode())

The parser's events give the span of characters of each value. An edit replaces characters within one item of a block,
or adds or removes lines between items. Only these lines are parsed again, and their data must be what the edit
expects; otherwise UsageError is raised and nothing changes.
"""

from __future__ import annotations

from typing import Any, cast

from rish_core import UsageError
from rish_core.manifest import written

from . import lines
from .document import Document, Place
from .nodes import Node, Steps, parse
from .writing import block_text, fits, flow_text, item_text, pair_text, plain, section_text

SECTIONS = ("rish", "game", "plugins", "include", "settings", "input", "layers", "prefabs", "scene", "demo", "scenes")
"""The usual order of the sections."""


class ManifestText(Document):
    """An editable text. file: its name in messages. Raises UsageError for a text with mistakes.

    Paths are tuples of keys and indices, such as `("scenes", "main", 3, "Body", "mass")`. Values are texts, numbers,
    bool, None, lists and mappings of these. The style of new values follows their neighbors. Comments directly before
    an item belong to it: they move with it and are deleted with it.
    """

    def set(self, path: Steps, value: Any) -> None:
        """Replace the value at a path. Raises UsageError if there is none, or if it is an alias."""
        self._set(path, plain(value))

    def unfold(self, path: Steps) -> None:
        """Rewrite a collection in brackets as a block of lines. Raises UsageError if comments would be lost."""
        chain = self.chain(path)
        node, start = chain[-1]
        if node.kind == "scalar" or not node.flow or not node.items or len(chain) < 2:
            return
        if chain[-2][0].flow:
            self.unfold(path[:-1])
            self.unfold(path)
            return
        bracket_text = self.raw[start : start + node.size]
        if "\n" in bracket_text and "#" in bracket_text:
            raise self.refusal(path, "has comments in its brackets")
        self._set(path, node.data(), block=True)

    def _set(self, path: Steps, value: Any, *, block: bool = False) -> None:
        """Replace the value at a path by plain data. block: never write it in brackets."""
        chain = self.chain(path)
        node, start = chain[-1]
        if node.kind == "alias" or (node.kind != "scalar" and node.linked()):
            raise self.refusal(path, "has an anchor or an alias")

        def change(data: Any, step: Any) -> None:
            data[step] = value

        if len(chain) == 1:
            raise UsageError("a whole text can't be set", hint="Create a ManifestText of the new text")
        end = start + node.size
        parent, base = chain[-2]
        column = lines.column_of(self.raw, start)
        inline = parent.flow or not isinstance(value, (dict, list)) or not value
        if inline or (not block and (node.kind == "scalar" or node.flow) and fits(cast("Any", value), column)):
            gap = "" if node.size and (node.kind == "scalar" or node.flow) else " "
            at = self.after_sign(parent, base, path[-1]) if gap else start
            self.rewrite(path, at, end, gap + flow_text(value), change)
            return
        if node.anchor:
            raise self.refusal(path, "has an anchor")
        at = self.after_sign(parent, base, path[-1])
        column = lines.column_of(self.raw, lines.head(self.raw, parent, base, parent.index(path[-1]))) + 2
        lead = "\n" + " " * column if parent.kind == "map" else " "
        self.rewrite(path, at, end, self.native(lead + block_text(value, column)), change)

    def insert(self, path: Steps, value: Any, *, before: str | None = None) -> None:
        """Insert a value. The last step of the path is its index in a list, or its new key in a mapping.

        An index equal to the length appends. before: the key in front of which the new key is put; None: at the end. A
        collection that is empty or null gets its first item. Raises UsageError if the key exists.
        """
        value, step = plain(value), path[-1]
        chain = self.chain(path[:-1])
        node = chain[-1][0]
        if not node.items and node.kind != "alias" and (node.kind != "scalar" or node.value is None):
            first: Any = {step: value} if isinstance(step, str) else [value]
            if node.kind != "scalar" and isinstance(step, str) != (node.kind == "map"):
                raise self.refusal(path, "is no place for a new value")
            self.set(path[:-1], first)
            return
        index = self.index_for(node, path, before)
        if node.flow:
            self._insert_flow(chain, path, index, value)
        else:
            self._insert_block(chain, path, index, self.native(self._new_text(chain[-1], step, index, value)), value)

    def put(self, path: Steps, value: Any) -> None:
        """Set the value at a path, or insert it; missing mappings above it are inserted too.

        A new section of the manifest gets its usual place, and blank lines if other sections have them.
        """
        if self.has(path):
            self.set(path, value)
            return
        for depth in range(len(path) - 1, -1, -1):
            if self.has(path[:depth]):
                data = value
                for step in reversed(path[depth + 1 :]):
                    data = {step: data}
                if depth or self.root.flow or not self.root.items:
                    self.insert(path[: depth + 1], data)
                else:
                    self._insert_section(str(path[0]), plain(data))
                return

    def delete(self, path: Steps) -> None:
        """Delete the value at a path with its key or dash, and the comments directly before it.

        The last item of a collection leaves `[]` or `{}`. Raises UsageError if there is no value.
        """
        chain = self.chain(path)
        if chain[-1][0].linked():
            raise self.refusal(path, "has an anchor or an alias")
        parent, base = chain[-2]
        index = parent.index(path[-1])
        if len(parent.items) == 1:
            if len(chain) == 2:
                raise self.refusal(path, "is the only value of the text")
            self.set(path[:-1], {} if parent.kind == "map" else [])
            return
        if parent.flow:
            firsts = [base + node.start for node in (parent.keys or parent.items)]
            if index + 1 < len(parent.items):
                self.rewrite(path, firsts[index], firsts[index + 1], "", _remove)
            else:
                last = parent.items[index - 1]
                self.rewrite(path, base + last.start + last.size, chain[-1][1] + chain[-1][0].size, "", _remove)
            return
        at = lines.head(self.raw, parent, base, index)
        if lines.is_clean(self.raw, at):
            a, b = lines.begin(self.raw, parent, base, index), lines.end(self.raw, parent, base, index)
            self.splice(chain[:-1], path[:-1], (index, index + 1), (a, b), "", [])
            return
        after = lines.head(self.raw, parent, base, 1)
        if "#" in self.raw[lines.end(self.raw, parent, base, 0) : after]:  # comments of the next key
            end = lines.line_end(self.raw, chain[-1][1] + chain[-1][0].size)
            self.rewrite(path, at, end, self.newline, _remove)
        else:
            self.rewrite(path, at, after, "", _remove)

    def move(self, path: Steps, to: Steps) -> None:
        """Move a value with its comments. to: its path after the move; a key at its end may be a new one.

        Raises UsageError if comments would be lost, because the new place is in brackets.
        """
        chain, before = self.chain(path), self.raw
        if chain[-1][0].linked():
            raise self.refusal(path, "has an anchor or an alias")
        parent, base = chain[-2]
        index, data = parent.index(path[-1]), chain[-1][0].data()
        moved_lines = ""
        if not parent.flow and lines.is_clean(self.raw, lines.head(self.raw, parent, base, index)):
            a, b = lines.begin(self.raw, parent, base, index), lines.end(self.raw, parent, base, index)
            moved_lines = lines.indented_to(
                self.raw[a:b], 0, lines.column_of(self.raw, lines.head(self.raw, parent, base, index))
            )
        try:
            if isinstance(path[-1], str) and isinstance(to[-1], str) and path[-1] != to[-1] and moved_lines:
                self.rename_key(path, to[-1])
                path = (*path[:-1], to[-1])
                self.move(path, to)
                return
            self.delete(path)
            self._insert_moved(to, moved_lines if type(path[-1]) is type(to[-1]) else "", data, "#" in moved_lines)
        except UsageError:
            self.raw, self.root = before, parse(before, self.file)
            raise

    def rename_key(self, path: Steps, new: str) -> None:
        """Rename the key that ends a path. Raises UsageError if the new key exists."""
        chain = self.chain(path)
        parent, base = chain[-2]
        index = parent.index(path[-1])
        if parent.kind != "map":
            raise self.refusal(path, "ends in no key")
        if parent.index(new) >= 0:
            raise self.refusal(path, f"can't be renamed, there is a key {new!r}")
        key = parent.keys[index]

        def change(data: Any, step: Any) -> None:
            pairs = [(new if name == step else name, value) for name, value in data.items()]
            data.clear()
            data.update(pairs)

        self.rewrite(path, base + key.start, base + key.start + key.size, written(new), change)

    # New text

    def _insert_section(self, name: str, value: Any) -> None:
        """Insert a section after the sections that usually precede it; a section of a plugin is put at the end."""
        chain = self.chain(())
        root, start = chain[-1]
        names = [key.value for key in root.keys]
        before = SECTIONS[: SECTIONS.index(name)] if name in SECTIONS else names
        index = 1 + max((number for number, section in enumerate(names) if section in before), default=-1)
        heads = [lines.begin(self.raw, root, start, number) for number in range(1, len(names))]
        spaced = index > 0 and any(self.raw[:head].endswith(2 * self.newline) for head in heads)
        at = self._between(root, start, index)
        new_lines = self.native("\n" * spaced + section_text(name, value) + "\n")
        self.splice(chain, (), (index, index), (at, at), new_lines, [(name, value)])

    def _new_text(self, place: Place, step: str | int, index: int, value: Any) -> str:
        """Return the text of a new item of a block, without indentation in its first line."""
        node, start = place
        column = lines.column_of(self.raw, start)
        if isinstance(step, str):
            return pair_text(step, value, column)
        neighbor = node.items[min(index, len(node.items) - 1)]
        return item_text(value, column, flow=neighbor.kind != "map" or neighbor.flow)

    def _insert_block(self, chain: list[Place], path: Steps, index: int, item_lines: str, value: Any) -> None:
        """Insert lines into a block collection."""
        node, start = chain[-1]
        column = lines.column_of(self.raw, start)
        if index == 0 and not lines.is_clean(self.raw, start):
            indent = self.newline + " " * column

            def change(data: Any, step: Any) -> None:
                _insert(data, step, value, 0)

            self.rewrite(path, start, start, item_lines + indent, change)
            return
        at = self._between(node, start, index)
        new_lines = " " * column + item_lines + self.newline
        self.splice(chain, path[:-1], (index, index), (at, at), new_lines, [(path[-1], value)])

    def _insert_flow(self, chain: list[Place], path: Steps, index: int, value: Any) -> None:
        """Insert a value between brackets."""
        node, start = chain[-1]
        new = flow_text(value) if node.kind == "list" else f"{written(path[-1])}: {flow_text(value)}"
        firsts = [start + child.start for child in (node.keys or node.items)]

        def change(data: Any, step: Any) -> None:
            _insert(data, step, value, index)

        if index < len(firsts):
            at = firsts[index]
            gap = self._gap(at) if len(firsts) > 1 and self._is_first(firsts[1]) else " "
            self.rewrite(path, at, at, f"{new},{gap}", change)
        else:
            at = start + node.items[-1].start + node.items[-1].size
            gap = self._gap(firsts[-1]) if self._is_first(firsts[-1]) else " "
            self.rewrite(path, at, at, f",{gap}{new}", change)

    def _between(self, node: Node, start: int, index: int) -> int:
        """Return the position of a new item: after the item before it, or in front of the first one."""
        return lines.end(self.raw, node, start, index - 1) if index else lines.begin(self.raw, node, start, 0)

    def _is_first(self, at: int) -> bool:
        return lines.is_clean(self.raw, at)

    def _gap(self, at: int) -> str:
        """Return a newline and the indentation of the line at a position."""
        return self.newline + " " * lines.column_of(self.raw, at)

    def _insert_moved(self, to: Steps, moved_lines: str, data: Any, commented: bool) -> None:
        """Insert a value that was deleted elsewhere.

        moved_lines: its former lines without indentation, "" if they can't be reused. data: the value. commented:
        whether the lines have comments. Raises UsageError if comments would be lost.
        """
        chain = self.chain(to[:-1])
        node, start = chain[-1]
        if moved_lines and not node.flow:
            index = self.index_for(node, to, None)
            if index or lines.is_clean(self.raw, start):
                column = lines.column_of(self.raw, start)
                new_lines = lines.indented_to(moved_lines, column, 0)
                at = self._between(node, start, index)
                self.splice(chain, to[:-1], (index, index), (at, at), new_lines, [(to[-1], data)])
                return
        if moved_lines and not node.items and len(chain) > 1 and not chain[-2][0].flow:
            parent, base = chain[-2]
            column = lines.column_of(self.raw, lines.head(self.raw, parent, base, parent.index(to[-2]))) + 2
            new_lines = self.newline + lines.indented_to(moved_lines, column, 0).rstrip()

            def change(collection: Any, step: Any) -> None:
                collection[step] = {to[-1]: data} if isinstance(to[-1], str) else [data]

            self.rewrite(to[:-1], self.after_sign(parent, base, to[-2]), start + node.size, new_lines, change)
            return
        if commented:
            raise self.refusal(to, "has no place for the comments of the moved value")
        self.insert(to, data)


def _remove(data: Any, step: Any) -> None:
    del data[step]


def _insert(data: Any, step: Any, value: Any, index: int) -> None:
    if isinstance(data, list):
        cast("list[Any]", data).insert(index, value)
        return
    pairs = list(data.items())
    pairs.insert(index, (step, value))
    data.clear()
    data.update(pairs)


def set_value(text: str, path: Steps, value: Any) -> str:
    """Return a manifest's text with the value at a path replaced; see `ManifestText.set`."""
    manifest = ManifestText(text)
    manifest.set(path, value)
    return manifest.text
