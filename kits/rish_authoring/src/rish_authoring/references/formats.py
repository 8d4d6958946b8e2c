"""The strings of a file that name other files, as plugins declare for their formats, and as field types say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from typing import Any

from rish_core import AssetNames, Registry
from rish_core.manifest import FILE_NAME
from rish_ecs.declarations import resource_spec

from .font_strings import BMFONT
from .json_strings import JSON
from .python_strings import PYTHON
from .strings import Syntax
from .xml_strings import XML
from .yaml_strings import YAML

MANIFESTS = FILE_NAME
"""The suffix under which the places in manifests, also in included files, are declared."""
READINGS = ("rooted", "relative", "uris")
"""The ways in which a string names a file, see `Format`."""
_SYNTAXES: Mapping[str, Syntax] = {
    **dict.fromkeys((".yaml", ".yml"), YAML),
    **dict.fromkeys((".json", ".tmj", ".tsj", ".tj", ".ldtk", ".ldtkl", ".gltf"), JSON),
    **dict.fromkeys((".tmx", ".tsx", ".tx", ".xml"), XML),
    ".fnt": BMFONT,
    ".py": PYTHON,
}


def syntax_of(name: str) -> Syntax | None:
    """Return the syntax of a file; None for a file without strings, such as a picture or a sound."""
    suffix = "." + name.rpartition(".")[2].lower()
    return _SYNTAXES.get(suffix)


@dataclass(frozen=True)
class Format:
    """The strings that name other files in a format, as patterns of paths of strings, such as `*/image/source`.

    A path consists of the keys to a string, joined by `/`, without the indices of lists; `*` is any text. rooted: names
    relative to the game's folder, as in manifests. relative: names relative to the folder of the file. uris: relative
    names with escapes, such as `%20` for a space.
    """

    rooted: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    uris: tuple[str, ...] = ()

    def reading(self, path: str) -> str | None:
        """Return how a string at a path names a file: `rooted`, `relative` or `uris`; None if it names none."""
        expressions = self._expressions
        return next((kind for kind, expression in expressions.items() if expression.match(f"/{path}")), None)

    @cached_property
    def _expressions(self) -> dict[str, re.Pattern[str]]:
        kinds = {"rooted": self.rooted, "relative": self.relative, "uris": self.uris}
        return {kind: _any_of(patterns) for kind, patterns in kinds.items() if patterns}


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return an expression that matches a path with a leading `/` by one of the patterns."""
    return re.compile("|".join(translate(each if each.startswith("*") else f"/{each}") for each in patterns))


class Formats:
    """The formats of a game. declared: patterns of plugins by suffix; patterns for the same suffix are joined."""

    def __init__(self, registry: Registry, declared: Iterable[tuple[str, Mapping[str, Iterable[str]]]] = ()) -> None:
        joined: dict[str, dict[str, list[str]]] = {MANIFESTS: {"rooted": ["include", *_typed(registry)]}}
        for suffix, places in declared:
            for kind, patterns in places.items():
                joined.setdefault(suffix, {}).setdefault(kind, []).extend(patterns)
        self._formats = {
            suffix: Format(**{kind: tuple(patterns) for kind, patterns in places.items()})
            for suffix, places in joined.items()
        }

    def of(self, name: str, *, manifest: bool = False) -> Format | None:
        """Return the format of a file; None if nothing is declared. manifest: whether it is a file of the manifest."""
        if manifest:
            return self._formats[MANIFESTS]
        lower = name.rpartition("/")[2].lower()
        fitting = [suffix for suffix in self._formats if suffix != MANIFESTS and lower.endswith(suffix)]
        return self._formats[max(fitting, key=len)] if fitting else None


def _typed(registry: Registry) -> Iterator[str]:
    """Yield the places of all fields that name files: of components, settings, layer options and actions of rules."""
    for full, kind in registry.components.items():
        for name in _fields(kind.fields, registry):
            for component in (kind.name, full):
                yield from (f"*/{component}/{name}", f"*/{component}/{name}/each", f"*{component}.{name}")
    for plugin, spec in registry.settings.items():
        yield from (f"settings/{plugin}/{name}" for name in _fields(spec.fields, registry))
    for key, plugin in registry.manifest_keys.items():
        name = key.rpartition(".")[2]
        spec = registry.settings.get(plugin)
        if spec is not None and name in _fields(spec.fields, registry):
            yield key.replace(".", "/")
    for option, spec in registry.layer_options.items():
        if option in _fields(spec.fields, registry):
            yield f"layers/*/{option}"
    for full, action in registry.of("rish_actions").items():
        yield from _action(full, action, registry)


def _action(full: str, action: Any, registry: Registry) -> Iterator[str]:
    """Yield the places of an action of rules: `play: hit.wav` for its main parameter, `play: {sound: hit.wav}`."""
    spec = resource_spec(action.parameters)
    file_fields = _fields(spec.fields, registry) if spec is not None else []
    main = action.main or next(iter(spec.fields if spec is not None else ()), "")
    for word in (full, full.rpartition(".")[2]):
        yield from (f"*/{word}" if name == main else f"*/{word}/{name}" for name in file_fields)
        yield from (f"*/{name}" for name in file_fields if name != main)  # beside the name of the action
        yield from (f"*/{word}/{name}" for name in file_fields if name == main)


def _fields(fields: Mapping[str, Any], registry: Registry) -> list[str]:
    """Return the fields that name files: assets, and texts with a list of names that consists of files."""
    return [
        name
        for name, spec in fields.items()
        if (spec.type.item or spec.type).special == "asset" or isinstance(registry.names.get(spec.names), AssetNames)
    ]
