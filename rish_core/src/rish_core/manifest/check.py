"""The complete check of a manifest against the loaded plugins; it collects all mistakes.

`check_manifest` returns the list of mistakes. `compile_manifest` does the same checks and returns the results:
settings, and the plans of scenes and prefabs with checked values, so that spawning them later can't fail.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Protocol, get_type_hints

import numpy as np

from rish_ecs import Problem
from rish_ecs.declarations import ResourceSpec

from ..common.names import Persistent
from ..errors import ManifestError
from .entries import EntryReader
from .manifest import Manifest
from .nodes import MAX_PROBLEMS, Mark, YamlList, YamlMap
from .optional import Components, OptionalNames
from .placing import MAX_COPIES
from .plan import SpawnPlan
from .prefabs import MAX_NODES, Node, PrefabLibrary, raw_prefabs
from .progress import PROGRESS_INTERVAL, tell_progress
from .scenes import CompiledManifest
from .schema import FieldsReader, Ref, Scope
from .structure import DEFAULT_LAYERS, SECTIONS, game_schema, keys_of, layer_schema
from .validate import Report, ReportFull, Steps

_KEY, _OPTION = "key of the manifest", "option of layers"
"""The words for these items in `Registry.owners`."""


class RegistryLike(Components, Protocol):
    """The members of `Registry` that a check uses."""

    @property
    def settings(self) -> Mapping[str, ResourceSpec]: ...  # noqa: D102
    @property
    def prefabs(self) -> Mapping[str, Mapping[str, Any]]: ...  # noqa: D102
    @property
    def layers(self) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def layer_options(self) -> Mapping[str, ResourceSpec]: ...  # noqa: D102
    @property
    def manifest_keys(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def view_owners(self) -> frozenset[str]: ...  # noqa: D102
    def of(self, hook: str) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def others(self) -> Sequence[Any]: ...  # noqa: D102


def check_manifest(manifest: Manifest, registry: RegistryLike) -> list[Problem]:
    """Return all mistakes of a manifest, sorted by place."""
    compiler = _Compiler(manifest, registry)
    with suppress(ReportFull):
        compiler.compile()
    return compiler.report.problems


def compile_manifest(
    manifest: Manifest, registry: RegistryLike, previous: CompiledManifest | None = None
) -> CompiledManifest:
    """Check a manifest and return its plans and settings. Raises ManifestError with all mistakes.

    previous: the result for an earlier manifest with an equivalent registry. If its manifest is the same object, all
    scenes and prefabs are reused; otherwise only the entries that are the same objects.
    """
    compiler = _Compiler(manifest, registry, previous)
    try:
        if previous is not None and previous.manifest is manifest:
            compiled = compiler.reuse(previous)
        else:
            compiled = compiler.compile()
    except ReportFull:
        raise ManifestError(compiler.report.problems) from None
    if compiler.report:
        raise ManifestError(compiler.report.problems)
    return compiled


def settings_reader(plugin: str, spec: ResourceSpec, used: Collection[str] | None = None) -> FieldsReader:
    """Return the reader of a plugin's settings; fields with column types are read like those of components.

    used: the fields that will be read; None: all. Those of them without a column type are checked by their annotations.
    """
    others = [f.name for f in dataclasses.fields(spec.cls) if f.name not in spec.fields]
    checked_fields = [name for name in others if (used is None or name in used) and spec.hints[name] is not Any]
    extra: dict[str, Any] = {key: {"type": "any"} for key in others}
    if checked_fields:
        hints = get_type_hints(spec.cls, include_extras=True)
        extra.update({name: _schema_of(hints[name]) for name in checked_fields})
    return FieldsReader(f"settings.{plugin}", spec.fields, extra=extra)


def _schema_of(hint: Any) -> Any:
    """Return the schema of pydantic-core for a type; pydantic, which takes 50 ms to import, makes all but these."""
    from pydantic_core import core_schema as cs

    text = cs.str_schema()
    for plain, schema in ((str, text), (list[str], cs.list_schema(text)), (dict[str, Any], cs.dict_schema(text))):
        if hint == plain:
            return schema
    from pydantic import TypeAdapter

    return TypeAdapter(hint).core_schema


class _Compiler:
    """Checks one manifest once. previous: the result of an earlier check, whose entries are reused if possible."""

    def __init__(self, manifest: Manifest, registry: RegistryLike, previous: CompiledManifest | None = None) -> None:
        self.manifest, self.registry = manifest, registry
        self.names = OptionalNames(manifest, registry)
        self._roots: dict[int, Node] = {}
        is_same = previous is not None and _same_context(previous.manifest, manifest)
        self._known_roots = previous.roots if previous is not None and is_same else {}
        self._old_prefabs = previous.manifest.prefabs if previous is not None else manifest.prefabs
        self.report = Report(manifest.problems, MAX_PROBLEMS)
        layers = [layer.name for layer in manifest.layers] or DEFAULT_LAYERS
        self.scope = Scope(list(dict.fromkeys((*layers, *registry.layers))), manifest.asset_problem)

    def compile(self) -> CompiledManifest:
        """Check all sections; the result is complete only if the report stays empty."""
        manifest = self.manifest
        settings = self._settings()
        self._input()
        layers = self._layer_options()
        raw = raw_prefabs(manifest.prefabs, self.registry.prefabs)
        others = _other_prefabs(self._old_prefabs, manifest.prefabs, raw) if self._known_roots else frozenset[str]()
        reader = EntryReader(self.registry, self.scope, self.report, raw, self.names)
        library = PrefabLibrary(raw, reader, self.report)
        nodes = library.nodes()
        scenes = {name: self._scene(name, node, reader, library, others) for name, node in manifest.scenes.items()}
        persistent, view_owners = _persistent_names(scenes), self.registry.view_owners
        for name, plan in scenes.items():
            if plan.rows > MAX_COPIES:
                what = f"spawns {plan.rows:,} entities; the maximum is {MAX_COPIES:,}"
                self.report.add(manifest.scenes.keys_at[name], ("scenes", name), what)
            plan.check(self.report, [other for other in persistent if other not in plan.names()])
        prefabs = {name: SpawnPlan(f"prefab:{name}", [_single(node)], view_owners) for name, node in nodes.items()}
        return CompiledManifest(manifest, scenes, prefabs, settings, self._roots, layers, self.names.skipped)

    def reuse(self, previous: CompiledManifest) -> CompiledManifest:
        """Check only settings and layer options; take scenes and prefabs from the previous result."""
        settings, layers = self._settings(), self._layer_options()
        return CompiledManifest(self.manifest, previous.scenes, previous.prefabs, settings, previous.roots, layers)

    def _scene(
        self, name: str, node: Any, reader: EntryReader, library: PrefabLibrary, others: Collection[str]
    ) -> SpawnPlan:
        """Return the plan of a scene. others: the prefabs that changed since the previous check."""
        roots: list[Node] = []
        total = 0
        for index, item in enumerate(node if isinstance(node, YamlList) else ()):
            assert isinstance(node, YamlList)
            if index and index % PROGRESS_INTERVAL == 0:
                tell_progress(f"checking the scene {name}, entry", index, len(node))
            path = ("scenes", name, index)
            root = self._known_roots.get(id(item))
            if root is None or (others and _names_one(item, others)):
                root = library.resolve(reader.read(item, node.items_at[index], path))
            if root is None:
                continue
            self._roots[id(item)] = root
            total += root.size
            if total <= MAX_NODES:
                roots.append(root)
        if total > MAX_NODES:
            what = f"has {total:,} entries including children; the maximum is {MAX_NODES:,}"
            self.report.add(self.manifest.scenes.keys_at[name], ("scenes", name), what)
        return SpawnPlan(f"scene:{name}", roots, self.registry.view_owners)

    def _settings(self) -> dict[str, Any]:
        """Return one instance of each plugin's settings, filled from the manifest."""
        section, specs = self.manifest.settings, self.registry.settings
        loaded = [wish.name for wish in self.manifest.plugins]
        for plugin in section:
            if plugin in specs or self.names.skip(f"{plugin}."):
                continue
            what = f"no plugin {plugin!r} is loaded"
            if plugin in loaded:
                what = f"the plugin {plugin!r} has no settings"
            elif any(other.name == plugin for other in self.registry.others):
                what = f"the plugin {plugin!r} is installed but not used: add {plugin} to `plugins:`"
            self.report.unknown(section, plugin, ("settings",), what, specs)
        settings: dict[str, Any] = {}
        foreign = self._foreign()
        for plugin, spec in specs.items():
            values = foreign.get(plugin, {})
            if plugin in section:
                mark, path = section.values_at[plugin], ("settings", plugin)
                used = section[plugin] if isinstance(section[plugin], YamlMap) else ()
                reader = settings_reader(plugin, spec, used)
                values = values | reader.read(section[plugin], mark, path, self.scope, self.report)
            settings[plugin] = spec.cls(**{name: self._setting(spec, name, value) for name, value in values.items()})
        return settings

    def _setting(self, spec: ResourceSpec, name: str, value: Any) -> Any:
        """Convert a checked value to the form in a settings object: Python numbers, arrays for vectors."""
        if isinstance(value, Ref):
            self.report.add(value.mark, value.path, "settings can't refer to an entity, because it may not exist")
            return 0
        stored: Any = spec.fields[name].type.coerce(value) if name in spec.fields else value
        return stored.item() if np.ndim(stored) == 0 and hasattr(stored, "item") else stored

    def _input(self) -> None:
        """Report actions with unknown keys or buttons."""
        actions = [*self.manifest.input.values(), *chain(*(own.values() for own in self.manifest.players))]
        if not actions:
            return
        from ..loop.keys import HINT, check_key, nearest_key

        for binding in chain.from_iterable(actions):
            if not check_key(binding.key):
                near_key = nearest_key(binding.key)
                near = f" (did you mean {near_key!r}?)" if near_key else ""
                what = f"no key or button is called {binding.key!r}{near}. {HINT}"
                self.report.note(Problem(binding.place, binding.path, what))

    def _foreign(self) -> dict[str, dict[str, Any]]:
        """Return the settings written outside `settings:`, by plugin; report keys that no plugin defines."""
        settings_of: dict[str, dict[str, Any]] = {}
        owners = self.registry.manifest_keys
        for *parents, key in self.manifest.foreign_keys():
            node, path = self.manifest.section(parents[0]) if parents else self.manifest.data, (*parents, key)
            section = f"{parents[0]}." if parents else ""
            what = f"`{parents[0]}` has no key {key!r}" if parents else f"a manifest has no section {key!r}"
            fixed = keys_of(game_schema()) if parents else SECTIONS
            choices = [*fixed, *(name[len(section) :] for name in owners if name.rpartition(".")[0] == section[:-1])]
            name = self.names.key(_KEY, node, key, tuple(parents), owners, self.report, what, choices, section)
            if name is None:
                continue
            plugin, mark = owners[section + name], node.values_at[key]
            settings = self.manifest.settings.get(plugin)
            if isinstance(settings, YamlMap) and name in settings:
                self.report.add(mark, path, f"is written in `settings: {plugin}:` as well: keep one")
            single = YamlMap(mark)
            single.put(name, node[key], node.keys_at[key], mark)
            reader = settings_reader(plugin, self.registry.settings[plugin], {name})
            values = reader.read(single, mark, tuple(parents), self.scope, self.report)
            settings_of.setdefault(plugin, {}).update(values)
        return settings_of

    def _layer_options(self) -> dict[str, dict[str, Any]]:
        """Return the values of the plugins' layer options, by layer."""
        options: dict[str, dict[str, Any]] = {}
        specs = self.registry.layer_options
        for layer in self.manifest.layers:
            values: dict[str, Any] = {}
            for key, node in layer.more.items():
                what, choices = f"a layer has no option {key!r}", [*keys_of(layer_schema()), *specs]
                name = self.names.key(_OPTION, layer.more, key, layer.path, specs, self.report, what, choices)
                if name is None:
                    continue
                single = YamlMap(layer.more.mark)
                single.put(name, node, layer.more.keys_at[key], layer.more.values_at[key])
                reader = FieldsReader("a layer", specs[name].fields)
                read = reader.read(single, single.mark, layer.path, self.scope, self.report)
                values |= {key: _plain(self._setting(specs[name], key, value)) for key, value in read.items()}
            options[layer.name] = values
        return options


def _plain(value: Any) -> Any:
    """Convert an array to a tuple, so that two options can be compared with `==`; return other values unchanged."""
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else value


def _same_context(before: Manifest, after: Manifest) -> bool:
    """Whether equal entries give equal nodes in both manifests, if the prefabs are equal."""
    layers = [[layer.name for layer in manifest.layers] for manifest in (before, after)]
    return layers[0] == layers[1] and before.root == after.root and before.optional == after.optional


def _other_prefabs(before: YamlMap, after: YamlMap, raw: Mapping[str, tuple[Any, Mark, Steps]]) -> frozenset[str]:
    """Return the prefabs whose text changed, and the prefabs that use them."""
    changed = {name for name in before.keys() | after.keys() if (name in before) != (name in after)}
    changed |= {name for name in before.keys() & after.keys() if before[name] != after[name]}
    while users := {name for name, (node, _, _) in raw.items() if name not in changed and _names_one(node, changed)}:
        changed |= users
    return frozenset(changed)


def _names_one(node: Any, prefabs: Collection[str]) -> bool:
    """Whether an entry or one of its children uses one of these prefabs."""
    if not isinstance(node, YamlMap):
        return False
    word, children = node.get("prefab"), node.get("children")
    if isinstance(word, str) and (word in prefabs or word.rpartition(".")[2] in prefabs):
        return True
    return isinstance(children, YamlList) and any(_names_one(child, prefabs) for child in children)


def _persistent_names(scenes: Mapping[str, SpawnPlan]) -> list[str]:
    """Return the names of persistent entities, to which any scene may refer."""
    return [
        step.node.name for plan in scenes.values() for step in plan.steps if Persistent in step.parts and step.node.name
    ]


def _single(node: Node) -> Node:
    """Return a prefab's node for spawning by systems: one copy, without `at` and parent."""
    return dataclasses.replace(node, count=1, at=None, parent=None)
