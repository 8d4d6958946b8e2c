"""The texts, Worlds and paths of one saving, and the notes about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rish_core import App, Name, Scenes, UnknownName, UsageError
from rish_core.manifest import Node, Step, path_text
from rish_ecs import kind_of

from ..text.game_text import GameText
from ..text.nodes import Steps
from ..tree.order import arrangement, tree_order
from .worlds import Key, Spawned, spawn_anew


@dataclass
class Session:
    """One saving of the current scene.

    now: the edited World. text_world: the World as the text spawns it. paths: of each step of the plan, the path of its
    own entry in the text as it is now; no path for entities that a prefab brings. moved: the path of the entry of each
    handle that was written or moved by this saving. edits, notes, problems: sentences.
    """

    app: App
    text: GameText
    edits: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])
    paths: dict[int, Steps] = field(default_factory=dict[int, Steps])
    entries: dict[int, Steps] = field(default_factory=dict[int, Steps])

    def __post_init__(self) -> None:
        """Spawn the scene again, and find the entries in the text."""
        self.label: str = self.app.world[Scenes].current
        self.compiled = self.app.game
        self.plan = self.compiled.scene(self.label)
        self.steps: list[Step] = self.plan.steps
        self.now = Spawned(self.app.world, self.label)
        self.anew = spawn_anew(self.app.world, self.compiled, self.plan)
        self.order = tree_order(self.app)
        self.prefab_worlds: dict[str, Spawned] = {}
        for number, step in enumerate(self.steps):
            path = step.node.path
            inside = path[:2] == ("scenes", self.label) and isinstance(path[-1], int)
            if inside and self.text.has(path) and isinstance(self.text.get(path), dict):
                self.paths[number] = path
        for number, path in self.paths.items():
            handle = self.now.handles.get((number, 0))
            if handle is not None and self.steps[number].rows == 1:
                self.entries[handle] = path

    # What an entity is compared with

    def prefab_world(self, name: str) -> Spawned:
        """Return a World with one copy of a prefab."""
        if name not in self.prefab_worlds:
            self.prefab_worlds[name] = spawn_anew(self.app.world, self.compiled, self.compiled.prefabs[name])
        return self.prefab_worlds[name]

    def prefab_node(self, name: str) -> Node | None:
        """Return the top node of a prefab, or None for no prefab."""
        return self.compiled.prefabs[name].steps[0].node if name in self.compiled.prefabs else None

    def inside(self, number: int) -> list[int]:
        """Return the numbers of the children of a step."""
        return [k for k, step in enumerate(self.steps) if step.parent == number]

    def corresponding(self, key: Key) -> int | None:
        """Return the handle in the World of the text of an entity of the edited World, or None."""
        return self.anew.handles.get(key)

    # The order

    def row(self, handle: int) -> int:
        """Return the row of an entity in the order of the tree."""
        return self.rows.get(handle, -1)

    @cached_property
    def rows(self) -> dict[int, int]:
        """The rows of all entities in the order of the tree."""
        return {handle: row for row, handle in enumerate(self.order.handles.tolist())}

    @cached_property
    def arranged(self) -> set[int]:
        """The entities that tools have arranged."""
        return set(arrangement(self.app.world).tolist())

    # Names

    def key_name(self, cls: type) -> str:
        """Return the name of a component in manifests: the short one if it is clear."""
        kind = kind_of(cls)
        try:
            return kind.name if self.app.registry.component(kind.name) is kind else kind.key
        except UnknownName:
            return kind.key

    @cached_property
    def _counts(self) -> Counter[str]:
        """How many entities have each name."""
        return Counter(self.now.name(handle) for handle in self.app.world[Name].entities.tolist())

    def is_unique(self, name: str) -> bool:
        """Whether exactly one entity has a name."""
        return bool(name) and self._counts[name] == 1

    def name_of(self, handle: int) -> str:
        """Return the name by which the text can refer to an entity. Raises UsageError if it has none of its own."""
        name = self.now.name(handle)
        if not name:
            raise UsageError("the entity that it refers to has no name", hint="Give it a name")
        if self._counts[name] > 1:
            raise UsageError(f"{self._counts[name]} entities are called {name!r}", hint="Give it a name of its own")
        return name

    def said(self, handle: int) -> str:
        """Return a phrase for an entity."""
        name = self.now.name(handle)
        key = self.now.keys.get(handle)
        if key is None:
            return f"entity {name!r}" if name else "an entity"
        node = self.steps[key[0]].node
        copy = f", copy {key[1]}" if self.steps[key[0]].rows > 1 else ""
        return f"{name or node.prefab or 'the entity'!r} ({path_text(node.path)}{copy})"

    # Paths that move

    def inserted(self, where: Steps) -> None:
        """Move the known paths at and after a new item of a list."""
        self._shift(where, 1)

    def deleted(self, where: Steps) -> None:
        """Drop the known paths at a deleted item, and move those after it."""
        for paths in (self.paths, self.entries):
            for key in [key for key, path in paths.items() if path[: len(where)] == where]:
                del paths[key]
        self._shift(where, -1)

    def moved(self, where: Steps, to: Steps) -> None:
        """Move the known paths of an item of a list that was moved. to: its path afterwards."""
        held: list[tuple[dict[int, Steps], int, Steps]] = []
        for paths in (self.paths, self.entries):
            for key in [key for key, path in paths.items() if path[: len(where)] == where]:
                held.append((paths, key, paths.pop(key)))
        self._shift(where, -1)
        self._shift(to, 1)
        for paths, key, path in held:
            paths[key] = (*to, *path[len(where) :])

    def _shift(self, where: Steps, by: int) -> None:
        depth, at = len(where) - 1, where[-1]
        assert isinstance(at, int)
        for paths in (self.paths, self.entries):
            for key, path in paths.items():
                step: Any = path[depth] if len(path) > depth else None
                if path[:depth] == where[:-1] and isinstance(step, int) and step >= at:
                    paths[key] = (*path[:depth], step + by, *path[depth + 1 :])


def after_removal(path: Steps, gone: Steps) -> Steps:
    """Return a path as it is after an item of a list has been removed."""
    depth, at = len(gone) - 1, gone[-1]
    step = path[depth] if len(path) > depth else None
    if path[:depth] == gone[:-1] and isinstance(step, int) and isinstance(at, int) and step > at:
        return (*path[:depth], step - 1, *path[depth + 1 :])
    return path
