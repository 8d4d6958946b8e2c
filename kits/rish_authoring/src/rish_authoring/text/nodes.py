"""The values of a YAML text with their spans of characters, as a tree.

Positions are relative to the parent, so that an edit changes only the positions in its ancestors, and a long text need
not be parsed again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from rish_core import UsageError
from rish_core.manifest import read_yaml, resolve

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PREFIX = re.compile(r"&\S+\s+")
Steps = tuple[str | int, ...]
"""A path in a document: the key or the index at each step."""


@dataclass(eq=False)
class Node:
    """A value in the text.

    kind: `map`, `list`, `scalar` or `alias`. start: its position, relative to the start of the parent. size: its length
    in characters, without comments after it. flow: whether a collection has brackets, or a scalar is in one line.
    value: the value of a scalar. keys, items: the keys of a map, and the children. anchor: whether the value has an
    anchor, which is not part of the span. owner: identifies the only document that uses the children; None if several
    may.
    """

    kind: str
    start: int
    size: int = 0
    flow: bool = True
    value: Any = None
    keys: list[Node] = field(default_factory=list["Node"])
    items: list[Node] = field(default_factory=list["Node"])
    anchor: bool = False
    owner: object = None

    def index(self, step: str | int) -> int:
        """Return the index of a key, or of an item; -1 if there is none."""
        if self.kind == "map":
            return next((i for i, key in enumerate(self.keys) if key.value == step), -1)
        exists = self.kind == "list" and isinstance(step, int) and 0 <= step < len(self.items)
        return step if exists and isinstance(step, int) else -1

    def data(self) -> Any:
        """Return the value as plain data. An alias becomes a tuple with its name."""
        if self.kind == "map":
            return {key.value: item.data() for key, item in zip(self.keys, self.items, strict=True)}
        if self.kind == "list":
            return [item.data() for item in self.items]
        return (self.value,) if self.kind == "alias" else self.value

    def linked(self) -> bool:
        """Return whether the value contains an anchor or an alias."""
        return self.anchor or self.kind == "alias" or any(item.linked() for item in self.items)


def parse(text: str, file: str) -> Node:
    """Return the root node of a text. file: its name in messages. Raises UsageError for a text with mistakes."""
    problems = read_yaml(text, file).problems
    if problems:
        raise UsageError(f"the text has mistakes: {problems[0]}", hint="Fix them first: rish check")
    events: Iterator[Any] = iter(yaml.parse(io.StringIO(text), Loader=_LOADER))
    event = next(e for e in events if isinstance(e, yaml.NodeEvent))
    return _read(events, event, text, 0)


def _read(events: Iterator[Any], event: Any, text: str, base: int) -> Node:
    """Return the node that begins with an event. events: the events after it. base: the position of the parent."""
    start = int(event.start_mark.index)
    if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
        prefix = _PREFIX.match(text, start)
        start = prefix.end() if prefix is not None else start
    node = Node("scalar", start - base, anchor=event.anchor is not None)
    if isinstance(event, yaml.CollectionStartEvent):
        node.flow = bool(event.flow_style)
        node.kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        _read_items(events, node, text, start)
    elif isinstance(event, yaml.AliasEvent):
        node.kind, node.size, node.anchor, node.value = "alias", _stop(event) - start, False, event.anchor
    else:
        node.flow = event.style not in ("|", ">")
        node.value = resolve(event.value) if event.implicit[0] else event.value
        node.size = _end(text, start, _stop(event), node.flow) - start
    return node


def _read_items(events: Iterator[Any], node: Node, text: str, start: int) -> None:
    """Read the children of a collection."""
    end = start
    while not isinstance(event := next(events), yaml.CollectionEndEvent):
        if node.kind == "map":
            key = _read(events, event, text, start)
            key.value = event.value
            node.keys.append(key)
            end = text.index(":", start + key.start + key.size) + 1
            event = next(events)
        item = _read(events, event, text, start)
        if item.kind == "scalar" and not item.size and not item.anchor:
            item.start = (end if node.kind == "map" else _after_dash(text, end, start + item.start)) - start
        node.items.append(item)
        end = start + item.start + item.size
    node.size = (_stop(event) if node.flow else end) - start


def _stop(event: Any) -> int:
    """Return the position after an event."""
    return event.end_mark.index


def _after_dash(text: str, low: int, start: int) -> int:
    """Return the position of an empty item, which is after its dash."""
    dash = text.rfind("-", low, start)
    return dash + 1 if dash >= 0 else start


def _end(text: str, start: int, end: int, flow: bool) -> int:
    """Return the end of a scalar without the blank lines between a block scalar and the next value."""
    if flow:
        return end
    if "+" in text[start : text.find("\n", start)].partition("#")[0]:
        return end - 1 if text[end - 1 : end] == "\n" else end
    return start + len(text[start:end].rstrip())
