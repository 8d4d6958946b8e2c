"""Random edit scripts, applied to a `ManifestText` and to plain data."""

from __future__ import annotations

import copy
import random
from typing import Any

import yaml

from rish_authoring import ManifestText
from rish_core import UsageError

VALUES: list[Any] = [
    1, 2.5, "a b", "x: y", True, None, [1, 2], {"a": 1, "b": [1, 2]}, [], {}, "# no", "true", "lines\nof text",
    {"prefab": "x", "children": [{"name": "q"}, {"Body": {"mass": 1}}]}, [{"a": 1}, {"b": 2}], "日本",
]  # fmt: skip


def paths_in(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values below the top."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [found for step, value in pairs for found in ((*path, step), *paths_in(value, (*path, step)))]


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """Return the value at a path."""
    for step in path:
        data = data[step]
    return data


def random_edit(rng: random.Random, text: ManifestText) -> tuple[Any, tuple[Any, ...] | None]:
    """Apply one random edit; return the data that the text must have now, and the path of the edit.

    The path is None if the edit was refused, and empty if it moved an item.
    """
    wanted = copy.deepcopy(text.get())
    path, value = rng.choice(paths_in(wanted)), copy.deepcopy(rng.choice(VALUES))
    kind = rng.choice(["set", "insert", "delete", "rename", "move"])
    before = text.text
    try:
        _edit(rng, kind, text, wanted, path, value)
    except UsageError:
        assert text.text == before
        return text.get(), None
    return wanted, path[:-1] if kind == "insert" else () if kind == "move" else path


def lines_of(text: str, path: tuple[Any, ...]) -> range:
    """Return the numbers of the lines of an item, from the line before its comments to the line of the next item."""
    node: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    first, end = 0, text.count("\n") + 1
    for step in path:
        if isinstance(node, yaml.MappingNode):
            pairs = node.value
            number = next(k for k, (key, _) in enumerate(pairs) if key.value == str(step))
        else:
            pairs, number = [(value, value) for value in node.value], step
        first = pairs[number][0].start_mark.line
        if number + 1 < len(pairs):
            end = pairs[number + 1][0].start_mark.line + 1
        node = pairs[number][1]
    lines = text.split("\n")
    while first > 0 and lines[first - 1].strip().startswith("#"):
        first -= 1
    return range(first - 1, end)


def _edit(rng: random.Random, kind: str, text: ManifestText, wanted: Any, path: tuple[Any, ...], value: Any) -> None:
    above, step = at(wanted, path[:-1]), path[-1]
    match kind:
        case "set":
            text.set(path, value)
            above[step] = value
        case "insert" if isinstance(above, list):
            index = rng.randrange(len(above) + 1)
            text.insert((*path[:-1], index), value)
            above.insert(index, value)
        case "insert":
            text.insert((*path[:-1], "new key"), value)
            above["new key"] = value
        case "delete":
            text.delete(path)
            del above[step]
        case "rename":
            text.rename_key(path, "other: key")
            pairs = [("other: key" if key == step else key, inner) for key, inner in above.items()]
            above.clear()
            above.update(pairs)
        case "move":
            _move(rng, text, wanted, above, path)


def _move(rng: random.Random, text: ManifestText, wanted: Any, above: Any, path: tuple[Any, ...]) -> None:
    value = above[path[-1]]
    del above[path[-1]]
    places = [found for found in ((), *paths_in(wanted)) if isinstance(at(wanted, found), (dict, list))]
    place = rng.choice(places)
    into = at(wanted, place)
    if isinstance(into, list):
        index = rng.randrange(len(into) + 1)
        into.insert(index, value)
        text.move(path, (*place, index))
    else:
        key = next(
            name for name in (path[-1], "moved", "moved 2", "moved 3") if isinstance(name, str) and name not in into
        )
        into[key] = value
        text.move(path, (*place, key))
