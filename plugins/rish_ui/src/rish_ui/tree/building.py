"""The tree of widgets, kept up to date by the rows of the World that change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_ecs import Compared, Disabled, Inputs, Rows, Table
from rish_ecs.derivations import InputChanges
from rish_jit import Array

from ..components.screen import Screen, Space, Widget
from .node import Node, Root
from .patching import ENTITY, changed_rows, place_nodes, rows_of
from .structure import COMMON, FACTS, fact_of, names_of, parents_of, structure_of

if TYPE_CHECKING:
    from rish_ecs import World

_PLACED = Rows(Transform)
_PARENT: Any = Transform.parent


class Tree:
    """All widgets. kinds: by component; container, base: the kinds of nodes without a component.

    roots, nodes: the nodes by entity. written: by component, the entities whose row was written since it was read.
    moved: whether entities were added, removed or disabled since that was last looked at. outdated: the roots of which
    something is out of date. listed: whether the roots are those whose paintings were published last.
    """

    def __init__(self, kinds: Mapping[type, Any] | None = None, container: Any = None, base: Any = None) -> None:
        self.roots: list[Root] = []
        self.nodes: dict[int, Node] = {}
        self._kinds = dict(kinds or {})
        self._container, self._base = container, base
        self._classes = (*self._kinds, *COMMON)
        self.written: dict[type, set[int]] = {}
        self.moved, self.listed = True, False
        self.outdated: set[Root] = set()
        self._inputs = Inputs(dict.fromkeys([*map(Compared, self._classes), *FACTS, _PLACED, _PARENT]))
        self._members: dict[type, Array] = {}
        self._watched: Array = np.zeros(0, np.int64)
        self._facts: dict[Any, Array] = {}

    def outdated_roots(self) -> list[Root]:
        """Return the roots of which something is out of date, in their order."""
        return sorted(self.outdated, key=attrgetter("number")) if self.outdated else []

    def update(self, world: World) -> list[Node] | None:
        """Take in the changes of the World; return the nodes that are new, or None if no widget was added or removed,
        renamed, disabled, or given another parent or place among its siblings."""
        changes = self._inputs.take(world)
        if changes is None:
            return None
        self.moved = self.moved or bool(changes[_PLACED]) or bool(changes[Disabled])
        has_changed = self._take_rows(world, changes)
        for source in changes:
            if source in FACTS and not has_changed and self._concerns(world.table(FACTS[source][0]), source, changes):
                has_changed = not np.array_equal(self._facts[source], fact_of(world, source, self._watched))
        return self._arrange(world) if has_changed else None

    def _concerns(self, table: Table, source: Any, changes: InputChanges) -> bool:
        """Return whether rows of entities changed that the structure depends on."""
        change = changes[source]
        if source is Transform and change.all and not changes[_PLACED]:
            change = changes[_PARENT]  # a system that moves entities has written all rows
        if change.all or not len(self._watched):
            return change.all
        entities = np.concatenate([table.entities[change.rows], change.removed])
        places = np.searchsorted(self._watched, entities).clip(max=len(self._watched) - 1)
        return bool((self._watched[places] == entities).any())

    def _take_rows(self, world: World, changes: InputChanges) -> bool:
        """Note which widgets were written; return whether entities got or lost a component of a widget."""
        has_changed = not self._facts
        for source in changes:
            cls = source.cls if isinstance(source, Compared) else None
            table = world.tables.get(cls) if cls is not None else None
            if cls is None or table is None:
                continue
            entities = table.entities if changes[source].all else table.entities[changes[source].rows]
            self.written.setdefault(cls, set()).update(entities.tolist())
            members = self._members.get(cls)
            if members is None or not np.array_equal(members, table.entities):
                self._members[cls], has_changed = table.entities.copy(), True
        return has_changed

    def _arrange(self, world: World) -> list[Node]:
        """Patch the roots whose rows changed, and build those that are new; return the new nodes."""
        blocks, self._watched = structure_of(world, self._classes)
        self._facts = {source: fact_of(world, source, self._watched) for source in FACTS}
        roots, before, fresh = {root.entity: root for root in self.roots}, self.nodes.copy(), list[Node]()
        changed: list[tuple[Root, Array, Array, Array]] = []
        self.roots = []
        for number, ((entity, rows), label) in enumerate(zip(blocks, _labels(world, blocks), strict=True)):
            root, shape = roots.pop(entity, None), rows.tobytes()
            if root is None or root.shape != shape:
                gone, some = (rows[:0], rows) if root is None else changed_rows(rows_of(root), rows)
                if root is not None and entity in some[:, ENTITY]:  # its Screen or its owner may be another one
                    roots[entity], root, some, gone = root, None, rows, rows[:0]
                root = root or self._new_root(entity, fresh)
                changed.append((root, rows, some, gone))
                root.shape = shape
            root.number, root.label = number, label
            self.roots.append(root)
        left = [rows_of(root) for root in roots.values()] + [gone for _, _, _, gone in changed]
        for entity in (entity for rows in left for entity in rows[:, ENTITY].tolist()):
            self.nodes.pop(entity, None)
        for change in changed:
            fresh += self._patch(world, before, *change)
        self.__dict__.pop("paths", None)
        read = [node.entity for node in fresh if self.nodes[node.entity] is node]  # not bases above a widget
        for entities in self.written.values():
            entities.difference_update(read)
        self.outdated.intersection_update(self.roots)
        self.listed = False
        return fresh

    def _new_root(self, entity: int, fresh: list[Node]) -> Root:
        root = Root(entity, self.outdated)
        root.nodes = [Node(entity, self._base, "", root)]
        fresh += root.nodes
        return root

    def _patch(
        self, world: World, before: Mapping[int, Node], root: Root, rows: Array, some: Array, gone: Array
    ) -> list[Node]:  # fmt: skip
        """Place the nodes of the rows of a root that changed; return those that are new.

        before: nodes by entity, which are used again if they have the same components.
        """
        fresh: list[Node] = []

        def node_of(root: Root, row: list[int]) -> Node:
            entity, index, name, _, _, parts = row
            kind = self._kinds.get(self._classes[index], self._container)
            node = before.get(entity)
            if entity == root.entity and kind.component is None and parts & 1:
                node = root.base
            elif node is None or node.kind is not kind or node.parts != parts:
                node = Node(entity, kind, "", root, parts=parts)
                fresh.append(node)
            elif node.root is not root:
                node.row, node.root = -1, root
                node.texts.clear()
            node.name = world.text(name)
            return node

        placed = place_nodes(root, rows, some, gone, self.nodes, node_of)
        self.nodes.update(placed)
        root.base.name = self.nodes[root.entity].name
        root.arrived += [root.base, *placed.values()] if root.layout is None else placed.values()
        root.aligned = root.dealt = False
        root.live = None
        root.solve_again()
        return fresh

    @cached_property
    def paths(self) -> dict[str, Node]:
        """All nodes by their path, see `Node.path`."""
        return {node.path: node for root in self.roots for node in root.nodes}


def _labels(world: World, blocks: Iterable[tuple[int, Array]]) -> Iterable[str]:
    """Return the first parts of the paths of the widgets: `pause`, `grok.bar` for a child of `grok`, `bar#2`."""
    entities = np.array([entity for entity, _ in blocks], np.int64)
    names, owners = names_of(world, entities), names_of(world, parents_of(world, entities))
    counts: dict[str, int] = {}
    for number, texts in enumerate(zip(owners.tolist(), names.tolist(), strict=True)):
        label = ".".join(world.text(text) for text in texts if text)
        if label:
            counts[label] = counts.get(label, 0) + 1
            yield label if counts[label] == 1 else f"{label}#{counts[label]}"
        else:
            yield f"#{number + 1}"


def above_of(world: World, entity: int) -> int:
    """Return the parent of an entity, 0 for none."""
    table = world.table(Transform)
    row = table.row_of(entity)
    return int(table.column("parent")[row]) if row >= 0 else 0


def is_there(world: World, root: Root) -> bool:
    """Whether the entity that a screen in the world belongs to exists and is not disabled; True for other screens."""
    if not root.world or not root.owner:
        return True
    return world.alive(root.owner) and world.table(Disabled).row_of(root.owner) < 0


def read_screen(world: World, root: Root) -> None:
    """Read the values of a root's Screen; a root without one lets everything through."""
    root.owner = above_of(world, root.entity)
    if world.table(Screen).row_of(root.entity) < 0:
        return
    view = world.get(root.entity, Screen)
    root.layer, root.z, root.world = view.layer, float(view.z), view.space is Space.WORLD
    root.modal, root.takes_keys, root.player = view.modal, view.takes_keys, int(view.player)
    root.pauses, root.cancel, root.first, root.opens_by = view.pauses, view.cancel, view.first, view.opens_by
    root.size, root.follow = (float(view.size[0]), float(view.size[1])), int(view.follow)
    root.lift, root.pivot = (float(view.lift[0]), float(view.lift[1])), (float(view.pivot[0]), float(view.pivot[1]))
    root.unit, root.safe, root.wanted = float(view.scale), view.safe, view.visible
    root.owner = root.follow or root.owner
    root.visible = root.wanted and is_there(world, root)


def read_kind(world: World, node: Node) -> bool:
    """Read a node's component; return whether something changed."""
    cls = node.kind.component
    if cls is None:
        return False
    before, table = node.values, world.table(cls)
    node.values = node.kind.read(_RowView(table, table.row_of(node.entity)))
    return node.values != before


class _RowView:
    """A row of a table, read like the component of an entity; it looks for the row only once."""

    __slots__ = ("_row", "_table")

    def __init__(self, table: Table, row: int) -> None:
        self._table, self._row = table, row

    def __getattr__(self, name: str) -> Any:
        return self._table.read_value(name, self._row)


def read_widget(world: World, node: Node) -> None:
    """Read the fields of `Widget`, which all widgets share."""
    if world.table(Widget).row_of(node.entity) < 0 or (
        node.parent is None and len(node.root.nodes) > 1 and (node.root.nodes[1].entity == node.entity)
    ):
        return
    view = world.get(node.entity, Widget)
    node.visible, node.enabled, node.variant = view.visible, view.enabled, view.style
    node.needs = view.needs
    node.focusable, node.tab, node.z, node.tooltip = view.focusable, int(view.tab), int(view.z), view.tooltip
    node.beside = {side: int(getattr(view, side)) for side in ("left", "right", "up", "down")}
