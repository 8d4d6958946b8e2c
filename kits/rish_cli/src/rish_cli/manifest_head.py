"""Reads of a manifest only what its window needs, in a millisecond and without a check; the game reads it properly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

KEYS = ("game", "plugins", "backend", "settings")
_MAX_BYTES, _MAX_EVENTS, _MAX_DEPTH = 5 * 2**20, 20_000, 16


def read_head(path: Path) -> dict[str, Any]:
    """Return the values of `KEYS` in a game's folder or `game.yaml`, as far as the file can be read.

    A value is a dict, a list, or a text as it is written.
    """
    file = path / "game.yaml" if path.is_dir() else path
    head: dict[str, Any] = {}
    try:
        if file.stat().st_size > _MAX_BYTES:
            return head
        parsed: Any = yaml.parse(file.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        events = itertools.islice(parsed, _MAX_EVENTS)
        begin = next(event for event in events if isinstance(event, yaml.NodeEvent))
        if isinstance(begin, yaml.MappingStartEvent):
            head.update((key, value) for key, value in _pairs(events, 0) if key in KEYS)
    except (OSError, ValueError, StopIteration, RuntimeError, yaml.YAMLError):
        pass  # the game reports what is wrong
    return head


def _pairs(events: Iterator[Any], depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of the mapping that has begun."""
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            return
        if not isinstance(key, yaml.ScalarEvent):
            raise ValueError
        yield key.value, _value(events, next(events), depth)


def _value(events: Iterator[Any], event: Any, depth: int) -> Any:
    """Return the value that begins with an event. Raises ValueError if it is an alias or nested too deeply."""
    if isinstance(event, yaml.ScalarEvent):
        return event.value
    if depth > _MAX_DEPTH or isinstance(event, yaml.AliasEvent):
        raise ValueError
    if isinstance(event, yaml.MappingStartEvent):
        return dict(_pairs(events, depth + 1))
    items = itertools.takewhile(lambda each: not isinstance(each, yaml.SequenceEndEvent), events)
    return [_value(events, each, depth + 1) for each in items]
