"""Replaces one value in a manifest's text; the rest, with comments and layout, stays unchanged.

    text = set_value(text, ("prefabs", "crate", "Body", "mass"), 2.5)

The positions in the parser's events give the span of characters of the old value. The result is parsed
again before it is returned, so that an edit can never break a file.
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
    """Return `text` with the value at a path replaced by a number, text, bool, None, or a list of these.

    Raises UsageError if the path has no value, if the value is an alias or a block of lines, and if the text can't
    be parsed.
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
    """Return the index of the first character of the value at a path, and the index after its last character.

    Raises UsageError in the cases that `set_value` lists.
    """
    if read_yaml(text).problems:
        raise UsageError("the text has mistakes", hint="Fix them first: rish check")
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
    """Return the first event of the value at one step of a path, or None if the step does not exist."""
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
    """Skip a value and return its last event."""
    depth = int(isinstance(event, yaml.CollectionStartEvent))
    while depth:
        event = next(events)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
    return event
