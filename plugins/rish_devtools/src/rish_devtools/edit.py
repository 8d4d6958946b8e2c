"""Editing a manifest's text: one value is replaced, everything else, comments and layout, stays as its author
left it.

    text = set_value(text, ("prefabs", "crate", "Body", "mass"), 2.5)

The marks of the parser's events give the span of characters that the old value takes. The result is read
again before it is handed out, so that an edit can never break a file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import yaml

from rish_core import UsageError
from rish_core.manifest import path_text, read_yaml, written

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ANCHOR = re.compile(r"&\S+\s+")
Steps = tuple[str | int, ...]
"""A path in a document: the key or the index at each step."""


def set_value(text: str, path: Steps, value: Any) -> str:
    """`text` with the value at a path replaced by a number, text, bool, None, or a list of these.

    Raises UsageError where nothing stands at the path, where an alias or a block of lines stands there, and
    where the text can't be read.
    """
    span = find_span(text, path)
    made = text[: span[0]] + written(value) + text[span[1] :]
    document = read_yaml(made)
    node: Any = document.data
    for step in path if not document.problems else ():
        node = node[step]
    wanted: Any = list(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if document.problems or node != wanted:
        raise UsageError(f"{path_text(path)} can't be set to {value!r} here", hint="Edit the text by hand")
    return made


def find_span(text: str, path: Steps) -> tuple[int, int]:
    """The first character of the value at a path, and the one after its last. Raises UsageError."""
    if read_yaml(text).problems:
        raise UsageError("the text has mistakes", hint="Mend them first: rish check")
    events: Iterator[Any] = iter(yaml.parse(io.StringIO(text), Loader=_LOADER))
    event = next(e for e in events if isinstance(e, yaml.NodeEvent))
    for step in path:
        event = _enter(events, event, step)
        if event is None:
            break
    block = getattr(event, "flow_style", True) is False or getattr(event, "style", None) in ("|", ">")
    if event is None or block or isinstance(event, yaml.AliasEvent):
        raise UsageError(f"{path_text(path)} is no single value in the text", hint="Edit the text by hand")
    start: int = event.start_mark.index  # pyright: ignore[reportOptionalMemberAccess]
    if event.anchor is not None:
        anchor = _ANCHOR.match(text, start)
        start = anchor.end() if anchor is not None else start
    return start, _leave(events, event).end_mark.index


def _enter(events: Iterator[Any], event: Any, step: str | int) -> Any:
    """The first event of the value at one step of a path, or None."""
    if isinstance(event, yaml.MappingStartEvent):
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            value = next(events)
            if key.value == step:
                return value
            _leave(events, value)
    elif isinstance(event, yaml.SequenceStartEvent):
        index = 0
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            if index == step:
                return item
            _leave(events, item)
            index += 1
    return None


def _leave(events: Iterator[Any], event: Any) -> Any:
    """Go past a value; gives its last event."""
    depth = int(isinstance(event, yaml.CollectionStartEvent))
    while depth:
        event = next(events)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
    return event
