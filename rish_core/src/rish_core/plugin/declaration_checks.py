"""Checks the return values of the declaring hooks, item by item.

A wrong return value is the most common mistake of plugin authors (a class without its decorator, a single item instead
of a list). So each error says what was returned, what was expected and what to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from rish_ecs import DeclarationError, place_of, repr_of
from rish_ecs.declarations import Kind, SystemSpec, resource_spec, system_spec

from ..loop.layers import Layer
from ..loop.order import BoundSystem

Named = tuple[str, Any]
"""The name of a declared item, and the item."""


@dataclass(frozen=True)
class Reader:
    """The function that checks the results of a declaring hook and splits them into named items.

    word: the word for one item in messages, such as `backend`; "" if the names themselves begin with it, as in `pass
    main`. read: takes the plugin's name and its result and returns the items with their names; raises DeclarationError
    for an invalid result. Two plugins may not declare the same name.
    """

    word: str
    read: Callable[[str, Any], list[Named]]


def read_resources(plugin: str, value: Any) -> list[Named]:
    """Return the specs of classes marked @resource and the kinds of classes marked @table."""
    named: list[Named] = []
    for item in declared_items("rish_resources", value, "classes marked @resource or @table"):
        spec = resource_spec(item) or _kind(item)
        if spec is None or (isinstance(spec, Kind) and spec.category != "table"):
            raise _unfit("rish_resources", item, "a class marked @resource or @table", _mark_hint(item, "@resource"))
        named.append((f"{plugin}.{spec.name}", spec))
    return named


def read_systems(plugin: str, value: Any) -> list[Named]:
    """Return the functions marked @system, bound to their plugin."""
    named: list[Named] = []
    for item in declared_items("rish_systems", value, "functions marked @system"):
        spec = system_spec(item)
        if not isinstance(spec, SystemSpec):
            hint = "Write @system(Stage.UPDATE) above it" if callable(item) else None
            raise _unfit("rish_systems", item, "a function marked @system", hint)
        bound = BoundSystem.of(plugin, spec)
        named.append((bound.name, bound))
    return named


def read_loaders(plugin: str, value: Any) -> list[Named]:
    """Return loaders, by suffix."""
    named = list(declared_mapping("rish_loaders", value, "a function of a path", callable))
    for suffix, _ in named:
        if not suffix.startswith(".") or suffix != suffix.lower() or len(suffix) < 2:
            hint = f"Write '.{suffix.strip('.').lower()}'" if suffix.strip(".") else None
            raise DeclarationError(
                f"rish_loaders returned the suffix {suffix!r}, expected lower case after a dot", hint=hint
            )
    return named


def read_manifest_keys(plugin: str, value: Any) -> list[Named]:
    """Return keys of the manifest, each with the plugin whose settings it sets."""
    named: list[Named] = []
    for item in declared_items("rish_manifest_keys", value, "keys such as 'game.size'"):
        if not isinstance(item, str) or not all(part.isidentifier() for part in item.split(".")):
            raise _unfit("rish_manifest_keys", item, "a key such as 'game.size'", None)
        named.append((item, plugin))
    return named


def read_layer_options(plugin: str, value: Any) -> list[Named]:
    """Return the layer options, which are the fields of one class, each with the spec of this class."""
    [(_, spec)] = _one_resource("rish_layer_options", plugin, value)
    return [(name, spec) for name in spec.fields]


def _one_resource(hook: str, plugin: str, value: Any) -> list[Named]:
    spec = resource_spec(value)
    if spec is None:
        raise _unfit(hook, value, "one class marked @resource", _mark_hint(value, "@resource"))
    return [(plugin, spec)]


def _kinds(hook: str, category: str, plugin: str, value: Any) -> list[Named]:
    named: list[Named] = []
    for item in declared_items(hook, value, f"classes marked @{category}"):
        kind = _kind(item)
        if kind is None or kind.category != category:
            raise _unfit(hook, item, f"a class marked @{category}", _mark_hint(item, f"@{category}"))
        named.append((f"{plugin}.{kind.name}", kind))
    return named


def _kind(item: Any) -> Kind | None:
    """Return the kind of a declared class itself, not that of a base class, or None."""
    kind = item.__dict__.get("__kind__") if isinstance(item, type) else None
    return kind if isinstance(kind, Kind) else None


def declared_items(hook: str, value: Any, expected: str) -> Iterable[Any]:
    """Return the items of a hook's list. Raises DeclarationError for another type. expected: a plural for messages."""
    if not isinstance(value, (list, tuple)):
        hint = "Put it in a list: return [...]"
        raise DeclarationError(f"{hook} returned {_shown(value)}, expected a list of {expected}", hint=hint)
    return cast("Iterable[Any]", value)


def declared_instances(hook: str, value: Any, types: tuple[type, ...], expected: str) -> list[Named]:
    """Return (item.name, item) for each item of a hook's list. Raises DeclarationError for an item not of `types`."""
    named: list[Named] = []
    for item in declared_items(hook, value, expected):
        if not isinstance(item, types):
            raise _unfit(hook, item, f"a {expected}", None)
        named.append((item.name, item))
    return named


def declared_mapping(hook: str, value: Any, expected: str, fits: Callable[[Any], bool]) -> Iterable[Named]:
    """Yield the (name, value) pairs of a hook's mapping. Raises DeclarationError for a value that `fits` rejects."""
    if not _is_mapping(value):
        raise DeclarationError(f"{hook} returned {_shown(value)}, expected {{name: {expected}}}")
    for name, item in cast("Mapping[Any, Any]", value).items():
        if not isinstance(name, str) or not name:
            raise DeclarationError(f"{hook} returned the name {name!r}, expected a text")
        if not fits(item):
            raise DeclarationError(f"{hook} returned {_shown(item)} for '{name}', expected {expected}")
        yield name, item


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _unfit(hook: str, item: Any, expected: str, hint: str | None) -> DeclarationError:
    return DeclarationError(f"{hook} returned {_shown(item)}, expected {expected}", hint=hint)


def _mark_hint(item: Any, mark: str) -> str | None:
    if isinstance(item, type):
        other = _kind(item)
        if other is not None and f"@{other.category}" != mark:
            return f"It is marked @{other.category}: return it from {_HOOK_OF[other.category]}"
        if resource_spec(item) is not None:
            return "It is marked @resource: return it from rish_resources or rish_settings"
        return f"Write {mark} above the class"
    return f"Return the class, {type(item).__name__}" if _kind(type(item)) or resource_spec(type(item)) else None


_HOOK_OF = {"component": "rish_components", "event": "rish_events", "table": "rish_resources"}


def _shown(value: Any) -> str:
    """Return a phrase for a value, for messages: its type and text, or the name and place of a class or function."""
    if isinstance(value, type):
        return f"the class {value.__name__} ({place_of(value)})"
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__} ({place_of(value)})"
    text = repr_of(value)
    return f"a {type(value).__name__}, {text if len(text) <= 60 else text[:57] + '...'}"


def _read_prefabs(plugin: str, value: Any) -> list[Named]:
    return list(declared_mapping("rish_prefabs", value, "{Component: {field: value}}", _is_mapping))


def _read_names(plugin: str, value: Any) -> list[Named]:
    return list(declared_mapping("rish_names", value, "a function of the world", callable))


READERS: Mapping[str, Reader] = {
    "rish_settings": Reader("settings", partial(_one_resource, "rish_settings")),
    "rish_components": Reader("component", partial(_kinds, "rish_components", "component")),
    "rish_resources": Reader("resource", read_resources),
    "rish_events": Reader("event", partial(_kinds, "rish_events", "event")),
    "rish_systems": Reader("system", read_systems),
    "rish_layers": Reader("layer", lambda plugin, value: declared_instances("rish_layers", value, (Layer,), "Layer")),
    "rish_layer_options": Reader("option of layers", read_layer_options),
    "rish_manifest_keys": Reader("key of the manifest", read_manifest_keys),
    "rish_loaders": Reader("loader", read_loaders),
    "rish_prefabs": Reader("prefab", _read_prefabs),
    "rish_names": Reader("list of names", _read_names),
}
"""The kernel's declaring hooks, whose results the registry stores. Plugins add theirs with `hookspec(reads=...)`."""
