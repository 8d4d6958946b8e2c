"""The texts, Worlds, paths and notes of one saving."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, cast

from rish_core import App
from rish_core.manifest import tell_progress

from ..text.game_text import GameText
from ..text.nodes import Steps
from ..text.partial_manifest import PartialManifest
from ..tree.order import arrangement
from .scene_world import SceneWorld
from .worlds import spawn_anew

_COMPARING = "comparing entities:"


class Session(SceneWorld):
    """One saving of the current scene.

    anew: a World into which the text was spawned. paths: the path of the entry in the present text, by step of the
    plan; steps of a prefab's children have none. edits: sentences.
    """

    def __init__(self, app: App, text: GameText) -> None:
        super().__init__(app)
        self.text = text
        self.edits: list[str] = []
        self.paths: dict[int, Steps] = {}
        tell_progress(_COMPARING, 0, 1)
        self.anew = spawn_anew(app.world, self.compiled, self.plan)
        tell_progress(_COMPARING, 0, 1)
        scene = self.text.of(("scenes", self.label))
        for number, step in enumerate(self.steps):
            if number in self.foreign.steps:
                continue
            path = self.foreign.in_text(step.node.path)
            inside = path[:2] == ("scenes", self.label) and isinstance(path[-1], int)
            if inside and scene.kind(path) == "map":
                self.paths[number] = path
        for number, path in self.paths.items():
            handle = self.now.handles.get((number, 0))
            if handle is not None and self.steps[number].rows == 1:
                self.entries[handle] = path

    def keep_left_out(self, data: dict[str, Any], written: dict[int, Steps | None]) -> None:
        """Add data that was left out of the manifest because of mistakes to a complete entry.

        written: see `entry_of`.
        """
        manifest = self.app.manifest
        if not isinstance(manifest, PartialManifest):
            return
        for handle, subpath in written.items():
            key = self.now.keys.get(handle)
            if key is None or subpath is None:
                continue
            entry: Any = data
            for step in subpath:
                entry = entry[step]
            path = self.foreign.in_text(self.steps[key[0]].node.path)
            for name, value in manifest.raw(path).items():
                if name and isinstance(entry.get(name), dict) and isinstance(value, dict):
                    entry[name] = {**cast("dict[str, Any]", value), **entry[name]}
                elif name:
                    entry.setdefault(name, value)

    @cached_property
    def arranged(self) -> set[int]:
        """The entities that tools have arranged."""
        return set(arrangement(self.app.world).tolist())

    # Paths that move

    def inserted(self, where: Steps) -> None:
        """Shift the recorded paths at and after a new item of a list."""
        self._shift(where, 1)

    def deleted(self, gone: Iterable[Steps]) -> None:
        """Drop the recorded paths of deleted items of lists, and shift the paths after them."""
        lists: dict[Steps, list[int]] = {}
        for path in sorted(gone):
            lists.setdefault(path[:-1], []).append(cast("int", path[-1]))
        if not lists:
            return
        for paths in (self.paths, self.entries):
            for key, path in list(paths.items()):
                shifted = _without(path, lists)
                if shifted is None:
                    del paths[key]
                else:
                    paths[key] = shifted

    def moved(self, where: Steps, to: Steps) -> None:
        """Update the recorded paths after an item of a list was moved. to: its new path."""
        inner_paths: list[tuple[dict[int, Steps], int, Steps]] = []
        for paths in (self.paths, self.entries):
            for key in [key for key, path in paths.items() if path[: len(where)] == where]:
                inner_paths.append((paths, key, paths.pop(key)))
        self._shift(where, -1)
        self._shift(to, 1)
        for paths, key, path in inner_paths:
            paths[key] = (*to, *path[len(where) :])

    def _shift(self, where: Steps, by: int) -> None:
        depth, at = len(where) - 1, where[-1]
        assert isinstance(at, int)
        for paths in (self.paths, self.entries):
            for key, path in paths.items():
                step: Any = path[depth] if len(path) > depth else None
                if path[:depth] == where[:-1] and isinstance(step, int) and step >= at:
                    paths[key] = (*path[:depth], step + by, *path[depth + 1 :])


def _without(path: Steps, gone: Mapping[Steps, list[int]]) -> Steps | None:
    """Return a path after items were removed; None for a removed item. gone: the sorted indices by list."""
    steps = list(path)
    for depth, step in enumerate(path):
        indices = gone.get(path[:depth], ())
        if indices and isinstance(step, int):
            before = bisect_left(indices, step)
            if before < len(indices) and indices[before] == step:
                return None
            steps[depth] = step - before
    return tuple(steps)


def after_removal(path: Steps, gone: Steps) -> Steps:
    """Return a path after the item `gone` of a list was removed."""
    depth, at = len(gone) - 1, gone[-1]
    step = path[depth] if len(path) > depth else None
    if path[:depth] == gone[:-1] and isinstance(step, int) and isinstance(at, int) and step > at:
        return (*path[:depth], step - 1, *path[depth + 1 :])
    return path
