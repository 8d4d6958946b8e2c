"""The current scene of a game, for building entries: its World, plan, names and order."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from rish_core import App, Name, Scenes, UnknownName, UsageError
from rish_core.manifest import Node, Step, path_text
from rish_ecs import kind_of

from ..text.nodes import Steps
from ..tree.marks import without_previews
from ..tree.order import tree_order
from ..tree.prefab_instances import StepChildren
from .foreign import Foreign
from .worlds import Spawned, spawn_anew


class SceneWorld:
    """The entities of the current scene, to be written as entries.

    now: the World. steps: the steps of the scene's plan. entries: the paths of entries in the text by handle, for
    entities whose entry spawns only them; such children are left out of the entries of others. foreign: the entries
    that plugins have added. notes, problems: sentences.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.notes: list[str] = []
        self.problems: list[str] = []
        self.entries: dict[int, Steps] = {}
        self.label: str = app.world[Scenes].current
        self.compiled = app.game
        self.plan = self.compiled.scene(self.label)
        self.steps: list[Step] = self.plan.steps
        self.foreign = Foreign(self.plan)
        self.now = Spawned(app.world, self.label)
        self.order = tree_order(app)
        self.prefab_worlds: dict[str, Spawned] = {}
        self._below = StepChildren()

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
        return self._below.of(self.plan, number)

    # The order

    def row(self, handle: int) -> int:
        """Return the row of an entity in the order of the tree."""
        return self.rows.get(handle, -1)

    @cached_property
    def rows(self) -> dict[int, int]:
        """The rows of all entities in the order of the tree."""
        return {handle: row for row, handle in enumerate(self.order.handles.tolist())}

    # Names

    def key_name(self, cls: type) -> str:
        """Return the name of a component in manifests: the short name if it is unambiguous."""
        kind = kind_of(cls)
        try:
            return kind.name if self.app.registry.component(kind.name) is kind else kind.key
        except UnknownName:
            return kind.key

    @cached_property
    def _counts(self) -> Counter[str]:
        """The number of entities with each name."""
        named = without_previews(self.app.world, self.app.world[Name].entities)
        return Counter(self.now.name(handle) for handle in named.tolist())

    def is_unique(self, name: str) -> bool:
        """Whether exactly one entity has a name."""
        return bool(name) and self._counts[name] == 1

    def name_of(self, handle: int) -> str:
        """Return the name by which the text can refer to an entity. Raises UsageError if it has no unique name."""
        name = self.now.name(handle)
        if not name:
            raise UsageError("the entity that it refers to has no name", hint="Give it a name")
        if self._counts[name] > 1:
            raise UsageError(f"{self._counts[name]} entities are called {name!r}", hint="Give it a name of its own")
        return name

    def phrase_for(self, handle: int) -> str:
        """Return the name and the place of an entity, for messages."""
        name = self.now.name(handle)
        key = self.now.keys.get(handle)
        if key is None:
            return f"entity {name!r}" if name else "an entity"
        node = self.steps[key[0]].node
        copy = f", copy {key[1]}" if self.steps[key[0]].rows > 1 else ""
        return f"{name or node.prefab or 'the entity'!r} ({path_text(node.path)}{copy})"
