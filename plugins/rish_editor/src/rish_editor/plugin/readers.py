"""Readers of the editor's hooks; they check the returned values item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_authoring import READINGS
from rish_core import DeclarationError, Reader, declared_items, declared_mapping, kind_of

from ..look.language import catalogs
from ..session.commands import Command, parse_shortcut
from ..session.files.templates import NAMES, Template

Named = tuple[str, Any]
DOCKS = ("left", "right", "bottom", "center", "float")
"""The places where a panel may stand at first."""
_PANEL_OPTIONS: Mapping[str, Any] = {
    "icon": str, "order": (int, float), "open": bool, "bare": bool, "always": bool, "in_game": bool, "size": tuple,
    "entities": bool,
}  # fmt: skip
_OPTIONS = (
    "title",
    "run",
    "icon",
    "shortcut",
    "menu",
    "when",
    "checked",
    "tooltip",
    "in_game",
    "label",
    "choices",
    "entities",
)


def read_panels(plugin: str, value: Any) -> list[Named]:
    """Read classes of panels, by id."""
    panels: list[Named] = []
    for item in declared_items("rish_editor_panels", value, "classes of panels"):
        wrong = _wrong_panel(plugin, item)
        if wrong is not None:
            hint = "A panel is a class with `id`, `title` and the method `draw(self, ui, editor)`"
            raise DeclarationError(f"rish_editor_panels returned {item!r}: {wrong}", hint=hint)
        panels.append((item.id, item))
    return panels


def _wrong_panel(plugin: str, item: Any) -> str | None:
    if not isinstance(item, type):
        return "this is no class"
    for name in ("id", "title"):
        if not isinstance(getattr(item, name, None), str) or not getattr(item, name):
            return f"its `{name}` must be a text"
    if not item.id.startswith(f"{plugin}."):  # pyright: ignore[reportAttributeAccessIssue]
        return f"its id must begin with '{plugin}.'"
    if not callable(getattr(item, "draw", None)):
        return "it has no method `draw`"
    dock = getattr(item, "dock", "float")
    if dock not in DOCKS:
        return f"its dock {dock!r} is none of {', '.join(DOCKS)}"
    for name, cls in _PANEL_OPTIONS.items():
        value = getattr(item, name, None)
        if value is not None and not isinstance(value, cls):
            return f"its `{name}` is {value!r}"
    return None


def _read_drawers(hook: str, value: Any, arguments: str, *, bases: bool = False) -> list[Named]:
    """Read drawers by component. bases: whether a class that components derive from may be a key too."""
    drawers: list[Named] = []
    if not isinstance(value, Mapping):
        raise DeclarationError(f"{hook} returned {value!r}, expected {{component: function}}")
    for cls, drawer in value.items():
        if not _may_have_drawer(cls, bases):
            raise DeclarationError(f"{hook} returned the key {cls!r}, expected a class marked @component")
        if not callable(drawer):
            raise DeclarationError(f"{hook} returned {drawer!r} for {cls.__name__}, expected a function {arguments}")
        drawers.append((f"{cls.__module__}.{cls.__qualname__}", (cls, drawer)))
    return drawers


def _may_have_drawer(cls: Any, bases: bool) -> bool:
    """Return whether a key is a component, or a class without a kind that components derive from."""
    if not isinstance(cls, type):
        return False
    return kind_of(cls).category == "component" if hasattr(cls, "__kind__") else bases


def read_inspectors(plugin: str, value: Any) -> list[Named]:
    """Read the drawers of components for the inspector."""
    return _read_drawers("rish_editor_inspectors", value, "(ui, editor, target)", bases=True)


def read_gizmos(plugin: str, value: Any) -> list[Named]:
    """Read the drawers of components for the scene view; several plugins may draw one component."""
    drawers = _read_drawers("rish_editor_gizmos", value, "(scene, editor, handles)")
    return [(f"{plugin}:{name}", item) for name, item in drawers]


def read_spawners(plugin: str, value: Any) -> list[Named]:
    """Read what spawns the content of files, by component."""
    hook, spawners = "rish_editor_spawners", list[Named]()
    for cls, item in value.items() if isinstance(value, Mapping) else ():
        pair: Any = item
        if not _may_have_drawer(cls, False):
            raise DeclarationError(f"{hook} returned the key {cls!r}, expected a class marked @component")
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise DeclarationError(f"{hook} returned {pair!r} for {cls.__name__}, expected (field, function)")
        if pair[0] not in kind_of(cls).fields:
            raise DeclarationError(f"{hook}: {cls.__name__} has no field {pair[0]!r}")
        spawners.append((f"{cls.__module__}.{cls.__qualname__}", (cls, pair)))
    if not isinstance(value, Mapping):
        raise DeclarationError(f"{hook} returned {value!r}, expected {{component: (field, function)}}")
    return spawners


def read_commands(plugin: str, value: Any) -> list[Named]:
    """Read commands, by id."""
    commands: list[Named] = []
    for name, options in declared_mapping("rish_editor_commands", value, "a mapping of options", _is_mapping):
        where = f"rish_editor_commands: {name!r}"
        for option in options:
            if option not in _OPTIONS:
                raise DeclarationError(f"{where} has no option {option!r}", given=option, choices=_OPTIONS)
        if not isinstance(options.get("title"), str) or not callable(options.get("run")):
            raise DeclarationError(f"{where} needs `title`, a text, and `run`, a function of the editor")
        for option in ("when", "checked", "label", "choices"):
            if option in options and not callable(options[option]):
                raise DeclarationError(f"{where}: `{option}` must be a function of the editor")
        if options.get("shortcut") and parse_shortcut(options["shortcut"]) is None:
            raise DeclarationError(f"{where}: {options['shortcut']!r} is no shortcut", hint="Write it as in Ctrl+B")
        commands.append((name, Command(name, **options)))
    return commands


_TEMPLATE_OPTIONS: Mapping[str, Any] = {
    "title": str, "icon": str, "file": str, "text": (str, Callable), "key": str, "value": object, "edit": Callable,
    "about": str, "make": Callable, "when": Callable,
    "name": str, "names": str, "check": Callable, "plugins": (list, tuple), "declare": Mapping, "add": Mapping,
    "set": Mapping, "then": Callable,
}  # fmt: skip


def read_templates(plugin: str, value: Any) -> list[Named]:
    """Read kinds of new assets, by id."""
    templates: list[Named] = []
    for name, options in declared_mapping("rish_editor_templates", value, "a mapping of options", _is_mapping):
        where = f"rish_editor_templates: {name!r}"
        if not name.startswith(f"{plugin}."):
            raise DeclarationError(f"{where}: the id must begin with '{plugin}.'")
        for option, setting in options.items():
            if option not in _TEMPLATE_OPTIONS:
                raise DeclarationError(f"{where} has no option {option!r}", given=option, choices=_TEMPLATE_OPTIONS)
            if not isinstance(setting, _TEMPLATE_OPTIONS[option]):
                raise DeclarationError(f"{where}: `{option}` is {setting!r}")
        if not options.get("title") or not {"file", "key", "edit"} & {*options}:
            raise DeclarationError(f"{where} needs `title`, and `file`, `key` or `edit`")
        if options.get("names", "file") not in NAMES:
            raise DeclarationError(f"{where}: `names`", given=options["names"], choices=NAMES)
        plugins = tuple(options.get("plugins", ()))
        templates.append((name, Template(id=name, plugin=plugin, **{**options, "plugins": plugins})))
    return templates


def read_texts(plugin: str, value: Any) -> list[Named]:
    """Read translations, by plugin and language. value: by language, or a folder of files."""
    if isinstance(value, str | Path):
        if not Path(value).is_dir():
            raise DeclarationError(f"rish_editor_texts returned {str(value)!r}, which is no folder")
        value = catalogs(Path(value))
    translations = declared_mapping("rish_editor_texts", value, "{English text: translation}", _is_mapping)
    return [(f"{plugin}:{language}", (language, dict(texts))) for language, texts in translations]


def read_references(plugin: str, value: Any) -> list[Named]:
    """Read where files name others, by plugin and suffix."""
    references: list[Named] = []
    for suffix, places in declared_mapping("rish_editor_references", value, "{how: patterns}", _is_mapping):
        for how, patterns in places.items():
            where = f"rish_editor_references: {suffix!r}"
            if how not in READINGS:
                raise DeclarationError(f"{where} has no {how!r}", given=how, choices=READINGS)
            if not isinstance(patterns, (list, tuple)) or not all(isinstance(each, str) for each in patterns):
                raise DeclarationError(f"{where}: `{how}` is {patterns!r}, expected a list of patterns")
        references.append((f"{plugin}:{suffix}", (suffix, {how: tuple(each) for how, each in places.items()})))
    return references


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


READERS: Mapping[str, Reader] = {
    "rish_editor_panels": Reader("panel", read_panels),
    "rish_editor_inspectors": Reader("inspector", read_inspectors),
    "rish_editor_gizmos": Reader("gizmo", read_gizmos),
    "rish_editor_commands": Reader("command", read_commands),
    "rish_editor_spawners": Reader("spawner", read_spawners),
    "rish_editor_templates": Reader("template", read_templates),
    "rish_editor_texts": Reader("texts", read_texts),
    "rish_editor_references": Reader("names of files", read_references),
}
"""The readers of the editor's declaring hooks, by hook."""
