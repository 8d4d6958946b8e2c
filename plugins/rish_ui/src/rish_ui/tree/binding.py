"""Bindings of widgets: to fields of the game, and to preferences of the player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rish_ecs import Inputs
from rish_expressions import Field, FieldPath

from ..preferences import Preferences

if TYPE_CHECKING:
    from rish_ecs import World

    from .node import Node, Root

PREFERENCES = "preferences."
"""The prefix of the path of a preference of the player."""
SELF = "self."
"""The prefix of the path of a field of the screen's entity, or of the widget itself."""


def bind_field(world: World, path: str, entity: int) -> tuple[Any, bool]:
    """Return the field of a path, and True if its entity is given at each read, as in `self.Health.now`. Raises
    RishError.

    `preferences.volume.music` is a preference of the player. entity: with the component, to check the path.
    """
    if path.startswith(PREFERENCES):
        name = path.removeprefix(PREFERENCES)
        world[Preferences].get(name)
        return _PreferenceField(world, name), False
    field = FieldPath.parse(path.removeprefix(SELF)).bind(world, entity)
    return field, field.target.kind == "component" and not field.target.entity


def component_of(field: Any, entity: int) -> tuple[type, int] | None:
    """Return the component and entity of a field of `self`; 0 for any entity, None for a field of something else."""
    target = field.target if isinstance(field, Field) else None
    if target is None or target.kind != "component" or target.entity or target.cls is None:
        return None
    return target.cls, 0 if target.children else entity


class WatchedFields:
    """The widgets that show fields of components: only those are read again whose row was written.

    outdated: whether a root has other live nodes than at the last call of `mark`.
    """

    def __init__(self) -> None:
        self.outdated = True
        self._nodes: dict[type, dict[int, list[Node]]] = {}
        self._inputs = Inputs(())

    def _watch(self, roots: Iterable[Root]) -> None:
        """Collect the live nodes of roots, and the fields that they show."""
        self.outdated, former, self._nodes = False, self._nodes.keys(), {}
        for root in roots:
            if root.live is None:
                root.live = [node for node in root.nodes if node.polls or node.watched]
            for node in root.live:
                for cls, entity in node.watched:
                    self._nodes.setdefault(cls, {}).setdefault(entity, []).append(node)
        if self._nodes.keys() != former:
            self._inputs = Inputs(self._nodes)

    def mark(self, world: World, roots: Iterable[Root]) -> None:
        """Mark the nodes whose fields were written since the last call as outdated."""
        if self.outdated:
            self._watch(roots)
        changes = self._inputs.take(world)
        for cls, nodes in self._nodes.items():
            change = changes[cls] if changes is not None else None
            if not change:
                continue
            if change.all or len(change.rows) > len(nodes):
                entities = [*nodes]
            else:
                entities = [0, *world.table(cls).entities[change.rows].tolist(), *change.removed.tolist()]
            for node in (node for entity in entities for node in nodes.get(entity, ())):
                node.outdated = node.root.restless = True


class _PreferenceField:
    """A preference of the player, read and written like a field."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self._name = world, name

    def read(self) -> Any:
        """Return its value."""
        return self._world[Preferences].get(self._name)

    def write(self, value: Any) -> None:
        """Choose a value."""
        self._world[Preferences].set(self._name, value)


class Plain:
    """A text that is shown as it is written, because it has a mistake."""

    used: frozenset[str] = frozenset()
    constant = True

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, values: Any) -> str:
        """Return the text."""
        return self.text
