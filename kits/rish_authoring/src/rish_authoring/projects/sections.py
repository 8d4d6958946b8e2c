"""Edits of the sections of a manifest: title, plugins, layers, scenes, prefabs, settings.

Each function changes a `GameText`, keeps its comments, and returns the texts of all files. Use them with
`Project.edit`:

    project.edit(lambda text: set_setting(text, "physics", "gravity", [0, -400]))
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from rish_core import UnknownName, UsageError

from ..text.game_text import GameText
from ..text.nodes import Steps

_NAME = re.compile(r"[^\W\d][\w-]*\Z")
Texts = dict[Path, str]
"""The texts of all files of a manifest."""


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _section(text: GameText, name: str) -> Any:
    return text.get((name,)) if text.has((name,)) else None


def _require(text: GameText, section: str, name: str) -> None:
    """Raise UnknownName for a name that a section does not have."""
    names = [*_mapping(_section(text, section))]
    if name not in names:
        raise UnknownName(f"{section} has no {name!r}", given=name, choices=names)


def require_new(text: GameText, section: str, name: str, taken: Collection[str] = ()) -> None:
    """Raise UsageError for a name that is not possible, or that a section has already. taken: further names."""
    if not _NAME.match(name):
        raise UsageError(f"{name!r} is no name in {section}", hint="Use letters, digits, '_' and '-'")
    if name in taken or name in _mapping(_section(text, section)):
        raise UsageError(f"{section} has {name!r} already", hint="Choose another name")


def _put(text: GameText, path: Steps, value: Any) -> Texts:
    text.of(path).put(path, value)
    return text.plain


def _delete(text: GameText, path: Steps) -> Texts:
    text.of(path).delete(path)
    return text.plain


# The game


def set_title(text: GameText, title: str) -> Texts:
    """Set the title of the window; it is shown when the game is opened again."""
    return _put(text, ("game", "title"), title)


def set_size(text: GameText, width: int, height: int) -> Texts:
    """Set the size of the picture in units. Raises UsageError if a number is below 1."""
    if min(width, height) < 1:
        raise UsageError(f"{width} x {height} is no size", hint="Give whole numbers from 1 up")
    return _put(text, ("game", "size"), [width, height])


def set_setting(text: GameText, plugin: str, key: str, value: Any) -> Texts:
    """Set a setting of a plugin; None removes it, so that the plugin's default holds."""
    path = ("settings", plugin, key)
    if value is not None:
        return _put(text, path, value)
    return _delete(text, path) if text.has(path) else text.plain


# Plugins and layers, which are lists


def _name_of(item: Any) -> str:
    """Return the name of a plugin or layer: `wind? >=0.2` is wind."""
    entry = next(iter(_mapping(item)), str(item))
    return re.split(r"[\s?=<>!~]", entry.strip(), maxsplit=1)[0]


def _index(text: GameText, section: str, name: str) -> int:
    """Return the index of a plugin or layer. Raises UnknownName."""
    names = [_name_of(item) for item in _items(_section(text, section))]
    if name not in names:
        raise UnknownName(f"{section} has no {name!r}", given=name, choices=names)
    return names.index(name)


def _add(text: GameText, section: str, item: Any, at: int | None) -> Texts:
    """Insert a plugin or layer. at: its index, None: the end. Raises UsageError if the name is taken."""
    items = _items(_section(text, section))
    if _name_of(item) in map(_name_of, items):
        raise UsageError(f"{section} has {_name_of(item)!r} already", hint="Choose another one")
    if not items:
        return _put(text, (section,), [item])
    text.of((section,)).insert((section, len(items) if at is None else min(at, len(items))), item)
    return text.plain


def plugin_names(text: GameText) -> list[str]:
    """Return the plugins that a text names, without marks and versions."""
    return [*map(_name_of, _items(_section(text, "plugins")))]


def add_plugin(text: GameText, plugin: str) -> Texts:
    """Add a plugin such as `audio? >=0.2`, before optional ones at the end. Raises UsageError if it is there."""
    items = _items(_section(text, "plugins"))
    at = len(items)
    while at and "?" in str(items[at - 1]) and "?" not in plugin:
        at -= 1
    return _add(text, "plugins", plugin, at)


def remove_plugin(text: GameText, plugin: str) -> Texts:
    """Remove a plugin. Raises UnknownName."""
    return _delete(text, ("plugins", _index(text, "plugins", plugin)))


def add_layer(text: GameText, layer: str, at: int | None = None, **options: Any) -> Texts:
    """Add a layer. at: its index, None: the top. options: its settings. Raises UsageError for a taken name."""
    return _add(text, "layers", {layer: options} if options else layer, at)


def remove_layer(text: GameText, layer: str) -> Texts:
    """Remove a layer. Raises UnknownName."""
    return _delete(text, ("layers", _index(text, "layers", layer)))


def move_layer(text: GameText, layer: str, at: int) -> Texts:
    """Move a layer to another index; 0 is the bottom. Raises UnknownName."""
    text.of(("layers",)).move(("layers", _index(text, "layers", layer)), ("layers", at))
    return text.plain


# Scenes and prefabs


def add_scene(text: GameText, name: str) -> Texts:
    """Add an empty scene. Raises UsageError for a name that is taken or not possible."""
    require_new(text, "scenes", name)
    return _put(text, ("scenes", name), [])


def rename_scene(text: GameText, name: str, new: str) -> Texts:
    """Rename a scene; code that names it is not changed. Raises UnknownName and UsageError."""
    _require(text, "scenes", name)
    require_new(text, "scenes", new)
    text.of(("scenes", name)).rename_key(("scenes", name), new)
    for key in ("scene", "demo"):
        if _section(text, key) == name:
            _put(text, (key,), new)
    return text.plain


def delete_scene(text: GameText, name: str) -> Texts:
    """Delete a scene, and the keys `scene` and `demo` that name it.

    Raises UnknownName, and UsageError for the only scene.
    """
    _require(text, "scenes", name)
    if len(text.get(("scenes",))) == 1:
        raise UsageError(f"{name!r} is the only scene", hint="Add another scene first")
    for key in ("scene", "demo"):
        if _section(text, key) == name:
            _delete(text, (key,))
    return _delete(text, ("scenes", name))


def set_first_scene(text: GameText, name: str) -> Texts:
    """Set the scene with which the game begins. Raises UnknownName."""
    _require(text, "scenes", name)
    return _put(text, ("scene",), name)


def rename_prefab(text: GameText, name: str, new: str) -> Texts:
    """Rename a prefab and all uses of it; code that names it is not changed. Raises UnknownName and UsageError."""
    _require(text, "prefabs", name)
    require_new(text, "prefabs", new)
    text.of(("prefabs", name)).rename_key(("prefabs", name), new)
    for path in _uses(text, name):
        text.of(path).set(path, new)
    return text.plain


def delete_prefab(text: GameText, name: str) -> Texts:
    """Delete a prefab. Raises UnknownName, and UsageError if an entry uses it."""
    _require(text, "prefabs", name)
    uses = _uses(text, name)
    if uses:
        where = ".".join(map(str, uses[0][:3]))
        raise UsageError(f"{name!r} is used {len(uses)} times, first in {where}", hint="Unpack or delete these first")
    return _delete(text, ("prefabs", name))


def _uses(text: GameText, prefab: str) -> list[Steps]:
    """Return the paths of all keys `prefab` that name a prefab."""
    paths: list[Steps] = []

    def look(entry: dict[str, Any], path: Steps) -> None:
        if entry.get("prefab") == prefab:
            paths.append((*path, "prefab"))
        for index, child in enumerate(_items(entry.get("children"))):
            look(_mapping(child), (*path, "children", index))

    for manifest in text.texts.values():
        data = _mapping(manifest.get())
        for name, entry in _mapping(data.get("prefabs")).items():
            look(_mapping(entry), ("prefabs", name))
        for name, entries in _mapping(data.get("scenes")).items():
            for index, entry in enumerate(_items(entries)):
                look(_mapping(entry), ("scenes", name, index))
    return paths
