"""The strings of YAML: values and keys of any style, found by the parser's events."""

from __future__ import annotations

import io
import json
from typing import Any

import yaml

from rish_core.manifest import read_yaml, resolve, written

from .strings import String, Syntax, joined

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KEY = "key"
"""The kind of a string that is a key."""


def _scan(text: str) -> list[String]:
    document = read_yaml(text)  # refuses what would exhaust the parser
    if document.problems:
        raise ValueError(str(document.problems[0]))
    strings: list[String] = []
    keys: list[str | None] = []
    waiting: list[bool] = []  # by open collection: whether a key comes next; False in lists
    for event in yaml.parse(io.StringIO(text), Loader=_LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            waiting.pop()
            keys.pop()
        elif isinstance(event, yaml.ScalarEvent):
            if waiting and waiting[-1]:
                keys[-1] = str(event.value)
                waiting[-1] = False
                strings.append(_string(text, event, keys, KEY))
                continue
            if not event.implicit[0] or isinstance(resolve(event.value), str):
                strings.append(_string(text, event, keys, event.style or ""))
        if isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent, yaml.CollectionEndEvent)):
            if keys and keys[-1] is not None:
                waiting[-1] = True
        elif isinstance(event, yaml.CollectionStartEvent):
            mapping = isinstance(event, yaml.MappingStartEvent)
            waiting.append(mapping)
            keys.append("" if mapping else None)
    return strings


def _string(text: str, event: Any, keys: list[str | None], kind: str) -> String:
    start, end = event.start_mark.index, event.end_mark.index
    raw = text[start:end]
    if raw.startswith(("&", "!")):  # an anchor or a tag is no part of the value
        start += len(raw) - len(raw.partition(" ")[2].lstrip())
    end = start + len(text[start:end].rstrip())
    return String(joined(key for key in keys if key is not None), str(event.value), start, end, kind)


def _quote(value: str, string: String, raw: str) -> str:
    if string.kind == "'":
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value, ensure_ascii=False) if string.kind == '"' else written(value)


YAML = Syntax(_scan, _quote)
"""Manifests, presets, clips, themes and other files of Rish."""
