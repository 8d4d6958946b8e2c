"""Manifests that are only partly understood: what has mistakes is left out, and stays in the text.

The data of the files is read, and what a mistake is about is removed from it: a value, a field, a component, an entry's
content, a section. This is repeated until no mistake is left. Entries keep their numbers, so that the entities and the
text correspond.
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
"""How many steps of a path in these sections are left out at most; in others the section."""
Read = Callable[[Path], Document]


@dataclass
class PartialManifest(Manifest):
    """A manifest without what has mistakes.

    left_out: the paths of what was removed, with the data. mistakes: all of them, with places.
    """

    left_out: dict[Steps, Any] = field(default_factory=dict[Steps, Any])
    mistakes: list[Problem] = field(default_factory=list[Problem])

    def raw(self, entry: Steps) -> dict[str, Any]:
        """Return what was left out of an entry or a prefab: by component or key, the data; {} if it is complete."""
        found: dict[str, Any] = {}
        for path, data in self.left_out.items():
            inside = path[len(entry) :]
            if path[: len(entry)] != entry or "children" in inside[:-1]:
                continue
            if not inside:
                found[""] = data
            elif len(inside) == 1:
                found[str(inside[0])] = data
            else:
                known = found.setdefault(str(inside[0]), {})
                if isinstance(known, dict):
                    known[path_text(inside[1:])] = data
        return found


class Pruned:
    """Reads the files of a manifest without what was left out. read: reads one file."""

    def __init__(self, path: Path, overrides: tuple[str, ...], read: Read) -> None:
        self.path, self.overrides, self.read = path, overrides, read
        self.documents: dict[Path, Document] = {}
        self.left_out: dict[Steps, Any] = {}
        self.mistakes: list[Problem] = []

    def document(self, path: Path) -> Document:
        """Return a file, without what was left out."""
        if path not in self.documents:
            self.documents[path] = self.read(path)
        made = copy.copy(self.documents[path])
        made.data = copy.deepcopy(made.data)
        last = [steps[-1] for steps in self.left_out]
        for steps, _ in sorted(zip(self.left_out, last, strict=True), key=lambda pair: _index(pair[1]), reverse=True):
            _remove(made.data, steps)
        return made

    def manifest(self) -> PartialManifest:
        """Return the manifest without what was left out."""
        plain = read_manifest(self.path, self.overrides, read=self.document)
        found = {name: value for name, value in vars(plain).items() if not name.startswith("_")}
        return PartialManifest(**found, left_out=self.left_out, mistakes=self.mistakes)

    def cut(self, manifest: Manifest, problems: Iterable[Problem]) -> bool:
        """Leave out what problems are about; return whether anything was."""
        before = len(self.left_out)
        for problem in problems:
            found = [_whole(steps) for steps in _located(manifest.data, problem.path)]
            found = [s for s in found if s and s != ("rish",) and not any(s[: len(k)] == k for k in self.left_out)]
            for steps in found:
                self._leave_out(manifest.data, steps)
            self.mistakes += [problem] if found else []
        return len(self.left_out) > before

    def _leave_out(self, data: YamlMap, steps: Steps) -> None:
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
    found = False
    for problem in error.problems:
        if problem.place in places and problem.place in marks:
            steps = ("plugins", marks.index(problem.place))
            found = found or steps not in pruned.left_out
            pruned.left_out[steps] = items[steps[1]]
            pruned.mistakes.append(problem)
    return found


def parsed_for(app: App, text: GameText, *, reuse: bool = False) -> Manifest:
    """Return the manifest of a text as the App understands it: complete, or without what has mistakes if the App was
    opened so. Raises ManifestError if a mistake can't be left out.

    reuse: use entries of the App's manifest where their text is the same, which is faster; see `GameText.parsed`.
    """
    pruned = pruned_for(app, text)
    if pruned is None:
        return text.parsed(app.manifest.overrides, app.manifest if reuse else None)
    return leave_out(pruned, app.plugins, app.registry)


def pruned_for(app: App, text: GameText) -> Pruned | None:
    """Return a text without the plugins that were left out when the App was opened; None if it was opened complete."""
    before = app.manifest
    if not isinstance(before, PartialManifest):
        return None
    pruned = Pruned(text.main, before.overrides, text.document)
    gone = [data for path, data in before.left_out.items() if path[0] == "plugins"]
    listed: Any = pruned.manifest().data.get("plugins")
    for index, name in enumerate(listed if isinstance(listed, YamlList) else ()):
        if name in gone:
            pruned.left_out["plugins", index] = name
    return pruned


def parsed_leniently(app: App, text: GameText) -> PartialManifest:
    """Return the manifest of a text without what the App does not understand. Raises ManifestError if a mistake can't
    be left out.
    """  # fmt: skip
    return leave_out(Pruned(text.main, app.manifest.overrides, text.document), app.plugins, app.registry)


def leave_out(pruned: Pruned, plugins: Plugins, registry: Registry) -> PartialManifest:
    """Return the manifest as far as it is understood. Raises ManifestError if a mistake can't be left out."""
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
    known: dict[str, str | None] = {}

    def mistake(key: str) -> str | None:
        if key not in known:
            known[key] = None
            try:
                registry.component(names.full(key, registry.components))
            except (RishError, LookupError) as error:
                known[key] = registry.not_named("component", key) or str(error)
        return known[key]

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
    """Return the path of a problem's text in the data; of what is above it if the value does not exist.

    The text of a child that keys with dots change, `scenes.main[0].lid`, gives the paths of these keys.
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


def _whole(steps: Steps) -> Steps:
    """Return the path of what is left out for a mistake: in entries a key, or a field of a component."""
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
