"""Manifests with mistakes: the wrong parts are left out of the data, and stay in the text.

For each mistake, the part that it is about is removed from the data: a value, a field, a component, the content of an
entry, or a section. This is repeated until no mistake is left. Entries keep their numbers, so that entities still refer
to the entries in the text.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rish_core import App, Manifest, ManifestError, Plugins, Problem, Registry, RishError, read_manifest
from rish_core.manifest import Document, OptionalNames, YamlList, YamlMap, compile_manifest, path_text, place_at

from .game_text import GameText
from .nodes import Steps

_DEPTHS = {"game": 2, "settings": 3, "layers": 4, "plugins": 2, "input": 2}
"""The length of the paths that are left out in these sections. Of other sections the whole section is left out."""
Read = Callable[[Path], Document]


@dataclass
class PartialManifest(Manifest):
    """A manifest from which parts with mistakes were removed.

    left_out: the removed data by path. mistakes: all mistakes, with places.
    """

    left_out: dict[Steps, Any] = field(default_factory=dict[Steps, Any])
    mistakes: list[Problem] = field(default_factory=list[Problem])

    def raw(self, entry: Steps) -> dict[str, Any]:
        """Return the data that was left out of an entry or a prefab, by component or key; {} if it is complete."""
        data_by_key: dict[str, Any] = {}
        for path, data in self.left_out.items():
            inside = path[len(entry) :]
            if path[: len(entry)] != entry or "children" in inside[:-1]:
                continue
            if not inside:
                data_by_key[""] = data
            elif len(inside) == 1:
                data_by_key[str(inside[0])] = data
            else:
                fields = data_by_key.setdefault(str(inside[0]), {})
                if isinstance(fields, dict):
                    fields[path_text(inside[1:])] = data
        return data_by_key


class Pruned:
    """Reads the files of a manifest without the parts that are left out.

    read: reads one file. left_out, mistakes: as in `PartialManifest`.
    """

    def __init__(self, path: Path, overrides: tuple[str, ...], read: Read) -> None:
        self.path, self.overrides, self.read = path, overrides, read
        self.documents: dict[Path, Document] = {}
        self.left_out: dict[Steps, Any] = {}
        self.mistakes: list[Problem] = []

    def document(self, path: Path) -> Document:
        """Return the content of a file without the parts that are left out."""
        if path not in self.documents:
            self.documents[path] = self.read(path)
        document = copy.copy(self.documents[path])
        document.data = copy.deepcopy(document.data)
        last = [steps[-1] for steps in self.left_out]
        for steps, _ in sorted(zip(self.left_out, last, strict=True), key=lambda pair: _index(pair[1]), reverse=True):
            _remove(document.data, steps)
        return document

    def manifest(self) -> PartialManifest:
        """Return the manifest without the parts that are left out."""
        manifest = read_manifest(self.path, self.overrides, read=self.document)
        values = {name: value for name, value in vars(manifest).items() if not name.startswith("_")}
        return PartialManifest(**values, left_out=self.left_out, mistakes=self.mistakes)

    def cut(self, manifest: Manifest, problems: Iterable[Problem]) -> bool:
        """Leave out the parts that problems are about; return whether there were any."""
        before = len(self.left_out)
        for problem in problems:
            paths = [_removable(steps) for steps in _located(manifest.data, problem.path)]
            paths = [s for s in paths if s and s != ("rish",) and not any(s[: len(k)] == k for k in self.left_out)]
            for steps in paths:
                self._leave_out(manifest.data, steps)
            self.mistakes += [problem] if paths else []
        return len(self.left_out) > before

    def _leave_out(self, data: YamlMap, steps: Steps) -> None:
        """Record the value at a path as left out."""
        value: Any = data
        for step in steps:
            value = value[step]
        self.left_out[steps] = copy.deepcopy(value)


def without_plugins(pruned: Pruned, error: ManifestError) -> bool:
    """Leave out the plugins that an error refuses; return whether there are any."""
    manifest = pruned.manifest()
    items: Any = manifest.data.get("plugins")
    places = {wish.place: wish for wish in manifest.plugins}
    if not isinstance(items, YamlList):
        return False
    marks = [place_at(mark) for mark in items.items_at]
    changed = False
    for problem in error.problems:
        if problem.place in places and problem.place in marks:
            steps = ("plugins", marks.index(problem.place))
            changed = changed or steps not in pruned.left_out
            pruned.left_out[steps] = items[steps[1]]
            pruned.mistakes.append(problem)
    return changed


def parsed_for(app: App, text: GameText, *, reuse: bool = False) -> Manifest:
    """Return the manifest of a text for an App.

    Parts with mistakes are left out if the App was opened so. Raises ManifestError if one can't be left out. reuse:
    reuse entries of the App's manifest with the same text, which is faster; see `GameText.parsed`.
    """
    pruned = pruned_for(app, text)
    if pruned is None:
        return text.parsed(app.manifest.overrides, app.manifest if reuse else None)
    return leave_out(pruned, app.plugins, app.registry)


def pruned_for(app: App, text: GameText) -> Pruned | None:
    """Return a text without the plugins that were left out when the App was opened; None if nothing was left out."""
    before = app.manifest
    if not isinstance(before, PartialManifest):
        return None
    pruned = Pruned(text.main, before.overrides, text.document)
    removed = [data for path, data in before.left_out.items() if path[0] == "plugins"]
    plugins: Any = pruned.manifest().data.get("plugins")
    for index, name in enumerate(plugins if isinstance(plugins, YamlList) else ()):
        if name in removed:
            pruned.left_out["plugins", index] = name
    return pruned


def parsed_leniently(app: App, text: GameText) -> PartialManifest:
    """Return the manifest of a text without the parts that have mistakes for an App.

    Raises ManifestError if a mistake can't be left out.
    """
    return leave_out(Pruned(text.main, app.manifest.overrides, text.document), app.plugins, app.registry)


def leave_out(pruned: Pruned, plugins: Plugins, registry: Registry) -> PartialManifest:
    """Leave out all parts with mistakes and return the manifest.

    Raises ManifestError if a mistake can't be left out.
    """
    _leave_out_unknown(pruned, registry)
    while True:
        manifest = pruned.manifest()
        try:
            with plugins.raising():
                plugins.gather("rish_manifest", manifest=manifest, plugins=plugins, registry=registry)
            compile_manifest(manifest, registry)
        except ManifestError as error:
            if not pruned.cut(pruned.manifest(), error.problems):
                raise
            continue
        return pruned.manifest()


def _leave_out_unknown(pruned: Pruned, registry: Registry) -> None:
    """Leave out all components of unknown names at once, because one check reports only some of them."""
    manifest = pruned.manifest()
    names = OptionalNames(manifest, registry)
    mistakes: dict[str, str | None] = {}

    def mistake(key: str) -> str | None:
        if key not in mistakes:
            mistakes[key] = None
            try:
                registry.component(names.full(key, registry.components))
            except (RishError, LookupError) as error:
                mistakes[key] = registry.not_named("component", key) or str(error)
        return mistakes[key]

    def look(node: Any, steps: Steps) -> None:
        if not isinstance(node, YamlMap):
            return
        for key, value in node.items():
            if key == "children" and isinstance(value, YamlList):
                for index, child in enumerate(value):
                    look(child, (*steps, key, index))
            elif key[:1].isupper() and "." not in key and (what := mistake(key)) is not None:
                pruned.left_out[*steps, key] = copy.deepcopy(value)
                pruned.mistakes.append(Problem(place_at(node.keys_at[key]), path_text((*steps, key)), what))

    for name, prefab in manifest.prefabs.items():
        look(prefab, ("prefabs", name))
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            look(entry, ("scenes", name, index))


def _located(data: Any, text: str) -> list[Steps]:
    """Return the paths in the data that a problem's path text means; the parent's path if the value does not exist.

    A text such as `scenes.main[0].lid` may mean a child that keys with dots change; then these keys are returned.
    """
    steps: Steps = ()
    node = data
    while True:
        choices: list[Any] = list(node) if isinstance(node, YamlMap) else []
        if isinstance(node, YamlList):
            choices = list(range(len(node)))
        fitting = [choice for choice in choices if _begins(text, path_text((*steps, choice)))]
        if not fitting:
            dotted = [(*steps, key) for key in choices if _begins(path_text((*steps, key)), text)]
            return [steps] if path_text(steps) == text else dotted or [steps]
        step = max(fitting, key=lambda choice: len(path_text((*steps, choice))))
        steps = (*steps, step)
        node = node[step]


def _removable(steps: Steps) -> Steps:
    """Return the path of the part to leave out for a mistake: in entries a key, or a field of a component."""
    if steps[:1] not in (("scenes",), ("prefabs",)):
        return steps[: _DEPTHS.get(str(steps[0]), 1)] if steps else ()
    at = 3 if steps[0] == "scenes" else 2
    while len(steps) > at + 1 and steps[at] == "children":
        at += 2
    component = len(steps) > at and str(steps[at])[:1].isupper()
    return steps[: at + 2] if component else steps[: at + 1]


def _index(step: str | int) -> int:
    return step if isinstance(step, int) else -1


def _begins(text: str, path: str) -> bool:
    """Return whether a path text is another one or is below it."""
    return text.startswith(path) and (len(text) == len(path) or text[len(path)] in ".[")


def _remove(data: Any, steps: Steps) -> None:
    """Remove a value from data. Entries become empty, so that the others keep their numbers."""
    node = data
    for step in steps[:-1]:
        if isinstance(node, YamlMap) and step in node:
            node = node[str(step)]
        elif isinstance(node, YamlList) and isinstance(step, int) and step < len(node):
            node = node[step]
        else:
            return
    last = steps[-1]
    if isinstance(node, YamlMap) and last in node:
        del node[str(last)]
    elif isinstance(node, YamlList) and isinstance(last, int) and last < len(node):
        if steps[0] in ("scenes", "prefabs"):
            node[last] = YamlMap(node.mark)
        else:
            del node[last], node.items_at[last]
